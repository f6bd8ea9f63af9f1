/* SPDX-License-Identifier: BSD-3-Clause */
/* The proof that the host is isolated. */
#ifndef PROOF_H
#define PROOF_H

/* Binds the objects of the host's once more in which another library rewrote slots of MPI's since they were bound. Ends the
 * process, naming the slot and the owner of the function in it, if a slot does not stay with the host. Cheap if nothing changed. */
void bind_changed_again(void);

/* Isolates objects that arrived meanwhile, then checks the slots of all the host's objects again. Gives slots of dlopen()
 * that another library took back to the hooks. Ends the process, naming the slot, if one leads to the adapter. Stores how
 * many slots of how many objects it checked. */
void prove(int *slots, int *objects);

/* Returns whether something was loaded since the last proof. */
int prove_is_due(void);

#endif
