/* SPDX-License-Identifier: BSD-3-Clause */
/* The host MPI of a pair, its launcher, and the choice of a pair. */
#include <fnmatch.h>
#include <string.h>

#include "../site/launcher.h"
#include "../site/setting.h"
#include "../site/suggest.h"
#include "arena.h"
#include "choice.h"
#include "elf/file.h"
#include "file.h"
#include "texts.h"

const char *library_path_of(const struct job *job, const struct pair *pair, const struct host_mpi *host)
{
    const char *path = job->library_path;
    if (*host->folders)
        path = prepended(host->folders, path);
    return pair->folder ? prepended(pair->folder, path) : path;
}

/* As the dynamic linker resolves it for the adapter, either as a need of the adapter or when opened by name. */
const char *find_library(const struct job *job, const struct program *program, const struct pair *pair, const struct host_mpi *host,
                         const char *name, const struct closure_found **found)
{
    const char *path = library_path_of(job, pair, host), *file;
    if (strchr(name, '/')) {
        *found = trace(name, path, "");
        return (*found)->status == ELF_YES ? name : 0;
    }
    if (pair->folder) {
        *found = trace(arena_text("%s/%s", pair->folder, up_to(said_in_pair(pair, "preload"), ' ')), path, "");
        if ((file = traced_file(*found, name)))
            return file;
    } else if (program->subject && (*found = trace(program->subject, path, ""))->status == ELF_YES && (file = traced_file(*found, name))) {
        *found = trace(file, path, "");
        return (*found)->status == ELF_YES ? file : 0;
    }
    *found = trace(job->site->program, path, name);
    return traced_file(*found, name);
}

static struct problem *no_library(const struct job *job, struct host_mpi *host, const char *family, const struct list *names, const char *wrong)
{
    const struct site *site = job->site;
    host->library = "";
    if (wrong && departs(site, wrong, family)) {
        host->departure = departs(site, wrong, family);
        return problem_again(host->departure);
    }
    if (wrong && *setting(site, "host_library"))
        return problem_of("%s is not an MPI library of the ABI %s; correct %s, which names it", described_library(site, wrong), family,
                          setting_origin(site, "host_library"));
    if (wrong)
        return problem_of("%s is not an MPI library of the ABI %s; put the folder of %s's ahead in LD_LIBRARY_PATH",
                          described_library(site, wrong), family, family);
    host->is_absent = 1;
    if (*setting(site, "host_library"))
        return problem_of("the MPI library of %s (%s) is not found; correct %s, which names it", family, list_joined(names, " "),
                          setting_origin(site, "host_library"));
    const char *package = package_of_family(site, family), *had_by = of_family(site, family, "had_by"), *all = list_joined(names, " ");
    if (*had_by)
        return problem_of("the MPI library of %s (%s) is not found; give another --to, install %s, or add its folder to LD_LIBRARY_PATH", family,
                          all, had_by);
    return problem_of("the MPI library of %s (%s) is not found; install it%s or add its folder to LD_LIBRARY_PATH", family, all, package);
}

/* Returns which folder of LD_LIBRARY_PATH a file is in, or how many there are. */
static size_t folder_in_path(const struct job *job, const char *file)
{
    struct list folders = parts_of(job->library_path);
    size_t i = 0;
    while (i < folders.count && !(file && is_same(up_to_last(file, '/'), folders.words[i])))
        i++;
    return i;
}

/* Returns the names in the order of the folders of LD_LIBRARY_PATH that have such a library, as a module puts its MPI's folder there,
 * whatever that calls its library. Others follow in their own order. */
static struct list in_order_of_folders(const struct job *job, const struct program *program, const struct pair *pair,
                                       const struct host_mpi *host, const struct list *names)
{
    size_t folders = parts_of(job->library_path).count, *places = arena_memory(names->count * sizeof *places);
    struct list ordered = { 0 };
    const struct closure_found *found;
    for (size_t i = 0; i < names->count; i++)
        places[i] = folder_in_path(job, find_library(job, program, pair, host, names->words[i], &found));
    for (size_t at = 0; at <= folders; at++)
        for (size_t i = 0; i < names->count; i++)
            if (places[i] == at)
                list_add(&ordered, names->words[i]);
    return ordered;
}

