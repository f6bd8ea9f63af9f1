/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that need no pair: those of an ABI that several implementations have, MPI's standard ABI, where one of them is there; and those
 * whose own MPI is there, unless something says that they are to run on another one. */
#include <stdlib.h>
#include <string.h>

#include "../site/setting.h"
#include "arena.h"
#include "choice.h"
#include "elf/file.h"
#include "file.h"
#include "texts.h"

int may_be_native(const struct job *job, const struct program *program)
{
    return is_shared(job->site, program->abi) || program->other_names.count > 0;
}

/* The names of the family's library, those that the program needs first. */
static const char *names_needed_first(const struct job *job, const struct program *program, const char *abi)
{
    struct list names = words_said_of(&job->site->families, abi, "libraries"), order = { 0 };
    const struct closure_found *found = program->subject ? needs_of(job, program->subject) : 0;
    for (size_t i = 0; found && i < names.count; i++)
        if (list_has(&found->names, names.words[i]))
            list_add(&order, names.words[i]);
    for (size_t i = 0; i < names.count; i++)
        list_add_once(&order, names.words[i]);
    return list_joined(&order, " ");
}

const struct pair *native_pair(const struct job *job, const struct program *program, const char *abi)
{
    struct pair *pair = arena_memory(sizeof *pair);
    struct list names = words_said_of(&job->site->families, abi, "implementations");
    pair->called = "";
    set_fact(&pair->facts, "host", abi);
    set_fact(&pair->facts, "host_libraries", names_needed_first(job, program, abi));
    set_fact(&pair->facts, "implementations", of_family(job->site, abi, "implementations"));
    for (size_t i = 0; i < names.count; i++) {
        const char *launchers = of_implementation(job->site, names.words[i], "launchers");
        const char *kind = of_implementation(job->site, names.words[i], "launcher");
        if (i == 0) {
            set_fact(&pair->facts, "launchers", launchers);
            set_fact(&pair->facts, "launcher_kind", kind);
        }
        set_fact(&pair->facts, arena_text("%s_launchers", names.words[i]), launchers);
        set_fact(&pair->facts, arena_text("%s_launcher_kind", names.words[i]), kind);
    }
    return pair;
}

/* ---------------------------------------------------------------- programs of earlier releases */

/* A library for Fortran that the program needs by an earlier release's name, or null. Such a program numbers datatypes as that release
 * did. */
static const char *earlier_fortran(const struct job *job, const struct program *program, const char *abi)
{
    struct list words = words_said_of(&job->site->families, abi, "fortran_library"), fortran = { 0 };
    for (size_t i = 0; i < words.count; i++)
        list_split_at(&fortran, words.words[i], ',');
    for (size_t i = 0; i < program->other_names.count; i++) {
        const char *name = program->other_names.words[i];
        if (is_earlier_name(job->site, name, abi) && list_has(&fortran, library_of_today(job->site, name, abi)))
            return name;
    }
    return 0;
}

/* Whether the program's mpi_f08 has variables for handles, as earlier releases have them; sets *starts to how their names begin. */
static int has_variables(const struct job *job, const struct program *program, const char *abi, struct list *starts)
{
    struct list words = words_said_of(&job->site->families, abi, "fortran_constants");
    for (size_t i = 0; i < words.count; i++)
        list_add(starts, up_to(words.words[i], '{'));
    return program->subject && starts->count > 0 && refers_by(program->subject, starts);
}

int lacks_variables(const struct job *job, const struct program *program)
{
    struct list starts = { 0 };
    if (!has_variables(job, program, program->abi, &starts))
        return 0;
    const struct closure_found *found = trace(program->subject, job->library_path, job->preload);
    const struct symbols *symbols = symbols_of(program->subject);
    const struct list *lists[] = { &symbols->imported, &symbols->defined };
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const char *symbol = lists[k]->words[i];
            int is_variable = 0, is_defined = 0;
            for (size_t j = 0; j < starts.count; j++)
                is_variable |= begins_with(symbol, starts.words[j]);
            for (size_t j = 0; is_variable && j < found->paths.count && !is_defined; j++)
                is_defined = *found->paths.words[j] && defines(found->paths.words[j], symbol);
            if (is_variable && !is_defined)
                return 1;
        }
    return 0;
}

