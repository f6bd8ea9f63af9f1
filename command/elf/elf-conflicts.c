// SPDX-License-Identifier: BSD-3-Clause
#include "elf-conflicts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocate.h"
#include "elf-closure.h"
#include "elf/file.h"
#include "process/needed.h"

// The program's search paths for the loader, and its libraries.
struct program {
    struct closure closure;
    const char *path;
    char *rpath;        // as conflicts_expanded(), or NULL
    bool has_runpath;
    struct brought *brought;
    size_t count;
    char *settled;
};

static void note_search_path(enum library_fact fact, const char *text, const char *of, void *context)
{
    struct program *program = context;
    (void)of;
    if (fact == FACT_RPATH && !program->rpath)
        program->rpath = allocated(conflicts_expanded(text, program->path));
    program->has_runpath |= fact == FACT_RUNPATH;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_in(const char *folder, const char *path)
{
    size_t length = (size_t)(last_part(path) - path);
    return length == strlen(folder) + 1 && strncmp(path, folder, length - 1) == 0;
}

// Whether a library of the program's comes from elsewhere than the host's do.
static bool is_brought(const char *path, const char *pair, bool host_is_elsewhere)
{
    size_t length = (size_t)(last_part(path) - path);
    return length > 1 && !is_in(pair, path) && (host_is_elsewhere || !conflicts_of_system(path, length - 1));
}

static void sort_libraries(struct program *program, const char *pair, bool host_is_elsewhere)
{
    size_t size = 1;
    for (size_t i = 0; i < program->closure.count; i++)
        size += strlen(program->closure.libraries[i].name) + 1;
    program->brought = allocated(calloc(program->closure.count + 1, sizeof *program->brought));
    program->settled = allocated(calloc(1, size));
    for (size_t i = 0; i < program->closure.count; i++) {
        const struct library *library = &program->closure.libraries[i];
        const char *name = last_part(library->name);
        if (!library->path)
            continue;
        if (is_brought(library->path, pair, host_is_elsewhere))
            program->brought[program->count++] = (struct brought){ name, library->path };
        else
            strcat(strcat(program->settled, name), ":");
    }
}

static void find_conflicts(struct program *program, const char *library_path, const char *pair, const char *host,
                           void visit(const struct conflict *, void *), void *context)
{
    static const char system_folders[] = "/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib/aarch64-linux-gnu:"
                                         "/usr/lib/aarch64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib";
    char found[PATH_MAX], *environment = allocated(conflicts_environment(library_path, pair)), *folders;
    int is_in_environment = 0;
    if (conflicts_find_host(host, environment, system_folders, "", found, &is_in_environment)) {
        size_t length = (size_t)(last_part(found) - found);
        sort_libraries(program, pair, is_in_environment || (length > 1 && !conflicts_of_system(found, length - 1)));
        const char *rpath = program->rpath && !program->has_runpath ? program->rpath : "", *ahead = is_in_environment ? "" : environment;
        allocated(asprintf(&folders, "%s%s%s", rpath, *rpath && *ahead ? ":" : "", ahead) < 0 ? NULL : folders);
        struct both_sides sides = {
            .program = program->path, .loaded = program->brought, .loaded_count = program->count, .program_folders = folders,
            .host_folders = is_in_environment ? environment : "", .system_folders = system_folders, .left_out = program->settled,
            .root = "",
        };
        allocated(conflicts_find(found, &sides, visit, context) ? folders : NULL);
        free(folders);
    }
    free(environment);
}

int each_conflict(const char *path, const char *library_path, const char *preload, const char *pair, const char *host,
                  void visit(const struct conflict *, void *), void *context)
{
    char *real = realpath(path, NULL);
    struct program program = { .path = real ? real : path };
    int code = closure_read(&program.closure, path, library_path, preload);
    if (code == ELF_YES) {
        library_facts(path, note_search_path, &program);
        find_conflicts(&program, library_path, pair, host, visit, context);
    }
    closure_free(&program.closure);
    free(program.brought);
    free(program.settled);
    free(program.rpath);
    free(real);
    return code;
}

char *conflict_text(const struct conflict *conflict)
{
    char *text;
    int written;
    if (conflict->kind == CONFLICT_ONE)
        written = asprintf(&text, "%s: there can be one in a process, so %s is to come first, ahead of %s", conflict->name,
                           conflict->host, conflict->program);
    else if (conflict->kind != CONFLICT_REFUSED)
        written = asprintf(&text, "%s: the host's MPI gets %s, %s %s", conflict->name, conflict->host,
                           conflict->kind == CONFLICT_APART ? "the program has" : "and not", conflict->program);
    else if (strcmp(conflict->needed_by, conflict->program) == 0)
        written = asprintf(&text, "%s: %s is to come first, as %s needs %s, which another library of the host's lacks", conflict->name,
                           conflict->host, conflict->program, conflict->version);
    else
        written = asprintf(&text, "%s: %s of the program lacks %s, which %s of the host's MPI needs; %s%s", conflict->name,
                           conflict->program, conflict->version, conflict->needed_by, conflict->host,
                           conflict->host_serves_both ? " serves both" : " lacks versions that the program's has");
    return allocated(written < 0 ? NULL : text);
}
