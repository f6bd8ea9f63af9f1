/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Differences of compilers: the names of Fortran's entry points, declared here
 * by hand as a compiler spells them, and the value of .TRUE., which is the
 * argument. Run by conventions.bats.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MPI_Fint truth;
static int checks, failures;

static void expect(int line, const char *what, long got, long want)
{
    checks++;
    if (got == want)
        return;
    failures++;
    fprintf(stderr, "conventions.c:%d: %s: expected %ld, got %ld\n", line, what, want, got);
}
#define IS(got, want) expect(__LINE__, #got, (long)(got), (long)(want))

typedef void copy_function(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *);
typedef void delete_function(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *);
typedef void reduction(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *);

/* A procedure in the spellings of compilers: as it is, with one underscore, with two, in capitals. */
#define SPELLINGS(lower, upper, arguments) \
    void lower arguments; void lower##_ arguments; void lower##__ arguments; void upper arguments;

SPELLINGS(mpi_comm_rank, MPI_COMM_RANK, (MPI_Fint *comm, MPI_Fint *rank, MPI_Fint *ierror))
SPELLINGS(mpi_initialized, MPI_INITIALIZED, (MPI_Fint *flag, MPI_Fint *ierror))
SPELLINGS(mpi_comm_test_inter, MPI_COMM_TEST_INTER, (MPI_Fint *comm, MPI_Fint *flag, MPI_Fint *ierror))
SPELLINGS(mpi_cart_create, MPI_CART_CREATE, (MPI_Fint *comm, MPI_Fint *ndims, MPI_Fint *dims, MPI_Fint *periods,
                                             MPI_Fint *reorder, MPI_Fint *made, MPI_Fint *ierror))
SPELLINGS(mpi_cart_get, MPI_CART_GET, (MPI_Fint *comm, MPI_Fint *maxdims, MPI_Fint *dims, MPI_Fint *periods,
                                       MPI_Fint *coords, MPI_Fint *ierror))
SPELLINGS(mpi_cart_sub, MPI_CART_SUB, (MPI_Fint *comm, MPI_Fint *remain, MPI_Fint *made, MPI_Fint *ierror))
SPELLINGS(mpi_comm_size, MPI_COMM_SIZE, (MPI_Fint *comm, MPI_Fint *size, MPI_Fint *ierror))
SPELLINGS(mpi_comm_set_name, MPI_COMM_SET_NAME, (MPI_Fint *comm, const char *name, MPI_Fint *ierror, size_t length))
SPELLINGS(mpi_comm_get_name, MPI_COMM_GET_NAME, (MPI_Fint *comm, char *name, MPI_Fint *length, MPI_Fint *ierror, size_t room))
SPELLINGS(mpi_info_create, MPI_INFO_CREATE, (MPI_Fint *info, MPI_Fint *ierror))
SPELLINGS(mpi_info_set, MPI_INFO_SET, (MPI_Fint *info, const char *key, const char *value, MPI_Fint *ierror,
                                       size_t key_length, size_t value_length))
SPELLINGS(mpi_info_get, MPI_INFO_GET, (MPI_Fint *info, const char *key, MPI_Fint *valuelen, char *value, MPI_Fint *flag,
                                       MPI_Fint *ierror, size_t key_length, size_t value_length))
SPELLINGS(mpi_op_create, MPI_OP_CREATE, (reduction *, MPI_Fint *commute, MPI_Fint *op, MPI_Fint *ierror))
SPELLINGS(mpi_op_commutative, MPI_OP_COMMUTATIVE, (MPI_Fint *op, MPI_Fint *commute, MPI_Fint *ierror))
SPELLINGS(mpi_keyval_create, MPI_KEYVAL_CREATE, (copy_function *, delete_function *, MPI_Fint *keyval, MPI_Fint *extra,
                                                 MPI_Fint *ierror))
SPELLINGS(mpi_attr_put, MPI_ATTR_PUT, (MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *ierror))
SPELLINGS(mpi_attr_get, MPI_ATTR_GET, (MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *ierror))
SPELLINGS(mpi_comm_dup, MPI_COMM_DUP, (MPI_Fint *comm, MPI_Fint *made, MPI_Fint *ierror))
SPELLINGS(mpi_iprobe, MPI_IPROBE, (MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *flag, MPI_Fint *status,
                                   MPI_Fint *ierror))
SPELLINGS(mpi_send, MPI_SEND, (void *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm,
                               MPI_Fint *ierror))
SPELLINGS(mpi_irecv, MPI_IRECV, (void *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *source, MPI_Fint *tag,
                                 MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror))
SPELLINGS(mpi_test, MPI_TEST, (MPI_Fint *request, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *ierror))
SPELLINGS(mpi_test_cancelled, MPI_TEST_CANCELLED, (MPI_Fint *status, MPI_Fint *flag, MPI_Fint *ierror))
SPELLINGS(mpi_allreduce, MPI_ALLREDUCE, (void *in, void *out, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm,
                                         MPI_Fint *ierror))
double mpi_wtime(void), mpi_wtime_(void), mpi_wtime__(void), MPI_WTIME(void);

static MPI_Fint world, ierror, rank;

