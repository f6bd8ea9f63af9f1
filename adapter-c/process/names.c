/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/names.h"

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

/* Few names begin as the application's do: a start asks of hundreds, and compares the others with none. */
static int is_application(const char *name)
{
    return begins_listed(application_stems, name) && is_listed(application_sonames, name, strlen(name));
}

int needs_told_name(const gotswap_linked *object)
{
    return *other_names() && linked_needs(object, other_names());
}

int needs_application(const gotswap_linked *object)
{
    const char *needed;
    for (size_t i = 0; (needed = gotswap_string(object, DT_NEEDED, i)); i++)
        if (is_application(linked_file(needed)))
            return 1;
    return needs_told_name(object);
}
