/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment that ranks need. */
#include <string.h>

#include "../site/setting.h"
#include "arena.h"
#include "choice.h"
#include "elf/file.h"
#include "file.h"
#include "texts.h"

static void set_for_ranks(struct choice *choice, const char *name, const char *value)
{
    set_fact(&choice->environment, name, value);
}

/* Returns what ranks have in a variable, if this is not what the user has there. */
static const char *for_ranks(const struct choice *choice, const char *name, const char *users)
{
    return has_fact(&choice->environment, name) ? fact(&choice->environment, name) : users;
}

static const char *library_path_for_ranks(const struct job *job, const struct choice *choice)
{
    return for_ranks(choice, "LD_LIBRARY_PATH", job->library_path);
}

static const char *preload_for_ranks(const struct job *job, const struct choice *choice)
{
    return for_ranks(choice, "LD_PRELOAD", job->preload);
}

static int has_space(const char *text)
{
    return strpbrk(text, " \t\n\r\v\f") != 0;
}

/* Returns a list such as LD_PRELOAD with colons in the place of white space. */
static const char *with_colons(const char *list)
{
    char *entries = arena_text("%s", list);
    for (char *at = entries; (at = strpbrk(at, " \t\n"));)
        *at = ':';
    return entries;
}

/* ---------------------------------------------------------------- stand-ins */

/* The folder of the pair's stand-in for NAME: the one that leads to the bindings by another name, if the dynamic linker finds them by
 * PATH. */
static const char *stand_in_folder(const struct job *job, const struct pair *pair, const char *path, const char *name)
{
    struct list others = words_of(said_in_pair(pair, "stand_ins"));
    for (size_t i = 0; i < others.count; i++)
        if (!is_same(others.words[i], name) && traced_file(trace(job->site->program, path, others.words[i]), others.words[i]))
            return arena_text("%s/stand-ins/%s/by-%s", pair->folder, name, others.words[i]);
    return arena_text("%s/stand-ins/%s", pair->folder, name);
}

static int is_missing(const struct closure_found *found, const char *name)
{
    for (size_t i = 0; i < found->names.count; i++)
        if (*found->paths.words[i] == 0 && is_same(found->names.words[i], name))
            return 1;
    return 0;
}

/* Only then, and last: what the dynamic linker finds behind LD_LIBRARY_PATH is the program's own. */
const char *with_stand_ins(const struct job *job, const struct program *program, const struct pair *pair, const char *path)
{
    struct list stand_ins = words_of(said_in_pair(pair, "stand_ins")), runtime = words_of(said_in_pair(pair, "runtime"));
    const char *longer = path;
    if (stand_ins.count + runtime.count == 0)
        return path;
    const struct closure_found *found = trace(program->subject, path, job->preload);
    for (size_t i = 0; i < stand_ins.count; i++)
        if (is_missing(found, stand_ins.words[i]))
            longer = with_entry(longer, stand_in_folder(job, pair, path, stand_ins.words[i]));
    /* If the dynamic linker finds one of these, launchers and compilers need it, and ours does not fit them. */
    for (size_t i = 0; i < runtime.count; i++)
        if (is_missing(found, runtime.words[i]))
            longer = with_entry(longer, arena_text("%s/stand-ins/%s", pair->folder, runtime.words[i]));
    return longer;
}

/* A name of MPI's classes for C++ to which the program refers and that nothing has that it loads, or null. */
static const char *missing_class_member(const struct program *program, const struct closure_found *found)
{
    const struct symbols *symbols = symbols_of(program->subject);
    for (size_t i = 0; i < symbols->imported.count; i++) {
        const char *symbol = symbols->imported.words[i];
        if (!is_like(symbol, "_Z*N3MPI*") && !is_like(symbol, "_ZNK3MPI*"))
            continue;
        int is_defined = defines(program->subject, symbol);
        for (size_t j = 0; j < found->paths.count && !is_defined; j++)
            is_defined = *found->paths.words[j] && defines(found->paths.words[j], symbol);
        if (!is_defined)
            return symbol;
    }
    return 0;
}

