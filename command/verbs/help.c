/* SPDX-License-Identifier: BSD-3-Clause */
/* The help of the command, and what shells complete, by the table of subcommands. */
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "texts.h"
#include "verbs.h"

enum { LINE = 79, WIDEST_OPTION = 24 };

/* Returns a text with ABIS, DIALECTS and SITE_FOLDER replaced by the names that are meant. */
static const char *with_names(const struct job *job, const char *text)
{
    struct list dialects = known_dialects(job);
    const char *places[] = { "ABIS", "DIALECTS", "SITE_FOLDER" };
    const char *values[3];
    values[0] = joined(" or ", &job->site->families.names);
    values[1] = joined(" or ", &dialects);
    values[2] = job->site->site;
    for (int i = 0; i < 3; i++)
        for (const char *place; (place = strstr(text, places[i]));)
            text = arena_text("%.*s%s%s", (int)(place - text), text, values[i], place + strlen(places[i]));
    return text;
}

/* Prints a text from a column on, in which the line is already, with as many words in a line as it holds. */
static void put_wrapped(const char *text, size_t column)
{
    struct list words = words_of(text);
    size_t at = column;
    for (size_t i = 0; i < words.count; i++) {
        size_t length = strlen(words.words[i]);
        if (at > column && at + 1 + length > LINE) {
            put("\n%*s", (int)column, "");
            at = column;
        }
        put("%s%s", at > column ? " " : "", words.words[i]);
        at += length + (at > column);
    }
    put("\n");
}

/* An option as people read it. */
static const char *shown_option(const struct option *option)
{
    const char *also = option->also && begins_with(option->also, "--") ? arena_text(", %s", option->also) : "";
    return arena_text("  %s%s%s%s", option->name, also, option->value ? " " : "", option->value ? option->value : "");
}

/* The options of a subcommand that people see: its own, and common ones with a help. */
static const struct option *shown_options(const struct verb *verb)
{
    struct option *shown = 0;
    size_t count = 0;
    for (int i = 0; i < 2; i++)
        for (const struct option *option = i == 0 ? verb->options : COMMON_OPTIONS; option->name; option++)
            if (option->help) {
                shown = arena_grown(shown, count, sizeof *shown);
                shown[count++] = *option;
            }
    shown = arena_grown(shown, count, sizeof *shown);
    shown[count] = (struct option){ 0 };
    return shown;
}

static void put_options(const struct job *job, const struct option *options)
{
    size_t widest = 0;
    for (const struct option *option = options; option->name; option++) {
        size_t width = strlen(shown_option(option));
        widest = width <= WIDEST_OPTION && width > widest ? width : widest;
    }
    for (const struct option *option = options; option->name; option++) {
        const char *shown = shown_option(option);
        if (strlen(shown) > widest)
            put("%s\n%*s", shown, (int)widest + 2, "");
        else
            put("%-*s  ", (int)widest, shown);
        put_wrapped(with_names(job, option->help), widest + 2);
    }
}

static void put_usage(const char *usage, int *is_first)
{
    struct list lines = { 0 };
    list_split_at(&lines, usage, '\n');
    for (size_t i = 0; i < lines.count; i++) {
        put("%s mpi-adapter %s\n", *is_first ? "Usage:" : "      ", lines.words[i]);
        *is_first = 0;
    }
}

__attribute__((noreturn)) static void end_help(void)
{
    end_answer();
    exit(0);
}

void put_help(const struct job *job, const struct verb *verb)
{
    int is_first = 1;
    put_usage(verb->usage, &is_first);
    put("\n");
    if (verb->about)
        put("%s\n\n", verb->about);
    put_options(job, shown_options(verb));
    if (verb->end)
        put("\n%s\n", with_names(job, verb->end));
    end_help();
}

void put_main_help(void)
{
    int is_first = 1;
    for (const struct verb *verb = VERBS; verb->summary; verb++)
        put_usage(verb->shown ? verb->shown : up_to(verb->usage, '\n'), &is_first);
    put_usage("help [COMMAND] | version", &is_first);
    put("\nRuns an MPI program that was compiled against one MPI implementation\n"
        "(Open MPI, say) on another one (MPICH, say), without recompiling it.\n\n");
    for (const struct verb *verb = VERBS; verb->summary; verb++)
        put("  %-9s  %s\n", verb->name, verb->summary);
    put("\n'mpi-adapter help COMMAND' explains a command; mpi-adapter(1) all of them.\n");
    end_help();
}

const char *verb_names(void)
{
    struct list names = { 0 };
    for (const struct verb *verb = VERBS; verb->summary; verb++)
        list_add(&names, verb->name);
    return list_joined(&names, " ");
}

/* ---------------------------------------------------------------- completion */

static void put_row(const char *name, enum takes takes, const char *text)
{
    static const char *const called[] = {
        [TAKES_NOTHING] = "", [TAKES_WORD] = "word", [TAKES_ABI] = "abi", [TAKES_HOST] = "host", [TAKES_LAUNCHER] = "launcher",
        [TAKES_TOOL] = "tool", [TAKES_MPI] = "mpi", [TAKES_FILE] = "file", [TAKES_FOLDER] = "folder", [TAKES_COMMAND] = "command",
        [TAKES_LINE] = "line",
    };
    put("%s|%s|%s\n", name, called[takes], text);
}

void put_completions(const struct job *job, const char *name)
{
    const struct verb *of = verb_of(name);
    if (*name == 0) {
        for (const struct verb *verb = VERBS; verb->summary; verb++)
            put_row(verb->name, TAKES_NOTHING, verb->summary);
        put_row("help", TAKES_NOTHING, "explain a command");
        put_row("version", TAKES_NOTHING, "print the version");
    } else if (of) {
        put_row("", of->operand, "");
        for (const struct option *option = shown_options(of); option->name; option++) {
            put_row(option->name, option->takes, with_names(job, option->help));
            if (option->also && begins_with(option->also, "--"))
                put_row(option->also, option->takes, with_names(job, option->help));
        }
    }
    end_help();
}
