/* SPDX-License-Identifier: BSD-3-Clause */
#include "dialect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "arena.h"

const char *single_dash(const char *word)
{
    word += strncmp(word, "--", 2) == 0 && word[2] != 0 && word[2] != '=';
    return arena_text("%.*s", (int)strcspn(word, "="), word);
}

/* Words that begin with `%` are a variable; of -x=VALUE and -x VALUE the value is what comes last. */
static struct form form_of_words(const char *meaning, const char *text)
{
    struct form form = { .meaning = meaning, .value = "" };
    list_split(&form.words, text);
    if (form.words.count == 0)
        return form;
    const char *first = form.words.words[0], *sign = strchr(first, '=');
    if (*first == '%') {
        form.variable = arena_text("%.*s", (int)(sign - first) - 1, first + 1);
        form.value = sign + 1;
    } else {
        form.option = single_dash(first);
        form.value = sign ? sign + 1 : list_text(&form.words, 1, form.words.count);
    }
    return form;
}

static struct dialect *dialect_to_fill(struct dialects *dialects, const char *name)
{
    const struct dialect *known = dialect_of(dialects, name);
    if (known)
        return dialects->all + (known - dialects->all);
    dialects->all = arena_grown(dialects->all, dialects->count, sizeof *dialects->all);
    dialects->all[dialects->count] = (struct dialect){ .name = name };
    return &dialects->all[dialects->count++];
}

static void add_form(struct dialect *dialect, struct form form)
{
    dialect->forms = arena_grown(dialect->forms, dialect->count, sizeof *dialect->forms);
    dialect->forms[dialect->count++] = form;
}

/* A key may have several lines, which are one list. */
static void add_fact(struct dialect *dialect, const char *key, const char *values)
{
    for (size_t i = 0; i < dialect->keys.count; i++)
        if (strcmp(dialect->keys.words[i], key) == 0) {
            dialect->values.words[i] = arena_text("%s %s", dialect->values.words[i], values);
            return;
        }
    list_add(&dialect->keys, key);
    list_add(&dialect->values, values);
}

static void add_meaning(struct meanings *meanings, const char *key, const char *rest)
{
    if (strcmp(key, "kept") == 0)
        list_split(&meanings->kept, rest);
    else if (strcmp(key, "jobs") == 0)
        list_split(&meanings->jobs, rest);
    else if (strcmp(key, "dispensable") == 0)
        list_split(&meanings->dispensable, rest);
    else if (strcmp(key, "advice") == 0) {
        size_t length = strcspn(rest, " ");
        list_add(&meanings->advised, arena_text("%.*s", (int)length, rest));
        list_add(&meanings->advice, rest + length + (rest[length] == ' '));
    }
}

/* Takes the word at *text, and sets *text behind it. */
static const char *take_word(const char **text)
{
    size_t length = strcspn(*text, " ");
    const char *word = arena_text("%.*s", (int)length, *text);
    *text += length;
    *text += **text == ' ';
    return word;
}

static void take_line(struct dialects *dialects, const char *line)
{
    const char *name = take_word(&line), *key = take_word(&line);
    if (strcmp(name, "any") == 0)
        add_meaning(&dialects->meanings, key, line);
    else if (strcmp(key, "option") == 0) {
        const char *meaning = take_word(&line);
        add_form(dialect_to_fill(dialects, name), form_of_words(meaning, line));
    } else
        add_fact(dialect_to_fill(dialects, name), key, line);
}

/* Gives a variant of a launcher what the table does not say of it, but for the names by which the other one's lines are read. */
static void complete_variant(struct dialect *variant, const struct dialect *other)
{
    for (size_t i = 0; i < other->count; i++)
        add_form(variant, other->forms[i]);
    for (size_t i = 0; i < other->keys.count; i++)
        if (!list_has(&variant->keys, other->keys.words[i]) && strcmp(other->keys.words[i], "commands") != 0)
            add_fact(variant, other->keys.words[i], other->values.words[i]);
}

int is_variant(const struct dialect *dialect)
{
    return *fact_of(dialect, "like") != 0;
}

