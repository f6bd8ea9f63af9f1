/* SPDX-License-Identifier: BSD-3-Clause */
#include "packages.h"

#include <dirent.h>
#include <fnmatch.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../site/site.h"
#include "arena.h"
#include "elf-closure.h"
#include "elf/file.h"

enum { LARGEST_SOURCE = 4 << 20, MOST_ENTRIES = 1 << 16 };

/* ---------------------------------------------------------------- libraries */

static int is_mpi_library(const struct packages *packages, const char *name)
{
    const char *plain = plain_name(name);
    for (size_t i = 0; i < packages->libraries.count; i++)
        if (fnmatch(packages->libraries.words[i], plain, 0) == 0 || fnmatch(packages->libraries.words[i], name, 0) == 0)
            return 1;
    return 0;
}

/* The libraries that a module itself needs. */
struct needs {
    struct list names;
    int has_path;           /* whether it says itself where its libraries are */
};

static void note_entry(struct elf_file *file, const Elf64_Dyn *entry, void *context)
{
    struct needs *needs = context;
    if (entry->d_tag == DT_NEEDED)
        list_add(&needs->names, arena_text("%s", elf_entry_text(file, entry)));
    needs->has_path |= entry->d_tag == DT_RPATH || entry->d_tag == DT_RUNPATH;
}

static int needs_of(const char *path, struct needs *needs)
{
    struct elf_file file;
    int is_read = elf_open(&file, path) == ELF_YES && elf_each_entry(&file, note_entry, needs);
    elf_close(&file);
    return is_read;
}

/* Returns whether libraries that the loader would load for a module are an MPI's. Most modules need what others have needed. */
static int needs_mpi(struct packages *packages, const char *path)
{
    struct needs needs = { 0 };
    struct closure closure;
    int found = 0, is_known = needs_of(path, &needs) && !needs.has_path;
    for (size_t i = 0; i < needs.names.count && is_known; i++)
        is_known = list_has(&packages->clean, needs.names.words[i]);
    if (is_known || closure_read(&closure, path, packages->library_path, 0) != ELF_YES)
        return 0;
    for (size_t i = 0; i < closure.count && !found; i++)
        found = is_mpi_library(packages, closure.libraries[i].name);
    closure_free(&closure);
    for (size_t i = 0; i < needs.names.count && !found && !needs.has_path; i++)
        if (!list_has(&packages->clean, needs.names.words[i]))
            list_add(&packages->clean, needs.names.words[i]);
    return found;
}

/* ---------------------------------------------------------------- files */

struct listing {
    const char *path;
    struct list names;
};

/* Returns the names in a folder, sorted. Each is read once. */
static const struct list *names_in(const char *path)
{
    static struct listing *listings;
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(listings[i].path, path) == 0)
            return &listings[i].names;
    listings = arena_grown(listings, count, sizeof *listings);
    struct listing *listing = &listings[count++];
    *listing = (struct listing){ .path = path };
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && listing->names.count < MOST_ENTRIES && (entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            list_add(&listing->names, arena_text("%s", entry->d_name));
    if (folder)
        closedir(folder);
    list_sort(&listing->names);
    return &listing->names;
}

/* Returns the index of the first name that is not below this text. */
static size_t first_from(const struct list *names, const char *text)
{
    size_t low = 0, high = names->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(names->words[middle], text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds the files below a folder that have this pattern. */
static void find_files(const char *folder, const char *pattern, struct list *files)
{
    size_t length = strcspn(pattern, "/");
    const char *part = arena_text("%.*s", (int)length, pattern), *start = arena_text("%.*s", (int)strcspn(part, "*?["), part);
    const struct list *names = names_in(folder);
    for (size_t i = first_from(names, start); i < names->count && strncmp(names->words[i], start, strlen(start)) == 0; i++) {
        struct stat status;
        if (fnmatch(part, names->words[i], FNM_PERIOD) != 0)
            continue;
        const char *path = arena_text("%s/%s", folder, names->words[i]);
        if (stat(path, &status) != 0)
            continue;
        if (pattern[length] == '/' && S_ISDIR(status.st_mode))
            find_files(path, pattern + length + 1, files);
        else if (pattern[length] == 0 && S_ISREG(status.st_mode))
            list_add(files, path);
    }
}

static void find_by(const struct list *patterns, const char *folder, const char *name, struct list *files)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const char *pattern = patterns->words[i], *place = strstr(pattern, "NAME");
        if (place)
            find_files(folder, arena_text("%.*s%s%s", (int)(place - pattern), pattern, name, place + 4), files);
    }
}