/* Says which libraries are the pair's stand-ins, and whose program cannot do with one. */
static void tell_stand_ins(struct job *job, const struct program *program, const struct pair *pair, const struct closure_found *found)
{
    const char *served = 0, *member;
    for (size_t i = 0; i < found->names.count; i++) {
        const char *name = found->names.words[i], *path = found->paths.words[i];
        if (*path == 0 || !has_word(said_in_pair(pair, "stand_ins"), name))
            continue;
        if (begins_with(path, arena_text("%s/stand-ins/", pair->folder))) {
            say_more(&job->messages, "%s is not found; the stand-in %s serves", name, path);
            served = name;
        } else
            say_more(&job->messages, "bindings for C++ %s", path);
    }
    if (served && (member = missing_class_member(program, found)))
        say(&job->messages, "%s uses MPI's classes for C++, as %s, and %s, which has them, is not found; "
                            "install it or add its folder to LD_LIBRARY_PATH", program->path, member, served);
}

/* ---------------------------------------------------------------- what the pair's libraries compete with */

/* The libraries of the pair that the dynamic linker would take from elsewhere, because a DT_RPATH beats LD_LIBRARY_PATH. */
static struct list shadowed_libraries(const struct pair *pair, const struct closure_found *found)
{
    struct list shadowed = { 0 };
    for (size_t i = 0; i < found->names.count; i++) {
        const char *ours = arena_text("%s/%s", pair->folder, found->names.words[i]);
        if (is_there(ours) && !is_same_file(found->paths.words[i], ours))
            list_add(&shadowed, found->names.words[i]);
    }
    return shadowed;
}

static struct list libraries_of_pair(const struct pair *pair)
{
    struct list files = { 0 }, own = { 0 };
    char *pattern = arena_text("%s/*.so*", glob_escaped(pair->folder));
    files = files_like(pattern);
    for (size_t i = 0; i < files.count; i++)
        if (*link_text(files.words[i]) == 0)
            list_add(&own, files.words[i]);
    return own;
}

/* Some launchers put library folders of their own installation ahead of the LD_LIBRARY_PATH that they are told to give. Returns the
 * libraries of the pair that are thereby hidden; those for Fortran only if they are needed. */
static struct list hidden_by_launcher(const struct job *job, const struct choice *choice, const struct closure_found *found)
{
    struct list ahead = words_of(launcher_fact(job->site, choice->host.launcher_kind, "ahead")), hidden = { 0 };
    const char *launcher = *choice->host.launcher ? real_path(choice->host.launcher) : 0;
    if (!launcher || ahead.count == 0)
        return hidden;
    const char *base = arena_text("%s/..", up_to_last(launcher, '/'));
    struct list files = libraries_of_pair(choice->pair);
    for (size_t i = 0; i < files.count; i++) {
        const char *name = base_name(files.words[i]);
        int is_hidden = 0;
        for (size_t j = 0; j < ahead.count && !is_hidden; j++)
            is_hidden = is_there(arena_text("%s/%s/%s", base, ahead.words[j], name));
        if (is_hidden && (!has_word(said_in_pair(choice->pair, "fortran"), name) || (found && list_has(&found->names, name))))
            list_add(&hidden, name);
    }
    return hidden;
}

/* Libraries of the pair as LD_PRELOAD wants them, each once. */
static struct problem *preload_list(const struct program *program, const struct pair *pair, const struct list *names, const char **list)
{
    *list = "";
    if (has_space(pair->folder))
        return problem_of("LD_PRELOAD, which %s needs, cannot hold %s, as its name has a space; install into another folder", program->path,
                          pair->folder);
    for (size_t i = 0; i < names->count; i++) {
        const char *file = arena_text("%s/%s", pair->folder, names->words[i]);
        if (!has_entry(*list, file))
            *list = with_entry(*list, file);
    }
    return 0;
}

/* Whether the dynamic linker finds none of the pair's libraries among the needs of the program that is started first: it is a script,
 * starts another or opens one. */
static int loads_mpi_late(const struct program *program, const struct pair *pair, const struct closure_found *found, const char *links)
{
    if (!program->subject)
        return 0;
    if (program->is_script || program->is_started_by_other)
        return 1;
    for (size_t i = 0; i < found->names.count; i++) {
        const char *name = found->names.words[i];
        if (is_there(arena_text("%s/%s", pair->folder, name)) || (*links && is_there(arena_text("%s/%s", links, name))))
            return 0;
    }
    return 1;
}

/* ---------------------------------------------------------------- the guard */

static const char *guard_of(const struct job *job)
{
    return job->site->guard;
}

