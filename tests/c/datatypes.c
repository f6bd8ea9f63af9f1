/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* Every datatype constructor, its envelope and contents, and data moved by it. */
#include "check.h"

enum { BIG = 64 };

/* Contents arrays longer than needed: nothing beyond the envelope's numbers
 * may be touched, and values there must not be taken for handles. */
static int integers[BIG];
static MPI_Aint addresses[BIG];
static MPI_Datatype types[BIG];

/* A program of another MPI does not suffer from this fault of its host. */
static int is_host_at_fault(void)
{
#ifdef OPEN_MPI
    return known_fault("contents-beyond-the-envelope");
#else
    return 0;
#endif
}

static void expect_envelope(MPI_Datatype type, int combiner, int ints, int addrs, int kinds)
{
    int got_ints = -1, got_addrs = -1, got_kinds = -1, got = -1;
    OK(MPI_Type_get_envelope(type, &got_ints, &got_addrs, &got_kinds, &got));
    CHECK_INT(got, combiner);
    CHECK_INT(got_ints, ints);
    CHECK_INT(got_addrs, addrs);
    CHECK_INT(got_kinds, kinds);
    for (int i = 0; i < BIG; i++) {
        integers[i] = -7777;
        addresses[i] = -8888;
        memset(&types[i], 0x6b, sizeof types[i]);
    }
    OK(MPI_Type_get_contents(type, BIG, BIG, is_host_at_fault() ? kinds : BIG,
                             integers, addresses, types));
    CHECK_INT(integers[ints], -7777);
    CHECK_INT(addresses[addrs], -8888);
    unsigned char untouched[sizeof types[0]];
    memset(untouched, 0x6b, sizeof untouched);
    CHECK(memcmp(&types[kinds], untouched, sizeof untouched) == 0);
}

static void expect_extent(MPI_Datatype type, int size, MPI_Aint lower, MPI_Aint extent)
{
    int got_size = -1;
    MPI_Aint got_lower = -1, got_extent = -1;
    MPI_Count big = -1, big_lower = -1, big_extent = -1;
    OK(MPI_Type_size(type, &got_size));
    CHECK_INT(got_size, size);
    OK(MPI_Type_get_extent(type, &got_lower, &got_extent));
    CHECK_INT(got_lower, lower);
    CHECK_INT(got_extent, extent);
    OK(MPI_Type_size_x(type, &big));
    CHECK_INT(big, size);
    OK(MPI_Type_get_extent_x(type, &big_lower, &big_extent));
    CHECK_INT(big_lower, lower);
    CHECK_INT(big_extent, extent);
}

