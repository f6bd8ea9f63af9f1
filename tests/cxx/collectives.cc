// SPDX-License-Identifier: BSD-3-Clause
// Collective operations, and reductions by functions in C++.
/* ranks: 1 2 3 */
#include "check.h"

#include <complex>
#include <vector>

static int calls;
static MPI::Datatype expected_type;

static void add_twice(const void *in, void *inout, int length, const MPI::Datatype &datatype)
{
    calls++;
    CHECK(datatype == expected_type);
    for (int i = 0; i < length; i++)
        static_cast<int *>(inout)[i] += 2 * static_cast<const int *>(in)[i];
}

static void multiply(const void *in, void *inout, int length, const MPI::Datatype &datatype)
{
    CHECK(datatype.Get_size() == (int)sizeof(double));
    for (int i = 0; i < length; i++)
        static_cast<double *>(inout)[i] *= static_cast<const double *>(in)[i];
}

struct Matrix { int a, b, c, d; };

/* Not commutative: inout = in * inout. */
static void product(const void *in, void *inout, int length, const MPI::Datatype &datatype)
{
    const Matrix *left = static_cast<const Matrix *>(in);
    Matrix *right = static_cast<Matrix *>(inout);
    CHECK(datatype.Get_size() == (int)sizeof(Matrix));
    for (int i = 0; i < length; i++) {
        Matrix l = left[i], r = right[i];
        right[i] = { l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c, l.c * r.b + l.d * r.d };
    }
}

static void test_user_reductions()
{
    MPI::Op twice, times, ordered, unused;
    twice.Init(add_twice, true);
    times.Init(multiply, true);
    ordered.Init(product, false);
    unused.Init(multiply, true);
    CHECK(twice.Is_commutative() && !ordered.Is_commutative());
    CHECK(!(twice == times) && twice != MPI::OP_NULL);
    unused.Free();
    CHECK(unused == MPI::OP_NULL);

    int in[2] = { 1, 10 }, out[2] = { 5, 50 };
    expected_type = MPI::INT;
    calls = 0;
    twice.Reduce_local(in, out, 2, MPI::INT);
    CHECK(calls == 1 && out[0] == 7 && out[1] == 70);

    double factor = my_rank + 2, result = 0, wanted = 1;
    for (int i = 0; i < my_size; i++)
        wanted *= i + 2;
    MPI::COMM_WORLD.Allreduce(&factor, &result, 1, MPI::DOUBLE, times);
    CHECK(result == wanted);
    MPI::Op same = times;
    result = 0;
    MPI::COMM_WORLD.Reduce(&factor, &result, 1, MPI::DOUBLE, same, 0);
    CHECK(my_rank != 0 || result == wanted);
    MPI::COMM_WORLD.Scan(&factor, &result, 1, MPI::DOUBLE, times);
    wanted = 1;
    for (int i = 0; i <= my_rank; i++)
        wanted *= i + 2;
    CHECK(result == wanted);

    MPI::Datatype matrix = MPI::INT.Create_contiguous(4);
    matrix.Commit();
    Matrix mine = { 1, my_rank + 1, 0, 2 }, all = { 0, 0, 0, 0 }, expected = { 1, 0, 0, 1 };
    for (int i = 0; i < my_size; i++) {
        Matrix right = { 1, i + 1, 0, 2 };
        product(&expected, &right, 1, matrix);
        expected = right;
    }
    MPI::COMM_WORLD.Allreduce(&mine, &all, 1, matrix, ordered);
    CHECK(std::memcmp(&all, &expected, sizeof all) == 0);
    matrix.Free();
    twice.Free();
    times.Free();
    ordered.Free();
}

static void test_many_operations()
{
    for (int i = 0; i < 2000; i++) {
        MPI::Op op;
        op.Init(i % 2 ? add_twice : multiply, true);
        int in = 3, out = 1;
        double factor = 3, result = 2;
        if (i % 2)
            op.Reduce_local(&in, &out, 1, MPI::INT);
        else
            op.Reduce_local(&factor, &result, 1, MPI::DOUBLE);
        CHECK(i % 2 ? out == 7 : result == 6);
        op.Free();
    }
}

