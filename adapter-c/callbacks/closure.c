/* SPDX-License-Identifier: BSD-3-Clause */
#include "callbacks/closure.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "convert/index.h"
#include "layers/lock.h"
#include "convert/say.h"

/* A block's trampolines, and the bytes of its code and of its data, each; a multiple of every page size in use. */
#define BLOCK_CLOSURES 4096
#define TRAMPOLINE_BYTES 32
#define BLOCK_BYTES (BLOCK_CLOSURES * TRAMPOLINE_BYTES)

/* A trampoline's data. */
struct closure {
    struct index_entry known; /* by the function */
    closure_entry *entry;
    mpi_function *function;
} __attribute__((aligned(TRAMPOLINE_BYTES)));
_Static_assert(sizeof(struct closure) == TRAMPOLINE_BYTES, "data are as long as their trampoline");

/* The first block, whose code follows. Pages of it can be mapped elsewhere, for it fills whole ones. */
#if defined __aarch64__
#define PAGE_BYTES 65536
#else
#define PAGE_BYTES 4096
#endif
HIDDEN extern const char closure_code[BLOCK_BYTES];
HIDDEN struct closure closures[BLOCK_CLOSURES] __attribute__((used, aligned(PAGE_BYTES)));

/* A trampoline has two ways in: callbacks of six arguments begin at its front, which saves the fifth,
 * others FIFTH_UNUSED bytes behind it. Then the function becomes the fifth argument. */
#define STRING(number) #number
#define VALUE(number) STRING(number)
#define BEGIN_CODE                                                                                 \
    ".pushsection .text.closure, \"ax\"\n.balign " VALUE(PAGE_BYTES) "\n.hidden closure_code\n"    \
    ".globl closure_code\n.type closure_code, %function\nclosure_code:\n.cfi_startproc\n"          \
    ".set closure_data, 0\n.rept " VALUE(BLOCK_CLOSURES) "\n.balign " VALUE(TRAMPOLINE_BYTES) "\n"
#define END_CODE                                                                                   \
    ".set closure_data, closure_data + " VALUE(TRAMPOLINE_BYTES) "\n.endr\n"                       \
    ".balign " VALUE(TRAMPOLINE_BYTES) "\n.cfi_endproc\n.size closure_code, . - closure_code\n.popsection\n"
#define FIFTH_UNUSED 8
#if defined __x86_64__
__asm__(BEGIN_CODE
        "endbr64\n mov %r8, %r10\n nop\n"
        "endbr64\n mov closures + closure_data + 24(%rip), %r8\n jmp *closures + closure_data + 16(%rip)\n"
        END_CODE);
#elif defined __aarch64__
__asm__(BEGIN_CODE
        "hint #34\n mov x9, x4\n" /* bti c */
        "hint #34\n adrp x16, closures + closure_data\n add x16, x16, :lo12:closures + closure_data\n"
        "ldp x17, x4, [x16, #16]\n br x17\n"
        END_CODE);
#endif

static struct index used;
static struct closure *next_closure = closures, *last_closure = closures + BLOCK_CLOSURES;
LOCK(closures);

/* Returns the distance from a trampoline's code to its data, which is the same in every block. */
static ptrdiff_t trampoline_distance(void)
{
    return (const char *)closures - closure_code;
}

static mpi_function *code_of(struct closure *closure)
{
    return (mpi_function *)(void *)((char *)closure - trampoline_distance() + FIFTH_UNUSED);
}

/* Copies the path in a line of /proc/self/maps. If the file was deleted, there may be a new one of the same name. */
static char *copy_path(const char *text)
{
    static const char gone[] = " (deleted)";
    size_t length = strcspn(text, "\n"), suffix = sizeof gone - 1;
    if (length > suffix && strncmp(text + length - suffix, gone, suffix) == 0)
        length -= suffix;
    return strndup(text, length);
}

/* Returns the path in a line of /proc/self/maps, `BEGIN-END PERMISSIONS PLACE ... PATH`, and sets where in that file the address is;
 * null if the line is not about the address. scanf() would take more of a small stack than the rest of a call. */
static char *file_in(const char *line, unsigned long address, off_t *offset)
{
    char *at;
    unsigned long begin = strtoul(line, &at, 16), end = strtoul(at + 1, &at, 16);
    unsigned long long place = strtoull(at + sizeof " rwxp", &at, 16);
    const char *path = strchr(at, '/');
    if (address < begin || address >= end || !path)
        return 0;
    *offset = (off_t)(place + (address - begin));
    return copy_path(path);
}