/* Returns the first of the names for which there is a file, or null. */
static const char *first_found(const struct job *job, const struct program *program, const struct pair *pair, const struct host_mpi *host,
                               const struct list *names)
{
    const struct closure_found *found;
    for (size_t i = 0; i < names->count; i++)
        if (find_library(job, program, pair, host, names->words[i], &found))
            return names->words[i];
    return "";
}

/* Takes the first of the names that is a library of the host. */
static struct problem *try_libraries(struct job *job, const struct program *program, const struct pair *pair, const struct list *names,
                                     struct host_mpi *host)
{
    const char *family = said_in_pair(pair, "host"), *wrong = 0;
    struct list ordered = names->count > 1 ? in_order_of_folders(job, program, pair, host, names) : *names;
    for (size_t i = 0; i < ordered.count; i++) {
        const struct closure_found *found;
        const char *file = find_library(job, program, pair, host, ordered.words[i], &found);
        if (!file)
            continue;
        host->library = file;
        if (is_damaged(file))
            return problem_of("%s is damaged, as a part of it is missing; install it again", file);
        if (!library_serves(job->site, file, family)) {
            wrong = wrong ? wrong : file;
            continue;
        }
        if (traced_missing(found))
            return problem_of("%s cannot be loaded, as it needs %s; install that or add its folder to LD_LIBRARY_PATH", file,
                              traced_missing(found));
        host->is_ahead = !is_same(ordered.words[i], first_found(job, program, pair, host, names));
        host->is_named = host->is_named || wrong || host->is_ahead;
        host->implementation = whose_library(job->site, file, family);
        return 0;
    }
    return no_library(job, host, family, names, wrong);
}

static struct problem *try_library(struct job *job, const struct program *program, const struct pair *pair, const char *name,
                                   struct host_mpi *host)
{
    struct list names = { 0 };
    list_add(&names, name);
    return try_libraries(job, program, pair, &names, host);
}

const char *library_in_path(const struct job *job, const struct pair *pair, const struct list *names)
{
    struct list folders = parts_of(job->library_path);
    for (size_t i = 0; i < folders.count; i++) {
        const char *file = is_there(arena_text("%s/pair.conf", folders.words[i]))
                               ? 0
                               : library_in_folder(job->site, folders.words[i], said_in_pair(pair, "host"), names);
        if (file)
            return file;
    }
    return 0;
}

/* The library that the pair or a host prefix says, with the host's folders, and its prefix if it is by that; or null. */
static const char *recorded_library(const struct job *job, const struct pair *pair, const struct list *names, struct host_mpi *host)
{
    const char *recorded = said_in_pair(pair, "host_library"), *family = said_in_pair(pair, "host");
    struct list prefixes = parts_of(setting(job->site, "host_prefixes"));
    if (*recorded) {
        host->folders = has_fact(&pair->facts, "library_path") ? said_in_pair(pair, "library_path") : up_to_last(recorded, '/');
        return recorded;
    }
    for (size_t i = 0; i < prefixes.count; i++) {
        const char *file = library_in_prefix(job->site, prefixes.words[i], family, names);
        if (!file) {
            const char *how = departs_in_prefix(job->site, prefixes.words[i], family, names);
            host->departure = how ? how : host->departure;
            continue;
        }
        host->folders = up_to_last(file, '/');
        host->prefix = prefixes.words[i];
        host->departure = 0;
        return file;
    }
    return 0;
}

/* Its folder goes ahead of the user's only where it must. */
static struct problem *take_recorded(struct job *job, const struct program *program, const struct pair *pair, const char *library,
                                     struct host_mpi *host)
{
    const char *folders = host->folders;
    host->is_named = 1;
    host->folders = "";
    if (!try_library(job, program, pair, library, host))
        return 0;
    host->folders = folders;
    host->is_absent = 0;
    return try_library(job, program, pair, library, host);
}

