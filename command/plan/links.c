/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that need their MPI by a name that no library of the pair's, or of the host's, has: links by that name lead to it. They are kept
 * in the user's cache, as each rank needs them, and are replaced if they lead elsewhere. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../site/setting.h"
#include "arena.h"
#include "choice.h"
#include "elf/file.h"
#include "file.h"
#include "texts.h"

/* A name for a path: % in the place of each slash. */
static const char *key_of(const char *path)
{
    char *key = arena_memory(2 * strlen(path) + 1), *end = key;
    for (; *path; path++) {
        *end++ = *path == '/' ? '%' : *path;
        if (*path == '%')
            *end++ = '%';
    }
    return key;
}

struct problem *names_folder(const struct program *program, const char *of, const char **folder)
{
    const char *cache = variable("XDG_CACHE_HOME"), *home = variable("HOME");
    struct stat status;
    if (*cache == 0 && *home)
        cache = arena_text("%s/.cache", home);
    if (*cache != '/' || strchr(cache, ':'))
        return problem_of("there is no folder for links to libraries by the names that %s needs; set XDG_CACHE_HOME to a folder of yours",
                          program->path);
    *folder = arena_text("%s/mpi-adapter/names/%s", cache, key_of(of));
    if (!make_folders(*folder) || stat(*folder, &status) != 0 || status.st_uid != geteuid() || access(*folder, W_OK) != 0)
        return problem_of("%s cannot be written; set XDG_CACHE_HOME to a folder of yours", *folder);
    return 0;
}

/* No other process sees the link missing. */
static struct problem *lead_to(const char *link, const char *file)
{
    const char *made = arena_text("%s.%ld", link, (long)getpid());
    if (is_same(link_text(link), file))
        return 0;
    unlink(made);
    if (symlink(file, made) != 0 || rename(made, link) != 0)
        return problem_of("the link %s cannot be made; free space there, or set XDG_CACHE_HOME to another folder of yours", link);
    return 0;
}

/* Whether a file needs one of the family's libraries for Fortran, whatever it calls it. */
static int has_fortran_by_name(const struct job *job, const char *file, const char *family, const struct list *libraries)
{
    const struct closure_found *found = needs_of(job, file);
    for (size_t i = 0; found->status == ELF_YES && i < found->names.count; i++)
        if (list_has(libraries, library_of_today(job->site, found->names.words[i], family)))
            return 1;
    return 0;
}

/* Whether the family does not know one of the names, by another family's right to it at least. */
static int has_nobodys(const struct job *job, const char *unknown, const char *family)
{
    struct list names = parts_of(unknown);
    for (size_t i = 0; i < names.count; i++)
        if (!alias_of(job->site, names.words[i], family))
            return 1;
    return 0;
}

/* Whether a file, or a library that it needs, is in Fortran: one that needs its MPI by another name. */
static int calls_fortran(const struct job *job, const struct program *program, const char *file)
{
    struct list starts = { 0 };
    list_add(&starts, "mpi_");
    if (refers_by(file, &starts))
        return 1;
    const struct closure_found *found = needs_of(job, file);
    for (size_t i = 0; i < found->paths.count; i++)
        for (size_t j = 0; j < program->other_names.count; j++)
            if (*found->paths.words[i] && list_has(&facts_of(found->paths.words[i])->needed, program->other_names.words[j]) &&
                refers_by(found->paths.words[i], &starts))
                return 1;
    return 0;
}

/* Whether the program, or the module that it will load, is in Fortran, and needs none of these libraries for it: its MPI has all in one. */
static int lacks_fortran_library(const struct job *job, const struct program *program, const char *family, const struct list *libraries,
                                 const char *unknown)
{
    const char *files[] = { program->subject, late_file_of(program, family) };
    for (int i = 0; i < 2; i++)
        if (files[i] && *files[i] && calls_fortran(job, program, files[i]) &&
            (has_nobodys(job, unknown, family) || !has_fortran_by_name(job, files[i], family, libraries)))
            return 1;
    return 0;
}

const char *pair_file(const struct job *job, const struct pair *pair, const char *name, int *is_known)
{
    const char *family = said_in_pair(pair, "application"), *file = alias_of(job->site, name, family);
    struct list contested = words_said_of(&job->site->families, family, "contested");
    *is_known = file != 0;
    for (size_t i = 0; i < contested.count; i++)
        if (is_same(up_to(contested.words[i], '='), name))
            *is_known = 0;
    return file ? file : up_to(said_in_pair(pair, "preload"), ' ');
}

struct problem *link_pair(struct job *job, const struct program *program, const struct pair *pair, struct links *links)
{
    struct list leading = { 0 }, fortran = words_of(said_in_pair(pair, "fortran"));
    *links = (struct links){ "", "", "" };
    for (size_t i = 0; i < program->other_names.count; i++) {
        const char *name = program->other_names.words[i];
        int is_known;
        if (is_there(arena_text("%s/%s", pair->folder, name)))
            continue;
        if (job->image_names)
            links->folder = job->image_names;
        else if (*links->folder == 0)
            HAND_ON(names_folder(program, pair->folder, &links->folder));
        const char *file = pair_file(job, pair, name, &is_known);
        if (!is_known)
            links->unknown = with_entry(links->unknown, name);
        list_add_once(&leading, file);
        if (!job->image_names)
            HAND_ON(lead_to(arena_text("%s/%s", links->folder, name), arena_text("%s/%s", pair->folder, file)));
    }
    /* Nothing tells which of the unknown ones Fortran is in. */
    if (program->other_names.count > 0 && lacks_fortran_library(job, program, said_in_pair(pair, "application"), &fortran, links->unknown))
        list_add_all(&leading, &fortran);
    links->leading = list_joined(&leading, " ");
    return 0;
}

