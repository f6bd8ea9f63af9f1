/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells ahead what detour.so would do with a program, by the files of the program and of a pair. Nothing of them is loaded or run. */
#ifndef LOOK_H
#define LOOK_H

#include "inside.h"

enum { LOOK_PROBLEM = 8192, LOOK_RELEASE = 64 };

struct look {
    const struct implementation *mpi; /* null: none, or one that cannot be replaced */
    unsigned interfaces;              /* bits of them */
    char release[LOOK_RELEASE];       /* of what is inside, or empty */
    char problem[LOOK_PROBLEM];       /* "what is wrong; what to do", or empty */
};

/* Looks which MPI is in a program and, with a list of folders that has a pair, whether that can take its place. */
void look_inside(struct look *, const char *path, const char *folders);

/* Returns the name that people have for an interface. */
const char *look_interface(enum interface_inside);

#endif
