/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/needed.h"

#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that may be damaged: each read is checked against its bounds. */
struct file {
    const char *bytes;
    size_t size;
};

/* Returns `count` elements at this place of the file, or null if they are not all there or are not aligned. */
static const void *elements_at(const struct file *file, uint64_t offset, uint64_t count, size_t element)
{
    int is_there = offset <= file->size && count <= (file->size - offset) / element;
    return is_there && offset % (element % 8 == 0 ? 8 : 1) == 0 ? file->bytes + offset : 0;
}

static const ElfW(Ehdr) *header_of(const struct file *file)
{
    static const char ident[] = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32,
                                __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB };
    const ElfW(Ehdr) *header = elements_at(file, 0, 1, sizeof *header);
    return header && memcmp(header->e_ident, ident, sizeof ident) == 0 && header->e_phentsize == sizeof(ElfW(Phdr)) ? header : 0;
}

/* The file's segments; `end` is behind the last. */
struct segments {
    const ElfW(Phdr) *first, *end;
};

static struct segments segments_of(const struct file *file)
{
    const ElfW(Ehdr) *header = header_of(file);
    const ElfW(Phdr) *first = header ? elements_at(file, header->e_phoff, header->e_phnum, sizeof *first) : 0;
    return (struct segments){ first, first ? first + header->e_phnum : 0 };
}

/* Returns what will be loaded at this address, up to the end of the segment's part of the file, and its size; or null. */
static const char *loaded_at(const struct file *file, struct segments segments, ElfW(Addr) address, size_t *size)
{
    for (const ElfW(Phdr) *segment = segments.first; segment < segments.end; segment++) {
        uint64_t inside = address - segment->p_vaddr;
        if (segment->p_type != PT_LOAD || inside >= segment->p_filesz)
            continue;
        *size = segment->p_filesz - inside;
        return elements_at(file, segment->p_offset + inside, *size, 1);
    }
    return 0;
}

/* Returns the value of the first entry with this tag, or 0. */
static uint64_t value_of(const ElfW(Dyn) *entry, const ElfW(Dyn) *end, ElfW(Sxword) tag)
{
    for (; entry < end && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag)
            return entry->d_un.d_val;
    return 0;
}

/* The dynamic section, and its strings. */
struct dynamic {
    const ElfW(Dyn) *first, *end;
    const char *strings;
    size_t strings_size;
};

/* Reads the dynamic section. `strings` stays null if they are not all in the file, or the last one has no end. */
static struct dynamic dynamic_of(const struct file *file, struct segments segments)
{
    struct dynamic dynamic = { 0, 0, 0, 0 };
    const ElfW(Phdr) *segment = segments.first;
    while (segment < segments.end && segment->p_type != PT_DYNAMIC)
        segment++;
    if (segment == segments.end)
        return dynamic;
    size_t count = segment->p_filesz / sizeof(ElfW(Dyn)), there = 0;
    dynamic.first = elements_at(file, segment->p_offset, count, sizeof *dynamic.first);
    dynamic.end = dynamic.first ? dynamic.first + count : 0;
    size_t size = value_of(dynamic.first, dynamic.end, DT_STRSZ);
    const char *strings = loaded_at(file, segments, value_of(dynamic.first, dynamic.end, DT_STRTAB), &there);
    if (strings && size > 0 && size <= there && strings[size - 1] == 0) {
        dynamic.strings = strings;
        dynamic.strings_size = size;
    }
    return dynamic;
}

static const char *string_of(const struct dynamic *dynamic, uint64_t offset)
{
    return offset < dynamic->strings_size ? dynamic->strings + offset : 0;
}

/* A file that is being read, and who is told of it. */
struct reading {
    const struct file *file;
    struct segments segments;
    struct dynamic dynamic;
    void (*visit)(enum library_fact fact, const char *text, const char *of, void *context);
    void *context;
};

static void tell_fact(const struct reading *reading, enum library_fact fact, uint64_t text, const char *of)
{
    const char *string = string_of(&reading->dynamic, text);
    if (string)
        reading->visit(fact, string, of, reading->context);
}

static void read_names(const struct reading *reading)
{
    for (const ElfW(Dyn) *entry = reading->dynamic.first; entry < reading->dynamic.end && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED)
            tell_fact(reading, FACT_NEEDED, entry->d_un.d_val, 0);
        else if (entry->d_tag == DT_RPATH)
            tell_fact(reading, FACT_RPATH, entry->d_un.d_val, 0);
        else if (entry->d_tag == DT_RUNPATH)
            tell_fact(reading, FACT_RUNPATH, entry->d_un.d_val, 0);
}

/* A table whose entries are linked by offsets, and what is left of the file from an entry on. */
struct table {
    const char *at;
    size_t left;
};

static struct table table_at(const struct reading *reading, ElfW(Sxword) tag)
{
    struct table table = { 0, 0 };
    uint64_t address = value_of(reading->dynamic.first, reading->dynamic.end, tag);
    if (address)
        table.at = loaded_at(reading->file, reading->segments, address, &table.left);
    return table;
}

/* Copies the entry at an offset from where the table stands, and moves there. Returns 0 at the table's end. Offsets only grow, so
 * that a damaged table ends, too. */