/* Whether LD_LIBRARY_PATH has the folder of a library. */
static int is_in_library_path(const struct job *job, const char *library)
{
    return folder_in_path(job, library) < parts_of(job->library_path).count;
}

/* Returns the prefix of the MPI whose mpiexec is the first in PATH, if it has a library of this ABI, and is none of the system's; or "". */
static const char *prefix_in_path(const struct job *job, const char *abi, const struct list *names)
{
    const char *launcher = find_in_path("mpiexec"), *file = launcher ? real_path(launcher) : 0;
    /* Looking through the system's libraries takes long. */
    if (!file || is_same(up_to_last(file, '/'), "/usr/bin") || is_same(up_to_last(file, '/'), "/bin"))
        return "";
    const char *library = library_of_launcher(job, launcher, abi, names), *prefix = library ? prefix_of(library) : "";
    return is_same(prefix, "/usr") ? "" : prefix;
}

/* Returns the prefixes at which modules and users say that an MPI of this ABI is, by variables, and what PATH leads to. */
static struct list told_prefixes(const struct job *job, const char *abi, const struct list *names)
{
    struct list implementations = words_said_of(&job->site->families, abi, "implementations"), prefixes = { 0 };
    for (size_t i = 0; i < implementations.count; i++) {
        struct list variables = words_said_of(&job->site->implementations, implementations.words[i], "installed");
        for (size_t j = 0; j < variables.count; j++)
            if (*variable(variables.words[j]) == '/')
                list_add(&prefixes, variable(variables.words[j]));
    }
    const char *in_path = prefix_in_path(job, abi, names);
    if (*in_path)
        list_add(&prefixes, in_path);
    return prefixes;
}

/* Takes the library of a prefix, if one serves. */
static int take_of_prefix(struct job *job, const struct program *program, const struct pair *pair, const struct list *names,
                          const char *prefix, struct host_mpi *host)
{
    struct host_mpi other = *host;
    const char *file = library_in_prefix(job->site, prefix, said_in_pair(pair, "host"), names);
    if (!file)
        return 0;
    other.folders = up_to_last(file, '/');
    other.is_absent = 0;
    if (take_recorded(job, program, pair, file, &other))
        return 0;
    *host = other;
    host->prefix = prefix;
    return 1;
}

/* A found library stands back behind that of the MPI which PATH has first, unless LD_LIBRARY_PATH leads to it. Programs that need no pair
 * stay with what the dynamic linker finds. */
static void follow_path(struct job *job, const struct program *program, const struct pair *pair, const struct list *names, struct host_mpi *host)
{
    const char *abi = said_in_pair(pair, "host"), *prefix = pair->folder ? prefix_in_path(job, abi, names) : "";
    const char *library = *prefix && !is_in_library_path(job, host->library) ? library_in_prefix(job->site, prefix, abi, names) : 0;
    if (library && !is_same_mpi(job, library, host->library, abi))
        take_of_prefix(job, program, pair, names, prefix, host);
}

