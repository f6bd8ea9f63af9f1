/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/library_order.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host_libraries.h"
#include "process/needed.h"

/* Libraries of no other ABI have all of these. */
static const char *const own_names[] = { HOST_OWN_NAMES };
enum { OWN_NAMES = sizeof own_names / sizeof *own_names };

static void note_own_name(const char *name, void *has)
{
    for (int i = 0; i < OWN_NAMES; i++)
        if (strcmp(name, own_names[i]) == 0)
            ((char *)has)[i] = 1;
}

/* Another MPI may have a library of that name, too. */
static int is_of_host(const char *file)
{
    char has[OWN_NAMES] = { 0 };
    exported_each(file, note_own_name, has);
    return !memchr(has, 0, sizeof has);
}

size_t first_library_name(const char *const *names, size_t count)
{
    const char *folder = count > 1 ? getenv("LD_LIBRARY_PATH") : 0;
    char file[PATH_MAX];
    unsigned hidden = 0; /* names by which the dynamic linker finds another MPI's library first */
    while (folder && *folder) {
        size_t length = strcspn(folder, ":;");
        for (size_t i = 0; i < count && length > 0; i++) {
            int written = snprintf(file, sizeof file, "%.*s/%s", (int)length, folder, names[i]);
            if (written < 0 || (size_t)written >= sizeof file || access(file, R_OK) != 0 || hidden >> i & 1)
                continue;
            if (i == 0 || is_of_host(file))
                return i;
            hidden |= 1U << i;
        }
        folder += length + (folder[length] != 0);
    }
    return 0;
}