const struct pair *pair_of_stand_ins(const struct job *job, const char *abi)
{
    for (size_t i = 0; i < job->site->pair_count; i++)
        if (is_same(said_in_pair(job->site->pairs[i], "application"), abi) && *said_in_pair(job->site->pairs[i], "stand_ins"))
            return job->site->pairs[i];
    return 0;
}

/* A library of that name that programs of earlier releases need, or null. */
static const char *early_library(const struct job *job, const char *abi, const char *name)
{
    const struct pair *pair = pair_of_stand_ins(job, abi);
    const char *file = pair ? arena_text("%s/stand-ins/%s.so", pair->folder, name) : 0;
    return file && is_there(file) && !strpbrk(file, " \t\n:") ? file : 0;
}

const char *library_for_earlier(const struct job *job, const struct program *program)
{
    struct list starts = { 0 };
    if (earlier_fortran(job, program, program->abi))
        return early_library(job, program->abi, "earlier_numbers");
    return has_variables(job, program, program->abi, &starts) ? early_library(job, program->abi, "f08_variables") : 0;
}

/* ---------------------------------------------------------------- an MPI of the program's own ABI */

const char *own_library_path(const struct job *job, const struct program *program, const struct pair *pair, const struct host_mpi *host,
                             const char *abi)
{
    const char *path = library_path_of(job, pair, host);
    const struct pair *helper = program->subject ? pair_of_stand_ins(job, abi) : 0;
    return helper ? with_stand_ins(job, program, helper, path) : path;
}

/* Whether the program's numbers of datatypes in Fortran are those of releases of today, or can be. */
static struct problem *check_numbers(const struct job *job, const struct program *program, const char *abi, const struct host_mpi *host)
{
    const char *name = earlier_fortran(job, program, abi);
    if (!name || early_library(job, abi, "earlier_numbers"))
        return 0;
    return problem_of("%s needs %s of an earlier %s, which numbers datatypes in Fortran otherwise than that of %s; run it on another MPI",
                      program->path, name, called(job->site, abi), host->library);
}

/* Whether the program refers to no data of an earlier release's mpi_f08 that no release of today has. */
static struct problem *check_variables(const struct job *job, const struct program *program, const char *abi)
{
    struct list lost = words_said_of(&job->site->families, abi, "lost");
    const char *by = of_family(job->site, abi, "lost_by");
    if (!program->subject || lost.count == 0 || *by == 0 || !list_has(&program->other_names, by))
        return 0;
    for (size_t i = 0; i < lost.count; i++) {
        const char *name = behind(lost.words[i], '=');
        if (imports(program->subject, name) || defines(program->subject, name))
            return problem_of("%s refers to %s of an earlier %s's mpi_f08, which no %s of today has; run it on another MPI", program->path, name,
                              called(job->site, abi), called(job->site, abi));
    }
    return 0;
}

/* Whether the dynamic linker finds each library that the program needs of its MPI, or a link will lead to it, which a DT_RPATH may hide. */
static struct problem *check_own_libraries(const struct job *job, const struct program *program, const char *abi, const struct pair *pair,
                                           const struct host_mpi *host)
{
    const struct site *site = job->site;
    if (!program->subject)
        return 0;
    const struct closure_found *found = trace(program->subject, own_library_path(job, program, pair, host, abi), "");
    for (size_t i = 0; i < found->names.count; i++) {
        const char *name = found->names.words[i], *file = found->paths.words[i];
        int is_other = list_has(&program->other_names, name);
        if (is_other && *file && !library_serves(site, file, abi))
            return problem_of("%s loads %s, which is no library of %s; remove the path to it with patchelf", program->path, file,
                              called(site, abi));
        if (*file || !has_word(of_family(site, abi, "needs"), name))
            continue;
        if (is_other || has_word(of_family(site, abi, "libraries"), name) || has_word(of_family(site, abi, "fortran_made"), name))
            continue;
        return problem_of("%s needs %s, which the %s of %s does not have; run it on another MPI", program->path, name, called(site, abi),
                          host->library);
    }
    return 0;
}

