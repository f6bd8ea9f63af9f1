/* SPDX-License-Identifier: BSD-3-Clause */
#include "line.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena.h"
#include "file.h"

enum { DEEPEST = 8 };       /* files of programs that name files of programs */

extern char **environ;

void add_item(struct items *items, const char *meaning, const char *value, const char *text)
{
    items->all = arena_grown(items->all, items->count, sizeof *items->all);
    items->all[items->count++] = (struct item){ meaning, value, text };
}

static const char *value_in(const char *meaning, const struct items *items)
{
    size_t length = strlen(meaning);
    for (size_t i = 0; i < items->count; i++) {
        const struct item *item = &items->all[i];
        if (strncmp(item->meaning, meaning, length) == 0 && (item->meaning[length] == 0 || item->meaning[length] == ':'))
            return item->meaning[length] ? item->meaning + length + 1 : item->value;
    }
    return 0;
}

const char *value_said(const char *meaning, const struct items *first, const struct items *second)
{
    const char *value = value_in(meaning, first);
    return value ? value : value_in(meaning, second);
}

const char *value_of_line(const struct line *line, const char *meaning)
{
    const char *value = value_in(meaning, &line->items);
    for (size_t i = 0; i < line->count && !value; i++)
        value = value_in(meaning, &line->parts[i].items);
    return value;
}

int is_said(const struct line *line, const char *meaning)
{
    return value_of_line(line, arena_text("%.*s", (int)strcspn(meaning, ":"), meaning)) != 0;
}

int gives_value(const struct items *items, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < items->count; i++) {
        const struct item *item = &items->all[i];
        if ((strcmp(item->meaning, "variable") == 0 || strcmp(item->meaning, "shared_variable") == 0) &&
            strncmp(item->value, name, length) == 0 && item->value[length] == '=')
            return 1;
    }
    return 0;
}

int has_meaning(const struct list *meanings, const char *meaning)
{
    return list_has(meanings, arena_text("%.*s", (int)strcspn(meaning, ":"), meaning));
}

int is_number(const char *text)
{
    size_t length = strspn(text, "0123456789");
    return length >= 1 && length <= 9 && text[length] == 0 && *text != '0';
}

struct problem *refuse_option(const struct line *line, const char *text, const char *launcher, const char *advice)
{
    return problem_of("the option '%s', of a line for %s, has no counterpart in %s; %s", text, line->dialect->name,
                      launcher ? launcher : "the launcher of the host", advice ? advice : "leave it out, or name it in --ignore-options");
}

/* ---------------------------------------------------------------- options */

static int is_ignored(const struct line *line, const char *option)
{
    return list_has(&line->ignored, option + strspn(option, "-"));
}

/* Adds the item of the first form of the option that the value has. */
static int find_form(const struct dialect *dialect, const char *option, const char *value, const char *text, struct items *items)
{
    for (size_t i = 0; i < dialect->count; i++) {
        const struct form *form = &dialect->forms[i];
        const char *rest;
        if (form->option && strcmp(form->option, option) == 0 && has_form(form->value, value, &rest)) {
            add_item(items, form->meaning, rest, text);
            return 1;
        }
    }
    return 0;
}

/* A value may be several with ':' between: socket:PE=2. */
static int find_value(const struct dialect *dialect, const char *option, const char *value, const char *text, struct items *items)
{
    const char *colon;
    while (!find_form(dialect, option, value, text, items)) {
        colon = strrchr(value, ':');
        if (!colon || !find_form(dialect, option, colon, text, items))
            return 0;
        value = arena_text("%.*s", (int)(colon - value), value);
        if (!*value)
            return 1;
    }
    return 1;
}

/* Returns whether the word is an option of one letter with its value behind it: -n4. */
static int holds_value(const struct dialect *dialect, const char *word)
{
    return !has_option(dialect, single_dash(word)) && isalpha((unsigned char)word[1]) && word[2] && !strchr("-=", word[2]) &&
        has_option(dialect, arena_text("%.2s", word));
}

