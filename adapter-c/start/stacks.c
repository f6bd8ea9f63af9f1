/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/stacks.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "convert/facts.h"
#include "convert/say.h"
#include "layers/layers.h"
#include "process/environment.h"
#include "start/load.h"

static void tell_stack(const char *name, int length, const char *when)
{
    char layers[256];
    int number = load_procedure_number(name, (size_t)length);
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
