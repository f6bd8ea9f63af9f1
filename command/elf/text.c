// SPDX-License-Identifier: BSD-3-Clause
#include "text.h"

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

static bool is_control(unsigned code) { return code < 0x20 || (code >= 0x7f && code <= 0x9f); }

// U+2028 and U+2029 end lines and paragraphs.
static bool turns_direction(unsigned code)
{
    return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

size_t text_character(const char *text, bool *shown)
{
    const unsigned char *byte = (const unsigned char *)text;
    size_t length = character_length(byte);
    unsigned code = length < 2 ? *byte : *byte & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (byte[i] & 0x3f);
    *shown = length > 0 && !is_control(code) && !turns_direction(code);
    return length ? length : 1;
}

void text_make_plain(char *text)
{
    char *out = text;
    for (bool shown; *text;) {
        size_t length = text_character(text, &shown);
        if (shown)
            for (size_t i = 0; i < length; i++)
                *out++ = text[i];
        else
            *out++ = '?';
        text += length;
    }
    *out = 0;
}
