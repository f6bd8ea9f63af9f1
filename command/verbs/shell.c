/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter shell: scripts as they are. Launchers are found in a folder of shims, each of which is mpi-adapter shim. */
#include <stdlib.h>
#include <string.h>

#include "../site/launcher.h"
#include "../site/setting.h"
#include "arena.h"
#include "file.h"
#include "texts.h"
#include "verbs.h"

static const char *shims_of(const struct job *job)
{
    return arena_text("%s/shims", job->site->home);
}

/* PATH without the folder of shims. */
static const char *path_without_shims(const struct job *job)
{
    struct list kept = { 0 };
    for (const char *at = variable("PATH");; at++) {
        size_t length = strcspn(at, ":");
        const char *folder = arena_text("%.*s", (int)length, at);
        if (*folder == 0 || !is_same_file(folder, shims_of(job)))
            list_add(&kept, folder);
        at += length;
        if (*at == 0)
            return list_joined(&kept, ":");
    }
}

struct problem *act_shell(struct job *job, int *status)
{
    static const struct {
        const char *option, *variable;
    } told[] = { { "--to", "MPI_ADAPTER_HOST" }, { "--from", "MPI_ADAPTER_FROM" }, { "--ignore-options", "MPI_ADAPTER_IGNORE_OPTIONS" } };
    const char *shims = shims_of(job);
    struct start start = { .launcher = "" };
    (void)status;
    HAND_ON(check_abi_options(job));
    if (!is_startable(arena_text("%s/mpirun", shims)))
        return problem_of("%s is missing; install mpi-adapter again", shims);
    if (*given(job, "--path")) {
        put("%s\n", shims);
        return 0;
    }
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (*given(job, told[i].option))
            list_add(&start.variables, arena_text("%s=%s", told[i].variable, given(job, told[i].option)));
    if (job->messages.is_verbose)
        list_add(&start.variables, "MPI_ADAPTER_SHELL_VERBOSE=1");
    list_add(&start.variables, arena_text("PATH=%s:%s", shims, path_without_shims(job)));
    start.words = job->operands;
    if (start.words.count == 0)
        list_add(&start.words, *variable("SHELL") ? variable("SHELL") : "/bin/sh");
    return carry_out(job, &start);
}

/* ---------------------------------------------------------------- what is called as a launcher */

/* The ABI that programs of the shell are of if they do not tell: the one that was said, or the only one that pairs serve besides the
 * host's; or null. */
static const char *shell_family(const struct job *job)
{
    const char *said = variable("MPI_ADAPTER_FROM"), *host = up_to(setting(job->site, "host"), '@'), *found = 0;
    if (*said)
        return said;
    for (size_t i = 0; i < job->site->pair_count; i++) {
        const char *name = said_in_pair(job->site->pairs[i], "application");
        if (*host && (!is_same(said_in_pair(job->site->pairs[i], "host"), host) || is_same(name, host)))
            continue;
        if (is_shared(job->site, name))
            continue;
        if (found && !is_same(found, name))
            return 0;
        found = name;
    }
    return found;
}

void answer_as(const struct job *job, const char *family)
{
    put("%s\n", of_implementation(job->site, up_to(of_family(job->site, family, "implementations"), ' '), "answers"));
}

const char *native_launcher(const struct job *job, const char *abi, const char *name)
{
    const char *kind = launcher_of_abi(job->site, abi);
    struct list names = { 0 };
    if (!kind)
        return 0;
    if (*name)
        list_add(&names, name);
    list_split(&names, of_implementation(job->site, up_to(of_family(job->site, abi, "implementations"), ' '), "launchers"));
    for (size_t i = 0; i < names.count; i++) {
        const char *file = find_launcher(job->site, names.words[i]);
        if (file && is_startable(file) && is_same(kind_of_launcher(job->site, file), kind))
            return file;
    }
    return 0;
}

/* Starts the line as it is, by the launcher of its name. */
static struct problem *start_natively(struct job *job, const struct user_line *line)
{
    const char *file = find_launcher(job->site, line->words.words[0]);
    struct list words = { 0 };
    if (!file || !is_file(file) || !is_startable(file))
        return cannot_be_started(line->words.words[0]);
    list_add_all(&words, &line->words);
    words.words[0] = file;
    return carry_out(job, &(struct start){ .words = words, .launcher = "" });
}

/* As mpi-adapter exec, for a line that was written for a launcher of that kind, or the one of its name. */
static struct problem *shim_exec(struct job *job, const struct user_line *line, const char *dialect)
{
    const char *host = setting(job->site, "host"), *from = given(job, "--from");
    job->given = (struct facts){ { 0 }, { 0 } };
    if (*host)
        set_fact(&job->given, "--to", host);
    if (*from)
        set_fact(&job->given, "--from", from);
    /* A batch system's launcher that is there starts programs of every MPI. */
    if (dialect && !kind_of_name(job, line->words.words[0]))
        set_fact(&job->given, "--as", dialect);
    job->launcher = job->launcher_kind = "";
    job->is_as_written = 1;
    job->operands = line->words;
    return exec_line(job);
}

struct problem *act_shim(struct job *job, int *status)
{
    struct user_line line = { .launcher = "", .kind = "" };
    const char *called = job->operands.count > 0 ? job->operands.words[0] : "", *dialect, *abi, *file;
    int has_parts = 0;
    (void)status;
    if (!strchr(called, '/'))
        return usage_problem_of("this command is for the links of mpi-adapter shell");
    job->command = "exec";
    setenv("PATH", path_without_shims(job), 1);
    list_add_all(&line.words, &job->operands);
    line.words.words[0] = base_name(called);
    job->messages.is_verbose = *variable("MPI_ADAPTER_SHELL_VERBOSE") != 0;
    HAND_ON(require_pairs(job->site));
    if (is_question(&line.words, 1)) {
        const char *family = shell_family(job), *kind = family ? launcher_of_abi(job->site, family) : 0;
        if (kind && is_called(job->site, line.words.words[0], kind)) {
            answer_as(job, family);
            return 0;
        }
        return start_natively(job, &line);
    }
    HAND_ON(kind_of_program(job, &line, &dialect, &abi, &has_parts));
    if (!dialect) {
        const char *family = shell_family(job);
        if (family)
            set_fact(&job->given, "--from", family);
        if (!family || line.words.count < 2)
            return start_natively(job, &line);
        abi = family;
    }
    /* The program's MPI is the one that is wanted, or nobody has said which: a launcher of it starts the line. */
    const char *wanted = up_to(setting(job->site, "host"), '@');
    if (!has_parts && (*wanted == 0 || is_same(wanted, abi)) && (file = native_launcher(job, abi, line.words.words[0]))) {
        line.words.words[0] = file;
        return carry_out(job, &(struct start){ .words = line.words, .launcher = "" });
    }
    return shim_exec(job, &line, dialect);
}