/* Expects that the type picks these ints from an array 0, 1, 2, ... */
static void expect_ints(MPI_Datatype type, const int *want, int count)
{
    int source[200], got[200], place = 0;
    for (int i = 0; i < 200; i++)
        source[i] = i, got[i] = -1;
    OK(MPI_Type_commit(&type));
    OK(MPI_Pack(source, 1, type, got, sizeof got, &place, MPI_COMM_WORLD));
    CHECK_INT(place, count * sizeof(int));
    for (int i = 0; i < count; i++)
        CHECK_INT(got[i], want[i]);
    memset(got, -1, sizeof got);
    OK(MPI_Sendrecv(source, 1, type, 0, 0, got, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < count; i++)
        CHECK_INT(got[i], want[i]);
}

static void contiguous_and_vectors(void)
{
    static const int vector_wants[] = { 0, 1, 4, 5 };
    MPI_Datatype type;
    OK(MPI_Type_contiguous(5, MPI_INT, &type));
    expect_envelope(type, MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
    CHECK_INT(integers[0], 5);
    CHECK(types[0] == MPI_INT);
    expect_extent(type, 20, 0, 20);
    OK(MPI_Type_free(&type));
    CHECK(type == MPI_DATATYPE_NULL);
    OK(MPI_Type_vector(2, 2, 4, MPI_INT, &type));
    expect_envelope(type, MPI_COMBINER_VECTOR, 3, 0, 1);
    CHECK_INT(integers[2], 4);
    expect_extent(type, 16, 0, 24);
    expect_ints(type, vector_wants, 4);
    OK(MPI_Type_free(&type));
    OK(MPI_Type_create_hvector(2, 2, 16, MPI_INT, &type));
    expect_envelope(type, MPI_COMBINER_HVECTOR, 2, 1, 1);
    CHECK_INT(addresses[0], 16);
    expect_ints(type, vector_wants, 4);
    OK(MPI_Type_free(&type));
}

static void indexed(void)
{
    int lengths[2] = { 2, 1 }, places[2] = { 5, 1 }, one_each[] = { 5, 6, 1 }, two_each[] = { 5, 6, 1, 2 };
    MPI_Aint bytes[2] = { 20, 4 };
    MPI_Datatype type;
    OK(MPI_Type_indexed(2, lengths, places, MPI_INT, &type));
    expect_envelope(type, MPI_COMBINER_INDEXED, 5, 0, 1);
    CHECK_INT(integers[3], 5);
    expect_ints(type, one_each, 3);
    OK(MPI_Type_free(&type));
    OK(MPI_Type_create_hindexed(2, lengths, bytes, MPI_INT, &type));
    expect_envelope(type, MPI_COMBINER_HINDEXED, 3, 2, 1);
    CHECK_INT(addresses[0], 20);
    expect_ints(type, one_each, 3);
    OK(MPI_Type_free(&type));
    OK(MPI_Type_create_indexed_block(2, 2, places, MPI_INT, &type));
    expect_envelope(type, MPI_COMBINER_INDEXED_BLOCK, 4, 0, 1);
    CHECK_INT(integers[1], 2);
    expect_ints(type, two_each, 4);
    OK(MPI_Type_free(&type));
    OK(MPI_Type_create_hindexed_block(2, 2, bytes, MPI_INT, &type));
    expect_envelope(type, MPI_COMBINER_HINDEXED_BLOCK, 2, 2, 1);
    expect_ints(type, two_each, 4);
    OK(MPI_Type_free(&type));
}

/* Derived and predefined types nested in each other: contents give handles
 * the program can compare (predefined) or use (derived). */
static void structure(void)
{
    int lengths[3] = { 1, 2, 1 };
    MPI_Aint places[3] = { 0, 8, 40 };
    MPI_Datatype inner, parts[3], type;
    OK(MPI_Type_contiguous(3, MPI_SHORT, &inner));
    parts[0] = MPI_DOUBLE, parts[1] = inner, parts[2] = MPI_CHAR;
    OK(MPI_Type_create_struct(3, lengths, places, parts, &type));
    OK(MPI_Type_free(&inner));
    expect_envelope(type, MPI_COMBINER_STRUCT, 4, 3, 3);
    CHECK_INT(integers[0], 3);
    CHECK_INT(integers[2], 2);
    CHECK_INT(addresses[2], 40);
    CHECK(types[0] == MPI_DOUBLE);
    CHECK(types[2] == MPI_CHAR);
    MPI_Datatype nested = types[1];
    CHECK(nested != MPI_SHORT && nested != MPI_DATATYPE_NULL);
    expect_envelope(nested, MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
    CHECK_INT(integers[0], 3);
    CHECK(types[0] == MPI_SHORT);
    OK(MPI_Type_free(&nested));
    int size = 0;
    OK(MPI_Type_size(type, &size));
    CHECK_INT(size, 8 + 12 + 1);
    OK(MPI_Type_free(&type));
}

static void dup_and_resized(void)
{
    MPI_Datatype type, dup;
    MPI_Aint lower, extent;
    MPI_Count big_lower, big_extent;
    OK(MPI_Type_create_resized(MPI_INT, -4, 32, &type));
    expect_envelope(type, MPI_COMBINER_RESIZED, 0, 2, 1);
    CHECK_INT(addresses[0], -4);
    CHECK_INT(addresses[1], 32);
    CHECK(types[0] == MPI_INT);
    expect_extent(type, 4, -4, 32);
    OK(MPI_Type_get_true_extent(type, &lower, &extent));
    CHECK_INT(lower, 0);
    CHECK_INT(extent, 4);
    OK(MPI_Type_get_true_extent_x(type, &big_lower, &big_extent));
    CHECK_INT(big_lower, 0);
    CHECK_INT(big_extent, 4);
    OK(MPI_Type_dup(type, &dup));
    CHECK(dup != type);
    expect_envelope(dup, MPI_COMBINER_DUP, 0, 0, 1);
    MPI_Datatype original = types[0];
    expect_envelope(original, MPI_COMBINER_RESIZED, 0, 2, 1);
    OK(MPI_Type_free(&original));
    OK(MPI_Type_free(&dup));
    OK(MPI_Type_free(&type));
    OK(MPI_Type_dup(MPI_FLOAT, &dup));
    expect_envelope(dup, MPI_COMBINER_DUP, 0, 0, 1);
    CHECK(types[0] == MPI_FLOAT);
    OK(MPI_Type_free(&dup));
    int ints, addrs, kinds, combiner;
    OK(MPI_Type_get_envelope(MPI_DOUBLE_INT, &ints, &addrs, &kinds, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_NAMED);
    CHECK_INT(ints + addrs + kinds, 0);
}

/* ORDER and DISTRIBUTE values travel among plain integers. */
static void subarray(int order)
{
    int sizes[2] = { 4, 6 }, parts[2] = { 2, 3 }, starts[2] = { 1, 2 };
    static const int c_wants[] = { 8, 9, 10, 14, 15, 16 }, f_wants[] = { 9, 10, 13, 14, 17, 18 };
    MPI_Datatype type;
    OK(MPI_Type_create_subarray(2, sizes, parts, starts, order, MPI_INT, &type));
    expect_envelope(type, MPI_COMBINER_SUBARRAY, 8, 0, 1);
    CHECK_INT(integers[0], 2);
    CHECK_INT(integers[2], 6);
    CHECK_INT(integers[3], 2);
    CHECK_INT(integers[6], 2);
    CHECK_INT(integers[7], order);
    expect_extent(type, 24, 0, 96);
    expect_ints(type, order == MPI_ORDER_C ? c_wants : f_wants, 6);
    OK(MPI_Type_free(&type));
}

static void darray(int order)
{
    /* The global sizes and block sizes are values that an over-eager
     * converter takes for ORDER and DISTRIBUTE constants. */
    int sizes[3] = { 56, 57, 121 }, kinds[3] = { MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE };
    int args[3] = { MPI_DISTRIBUTE_DFLT_DARG, 2, MPI_DISTRIBUTE_DFLT_DARG }, grid[3] = { 2, 2, 1 }, size = -1;
    MPI_Datatype type;
    OK(MPI_Type_create_darray(4, 3, 3, sizes, kinds, args, grid, order, MPI_INT, &type));
    expect_envelope(type, MPI_COMBINER_DARRAY, 4 * 3 + 4, 0, 1);
    CHECK_INT(integers[0], 4);
    CHECK_INT(integers[1], 3);
    CHECK_INT(integers[2], 3);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(integers[3 + i], sizes[i]);
        CHECK_INT(integers[6 + i], kinds[i]);
        CHECK_INT(integers[9 + i], args[i]);
        CHECK_INT(integers[12 + i], grid[i]);
    }
    CHECK_INT(integers[15], order);
    OK(MPI_Type_size(type, &size));
    CHECK_INT(size, 28 * 28 * 121 * (int)sizeof(int));
    OK(MPI_Type_free(&type));
}

static void f90_types(void)
{
    MPI_Datatype type, again;
    int size = 0;
    OK(MPI_Type_create_f90_real(6, MPI_UNDEFINED, &type));
    OK(MPI_Type_size(type, &size));
    CHECK_INT(size, 4);
    expect_envelope(type, MPI_COMBINER_F90_REAL, 2, 0, 0);
    CHECK_INT(integers[0], 6);
    CHECK_INT(integers[1], MPI_UNDEFINED);
    OK(MPI_Type_create_f90_real(6, MPI_UNDEFINED, &again));
    CHECK(type == again);
    OK(MPI_Type_create_f90_real(MPI_UNDEFINED, 200, &type));
    OK(MPI_Type_size(type, &size));
    CHECK_INT(size, 8);
    OK(MPI_Type_create_f90_complex(15, 30, &type));
    expect_envelope(type, MPI_COMBINER_F90_COMPLEX, 2, 0, 0);
    CHECK_INT(integers[0], 15);
    CHECK_INT(integers[1], 30);
    OK(MPI_Type_create_f90_integer(9, &type));
    expect_envelope(type, MPI_COMBINER_F90_INTEGER, 1, 0, 0);
    CHECK_INT(integers[0], 9);
    OK(MPI_Type_size(type, &size));
    CHECK_INT(size, 4);
}

static void match_size(void)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    OK(MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type));
    int size = 0;
    OK(MPI_Type_size(type, &size));
    CHECK_INT(size, 8);
    OK(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 4, &type));
    OK(MPI_Type_size(type, &size));
    CHECK_INT(size, 4);
    OK(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &type));
    OK(MPI_Type_size(type, &size));
    CHECK_INT(size, 16);
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME + 4];
    int length = -1;
    MPI_Datatype type;
    OK(MPI_Type_get_name(MPI_DOUBLE, name, &length));
    CHECK_STR(name, "MPI_DOUBLE");
    OK(MPI_Type_get_name(MPI_UNSIGNED_LONG, name, &length));
    CHECK_STR(name, "MPI_UNSIGNED_LONG");
    CHECK_INT(length, 17);
    OK(MPI_Type_contiguous(2, MPI_INT, &type));
    OK(MPI_Type_get_name(type, name, &length));
    CHECK_INT(length, 0);
    OK(MPI_Type_set_name(type, "two ints"));
    OK(MPI_Type_get_name(type, name, &length));
    CHECK_STR(name, "two ints");
    OK(MPI_Type_free(&type));
}

/* The order a caller's array is limited by: exactly the envelope's numbers. */
static void exact_contents(void)
{
    int ints[16];
    MPI_Datatype type, inner[1];
    int sizes[2] = { 4, 6 }, parts[2] = { 2, 3 }, starts[2] = { 1, 2 };
    OK(MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_BYTE, &type));
    OK(MPI_Type_get_contents(type, 8, 0, 1, ints, NULL, inner));
    CHECK_INT(ints[7], MPI_ORDER_FORTRAN);
    CHECK(inner[0] == MPI_BYTE);
    OK(MPI_Type_free(&type));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    contiguous_and_vectors();
    indexed();
    structure();
    dup_and_resized();
    subarray(MPI_ORDER_C);
    subarray(MPI_ORDER_FORTRAN);
    darray(MPI_ORDER_C);
    darray(MPI_ORDER_FORTRAN);
    f90_types();
    match_size();
    names();
    exact_contents();
    return check_end();
}
