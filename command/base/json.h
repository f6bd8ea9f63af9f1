/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts in JSON: https://www.rfc-editor.org/rfc/rfc8259. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "list.h"

/* Return a string; a string, or null for an empty text; an array of strings. */
const char *json_string(const char *text);
const char *json_value(const char *text);
const char *json_strings(const struct list *texts);

/* Returns a key that may have any characters, to be added. */
const char *json_key(const char *text);

/* Adds a member of an object: a key without characters that JSON writes in another way, and a value that is JSON already. */
void json_add(struct list *members, const char *key, const char *value);

/* Returns an object: members are a key and a value that is JSON already, in turn. */
const char *json_members(const struct list *members);

#endif
