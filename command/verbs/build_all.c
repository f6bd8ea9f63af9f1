/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter build --all and --remove. */
#include <fts.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../site/machine.h"
#include "../site/setting.h"
#include "../site/suggest.h"
#include "arena.h"
#include "build.h"
#include "file.h"
#include "progress.h"
#include "spawn.h"
#include "texts.h"

/* ---------------------------------------------------------------- the MPIs of a site */

/* The program that module systems call for a shell, or null. */
static const char *module_tool(void)
{
    const char *tool = *variable("LMOD_CMD") ? variable("LMOD_CMD") : variable("MODULES_CMD");
    tool = *tool ? tool : find_in_path("modulecmd");
    return tool && is_startable(tool) ? tool : 0;
}

/* The lines that the tool writes to these words. */
static struct list module_lines(const char *tool, const char *words, const char *name)
{
    struct asked asked = { .errors = ERRORS_ANSWER, .most = 16 << 20, .seconds = 300 };
    struct list lines = { 0 };
    list_add(&asked.words, tool);
    list_split(&asked.words, words);
    if (name)
        list_add(&asked.words, name);
    list_split_at(&lines, said_by(&asked, 0), '\n');
    return lines;
}

/* Notes the prefixes that the module of an MPI puts into search paths. */
static void note_module(const struct site *site, struct machine *machine, const char *tool, const char *name)
{
    struct list lines = module_lines(tool, "bash show", name), paths = { 0 };
    for (size_t i = 0; i < lines.count; i++)
        for (const char *at = lines.words[i]; (at = strchr(at, '/'));) {
            size_t length = strcspn(at, "\"' :;,()");
            const char *path = arena_text("%.*s", (int)length, at);
            if (has_word("bin lib lib64", base_name(path)))
                list_add_once(&paths, path);
            at += length;
        }
    list_sort(&paths);
    for (size_t i = 0; i < paths.count; i++)
        note_mpi_prefix(site, machine, up_to_last(paths.words[i], '/'));
}

static void note_modules(const struct site *site, struct machine *machine)
{
    const char *tool = module_tool();
    struct list lines = tool ? module_lines(tool, "bash -t avail", 0) : (struct list){ 0 };
    for (size_t i = 0; i < lines.count; i++) {
        const char *name = up_to(lines.words[i], '('), *small = in_small_letters(name);
        if ((has_text(small, "mpi") || has_text(small, "mvapich")) && !ends_with(name, "/") && !ends_with(name, ":") &&
            !begins_with(name, "mpi-adapter/"))
            note_module(site, machine, tool, name);
    }
}

/* Notes every MPI beneath a folder. */
static void note_tree(const struct site *site, struct machine *machine, const char *folder)
{
    struct list names = words_of(said_of_all(&site->families, "libraries")), files = { 0 };
    char *top[] = { (char *)(*folder == '/' ? folder : arena_text("./%s", folder)), 0 };
    FTS *walk = fts_open(top, FTS_LOGICAL | FTS_NOCHDIR, 0);
    for (FTSENT *entry; walk && (entry = fts_read(walk));) {
        if (entry->fts_info == FTS_F && list_has(&names, entry->fts_name))
            list_add(&files, arena_text("%s", entry->fts_path));
        if (entry->fts_info == FTS_D && entry->fts_level >= 7)
            fts_set(walk, entry, FTS_SKIP);
    }
    if (walk)
        fts_close(walk);
    list_sort(&files);
    for (size_t i = 0; i < files.count; i++)
        note_mpi_library(site, machine, files.words[i]);
}

static void note_spack(const struct site *site, struct machine *machine)
{
    const char *folders[] = { variable("SPACK_ROOT"), arena_text("%s/spack", variable("HOME")), "/opt/spack" };
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *trees = arena_text("%s/opt/spack", folders[i]);
        if (*folders[i] && is_folder(trees))
            note_tree(site, machine, trees);
    }
}

/* Whether a launcher is there. */
static int starts_programs(const char *prefix)
{
    static const char *const patterns[] = { "mpiexec*", "mpirun*" };
    for (int i = 0; i < 2; i++) {
        struct list files = files_like(arena_text("%s/bin/%s", glob_escaped(prefix), patterns[i]));
        for (size_t j = 0; j < files.count; j++)
            if (is_file(files.words[j]) && is_startable(files.words[j]))
                return 1;
    }
    return 0;
}

/* Returns what --host takes for the MPI that a library belongs to: the compiler of its own name among the system's, where several share a prefix or
 * one is without a launcher, or the prefix. */
static const char *host_of_library(const struct site *site, const char *library, const char *family)
{
    const char *prefix = prefix_of_library(library), *compiler;
    if (*prefix && !is_same(prefix, "/usr") && starts_programs(prefix))
        return prefix;
    compiler = find_in_path(arena_text("mpicc.%s", whose_library(site, library, family)));
    return compiler ? compiler : *prefix ? prefix : "/";
}

/* Words that each of the runs is given, too. */
static void add_options(const struct job *job, struct list *words)
{
    static const char *const with_value[] = { "--prefix", "--host-abi", "--to-abi" };
    static const char *const flags[] = { "--prebuilt", "--compile", "--no-test" };
    for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++)
        if (*given(job, with_value[i])) {
            list_add(words, with_value[i]);
            list_add(words, given(job, with_value[i]));
        }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (*given(job, flags[i]))
            list_add(words, flags[i]);
    if (job->messages.is_verbose)
        list_add(words, "--verbose");
}

