// SPDX-License-Identifier: BSD-3-Clause
#include "host.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../elf/allocate.h"
#include "../elf/elf-conflicts.h"
#include "elf/file.h"

const char *const outcome_names[OUTCOMES] = {
    [OUTCOME_DIRECT] = "direct",
    [OUTCOME_CONVERTED] = "converted",
    [OUTCOME_BUILT] = "built",
    [OUTCOME_MISSING] = "missing",
};

static char *path_in(const char *folder, const char *name)
{
    char *path;
    return allocated(asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path);
}

// ---------------------------------------------------------------- the pair's list

static int compare_procedures(const void *a, const void *b)
{
    return strcasecmp(((const struct procedure *)a)->name, ((const struct procedure *)b)->name);
}

const struct procedure *find_procedure(const struct host *host, const char *name)
{
    struct procedure key = { .name = (char *)name };
    if (!host->procedure_count)
        return NULL;
    return bsearch(&key, host->procedures, host->procedure_count, sizeof key, compare_procedures);
}

static void note_procedure(struct host *host, const char *line)
{
    struct procedure read = { .name = NULL };
    if (sscanf(line, "%ms %ms %ms %ms %ms", &read.name, &read.how, &read.host, &read.stand_in, &read.since) == 5 &&
        strncmp(read.name, "MPI", 3) == 0) {
        host->procedures = grown(host->procedures, host->procedure_count, sizeof read);
        host->procedures[host->procedure_count++] = read;
    } else {
        free(read.name);
        free(read.how);
        free(read.host);
        free(read.stand_in);
        free(read.since);
    }
}

static void read_procedures(struct host *host)
{
    char *path = path_in(host->folder, "procedures.conf"), *line = NULL;
    FILE *file = fopen(path, "re");
    size_t size = 0;
    while (file && getline(&line, &size, file) >= 0)
        note_procedure(host, line);
    if (file)
        fclose(file);
    if (host->procedure_count)
        qsort(host->procedures, host->procedure_count, sizeof *host->procedures, compare_procedures);
    free(line);
    free(path);
}

// ---------------------------------------------------------------- what is there

static bool note_definition(void *names, const Elf64_Sym *symbol, const char *name)
{
    if (symbol->st_shndx != SHN_UNDEF)
        names_add(names, name);
    return true;
}

static void add_definitions(struct names *names, const char *path)
{
    struct elf_file f;
    if (elf_open(&f, path) == ELF_YES)
        elf_each_symbol(&f, note_definition, names);
    elf_close(&f);
}

// Returns whether a path is a link within its folder: another name of a file there.
static bool is_alias(const char *path)
{
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target);
    return length > 0 && !memchr(target, '/', (size_t)length);
}

static void add_definitions_of_pair(struct names *names, const char *folder)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char *path = path_in(folder, entry->d_name);
        if (strstr(entry->d_name, ".so") && !is_alias(path))
            add_definitions(names, path);
        free(path);
    }
    if (entries)
        closedir(entries);
}

static bool pair_has(const struct host *host, const struct library *library, struct stat *status)
{
    char *path = path_in(host->folder, base_name(library->name));
    bool has = stat(path, status) == 0;
    free(path);
    return has;
}

// Adds what libraries of the program define that they or others import, and that no pair replaces, such as the library of the C++
// bindings.
static void add_definitions_of_program(struct names *names, const struct host *host, const struct program *program,
                                       const struct closure *closure)
{
    struct stat unused;
    for (size_t i = 0; i < closure->count; i++) {
        const struct library *library = &closure->libraries[i];
        if (library->path && !pair_has(host, library, &unused) &&
            (is_mpi_library(program, library) || names_have(&program->files, library->path)))
            add_definitions(names, library->path);
    }
}

// ---------------------------------------------------------------- each call

static enum outcome outcome_where_provided(const struct procedure *procedure, const struct names *exported)
{
    if (!procedure)
        return OUTCOME_CONVERTED;
    enum outcome passed = strcmp(procedure->how, "direct") == 0 ? OUTCOME_DIRECT : OUTCOME_CONVERTED;
    if (strcmp(procedure->how, "unsupported") == 0)
        return OUTCOME_MISSING;
    if (strcmp(procedure->stand_in, "-") == 0 || names_have(exported, procedure->host))
        return passed;
    return strcmp(procedure->stand_in, "built") == 0 ? OUTCOME_BUILT : OUTCOME_MISSING;
}

static void settle_outcomes(struct host *host, const struct program *program, const struct closure *closure)
{
    struct names provided = { .count = 0 }, exported = { .count = 0 }, own = { .count = 0 };
    add_definitions_of_pair(&provided, host->folder);
    add_definitions_of_program(&provided, host, program, closure);
    add_definitions(&exported, host->library);
    add_definitions(&own, program->file);
    names_sort(&own);
    names_sort(&provided);
    names_sort(&exported);
    host->outcomes = allocated(calloc(program->import_count + 1, sizeof *host->outcomes));
    for (size_t i = 0; i < program->import_count; i++) {
        const struct import *import = &program->imports[i];
        bool is_provided = names_have(&provided, import->symbol) || (!import->copied && names_have(&own, import->symbol));
        host->outcomes[i] = !is_provided ? OUTCOME_MISSING :
                            outcome_where_provided(find_procedure(host, import->procedure), &exported);
        if (!import->object)
            host->counts[host->outcomes[i]]++;
    }
    names_free(&provided);
    names_free(&exported);
    names_free(&own);
}

// ---------------------------------------------------------------- where the loader finds libraries

static bool is_file(const char *path, const struct stat *other)
{
    struct stat status;
    return path && stat(path, &status) == 0 && status.st_ino == other->st_ino && status.st_dev == other->st_dev;
}

static bool is_stand_in(const struct host *host, const struct library *library)
{
    size_t length = strlen(host->folder);
    return library->path && strncmp(library->path, host->folder, length) == 0 &&
           strncmp(library->path + length, "/stand-ins/", strlen("/stand-ins/")) == 0;
}

static void note_places(struct host *host, const struct closure *closure)
{
    struct stat ours;
    for (size_t i = 0; i < closure->count; i++) {
        const struct library *library = &closure->libraries[i];
        if (pair_has(host, library, &ours) && !is_file(library->path, &ours))
            names_add(&host->preloaded, base_name(library->name));
        else if (is_stand_in(host, library))
            names_add(&host->stand_ins, base_name(library->name));
    }
}

static void note_conflict(const struct conflict *conflict, void *conflicts)
{
    char *text = conflict_text(conflict);
    names_add(conflicts, text);
    free(text);
}

// ---------------------------------------------------------------- the whole

void host_read(struct host *host, const struct program *program, const char *preload)
{
    struct closure closure;
    read_procedures(host);
    if (host->problem)
        return;
    if (host->preload)
        preload = host->preload;
    closure_read(&closure, program->file, host->library_path, preload);
    settle_outcomes(host, program, &closure);
    note_places(host, &closure);
    each_conflict(program->file, host->library_path, preload, host->folder, host->library, note_conflict, &host->conflicts);
    closure_free(&closure);
}

void host_free(struct host *host)
{
    for (size_t i = 0; i < host->procedure_count; i++) {
        struct procedure *each = &host->procedures[i];
        free(each->name);
        free(each->how);
        free(each->host);
        free(each->stand_in);
        free(each->since);
    }
    free(host->procedures);
    free(host->outcomes);
    names_free(&host->host_preload);
    names_free(&host->preloaded);
    names_free(&host->conflicts);
    names_free(&host->stand_ins);
}
