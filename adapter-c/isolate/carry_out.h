/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries out a plan (isolate/plan.h): writes the slots of loaded objects. */
#ifndef CARRY_OUT_H
#define CARRY_OUT_H

#include "isolate/plan.h"

/* Binds the slots of the plan's objects of the host's, and proves that they are bound; puts hooks into the program's. Skips
 * objects that were unloaded meanwhile. Frees the tasks. Ends the process if an object cannot be bound. Holds each object
 * by dlopen(), so it must not be called under the lock of linked_look(). */
void plan_carry_out(struct plan *plan);

#endif