struct problem *build_all(struct job *job)
{
    const struct site *site = job->site;
    struct machine machine = { { 0 }, { 0 }, { 0 }, { 0 }, { 0 } };
    struct list hosts = { 0 };
    size_t failed = 0;
    for (size_t i = 0; i < job->operands.count; i++)
        if (!is_folder(job->operands.words[i]))
            return problem_of("%s is not a folder; give folders with MPIs beneath them", job->operands.words[i]);
    begin_step("looking for MPIs");
    find_mpis(site, job->library_path, &machine);
    note_modules(site, &machine);
    note_spack(site, &machine);
    for (size_t i = 0; i < job->operands.count; i++)
        note_tree(site, &machine, job->operands.words[i]);
    for (size_t i = 0; i < machine.libraries.count; i++)
        if (*machine.families.words[i])
            list_add_once(&hosts, host_of_library(site, machine.libraries.words[i], machine.families.words[i]));
    end_step();
    if (hosts.count == 0)
        return problem_of("no MPI is found; give a folder with one beneath it");
    setenv("MPI_ADAPTER_ONE_OF_ALL", "yes", 1);
    for (size_t i = 0; i < hosts.count; i++) {
        struct list words = words_of("build --host");
        list_add(&words, hosts.words[i]);
        add_options(job, &words);
        put("MPI %zu of %zu: %s\n", i + 1, hosts.count, plain(hosts.words[i]));
        end_answer();
        failed += run_again(job, &words) != 0;
    }
    if (failed > 0)
        return problem_of("%zu of %zu MPIs got no pairs; correct what is said above, or give the MPIs that matter with --host", failed, hosts.count);
    return 0;
}

/* ---------------------------------------------------------------- pairs that build made */

struct removal {
    const struct pair **pairs;
    size_t count;
};

static int is_removed(const struct removal *removal, const struct pair *pair)
{
    for (size_t i = 0; i < removal->count; i++)
        if (removal->pairs[i] == pair)
            return 1;
    return 0;
}

/* By PAIR@NAME or by HOST@NAME as --to takes it. */
static struct problem *find_removed(struct job *job, const char *name, struct removal *removal)
{
    const struct site *site = job->site;
    const char *prefix = given(job, "--prefix"), *question;
    struct list made = { 0 };
    removal->pairs = arena_memory((site->pair_count + 1) * sizeof *removal->pairs);
    for (size_t i = 0; i < site->pair_count; i++) {
        const struct pair *pair = site->pairs[i];
        if (*said_in_pair(pair, "made") == 0)
            continue;
        if (*prefix && !is_same_file(up_to_last(pair->folder, '/'), arena_text("%s/lib/mpi-adapter", prefix)))
            continue;
        list_add(&made, pair->called);
        list_add(&made, host_of_pair(pair));
        if (is_same(name, pair->called) || is_same(name, host_of_pair(pair)))
            removal->pairs[removal->count++] = pair;
    }
    if (removal->count > 0)
        return 0;
    question = did_you_mean(name, &made);
    return problem_of("no pair that 'mpi-adapter build' made is called '%s'; %s", name, question ? question : "'mpi-adapter list' shows them");
}

/* Whether another pair that stays runs on a library of one that goes. */
static struct problem *check_use(const struct job *job, const struct removal *removal)
{
    const struct site *site = job->site;
    for (size_t i = 0; i < removal->count; i++)
        for (size_t j = 0; j < site->pair_count; j++) {
            const char *folder = removal->pairs[i]->folder;
            if (begins_with(said_in_pair(site->pairs[j], "host_library"), arena_text("%s/", folder)) && !is_removed(removal, site->pairs[j]))
                return problem_of("%s runs on %s; remove that first", site->pairs[j]->folder, folder);
        }
    return 0;
}

void put_step(const char *what, const char *text)
{
    put("%-10s %s\n", what, plain(text));
}

/* It is gone at once, and its files then. */
static struct problem *remove_pair(const struct pair *pair)
{
    char *stage = arena_text("%s/.build-XXXXXX", up_to_last(pair->folder, '/'));
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    int is_made = mkdtemp(stage) != 0;
    if (!is_made || rename(pair->folder, arena_text("%s/removed", stage)) != 0) {
        if (is_made)
            rmdir(stage);
        return problem_of("%s cannot be removed; ask for permission to write there", pair->folder);
    }
    remove_folder(stage);
    put_step("remove", pair->folder);
    return 0;
}

struct problem *remove_pairs(struct job *job, const char *name)
{
    struct removal removal = { 0, 0 };
    HAND_ON(find_removed(job, name, &removal));
    HAND_ON(check_use(job, &removal));
    for (size_t i = 0; i < removal.count; i++)
        HAND_ON(remove_pair(removal.pairs[i]));
    end_answer();
    if (is_same(setting(job->site, "host"), name))
        say(&job->messages, "host (%s) still names %s; correct the setting", setting_origin(job->site, "host"), name);
    return 0;
}
