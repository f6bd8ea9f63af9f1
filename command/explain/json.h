// SPDX-License-Identifier: BSD-3-Clause
// Writes JSON: https://www.rfc-editor.org/rfc/rfc8259.  Whatever a text holds is escaped here.
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdio.h>

enum { JSON_DEEPEST = 8 };

struct json {
    FILE *out;
    int depth;
    struct { char close; bool lines, filled; } level[JSON_DEEPEST];
};

enum json_layout { JSON_INLINE, JSON_LINES };

// Members of an object have a key; elements of an array, and the whole, have none: NULL.
void json_object(struct json *json, const char *key, enum json_layout layout);
void json_array(struct json *json, const char *key, enum json_layout layout);
void json_text(struct json *json, const char *key, const char *text);

// Ends the innermost object or array; with the last one, the line.
void json_end(struct json *json);

#endif
