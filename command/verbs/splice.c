/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter splice: adapts a tree of programs that brings its own MPI, in place.
 *
 * Only files that RPATH leads to are changed: each library of the tree's MPI for which the pair has one is set aside, into a folder
 * .mpi-adapter beside it, and a link to the pair's takes its name. So are launchers, whose names start the host's. A file in that folder,
 * host, has the path of the host's MPI for the pair to read, and of what has to be loaded ahead of it. Nothing is written into a file of the
 * tree.
 *
 * With --copy nothing of the tree is touched: what is adapted is a folder of links to its files. */
#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "../site/setting.h"
#include "arena.h"
#include "elf/file.h"
#include "file.h"
#include "texts.h"
#include "tree.h"

static const char REMARK[] =
    "# Put here by mpi-adapter splice: this machine's launcher, with the options of the tree's own, which is in .mpi-adapter beside it.";

/* Holds what is to be done with one tree. */
struct work {
    struct job *job;
    struct tree tree;
    struct list mpi_folders, mpi_abis;  /* each folder of the tree with an MPI's libraries, and whose */
    struct program program;             /* of which only the ABI is known */
    struct choice choice;
    struct splice splice;
    struct list programs;               /* that load an MPI of this ABI */
};

/* ---------------------------------------------------------------- libraries of the tree's MPI */

static void note_mpi(struct work *work, const char *file)
{
    const char *family = belongs_to_pair(file) ? 0 : family_of_library(work->job->site, file), *folder = up_to_last(file, '/');
    if (!family || *family == 0)
        return;
    for (size_t i = 0; i < work->mpi_folders.count; i++)
        if (is_same(work->mpi_folders.words[i], folder) && is_same(work->mpi_abis.words[i], family))
            return;
    list_add(&work->mpi_folders, folder);
    list_add(&work->mpi_abis, family);
}

static struct problem *find_mpis(struct work *work)
{
    const struct site *site = work->job->site;
    struct list words = words_of("names"), found;
    for (size_t i = 0; i < site->pair_count; i++)
        list_split(&words, said_in_pair(site->pairs[i], "application_sonames"));
    /* A wheel's: the family is looked for in what they hold. */
    list_add(&words, "lib*mpi*-????????.so*");
    HAND_ON(find_in_tree(work->job, &work->tree, &words, &found));
    for (size_t i = 0; i < found.count; i++)
        note_mpi(work, arena_text("%s/%s", work->tree.path, found.words[i]));
    return 0;
}

/* The first program in a folder called bin that has an MPI linked in, or null. No link of a tree's leads to that. */
static struct problem *find_linked_program(struct work *work, const char **program)
{
    struct list found;
    HAND_ON(find_tree_programs(work->job, &work->tree, &found));
    *program = 0;
    for (size_t i = 0; i < found.count && !*program; i++) {
        const char *file = arena_text("%s/%s", work->tree.path, found.words[i]);
        *program = facts_of(file)->status == ELF_YES && file_with_linked_mpi(work->job, file) ? file : 0;
    }
    return 0;
}

/* The ABI of the tree's MPI. */
static struct problem *settle_tree_abi(struct work *work)
{
    struct list abis = { 0 };
    const char *linked = 0;
    const char *from = given(work->job, "--from"), *tree = work->tree.path;
    for (size_t i = 0; i < work->mpi_abis.count; i++)
        list_add_once(&abis, work->mpi_abis.words[i]);
    list_sort(&abis);
    if (abis.count == 0)
        HAND_ON(find_linked_program(work, &linked));
    if (linked)
        return problem_of("%s has its MPI linked in, so no link can replace that; start it with 'mpi-adapter run', which can", linked);
    if (abis.count == 0)
        return problem_of("%s has no MPI library that a pair could stand for; give the prefix of a tree that brings its MPI", tree);
    if (*from == 0 && abis.count > 1)
        return problem_of("%s has several MPIs; give --from one of: %s", tree, list_joined(&abis, " "));
    work->program.abi = *from ? from : abis.words[0];
    if (!list_has(&abis, work->program.abi))
        return problem_of("%s has no MPI of %s; give --from one of: %s", tree, work->program.abi, list_joined(&abis, " "));
    return 0;
}

