/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers where the slots of MPI's symbols led when an object of the host's was bound, in order to notice cheaply that another
 * library rewrote one (GOTCHA does). All functions are to be called under the lock of linked_look(). */
#ifndef KEPT_SLOTS_H
#define KEPT_SLOTS_H

#include "process/linked.h"

struct kept_slots;

/* Returns an empty record of the object's slots, instead of an earlier one. The dynamic section identifies the object, as in a
 * struct known_object. Returns null if memory runs out. */
struct kept_slots *kept_slots_renew(const gotswap_linked *object);

/* Adds a slot as it is. Returns 0 if memory runs out. */
int kept_slots_add(struct kept_slots *kept, const gotswap_slot *slot);

/* Returns whether a slot has another value than when it was added. */
int kept_slots_changed(const gotswap_linked *object);

#endif