/* Takes the option at *at, and sets *at behind it. */
static struct problem *take_option(struct line *line, size_t *at, struct items *items)
{
    const struct dialect *dialect = line->dialect;
    const char *word = line->words.words[*at], *option = single_dash(word), *value = "";
    size_t behind = (size_t)words_behind(dialect, word), begin = *at;
    if (is_ignored(line, option)) {
        list_add(&line->notes, arena_text("the option %s is left out, as --ignore-options names it", word));
        *at += 1 + behind;
        return 0;
    }
    if (holds_value(dialect, word)) {
        option = arena_text("%.2s", word);
        value = word + 2;
        behind = 0;
    } else if (has_option(dialect, option)) {
        if (begin + behind >= line->words.count)
            return usage_problem_of("%s needs a value", word);
        value = strchr(word, '=') ? strchr(word, '=') + 1 : behind > 0 ? line->words.words[begin + 1] : "";
        if (behind == 2)
            value = arena_text("%s=%s", value, line->words.words[begin + 2]);
    }
    *at += 1 + behind;
    const char *text = list_text(&line->words, begin, *at);
    if (!has_option(dialect, option) || !find_value(dialect, option, value, text, items))
        return refuse_option(line, text, 0, 0);
    return 0;
}

static const char *option_of(const struct item *item)
{
    return single_dash(arena_text("%.*s", (int)strcspn(item->text, " "), item->text));
}

/* Returns whether a later item of the same program takes the place of an earlier one: its option does, or its meaning. */
static int is_replaced(const struct dialect *dialect, const struct item *item, const struct item *later)
{
    struct list last = { 0 };
    list_split(&last, fact_of(dialect, "last"));
    if (item->text == later->text || last.count == 0)
        return 0;
    if (joins_values(dialect, option_of(item)) && strcmp(option_of(item), option_of(later)) == 0)
        return 1;
    size_t length = strcspn(item->meaning, ":");
    return has_meaning(&last, item->meaning) && strncmp(item->meaning, later->meaning, length) == 0 && strchr(":", later->meaning[length]);
}

/* Leaves of options that are given again what the launcher heeds. */
static void settle_repeated(const struct dialect *dialect, struct items *items)
{
    struct list together = { 0 };
    size_t kept = 0;
    list_split(&together, fact_of(dialect, "together"));
    for (size_t i = 0; i < items->count; i++) {
        struct item item = items->all[i];
        int is_kept = 1;
        for (size_t j = i + 1; j < items->count; j++)
            is_kept &= !is_replaced(dialect, &item, &items->all[j]);
        for (size_t j = 0; j < kept && list_has(&together, item.meaning); j++)
            if (strcmp(items->all[j].meaning, item.meaning) == 0) {
                items->all[j].value = arena_text("%s,%s", items->all[j].value, item.value);
                is_kept = 0;
            }
        if (is_kept)
            items->all[kept++] = item;
    }
    items->count = kept;
}

/* Options that hold for one program stay with it. */
static void share_out(struct line *line, struct part *part, const struct items *items)
{
    struct list own = { 0 };
    list_split(&own, fact_of(line->dialect, "programs"));
    for (size_t i = 0; i < items->count; i++) {
        const struct item *item = &items->all[i];
        int is_own = list_has(&own, "all") || has_meaning(&own, item->meaning);
        add_item(is_own ? &part->items : &line->items, item->meaning, item->value, item->text);
    }
}

static struct problem *parse_part(struct line *line, size_t at, size_t end)
{
    struct items items = { 0 };
    struct part part = { .end = end };
    while (at < end && line->words.words[at][0] == '-' && line->words.words[at][1]) {
        if (strcmp(line->words.words[at], "--") == 0) {
            at++;
            break;
        }
        HAND_ON(take_option(line, &at, &items));
    }
    part.begin = at;
    settle_repeated(line->dialect, &items);
    share_out(line, &part, &items);
    line->parts = arena_grown(line->parts, line->count, sizeof *line->parts);
    line->parts[line->count++] = part;
    return 0;
}

/* Puts the programs of a file, a line each, behind the launcher. */
static struct problem *take_file(struct line *line, const char *path)
{
    struct list lines = { 0 }, words = { 0 };
    HAND_ON(read_lines(path, "give a file of programs, a line each", &lines));
    for (size_t i = 0; i <= line->launcher_at; i++)
        list_add(&words, line->words.words[i]);
    size_t first = words.count;
    for (size_t i = 0; i < lines.count; i++) {
        const char *text = lines.words[i] + strspn(lines.words[i], " \t\r");
        if (*text == 0 || *text == '#')
            continue;
        if (strpbrk(text, "\"'\\$"))
            return problem_of("%s has quotes or variables; write the programs into the line, with : between", path);
        if (words.count > first && strcmp(words.words[words.count - 1], ":") != 0)
            list_add(&words, ":");
        list_split(&words, text);
        if (strcmp(words.words[words.count - 1], ":") == 0)
            words.count--;
    }
    if (words.count == first)
        return problem_of("%s names no program; give a file of programs, a line each", path);
    line->words = words;
    return 0;
}

