/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/implementation.h"

#include <string.h>

#include "layers/layers.h"
#include "host.h"
#include "implementations.h"

enum { IMPLEMENTATIONS = sizeof implementations / sizeof *implementations };

const struct implementation *implementation_at(int number)
{
    return number >= 0 && number < IMPLEMENTATIONS ? &implementations[number] : 0;
}

static const struct implementation *at_place(int place)
{
    const struct implementation *found = implementations;
    while (found->place != place)
        found++;
    return found;
}

static const struct implementation *recognize(void)
{
    char text[HOST_MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
    int length = 0;
    host_itself->MPI_Get_library_version(text, &length);
    for (int place = 1; place <= HOST_IMPLEMENTATIONS; place++)
        if (strstr(text, at_place(place)->version))
            return at_place(place);
    return at_place(1);
}

const struct implementation *implementation(void)
{
    static const struct implementation *found;
    const struct implementation *known = __atomic_load_n(&found, __ATOMIC_RELAXED);
    if (!known) {
        known = HOST_IMPLEMENTATIONS > 1 ? recognize() : at_place(1);
        __atomic_store_n(&found, known, __ATOMIC_RELAXED);
    }
    return known;
}

const char *application_told(void)
{
    return APP_TOLD;
}

const char *application_info_env(void)
{
    return APP_INFO_ENV;
}

int application_has_universe(void)
{
    return APP_HAS_UNIVERSE;
}