/* Whether ranks can have guard.so preloaded; says why not. */
static struct problem *check_guard(struct job *job, const struct program *program, int *can_be)
{
    const char *guard = guard_of(job);
    *can_be = 0;
    if (!is_readable(guard))
        return problem_of("%s is missing; install mpi-adapter again", guard);
    if (has_space(guard))
        say(&job->messages, "LD_PRELOAD cannot hold %s, as its name has a space, so another MPI that %s finds by a path of its own goes unnoticed; "
                            "install into another folder", guard, program->path);
    else
        *can_be = 1;
    return 0;
}

/* A wrapper between the launcher and MPI may change the environment, and a module may open its MPI by a path. */
static struct problem *guard_ranks(struct job *job, const struct program *program, struct choice *choice)
{
    const struct pair *pair = choice->pair;
    struct list names = words_of(said_in_pair(pair, "preload")), files;
    const char *guard = guard_of(job), *list = guard;
    int can_be;
    HAND_ON(check_guard(job, program, &can_be));
    if (!can_be)
        return 0;
    for (size_t i = 0; i < names.count; i++)
        list = arena_text("%s:%s/%s", list, pair->folder, names.words[i]);
    files = libraries_of_pair(pair);
    for (size_t i = 0; i < files.count; i++)
        if (!has_entry(list, files.words[i]))
            list = with_entry(list, files.words[i]);
    if (*choice->host.preload)
        list = with_entry(list, choice->host.preload);
    set_for_ranks(choice, "LD_PRELOAD", with_entry(preload_for_ranks(job, choice), guard));
    set_for_ranks(choice, "MPI_ADAPTER_PRELOAD", list);
    set_for_ranks(choice, "MPI_ADAPTER_LIBRARY_PATH", fact(&choice->environment, "LD_LIBRARY_PATH"));
    return 0;
}

static int has_sanitizer(const struct closure_found *found)
{
    for (size_t i = 0; i < found->names.count; i++)
        if (begins_with(found->names.words[i], "libasan") || begins_with(found->names.words[i], "libclang_rt.asan"))
            return 1;
    return 0;
}

/* The run time of the address sanitizer ends a program where anything is preloaded ahead of it. The guard has it go on; a variable does
 * where the program has options of its own, which the guard's would replace. */
struct problem *let_sanitizer_follow(struct job *job, const struct program *program, struct choice *choice)
{
    const char *list = fact(&choice->environment, "LD_PRELOAD"), *guard = guard_of(job), *options = variable("ASAN_OPTIONS");
    int can_be;
    if (!program->subject || *list == 0 || !has_sanitizer(trace(program->subject, library_path_for_ranks(job, choice), list)))
        return 0;
    if (program->linked || defines(program->subject, "__asan_default_options")) {
        set_for_ranks(choice, "ASAN_OPTIONS", arena_text("verify_asan_link_order=0%s%s", *options ? ":" : "", options));
        return 0;
    }
    if (has_entry(list, guard))
        return 0;
    if (!choice->is_native)
        return guard_ranks(job, program, choice);
    HAND_ON(check_guard(job, program, &can_be));
    if (can_be)
        set_for_ranks(choice, "LD_PRELOAD", with_entry(list, guard));
    return 0;
}

/* ---------------------------------------------------------------- what is preloaded */

/* Returns an LD_PRELOAD with the pair's libraries in place of those of their names. People preload their MPI for modules that need its
 * symbols. */
static const char *adapted_preload(const struct pair *pair, const char *preload)
{
    struct list files = parts_of(with_colons(preload));
    const char *list = "";
    int is_changed = 0;
    if (!strchr(preload, '/') || has_space(pair->folder))
        return preload;
    for (size_t i = 0; i < files.count; i++) {
        const char *file = files.words[i], *ours = arena_text("%s/%s", pair->folder, base_name(file));
        if (strchr(file, '/') && is_there(ours))
            file = ours, is_changed = 1;
        list = with_entry(list, file);
    }
    return is_changed ? list : preload;
}

/* Sets *list to those libraries of the host's MPI that the program brings, too, and that serve both if they are there first.
 * Each gets its own of all others. */
