// SPDX-License-Identifier: BSD-3-Clause
#include "elf-versions.h"

#include <stdlib.h>
#include <string.h>

#include "allocate.h"

static void note_version(struct versions *versions, const char *library, const char *name)
{
    if (!name)
        return;
    versions->all = grown(versions->all, versions->count, sizeof *versions->all);
    versions->all[versions->count++] = (struct version){ library ? copy(library) : NULL, copy(name) };
}

// Entries are linked by offsets; what is damaged may lead nowhere, but not in a circle.
static bool step_offset(int *offset, GElf_Word next)
{
    if (next == 0 || next > INT32_MAX - (GElf_Word)*offset)
        return false;
    *offset += (int)next;
    return true;
}

static void read_defined(struct versions *versions, Elf *elf, Elf_Data *data, size_t strings)
{
    GElf_Verdef entry;
    GElf_Verdaux name;
    int offset = 0;
    do {
        if (!gelf_getverdef(data, offset, &entry))
            return;
        int first = offset;
        // The base version names the library itself.
        if (!(entry.vd_flags & VER_FLG_BASE) && step_offset(&first, entry.vd_aux) &&
            gelf_getverdaux(data, first, &name))
            note_version(versions, NULL, elf_strptr(elf, strings, name.vda_name));
    } while (step_offset(&offset, entry.vd_next));
}

static void read_needed_of(struct versions *versions, Elf *elf, Elf_Data *data, size_t strings, int offset,
                           const char *library)
{
    GElf_Vernaux name;
    do {
        if (!gelf_getvernaux(data, offset, &name))
            return;
        if (!(name.vna_flags & VER_FLG_WEAK))
            note_version(versions, library, elf_strptr(elf, strings, name.vna_name));
    } while (step_offset(&offset, name.vna_next));
}

static void read_needed(struct versions *versions, Elf *elf, Elf_Data *data, size_t strings)
{
    GElf_Verneed entry;
    int offset = 0;
    do {
        if (!gelf_getverneed(data, offset, &entry))
            return;
        const char *library = elf_strptr(elf, strings, entry.vn_file);
        int first = offset;
        if (library && step_offset(&first, entry.vn_aux))
            read_needed_of(versions, elf, data, strings, first, library);
    } while (step_offset(&offset, entry.vn_next));
}

static void read_sections(struct versions *versions, Elf *elf)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr section;
    while ((scn = elf_nextscn(elf, scn))) {
        if (!gelf_getshdr(scn, &section))
            return;
        bool defined = section.sh_type == SHT_GNU_verdef;
        Elf_Data *data = defined || section.sh_type == SHT_GNU_verneed ? elf_getdata(scn, NULL) : NULL;
        if (data)
            (defined ? read_defined : read_needed)(versions, elf, data, section.sh_link);
    }
}

int versions_read(struct versions *versions, const char *path)
{
    struct file f;
    *versions = (struct versions){ .count = 0 };
    int code = elf_file_open(&f, path);
    if (code == EXIT_YES)
        read_sections(versions, f.elf);
    elf_file_close(&f);
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
