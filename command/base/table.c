/* SPDX-License-Identifier: BSD-3-Clause */
#include "table.h"

#include <string.h>

#include "arena.h"
#include "file.h"
#include "texts.h"

static const char WHITE[] = " \t";

static const char **place_of(const struct facts *facts, const char *key)
{
    for (size_t i = 0; i < facts->keys.count; i++)
        if (is_same(facts->keys.words[i], key))
            return &facts->values.words[i];
    return 0;
}

const char *fact(const struct facts *facts, const char *key)
{
    const char **place = place_of(facts, key);
    return place ? *place : "";
}

int has_fact(const struct facts *facts, const char *key)
{
    return place_of(facts, key) != 0;
}

void set_fact(struct facts *facts, const char *key, const char *value)
{
    const char **place = place_of(facts, key);
    if (place)
        *place = value;
    else {
        list_add(&facts->keys, key);
        list_add(&facts->values, value);
    }
}

static struct facts *row_of(const struct table *table, const char *name)
{
    for (size_t i = 0; i < table->names.count; i++)
        if (is_same(table->names.words[i], name))
            return &table->rows[i];
    return 0;
}

static struct facts *row_to_fill(struct table *table, const char *name)
{
    struct facts *row = row_of(table, name);
    if (row)
        return row;
    table->rows = arena_grown(table->rows, table->names.count, sizeof *table->rows);
    row = &table->rows[table->names.count];
    *row = (struct facts){ 0 };
    list_add(&table->names, name);
    return row;
}

struct problem *read_rows(const char *path, struct list *rows)
{
    struct list lines = { 0 };
    if (!is_readable(path))
        return problem_of("%s is missing; install mpi-adapter again", path);
    HAND_ON(read_lines(path, "install mpi-adapter again", &lines));
    for (size_t i = 0; i < lines.count; i++) {
        const char *line = lines.words[i] + strspn(lines.words[i], WHITE);
        if (*line && *line != '#')
            list_add(rows, line);
    }
    return 0;
}

static const char *take_word(const char **text)
{
    size_t length = strcspn(*text, WHITE);
    const char *word = arena_text("%.*s", (int)length, *text);
    *text += length;
    *text += strspn(*text, WHITE);
    return word;
}

struct problem *read_table(const char *path, struct table *table)
{
    struct list rows = { 0 };
    HAND_ON(read_rows(path, &rows));
    for (size_t i = 0; i < rows.count; i++) {
        const char *rest = rows.words[i];
        struct facts *row = row_to_fill(table, take_word(&rest));
        const char *key = take_word(&rest);
        set_fact(row, key, has_fact(row, key) ? arena_text("%s %s", fact(row, key), rest) : rest);
    }
    return 0;
}

const char *said_of(const struct table *table, const char *name, const char *key)
{
    const struct facts *row = row_of(table, name);
    return row ? fact(row, key) : "";
}

struct list words_said_of(const struct table *table, const char *name, const char *key)
{
    return words_of(said_of(table, name, key));
}

const char *said_of_all(const struct table *table, const char *key)
{
    struct list texts = { 0 };
    for (size_t i = 0; i < table->names.count; i++)
        list_add(&texts, said_of(table, table->names.words[i], key));
    return list_joined(&texts, " ");
}
