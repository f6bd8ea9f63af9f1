/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter: runs an MPI program that was compiled against one MPI implementation on another one. See mpi-adapter(1). */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "file.h"
#include "site/setting.h"
#include "site/suggest.h"
#include "texts.h"
#include "verbs/verbs.h"

extern char **environ;

static struct problem *unknown_command(const char *word)
{
    struct list names = words_of(arena_text("%s help version", verb_names()));
    const char *question = did_you_mean(word, &names);
    return question ? usage_problem_of("unknown command '%s'; %s", word, question) : usage_problem_of("unknown command '%s'", word);
}

/* Refuses an option ahead of the command. */
static struct problem *unknown_option(const char *word)
{
    struct list names = words_of(arena_text("-h --help -V --version %s", verb_names()));
    const char *question = did_you_mean(word, &names);
    return question ? usage_problem_of("unknown option '%s'; %s", word, question) : usage_problem_of("unknown option '%s'", word);
}

/* ---------------------------------------------------------------- the environment */

/* Variables that users set, and those by which the adapter's parts speak to each other; tests compare them with those that are read. */
static const char USER_VARIABLES[] =
    "MPI_ADAPTER_HOST MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_HOST_PRELOAD MPI_ADAPTER_HOST_PREFIXES MPI_ADAPTER_IGNORE_OPTIONS MPI_ADAPTER_JOB_LOG "
    "MPI_ADAPTER_LAUNCHER MPI_ADAPTER_LAUNCHER_ARGUMENTS MPI_ADAPTER_MPI_RELEASE MPI_ADAPTER_MPI_VERSION MPI_ADAPTER_PATH "
    "MPI_ADAPTER_BUFFER_IFLUSH MPI_ADAPTER_CACHE MPI_ADAPTER_CC MPI_ADAPTER_CONFIG MPI_ADAPTER_CXX MPI_ADAPTER_FC MPI_ADAPTER_FORTRAN "
    "MPI_ADAPTER_HOST_TOOLS MPI_ADAPTER_PARTITIONED MPI_ADAPTER_REPORT MPI_ADAPTER_SINGLETONS MPI_ADAPTER_STATS MPI_ADAPTER_TRACE "
    "MPI_ADAPTER_VERBOSE";
static const char INNER_VARIABLES[] =
    "MPI_ADAPTER_ASKED MPI_ADAPTER_COMPILES MPI_ADAPTER_CONFTEST MPI_ADAPTER_FROM MPI_ADAPTER_GIVEN MPI_ADAPTER_IGNORE_OPTIONS MPI_ADAPTER_LIBRARY_PATH MPI_ADAPTER_NAMES "
    "MPI_ADAPTER_ONE_OF_ALL MPI_ADAPTER_PRELOAD MPI_ADAPTER_RANK_VARIABLES MPI_ADAPTER_RESTARTED MPI_ADAPTER_SHELL_VERBOSE MPI_ADAPTER_TICK";

/* Returns what follows the prefix of our variables, also where that is misspelt; null for another variable. */
static const char *without_prefix(const char *name)
{
    const char *small = in_small_letters(name);
    for (const char *mark = small; (mark = strchr(mark, '_')); mark++)
        if (is_within(2, arena_text("%.*s", (int)(mark - small), small), "mpi_adapter"))
            return mark + 1;
    return is_within(2, small, "mpi_adapter") ? "" : 0;
}

/* Asks for the one that was meant. A name that is near none may be somebody else's, as a site's MPI_ADAPTER_HOME. */
static void tell_misspelt(struct job *job, const char *name)
{
    struct list known = words_of(USER_VARIABLES);
    const char *rest = without_prefix(name), *question = rest ? did_you_mean(arena_text("MPI_ADAPTER_%s", rest), &known) : 0;
    if (question)
        say(&job->messages, "nothing reads the variable %s; %s", name, question);
}

/* Tells of the environment's, once: another of our commands that has started this one has said what there is to say. */
static void tell_misspelt_variables(struct job *job)
{
    struct list inner = words_of(INNER_VARIABLES), names = { 0 };
    /* So has the shell that leads to a shim. */
    if (is_same(job->command, "shim"))
        return;
    for (size_t i = 0; i < job->environment.count; i++)
        if (list_has(&inner, up_to(job->environment.words[i], '=')))
            return;
    for (char **entry = environ; *entry; entry++)
        if (begins_with(*entry, "MPI") || begins_with(*entry, "Mpi") || begins_with(*entry, "mpi"))
            list_add(&names, up_to(*entry, '='));
    list_sort(&names);
    for (size_t i = 0; i < names.count; i++)
        if (!has_word(USER_VARIABLES, names.words[i]))
            tell_misspelt(job, names.words[i]);
}

/* Sets a variable to a list with colons between, or removes it. */
static void set_list(const char *name, const struct list *list)
{
    if (list->count > 0)
        setenv(name, list_joined(list, ":"), 1);
    else
        unsetenv(name);
}

/* Removes from a variable with a list the parts that another list has. */
static void remove_parts(const char *name, const char *list)
{
    struct list parts = parts_of(variable(name)), kept = { 0 };
    for (size_t i = 0; i < parts.count; i++)
        if (!has_entry(list, parts.words[i]))
            list_add(&kept, parts.words[i]);
    if (kept.count < parts.count)
        set_list(name, &kept);
}

