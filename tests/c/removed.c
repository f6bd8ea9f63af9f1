/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* families: openmpi mpich */
/* Functions that MPI-3.0 removed and the libraries still export.  Headers may
 * hide them, so they are declared here under private names. */
#include "check.h"

#define REMOVED(name, ...) extern int old_##name(__VA_ARGS__) __asm__("MPI_" #name)
typedef void old_handler(MPI_Comm *, int *, ...);

REMOVED(Address, void *, MPI_Aint *);
REMOVED(Type_struct, int, int *, MPI_Aint *, MPI_Datatype *, MPI_Datatype *);
REMOVED(Type_hvector, int, int, MPI_Aint, MPI_Datatype, MPI_Datatype *);
REMOVED(Type_hindexed, int, int *, MPI_Aint *, MPI_Datatype, MPI_Datatype *);
REMOVED(Type_extent, MPI_Datatype, MPI_Aint *);
REMOVED(Type_lb, MPI_Datatype, MPI_Aint *);
REMOVED(Type_ub, MPI_Datatype, MPI_Aint *);
REMOVED(Errhandler_create, old_handler *, MPI_Errhandler *);
REMOVED(Errhandler_set, MPI_Comm, MPI_Errhandler);
REMOVED(Errhandler_get, MPI_Comm, MPI_Errhandler *);

static int calls, error_class;
static void on_error(MPI_Comm *comm, int *code, ...)
{
    calls += *comm == MPI_COMM_WORLD;
    MPI_Error_class(*code, &error_class);
}

static void types(void)
{
    struct { int a; double b; } x = { 3, 1.5 }, y = { 0, 0 };
    int lengths[2] = { 1, 1 };
    MPI_Aint base, places[2], extent = 0, lower = -1, upper = -1;
    MPI_Datatype parts[2] = { MPI_INT, MPI_DOUBLE }, type;
    OK(old_Address(&x, &base));
    CHECK(base == (MPI_Aint)&x);
    places[0] = 0;
    places[1] = (char *)&x.b - (char *)&x;
    OK(old_Type_struct(2, lengths, places, parts, &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Sendrecv(&x, 1, type, 0, 0, &y, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(y.a == 3 && y.b == 1.5);
    OK(old_Type_extent(type, &extent));
    CHECK_INT(extent, 16);
    OK(old_Type_lb(type, &lower));
    OK(old_Type_ub(type, &upper));
    CHECK_INT(lower, 0);
    CHECK_INT(upper, 16);
    OK(MPI_Type_free(&type));
    OK(old_Type_hvector(2, 1, 32, MPI_INT, &type));
    OK(old_Type_extent(type, &extent));
    CHECK_INT(extent, 36);
    OK(MPI_Type_free(&type));
    places[0] = 8, places[1] = 64;
    OK(old_Type_hindexed(2, lengths, places, MPI_INT, &type));
    OK(old_Type_lb(type, &lower));
    CHECK_INT(lower, 8);
    OK(MPI_Type_free(&type));
}

static void handlers(void)
{
    int value = 0;
    MPI_Errhandler mine, got;
    OK(old_Errhandler_create(on_error, &mine));
    OK(old_Errhandler_set(MPI_COMM_WORLD, mine));
    OK(old_Errhandler_get(MPI_COMM_WORLD, &got));
    CHECK(got == mine);
    MPI_Send(&value, 1, MPI_INT, 77, 0, MPI_COMM_WORLD);
    CHECK_INT(calls, 1);
    CHECK_INT(error_class, MPI_ERR_RANK);
    OK(old_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Errhandler_free(&got));
    OK(MPI_Errhandler_free(&mine));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    types();
    handlers();
    return check_end();
}