static struct problem *find_conflicts(struct job *job, const struct program *program, const struct choice *choice, const char *path,
                                      const char *preload, const char **list)
{
    *list = "";
    if (!program->subject || *choice->host.library == 0)
        return 0;
    struct conflicts_found found = conflicts_of(program->subject, path, preload, choice->pair->folder, choice->host.library);
    for (size_t i = 0; i < found.kinds.count; i++) {
        const char *kind = found.kinds.words[i], *file = found.files.words[i], *text = found.texts.words[i];
        if (is_same(kind, "refused"))
            return problem_of("%s; give the program a newer one", text);
        if (is_same(kind, "preload")) {
            if (strpbrk(file, " \t\n:"))
                continue;
            *list = with_entry(*list, file);
        }
        say_more(&job->messages, "both bring %s", text);
    }
    return 0;
}

/* Notes files that are preloaded. Processes that ranks start are no MPI programs: the adapter removes from their LD_PRELOAD the libraries in
 * MPI_ADAPTER_PRELOAD. It also tells by that variable whether it is needed itself, so its own libraries are added. */
static struct problem *note_preload(const struct program *program, struct choice *choice, const char *files)
{
    struct list names = words_of(said_in_pair(choice->pair, "preload"));
    const char *list = fact(&choice->environment, "MPI_ADAPTER_PRELOAD");
    if (*files == 0 || has_space(choice->pair->folder))
        return 0;
    if (*list == 0)
        HAND_ON(preload_list(program, choice->pair, &names, &list));
    set_for_ranks(choice, "MPI_ADAPTER_PRELOAD", with_entry(list, files));
    return 0;
}

/* ---------------------------------------------------------------- an MPI that is linked in */

/* Whether the library that leads the program's calls to the pair can be preloaded, and will do so. */
static struct problem *preload_detour(struct job *job, const struct program *program, struct choice *choice)
{
    const char *detour = job->site->detour;
    if (!is_readable(detour))
        return problem_of("%s is missing; install mpi-adapter again", detour);
    if (has_space(detour))
        return problem_of("LD_PRELOAD, which %s needs, cannot hold %s, as its name has a space; install into another folder", program->path,
                          detour);
    HAND_ON(check_linked_mpi(program, choice->pair->folder));
    /* A script may replace what is preloaded. The guard puts itself back, and has detour.so preloaded into what needs it. */
    if (program->abi_is_late)
        return guard_ranks(job, program, choice);
    set_for_ranks(choice, "LD_PRELOAD", with_entry(preload_for_ranks(job, choice), detour));
    set_for_ranks(choice, "MPI_ADAPTER_PRELOAD", with_entry(detour, choice->host.preload));
    return 0;
}

/* A maker's library may find its own parts only by a variable, which its module or its launcher's script sets. Without it, the library
 * looks beside the path by which it was loaded, which may be a link. */
static void tell_prefix(const struct job *job, struct choice *choice)
{
    const char *library = choice->host.library, *prefix = prefix_of(library), *name;
    if (is_same(prefix, "/usr") || !(name = prefix_variable(job->site, library, choice->host.implementation)))
        return;
    if (!is_same_file(variable(name), prefix))
        set_for_ranks(choice, name, prefix);
}

/* ---------------------------------------------------------------- all of it */