/* Whether an MPI of this ABI is there and, if that is asked for, its launcher, which is the one that the user wants, if any. Sets
 * host->library to "" where the MPI that is there cannot be used. */
static struct problem *check_native(struct job *job, const struct program *program, const char *abi, int with_launcher, const char *launcher,
                                    const struct pair **pair, struct host_mpi *host)
{
    *pair = native_pair(job, program, abi);
    *host = NO_HOST;
    HAND_ON(check_host_library(job, program, *pair, host));
    struct problem *problem = 0;
    if (belongs_to_pair(host->library))
        problem = problem_of("%s belongs to a pair and is not an MPI of the ABI %s; leave out --to", host->library, abi);
    problem = problem ? problem : check_numbers(job, program, abi, host);
    problem = problem ? problem : check_variables(job, program, abi);
    problem = problem ? problem : check_own_libraries(job, program, abi, *pair, host);
    if (problem)
        host->library = "";
    return problem || !with_launcher ? problem : check_launcher(job, *pair, launcher, host);
}

/* Whether the MPI that was found has the procedures and the data in C that the program needs, by whatever name the program needs its
 * library. */
static struct problem *check_procedures(const struct job *job, const struct program *program, const char *abi, const struct pair *pair,
                                        const struct host_mpi *host)
{
    if (!program->subject)
        return 0;
    struct list missing = unbound_symbols(program->subject, own_library_path(job, program, pair, host, abi),
                                          with_entry(host->library, job->preload), "MPI_ PMPI_");
    return missing.count == 0 ? 0 : problem_of("%s lacks %s, which %s needs; run it on another MPI", host->library, missing.words[0],
                                               program->path);
}

struct problem *choose_natively(struct job *job, const struct program *program, const char *to, int with_launcher, const char *launcher,
                                struct choice *choice, int *is_chosen, struct problem **why)
{
    const char *abi = program->abi;
    const struct pair *pair;
    struct host_mpi host;
    *is_chosen = 0;
    *why = 0;
    if (program->linked || (!is_same(to, abi) && (*to || !may_be_native(job, program))))
        return 0;
    if (*of_family(job->site, abi, "libraries") == 0)
        return 0;
    *why = check_native(job, program, abi, with_launcher, launcher, &pair, &host);
    if (!*why && *to == 0)
        *why = check_procedures(job, program, abi, pair, &host);
    if (!*why) {
        choice->pair = pair, choice->host = host, choice->is_native = 1;
        *is_chosen = 1;
        return 0;
    }
    if (*to)
        return *why;
    /* The launcher of a line says which MPI is meant. */
    if (*host.library == 0 && !(is_same(job->command, "exec") && starts_abi(job, job->launcher_kind, abi)))
        *why = 0;
    return 0;
}

int runs_itself(struct job *job, const struct program *program, const char *to, int with_launcher, const char *launcher,
                struct choice *choice)
{
    const struct pair *pair;
    struct host_mpi host;
    if (*to || program->linked || *of_family(job->site, program->abi, "libraries") == 0 ||
        check_native(job, program, program->abi, with_launcher, launcher, &pair, &host))
        return 0;
    choice->pair = pair, choice->host = host, choice->is_native = 1;
    return 1;
}

/* ---------------------------------------------------------------- the program's own MPI, where nothing says otherwise */

