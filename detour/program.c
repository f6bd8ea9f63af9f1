/* SPDX-License-Identifier: BSD-3-Clause */
#include "program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The first object is the executable. */
static int note_executable(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct program *program = context;
    program->base = info->dlpi_addr;
    program->segments = info->dlpi_phdr;
    program->segment_count = info->dlpi_phnum;
    return 1;
}

/* Whether the file has the program headers that are in memory. */
static bool was_loaded(const struct program *program)
{
    const struct elf_file *f = &program->file;
    return elf_is_own(f) && f->header.e_phnum == program->segment_count &&
           memcmp(f->segments, program->segments, program->segment_count * sizeof *program->segments) == 0;
}

static bool open_file(struct program *program, const char *path)
{
    if (elf_open_mapped(&program->file, path) == ELF_YES && was_loaded(program))
        return true;
    elf_close(&program->file);
    return false;
}

/* Sets the path to that of the file at an address of memory. The dynamic linker may have been started with the program's name, so that
 * /proc/self/exe leads to the linker. */
static bool find_mapped_file(uintptr_t address, char *path, size_t size)
{
    char line[4096 + 128];
    FILE *maps = fopen("/proc/self/maps", "re");
    bool found = false;
    while (maps && !found && fgets(line, sizeof line, maps)) {
        unsigned long begin, end;
        const char *name = strchr(line, '/');
        if (sscanf(line, "%lx-%lx", &begin, &end) == 2 && address >= begin && address < end && name) {
            snprintf(path, size, "%.*s", (int)strcspn(name, "\n"), name);
            found = true;
        }
    }
    if (maps)
        fclose(maps);
    return found;
}

void program_open(struct program *program)
{
    static char path[4096];
    dl_iterate_phdr(note_executable, program);
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    program->is_readable = open_file(program, "/proc/self/exe");
    if (!program->is_readable && find_mapped_file((uintptr_t)program->segments, path, sizeof path))
        program->is_readable = open_file(program, path);
    program->path = path[0] ? path : "the program";
}

/* Looks for the library of a number, and counts down to it. */
struct wanted {
    size_t left;
    struct program *program;
};

static int note_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct wanted *wanted = context;
    if (wanted->left-- > 0)
        return 0;
    *wanted->program = (struct program){ .path = info->dlpi_name, .is_library = true, .base = info->dlpi_addr, .segments = info->dlpi_phdr,
                                         .segment_count = info->dlpi_phnum };
    return 1;
}

bool program_find_library(struct program *program, size_t number)
{
    struct wanted wanted = { number, program };
    return dl_iterate_phdr(note_library, &wanted);
}

void program_open_library(struct program *program)
{
    program->is_readable = open_file(program, program->path);
}

void program_open_file(struct program *program, const char *path)
{
    struct elf_file *f = &program->file;
    program->path = path;
    program->is_file = true;
    program->is_readable = elf_open(f, path) == ELF_YES && elf_is_own(f);
    if (program->is_readable) {
        program->segments = (const ElfW(Phdr) *)(const void *)f->segments; /* aligned, as it is a copy */
        program->segment_count = f->header.e_phnum;
    } else
        elf_close(f);
}

/* Whether two files are of one build: a linker gives any mark that it is told to. */
static bool are_of_one_build(struct elf_file *file, struct elf_file *other)
{
    size_t size, other_size;
    const unsigned char *id = elf_build_id(file, &size), *other_id = elf_build_id(other, &other_size);
    return id && other_id && size == other_size && memcmp(id, other_id, size) == 0 && elf_has_sections_of(file, other);
}

static bool open_debug(struct program *program, const char *path)
{
    struct elf_file *f = &program->debug;
    enum elf_result result = program->is_file ? elf_open(f, path) : elf_open_mapped(f, path);
    program->has_debug = result != ELF_UNREADABLE && result != ELF_FOREIGN && elf_is_own(f) && are_of_one_build(&program->file, f);
    if (!program->has_debug)
        elf_close(f);
    return program->has_debug;
}

bool program_open_debug(struct program *program)
{
    char path[4096 + 16];
    size_t size, length;
    const unsigned char *id = program->is_readable ? elf_build_id(&program->file, &size) : NULL;
    if (!id || size < 2 || size > 64)
        return false;
    length = (size_t)snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%02x/", id[0]);
    for (size_t i = 1; i < size; i++)
        length += (size_t)snprintf(path + length, sizeof path - length, "%02x", id[i]);
    snprintf(path + length, sizeof path - length, ".debug");
    if (open_debug(program, path))
        return true;
    return snprintf(path, sizeof path, "%s.debug", program->path) < (int)sizeof path && open_debug(program, path);
}

enum elf_result program_each_symbol(struct program *program, bool visit(void *context, const Elf64_Sym *, const char *name), void *context)
{
    if (program->is_stripped)
        return elf_each_symbol(&program->file, visit, context);
    return elf_each_linked_symbol(program->has_debug ? &program->debug : &program->file, visit, context);
}

void program_close(struct program *program)
{
    if (program->has_debug)
        elf_close(&program->debug);
    program->has_debug = false;
    if (program->is_readable)
        elf_close(&program->file);
    program->is_readable = false;
}

const ElfW(Phdr) *program_segment(const struct program *program, uintptr_t address, uint64_t size, unsigned flags)
{
    for (size_t i = 0; i < program->segment_count; i++) {
        const ElfW(Phdr) *segment = &program->segments[i];
        uintptr_t inside = address - program->base - segment->p_vaddr;
        if (segment->p_type == PT_LOAD && (segment->p_flags & flags) == flags && inside < segment->p_filesz &&
            size <= segment->p_filesz - inside)
            return segment;
    }
    return NULL;
}

const unsigned char *program_code(struct program *program, uintptr_t address, uint64_t size)
{
    if (!program_segment(program, address, size, PF_X))
        return NULL;
    return program->is_file ? elf_loaded(&program->file, address, size) : (const unsigned char *)address;
}

/* Whether the text is there, as the end of a longer one: files that have the table of such texts hold it alone. */
static bool is_text_in(const char *bytes, size_t size, const char *text)
{
    const char *at = bytes, *end = bytes + size;
    while ((at = memmem(at, (size_t)(end - at), text, strlen(text))) && (at == bytes || !at[-1]))
        at++;
    return at;
}

/* Whether a segment with just these flags holds the text. */
static bool segments_contain(struct program *program, const char *text, unsigned flags, bool *exist)
{
    bool found = false;
    *exist = false;
    for (size_t i = 0; i < program->segment_count && !found; i++) {
        const ElfW(Phdr) *segment = &program->segments[i];
        if (segment->p_type != PT_LOAD || segment->p_flags != flags)
            continue;
        *exist = true;
        const void *bytes = program->is_file ? elf_loaded(&program->file, segment->p_vaddr, segment->p_filesz)
                                             : (const void *)(program->base + segment->p_vaddr);
        found = bytes && is_text_in(bytes, segment->p_filesz, text);
    }
    return found;
}

/* Linkers put texts with code where they have no segment that is only read. */
bool program_contains(struct program *program, const char *text)
{
    bool exist;
    bool found = segments_contain(program, text, PF_R, &exist);
    return exist ? found : segments_contain(program, text, PF_R | PF_X, &exist);
}