/* Sets what the pair, the host and the program's libraries ask for. */
static struct problem *set_for_pair(struct job *job, const struct program *program, struct choice *choice)
{
    static const char *const releases[] = { "mpi_release", "mpi_version" };
    const struct pair *pair = choice->pair;
    const struct closure_found *found = 0;
    struct list shadowed = { 0 };
    struct links links;
    const char *path = library_path_of(job, pair, &choice->host), *preload, *list;
    int is_late = 0;
    HAND_ON(link_pair(job, program, pair, &links));
    if (program->subject)
        path = with_stand_ins(job, program, pair, path);
    if (*links.folder)
        path = arena_text("%s:%s", path, links.folder);
    set_for_ranks(choice, "LD_LIBRARY_PATH", path);
    HAND_ON(check_host_preload(job, pair, &choice->host));
    preload = with_host_preload(adapted_preload(pair, job->preload), &choice->host);
    HAND_ON(find_conflicts(job, program, choice, path, preload, &list));
    if (*list)
        preload = with_entry(preload, list);
    if (!is_same(preload, job->preload))
        set_for_ranks(choice, "LD_PRELOAD", preload);
    tell_prefix(job, choice);
    if (choice->host.is_named)
        set_for_ranks(choice, "MPI_ADAPTER_HOST_LIBRARY", arena_text("%s%s", choice->host.library, choice->host.behind));
    for (int i = 0; i < 2; i++)
        if (*setting(job->site, releases[i]) && !is_same(setting_origin(job->site, releases[i]), setting_variable(releases[i])))
            set_for_ranks(choice, setting_variable(releases[i]), setting(job->site, releases[i]));
    if (program->linked)
        return preload_detour(job, program, choice);
    if (*links.unknown)
        set_for_ranks(choice, "MPI_ADAPTER_NAMES", links.unknown);
    if (program->subject) {
        found = trace(program->subject, path, preload);
        tell_stand_ins(job, program, pair, found);
        shadowed = shadowed_libraries(pair, found);
        /* A library that the program's RPATH hides is preloaded. Who starts the program may replace what is preloaded. */
        is_late = (shadowed.count == 0 || program->is_script || program->is_started_by_other) &&
                  loads_mpi_late(program, pair, found, links.folder);
    }
    struct list hidden = hidden_by_launcher(job, choice, found);
    list_add_all(&shadowed, &hidden);
    /* By their own names they are in the pair's folder, where the adapter looks for its parts. */
    list_split(&shadowed, links.leading);
    if (*given(job, "--preload") == 0 && shadowed.count == 0)
        return is_late ? guard_ranks(job, program, choice) : note_preload(program, choice, choice->host.preload);
    struct list names = words_of(said_in_pair(pair, "preload"));
    list_add_all(&names, &shadowed);
    HAND_ON(preload_list(program, pair, &names, &list));
    /* Behind what the user preloads: a tool that defines MPI_X and calls PMPI_X must stay ahead of the adapter, which defines both. */
    set_for_ranks(choice, "LD_PRELOAD", with_entry(preload, list));
    set_for_ranks(choice, "MPI_ADAPTER_PRELOAD", list);
    HAND_ON(note_preload(program, choice, choice->host.preload));
    if (!program->subject)
        return 0;
    shadowed = shadowed_libraries(pair, trace(program->subject, path, fact(&choice->environment, "LD_PRELOAD")));
    if (shadowed.count > 0)
        return problem_of("%s loads %s from a fixed place that nothing overrides; link it again, or remove the path with patchelf",
                          program->path, list_joined(&shadowed, " "));
    /* Libraries for Fortran, whose names C programs may not see, are the guard's to load. */
    return is_late ? guard_ranks(job, program, choice) : 0;
}

struct problem *make_environment(struct job *job, const struct program *program, struct choice *choice)
{
    const char *newer, *preload;
    HAND_ON(set_for_pair(job, program, choice));
    preload = preload_for_ranks(job, choice);
    HAND_ON(library_of_newer(job, program, choice->pair, fact(&choice->environment, "LD_LIBRARY_PATH"), preload, &newer));
    if (*newer == 0)
        return 0;
    set_for_ranks(choice, "LD_PRELOAD", with_entry(preload, newer));
    return note_preload(program, choice, newer);
}

/* Whether the program needs the library for Fortran that MPI-Adapter has for its ABI, and the dynamic linker finds none by this path. */
static int lacks_fortran(const struct job *job, const struct program *program, const char *path)
{
    const struct closure_found *found = program->subject ? trace(program->subject, path, "") : 0;
    return found && is_missing(found, of_family(job->site, program->abi, "fortran_made"));
}