struct problem *own_file(struct job *job, struct program *program, const char **file)
{
    *file = program->subject;
    if (needs_of(job, program->subject)->status == ELF_YES && knows_mpi(job, &program->other_names, program->subject))
        return 0;
    if (*late_file_of(program, program->abi) == 0)
        HAND_ON(find_late_abis(job, program));
    *file = late_file_of(program, program->abi);
    return 0;
}

/* Whether a setting or a module names the library that was found. Ranks get it, whatever the dynamic linker finds. */
static int is_named(const struct job *job, const struct host_mpi *host)
{
    return *setting(job->site, "host_library") || *job->named_library || *host->prefix || host->is_ahead;
}

/* Whether the dynamic linker takes the host's library for what a file needs, and not another file of that MPI. */
static int loads_library(const struct job *job, const struct program *program, const struct pair *pair, const struct host_mpi *host,
                         const char *file)
{
    int any = 0;
    if (is_named(job, host))
        return 1;
    const struct closure_found *found = trace(file, own_library_path(job, program, pair, host, program->abi), job->preload);
    for (size_t i = 0; found->status == ELF_YES && i < found->names.count; i++) {
        if (!has_word(of_family(job->site, program->abi, "libraries"), found->names.words[i]))
            continue;
        if (!is_same_file(found->paths.words[i], host->library))
            return 0;
        any = 1;
    }
    return any;
}

static int misses(const struct job *job, const struct program *program, const struct pair *pair, const struct host_mpi *host, const char *file)
{
    const char *preload = is_named(job, host) ? with_entry(host->library, job->preload) : job->preload;
    const char *starts = arena_text("MPI_ PMPI_ MPIX_ PMPIX_ mpi_ pmpi_ %s", of_family(job->site, program->abi, "objects"));
    return unbound_symbols(file, own_library_path(job, program, pair, host, program->abi), preload, starts).count > 0;
}

int misses_procedures(const struct job *job, const struct program *program, const struct choice *choice, const char *file)
{
    return misses(job, program, choice->pair, &choice->host, file);
}

/* Whether an MPI of the ABI is here, one that the site's host_prefixes name if they name any, and has all that the file, if known, needs of
 * it. */
static int find_own(struct job *job, const struct program *program, const char *file, const struct pair **pair, struct host_mpi *host)
{
    struct program of_file = *program;
    of_file.subject = *file ? file : program->subject;
    if (check_native(job, &of_file, program->abi, 0, "", pair, host))
        return 0;
    if (*setting(job->site, "host_prefixes") && *host->prefix == 0)
        return 0;
    return *file == 0 || (loads_library(job, &of_file, *pair, host, file) && !misses(job, &of_file, *pair, host, file));
}

/* Finds the launcher of the library's installation, or the one that the user wants. */
static int find_own_launcher(struct job *job, const struct pair *pair, const char *launcher, struct host_mpi *host)
{
    struct list names = words_of(said_in_pair(pair, "launchers"));
    const char *prefix = prefix_of(host->library);
    for (size_t i = 0; i < names.count; i++)
        if (is_startable(arena_text("%s/bin/%s", prefix, names.words[i])) && !is_same(prefix, "/usr") && !is_same(prefix, host->prefix))
            host->prefix = prefix;
    return !check_launcher(job, pair, launcher, host) && (*launcher || starts_library(job, host, host->library));
}

/* Whether LD_LIBRARY_PATH, in which a module puts the MPI that it stands for, has one that a pair runs programs of this ABI on, and not
 * their own. */
static int meets_other_mpi(const struct job *job, const char *abi, const struct host_mpi *host)
{
    struct list folders = parts_of(job->library_path);
    if (is_named(job, host))
        return 0;
    for (size_t i = 0; i < folders.count; i++)
        if (is_same_file(folders.words[i], up_to_last(host->library, '/')))
            return 0;
    for (size_t i = 0; i < job->site->pair_count; i++) {
        const struct pair *pair = job->site->pairs[i];
        struct list names = words_of(said_in_pair(pair, "host_libraries"));
        if (is_same(said_in_pair(pair, "application"), abi) && library_in_path(job, pair, &names))
            return 1;
    }
    return 0;
}

