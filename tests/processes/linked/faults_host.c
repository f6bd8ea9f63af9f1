/* SPDX-License-Identifier: BSD-3-Clause */
/* A host library in front of MPICH's, for what the real one does not do here: MPI_Comm_spawn that fails and
 * gives each rank codes, but the third, and a control variable that is bound to a communicator. */
#include <mpi.h>

static void *bound;

int MPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
                   MPI_Comm *intercomm, int *codes)
{
    (void)command, (void)argv, (void)maxprocs, (void)info, (void)root, (void)comm, (void)intercomm;
    if (codes != MPI_ERRCODES_IGNORE) {
        codes[0] = MPI_SUCCESS;
        codes[1] = MPI_ERR_NO_SUCH_FILE;
        codes[3] = MPI_ERR_SPAWN;
    }
    return MPI_ERR_SPAWN;
}

int MPI_T_cvar_get_info(int index, char *name, int *name_length, int *verbosity, MPI_Datatype *type, MPI_T_enum *values,
                        char *text, int *text_length, int *bind, int *scope)
{
    (void)index, (void)name, (void)name_length, (void)verbosity, (void)type, (void)values, (void)text, (void)text_length;
    (void)scope;
    if (bind)
        *bind = MPI_T_BIND_MPI_COMM;
    return MPI_SUCCESS;
}

int MPI_T_cvar_handle_alloc(int index, void *object, MPI_T_cvar_handle *handle, int *count)
{
    (void)index, (void)handle;
    bound = object;
    *count = 1;
    return MPI_SUCCESS;
}

int MPI_T_cvar_read(MPI_T_cvar_handle handle, void *buffer)
{
    (void)handle;
    *(int *)buffer = *(MPI_Comm *)bound == MPI_COMM_SELF;
    return MPI_SUCCESS;
}
