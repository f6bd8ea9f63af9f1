// SPDX-License-Identifier: BSD-3-Clause
// Writes JSON: https://www.rfc-editor.org/rfc/rfc8259.  Texts are escaped here.
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

// Begin an object, begin an array, write a text.  `key` is that of an object's member; NULL for elements of an array, and
// for the whole.
void json_object(struct json *json, const char *key, enum json_layout layout);
void json_array(struct json *json, const char *key, enum json_layout layout);
void json_text(struct json *json, const char *key, const char *text);

// Ends the innermost object or array; with the last one, the line.
void json_end(struct json *json);

#endif
