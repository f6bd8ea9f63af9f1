/* SPDX-License-Identifier: BSD-3-Clause */
/* The proof that the host is isolated. */
#ifndef PROVE_H
#define PROVE_H

/* Looks at all the host's objects again, after those that arrived meanwhile were isolated. Gives an object's slots
 * of dlopen back to the hooks if somebody took them, and ends the process, naming the slot, if one leads to
 * the adapter. Says how many slots of how many objects were looked at. */
void prove(int *slots, int *objects);

/* True if something was loaded since the last proof. */
int prove_is_due(void);

#endif