static void names(void)
{
    MPI_Fint got[4] = {-1, -1, -1, -1};
    mpi_comm_rank(&world, &got[0], &ierror);
    mpi_comm_rank_(&world, &got[1], &ierror);
    mpi_comm_rank__(&world, &got[2], &ierror);
    MPI_COMM_RANK(&world, &got[3], &ierror);
    for (int i = 0; i < 4; i++)
        IS(got[i], rank);
    double start = mpi_wtime();
    IS(mpi_wtime_() >= start && mpi_wtime__() >= start && MPI_WTIME() >= start, 1);
}

static void logicals(void)
{
    MPI_Fint flag = 77, two = 2, dims[2] = {1, 1}, periods[2] = {truth, 0}, reorder = 0, grid, line, size, self,
             coords[2], remain[2] = {0, truth};
    MPI_INITIALIZED(&flag, &ierror);
    IS(flag, truth);
    MPI_COMM_TEST_INTER(&world, &flag, &ierror);
    IS(flag, 0);
    self = MPI_Comm_c2f(MPI_COMM_SELF);
    MPI_CART_CREATE(&self, &two, dims, periods, &reorder, &grid, &ierror);
    IS(ierror, MPI_SUCCESS);
    periods[0] = periods[1] = 77;
    mpi_cart_get(&grid, &two, dims, periods, coords, &ierror);
    IS(periods[0], truth);
    IS(periods[1], 0);
    MPI_CART_SUB(&grid, remain, &line, &ierror);
    mpi_comm_size__(&line, &size, &ierror);
    IS(size, 1);
}

static void strings(void)
{
    MPI_Fint info, flag = 77, twenty = 20, length;
    char value[21] = "xxxxxxxxxxxxxxxxxxxx", name[MPI_MAX_OBJECT_NAME];
    MPI_INFO_CREATE(&info, &ierror);
    MPI_INFO_SET(&info, "key   ", "a value  ", &ierror, 6, 9);
    mpi_info_get(&info, " key", &twenty, value, &flag, &ierror, 4, 20);
    IS(flag, truth);
    IS(strcmp(value, "a value             "), 0);
    mpi_info_get__(&info, "no", &twenty, value, &flag, &ierror, 2, 20);
    IS(flag, 0);
    MPI_COMM_SET_NAME(&world, "the world   ", &ierror, 12);
    memset(name, 'x', sizeof name);
    mpi_comm_get_name_(&world, name, &length, &ierror, 30);
    IS(length, 9);
    IS(memcmp(name, "the world                     x", 31), 0);
}

static void largest(MPI_Fint *in, MPI_Fint *inout, MPI_Fint *length, MPI_Fint *type)
{
    for (int i = 0; i < *length; i++)
        if (in[i] > inout[i])
            inout[i] = in[i];
    IS(*type, MPI_Type_c2f(MPI_INTEGER));
}

static void reductions(void)
{
    MPI_Fint op, commute = truth, one = 1, integer = MPI_Type_c2f(MPI_INTEGER), result = -1, mine = rank + 5;
    MPI_OP_CREATE(largest, &commute, &op, &ierror);
    commute = 77;
    mpi_op_commutative(&op, &commute, &ierror);
    IS(commute, truth);
    MPI_ALLREDUCE(&mine, &result, &one, &integer, &op, &world, &ierror);
    IS(result, 6);
}

static int copies;

/* Copies for a true extra state only. */
static void copy(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *extra, MPI_Fint *in, MPI_Fint *out, MPI_Fint *flag, MPI_Fint *error)
{
    copies++;
    *out = *in + 1;
    *flag = *extra ? truth : 0;
    *error = MPI_SUCCESS;
}

static void forget(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *extra, MPI_Fint *error)
{
    *error = MPI_SUCCESS;
}

static void attributes(void)
{
    MPI_Fint keyval[2], extra[2] = {0, 1}, value = 41, flag = 77, made;
    for (int i = 0; i < 2; i++) {
        MPI_KEYVAL_CREATE(copy, forget, &keyval[i], &extra[i], &ierror);
        mpi_attr_put(&world, &keyval[i], &value, &ierror);
    }
    MPI_COMM_DUP(&world, &made, &ierror);
    IS(copies, 2);
    MPI_ATTR_GET(&made, &keyval[0], &value, &flag, &ierror);
    IS(flag, 0);
    mpi_attr_get__(&made, &keyval[1], &value, &flag, &ierror);
    IS(flag, truth);
    IS(value, 42);
}

static void messages(void)
{
    MPI_Fint one = 1, integer = MPI_Type_c2f(MPI_INTEGER), other = 1 - rank, tag = 3, request, flag = 77, status[10], value = -1;
    MPI_IPROBE(&other, &one, &world, &flag, status, &ierror);
    IS(flag, 0);
    MPI_IRECV(&value, &one, &integer, &other, &tag, &world, &request, &ierror);
    MPI_SEND(&rank, &one, &integer, &other, &tag, &world, &ierror);
    do
        mpi_test__(&request, &flag, status, &ierror);
    while (!flag && !ierror);
    IS(flag, truth);
    IS(value, other);
    MPI_TEST_CANCELLED(status, &flag, &ierror);
    IS(flag, 0);
}

int main(int argc, char **argv)
{
    truth = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    world = MPI_Comm_c2f(MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    names();
    logicals();
    strings();
    reductions();
    attributes();
    messages();
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0 && failures == 0)
        printf("ok %d checks\n", checks);
    return failures != 0;
}