/* Returns where the words behind the launcher's command begin. */
static size_t first_word(const struct line *line)
{
    struct list inner = { 0 };
    size_t from = line->launcher_at + 1;
    list_split(&inner, fact_of(line->dialect, "inner"));
    while (from < line->words.count && list_has(&inner, line->words.words[from]))
        from++;
    return from;
}

int knows_options(const struct line *line)
{
    int is_ahead = 1;       /* of a program */
    for (size_t i = first_word(line); i < line->words.count; i++) {
        const char *word = line->words.words[i];
        if (strcmp(word, ":") == 0) {
            is_ahead = 1;
            continue;
        }
        is_ahead = is_ahead && word[0] == '-' && word[1] && strcmp(word, "--") != 0;
        if (!is_ahead || (holds_value(line->dialect, word) && isdigit((unsigned char)word[2])))
            continue;
        if (!knows_option(line->dialect, single_dash(word)))
            return 0;
        i += (size_t)words_behind(line->dialect, word);
    }
    return 1;
}

static struct problem *parse_words(struct line *line)
{
    size_t from = first_word(line);
    line->items = (struct items){ 0 };
    line->parts = 0;
    line->count = 0;
    for (size_t to = from; to <= line->words.count; to++)
        if (to == line->words.count || strcmp(line->words.words[to], ":") == 0) {
            HAND_ON(parse_part(line, from, to));
            from = to + 1;
        }
    return 0;
}

struct problem *parse_line(struct line *line)
{
    for (int depth = 0; depth < DEEPEST; depth++) {
        const char *file = 0;
        HAND_ON(parse_words(line));
        for (size_t i = 0; i < line->count && !file; i++)
            file = value_in("file", &line->parts[i].items);
        file = file ? file : value_in("file", &line->items);
        if (!file)
            return 0;
        HAND_ON(take_file(line, file));
    }
    return problem_of("'%s' names files of programs that name each other; write the programs into the line, with : between",
                      list_text(&line->words, 0, line->words.count));
}

/* ---------------------------------------------------------------- variables */

/* Adds the items that variables of the launcher's own stand for. */
static void find_variables(const struct dialect *dialect, struct items *items)
{
    for (size_t i = 0; i < dialect->count; i++) {
        const struct form *form = &dialect->forms[i];
        const char *value = form->variable ? getenv(form->variable) : 0, *rest;
        if (value && *value && has_form(form->value, value, &rest))
            add_item(items, form->meaning, rest, form->variable);
    }
}

void find_idle_variables(const struct dialect *dialect, struct list *names)
{
    struct items items = { 0 };
    struct list patterns = { 0 }, heeded = { 0 };
    find_variables(dialect, &items);
    for (size_t i = 0; i < items.count; i++)
        list_add(&heeded, items.all[i].text);
    list_split(&heeded, fact_of(dialect, "bind_variables"));
    list_split(&patterns, fact_of(dialect, "settings"));
    for (char **variable = environ; *variable; variable++) {
        const char *name = arena_text("%.*s", (int)strcspn(*variable, "="), *variable);
        for (size_t i = 0; i < patterns.count; i++)
            if (fnmatch(patterns.words[i], name, 0) == 0 && !list_has(&heeded, name) && !list_has(names, name))
                list_add(names, name);
    }
    list_sort(names);
}

void parse_environment(struct line *line, const struct dialect *host)
{
    struct items items = { 0 };
    struct list idle = { 0 };
    find_variables(line->dialect, &items);
    for (size_t i = 0; i < items.count; i++) {
        const struct item *item = &items.all[i];
        if (is_said(line, item->meaning) || (strcmp(item->meaning, "hostfile") == 0 && is_said(line, "hosts")))
            continue;
        if (form_of(host, item->meaning))
            add_item(&line->items, item->meaning, item->value, item->text);
        else
            list_add(&line->without_effect, item->text);
    }
    find_idle_variables(line->dialect, &idle);
    list_add_all(&line->without_effect, &idle);
}
