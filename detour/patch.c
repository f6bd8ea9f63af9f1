/* SPDX-License-Identifier: BSD-3-Clause */
#include "patch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "detour.h"

/* The kernel writes into private copies of pages that stay executable. Returns false if it does not: the first write shows that, and
 * leaves everything as it was. */
static bool write_by_kernel(const struct patch *patches, size_t count)
{
    int memory = open("/proc/self/mem", O_WRONLY | O_CLOEXEC);
    size_t written = 0;
    while (memory >= 0 && written < count &&
           pwrite(memory, patches[written].bytes, patches[written].size, (off_t)patches[written].at) == (ssize_t)patches[written].size)
        written++;
    if (memory >= 0)
        close(memory);
    return written == count;
}

/* Returns the whole pages of a segment, and how many bytes they have. */
static char *pages_of(const struct program *program, const ElfW(Phdr) *segment, size_t *size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = program->base + segment->p_vaddr, end = begin + segment->p_filesz;
    *size = ((end + page - 1) & -page) - (begin & -page);
    return (char *)(begin & -page);
}

/* First writable, then executable again. */
static bool write_segment(const struct program *program, const ElfW(Phdr) *segment, const struct patch *patches, size_t count)
{
    size_t size, written = 0;
    char *pages = pages_of(program, segment, &size);
    if (mprotect(pages, size, PROT_READ | PROT_WRITE) != 0)
        return false;
    for (; written < count && program_segment(program, patches[written].at, 1, PF_X) == segment; written++)
        memcpy((void *)patches[written].at, patches[written].bytes, patches[written].size);
    if (mprotect(pages, size, PROT_READ | PROT_EXEC) != 0)
        return false;
    __builtin___clear_cache(pages, pages + size);
    return true;
}

/* Patches lie in the order of their addresses. */
static bool write_by_protection(const struct program *program, const struct patch *patches, size_t count)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        const ElfW(Phdr) *segment = program_segment(program, patches[begin].at, 1, PF_X);
        for (end = begin; end < count && program_segment(program, patches[end].at, 1, PF_X) == segment; end++)
            ;
        if (!write_segment(program, segment, patches + begin, end - begin))
            return false;
    }
    return true;
}

void patch_write(const struct program *program, const struct patch *patches, size_t count)
{
    if (!write_by_kernel(patches, count) && !write_by_protection(program, patches, count))
        refuse_program("the MPI in %s cannot be replaced, as this process may not change its code (%s); allow that, or link the program with the "
                "shared library of its MPI",
                program->path, strerror(errno));
}
