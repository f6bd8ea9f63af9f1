// SPDX-License-Identifier: BSD-3-Clause
#include "json.h"

#include <stddef.h>

// The length of the UTF-8 character at the beginning of a text, or 0.
static size_t character_length(const unsigned char *text)
{
    // The least and the greatest second byte exclude what is too long, surrogates, and what is no character.
    static const struct { unsigned char first, last, least, greatest; size_t length; } kinds[] = {
        { 0x01, 0x7f, 0, 0, 1 },       { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
        { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (*text < kinds[i].first || *text > kinds[i].last)
            continue;
        size_t length = kinds[i].length;
        if (length > 1 && (text[1] < kinds[i].least || text[1] > kinds[i].greatest))
            return 0;
        for (size_t j = 2; j < length; j++)
            if ((text[j] & 0xc0) != 0x80)
                return 0;
        return length;
    }
    return 0;
}

// JSON is UTF-8: another byte is shown as a mark.
static void write_text(struct json *json, const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    putc('"', json->out);
    for (size_t length; *byte; byte += length ? length : 1) {
        length = character_length(byte);
        if (length == 0)
            putc('?', json->out);
        else if (*byte == '"' || *byte == '\\')
            fprintf(json->out, "\\%c", *byte);
        else if (*byte < ' ')
            fprintf(json->out, "\\u%04x", *byte);
        else
            fwrite(byte, 1, length, json->out);
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