/* ---------------------------------------------------------------- what is to be done */

static const char *below(const struct work *work, const char *file)
{
    return file + strlen(work->tree.path) + 1;
}

static int is_in_tree(const struct work *work, const char *file)
{
    return begins_with(file, arena_text("%s/", work->tree.path));
}

static struct problem *add_splice(struct work *work, const char *file, const char *target)
{
    const char *path = below(work, file);
    if (has_control(path) || has_control(target))
        return problem_of("%s has a control character in its name; rename it", path);
    if (list_has(&work->splice.paths, path))
        return 0;
    list_add(&work->splice.paths, path);
    list_add(&work->splice.targets, target);
    return 0;
}

/* Adds a link to a pair's library in a folder of the tree, and to those that it needs there: the dynamic linker takes the folder of the
 * link for its $ORIGIN. */
static struct problem *plan_library(struct work *work, const char *folder, const char *file);

static struct problem *plan_needed(struct work *work, const char *folder, const char *file)
{
    const struct list *names = &facts_of(file)->needed;
    for (size_t i = 0; i < names->count; i++) {
        const char *needed = arena_text("%s/%s", up_to_last(file, '/'), names->words[i]);
        if (is_there(needed) && !list_has(&work->splice.paths, below(work, arena_text("%s/%s", folder, names->words[i]))))
            HAND_ON(plan_library(work, folder, needed));
    }
    return 0;
}

static struct problem *plan_library(struct work *work, const char *folder, const char *file)
{
    HAND_ON(add_splice(work, arena_text("%s/%s", folder, base_name(file)), file));
    return plan_needed(work, folder, file);
}

/* The same for libraries by a wheel's names, among those that were found. */
static struct problem *plan_bundled(struct work *work, const char *folder, const struct list *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const char *file = arena_text("%s/%s", work->tree.path, found->words[i]), *plain = unbundled(base_name(file));
        if (!is_same(up_to_last(file, '/'), folder) || !plain)
            continue;
        const char *ours = arena_text("%s/%s", work->choice.pair->folder, library_of_today(work->job->site, plain, work->program.abi));
        if (!is_there(ours))
            continue;
        HAND_ON(add_splice(work, file, ours));
        HAND_ON(plan_needed(work, folder, ours));
    }
    return 0;
}

/* Adds each library of the tree's MPI that the pair has. */
static struct problem *plan_libraries(struct work *work)
{
    const char *pair = work->choice.pair->folder;
    struct list ours = files_like(arena_text("%s/*.so*", glob_escaped(pair))), words = words_of("names"), found;
    for (size_t i = 0; i < ours.count; i++)
        list_add(&words, base_name(ours.words[i]));
    list_add(&words, "lib*-????????.so*");
    HAND_ON(find_in_tree(work->job, &work->tree, &words, &found));
    for (size_t i = 0; i < work->mpi_folders.count; i++) {
        const char *folder = work->mpi_folders.words[i];
        if (!is_same(work->mpi_abis.words[i], work->program.abi))
            continue;
        HAND_ON(plan_bundled(work, folder, &found));
        for (size_t j = 0; j < found.count; j++) {
            const char *file = arena_text("%s/%s", work->tree.path, found.words[j]);
            const char *of_pair = arena_text("%s/%s", pair, base_name(file));
            if (is_same(up_to_last(file, '/'), folder) && is_there(of_pair))
                HAND_ON(plan_library(work, folder, of_pair));
        }
    }
    return 0;
}

/* Whether the tree's MPI may have a launcher of such a name. */
static int is_own_launcher(const struct work *work, const char *file)
{
    const struct site *site = work->job->site;
    struct list names = words_said_of(&site->families, work->program.abi, "implementations");
    for (size_t i = 0; i < names.count; i++)
        if (is_called(site, file, of_implementation(site, names.words[i], "launcher")))
            return 1;
    return 0;
}

