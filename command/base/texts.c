/* SPDX-License-Identifier: BSD-3-Clause */
#include "texts.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>

#include "../elf/text.h"
#include "arena.h"

int is_same(const char *text, const char *other)
{
    return strcmp(text, other) == 0;
}

int begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

int ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

int has_text(const char *text, const char *part)
{
    return strstr(text, part) != 0;
}

int is_like(const char *text, const char *pattern)
{
    return fnmatch(pattern, text, 0) == 0;
}

int has_word(const char *words, const char *word)
{
    static const char white[] = " \t\n";
    size_t length = strlen(word);
    if (length == 0 || strpbrk(word, white))
        return 0;
    for (words += strspn(words, white); *words; words += strspn(words, white)) {
        size_t size = strcspn(words, white);
        if (size == length && memcmp(words, word, size) == 0)
            return 1;
        words += size;
    }
    return 0;
}

struct list words_of(const char *text)
{
    struct list list = { 0 };
    list_split(&list, text);
    return list;
}

struct list parts_of(const char *text)
{
    struct list list = { 0 };
    list_split_at(&list, text, ':');
    return list;
}

struct list comma_parts_of(const char *text)
{
    struct list list = { 0 };
    list_split_at(&list, text, ',');
    return list;
}

void list_add_once(struct list *list, const char *word)
{
    if (!list_has(list, word))
        list_add(list, word);
}

const char *list_joined(const struct list *list, const char *separator)
{
    size_t size = 1;
    for (size_t i = 0; i < list->count; i++)
        size += strlen(list->words[i]) + strlen(separator);
    char *text = arena_memory(size), *end = text;
    for (size_t i = 0; i < list->count; i++)
        end = stpcpy(stpcpy(end, i > 0 ? separator : ""), list->words[i]);
    return text;
}

const char *joined(const char *last, const struct list *list)
{
    const char *text = list->count > 0 ? list->words[0] : "";
    for (size_t i = 1; i < list->count; i++)
        text = arena_text("%s%s%s", text, i + 1 < list->count ? ", " : last, list->words[i]);
    return text;
}

const char *up_to(const char *text, char end)
{
    const char *place = strchr(text, end);
    return place ? arena_text("%.*s", (int)(place - text), text) : text;
}

const char *up_to_last(const char *text, char end)
{
    const char *place = strrchr(text, end);
    return place ? arena_text("%.*s", (int)(place - text), text) : text;
}

const char *behind(const char *text, char sign)
{
    const char *place = strchr(text, sign);
    return place ? place + 1 : text;
}

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *in_small_letters(const char *text)
{
    char *small = arena_text("%s", text);
    for (char *letter = small; *letter; letter++)
        *letter = (char)tolower((unsigned char)*letter);
    return small;
}

int is_digits(const char *text, int most)
{
    size_t length = strspn(text, "0123456789");
    return length > 0 && length <= (size_t)most && text[length] == 0;
}

int is_variable_name(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return 0;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_')
            return 0;
    return 1;
}

int is_plain_word(const char *text)
{
    for (const char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("_.+-", *at))
            return 0;
    return *text != 0;
}

const char *with_entry(const char *list, const char *entry)
{
    return arena_text("%s%s%s", list, *list && *entry ? ":" : "", entry);
}

int has_entry(const char *list, const char *entry)
{
    struct list parts = parts_of(list);
    return list_has(&parts, entry);
}

const char *prepended(const char *entry, const char *list)
{
    if (*list == 0)
        return entry;
    if (is_same(list, entry) || begins_with(list, arena_text("%s:", entry)))
        return list;
    return arena_text("%s:%s", entry, list);
}

const char *quoted(const char *text)
{
    char *word = arena_memory(4 * strlen(text) + 3), *end = word;
    *end++ = '\'';
    for (; *text; text++)
        if (*text == '\'')
            end = stpcpy(end, "'\\''");
        else
            *end++ = *text;
    *end = '\'';
    return word;
}

/* $'...' with escapes: what bash calls its ANSI-C quoting. */
static const char *escaped(const char *text)
{
    char *word = arena_memory(4 * strlen(text) + 4), *end = stpcpy(word, "$'");
    for (; *text; text++) {
        static const char letters[] = "\a\b\033\f\n\r\t\v", names[] = "abEfnrtv";
        const char *letter = strchr(letters, *text);
        unsigned char byte = (unsigned char)*text;
        if (letter)
            *end++ = '\\', *end++ = names[letter - letters];
        else if (byte < ' ' || byte > '~')
            *end++ = '\\', *end++ = (char)('0' + (byte >> 6)), *end++ = (char)('0' + (byte >> 3 & 7)), *end++ = (char)('0' + (byte & 7));
        else if (*text == '\'' || *text == '\\')
            *end++ = '\\', *end++ = *text;
        else
            *end++ = *text;
    }
    *end = '\'';
    return word;
}

int has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            return 1;
    return 0;
}

static int is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text > 126)
            return 0;
    return 1;
}

const char *shell_word(const char *text)
{
    if (*text == 0)
        return "''";
    if (has_control(text) || !is_ascii(text))
        return is_same(plain(text), text) ? quoted(text) : escaped(text);
    char *word = arena_memory(2 * strlen(text) + 1), *end = word;
    for (const char *letter = text; *letter; letter++) {
        if (strchr(" '\"\\|&;()<>!{}*[]?^$`", *letter) || (*letter == ',') || (letter == text && strchr("#~", *letter)) ||
            (*letter == '~' && letter > text && strchr(":=", letter[-1])))
            *end++ = '\\';
        *end++ = *letter;
    }
    return word;
}

const char *plain(const char *text)
{
    char *shown = arena_text("%s", text);
    text_make_plain(shown);
    return shown;
}