/* Returns the path of the file that the first block's code was mapped from, and sets where in it that is; null if it cannot be found.
 * The kernel knows: a path that the dynamic linker was given may mean another file by now. */
static char *find_file(off_t *offset)
{
    char *line = 0, *path = 0;
    size_t room = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && !path && getline(&line, &room, maps) > 0)
        path = file_in(line, (unsigned long)closure_code, offset);
    if (maps)
        fclose(maps);
    free(line);
    return path;
}

/* Maps the code from an open file. Returns 0 if that is another file than the library's: it may have been replaced. */
static int map_code(char *block, int file, off_t offset)
{
    struct stat found;
    return fstat(file, &found) == 0 && found.st_size >= offset + BLOCK_BYTES &&
           mmap(block, BLOCK_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, offset) != MAP_FAILED &&
           memcmp(block, closure_code, BLOCK_BYTES) == 0;
}

/* Maps a block: code, executable and read-only, and its data. Between them is room that nothing uses. */
static int add_block(void)
{
    size_t bytes = (size_t)trampoline_distance() + BLOCK_BYTES;
    off_t offset = 0;
    char *path = find_file(&offset);
    int file = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    char *block = file < 0 ? MAP_FAILED : mmap(0, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    free(path);
    int done = block != MAP_FAILED && map_code(block, file, offset) &&
               mprotect(block + trampoline_distance(), BLOCK_BYTES, PROT_READ | PROT_WRITE) == 0;
    if (file >= 0)
        close(file);
    if (done) {
        next_closure = (struct closure *)(void *)(block + trampoline_distance());
        last_closure = next_closure + BLOCK_CLOSURES;
    } else if (block != MAP_FAILED) {
        munmap(block, bytes);
    }
    return done ? 0 : -1;
}

/* Returns the data of a function's trampoline by way of an entry, or null. */
INLINE struct closure *find_closure(closure_entry *entry, mpi_function *function)
{
    struct index_entry **link = index_find(&used, (intptr_t)function);
    while (*link && ((struct closure *)*link)->entry != entry)
        link = index_from(&(*link)->next, (intptr_t)function);
    return (struct closure *)*link;
}

/* Returns null if memory runs out or there is no room for another block. */
static COLD struct closure *add_closure(closure_entry *entry, mpi_function *function)
{
    if (next_closure == last_closure && add_block() != 0)
        return 0;
    *next_closure = (struct closure){ { 0, (intptr_t)function }, entry, function };
    return index_add(&used, &next_closure->known) == 0 ? next_closure++ : 0;
}

/* Trampolines that were used last, by function. A reader takes no lock, since a trampoline is never freed and only its entry
 * changes. */
#define RECENT 64
static struct closure *recent[RECENT];

static struct closure **recent_place(mpi_function *function)
{
    return &recent[(uintptr_t)function / 16 % RECENT];
}

mpi_function *recent_closure(mpi_function *function, closure_entry *entry)
{
    struct closure *found = __atomic_load_n(recent_place(function), __ATOMIC_ACQUIRE);
    if (found && found->function == function && __atomic_load_n(&found->entry, __ATOMIC_ACQUIRE) == entry)
        return code_of(found);
    return 0;
}

static COLD mpi_function *refused(void)
{
    static int said;
    if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
        complain("cannot create more than %u callbacks, as memory ran out or the adapter's library cannot be mapped "
                 "again; leave its file in place while programs run", used.count);
    return 0;
}

mpi_function *closure(closure_entry *entry, mpi_function *function)
{
    take_lock(closures);
    struct closure *found = find_closure(entry, function);
    if (unlikely(!found))
        found = add_closure(entry, function);
    release_lock(closures);
    if (found)
        __atomic_store_n(recent_place(function), found, __ATOMIC_RELEASE);
    return likely(found != 0) ? code_of(found) : refused();
}

mpi_function *closure_of_six(closure_entry *entry, mpi_function *function)
{
    char *code = (char *)(void *)closure(entry, function);
    return code ? (mpi_function *)(void *)(code - FIFTH_UNUSED) : 0;
}

void closure_redirect(closure_entry *entry, mpi_function *function, closure_entry *other)
{
    take_lock(closures);
    struct closure *found = find_closure(entry, function);
    if (found)
        __atomic_store_n(&found->entry, other, __ATOMIC_RELEASE);
    release_lock(closures);
}