/* The folders whose launchers are of the tree's MPI: those beside its libraries, and TREE/bin unless that is beside another MPI's. */
static struct list launcher_folders(const struct work *work)
{
    struct list own = { 0 }, others = { 0 };
    const char *bin = arena_text("%s/bin", work->tree.path);
    for (size_t i = 0; i < work->mpi_folders.count; i++) {
        const char *folder = arena_text("%s/bin", up_to_last(work->mpi_folders.words[i], '/'));
        list_add_once(is_same(work->mpi_abis.words[i], work->program.abi) ? &own : &others, folder);
    }
    if (!list_has(&others, bin))
        list_add_once(&own, bin);
    list_sort(&own);
    return own;
}

static struct problem *plan_launchers(struct work *work)
{
    struct list folders = launcher_folders(work);
    for (size_t i = 0; i < folders.count; i++) {
        /* A folder of that name may be a link to another one of the tree. */
        const char *folder = real_folder(folders.words[i]);
        struct list words = words_of("runnable"), found;
        if (!folder || !is_in_tree(work, folder))
            continue;
        list_add(&words, below(work, folder));
        HAND_ON(find_in_tree(work->job, &work->tree, &words, &found));
        for (size_t j = 0; j < found.count; j++)
            if (is_own_launcher(work, found.words[j]))
                HAND_ON(add_splice(work, arena_text("%s/%s", work->tree.path, found.words[j]), work->choice.host.launcher));
    }
    return 0;
}

/* The path of a file with the folder's links resolved. */
static const char *settled(const char *file)
{
    const char *folder = real_folder(up_to_last(file, '/'));
    return arena_text("%s/%s", folder ? folder : "", base_name(file));
}

/* The path of a library of the MPI for which the pair has one, among what a file loads; or null. */
static const char *mpi_loaded_by(const struct work *work, const char *file)
{
    const struct closure_found *found = needs_of(work->job, file);
    struct list names = words_of(said_in_pair(work->choice.pair, "application_sonames"));
    for (size_t i = 0; i < names.count; i++) {
        const char *path = is_there(arena_text("%s/%s", work->choice.pair->folder, names.words[i])) ? traced_file(found, names.words[i]) : 0;
        if (path)
            return settled(path);
    }
    return 0;
}

/* Finds the files in folders called bin that load an MPI of this ABI. One whose DT_RPATH leads out of the tree keeps the MPI that it finds
 * there. */
static struct problem *find_programs(struct work *work)
{
    struct list found;
    HAND_ON(find_tree_programs(work->job, &work->tree, &found));
    for (size_t i = 0; i < found.count; i++) {
        const char *file = arena_text("%s/%s", work->tree.path, found.words[i]), *mpi;
        if (facts_of(file)->status != ELF_YES || !is_same(facts_of(file)->linkage, "dynamic"))
            continue;
        if (!(mpi = mpi_loaded_by(work, file))) {
            if (file_with_linked_mpi(work->job, file))
                say(&work->job->messages, "%s has its MPI linked in, and keeps that; start it with 'mpi-adapter run'", file);
            continue;
        }
        list_add(&work->programs, file);
        if (!is_in_tree(work, mpi) || !list_has(&work->splice.paths, below(work, mpi)))
            say(&work->job->messages, "%s loads %s, which is not in the tree, and keeps that; link it again, or change its DT_RPATH with patchelf", file,
                mpi);
    }
    return 0;
}

/* Adds links to what has to be the host's for a file. */
static struct problem *plan_conflicts_of(struct work *work, const char *file)
{
    const struct choice *choice = &work->choice;
    const char *path = library_path_of(work->job, choice->pair, &choice->host);
    const char *ours = arena_text("%s/%s", choice->pair->folder, up_to(said_in_pair(choice->pair, "preload"), ' '));
    /* Then the pair is in the place of the tree's MPI, and of what that needs. */
    struct conflicts_found found = conflicts_of(file, path, ours, choice->pair->folder, choice->host.library);
    for (size_t i = 0; i < found.kinds.count; i++) {
        if (is_same(found.kinds.words[i], "refused"))
            return problem_of("%s; give the program a newer one", found.texts.words[i]);
        say_more(&work->job->messages, "both bring %s", found.texts.words[i]);
        if (!is_same(found.kinds.words[i], "preload") || strpbrk(found.files.words[i], " \t\n:"))
            continue;
        const char *of_tree = traced_file(needs_of(work->job, file), base_name(found.files.words[i]));
        if (of_tree && is_in_tree(work, settled(of_tree)))
            HAND_ON(add_splice(work, settled(of_tree), found.files.words[i]));
    }
    return 0;
}

