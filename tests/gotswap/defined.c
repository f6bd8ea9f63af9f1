/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares gotswap_defined() with dlsym() in the libraries that are given. FIXED is 1 if they refer to their own
 * symbols by no slot.
 *
 *   defined FIXED LIBRARY... */
#define _GNU_SOURCE
#include "check.h"
#include "gotswap.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct wanted {
    const char *path, *symbol;
    void *address;
    int is_fixed;
};

static void find_object(const gotswap_list *list, void *context)
{
    struct wanted *wanted = context;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->objects[i].name, wanted->path) == 0)
            wanted->address = gotswap_defined(&list->objects[i], wanted->symbol, &wanted->is_fixed);
}

/* The table of an object that ends with a page, whose one bucket leads to the symbol INDEX, which is defined as x. A table of symbols or
 * of hashes that goes on beyond the end is not followed there. */
static int defines_x(size_t symbols_at, size_t hashes_at, uint32_t index)
{
    enum { PAGE = 4096, HASH_OF_X = 5381 * 33 + 'x' };
    char *page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED && mprotect(page + PAGE, PAGE, PROT_NONE) == 0);
    uint32_t table[] = {1, 1, 0, 0, index};
    uint32_t *hash = (uint32_t *)(page + hashes_at + sizeof table) + index - 1;
    Elf64_Sym *symbol = (Elf64_Sym *)(page + symbols_at) + index;
    Elf64_Dyn dynamic[] = {{DT_SYMTAB, {(uintptr_t)page + symbols_at}}, {DT_GNU_HASH, {(uintptr_t)page + hashes_at}}, {DT_NULL, {0}}};
    gotswap_linked object = {"", page, page + PAGE, 0, dynamic, "\0x", sizeof "\0x"};
    memcpy(page + hashes_at, table, sizeof table);
    if ((char *)(symbol + 1) <= page + PAGE)
        *symbol = (Elf64_Sym){.st_name = 1, .st_shndx = 1, .st_value = 1};
    if ((char *)(hash + 1) <= page + PAGE)
        *hash = HASH_OF_X | 1;
    int found = gotswap_defined(&object, "x", NULL) != NULL;
    munmap(page, 2 * PAGE);
    return found;
}

int main(int argc, char **argv)
{
    static const char *const own[] = {"block_", "callee_one", "protected_block"};
    static const char *const others[] = {"block", "block_x", "dlsym", "strcmp", "imported", "", "callee_tow"};
    for (int i = 2; i < argc; i++) {
        void *handle = dlopen(argv[i], RTLD_LAZY | RTLD_LOCAL);
        CHECK(handle);
        for (size_t j = 0; j < sizeof own / sizeof *own; j++) {
            struct wanted wanted = {argv[i], own[j], NULL, -1};
            CHECK(gotswap_look(find_object, &wanted) == GOTSWAP_OK);
            CHECK(wanted.address && wanted.address == dlsym(handle, own[j]));
            CHECK(wanted.is_fixed == (atoi(argv[1]) || strcmp(own[j], "protected_block") == 0));
        }
        for (size_t j = 0; j < sizeof others / sizeof *others; j++) {
            struct wanted wanted = {argv[i], others[j], NULL, -1};
            CHECK(gotswap_look(find_object, &wanted) == GOTSWAP_OK && !wanted.address && wanted.is_fixed == -1);
        }
    }
    CHECK(!gotswap_defined(NULL, "block_", NULL));
    CHECK(defines_x(2048, 0, 30));
    CHECK(!defines_x(2048, 0, 100));
    CHECK(!defines_x(0, 4000, 30));
    return 0;
}
