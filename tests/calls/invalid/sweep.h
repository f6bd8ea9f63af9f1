/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that report the results of the generated calls. The objects that the calls use are elsewhere. */
#ifndef SWEEP_H
#define SWEEP_H

#include "objects.h"

/* A procedure of MPI; `call` calls it at `address` with the bad argument of this number, or none if 0. */
struct call {
    const char *name;
    void (*call)(int bad, void *address);
    const char *const *labels;
    int is_chosen;  /* for a run that is to be short */
};
extern const struct call calls[];

struct error_class {
    const char *name;
    int number;
};
extern const struct error_class error_classes[];

/* How a call ends that comes back. */
void returned(int code);
void returned_value(void);

#endif
