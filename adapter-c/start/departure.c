/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/departure.h"

#include "host_libraries.h"

#ifdef HOST_DEPARTURES

#include <stdint.h>
#include <string.h>

#include "convert/facts.h"
#include "convert/host_side.h"
#include "convert/say.h"
#include "layers/layers.h"
#include "process/implementation.h"
#include "start/load.h"

/* A line of the table. */
struct departure {
    const char *instead, *text, *name, *which;
};

static const struct departure departures[] = { HOST_DEPARTURES };

static int is_of_known_implementation(const char *version_text)
{
    const struct implementation *each;
    for (int i = 0; (each = implementation_at(i)); i++)
        if (each->place > 0 && strstr(version_text, each->version))
            return 1;
    return 0;
}

/* `name` converts the handle `constant` to an integer, and hosts of older drafts of the ABI lack it. Handles are pointers in this ABI. */
static void expect_own_integer(const char *path, const char *name, const void *handle, const char *constant)
{
    int (*to_integer)(const void *) = (int (*)(const void *))load_extension(name);
    int integer = to_integer ? to_integer(handle) : (int)(intptr_t)handle;
    if (integer != (int)(intptr_t)handle)
        give_up("%s says that it has the ABI %s, but its %s makes %d of %s and not %d; set MPI_ADAPTER_HOST_LIBRARY to another library",
                path, host_family, name, integer, constant, (int)(intptr_t)handle);
}

void departure_refuse(const char *path)
{
    char text[HOST_MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
    int length = 0;
    host.MPI_Get_library_version(text, &length);
    for (size_t i = 0; i < sizeof departures / sizeof *departures; i++)
        if (strstr(text, departures[i].text))
            give_up("%s is %s's, which numbers %s otherwise than the ABI %s; use a pair on its library of the ABI %s", path,
                    departures[i].name, departures[i].which, host_family, departures[i].instead);
    if (is_of_known_implementation(text))
        return;
    expect_own_integer(path, "MPI_Comm_toint", HOST_MPI_COMM_WORLD, "MPI_COMM_WORLD");
    expect_own_integer(path, "MPI_Type_toint", HOST_MPI_INT, "MPI_INT");
    expect_own_integer(path, "MPI_Errhandler_toint", HOST_MPI_ERRORS_RETURN, "MPI_ERRORS_RETURN");
}

#else

void departure_refuse(const char *path)
{
}

#endif
