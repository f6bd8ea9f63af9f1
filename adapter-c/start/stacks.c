/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/stacks.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "convert/facts.h"
#include "convert/host_symbols.h"
#include "convert/say.h"
#include "layers/layers.h"
#include "process/environment.h"

/* The number of the host's procedure of this name, or -1. */
static int number_of(const char *wanted, size_t length)
{
    const char *name = host_procedure_names;
    for (int i = 0; i < HOST_PROCEDURES; i++, name += strlen(name) + 1)
        if (strlen(name) == length && strncmp(name, wanted, length) == 0)
            return i;
    return -1;
}

static void tell_stack(const char *name, int length, const char *when)
{
    char layers[256];
    int number = number_of(name, (size_t)length);
    if (number < 0)
        snprintf(layers, sizeof layers, "no procedure of %s", host_family);
    else
        layer_describe(number, layers, sizeof layers);
    complain("process %d: layers of %.*s %s: %s", (int)getpid(), length, name, when, layers);
}

void stacks_tell(const char *when)
{
    const char *names = environment_wanted("MPI_ADAPTER_VERBOSE");
    while (names && *names) {
        size_t length = strcspn(names, ",");
        if (length > 3 && strncmp(names, "MPI", 3) == 0)
            tell_stack(names, (int)length, when);
        names += length + (names[length] == ',');
    }
}
