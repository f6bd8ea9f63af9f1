/* SPDX-License-Identifier: BSD-3-Clause */
/* The time in which one call of the host's loads objects. What arrives meanwhile is the host's, also what
 * a constructor loads, unless the program may have loaded something at the same time. */
#ifndef WINDOW_H
#define WINDOW_H

#include "process/linked.h"

struct window {
    const ElfW(Dyn) *last; /* of the objects that were there before */
    unsigned program_loads;
    int is_shared;
};

struct window window_open(void);

/* The index from which on the objects arrived within the window; the list's end if that is not known. */
size_t window_since(const struct window *window, const gotswap_list *list);

/* The calling thread is about to load something for the program, and will not say when it has. */
void window_program_loads(void);

/* The calling thread is back from that. */
void window_program_is_back(void);

#endif
