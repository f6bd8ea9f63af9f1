/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/names.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "convert/facts.h"
#include "process/environment.h"

/* Copied when it is first asked for, as a program may write over its environment; empty where there are none. */
static const char *other_names(void)
{
    static const char *names;
    const char *known = __atomic_load_n(&names, __ATOMIC_ACQUIRE);
    if (!known) {
        const char *told = environment_setting("MPI_ADAPTER_NAMES");
        known = told && *told ? strdup(told) : "";
        __atomic_store_n(&names, known ? known : "", __ATOMIC_RELEASE);
    }
    return known ? known : "";
}

int unbundled_name(const char *name, char *plain, size_t size)
{
    enum { DIGITS = 8 };
    size_t stem = strcspn(name, ".");
    if (stem <= DIGITS || name[stem - DIGITS - 1] != '-' || strspn(name + stem - DIGITS, "0123456789abcdef") != DIGITS)
        return 0;
    return snprintf(plain, size, "%.*s%s", (int)stem - DIGITS - 1, name, name + stem) < (int)size;
}

int shorten_to_soname(char *name)
{
    const char *suffix = strstr(name, ".so");
    size_t stem = suffix ? (size_t)(suffix - name) + 3 : 0, length = suffix ? strlen(name) : 0;
    for (char *dot; length > stem; length = (size_t)(dot - name)) {
        if (is_listed(application_sonames, name, length)) {
            name[length] = 0;
            return 1;
        }
        dot = memrchr(name, '.', length);
    }
    return 0;
}

/* Few names begin as the application's do: a start asks of hundreds, and compares the others with none. */
int is_application_name(const char *name)
{
    char plain[NAME_MAX + 1];
    return begins_listed(application_stems, name) && (is_listed(application_sonames, name, strlen(name)) ||
                                                      (unbundled_name(name, plain, sizeof plain) && shorten_to_soname(plain)));
}

int needs_told_name(const gotswap_linked *object)
{
    return *other_names() && linked_needs(object, other_names());
}

int needs_application(const gotswap_linked *object)
{
    const char *needed;
    for (size_t i = 0; (needed = gotswap_string(object, DT_NEEDED, i)); i++)
        if (is_application_name(linked_file(needed)))
            return 1;
    return needs_told_name(object);
}
