/* SPDX-License-Identifier: BSD-3-Clause */
/* pages LIBRARY: how many pages of a library are in the memory of the process at the end of MPI_Init: "shared PAGES", of
 * its file, and "own PAGES", that the process has for itself. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "require.h"

/* Of the kernel's 64-bit words, one for each page. */
#define PRESENT (1ull << 63)
#define OF_FILE (1ull << 61)

struct count {
    const char *library;
    int pagemap, shared, own;
};

static void count_page(struct count *count, uintptr_t page)
{
    uint64_t word;
    CHECK(pread(count->pagemap, &word, sizeof word, (off_t)(page * sizeof word)) == sizeof word);
    count->shared += (word & PRESENT) && (word & OF_FILE);
    count->own += (word & PRESENT) && !(word & OF_FILE);
}

static int count_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct count *count = context;
    uintptr_t bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    (void)size;
    if (strcmp(info->dlpi_name, count->library) != 0)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = begin + info->dlpi_phdr[i].p_memsz;
        for (uintptr_t page = begin / bytes; info->dlpi_phdr[i].p_type == PT_LOAD && page * bytes < end; page++)
            count_page(count, page);
    }
    return 1;
}

int main(int argc, char **argv)
{
    struct count count = { .library = argv[1] };
    MPI_Init(&argc, &argv);
    count.pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    CHECK(count.pagemap >= 0);
    CHECK(dl_iterate_phdr(count_object, &count) == 1);
    printf("shared\t%d\nown\t%d\n", count.shared, count.own);
    MPI_Finalize();
    return 0;
}