/* Within a rank of another run, what that one preloads is not the user's, nor folders and a library that it gave to the rank. */
static void forget_outer_run(void)
{
    const char *given = variable("MPI_ADAPTER_GIVEN");
    remove_parts("LD_LIBRARY_PATH", given);
    remove_parts("LD_PRELOAD", given);
    if (has_entry(given, "MPI_ADAPTER_HOST_LIBRARY"))
        unsetenv("MPI_ADAPTER_HOST_LIBRARY");
    unsetenv("MPI_ADAPTER_GIVEN");
    if (*variable("MPI_ADAPTER_PRELOAD") == 0)
        return;
    remove_parts("LD_PRELOAD", variable("MPI_ADAPTER_PRELOAD"));
    unsetenv("MPI_ADAPTER_PRELOAD");
    unsetenv("MPI_ADAPTER_LIBRARY_PATH");
}

/* Whether a launcher has started this process as a rank. */
static int is_rank(const struct site *site)
{
    for (size_t i = 0; i < site->launchers.count; i++) {
        const char *told = fact_of(&site->launchers.all[i], "told");
        if (*told && *variable(told))
            return 1;
    }
    return 0;
}

/* Within a rank, the folders of pairs and of links to them in LD_LIBRARY_PATH are of the MPI that runs the rank. They stand for no MPI
 * that a job of its own could run on. */
static void forget_outer_pair(const struct site *site)
{
    struct list parts = parts_of(variable("LD_LIBRARY_PATH")), kept = { 0 };
    if (!is_rank(site))
        return;
    for (size_t i = 0; i < parts.count; i++)
        if (!is_there(arena_text("%s/pair.conf", parts.words[i])) && !has_text(parts.words[i], "/mpi-adapter/names/"))
            list_add(&kept, parts.words[i]);
    if (kept.count < parts.count)
        set_list("LD_LIBRARY_PATH", &kept);
}

/* ---------------------------------------------------------------- start */

/* Ends where another of our commands asks what would be started: it must not start itself. */
static void answer_asked(const struct job *job)
{
    if (*variable("MPI_ADAPTER_ASKED") == 0 || !has_word("run exec shell shim container", job->command))
        return;
    put("mpi-adapter was asked\n");
    end_answer();
    exit(0);
}

/* The command that the words begin with, and how many of them are not its own. */
static struct problem *find_command(struct job *job, int count, char **words, int *own)
{
    const char *first = count > 0 ? words[0] : "";
    *own = 1;
    if (is_same(first, "help") && count > 1) {
        if (!has_word(verb_names(), words[1]))
            return unknown_command(words[1]);
        put_help(job, verb_of(words[1]));
    }
    if (is_same(first, "help") || is_same(first, "-h") || is_same(first, "--help"))
        put_main_help();
    if (is_same(first, "version") || is_same(first, "-V") || is_same(first, "--version")) {
        put("mpi-adapter %s\n", job->site->version);
        end_answer();
        exit(0);
    }
    if (is_same(first, "completions"))
        put_completions(job, count > 1 ? words[1] : "");
    if (*first == 0)
        return usage_problem_of("no command is given");
    if (is_same(first, "-n") || is_same(first, "-np") || (*first != '-' && strchr(first, '/'))) {
        job->command = "run";
        *own = 0;
        return 0;
    }
    if (*first == '-')
        return unknown_option(first);
    if (!verb_of(first))
        return unknown_command(first);
    job->command = first;
    return 0;
}

int main(int argc, char **argv)
{
    struct site site = { 0 };
    struct job job = { .site = &site, .command = "", .ranks = 1, .launcher = "", .launcher_kind = "", .line_host = "", .line_library = "",
                       .named_library = "",
                       .line_native = "", .line_adapted = "", .own_serves = 1 };
    struct list words = { 0 };
    int own, status = 0, wants_help = 0;
    for (char **entry = environ; *entry; entry++)
        list_add(&job.environment, *entry);
    /* A file that is opened must not become a standard one that was closed: in its place comes what cannot be used, either. */
    for (int i = 0; i < 3; i++)
        if (fcntl(i, F_GETFD) < 0)
            open("/dev/null", i == 0 ? O_WRONLY : O_RDONLY);
    /* The process that starts this one may ignore it. */
    signal(SIGCHLD, SIG_DFL);
    forget_outer_run();
    int is_inside = argc > 2 && is_same(argv[1], "inside");
    struct problem *problem = open_site(&site, is_inside ? argv[2] : 0);
    if (is_inside)
        end_with(&job, problem ? problem : act_inside(&job, argc - 3, argv + 3));
    if (argc > 1 && is_same(argv[1], "contained"))
        end_with(&job, start_contained(argc - 2, argv + 2));
    problem = problem ? problem : find_command(&job, argc - 1, argv + 1, &own);
    if (problem)
        end_with(&job, problem);
    const struct verb *verb = verb_of(job.command);
    answer_asked(&job);
    tell_misspelt_variables(&job);
    forget_outer_pair(&site);
    site.may_start = verb->may_start;
    job.library_path = variable("LD_LIBRARY_PATH");
    job.preload = variable("LD_PRELOAD");
    for (int i = 1 + own; i < argc; i++)
        list_add(&words, argv[i]);
    if (is_same(job.command, "shim"))
        job.operands = words;
    else
        problem = parse_options(&job, verb->options, &words, &wants_help);
    if (wants_help)
        put_help(&job, verb);
    problem = problem ? problem : verb->act(&job, &status);
    if (problem)
        end_with(&job, problem);
    end_answer();
    return status;
}
