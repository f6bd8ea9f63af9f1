/* SPDX-License-Identifier: BSD-3-Clause */
/* The lives of MPI. If a host has sessions, MPI ends with the last of them unless the world model is in use, and may
 * begin again (MPI-4.1 section 11.3): what was made before is gone then, and the host gives its handles and keyvals to
 * others. */
#ifndef LIFE_H
#define LIFE_H

#include "host.h"

/* Returns the number of this life, which is not 0. It changes before the last session ends, and after MPI_Finalize. */
INLINE uint32_t life(void)
{
    extern HIDDEN uint32_t current_life;
    return __atomic_load_n(&current_life, __ATOMIC_ACQUIRE);
}

/* Calls `end` from now on when MPI is about to end, with its last session or in MPI_Finalize. To be called once, when the adapter
 * is loaded. */
void life_begin(void (*end)(void));

/* Returns the host's code for a call about this session: an error if the session does not exist. The call needs no server, which
 * Open MPI 5 would ask for others. */
int check_session(host_session session);

/* A keyval of the adapter's own: static, and zero to begin with. Any thread may use it. */
struct adapter_keyval {
    uint64_t made; /* the life, and below that the host's keyval */
};

/* Returns the host's keyval; HOST_MPI_KEYVAL_INVALID if it was not made in this life. */
int adapter_keyval(const struct adapter_keyval *keyval);

typedef int create_own_keyval(mpi_function *copy, mpi_function *delete, int *keyval, void *state);
typedef int free_own_keyval(int *keyval);

/* Makes the keyval by `create` unless it was made in this life. If two threads make it, frees one by `release`. Returns the
 * host's error code. */
int adapter_keyval_need(struct adapter_keyval *keyval, create_own_keyval *create, free_own_keyval *release, mpi_function *copy,
                    mpi_function *delete);

#endif
