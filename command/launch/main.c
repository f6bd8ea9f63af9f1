/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes launch lines for the command, until this is part of it.
 *
 *     launch TABLE dialects          answers `dialect`, each launcher whose lines can be read
 *     launch TABLE shown             answers `dialect`, each launcher of the name in the line that has the line's options
 *     launch TABLE idle LAUNCHER     answers `name`, each variable that sets up its MPI alone
 *     launch TABLE programs LAUNCHER answers `word`, each of the line, and for each program `begin` and `end`, the numbers of its words,
 *                                    and `folder`, if the line gives it one; `told`, NAME=VALUE of what its ranks are told to search
 *     launch TABLE write LAUNCHER    answers `word`, each of the line for the host's launcher; `list`, a file with this text, stands for
 *                                    a word; `variable`, for the launcher's environment
 *
 * LAUNCHER is the kind that the line was written for. Pairs of keys and values on the standard input tell the rest: `word`, the line;
 * `launcher_at`; `ignored`, options to leave out, with commas between; `cores`, if not as many as there are. To write, also `host` and
 * `path`, its launcher; `own`, NAME=VALUE for each variable that is the user's and not in this program's environment; and for each
 * program `part`, then `setting` and `command`. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "line.h"
#include "place.h"
#include "settle.h"
#include "words.h"
#include "write.h"

extern char **environ;

struct request {
    struct line line;
    struct host_launcher host;
    struct list variables;          /* NAME=VALUE */
    struct part *parts;             /* what the command found out of each */
    size_t count;
};

/* Options are named with or without dashes. */
static void ignore(struct line *line, const char *list)
{
    struct list names = { 0 };
    list_split_at(&names, list, ',');
    for (size_t i = 0; i < names.count; i++)
        list_add(&line->ignored, names.words[i] + strspn(names.words[i], "- "));
}

static void take(struct request *request, const char *key, const char *value)
{
    struct part *part = request->count > 0 ? &request->parts[request->count - 1] : 0;
    if (strcmp(key, "word") == 0)
        list_add(&request->line.words, value);
    else if (strcmp(key, "launcher_at") == 0)
        request->line.launcher_at = strtoul(value, 0, 10);
    else if (strcmp(key, "ignored") == 0)
        ignore(&request->line, value);
    else if (strcmp(key, "host") == 0)
        request->host.dialect = dialect_of(request->line.dialects, value);
    else if (strcmp(key, "path") == 0)
        request->host.path = value;
    else if (strcmp(key, "cores") == 0)
        request->line.cores = atoi(value);
    else if (strcmp(key, "own") == 0)
        list_add(&request->variables, value);
    else if (strcmp(key, "part") == 0) {
        request->parts = arena_grown(request->parts, request->count, sizeof *request->parts);
        request->parts[request->count++] = (struct part){ 0 };
    } else if (strcmp(key, "setting") == 0 && part)
        list_add(&part->settings, value);
    else if (strcmp(key, "command") == 0 && part)
        list_add(&part->command, value);
}

static void read_request(struct request *request)
{
    char *key, *value;
    while ((key = next_word()) && (value = next_word())) {
        take(request, key, arena_text("%s", value));
        free(key);
        free(value);
    }
}

static void answer_all(const char *key, const struct list *list)
{
    for (size_t i = 0; i < list->count; i++)
        answer(key, "%s", list->words[i]);
}

/* The variables among these items by which the dynamic linker searches. */
static void answer_told(const struct items *items)
{
    for (size_t i = 0; i < items->count; i++) {
        const struct item *item = &items->all[i];
        struct list words = { 0 };
        if (strcmp(item->meaning, "variables") == 0)
            list_split_at(&words, item->value, ',');
        else if (strcmp(item->meaning, "variable") == 0 || strcmp(item->meaning, "shared_variable") == 0)
            list_add(&words, item->value);
        for (size_t j = 0; j < words.count; j++)
            if (strncmp(words.words[j], "LD_LIBRARY_PATH=", 16) == 0 || strncmp(words.words[j], "LD_PRELOAD=", 11) == 0)
                answer("told", "%s", words.words[j]);
    }
}

static struct problem *find_programs(struct line *line)
{
    HAND_ON(parse_line(line));
    answer_all("note", &line->notes);
    answer_all("word", &line->words);
    for (size_t i = 0; i < line->count; i++) {
        const struct part *part = &line->parts[i];
        const char *folder = value_said("folder", &part->items, &line->items);
        answer("begin", "%zu", part->begin);
        answer("end", "%zu", part->end);
        answer("folder", "%s", folder ? folder : "");
        answer_told(&line->items);
        answer_told(&part->items);
    }
    return 0;
}

