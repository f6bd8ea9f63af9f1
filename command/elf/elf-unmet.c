// SPDX-License-Identifier: BSD-3-Clause
#include "elf-unmet.h"

#include <stdlib.h>
#include <string.h>

#include "allocate.h"
#include "elf-versions.h"

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// The number of the library by whose name a version is needed, or the count.
static size_t named(const struct closure *closure, const char *name)
{
    size_t i = 0;
    while (i < closure->count && strcmp(last_part(closure->libraries[i].name), name) != 0)
        i++;
    return i;
}

static void check_versions(const struct closure *closure, const struct versions *have, const struct versions *own,
                           const char *by, void visit(const char *, const char *, const char *))
{
    for (size_t i = 0; i < own->count; i++) {
        const struct version *need = own->all + i;
        size_t from = need->library ? named(closure, need->library) : closure->count;
        if (from < closure->count && closure->libraries[from].path && !versions_serve(have + from, need->name))
            visit(by, closure->libraries[from].path, need->name);
    }
}

void each_unmet(const struct closure *closure, const char *program,
                void visit(const char *by, const char *library, const char *version))
{
    struct versions own, *have = allocated(calloc(closure->count + 1, sizeof *have));
    for (size_t i = 0; i < closure->count; i++)
        if (closure->libraries[i].path)
            versions_read(have + i, closure->libraries[i].path);
    versions_read(&own, program);
    check_versions(closure, have, &own, program, visit);
    for (size_t i = 0; i < closure->count; i++)
        if (closure->libraries[i].path)
            check_versions(closure, have, have + i, closure->libraries[i].path, visit);
    versions_free(&own);
    for (size_t i = 0; i < closure->count; i++)
        versions_free(have + i);
    free(have);
}