struct problem *check_host_library(struct job *job, const struct program *program, const struct pair *pair, struct host_mpi *host)
{
    struct list names = words_of(said_in_pair(pair, "host_libraries"));
    const char *named = setting(job->site, "host_library"), *library;
    struct host_mpi before = *host;
    *host = NO_HOST;
    host->launcher = before.launcher;
    host->launcher_kind = before.launcher_kind;
    if (*named) {
        const char *first = up_to(named, ':');
        host->is_named = !is_same(setting_origin(job->site, "host_library"), setting_variable("host_library"));
        host->behind = named + strlen(first);
        return try_library(job, program, pair, first, host);
    }
    if (*job->named_library && library_serves(job->site, job->named_library, said_in_pair(pair, "host"))) {
        host->folders = up_to_last(job->named_library, '/');
        return take_recorded(job, program, pair, job->named_library, host);
    }
    if ((library = recorded_library(job, pair, &names, host)))
        return take_recorded(job, program, pair, library, host);
    if (host->departure)
        return problem_again(host->departure);
    struct problem *problem = try_libraries(job, program, pair, &names, host);
    if (!problem) {
        follow_path(job, program, pair, &names, host);
        return 0;
    }
    struct host_mpi other = *host;
    if ((library = library_in_path(job, pair, &names)) && !try_library(job, program, pair, library, &other)) {
        *host = other;
        host->is_named = 1;
        host->is_absent = 0;
        return 0;
    }
    struct list prefixes = told_prefixes(job, said_in_pair(pair, "host"), &names);
    for (size_t i = 0; host->is_absent && i < prefixes.count; i++)
        if (take_of_prefix(job, program, pair, &names, prefixes.words[i], host))
            return 0;
    return problem;
}

struct problem *check_pair_files(const struct pair *pair)
{
    struct list names = words_of(said_in_pair(pair, "preload"));
    for (size_t i = 0; i < names.count; i++)
        if (!is_readable(arena_text("%s/%s", pair->folder, names.words[i])))
            return problem_of("%s/%s is missing; install the pair again", pair->folder, names.words[i]);
    if (strpbrk(pair->folder, ":;"))
        return problem_of("the dynamic loader cannot search %s, as its name has a ':' or ';'; install into another folder", pair->folder);
    return 0;
}

const struct host_mpi NO_HOST = { .library = "", .implementation = "", .behind = "", .folders = "", .prefix = "", .preload = "", .launcher = "",
                                  .launcher_kind = "" };

/* ---------------------------------------------------------------- launchers */

/* One that may be several's names the first without a word. */
const char *launchers_of_pair(const struct pair *pair, const struct host_mpi *host, const char *key)
{
    const char *of_host = arena_text("%s_%s", host->implementation, key);
    return said_in_pair(pair, has_fact(&pair->facts, of_host) ? of_host : key);
}

const char *prefix_of(const char *library)
{
    const char *folder = up_to_last(library, '/'), *lib = 0;
    for (const char *at = folder; (at = strstr(at, "/lib")); at++)
        lib = at;
    return lib ? arena_text("%.*s", (int)(lib - folder), folder) : folder;
}

int starts_abi(const struct job *job, const char *kind, const char *abi)
{
    struct list names = words_said_of(&job->site->families, abi, "implementations");
    for (size_t i = 0; i < names.count; i++)
        if (is_same(of_implementation(job->site, names.words[i], "launcher"), kind))
            return 1;
    for (size_t i = 0; i < job->site->pair_count; i++)
        if (is_same(said_in_pair(job->site->pairs[i], "host"), abi) && is_same(said_in_pair(job->site->pairs[i], "launcher_kind"), kind))
            return 1;
    return 0;
}

/* The launchers of a pair that come into question. */
static struct list recorded_launchers(const struct pair *pair, const struct host_mpi *host)
{
    struct list found = words_of(launchers_of_pair(pair, host, "launchers")), names = { 0 };
    const char *recorded = said_in_pair(pair, "launcher"), *top = prefix_of(host->library);
    if (*recorded) {
        list_add(&names, recorded);
        return names;
    }
    for (size_t i = 0; *host->prefix && i < found.count; i++)
        list_add(&names, arena_text("%s/bin/%s", host->prefix, found.words[i]));
    if (*top && !is_same(top, "/usr") && !is_same(top, host->prefix))
        for (size_t i = 0; i < found.count; i++) {
            const char *file = arena_text("%s/bin/%s", top, found.words[i]);
            if (is_startable(file))
                list_add(&names, file);
        }
    list_add_all(&names, &found);
    return names;
}

