// SPDX-License-Identifier: BSD-3-Clause
#include "elf-versions.h"

#include <stdlib.h>
#include <string.h>

#include "allocate.h"

static void note_version(void *context, const char *library, const char *name)
{
    struct versions *versions = context;
    versions->all = grown(versions->all, versions->count, sizeof *versions->all);
    versions->all[versions->count++] = (struct version){ library ? copy(library) : NULL, copy(name) };
}

int versions_read(struct versions *versions, const char *path)
{
    struct elf_file f;
    *versions = (struct versions){ .count = 0 };
    int code = elf_open(&f, path);
    if (code == ELF_YES) {
        elf_each_defined_version(&f, note_version, versions);
        elf_each_needed_version(&f, note_version, versions);
        code = f.limit ? ELF_DAMAGED : code;
    }
    elf_close(&f);
    return code;
}

void versions_free(struct versions *versions)
{
    for (size_t i = 0; i < versions->count; i++) {
        free(versions->all[i].library);
        free(versions->all[i].name);
    }
    free(versions->all);
}

bool versions_serve(const struct versions *versions, const char *name)
{
    bool defines = false;
    for (size_t i = 0; i < versions->count; i++) {
        if (versions->all[i].library)
            continue;
        defines = true;
        if (strcmp(versions->all[i].name, name) == 0)
            return true;
    }
    return !defines;
}
