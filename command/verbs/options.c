/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of the subcommands. */
#include <stdlib.h>
#include <string.h>

#include "../site/launcher.h"
#include "../site/suggest.h"
#include "arena.h"
#include "file.h"
#include "texts.h"
#include "verbs.h"

static struct problem *take_ranks(struct job *job, const char *text)
{
    job->ranks = is_digits(text, 9) ? atoi(text) : 0;
    return job->ranks > 0 ? 0 : usage_problem_of("-n '%s' is not a positive number", text);
}

static struct problem *take_value(struct job *job, const char *option, const char *value)
{
    if (*value == 0 && !is_like(option, "--*-arg"))
        return usage_problem_of("%s has an empty value", option);
    if (is_same(option, "-n") || is_same(option, "-np"))
        return take_ranks(job, value);
    if (is_same(option, "--launcher-arg"))
        list_add(&job->launcher_arguments, value);
    else if (is_same(option, "--tool-arg"))
        list_add(&job->tool_arguments, value);
    else
        set_fact(&job->given, option, value);
    return 0;
}

/* Gives the launcher an option with its value. Of one that the table does not have, what follows is the value if it is neither an option
 * nor a program, nor an image. Sets *taken to the number of words. */
static struct problem *take_launcher_option(struct job *job, const struct list *words, size_t at, size_t *taken)
{
    const char *launcher = find_in_path(given(job, "--launcher")), *option = words->words[at];
    const char *kind = kind_of_launcher(job->site, launcher ? launcher : given(job, "--launcher"));
    size_t left = words->count - at;
    int count;
    if (value_words(job->site, kind, option, &count))
        *taken = (size_t)count + 1;
    else {
        /* An image stands ahead of --. */
        int is_image = left >= 3 && is_same(job->command, "container") && is_same(words->words[at + 2], "--");
        *taken = strchr(option, '=') || left < 3 || *words->words[at + 1] == '-' || is_image || startable_file("", words->words[at + 1]) ? 1 : 2;
    }
    if (*taken > left)
        return usage_problem_of("%s needs a value", option);
    for (size_t i = 0; i < *taken; i++)
        list_add(&job->launcher_arguments, words->words[at + i]);
    return 0;
}

/* Finds the host's launcher for the program among the words; null if nothing tells. */
static const char *launcher_meant(const struct job *job, const struct list *words, size_t from, const char **kind)
{
    struct job trial = *job;
    struct program program = { .abi = "" };
    struct choice choice;
    struct places places;
    /* The first of several programs has settled it. */
    if (*job->line_host) {
        *kind = job->launcher_kind;
        return job->launcher;
    }
    if (!is_same(job->command, "run") || from >= words->count)
        return 0;
    trial.messages = (struct messages){ .are_kept = 1 };
    trial.launcher_kind = "";
    if (require_pairs(trial.site))
        return 0;
    places = find_program_in(&trial, words, "", from, words->count);
    size_t at = places.program >= 0 ? (size_t)places.program : places.command >= 0 ? (size_t)places.command : from;
    const char *file = startable_file(places.folder, words->words[at]);
    if (!file || examine_program(&trial, file, &program) || choose_host(&trial, &program, 1, wanted_launcher(&trial), &choice))
        return 0;
    *kind = choice.host.launcher_kind;
    return **kind ? choice.host.launcher : 0;
}

/* Whether it is a way to write -n that some launchers have, and this command has not. */
static int is_ranks_option(const char *word)
{
    return is_same(single_dash(word), "-n") || is_same(single_dash(word), "-np");
}

/* Whether it stands ahead of a later program, and is one of all programs. */
static int is_late_option(const struct job *job, const char *word)
{
    return *job->line_host && has_word("--from --to --launcher --preload", up_to(word, '='));
}

/* The question for an option that the command has, and no launcher, of which this is a slip; or null. */
static const char *slip_of(const struct job *job, const char *option, const char *known)
{
    struct list names = words_of(known);
    return is_launcher_option(job->site, option) ? 0 : did_you_mean(up_to(option, '='), &names);
}

static struct problem *unknown(const char *option, const char *advice)
{
    return advice ? usage_problem_of("unknown option '%s'; %s", option, advice) : usage_problem_of("unknown option '%s'", option);
}

