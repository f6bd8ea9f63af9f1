/* SPDX-License-Identifier: BSD-3-Clause */
/* How a launch line tells ranks their environment, and how it is started. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../site/setting.h"
#include "arena.h"
#include "file.h"
#include "json.h"
#include "texts.h"
#include "verbs.h"

extern char **environ;

static const char *replaced(const char *word, const char *name, const char *value)
{
    const char *place = strstr(word, name);
    return place ? arena_text("%.*s%s%s", (int)(place - word), word, value, place + strlen(name)) : word;
}

void append_settings(struct list *arguments, const char *pattern, const struct facts *environment)
{
    struct list words = words_of(pattern);
    for (size_t i = 0; i < environment->keys.count; i++)
        for (size_t j = 0; j < words.count; j++) {
            const char *word = words.words[j], *place = strstr(word, "VALUE");
            /* The value first: a variable's name may have that word in it. */
            if (place)
                word = arena_text("%s%s%s", replaced(arena_text("%.*s", (int)(place - word), word), "NAME", environment->keys.words[i]),
                                  environment->values.words[i], place + strlen("VALUE"));
            else
                word = replaced(word, "NAME", environment->keys.words[i]);
            list_add(arguments, word);
        }
}

/* The launchers whose variables the program looks for, with commas between; or "". */
static const char *told_launchers(const struct job *job, const struct program *program, const struct choice *choice)
{
    if (!choice->pair || choice->is_native || is_shared(job->site, program->abi))
        return "";
    struct list told = words_said_of(&job->site->implementations, of_family(job->site, program->abi, "implementations"), "told");
    return list_joined(&told, ",");
}

struct problem *append_starter(const struct job *job, const struct program *program, const struct choice *choice, int with_settings,
                               struct list *arguments)
{
    const char *told = told_launchers(job, program, choice), *kind = choice->host.launcher_kind;
    const char *file = arena_text("%s/start-rank", job->site->home);
    const char *of_pair = choice->pair && choice->pair->folder ? arena_text("%s/start-rank", choice->pair->folder) : "";
    if (*told == 0 && !(with_settings && choice->environment.keys.count > 0))
        return 0;
    if (*of_pair && is_startable(of_pair))
        file = of_pair;
    if (!is_startable(file))
        return problem_of("%s is missing; install mpi-adapter again", file);
    list_add(arguments, file);
    list_add(arguments, *told ? told : "-");
    list_add(arguments, *kind ? kind : "-");
    if (with_settings)
        append_settings(arguments, "NAME=VALUE", &choice->environment);
    list_add(arguments, "--");
    return 0;
}

struct problem *cannot_be_started(const char *word)
{
    if (strchr(word, '/'))
        return problem_of("%s is missing or not executable; correct its name", word);
    return problem_of("%s is not in PATH; correct its name, or PATH", word);
}

void tell_root(struct job *job, const struct list *line, const char *launcher, const char *kind)
{
    struct list words = words_of(of_launcher(job->site, kind, "root")), missing = { 0 };
    if (geteuid() != 0)
        return;
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.words[i];
        if (*word == '-' ? list_has(line, word) : 0)
            return;
        if (*word != '-' && !is_same(variable(up_to(word, '=')), behind(word, '=')))
            list_add(&missing, word);
    }
    if (missing.count > 0)
        say(&job->messages, "%s does not run as root; run as another user, or set %s", launcher, list_joined(&missing, " and "));
}

/* Has the words start the launcher by its name, where PATH leads to it by that and nobody gave a path: one that is started by a path may put
 * its own folders ahead in the PATH and LD_LIBRARY_PATH of ranks. */
static void name_launcher(const struct job *job, const char *launcher, struct list *words)
{
    const char *name = base_name(launcher), *found = find_in_path(name);
    if (strchr(wanted_launcher(job), '/') || !strchr(launcher, '/') || !found || !is_startable(found) || !is_same_file(found, launcher))
        return;
    for (size_t i = 0; i < words->count; i++)
        if (is_same(words->words[i], launcher)) {
            words->words[i] = name;
            return;
        }
}

/* A rank that starts a job of its own tells the launcher nothing of the job that it is in: that one would take itself for a part of it. */
static void forget_job(const struct job *job)
{
    struct list patterns = words_of(of_launcher(job->site, job->launcher_kind, "private")), names = { 0 };
    const char *told = of_launcher(job->site, job->launcher_kind, "told");
    if (*told == 0 || *variable(told) == 0)
        return;
    for (char **entry = environ; *entry; entry++)
        for (size_t i = 0; i < patterns.count; i++)
            if (is_like(up_to(*entry, '='), patterns.words[i]))
                list_add(&names, up_to(*entry, '='));
    for (size_t i = 0; i < names.count; i++)
        unsetenv(names.words[i]);
}

