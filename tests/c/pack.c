/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Pack, unpack, external32, addresses and MPI_BOTTOM. */
#include "check.h"

static void native(void)
{
    int a = 7, b = 0, size = 0, size2 = 0, place = 0;
    double x = 1.25, y = 0;
    char buffer[100];
    OK(MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &size));
    OK(MPI_Pack_size(1, MPI_DOUBLE, MPI_COMM_WORLD, &size2));
    CHECK(size >= 4 && size2 >= 8);
    OK(MPI_Pack(&a, 1, MPI_INT, buffer, sizeof buffer, &place, MPI_COMM_WORLD));
    OK(MPI_Pack(&x, 1, MPI_DOUBLE, buffer, sizeof buffer, &place, MPI_COMM_WORLD));
    CHECK(place >= 12 && place <= size + size2);
    MPI_Status status;
    char other[100];
    OK(MPI_Sendrecv(buffer, place, MPI_PACKED, check_rank, 0, other, 100, MPI_PACKED, check_rank, 0,
                    MPI_COMM_WORLD, &status));
    place = 0;
    OK(MPI_Unpack(other, sizeof other, &place, &b, 1, MPI_INT, MPI_COMM_WORLD));
    OK(MPI_Unpack(other, sizeof other, &place, &y, 1, MPI_DOUBLE, MPI_COMM_WORLD));
    CHECK_INT(b, 7);
    CHECK(y == 1.25);
}

static void external32(void)
{
    int a[2] = { 0x01020304, -2 }, b[2] = { 0, 0 };
    unsigned char buffer[32] = { 0 };
    MPI_Aint size = 0, place = 0;
    OK(MPI_Pack_external_size("external32", 2, MPI_INT, &size));
    CHECK_INT(size, 8);
    OK(MPI_Pack_external("external32", a, 2, MPI_INT, buffer, sizeof buffer, &place));
    CHECK_INT(place, 8);
    CHECK(buffer[0] == 1 && buffer[3] == 4 && buffer[7] == 0xfe);
    place = 0;
    OK(MPI_Unpack_external("external32", buffer, sizeof buffer, &place, b, 2, MPI_INT));
    CHECK(b[0] == a[0] && b[1] == a[1]);
}

/* Absolute addresses: the buffer argument is MPI_BOTTOM. */
static void bottom(void)
{
    static int left = 11;
    static double right = 2.5;
    int lengths[2] = { 1, 1 }, got_int = 0;
    double got_double = 0;
    MPI_Aint out[2], in[2], where;
    MPI_Datatype parts[2] = { MPI_INT, MPI_DOUBLE }, source, target;
    OK(MPI_Get_address(&left, &out[0]));
    OK(MPI_Get_address(&right, &out[1]));
    OK(MPI_Get_address(&got_int, &in[0]));
    OK(MPI_Get_address(&got_double, &in[1]));
    CHECK(out[0] == (MPI_Aint)&left);
    CHECK(MPI_Aint_diff(out[0], MPI_Aint_add(out[0], -16)) == 16);
    OK(MPI_Type_create_struct(2, lengths, out, parts, &source));
    OK(MPI_Type_create_struct(2, lengths, in, parts, &target));
    OK(MPI_Type_commit(&source));
    OK(MPI_Type_commit(&target));
    OK(MPI_Sendrecv(MPI_BOTTOM, 1, source, check_rank, 0, MPI_BOTTOM, 1, target, check_rank, 0,
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_INT(got_int, 11);
    CHECK(got_double == 2.5);
    got_int = -1;
    OK(MPI_Bcast(MPI_BOTTOM, 1, check_rank == 0 ? source : target, 0, MPI_COMM_WORLD));
    CHECK_INT(got_int, check_rank == 0 ? -1 : 11);
    if (!known_fault("bottom-in-pack")) {
        char buffer[64];
        int place = 0;
        OK(MPI_Pack(MPI_BOTTOM, 1, source, buffer, sizeof buffer, &place, MPI_COMM_WORLD));
        CHECK_INT(place, 12);
        place = 0;
        got_int = 0;
        OK(MPI_Unpack(buffer, sizeof buffer, &place, MPI_BOTTOM, 1, target, MPI_COMM_WORLD));
        CHECK_INT(got_int, 11);
    }
    OK(MPI_Get_address(MPI_BOTTOM, &where));
    CHECK_INT(where, 0);
    OK(MPI_Type_free(&source));
    OK(MPI_Type_free(&target));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    native();
    external32();
    bottom();
    return check_end();
}
