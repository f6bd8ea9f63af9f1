/* SPDX-License-Identifier: BSD-3-Clause */
#include "imports.h"

#include <ctype.h>
#include <string.h>

#include "arena.h"

enum { LONGEST_NAME = 4095 };

static int is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

size_t name_length(const char *at)
{
    size_t length = 0;
    while (!isdigit((unsigned char)*at) && is_of_name(at[length]))
        length++;
    return length;
}

static void add_name(const char *at, size_t length, struct list *names)
{
    const char *name = arena_text("%.*s", (int)length, at);
    if (length > 0 && !list_has(names, name))
        list_add(names, name);
}

/* Adds what stands between quotes, if it may name a file. */
static void add_string(const char *begin, const char *end, struct list *strings)
{
    size_t length = end > begin ? (size_t)(end - begin) : 0;
    if (!strings || length == 0 || length > LONGEST_NAME || memchr(begin, '\n', length))
        return;
    const char *text = arena_text("%.*s", (int)length, begin);
    if ((strchr(text, '/') || strstr(text, ".so")) && !list_has(strings, text))
        list_add(strings, text);
}

/* ---------------------------------------------------------------- Python */

/* Space within a line; a backslash at its end continues it. */
static const char *skip_space(const char *at)
{
    for (;; at++)
        if (*at == '\\' && at[1] == '\n')
            at++;
        else if (*at != ' ' && *at != '\t' && *at != '\r' && *at != '\f')
            return at;
}

/* A string, of one quote or three. One without an end ends with its line. */
static const char *skip_string(const char *at)
{
    const char quotes[] = { *at, *at, *at, 0 };
    if (strncmp(at, quotes, 3) == 0) {
        for (at += 3; *at && strncmp(at, quotes, 3) != 0; at++)
            at += *at == '\\' && at[1];
        return *at ? at + 3 : at;
    }
    for (at++; *at && *at != quotes[0] && *at != '\n'; at++)
        at += *at == '\\' && at[1];
    return *at == quotes[0] ? at + 1 : at;
}

static int is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(at, word, length) == 0;
}

/* Behind `import`: a.b as c, d. */
static const char *add_packages(const char *at, struct list *names)
{
    for (;;) {
        at = skip_space(at);
        add_name(at, name_length(at), names);
        while (*at && *at != ',' && *at != '\n' && *at != ';' && *at != '#')
            at = *at == '\\' && at[1] ? at + 2 : at + 1;
        if (*at != ',')
            return at;
        at++;
    }
}

/* Behind import_module or __import__: ("name"). */
static void add_named(const char *at, struct list *names)
{
    at = skip_space(at);
    if (*at != '(')
        return;
    at = skip_space(at + 1);
    if (*at == '"' || *at == '\'')
        add_name(at + 1, name_length(at + 1), names);
}

/* A statement begins a line, or stands behind ';' or ':', but not within brackets. */
static void add_of_python(const char *at, struct list *names, struct list *strings)
{
    int depth = 0, begins = 1;
    while (*at) {
        size_t length = name_length(at);
        const char *word = at;
        if (length > 0) {
            at += length;
            if (*at == '"' || *at == '\'')
                continue;       /* what stands ahead of a string tells its kind */
            if (begins && is_word(word, length, "import"))
                at = add_packages(at, names);
            else if (begins && is_word(word, length, "from"))
                add_name(skip_space(at), name_length(skip_space(at)), names);
            else if (is_word(word, length, "import_module") || is_word(word, length, "__import__"))
                add_named(at, names);
            begins = 0;
        } else if (*at == '"' || *at == '\'') {
            at = skip_string(at);
            add_string(word + 1, at - 1, strings);
            begins = 0;
        } else if (*at == '#') {
            at += strcspn(at, "\n");
        } else if (*at == '\\' && at[1] == '\n') {
            at += 2;
        } else {
            depth += (strchr("([{", *at) != 0) - (strchr(")]}", *at) != 0 && depth > 0);
            if ((*at == '\n' || *at == ';' || *at == ':') && depth == 0)
                begins = 1;
            else if (*at != ' ' && *at != '\t' && *at != '\r' && *at != '\f')
                begins = 0;
            at++;
        }
    }
}

/* ---------------------------------------------------------------- others */

static void add_of_line(const regex_t *pattern, const char *line, struct list *names, struct list *strings)
{
    regmatch_t match;
    for (const char *begin = line, *end; (begin = strpbrk(begin, "\"'")) && (end = strchr(begin + 1, *begin)); begin = end + 1)
        add_string(begin + 1, end, strings);
    for (int flags = 0; *line && regexec(pattern, line, 1, &match, flags) == 0; flags = REG_NOTBOL) {
        const char *end = line + match.rm_eo;
        for (const char *at = line + match.rm_so; at < end;) {
            size_t length = 0;
            while (at + length < end && is_of_name(at[length]))
                length++;
            add_name(at, length, names);
            at += length + 1;
        }
        line = match.rm_eo > 0 ? end : line + 1;
    }
}

void add_imports(const struct syntax *syntax, const char *text, struct list *names, struct list *strings)
{
    if (syntax->is_python) {
        add_of_python(text, names, strings);
        return;
    }
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        add_of_line(&syntax->pattern, arena_text("%.*s", (int)length, text), names, strings);
    }
}