/* Libraries with versions of which the host's serves both sides, and has to be the one: of programs, and of the tree's MPI itself, which
 * what opens modules may load late. */
static struct problem *plan_conflicts(struct work *work)
{
    struct list names = words_of(said_in_pair(work->choice.pair, "application_sonames"));
    for (size_t i = 0; i < work->programs.count; i++)
        HAND_ON(plan_conflicts_of(work, work->programs.words[i]));
    for (size_t i = 0; i < work->mpi_folders.count; i++) {
        if (!is_same(work->mpi_abis.words[i], work->program.abi))
            continue;
        for (size_t j = 0; j < names.count; j++) {
            const char *file = arena_text("%s/%s", work->mpi_folders.words[i], names.words[j]);
            if (is_there(file))
                HAND_ON(plan_conflicts_of(work, file));
        }
    }
    return 0;
}

static struct problem *choose_for_tree(struct work *work)
{
    struct job *job = work->job;
    int has_host;
    work->program = (struct program){ .path = work->tree.path, .abi = "" };
    work->mpi_folders = work->mpi_abis = (struct list){ 0 };
    HAND_ON(find_mpis(work));
    HAND_ON(settle_tree_abi(work));
    HAND_ON(choose_pair(job, &work->program, given(job, "--to"), 1, "", 0, &work->choice, &has_host));
    if (*work->choice.host.folders)
        return problem_of("%s is loaded only with %s in LD_LIBRARY_PATH; make the loader find what it needs, by ldconfig or a DT_RUNPATH",
                          work->choice.host.library, work->choice.host.folders);
    return check_host_preload(job, work->choice.pair, &work->choice.host);
}

static struct problem *plan_splice(struct work *work)
{
    HAND_ON(choose_for_tree(work));
    work->splice = (struct splice){ .form = "", .pair = work->choice.pair->folder, .host = work->choice.host.library };
    HAND_ON(plan_libraries(work));
    HAND_ON(plan_launchers(work));
    HAND_ON(find_programs(work));
    return plan_conflicts(work);
}

/* ---------------------------------------------------------------- all of it */

/* Two at once would undo each other's steps. The lock ends with the process, and what that started; a file system without locks goes
 * without. */