/* Whether a library is of the installation that a launcher is of. */
static int is_in_prefix(const char *library, const char *launcher)
{
    const char *slash = strrchr(launcher, '/'), *top = slash ? up_to_last(up_to_last(launcher, '/'), '/') : "";
    if (!slash || !strchr(up_to_last(launcher, '/'), '/') || *top == 0 || !begins_with(library, arena_text("%s/", top)))
        return 0;
    return !is_same(top, "/usr") || !begins_with(library, "/usr/local/");
}

int starts_library(const struct job *job, const struct host_mpi *host, const char *library)
{
    const char *real = real_path(library), *launcher = real_path(host->launcher);
    if (is_batch(job->site, host->launcher_kind))
        return 1;
    return is_in_prefix(library, host->launcher) || (launcher && is_in_prefix(library, launcher)) ||
           (real && (is_in_prefix(real, host->launcher) || (launcher && is_in_prefix(real, launcher))));
}

const char *library_of_launcher(const struct job *job, const char *launcher, const char *abi, const struct list *names)
{
    const char *files[] = { launcher, real_path(launcher) };
    for (int i = 0; i < 2; i++) {
        if (!files[i] || fnmatch("*/bin/*", files[i], 0) != 0)
            continue;
        const char *own = library_in_prefix(job->site, up_to_last(up_to_last(files[i], '/'), '/'), abi, names);
        if (own)
            return own;
    }
    return 0;
}

int is_same_mpi(const struct job *job, const char *library, const char *other, const char *abi)
{
    if (is_same_file(library, other))
        return 1;
    const char *called_as = mpi_of_file(job->site, library, abi);
    return strpbrk(called_as, "0123456789") && is_same(called_as, mpi_of_file(job->site, other, abi));
}

/* Whether a launcher's installation has an MPI library of the host's ABI itself, and of another MPI than the one that was chosen: two
 * versions of an MPI would be one job. One that stands alone, as wrappers do, starts what is there. */
static int is_of_other(const struct job *job, const struct pair *pair, const struct host_mpi *host)
{
    struct list names = words_of(said_in_pair(pair, "host_libraries"));
    const char *abi = said_in_pair(pair, "host"), *own;
    if (*host->library == 0 || starts_library(job, host, host->library))
        return 0;
    own = library_of_launcher(job, host->launcher, abi, &names);
    return own && !is_same_mpi(job, own, host->library, abi);
}

static struct problem *no_launcher(const struct job *job, const struct pair *pair, const struct host_mpi *host, const char *wanted,
                                   const struct list *names, const char *wrong, const char *other)
{
    const char *family = said_in_pair(pair, "host"), *name = family;
    if (*said_in_pair(pair, "implementations") && *host->implementation)
        name = host->implementation;
    if (other)
        return problem_of("the launcher %s is of another installation than %s; put that one's ahead in PATH, or give it by --launcher PATH", other,
                          host->library);
    if (wrong && is_same(job->command, "exec"))
        return problem_of("the launcher %s is not one of %s; put %s's in the line, or use 'mpi-adapter env'", wrong, name, name);
    if (wrong)
        return problem_of("the launcher %s is not one of %s; give %s's with --launcher PATH, or use 'mpi-adapter env'", wrong, name, name);
    if (*wanted) {
        const char *origin = setting_origin(job->site, "launcher");
        return problem_of("the launcher %s is missing or not executable; correct %s", wanted,
                          *given(job, "--launcher") || *origin == 0 ? "--launcher" : origin);
    }
    return problem_of("no launcher of %s (%s) is in PATH; install it%s or give --launcher PATH", name, list_joined(names, " "),
                      package_of_family(job->site, family));
}

/* Whether a file is a launcher that starts the pair's host. Sets *wrong or *other to the first one that is of another kind, or of another
 * installation than the library, unless the user wants that. */
