/* SPDX-License-Identifier: BSD-3-Clause */
/* A module that calls MPI, of which a process has two, each with callbacks, an attribute and an error handler of its own
 * (-DBONUS=N). The process is not linked with MPI. */
#include <mpi.h>
#include <stdlib.h>

static int copied, deleted, failed;

static int copy(MPI_Comm comm, int keyval, void *state, void *value, void *result, int *flag)
{
    copied++;
    *(void **)result = (char *)value + BONUS;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *state)
{
    deleted++;
    return MPI_SUCCESS;
}

static void combine(void *in, void *inout, int *count, MPI_Datatype *type)
{
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i] + BONUS;
}

static void fail(MPI_Comm *comm, int *code, ...)
{
    int error = 0;
    MPI_Error_class(*code, &error);
    failed += error == MPI_ERR_RANK;
}

void module_start(int *rank, int *size)
{
    int started = 0;
    MPI_Initialized(&started);
    if (!started)
        MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
}

/* An attribute's value, from a copy. */
static int attribute(MPI_Comm comm, int *keyval)
{
    MPI_Comm other;
    void *value = 0;
    int flag = 0;
    MPI_Comm_create_keyval(copy, delete, keyval, 0);
    MPI_Comm_set_attr(comm, *keyval, (void *)1000);
    MPI_Comm_dup(comm, &other);
    MPI_Comm_get_attr(other, *keyval, &value, &flag);
    MPI_Comm_free(&other);
    return flag ? (int)(MPI_Aint)value : -1;
}

static int reduction(MPI_Comm comm)
{
    int mine, all = 0;
    MPI_Op op;
    MPI_Comm_rank(comm, &mine);
    mine += 1;
    MPI_Op_create(combine, 1, &op);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, op, comm);
    MPI_Op_free(&op);
    return all;
}

/* The results of each part: of two processes 1000 + BONUS, 3 + BONUS, and that callbacks were called once, twice, once.
 * */
void module_work(int found[5])
{
    MPI_Comm comm;
    MPI_Errhandler handler;
    int keyval, size;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_size(comm, &size);
    MPI_Comm_create_errhandler(fail, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    found[0] = attribute(comm, &keyval);
    found[1] = reduction(comm);
    MPI_Send(&size, 1, MPI_INT, size, 0, comm);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&keyval);
    found[2] = copied;
    found[3] = deleted;
    found[4] = failed;
}

void module_end(void)
{
    MPI_Finalize();
}

/* Whether MPI was initialized, and whether it was finalized. */
void module_state(int *begun, int *ended)
{
    MPI_Initialized(begun);
    MPI_Finalized(ended);
}

void module_exit(int status)
{
    exit(status);
}
