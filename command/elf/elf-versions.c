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

// A section of versions, and the strings that it refers to.
struct section {
    struct file *file;
    const unsigned char *at;
    uint64_t size;
    struct strings strings;
};

// An entry of a section, or NULL: what is damaged may lead anywhere.
static const unsigned char *entry_at(const struct section *section, uint64_t offset, size_t size)
{
    return offset <= section->size && size <= section->size - offset ? section->at + offset : NULL;
}

// Entries are linked by offsets forward, so that they lead in no circle.
static bool step_offset(uint64_t *offset, uint64_t next)
{
    *offset += next;
    return next != 0;
}

// Both classes have the same entries of versions.
#define NUMBER(section, entry, structure, name) \
    number_at(&(section)->file->bytes, (entry) + offsetof(Elf64_##structure, name), sizeof((Elf64_##structure *)0)->name)

static void read_defined(struct versions *versions, const struct section *section)
{
    const unsigned char *entry, *name;
    uint64_t offset = 0;
    do {
        if (!(entry = entry_at(section, offset, sizeof(Elf64_Verdef))))
            return;
        uint64_t first = offset;
        // The base version names the library itself.
        if (!(NUMBER(section, entry, Verdef, vd_flags) & VER_FLG_BASE) &&
            step_offset(&first, NUMBER(section, entry, Verdef, vd_aux)) && (name = entry_at(section, first, sizeof(Elf64_Verdaux))))
            note_version(versions, NULL, string_at(&section->strings, NUMBER(section, name, Verdaux, vda_name)));
    } while (step_offset(&offset, NUMBER(section, entry, Verdef, vd_next)));
}

static void read_needed_of(struct versions *versions, const struct section *section, uint64_t offset, const char *library)
{
    const unsigned char *name;
    do {
        if (!(name = entry_at(section, offset, sizeof(Elf64_Vernaux))))
            return;
        if (!(NUMBER(section, name, Vernaux, vna_flags) & VER_FLG_WEAK))
            note_version(versions, library, string_at(&section->strings, NUMBER(section, name, Vernaux, vna_name)));
    } while (step_offset(&offset, NUMBER(section, name, Vernaux, vna_next)));
}

static void read_needed(struct versions *versions, const struct section *section)
{
    const unsigned char *entry;
    uint64_t offset = 0;
    do {
        if (!(entry = entry_at(section, offset, sizeof(Elf64_Verneed))))
            return;
        const char *library = string_at(&section->strings, NUMBER(section, entry, Verneed, vn_file));
        uint64_t first = offset;
        if (library && step_offset(&first, NUMBER(section, entry, Verneed, vn_aux)))
            read_needed_of(versions, section, first, library);
    } while (step_offset(&offset, NUMBER(section, entry, Verneed, vn_next)));
}

static void read_sections(struct versions *versions, struct file *f)
{
    const unsigned char *headers = section_headers(f);
    for (size_t i = 0; headers && i < f->header.e_shnum; i++) {
        Elf64_Shdr header = section_at(f, headers, i);
        bool defined = header.sh_type == SHT_GNU_verdef;
        if (!defined && header.sh_type != SHT_GNU_verneed)
            continue;
        struct section section = { f, section_bytes(f, &header), header.sh_size, section_strings(f, headers, header.sh_link) };
        if (section.at)
            (defined ? read_defined : read_needed)(versions, &section);
    }
}

int versions_read(struct versions *versions, const char *path)
{
    struct file f;
    *versions = (struct versions){ .count = 0 };
    int code = elf_file_open(&f, path);
    if (code == EXIT_YES)
        read_sections(versions, &f);
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
