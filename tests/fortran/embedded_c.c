/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The main program of embedded.F90: C initializes MPI, calls Fortran and ends it.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

void f_identify(void);
int f_use(const MPI_Fint *comm, const MPI_Fint *type, const MPI_Fint *op, MPI_Fint *request, MPI_Fint *status);
void f_make(MPI_Fint *comm, MPI_Fint *type, MPI_Fint *request, int *value);
void f_fill_status(MPI_Fint *status);
void f_end(void);

static void sum(void *in, void *inout, int *length, MPI_Datatype *type)
{
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static int failures;

static void expect(int line, int condition)
{
    if (!condition) {
        fprintf(stderr, "embedded_c.c:%d: failed\n", line);
        failures++;
    }
}
#define EXPECT(condition) expect(__LINE__, (condition))

/* Handles that C made, used and completed by Fortran. */
static void handed_to_fortran(int rank)
{
    MPI_Comm comm;
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Request request;
    MPI_Status status;
    int values[2] = {-1, -1}, count = -1;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(sum, 1, &op);
    MPI_Irecv(values, 2, MPI_INT, 1 - rank, 7, comm, &request);
    MPI_Fint f_comm = MPI_Comm_c2f(comm), f_type = MPI_Type_c2f(pair), f_op = MPI_Op_c2f(op),
             f_request = MPI_Request_c2f(request), f_status[10];
    EXPECT(f_use(&f_comm, &f_type, &f_op, &f_request, f_status) == 1);
    EXPECT(MPI_Request_f2c(f_request) == MPI_REQUEST_NULL);
    EXPECT(values[0] == 1 - rank && values[1] == 40);
    EXPECT(MPI_Status_f2c(f_status, &status) == MPI_SUCCESS);
    EXPECT(status.MPI_SOURCE == 1 - rank && status.MPI_TAG == 7);
    MPI_Get_count(&status, MPI_INT, &count);
    EXPECT(count == 2);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
    MPI_Comm_free(&comm);
}

/* And the reverse. */
static void taken_from_fortran(int rank)
{
    MPI_Fint f_comm, f_type, f_request;
    int value = -1, mine = rank + 60, size = -1;
    MPI_Status status;
    f_make(&f_comm, &f_type, &f_request, &value);
    MPI_Comm comm = MPI_Comm_f2c(f_comm);
    MPI_Datatype type = MPI_Type_f2c(f_type);
    MPI_Request request = MPI_Request_f2c(f_request);
    MPI_Type_size(type, &size);
    EXPECT(size == 12);
    MPI_Send(&mine, 1, MPI_INT, 1 - rank, 9, comm);
    MPI_Wait(&request, &status);
    EXPECT(request == MPI_REQUEST_NULL);
    EXPECT(value == 1 - rank + 60);
    EXPECT(status.MPI_SOURCE == 1 - rank && status.MPI_TAG == 9);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
}

static void sentinels(void)
{
    MPI_Fint status[10];
    memset(status, 0x5a, sizeof status);
    f_fill_status(status);
    MPI_Status mine;
    int count = -1;
    MPI_Status_f2c(status, &mine);
    MPI_Get_count(&mine, MPI_INT, &count);
    EXPECT(count == 1);
    EXPECT(mine.MPI_TAG == 3);
#if INTERFACE == 2008 && defined MPICH
    f_fill_status((MPI_Fint *)MPI_F08_STATUS_IGNORE);
#else
    f_fill_status(MPI_F_STATUS_IGNORE);
#endif
}

int main(int argc, char **argv)
{
    int rank, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    f_identify();
    handed_to_fortran(rank);
    taken_from_fortran(rank);
    sentinels();
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (all) {
        MPI_Finalize();
        return 1;
    }
    f_end();
    return 0;
}
