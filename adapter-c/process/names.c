/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/names.h"

#include <string.h>

#include "config.h"
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

int needs_application(const gotswap_linked *object)
{
    return linked_needs(object, APP_SONAMES) || (*other_names() && linked_needs(object, other_names()));
}