/* Returns what to do about an option that is not the command's. */
static struct problem *unknown_option(struct job *job, const char *known, const struct list *words, size_t at)
{
    const char *option = words->words[at], *slip = slip_of(job, option, known), *launcher, *kind, *where, *instead;
    struct list names = words_of(known);
    int count;
    if (is_same(job->command, "exec"))
        return unknown(option, slip ? slip : "if it is the launcher's, give the launcher ahead of it, or use 'mpi-adapter run'");
    if (!has_word("run container", job->command))
        return unknown(option, did_you_mean(up_to(option, '='), &names));
    if (is_ranks_option(option))
        return unknown(option, "give the number of ranks by -n N");
    if (is_late_option(job, option))
        return usage_problem_of("unknown option '%s' of a later program; give it ahead of the first one", option);
    if (slip)
        return unknown(option, slip);
    if (!(launcher = launcher_meant(job, words, at + 1, &kind)))
        return unknown(option, "if it is the launcher's, give it after --launcher PATH");
    where = *job->line_host ? "by --launcher-arg" : arena_text("after --launcher %s", base_name(launcher));
    if (value_words(job->site, kind, option, &count))
        return unknown(option, arena_text("give the launcher's options %s", where));
    if (!(instead = instead_of(job->site, kind, option)))
        return unknown(option, arena_text("if it is one of %s, give it %s", launcher, where));
    if (*instead)
        return unknown(option, arena_text("%s has %s for it, and takes its options %s", launcher, instead, where));
    return unknown(option, arena_text("%s doesn't need it, leave it out", launcher));
}

/* Whether the subcommand starts no program, so that options may follow operands. */
static int takes_late_options(const struct job *job)
{
    const struct verb *verb = verb_of(job->command);
    return verb && !verb->starts_program;
}

static const struct option *option_of(const struct option *options, const char *word)
{
    for (const struct option *option = options; option->name; option++)
        if (is_same(option->name, word) || (option->also && is_same(option->also, word)))
            return option;
    return options == COMMON_OPTIONS ? 0 : option_of(COMMON_OPTIONS, word);
}

/* The names of options, for who wrote another one. */
static const char *names_of(const struct option *options)
{
    struct list names = { 0 };
    for (int i = 0; i < 2; i++)
        for (const struct option *option = i == 0 ? COMMON_OPTIONS : options; option->name; option++) {
            list_add_once(&names, option->name);
            if (option->also)
                list_add_once(&names, option->also);
        }
    return list_joined(&names, " ");
}

/* Takes the option that begins at a word; moves *at to its last one. */
static struct problem *take_option(struct job *job, const struct option *options, const struct list *words, size_t *at, int *wants_help)
{
    const char *word = words->words[*at], *name = up_to(word, '=');
    const struct option *option = option_of(options, word);
    if (option && !option->value) {
        set_fact(&job->given, word, "yes");
        job->messages.is_verbose |= is_same(option->name, "-v");
        *wants_help |= is_same(option->name, "-h");
        return 0;
    }
    if (option)
        return *at + 1 < words->count ? take_value(job, word, words->words[++*at]) : usage_problem_of("%s needs a value", word);
    option = begins_with(word, "--") && strchr(word, '=') ? option_of(options, name) : 0;
    if (option && option->value)
        return take_value(job, name, behind(word, '='));
    if (begins_with(word, "-n") && word[2] >= '0' && word[2] <= '9' && option_of(options, "-n"))
        return take_ranks(job, word + 2);
    if (*given(job, "--launcher") && !is_ranks_option(word) && !is_late_option(job, word)) {
        size_t taken;
        HAND_ON(take_launcher_option(job, words, *at, &taken));
        *at += taken - 1;
        return 0;
    }
    return unknown_option(job, names_of(options), words, *at);
}

struct problem *parse_options(struct job *job, const struct option *options, const struct list *words, int *wants_help)
{
    size_t at = 0;
    job->operands = (struct list){ 0 };
    for (; at < words->count && !*wants_help; at++) {
        const char *word = words->words[at];
        if (is_same(word, "--")) {
            at++;
            break;
        }
        if (*word == '-' && word[1])
            HAND_ON(take_option(job, options, words, &at, wants_help));
        else if (takes_late_options(job))
            list_add(&job->operands, word);
        else
            break;
    }
    for (; at < words->count; at++)
        list_add(&job->operands, words->words[at]);
    return 0;
}