/* Makes this process' environment that of the line. */
static void take_environment(const struct job *job, const struct start *start)
{
    forget_job(job);
    if (start->without_library_path)
        unsetenv("LD_LIBRARY_PATH");
    for (size_t i = 0; i < start->variables.count; i++)
        putenv((char *)start->variables.words[i]);
}

/* Holds in what the environment differs from the one in which the command began. */
struct changes {
    struct facts set;
    struct list unset;
};

static struct changes changes_since(const struct list *before)
{
    struct changes changes = { { { 0 }, { 0 } }, { 0 } };
    for (size_t i = 0; i < before->count; i++)
        if (!getenv(up_to(before->words[i], '=')))
            list_add(&changes.unset, up_to(before->words[i], '='));
    for (char **entry = environ; *entry; entry++)
        if (!list_has(before, *entry))
            set_fact(&changes.set, up_to(*entry, '='), behind(*entry, '='));
    return changes;
}

/* ---------------------------------------------------------------- the plan, printed */

static const char *json_facts(const struct facts *facts)
{
    struct list members = { 0 };
    for (size_t i = 0; i < facts->keys.count; i++)
        json_add(&members, json_key(facts->keys.words[i]), json_string(facts->values.words[i]));
    return json_members(&members);
}

const char *json_planned(const struct program *program, const struct choice *choice)
{
    struct list members = { 0 };
    int is_native = !choice->pair || choice->is_native;
    const char *host = choice->pair ? said_in_pair(choice->pair, "host") : "", *library = choice->host.library;
    json_add(&members, "program", json_value(program->path ? program->path : ""));
    json_add(&members, "abi", json_value(own_abi(program)));
    json_add(&members, "pair", is_native ? "null" : json_string(choice->pair->called));
    json_add(&members, "host", json_value(host));
    json_add(&members, "library", json_value(library ? library : ""));
    json_add(&members, "environment", json_facts(&choice->environment));
    return json_members(&members);
}

static void put_json_plan(const struct job *job, const struct start *start, const struct changes *changes)
{
    struct list members = { 0 }, programs = { 0 };
    for (size_t i = 0; i < job->planned_count; i++)
        list_add(&programs, arena_text("\n  %s", json_planned(&job->planned[i].program, &job->planned[i].choice)));
    json_add(&members, "mpi_adapter", json_string(job->site->version));
    json_add(&members, "launcher", json_value(start->launcher));
    json_add(&members, "dialect", json_value(*start->launcher ? job->launcher_kind : ""));
    json_add(&members, "line", json_strings(&start->words));
    json_add(&members, "environment", json_facts(&changes->set));
    json_add(&members, "without", json_strings(&changes->unset));
    json_add(&members, "files", json_strings(&start->files));
    json_add(&members, "programs", arena_text("[%s\n]", list_joined(&programs, ",")));
    put("%s\n", json_members(&members));
}

/* Prints the line for a shell. Nothing is quoted in NAME=, as that would be no assignment. */
static void put_plan(const struct start *start, const struct changes *changes)
{
    const char *text = changes->unset.count > 0 ? "env" : "";
    for (size_t i = 0; i < changes->unset.count; i++)
        text = arena_text("%s -u %s", text, shell_word(changes->unset.words[i]));
    for (size_t i = 0; i < changes->set.keys.count; i++)
        text = arena_text("%s%s%s=%s", text, *text ? " " : "", changes->set.keys.words[i], shell_word(changes->set.values.words[i]));
    for (size_t i = 0; i < start->words.count; i++) {
        const char *word = start->words.words[i];
        text = arena_text("%s%s%s", text, start->breaks && has_word(start->breaks, word) ? " \\\n    " : *text ? " " : "", shell_word(word));
    }
    put("%s%s%s\n", text, start->files.count > 0 ? " " : "", list_joined(&start->files, " "));
}

/* ---------------------------------------------------------------- the plan, carried out */

struct problem *carry_out(struct job *job, const struct start *wanted)
{
    struct start start = *wanted;
    struct list shown = { 0 };
    const char *first = start.words.words[0], *file;
    take_environment(job, &start);
    file = find_in_path(first);
    if (!file || !is_file(file) || !is_startable(file))
        return cannot_be_started(first);
    if (*start.launcher)
        name_launcher(job, start.launcher, &start.words);
    struct changes changes = changes_since(&job->environment);
    if (*given(job, "--print=json")) {
        put_json_plan(job, &start, &changes);
        return 0;
    }
    if (*given(job, "--print")) {
        put_plan(&start, &changes);
        return 0;
    }
    for (size_t i = 0; i < start.words.count; i++)
        list_add(&shown, shell_word(start.words.words[i]));
    say_more(&job->messages, "starting %s", list_joined(&shown, " "));
    tell_root(job, &start.words, start.launcher, job->launcher_kind);
    end_answer();
    if (start.logged_ranks > 0 && *setting(job->site, "job_log"))
        log_job(job, start.logged_ranks);
    execvp(find_in_path(start.words.words[0]), (char **)start.words.words);
    return problem_of("%s cannot be started; correct the launcher's name", first);
}
