/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "closure.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Code and data of a block, each; a multiple of every page size in use. */
#define BLOCK_BYTES 65536
#define TRAMPOLINE_BYTES 16
#define BLOCK_SLOTS (BLOCK_BYTES / TRAMPOLINE_BYTES)

/* A trampoline's data: BLOCK_BYTES behind its code. */
struct slot {
    closure_entry *entry;
    mpi_function *function;
};
_Static_assert(sizeof(struct slot) == TRAMPOLINE_BYTES, "a slot is as long as its trampoline");

#if defined __x86_64__
/* endbr64; lea BLOCK_BYTES - 11(%rip), %r10; jmp *(%r10); int3; int3 */
static const unsigned char trampoline[TRAMPOLINE_BYTES] = {
    0xf3, 0x0f, 0x1e, 0xfa, 0x4c, 0x8d, 0x15, (BLOCK_BYTES - 11) & 0xff, (BLOCK_BYTES - 11) >> 8 & 0xff,
    (BLOCK_BYTES - 11) >> 16, 0, 0x41, 0xff, 0x22, 0xcc, 0xcc,
};
#elif defined __aarch64__
/* adr x16, BLOCK_BYTES; ldr x17, [x16]; br x17; nop */
static const unsigned char trampoline[TRAMPOLINE_BYTES] = {
    0x10, 0x00, 0x08, 0x10, 0x11, 0x02, 0x40, 0xf9, 0x20, 0x02, 0x1f, 0xd6, 0x1f, 0x20, 0x03, 0xd5,
};
#endif

/* Slots in use by hash of entry and function: open addressing, at most half full. */
static struct slot **table;
static size_t table_size, used;
static struct slot *next_slot, *last_slot;
static int code_file = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The memory file that every block's code is mapped from; -1 on failure. */
static int open_code_file(void)
{
    static unsigned char code[BLOCK_BYTES];
    int file = memfd_create("mpi-adapter-closures", MFD_CLOEXEC);
    if (file < 0)
        return -1;
    for (int i = 0; i < BLOCK_SLOTS; i++)
        memcpy(code + i * TRAMPOLINE_BYTES, trampoline, TRAMPOLINE_BYTES);
    if (write(file, code, sizeof code) == (ssize_t)sizeof code)
        return file;
    close(file);
    return -1;
}

/* Maps a block: code, executable and read-only, then its data. */
static int add_block(void)
{
    if (code_file < 0)
        code_file = open_code_file();
    if (code_file < 0)
        return -1;
    char *block = mmap(0, 2 * BLOCK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return -1;
    if (mmap(block, BLOCK_BYTES, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_FIXED, code_file, 0) == MAP_FAILED) {
        munmap(block, 2 * BLOCK_BYTES);
        return -1;
    }
    next_slot = (struct slot *)(void *)(block + BLOCK_BYTES);
    last_slot = next_slot + BLOCK_SLOTS;
    return 0;
}

static mpi_function *code_of(struct slot *slot)
{
    return (mpi_function *)(void *)((char *)slot - BLOCK_BYTES);
}

/* Where a function stands in the table, or would. */
static struct slot **place(closure_entry *entry, mpi_function *function)
{
    uint64_t hash = ((uintptr_t)entry ^ (uintptr_t)function * 31) * 0x9e3779b97f4a7c15u >> 20;
    for (size_t i = hash;; i++) {
        struct slot **found = &table[i & (table_size - 1)];
        if (!*found || ((*found)->entry == entry && (*found)->function == function))
            return found;
    }
}

static int grow(void)
{
    struct slot **old = table;
    size_t old_size = table_size;
    struct slot **larger = calloc(old_size ? 2 * old_size : 64, sizeof *larger);
    if (!larger)
        return -1;
    table = larger;
    table_size = old_size ? 2 * old_size : 64;
    for (size_t i = 0; i < old_size; i++)
        if (old[i])
            *place(old[i]->entry, old[i]->function) = old[i];
    free(old);
    return 0;
}

static struct slot *find_or_add(closure_entry *entry, mpi_function *function)
{
    if (2 * (used + 1) > table_size && grow() != 0)
        return 0;
    struct slot **found = place(entry, function);
    if (*found)
        return *found;
    if (next_slot == last_slot && add_block() != 0)
        return 0;
    *next_slot = (struct slot){ entry, function };
    used++;
    return *found = next_slot++;
}

mpi_function *closure(closure_entry *entry, mpi_function *function)
{
    pthread_mutex_lock(&lock);
    struct slot *slot = find_or_add(entry, function);
    pthread_mutex_unlock(&lock);
    return slot ? code_of(slot) : 0;
}