/* Whether the command chooses the MPI: no option, variable or setting does, and files tell the ABI. The launch line chooses for `exec`, and
 * `env` is asked for what adapts. */
static int is_left_to_command(const struct job *job, const struct program *program, const char *to)
{
    return has_word("run check explain", job->command) && job->own_serves && *to == 0 && !program->abi_is_guess &&
           *given(job, "--preload") == 0 && *of_family(job->site, program->abi, "libraries");
}

void tell_other_release(struct job *job, const struct program *program, const struct host_mpi *host)
{
    struct host_mpi installed = NO_HOST;
    const struct pair *pair = native_pair(job, program, program->abi);
    const char *own = program->linked_name;
    if (!*program->linked->release || !*host->launcher || is_batch(job->site, host->launcher_kind) ||
        !is_same(of_implementation(job->site, program->linked_implementation, "inside_major"), "yes") ||
        check_host_library(job, program, pair, &installed) || !starts_library(job, host, installed.library))
        return;
    const char *other = mpi_of_file(job->site, installed.library, program->abi), *number = strrchr(other, ' '), *own_number = strrchr(own, ' ');
    if (number && own_number && atoi(number + 1) != 0 && atoi(number + 1) != atoi(own_number + 1))
        say(&job->messages, "%s has %s linked in, and %s is of %s, which may start each rank alone; start it with a launcher of %.*s, or give another "
                            "MPI with --to", program->linked_file, own, host->launcher, other, (int)strcspn(own, "."), own);
}

struct problem *choose_linked(struct job *job, const struct program *program, const char *to, int with_launcher, const char *launcher,
                              struct choice *choice, int *is_chosen)
{
    struct host_mpi host = NO_HOST;
    *is_chosen = 0;
    if (!program->linked || !(is_same(to, program->abi) || (is_left_to_command(job, program, to) && !meets_other_mpi(job, program->abi, &host))))
        return 0;
    const struct pair *pair = native_pair(job, program, program->abi);
    struct problem *problem = with_launcher || *to == 0 ? check_launcher(job, pair, launcher, &host) : 0;
    if (problem)
        return *to ? problem : 0;
    tell_other_release(job, program, &host);
    host.library = program->linked_file;
    choice->pair = pair, choice->host = host, choice->is_native = 1;
    choice->own_is_preferred = *to == 0;
    *is_chosen = 1;
    return 0;
}

void tell_unheeded(struct job *job, const struct program *program)
{
    static const char *const names[] = { "MPI_ADAPTER_HOST_TOOLS", "MPI_ADAPTER_REPORT", "MPI_ADAPTER_STATS", "MPI_ADAPTER_TRACE",
                                         "MPI_ADAPTER_VERBOSE" };
    struct list set = { 0 };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (*variable(names[i]))
            list_add(&set, names[i]);
    if (set.count > 0)
        say(&job->messages, "%s: no effect, as %s runs on its own MPI without a pair; give --to ABI for another MPI", joined(" and ", &set),
            program->path);
}

struct problem *prefer_own(struct job *job, struct program *program, const char *to, const char *launcher, struct choice *choice,
                           int *is_chosen)
{
    const struct pair *pair;
    struct host_mpi host;
    const char *file;
    *is_chosen = 0;
    if (program->linked || !is_left_to_command(job, program, to))
        return 0;
    HAND_ON(own_file(job, program, &file));
    if (!find_own(job, program, file, &pair, &host) || meets_other_mpi(job, program->abi, &host) ||
        !find_own_launcher(job, pair, launcher, &host))
        return 0;
    choice->pair = pair, choice->host = host;
    choice->is_native = choice->own_is_preferred = 1;
    *is_chosen = 1;
    return 0;
}