struct problem *read_dialects(const char *path, struct dialects *dialects)
{
    FILE *file = fopen(path, "re");
    char *line = 0;
    size_t room = 0;
    ssize_t length;
    if (!file)
        return problem_of("%s is missing; install mpi-adapter again", path);
    while ((length = getline(&line, &room, file)) > 0) {
        if (line[length - 1] == '\n')
            line[--length] = 0;
        if (*line && *line != '#')
            take_line(dialects, arena_text("%s", line));
    }
    free(line);
    fclose(file);
    for (size_t i = 0; i < dialects->count; i++)
        if (is_variant(&dialects->all[i]) && dialect_of(dialects, fact_of(&dialects->all[i], "like")))
            complete_variant(&dialects->all[i], dialect_of(dialects, fact_of(&dialects->all[i], "like")));
    return 0;
}

const struct dialect *dialect_of(const struct dialects *dialects, const char *name)
{
    for (size_t i = 0; i < dialects->count; i++)
        if (strcmp(dialects->all[i].name, name) == 0)
            return &dialects->all[i];
    return 0;
}

const char *fact_of(const struct dialect *dialect, const char *key)
{
    for (size_t i = 0; i < dialect->keys.count; i++)
        if (strcmp(dialect->keys.words[i], key) == 0)
            return dialect->values.words[i];
    return "";
}

int fact_is(const struct dialect *dialect, const char *key, const char *value)
{
    return strcmp(fact_of(dialect, key), value) == 0;
}

const struct form *form_of(const struct dialect *dialect, const char *meaning)
{
    struct list lacks = { 0 };
    list_split(&lacks, fact_of(dialect, "lacks"));
    if (list_has(&lacks, meaning))
        return 0;
    for (size_t i = 0; i < dialect->count; i++)
        if (strcmp(dialect->forms[i].meaning, meaning) == 0)
            return &dialect->forms[i];
    return 0;
}

int has_option(const struct dialect *dialect, const char *option)
{
    for (size_t i = 0; i < dialect->count; i++)
        if (dialect->forms[i].option && strcmp(dialect->forms[i].option, option) == 0)
            return 1;
    return 0;
}

int joins_values(const struct dialect *dialect, const char *word)
{
    const char *option = single_dash(word);
    for (size_t i = 0; i < dialect->count; i++)
        if (dialect->forms[i].option && strcmp(dialect->forms[i].option, option) == 0 && dialect->forms[i].value[0] == ':')
            return 1;
    return 0;
}

/* Options without a meaning: -option, or -option=N if N words follow. Returns N, or -1 if this is none of them. */
static int words_behind_unknown(const struct dialect *dialect, const char *option)
{
    struct list values = { 0 };
    list_split(&values, fact_of(dialect, "values"));
    for (size_t i = 0; i < values.count; i++) {
        const char *sign = strchr(values.words[i], '=');
        if (strcmp(single_dash(values.words[i]), option) == 0)
            return sign ? atoi(sign + 1) : 1;
    }
    return -1;
}

int knows_option(const struct dialect *dialect, const char *option)
{
    return has_option(dialect, option) || words_behind_unknown(dialect, option) >= 0;
}

int words_behind(const struct dialect *dialect, const char *word)
{
    const char *option = single_dash(word);
    int count = 0;
    if (strchr(word, '='))
        return 0;
    for (size_t i = 0; i < dialect->count; i++) {
        const struct form *form = &dialect->forms[i];
        if (form->option && strcmp(form->option, option) == 0 && *form->value)
            count = strcmp(form->value, "NAME VALUE") == 0 ? 2 : count ? count : 1;
    }
    if (has_option(dialect, option))
        return count;
    count = words_behind_unknown(dialect, option);
    return count > 0 ? count : 0;
}

int has_form(const char *form, const char *value, const char **rest)
{
    const char *place = strstr(form, "VALUE");
    size_t before = place ? (size_t)(place - form) : 0, after = place ? strlen(place + 5) : 0, length = strlen(value);
    *rest = "";
    if (!place)
        return strcasecmp(form, value) == 0;
    *rest = value;
    if (strcmp(form, "NAME VALUE") == 0)
        return 1;
    if (length <= before + after || strncmp(form, value, before) != 0 || strcmp(place + 5, value + length - after) != 0)
        return 0;
    *rest = arena_text("%.*s", (int)(length - before - after), value + before);
    return 1;
}
