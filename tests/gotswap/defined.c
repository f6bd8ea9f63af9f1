/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares gotswap_defined() with dlsym() in the libraries that are given. FIXED is 1 if they refer to their own
 * symbols by no slot.
 *
 *   defined FIXED LIBRARY... */
#define _GNU_SOURCE
#include "check.h"
#include "gotswap.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

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
    return 0;
}