struct problem *make_native_environment(struct job *job, const struct program *program, struct choice *choice)
{
    struct host_mpi *host = &choice->host;
    struct links links;
    const char *path, *preload, *early, *library;
    int can_be = 0;
    HAND_ON(check_host_preload(job, choice->pair, host));
    preload = with_host_preload(job->preload, host);
    if ((early = library_for_earlier(job, program)))
        preload = with_entry(preload, early);
    if (!is_same(preload, job->preload))
        set_for_ranks(choice, "LD_PRELOAD", preload);
    tell_prefix(job, choice);
    path = own_library_path(job, program, choice->pair, host, program->abi);
    HAND_ON(link_host(job, program, choice, &links));
    if (*links.folder)
        path = prepended(links.folder, path);
    if (lacks_fortran(job, program, path))
        path = with_entry(path, arena_text("%s/fortran", job->site->home));
    if (!is_same(path, job->library_path))
        set_for_ranks(choice, "LD_LIBRARY_PATH", path);
    const struct pair *helper = program->subject ? pair_of_stand_ins(job, program->abi) : 0;
    if (helper)
        tell_stand_ins(job, program, helper, trace(program->subject, path, ""));
    /* Another module than the one that was found may be the one that is loaded. */
    if (program->abi_is_late)
        HAND_ON(check_guard(job, program, &can_be));
    if (can_be) {
        preload = with_entry(preload, guard_of(job));
        set_for_ranks(choice, "LD_PRELOAD", preload);
        set_for_ranks(choice, "MPI_ADAPTER_PRELOAD", guard_of(job));
    }
    /* Links lead to the very file. */
    if (program->other_names.count > 0 || *links.folder) {
        if (*links.leading)
            set_for_ranks(choice, "LD_PRELOAD", with_entry(preload, links.leading));
        return 0;
    }
    /* By the name that programs ask for, which the file need not have. */
    const struct closure_found *found;
    library = find_library(job, program, choice->pair, host, up_to(said_in_pair(choice->pair, "host_libraries"), ' '), &found);
    if (library && is_same_file(library, host->library))
        return 0;
    if (strpbrk(host->library, " \t\n:"))
        return problem_of("LD_PRELOAD cannot hold %s, as its name has a space or a colon; put its folder ahead in LD_LIBRARY_PATH instead",
                          host->library);
    set_for_ranks(choice, "LD_PRELOAD", with_entry(preload, host->library));
    return 0;
}

/* ---------------------------------------------------------------- whether it will start */

/* Adds what a list with colons has beyond the user's. */
static void add_given(struct list *given, const char *list, const char *users)
{
    struct list parts = parts_of(list);
    for (size_t i = 0; i < parts.count; i++)
        if (!has_entry(users, parts.words[i]))
            list_add_once(given, parts.words[i]);
}

/* Folders of pairs, and what MPI_ADAPTER_PRELOAD has, are known without it. */
void note_given(const struct job *job, struct choice *choice)
{
    const struct facts *environment = &choice->environment;
    struct list all = { 0 }, given = { 0 };
    add_given(&all, library_path_for_ranks(job, choice), job->library_path);
    add_given(&all, preload_for_ranks(job, choice), arena_text("%s:%s", job->preload, fact(environment, "MPI_ADAPTER_PRELOAD")));
    for (size_t i = 0; i < all.count; i++)
        if (!is_there(arena_text("%s/pair.conf", all.words[i])))
            list_add(&given, all.words[i]);
    if (has_fact(environment, "MPI_ADAPTER_HOST_LIBRARY"))
        list_add(&given, "MPI_ADAPTER_HOST_LIBRARY");
    if (given.count > 0)
        set_for_ranks(choice, "MPI_ADAPTER_GIVEN", list_joined(&given, ":"));
}

struct problem *check_versions_of_program(const struct job *job, const struct program *program, const struct choice *choice)
{
    if (!program->subject)
        return 0;
    struct unmet unmet = unmet_versions(program->subject, library_path_for_ranks(job, choice), preload_for_ranks(job, choice));
    if (unmet.by.count == 0)
        return 0;
    const char *newest = newest_version(unmet.libraries.words[0], unmet.versions.words[0]);
    return problem_of("%s needs %s of %s, and that has %s%s; "
                      "use a system as new as the program's, or a program that was built on an older one",
                      unmet.by.words[0], unmet.versions.words[0], unmet.libraries.words[0], *newest ? newest : "none", *newest ? " at most" : "");
}

struct problem *check_libraries_of_program(const struct job *job, const struct program *program, const struct choice *choice)
{
    const char *path = library_path_for_ranks(job, choice), *preload = preload_for_ranks(job, choice);
    const struct closure_found *found = program->subject ? trace(program->subject, path, preload) : 0;
    for (size_t i = 0; found && found->status == ELF_YES && i < found->names.count; i++) {
        const char *name = found->names.words[i];
        if (*found->paths.words[i] == 0 && !abi_of_soname(job->site, name) && !list_has(&program->other_names, name))
            return problem_of("%s needs %s, which is not found; install that or add its folder to LD_LIBRARY_PATH", program->subject, name);
    }
    return 0;
}