static struct problem *lock_tree(const struct tree *tree)
{
    for (int tries = 0; tries < 200; tries++) {
        if (flock(tree->folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return 0;
        nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, 0);
    }
    return problem_of("another splice of %s is running; wait for its end", tree->path);
}

static void show_splice(const struct splice *splice)
{
    put("pair %s\nhost %s\n", plain(splice->pair), plain(splice->host));
    for (size_t i = 0; i < splice->paths.count && i < splice->targets.count; i++)
        put("%s -> %s\n", plain(splice->paths.words[i]), plain(splice->targets.words[i]));
}

static struct problem *undo(struct work *work)
{
    struct answers answers;
    HAND_ON(ask_tree_for(work->job, &work->tree, "undo", 0, &answers));
    if (*given(work->job, "--undo"))
        put("%s is as it was: %s files put back\n", plain(work->tree.path), answers.values.count > 0 ? answers.values.words[0] : "");
    return 0;
}

static struct problem *show_spliced(struct work *work)
{
    struct answers answers;
    HAND_ON(ask_tree_for(work->job, &work->tree, "show", 0, &answers));
    struct splice splice = splice_of(&answers);
    show_splice(&splice);
    return 0;
}

static int is_launcher(const char *target)
{
    return !ends_with(target, ".so") && !has_text(target, ".so.");
}

/* The script that replaces the tree's launcher. It starts the host's, if the command is gone. */
static const char *launcher_script(const struct work *work, const char *target)
{
    const char *command = quoted(work->job->site->program), *launcher = quoted(target), *abi = work->program.abi;
    const char *kind = launcher_of_abi(work->job->site, abi), *text = arena_text("#!/bin/sh\n%s\n", REMARK);
    if (kind)
        text = arena_text("%s[ ! -x %s ] || exec %s exec --from %s --to %s --as %s --launcher %s -- mpiexec.of-tree \"$@\"\n", text, command, command,
                          abi, host_of_pair(work->choice.pair), kind, launcher);
    return arena_text("%sexec %s \"$@\"\n", text, launcher);
}

/* How many there are, and the first of them. */
static const char *first_of_many(const struct list *words)
{
    struct list first = { 0 };
    if (words->count == 0)
        return "0";
    for (size_t i = 0; i < words->count && i < 20; i++)
        list_add(&first, words->words[i]);
    if (words->count > 20)
        list_add(&first, "...");
    return arena_text("%zu (%s)", words->count, list_joined(&first, ", "));
}

static struct problem *do_splice(struct work *work)
{
    const struct splice *splice = &work->splice;
    struct list input = { 0 }, words = words_of("splice"), preload = parts_of(work->choice.host.preload), programs = { 0 };
    struct answers answers;
    list_add(&input, splice->pair);
    list_add(&input, splice->host);
    list_add(&input, arena_text("%zu", preload.count));
    list_add_all(&input, &preload);
    for (size_t i = 0; i < splice->paths.count; i++) {
        const char *target = splice->targets.words[i];
        list_add(&input, splice->paths.words[i]);
        list_add(&input, target);
        list_add(&input, is_launcher(target) ? launcher_script(work, target) : "");
    }
    HAND_ON(ask_tree(work->job, &work->tree, &words, &input, &answers));
    for (size_t i = 0; i < work->programs.count; i++)
        list_add(&programs, below(work, work->programs.words[i]));
    put("%s is adapted to %s\n", plain(work->tree.path), plain(splice->host));
    put("programs: %s\n", plain(first_of_many(&programs)));
    put("files set aside: %s\n", plain(first_of_many(&splice->paths)));
    put("undo this by: mpi-adapter splice --undo %s\n", plain(shell_word(work->tree.path)));
    return 0;
}

/* Does all of it as the owner of the tree. */
static struct problem *go_on_as_owner(struct work *work, const char *owner)
{
    static const char *const with_value[] = { "--from", "--to" }, *const flags[] = { "--dry-run", "--undo" };
    struct job *job = work->job;
    struct list words = { 0 };
    say_more(&job->messages, "%s belongs to user %s, with whose rights this is done", work->tree.path, owner);
    list_add(&words, arena_text("%s/trees", job->site->home));
    list_add(&words, "as-owner");
    list_add(&words, arena_text("%d", work->tree.folder));
    list_add(&words, work->tree.path);
    list_add(&words, job->site->program);
    list_add(&words, "splice");
    for (int i = 0; i < 2; i++)
        if (*given(job, with_value[i])) {
            list_add(&words, with_value[i]);
            list_add(&words, given(job, with_value[i]));
        }
    for (int i = 0; i < 2; i++)
        if (*given(job, flags[i]))
            list_add(&words, flags[i]);
    if (job->messages.is_verbose)
        list_add(&words, "--verbose");
    list_add(&words, "--");
    list_add(&words, work->tree.path);
    execv(words.words[0], (char **)words.words);
    return problem_of("%s is missing; install mpi-adapter again", words.words[0]);
}

/* A path without . and .., as its text says, whatever links are on the way. */
static const char *textual_path(const char *name)
{
    char *folder = getcwd(0, 0);
    struct list parts = { 0 }, kept = { 0 };
    list_split_at(&parts, *name == '/' || !folder ? name : arena_text("%s/%s", folder, name), '/');
    for (size_t i = 0; i < parts.count; i++)
        if (is_same(parts.words[i], ".."))
            kept.count -= kept.count > 0;
        else if (!is_same(parts.words[i], "."))
            list_add(&kept, parts.words[i]);
    return arena_text("/%s", list_joined(&kept, "/"));
}

/* Makes the copy, unless the tree has nothing to adapt, and goes on with that. */
static struct problem *begin_on_copy(struct work *work, int is_adapted)
{
    struct job *job = work->job;
    const char *name = given(job, "--copy"), *tree = work->tree.path;
    const char *parent = strchr(name, '/') ? up_to_last(name, '/') : ".";
    const char *real = real_folder(*parent ? parent : "/"), *last = base_name(name);
    struct answers answers;
    if (!real)
        return problem_of("%s is not a folder; give --copy a folder that can be made", *parent ? parent : "/");
    const char *copy = arena_text("%s/%s", is_same(real, "/") ? "" : real, last);
    if (is_in_tree(work, copy) || *last == 0 || *last == '.')
        return problem_of("%s cannot be a copy of %s; give --copy a folder outside of the tree", copy, tree);
    if (is_adapted)
        return problem_of("%s is adapted, or a copy of links itself; use it, or give the tree that it was made of", tree);
    HAND_ON(choose_for_tree(work));
    if (*given(job, "--dry-run"))
        return 0;
    HAND_ON(ask_tree_for(job, &work->tree, "copy", copy, &answers));
    close(work->tree.folder);
    return open_tree(copy, &work->tree) ? 0 : problem_of("%s is not a folder; make it again", copy);
}

/* Root acts in a tree only where nobody else may change it, and takes the rights of a user for that user's tree: *owner, or "". */
static struct problem *settle_rights(struct work *work, const char **owner, int *is_adapted)
{
    struct answers answers;
    HAND_ON(ask_tree_for(work->job, &work->tree, "judge", 0, &answers));
    *owner = answer_to(&answers, "owner");
    *is_adapted = *answer_to(&answers, "adapted") != 0;
    return geteuid() == 0 && **owner == 0 ? ask_tree_for(work->job, &work->tree, "require-root", 0, &answers) : 0;
}

struct problem *act_splice(struct job *job, int *status)
{
    struct work work = { .job = job };
    const char *name = job->operands.count > 0 ? job->operands.words[0] : "", *owner;
    struct answers answers;
    int is_adapted;
    (void)status;
    if (job->operands.count == 0)
        return usage_problem_of("no tree is given");
    if (job->operands.count > 1)
        return usage_problem_of("more than one tree is given");
    if (!open_tree(name, &work.tree))
        return problem_of("%s is not a folder; give the prefix of a tree", name);
    const char *tree = work.tree.path;
    if (is_same(tree, "/"))
        return problem_of("/ is the whole system; give the prefix of a tree that brings its MPI");
    /* A link of somebody's would choose the tree that root changes. */
    if (geteuid() == 0 && !is_same(textual_path(name), tree))
        return problem_of("%s leads to %s by a link; give %s itself", name, tree, tree);
    if (*given(job, "--copy") && *given(job, "--undo"))
        return usage_problem_of("--copy and --undo exclude each other");
    HAND_ON(settle_rights(&work, &owner, &is_adapted));
    if (*owner && *given(job, "--copy") == 0)
        return go_on_as_owner(&work, owner);
    if (*given(job, "--undo")) {
        HAND_ON(lock_tree(&work.tree));
        return *given(job, "--dry-run") ? show_spliced(&work) : undo(&work);
    }
    /* No journal holds such a path. */
    if (has_control(tree))
        return problem_of("%s has a control character in its name; rename it", tree);
    HAND_ON(require_pairs(job->site));
    HAND_ON(check_abi_options(job));
    if (*given(job, "--copy"))
        HAND_ON(begin_on_copy(&work, is_adapted));
    HAND_ON(lock_tree(&work.tree));
    /* Undo an earlier run, or half of one, first: the tree may have been updated since. */
    HAND_ON(ask_tree_for(job, &work.tree, "examine", 0, &answers));
    if (answers.keys.count > 0) {
        if (*given(job, "--dry-run"))
            return problem_of("%s is spliced already; see what leads where with 'mpi-adapter splice --undo --dry-run %s'", tree, tree);
        HAND_ON(undo(&work));
    }
    HAND_ON(plan_splice(&work));
    if (*given(job, "--dry-run")) {
        show_splice(&work.splice);
        return 0;
    }
    return do_splice(&work);
}