static int takes_launcher(struct job *job, const struct pair *pair, const char *file, int is_wanted, struct host_mpi *host,
                          const char **wrong, const char **other)
{
    const char *kind = launchers_of_pair(pair, host, "launcher_kind");
    host->launcher = file;
    host->launcher_kind = kind_of_launcher(job->site, file);
    /* One that is not asked is taken for what its name says. */
    if (is_same(host->launcher_kind, UNASKED))
        host->launcher_kind = kind;
    int is_right = is_same(host->launcher_kind, kind);
    if (!is_wanted && is_right && is_of_other(job, pair, host)) {
        *other = *other ? *other : file;
        return 0;
    }
    if (is_right || is_batch(job->site, host->launcher_kind))
        return 1;
    *wrong = *wrong ? *wrong : file;
    return 0;
}

struct problem *check_launcher(struct job *job, const struct pair *pair, const char *wanted, struct host_mpi *host)
{
    const char *wrong = 0, *other = 0, *file;
    int is_wanted = *wanted || *said_in_pair(pair, "launcher"), is_last = 0;
    struct list names = { 0 };
    if (*wanted)
        list_add(&names, wanted);
    else
        names = recorded_launchers(pair, host);
    /* The first of each name comes before others that PATH has of it, which the user cannot mean by the name. */
    for (size_t nth = 0; !is_last; nth++) {
        is_last = 1;
        for (size_t i = 0; i < names.count; i++) {
            if (!(file = nth_launcher(job->site, names.words[i], nth)))
                continue;
            is_last = *wanted != 0;
            if (is_file(file) && is_startable(file) && takes_launcher(job, pair, file, is_wanted, host, &wrong, &other))
                return 0;
        }
    }
    host->launcher = "";
    return no_launcher(job, pair, host, wanted, &names, wrong, other);
}

/* ---------------------------------------------------------------- libraries to preload with the host */

/* The setting that counts for the pair's host: the environment's, that of the MPI for which the pair was made, that of the host's ABI, or
 * that of all hosts. */
static const char *host_preload_key(const struct job *job, const struct pair *pair)
{
    const char *host = said_in_pair(pair, "host");
    const char *made = arena_text("host_preload.%s@%s", host, said_in_pair(pair, "name")), *of_abi = arena_text("host_preload.%s", host);
    if (is_same(setting_origin(job->site, "host_preload"), setting_variable("host_preload")))
        return "host_preload";
    return *setting(job->site, made) ? made : *setting(job->site, of_abi) ? of_abi : "host_preload";
}

/* The dynamic linker itself passes over what it cannot preload, and the program would go wrong later. */
struct problem *check_host_preload(struct job *job, const struct pair *pair, struct host_mpi *host)
{
    const char *key = host_preload_key(job, pair), *place = setting_origin(job->site, key), *path = library_path_of(job, pair, host);
    struct list items = parts_of(setting(job->site, key));
    host->preload = "";
    for (size_t i = 0; i < items.count; i++) {
        const char *name = items.words[i], *file = name;
        HAND_ON(check_preloaded(place, key, name));
        if (strchr(name, '/') ? !is_file(name) || !is_readable(name) : !(file = traced_file(trace(job->site->program, path, name), name)))
            return problem_of("%s, which %s (%s) has preloaded, is not found; correct the setting, or install it", name, key, place);
        if (facts_of(file)->status != ELF_YES || !is_same(facts_of(file)->linkage, "library") || !is_own_machine(job->site, file))
            return problem_of("%s, which %s (%s) has preloaded, is not a library for this machine; correct the setting", file, key, place);
        const struct closure_found *found = trace(file, path, "");
        if (found->status == ELF_YES && traced_missing(found))
            return problem_of("%s, which %s (%s) has preloaded, needs %s; install that or add its folder to LD_LIBRARY_PATH", file, key, place,
                              traced_missing(found));
        host->preload = with_entry(host->preload, file);
    }
    return 0;
}

const char *with_host_preload(const char *list, const struct host_mpi *host)
{
    struct list files = parts_of(host->preload);
    for (size_t i = 0; i < files.count; i++) {
        char *entries = arena_text("%s", list);
        for (char *at = entries; (at = strpbrk(at, " \t\n"));)
            *at = ':';
        if (!has_entry(entries, files.words[i]))
            list = with_entry(list, files.words[i]);
    }
    return list;
}

