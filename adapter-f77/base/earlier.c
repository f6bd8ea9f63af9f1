/* SPDX-License-Identifier: BSD-3-Clause */
/* Releases of the application's MPI that gave their libraries other names may number handles otherwise in Fortran. A
 * library of such a name (companion/earlier.c) says that it is loaded; each library of the adapter then takes these releases' numbers.
 *
 * All this is called by constructors, one at a time, in whatever order the libraries are loaded. */
#include "base/handle_tables.h"
#include "base/share.h"

/* Libraries for Fortran that were loaded before it was said. */
enum { WAITING = 16 };
static void (*waiting[WAITING])(void);
static int waiting_count, is_earlier;

void when_earlier(void (*take)(void))
{
    if (is_earlier)
        take();
    else if (waiting_count < WAITING)
        waiting[waiting_count++] = take;
}

void earlier_is_loaded(void)
{
    if (is_earlier)
        return;
    is_earlier = 1;
    take_earlier_handles();
    for (int i = 0; i < waiting_count; i++)
        waiting[i]();
}
