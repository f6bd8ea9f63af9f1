/* SPDX-License-Identifier: BSD-3-Clause */
#include "list.h"

#include <stdlib.h>
#include <string.h>

#include "arena.h"

void list_add(struct list *list, const char *word)
{
    list->words = arena_grown(list->words, list->count + 1, sizeof *list->words);
    list->words[list->count++] = word;
    list->words[list->count] = 0;
}

void list_add_all(struct list *list, const struct list *more)
{
    for (size_t i = 0; i < more->count; i++)
        list_add(list, more->words[i]);
}

static void split(struct list *list, const char *text, const char *separators)
{
    for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
        size_t length = strcspn(text, separators);
        list_add(list, arena_text("%.*s", (int)length, text));
        text += length;
    }
}

void list_split(struct list *list, const char *text)
{
    split(list, text, " \t\n");
}

void list_split_at(struct list *list, const char *text, char separator)
{
    split(list, text, (char[]){ separator, 0 });
}

int list_has(const struct list *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->words[i], word) == 0)
            return 1;
    return 0;
}

static int by_bytes(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

void list_sort(struct list *list)
{
    if (list->count > 0)
        qsort(list->words, list->count, sizeof *list->words, by_bytes);
}

const char *list_text(const struct list *list, size_t begin, size_t end)
{
    const char *text = "";
    for (size_t i = begin; i < end && i < list->count; i++)
        text = arena_text("%s%s%s", text, i > begin ? " " : "", list->words[i]);
    return text;
}