static int read_entry(struct table *table, uint64_t offset, void *entry, size_t size)
{
    if (!table->at || offset > table->left || table->left - offset < size)
        return 0;
    table->at += offset;
    table->left -= offset;
    memcpy(entry, table->at, size);
    return 1;
}

static void read_versions_of(const struct reading *reading, struct table table, const ElfW(Verneed) *library)
{
    ElfW(Vernaux) version;
    const char *of = string_of(&reading->dynamic, library->vn_file);
    for (uint64_t offset = library->vn_aux; of && offset && read_entry(&table, offset, &version, sizeof version);
         offset = version.vna_next)
        if (!(version.vna_flags & VER_FLG_WEAK))
            tell_fact(reading, FACT_VERSION_NEEDED, version.vna_name, of);
}

static void read_needed_versions(const struct reading *reading)
{
    ElfW(Verneed) library;
    struct table table = table_at(reading, DT_VERNEED);
    for (int is_more = read_entry(&table, 0, &library, sizeof library); is_more;
         is_more = library.vn_next && read_entry(&table, library.vn_next, &library, sizeof library))
        read_versions_of(reading, table, &library);
}

static void read_defined_versions(const struct reading *reading)
{
    ElfW(Verdef) version;
    ElfW(Verdaux) name;
    struct table table = table_at(reading, DT_VERDEF);
    for (int is_more = read_entry(&table, 0, &version, sizeof version); is_more;
         is_more = version.vd_next && read_entry(&table, version.vd_next, &version, sizeof version)) {
        struct table names = table;
        if (!(version.vd_flags & VER_FLG_BASE) && read_entry(&names, version.vd_aux, &name, sizeof name))
            tell_fact(reading, FACT_VERSION_DEFINED, name.vda_name, 0);
    }
}

static int read_facts(struct reading *reading)
{
    reading->segments = segments_of(reading->file);
    reading->dynamic = dynamic_of(reading->file, reading->segments);
    if (!reading->dynamic.strings)
        return 0;
    read_names(reading);
    read_needed_versions(reading);
    read_defined_versions(reading);
    return 1;
}

/* Returns the text of this size, its end included, that will be loaded at this address; or null. */
static const char *text_at(const struct file *file, struct segments segments, ElfW(Addr) address, size_t size)
{
    size_t there = 0;
    const char *text = loaded_at(file, segments, address, &there);
    return text && size > 0 && size <= there && text[size - 1] == 0 ? text : 0;
}

/* Linkers put the strings behind the symbols: what lies between is no symbol of this name. */
static size_t copy_exported(const struct file *file, const char *wanted, char *text, size_t room)
{
    struct segments segments = segments_of(file);
    struct dynamic dynamic = dynamic_of(file, segments);
    size_t size = dynamic.strings_size;
    const char *strings = dynamic.strings;
    uint64_t from = value_of(dynamic.first, dynamic.end, DT_SYMTAB) - value_of(dynamic.first, dynamic.end, DT_STRTAB);
    size_t count = (size_t)(0 - from) / sizeof(ElfW(Sym));
    if (!strings || (uint64_t)(strings - file->bytes) < count * sizeof(ElfW(Sym)))
        return 0;
    const ElfW(Sym) *symbol = elements_at(file, (uint64_t)(strings - file->bytes) + from, count, sizeof *symbol);
    for (size_t i = 0; symbol && i < count; i++) {
        if (symbol[i].st_name >= size || symbol[i].st_shndx == SHN_UNDEF || strcmp(strings + symbol[i].st_name, wanted) != 0)
            continue;
        const char *found = text_at(file, segments, symbol[i].st_value, symbol[i].st_size);
        size_t length = found ? strlen(found) : room;
        return length < room ? (memcpy(text, found, length + 1), length) : 0;
    }
    return 0;
}

/* Maps a regular file; its bytes are null if that fails. */
static struct file map_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    struct file file = { 0, 0 };
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        void *bytes = mmap(0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED)
            file = (struct file){ bytes, (size_t)status.st_size };
    }
    if (fd >= 0)
        close(fd);
    return file;
}

static void unmap_file(struct file file)
{
    if (file.bytes)
        munmap((void *)file.bytes, file.size);
}

int library_facts(const char *path, void (*visit)(enum library_fact fact, const char *text, const char *of, void *context),
                  void *context)
{
    struct file file = map_file(path);
    int is_read = file.bytes && read_facts(&(struct reading){ .file = &file, .visit = visit, .context = context });
    unmap_file(file);
    return is_read;
}

/* A caller that asked for names alone. */
struct asking {
    int (*visit)(const char *name, const void *context);
    const void *context;
    int sum;
};

static void add_needed(enum library_fact fact, const char *text, const char *of, void *context)
{
    struct asking *asking = context;
    (void)of;
    if (fact == FACT_NEEDED)
        asking->sum += asking->visit(text, asking->context);
}

int needed_each(const char *path, int (*visit)(const char *name, const void *context), const void *context)
{
    struct asking asking = { visit, context, 0 };
    library_facts(path, add_needed, &asking);
    return asking.sum;
}

size_t needed_text(const char *path, const char *symbol, char *text, size_t room)
{
    struct file file = map_file(path);
    size_t length = file.bytes ? copy_exported(&file, symbol, text, room) : 0;
    unmap_file(file);
    return length;
}