/* The host's library that has this name in its family, or one alike. */
static struct problem *host_file(const struct job *job, const struct program *program, const char *library, const char *name,
                                 const char **file)
{
    struct list words = words_said_of(&job->site->families, program->abi, "fortran_library"), names = { 0 };
    const char *folder = up_to_last(library, '/'), *alike = name;
    if (is_for_c(job, name, program->abi)) {
        *file = library;
        return 0;
    }
    for (size_t i = 0; i < words.count; i++) {
        struct list parts = comma_parts_of(words.words[i]);
        if (list_has(&parts, name))
            alike = words.words[i];
    }
    list_split_at(&names, alike, ',');
    for (size_t i = 0; i < names.count; i++) {
        *file = arena_text("%s/%s", folder, names.words[i]);
        if (is_there(*file))
            return 0;
    }
    return problem_of("%s needs %s of the MPI of %s, and it is not there; install it", program->path, alike, library);
}

/* The family's libraries for Fortran, each by all its names. */
static struct list fortran_libraries(const struct job *job, const char *family)
{
    struct list words = words_said_of(&job->site->families, family, "fortran_library"), names = { 0 };
    for (size_t i = 0; i < words.count; i++)
        list_split_at(&names, words.words[i], ',');
    return names;
}

/* Returns the names by which the dynamic linker would take another MPI of the family, as the host's libraries do not have the name that the
 * program needs. Where they have it, preloading the host's serves. */
static struct list names_of_another(const struct job *job, const struct program *program, const struct choice *choice)
{
    const char *library = choice->host.library;
    struct list fortran = fortran_libraries(job, program->abi), names = { 0 };
    int is_another = 0;
    if (!program->subject)
        return names;
    const struct closure_found *found =
        trace(program->subject, own_library_path(job, program, choice->pair, &choice->host, program->abi), job->preload);
    for (size_t i = 0; found->status == ELF_YES && i < found->names.count; i++) {
        const char *name = found->names.words[i], *path = found->paths.words[i];
        int for_c = is_for_c(job, name, program->abi);
        is_another |= for_c && list_has(&program->other_names, name);
        if (*path == 0 || list_has(&program->other_names, name) || !(for_c || list_has(&fortran, name)) ||
            is_same_file(up_to_last(path, '/'), up_to_last(library, '/')))
            continue;
        is_another |= for_c && !is_same(name, facts_of(library)->soname);
        list_add_once(&names, name);
    }
    return is_another ? names : (struct list){ 0 };
}

struct problem *link_host(struct job *job, const struct program *program, const struct choice *choice, struct links *links)
{
    struct list fortran = fortran_libraries(job, program->abi), names = names_of_another(job, program, choice);
    const char *library = choice->host.library, *unknown = "";
    *links = (struct links){ "", "", "" };
    for (size_t i = 0; i < names.count; i++) {
        const char *file;
        if (*links->folder == 0)
            HAND_ON(names_folder(program, library, &links->folder));
        HAND_ON(host_file(job, program, library, names.words[i], &file));
        HAND_ON(lead_to(arena_text("%s/%s", links->folder, names.words[i]), file));
        /* By its own path it finds what it brings beside itself. */
        if (!strpbrk(library, " \t\n:"))
            links->leading = library;
    }
    for (size_t i = 0; i < program->other_names.count; i++) {
        const char *name = program->other_names.words[i], *file, *today;
        const struct closure_found *found;
        file = find_library(job, program, choice->pair, &choice->host, name, &found);
        if (file && library_serves(job->site, file, program->abi))
            continue;
        if (*links->folder == 0)
            HAND_ON(names_folder(program, library, &links->folder));
        if (alias_of(job->site, name, program->abi))
            today = library_of_today(job->site, name, program->abi);
        else
            unknown = "yes", today = of_family(job->site, program->abi, "soname");
        HAND_ON(host_file(job, program, library, today, &file));
        HAND_ON(lead_to(arena_text("%s/%s", links->folder, name), file));
        /* A wheel's own is found by a DT_RPATH, which no LD_LIBRARY_PATH overrides. */
        if (unbundled(name) && !has_entry(links->leading, file))
            links->leading = with_entry(links->leading, file);
    }
    if (program->other_names.count == 0 || !lacks_fortran_library(job, program, program->abi, &fortran, unknown))
        return 0;
    for (size_t i = 0; i < fortran.count; i++) {
        const char *file = arena_text("%s/%s", up_to_last(library, '/'), fortran.words[i]);
        if (has_text(fortran.words[i], ".so.") && is_there(file) && !has_entry(links->leading, file))
            links->leading = with_entry(links->leading, file);
    }
    return 0;
}