static int is_name(const char *name)
{
    return *name && name[name_length(name)] == 0;
}

/* ---------------------------------------------------------------- packages */

void add_imports_of(struct packages *packages, const char *path, struct list *names, struct list *strings)
{
    struct stat status;
    FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= LARGEST_SOURCE ? fopen(path, "re") : 0;
    if (!file)
        return;
    packages->sources_left--;
    packages->bytes_left -= status.st_size;
    char *text = calloc(1, (size_t)status.st_size + 1);
    size_t size = text ? fread(text, 1, (size_t)status.st_size, file) : 0;
    for (size_t i = 0; i < size; i++)
        if (text[i] == 0)
            text[i] = ' ';
    if (size > 0)
        add_imports(&packages->syntax, text, names, strings);
    free(text);
    fclose(file);
}

/* Looks at the modules of a package where the interpreter finds it first, and adds its sources. */
static void look_at_package(struct packages *packages, const char *name, struct list *sources)
{
    if (!is_name(name) || list_has(&packages->seen, name))
        return;
    list_add(&packages->seen, name);
    for (size_t i = 0; i < packages->folders.count; i++) {
        struct list modules = { 0 };
        size_t before = sources->count;
        find_by(&packages->modules, packages->folders.words[i], name, &modules);
        find_by(&packages->sources, packages->folders.words[i], name, sources);
        for (size_t j = 0; j < modules.count && packages->modules_left > 0; j++, packages->modules_left--)
            if (needs_mpi(packages, modules.words[j]))
                list_add(&packages->found, modules.words[j]);
        if (modules.count > 0 || sources->count > before)
            return;
    }
}

static int has_more(struct packages *packages)
{
    packages->is_cut_short = packages->modules_left <= 0 || packages->sources_left <= 0 || packages->bytes_left <= 0;
    return !packages->is_cut_short;
}

void look_at_packages(struct packages *packages, const struct list *names)
{
    struct list level = *names;
    while (level.count > 0 && has_more(packages)) {
        struct list sources = { 0 }, next = { 0 };
        for (size_t i = 0; i < packages->usual.count; i++)
            if (list_has(&level, packages->usual.words[i]))
                look_at_package(packages, packages->usual.words[i], &sources);
        if (packages->found.count > 0)
            return;
        for (size_t i = 0; i < level.count; i++)
            look_at_package(packages, level.words[i], &sources);
        if (packages->found.count > 0)
            return;
        for (size_t i = 0; i < sources.count && has_more(packages); i++)
            add_imports_of(packages, sources.words[i], &next, 0);
        level = next;
    }
}

static int is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

void look_at_strings(struct packages *packages, const char *folder)
{
    for (size_t i = 0; i < packages->strings.count && packages->modules_left > 0; i++, packages->modules_left--) {
        const char *text = packages->strings.words[i], *base = strrchr(text, '/') ? strrchr(text, '/') + 1 : text;
        const char *beside = folder ? arena_text("%s/%s", folder, text) : text;
        if (is_mpi_library(packages, base))
            list_add(&packages->named, base);
        else if (is_file(text) ? needs_mpi(packages, text) : is_file(beside) && needs_mpi(packages, beside))
            list_add(&packages->found, is_file(text) ? text : beside);
    }
}