static void test_predefined()
{
    struct { double value; int index; } in = { -my_rank * 1.0, my_rank }, out = { 0, 0 };
    MPI::COMM_WORLD.Allreduce(&in, &out, 1, MPI::DOUBLE_INT, MPI::MINLOC);
    CHECK(out.index == my_size - 1 && out.value == -(my_size - 1.0));
    std::complex<double> z(1, my_rank), sum;
    MPI::COMM_WORLD.Allreduce(&z, &sum, 1, MPI::DOUBLE_COMPLEX, MPI::SUM);
    CHECK(sum == std::complex<double>(my_size, my_size * (my_size - 1) / 2));
    bool yes = my_rank == 0, any = false, all = true;
    MPI::COMM_WORLD.Allreduce(&yes, &any, 1, MPI::BOOL, MPI::LOR);
    MPI::COMM_WORLD.Allreduce(&yes, &all, 1, MPI::BOOL, MPI::LAND);
    CHECK(any && all == (my_size == 1));
    unsigned bits = 1u << my_rank, got = 0;
    MPI::COMM_WORLD.Allreduce(&bits, &got, 1, MPI::UNSIGNED, MPI::BXOR);
    CHECK(got == (1u << my_size) - 1);
    CHECK(MPI::SUM.Is_commutative());
}

static void test_movement()
{
    std::vector<int> all(my_size), counts(my_size, 1), places(my_size), got(my_size);
    int mine = 10 * my_rank, one = -1, root = my_size - 1;
    for (int i = 0; i < my_size; i++)
        places[i] = my_size - 1 - i;
    MPI::COMM_WORLD.Gather(&mine, 1, MPI::INT, all.data(), 1, MPI::INT, root);
    MPI::COMM_WORLD.Scatter(all.data(), 1, MPI::INT, &one, 1, MPI::INT, root);
    CHECK(one == mine);
    MPI::COMM_WORLD.Allgather(&mine, 1, MPI::INT, all.data(), 1, MPI::INT);
    MPI::COMM_WORLD.Allgatherv(&mine, 1, MPI::INT, got.data(), counts.data(), places.data(), MPI::INT);
    for (int i = 0; i < my_size; i++)
        CHECK(all[i] == 10 * i && got[places[i]] == 10 * i);
    for (int i = 0; i < my_size; i++)
        all[i] = 100 * my_rank + i;
    MPI::COMM_WORLD.Alltoall(all.data(), 1, MPI::INT, got.data(), 1, MPI::INT);
    for (int i = 0; i < my_size; i++)
        CHECK(got[i] == 100 * i + my_rank);
    std::vector<MPI::Datatype> types(my_size, MPI::INT);
    for (int i = 0; i < my_size; i++)
        places[i] = (int)sizeof(int) * i, got[i] = -1;
    MPI::COMM_WORLD.Alltoallw(all.data(), counts.data(), places.data(), types.data(), got.data(), counts.data(),
                              places.data(), types.data());
    for (int i = 0; i < my_size; i++)
        CHECK(got[i] == 100 * i + my_rank);
    MPI::COMM_WORLD.Reduce_scatter(all.data(), &one, counts.data(), MPI::INT, MPI::MAX);
    CHECK(one == 100 * (my_size - 1) + my_rank);
    one = my_rank + 1;
    MPI::COMM_WORLD.Allreduce(MPI::IN_PLACE, &one, 1, MPI::INT, MPI::SUM);
    CHECK(one == my_size * (my_size + 1) / 2);
    int before = -7;
    MPI::COMM_WORLD.Exscan(&my_rank, &before, 1, MPI::INT, MPI::SUM);
    CHECK(my_rank == 0 || before == my_rank * (my_rank - 1) / 2);
    one = my_rank == root ? 42 : 0;
    MPI::COMM_WORLD.Bcast(&one, 1, MPI::INT, root);
    CHECK(one == 42);
    MPI::COMM_WORLD.Barrier();
}

static void test()
{
    test_user_reductions();
    test_many_operations();
    test_predefined();
    test_movement();
}
