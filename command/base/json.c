/* SPDX-License-Identifier: BSD-3-Clause */
#include "json.h"

#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "texts.h"

const char *json_string(const char *text)
{
    char *string = arena_memory(6 * strlen(text) + 3), *end = string;
    *end++ = '"';
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < ' ')
            end += sprintf(end, "\\u%04x", (unsigned)*at);
        else {
            if (*at == '"' || *at == '\\')
                *end++ = '\\';
            *end++ = *at;
        }
    strcpy(end, "\"");
    return plain(string);
}

const char *json_key(const char *text)
{
    const char *string = json_string(text);
    return arena_text("%.*s", (int)strlen(string) - 2, string + 1);
}

const char *json_value(const char *text)
{
    return *text ? json_string(text) : "null";
}

const char *json_strings(const struct list *texts)
{
    struct list strings = { 0 };
    for (size_t i = 0; i < texts->count; i++)
        list_add(&strings, json_string(texts->words[i]));
    return arena_text("[%s]", list_joined(&strings, ", "));
}

void json_add(struct list *members, const char *key, const char *value)
{
    list_add(members, key);
    list_add(members, value);
}

const char *json_members(const struct list *members)
{
    struct list texts = { 0 };
    for (size_t i = 0; i + 1 < members->count; i += 2)
        list_add(&texts, arena_text("\"%s\": %s", members->words[i], members->words[i + 1]));
    return arena_text("{%s}", list_joined(&texts, ", "));
}