/* ---------------------------------------------------------------- the choice of a pair */

static const char *digits_of(const char *text)
{
    char *digits = arena_memory(strlen(text) + 1), *end = digits;
    for (; *text; text++)
        if (*text >= '0' && *text <= '9')
            *end++ = *text;
    return digits;
}

/* A name with other digits is that of another release, and no slip. */
static const char *meant_host(const char *to, const struct list *hosts)
{
    struct list same = { 0 };
    for (size_t i = 0; i < hosts->count; i++)
        if (is_same(digits_of(hosts->words[i]), digits_of(to)))
            list_add(&same, hosts->words[i]);
    return did_you_mean(to, &same);
}

/* The names of pairs that are made for these, whether they are installed or not. */
static const char *pairs_that_run(const struct job *job, const char *from, const char *to)
{
    const char *pattern = arena_text("%s-to-%s", from, *to ? to : "*");
    struct list names = { 0 };
    for (size_t i = 0; i < job->site->pair_names.count; i++)
        if (is_like(job->site->pair_names.words[i], pattern))
            list_add(&names, job->site->pair_names.words[i]);
    if (names.count == 0)
        list_add(&names, arena_text("%s-to-%s", from, *to ? to : "HOST"));
    return joined(" or ", &names);
}

static struct problem *no_pair(const struct job *job, const char *from, const char *to)
{
    struct list hosts = { 0 };
    const char *others = "", *meant;
    for (size_t i = 0; i < job->site->pair_count; i++)
        if (is_same(said_in_pair(job->site->pairs[i], "application"), from))
            list_add_once(&hosts, host_of_pair(job->site->pairs[i]));
    list_sort(&hosts);
    if (hosts.count > 0)
        others = arena_text(", or give --to one of: %s", list_joined(&hosts, " "));
    if (strchr(to, '@') && (meant = meant_host(to, &hosts)))
        return problem_of("no installed pair runs programs of %s on %s; %s", from, to, meant);
    if (strchr(to, '@'))
        return problem_of("no installed pair runs programs of %s on %s; make one with 'mpi-adapter build --host PREFIX --name %s'%s", from, to,
                          behind(to, '@'), others);
    return problem_of("no installed pair runs programs of %s%s%s; install %s%s", from, *to ? " on " : "", to, pairs_that_run(job, from, to), others);
}

static int is_on(const struct pair *pair, const char *to)
{
    if (*to && !is_same(said_in_pair(pair, "host"), up_to(to, '@')))
        return 0;
    return !strchr(to, '@') || is_same(said_in_pair(pair, "name"), behind(to, '@'));
}

struct problem *choose_pair(struct job *job, const struct program *program, const char *to, int with_launcher, const char *launcher,
                            struct problem *before, struct choice *choice, int *has_host)
{
    struct problem *first = before;
    int candidates = 0;
    *has_host = has_fact(&job->site->settings, "host_library");
    for (size_t i = 0; i < job->site->pair_count; i++) {
        const struct pair *pair = job->site->pairs[i];
        struct host_mpi host = NO_HOST;
        if (!is_same(said_in_pair(pair, "application"), program->abi) || !is_on(pair, to))
            continue;
        candidates++;
        struct problem *problem = check_pair_files(pair);
        problem = problem ? problem : check_host_library(job, program, pair, &host);
        int is_absent = problem && (host.is_absent || host.departure);
        problem = problem || !with_launcher ? problem : check_launcher(job, pair, launcher, &host);
        if (!problem) {
            choice->pair = pair;
            choice->host = host;
            return 0;
        }
        /* If a library that the pair names is gone, the user has to mend it. */
        if (*said_in_pair(pair, "host_library") || !is_absent)
            *has_host = 1;
        first = first ? first : problem;
    }
    return candidates > 0 || first ? first : no_pair(job, program->abi, to);
}
