// SPDX-License-Identifier: BSD-3-Clause
#include "json.h"

#include <stddef.h>

#include "../elf/text.h"

static void write_text(struct json *json, const char *text)
{
    putc('"', json->out);
    while (*text) {
        bool shown;
        size_t length = text_character(text, &shown);
        if ((unsigned char)*text < ' ')
            fprintf(json->out, "\\u%04x", *text);
        else if (!shown)
            putc('?', json->out);
        else if (*text == '"' || *text == '\\')
            fprintf(json->out, "\\%c", *text);
        else
            fwrite(text, 1, length, json->out);
        text += length;
    }
    putc('"', json->out);
}

static void new_line(struct json *json) { fprintf(json->out, "\n%*s", 2 * json->depth, ""); }

// Writes the comma, indentation and key before a value.
static void begin_value(struct json *json, const char *key)
{
    if (json->depth > 0) {
        bool lines = json->level[json->depth - 1].lines, filled = json->level[json->depth - 1].filled;
        if (filled)
            fputs(lines ? "," : ", ", json->out);
        if (lines)
            new_line(json);
        json->level[json->depth - 1].filled = true;
    }
    if (key) {
        write_text(json, key);
        fputs(": ", json->out);
    }
}

static void open_value(struct json *json, const char *key, char open, char close, enum json_layout layout)
{
    begin_value(json, key);
    putc(open, json->out);
    json->level[json->depth].close = close;
    json->level[json->depth].lines = layout == JSON_LINES;
    json->level[json->depth].filled = false;
    json->depth++;
}

void json_object(struct json *json, const char *key, enum json_layout layout) { open_value(json, key, '{', '}', layout); }

void json_array(struct json *json, const char *key, enum json_layout layout) { open_value(json, key, '[', ']', layout); }

void json_text(struct json *json, const char *key, const char *text)
{
    begin_value(json, key);
    write_text(json, text);
}

void json_end(struct json *json)
{
    json->depth--;
    if (json->level[json->depth].lines && json->level[json->depth].filled)
        new_line(json);
    putc(json->level[json->depth].close, json->out);
    if (json->depth == 0)
        putc('\n', json->out);
}