/* Returns the family whose library a preloaded tool needs; null for what is no tool, or needs none. A tool defines procedures of MPI. */
static const char *family_of_tool(const struct job *job, const char *file)
{
    const struct elf_facts *facts = facts_of(file);
    const struct list *defined = &symbols_of(file)->defined;
    const char *family = 0;
    int is_tool = 0;
    for (size_t i = 0; i < facts->needed.count && !family; i++)
        family = abi_of_soname(job->site, facts->needed.words[i]);
    for (size_t i = 0; family && i < defined->count && !is_tool; i++)
        is_tool = begins_with(defined->words[i], "MPI_");
    return is_tool && !abi_of_soname(job->site, base_name(file)) ? family : 0;
}

/* Refuses a preloaded tool that was compiled for a third MPI: handles of the program's mean nothing to it. One of the host's the adapter
 * notices. */
static struct problem *check_preloaded_tools(const struct job *job, const struct program *program, const struct choice *choice)
{
    struct list entries = parts_of(with_colons(job->preload));
    const struct closure_found *found = trace(program->subject, job->library_path, job->preload);
    const char *host = said_in_pair(mpi_of_choice(choice)->pair, "host"), *own = own_abi(program);
    for (size_t i = 0; i < entries.count; i++) {
        const char *file = strchr(entries.words[i], '/') ? entries.words[i] : traced_file(found, entries.words[i]);
        const char *family = file && is_file(file) ? family_of_tool(job, file) : 0;
        if (family && !is_same(family, own) && !is_same(family, host))
            return problem_of("%s, which is preloaded, was compiled for %s, and would take calls of %s, which was compiled for %s; "
                              "preload one that was compiled for %s",
                              file, called(job->site, family), program->path, called(job->site, own), called(job->site, own));
    }
    return 0;
}

struct problem *check_tools_of_program(const struct job *job, const struct program *program, const struct choice *choice)
{
    struct list words = words_said_of(&job->site->families, program->abi, "reads");
    if (!program->subject)
        return 0;
    HAND_ON(check_preloaded_tools(job, program, choice));
    if (words.count == 0)
        return 0;
    const struct closure_found *found = trace(program->subject, library_path_for_ranks(job, choice), preload_for_ranks(job, choice));
    if (found->status != ELF_YES)
        return 0;
    for (size_t i = 0; i < words.count; i++) {
        const char *procedure = behind(words.words[i], '='), *tool = 0, *called_as = called(job->site, program->abi);
        for (size_t j = 0; j < found->names.count; j++)
            if (is_like(found->names.words[j], up_to(words.words[i], '=')))
                tool = found->names.words[j];
        int is_called_there = tool && imports(program->subject, procedure);
        for (size_t j = 0; tool && j < found->paths.count && !is_called_there; j++)
            is_called_there = *found->paths.words[j] && !begins_with(found->paths.words[j], arena_text("%s/", choice->pair->folder)) &&
                              imports(found->paths.words[j], procedure);
        if (is_called_there)
            return problem_of("%s loads %s, which looks into what %s makes, as only %s makes it; run it on %s with --to %s, or without the library",
                              program->path, tool, procedure, called_as, called_as, program->abi);
    }
    return 0;
}

/* ---------------------------------------------------------------- the launcher's own */

static int is_in_library_path(const struct job *job, const char *library)
{
    struct list folders = parts_of(job->library_path);
    for (size_t i = 0; i < folders.count; i++)
        if (is_same_file(arena_text("%s/%s", folders.words[i], base_name(library)), library))
            return 1;
    return 0;
}

static const char *paths_of(const char *file, const char *library_path)
{
    return list_joined(&trace(file, library_path, "")->paths, " ");
}

/* LD_LIBRARY_PATH may have some that the launcher or its MPI needs, not lead to that MPI, and the launcher find all without. Ranks are told
 * theirs. */
int spares_launcher(struct job *job, const struct choice *choice)
{
    const char *files[] = { choice->host.launcher, choice->host.library };
    if (!choice->pair || choice->is_native || *job->library_path == 0 || *fact(&choice->environment, "LD_LIBRARY_PATH") == 0 ||
        *choice->host.folders || is_batch(job->site, choice->host.launcher_kind) || is_in_library_path(job, choice->host.library))
        return 0;
    const struct closure_found *found = trace(choice->host.launcher, "", "");
    if (found->status != ELF_YES || traced_missing(found))
        return 0;
    for (int i = 0; i < 2; i++)
        if (!is_same(paths_of(files[i], ""), paths_of(files[i], job->library_path))) {
            say_more(&job->messages, "%s is started without LD_LIBRARY_PATH, which has other libraries than its own", choice->host.launcher);
            return 1;
        }
    return 0;
}
