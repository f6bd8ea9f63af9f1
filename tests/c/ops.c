/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 4 */
/* Predefined and user-defined reductions. */
#include "check.h"

typedef struct { int a, b; } pair_t;

static MPI_Datatype want_type;
static int calls, wrong_type, wrong_size;

/* The operation receives the very handle the application reduced with. */
static void sum_ints(void *in, void *inout, int *length, MPI_Datatype *type)
{
    int size = 0;
    calls++;
    wrong_type += *type != want_type;
    MPI_Type_size(*type, &size);
    wrong_size += size != sizeof(int);
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* Composition of affine maps x -> a x + b, associative, not commutative. */
static void compose(void *in, void *inout, int *length, MPI_Datatype *type)
{
    pair_t *first = in, *second = inout;
    MPI_Aint lower, extent = 0;
    wrong_type += *type != want_type;
    MPI_Type_get_extent(*type, &lower, &extent);
    wrong_size += extent != sizeof(pair_t);
    for (int i = 0; i < *length; i++) {
        second[i].b = first[i].b * second[i].a + second[i].b;
        second[i].a = first[i].a * second[i].a;
    }
}

static void on_predefined_type(int commutes)
{
    int mine[3] = { check_rank, 1, 2 }, sums[3] = { 0 }, answer = -1;
    MPI_Op op;
    want_type = MPI_INT;
    OK(MPI_Op_create(sum_ints, commutes, &op));
    OK(MPI_Op_commutative(op, &answer));
    CHECK_INT(!!answer, commutes);
    OK(MPI_Allreduce(mine, sums, 3, MPI_INT, op, MPI_COMM_WORLD));
    CHECK_INT(sums[0], check_size * (check_size - 1) / 2);
    CHECK_INT(sums[2], 2 * check_size);
    calls = 0;
    OK(MPI_Reduce_local(mine, sums, 3, MPI_INT, op));
    CHECK(calls > 0);
    CHECK_INT(sums[1], check_size + 1);
    OK(MPI_Scan(mine, sums, 3, MPI_INT, op, MPI_COMM_WORLD));
    CHECK_INT(sums[1], check_rank + 1);
    OK(MPI_Op_free(&op));
    CHECK(op == MPI_OP_NULL);
}

static void on_derived_type(void)
{
    pair_t mine = { 2, check_rank + 1 }, all = { 0, 0 };
    int a = 1, b = 0;
    MPI_Op op;
    MPI_Datatype type;
    OK(MPI_Type_contiguous(2, MPI_INT, &type));
    OK(MPI_Type_commit(&type));
    want_type = type;
    OK(MPI_Op_create(compose, 0, &op));
    OK(MPI_Allreduce(&mine, &all, 1, type, op, MPI_COMM_WORLD));
    for (int r = 0; r < check_size; r++)
        b = 2 * b + r + 1, a *= 2;
    CHECK_INT(all.a, a);
    CHECK_INT(all.b, b);
    OK(MPI_Op_free(&op));
    OK(MPI_Type_free(&type));
}

/* Two reductions in flight use two operations with one function each. */
static void max_ints(void *in, void *inout, int *length, MPI_Datatype *type)
{
    int *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *length; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
}

/* MPI_Op_free marks: pending reductions still use the operation, and a new
 * operation made in between must not take its place. */
static void freed_while_pending(void)
{
    int mine = check_rank + 1, sum = 0, max = 0;
    MPI_Op first, second;
    MPI_Request both[2];
    want_type = MPI_INT;
    for (int round = 0; round < 50; round++) {
        OK(MPI_Op_create(sum_ints, 1, &first));
        OK(MPI_Iallreduce(&mine, &sum, 1, MPI_INT, first, MPI_COMM_WORLD, &both[0]));
        OK(MPI_Op_free(&first));
        OK(MPI_Op_create(max_ints, 1, &second));
        OK(MPI_Iallreduce(&mine, &max, 1, MPI_INT, second, MPI_COMM_WORLD, &both[1]));
        OK(MPI_Op_free(&second));
        OK(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
        CHECK_INT(sum, check_size * (check_size + 1) / 2);
        CHECK_INT(max, check_size);
    }
}

static void predefined_ops(void)
{
    struct { double value; int rank; } mine = { -1.0 * check_rank, check_rank }, best;
    int bits = 1 << check_rank, got = 0, yes = 1, answer = 0;
    double product = 2, result = 0;
    OK(MPI_Allreduce(&bits, &got, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD));
    CHECK_INT(got, (1 << check_size) - 1);
    OK(MPI_Allreduce(&bits, &got, 1, MPI_INT, MPI_BXOR, MPI_COMM_WORLD));
    CHECK_INT(got, (1 << check_size) - 1);
    OK(MPI_Allreduce(&bits, &got, 1, MPI_INT, MPI_BAND, MPI_COMM_WORLD));
    CHECK_INT(got, check_size == 1 ? 1 : 0);
    OK(MPI_Allreduce(&yes, &got, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD));
    CHECK_INT(got, 1);
    OK(MPI_Allreduce(&yes, &got, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD));
    CHECK_INT(got, 1);
    OK(MPI_Allreduce(&yes, &got, 1, MPI_INT, MPI_LXOR, MPI_COMM_WORLD));
    CHECK_INT(got, check_size % 2);
    OK(MPI_Allreduce(&product, &result, 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD));
    CHECK(result == (double)(1 << check_size));
    OK(MPI_Allreduce(&bits, &got, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    CHECK_INT(got, 1);
    OK(MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD));
    CHECK_INT(best.rank, check_size - 1);
    OK(MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD));
    CHECK_INT(best.rank, 0);
    OK(MPI_Op_commutative(MPI_SUM, &answer));
    CHECK(answer);
    got = 3;
    OK(MPI_Reduce_local(&bits, &got, 1, MPI_INT, MPI_SUM));
    CHECK_INT(got, 3 + bits);
    got = 3;
    OK(MPI_Reduce_local(&bits, &got, 1, MPI_INT, MPI_NO_OP == MPI_OP_NULL ? MPI_SUM : MPI_MAX));
    CHECK_INT(got, bits > 3 ? bits : 3);
}

/* A program may create far more operations than a fixed pool holds: all of
 * them alive at once, and one after the other. */
static void very_many(void)
{
    enum { ALIVE = 6000, SERIAL = 100000 };
    static MPI_Op ops[ALIVE];
    int a = 3, b;
    want_type = MPI_INT;
    for (int i = 0; i < ALIVE; i++)
        OK(MPI_Op_create(i % 2 ? sum_ints : max_ints, i % 3 == 0, &ops[i]));
    for (int i = 0; i < ALIVE; i++) {
        b = 4;
        OK(MPI_Reduce_local(&a, &b, 1, MPI_INT, ops[i]));
        CHECK_INT(b, i % 2 ? 7 : 4);
    }
    for (int i = 0; i < ALIVE; i++)
        OK(MPI_Op_free(&ops[i]));
    for (int i = 0; i < SERIAL; i++) {
        OK(MPI_Op_create(i % 2 ? sum_ints : max_ints, 1, &ops[0]));
        b = 4;
        OK(MPI_Reduce_local(&a, &b, 1, MPI_INT, ops[0]));
        CHECK_INT(b, i % 2 ? 7 : 4);
        OK(MPI_Op_free(&ops[0]));
    }
}

/* Inside a callback the program calls MPI again. */
static void calls_mpi(void *in, void *inout, int *length, MPI_Datatype *type)
{
    int rank = -1, size = -1, self = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_size(*type, &size);
    MPI_Allreduce(&rank, &self, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    wrong_size += rank != check_rank || size != sizeof(double) || self != rank;
    wrong_type += *type != MPI_DOUBLE;
    for (int i = 0; i < *length; i++)
        ((double *)inout)[i] += ((double *)in)[i];
}

static void callback_calls_mpi(void)
{
    double mine[2] = { 1, 0.5 }, sum[2] = { 0, 0 };
    MPI_Op op;
    OK(MPI_Op_create(calls_mpi, 1, &op));
    OK(MPI_Reduce_local(mine, sum, 2, MPI_DOUBLE, op));
    OK(MPI_Allreduce(mine, sum, 2, MPI_DOUBLE, op, MPI_COMM_WORLD));
    CHECK(sum[0] == check_size && sum[1] == 0.5 * check_size);
    OK(MPI_Op_free(&op));
}

/* Every collective that reduces takes the operation. */
static void in_every_collective(void)
{
    int mine[4] = { 1, 1, 1, 1 }, got[4] = { 0 }, counts[4] = { 1, 1, 1, 1 };
    MPI_Op op;
    MPI_Request request;
    want_type = MPI_INT;
    OK(MPI_Op_create(sum_ints, 1, &op));
    OK(MPI_Reduce(mine, got, 4, MPI_INT, op, 0, MPI_COMM_WORLD));
    CHECK_INT(got[3], check_rank ? 0 : check_size);
    OK(MPI_Reduce_scatter(mine, got, counts, MPI_INT, op, MPI_COMM_WORLD));
    CHECK_INT(got[0], check_size);
    OK(MPI_Reduce_scatter_block(mine, got, 1, MPI_INT, op, MPI_COMM_WORLD));
    CHECK_INT(got[0], check_size);
    got[0] = 0;
    OK(MPI_Exscan(mine, got, 1, MPI_INT, op, MPI_COMM_WORLD));
    CHECK(check_rank == 0 || got[0] == check_rank);
    OK(MPI_Ireduce(mine, got, 4, MPI_INT, op, 0, MPI_COMM_WORLD, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Iscan(mine, got, 4, MPI_INT, op, MPI_COMM_WORLD, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(got[3], check_rank + 1);
    OK(MPI_Ireduce_scatter(mine, got, counts, MPI_INT, op, MPI_COMM_WORLD, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Ireduce_scatter_block(mine, got, 1, MPI_INT, op, MPI_COMM_WORLD, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(got[0], check_size);
    OK(MPI_Iexscan(mine, got, 1, MPI_INT, op, MPI_COMM_WORLD, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Op_free(&op));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    on_predefined_type(1);
    on_predefined_type(0);
    on_derived_type();
    freed_while_pending();
    predefined_ops();
    callback_calls_mpi();
    in_every_collective();
    very_many();
    CHECK_INT(wrong_type, 0);
    CHECK_INT(wrong_size, 0);
    return check_end();
}