/* Names of the user's variables, as shells have them. */
static void find_names(const struct list *variables, struct list *names)
{
    for (size_t i = 0; i < variables->count; i++) {
        const char *variable = variables->words[i];
        size_t length = strspn(variable, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
        const char *name = arena_text("%.*s", (int)length, variable);
        if (variable[length] == '=' && !list_has(names, name))
            list_add(names, name);
    }
    list_sort(names);
}

static struct problem *write_one(struct request *request)
{
    struct line *line = &request->line;
    struct placement placement = { 0 };
    struct written written = { 0 };
    struct list names = { 0 };
    HAND_ON(parse_line(line));
    line->notes = (struct list){ 0 };   /* said when the line was read */
    if (!request->host.dialect || !request->host.path || request->count != line->count)
        return problem_of("the launch line was not handed over; report this fault");
    for (size_t i = 0; i < line->count; i++) {
        line->parts[i].command = request->parts[i].command;
        line->parts[i].settings = request->parts[i].settings;
    }
    for (char **variable = environ; *variable; variable++)
        list_add(&request->variables, *variable);
    find_names(&request->variables, &names);
    parse_environment(line, request->host.dialect);
    HAND_ON(settle_line(line, &request->host, &names, &placement));
    HAND_ON(write_line(line, &request->host, &request->variables, &written));
    answer_all("note", &line->notes);
    answer_all("variable", &written.variables);
    for (size_t i = 0; i < written.words.count; i++) {
        const char *text = written.words.words[i];
        for (size_t j = 0; j < placement.lists.count; j++)
            if (written.words.words[i] == placement.list_names.words[j])
                text = 0, answer("list", "%s", placement.lists.words[j]);
        if (text)
            answer("word", "%s", text);
    }
    for (size_t i = 0; i < line->without_effect.count; i++)
        answer("idle", "%s", line->without_effect.words[i]);
    return 0;
}

/* Launchers of several MPIs are called mpiexec. */
static struct problem *show_dialects(struct line *line)
{
    if (line->launcher_at >= line->words.count)
        return problem_of("the launch line was not handed over; report this fault");
    const char *path = line->words.words[line->launcher_at], *slash = strrchr(path, '/');
    for (size_t i = 0; i < line->dialects->count; i++) {
        struct list names = { 0 };
        line->dialect = &line->dialects->all[i];
        list_split(&names, fact_of(line->dialect, "commands"));
        for (size_t j = 0; j < names.count; j++)
            if (fnmatch(names.words[j], slash ? slash + 1 : path, 0) == 0) {
                if (knows_options(line))
                    answer("dialect", "%s", line->dialect->name);
                break;
            }
    }
    return 0;
}

static struct problem *act(const char *verb, const char *name, struct request *request)
{
    const struct dialects *dialects = request->line.dialects;
    struct list names = { 0 };
    if (strcmp(verb, "dialects") == 0) {
        for (size_t i = 0; i < dialects->count; i++)
            if (*fact_of(&dialects->all[i], "ranks") && !is_variant(&dialects->all[i]))
                answer("dialect", "%s", dialects->all[i].name);
        return 0;
    }
    if (strcmp(verb, "shown") == 0) {
        read_request(request);
        return show_dialects(&request->line);
    }
    request->line.dialect = dialect_of(dialects, name);
    if (!request->line.dialect)
        return problem_of("the options of %s are not known; report this fault", name);
    if (strcmp(verb, "idle") == 0) {
        find_idle_variables(request->line.dialect, &names);
        answer_all("name", &names);
        return 0;
    }
    read_request(request);
    return strcmp(verb, "programs") == 0 ? find_programs(&request->line) : write_one(request);
}

int main(int argc, char **argv)
{
    struct dialects dialects = { 0 };
    struct request request = { .line.dialects = &dialects, .line.cores = count_cores() };
    if (argc < 3) {
        fputs("usage: launch TABLE VERB [LAUNCHER]\n", stderr);
        return 2;
    }
    struct problem *problem = read_dialects(argv[1], &dialects);
    problem = problem ? problem : act(argv[2], argc > 3 ? argv[3] : "", &request);
    if (problem)
        answer(problem->is_usage ? "usage" : "problem", "%s", problem->text);
    return fflush(stdout) == 0 && !problem ? 0 : 1;
}
