// SPDX-License-Identifier: BSD-3-Clause
// Derived datatypes.
/* ranks: 1 */
#include "check.h"

/* Sends `out` as `type` to itself and receives `count` numbers. */
static int transfer(const void *out, const MPI::Datatype &type, int *in, int count)
{
    MPI::Status status;
    MPI::COMM_SELF.Sendrecv(out, 1, type, 0, 0, in, count, MPI::INT, 0, 0, status);
    return status.Get_count(MPI::INT);
}

#ifdef MPI_LOGICAL4
static MPI::Datatype seen;

static void see_type(const void *in, void *inout, int length, const MPI::Datatype &type)
{
    seen = type;
}

static int see_deletion(MPI::Datatype &type, int keyval, void *value, void *state)
{
    seen = type;
    return MPI::SUCCESS;
}

/* A host may lack it, and something else stand in: what comes back is what went in. */
static void logicals()
{
    MPI::Datatype logical(MPI_LOGICAL4), part, pair = logical.Create_contiguous(2);
    int two = 0, one = 1, sum = 1, value = 0;
    MPI::Aint no_address;
    pair.Get_contents(1, 0, 1, &two, &no_address, &part);
    CHECK(two == 2 && part == logical && part != MPI::Datatype(MPI_INT32_T));
    pair.Free();

    MPI::Op op;
    op.Init(see_type, true);
    MPI_Reduce_local(&one, &sum, 1, logical, op);
    CHECK(seen == logical);
    seen = MPI::DATATYPE_NULL;
    MPI_Reduce_local(&one, &sum, 1, MPI_INT32_T, op);
    CHECK(seen == MPI::Datatype(MPI_INT32_T));
    op.Free();

    int keyval = MPI::Datatype::Create_keyval(MPI_TYPE_NULL_COPY_FN, see_deletion, 0);
    logical.Set_attr(keyval, &value);
    logical.Delete_attr(keyval);
    CHECK(seen == logical);
    MPI::Datatype::Free_keyval(keyval);
}
#endif

static void test()
{
    int numbers[24], got[24];
    for (int i = 0; i < 24; i++)
        numbers[i] = i;

    MPI::Datatype vector = MPI::INT.Create_vector(3, 2, 8);
    vector.Commit();
    CHECK(vector.Get_size() == 24);
    CHECK(transfer(numbers, vector, got, 24) == 6 && got[2] == 8 && got[5] == 17);
    MPI::Datatype copy = vector.Dup();
    copy.Set_name("stripes");
    char name[MPI::MAX_OBJECT_NAME];
    int length, integers, addresses, types, combiner;
    copy.Get_name(name, length);
    CHECK(std::strcmp(name, "stripes") == 0);
    vector.Get_envelope(integers, addresses, types, combiner);
    CHECK(integers == 3 && addresses == 0 && types == 1 && combiner == MPI::COMBINER_VECTOR);
    int contents[3];
    MPI::Aint no_address;
    MPI::Datatype base;
    vector.Get_contents(3, 0, 1, contents, &no_address, &base);
    CHECK(contents[0] == 3 && contents[1] == 2 && contents[2] == 8 && base == MPI::INT);
    copy.Get_envelope(integers, addresses, types, combiner);
    CHECK(combiner == MPI::COMBINER_DUP);

    int lengths[2] = { 1, 2 }, places[2] = { 20, 3 };
    MPI::Datatype indexed = MPI::INT.Create_indexed(2, lengths, places);
    indexed.Commit();
    CHECK(transfer(numbers, indexed, got, 24) == 3 && got[0] == 20 && got[1] == 3 && got[2] == 4);
    MPI::Datatype block = MPI::INT.Create_indexed_block(2, 2, places);
    block.Commit();
    CHECK(transfer(numbers, block, got, 24) == 4 && got[1] == 21);

    int sizes[2] = { 4, 6 }, subsizes[2] = { 2, 2 }, starts[2] = { 1, 3 };
    MPI::Datatype part = MPI::INT.Create_subarray(2, sizes, subsizes, starts, MPI::ORDER_C);
    part.Commit();
    CHECK(transfer(numbers, part, got, 24) == 4 && got[0] == 9 && got[3] == 16);

    struct { char letter; int number; double real; } record = { 'x', 17, 2.5 }, other = { 0, 0, 0 };
    MPI::Datatype fields[3] = { MPI::CHAR, MPI::INT, MPI::DOUBLE };
    int ones[3] = { 1, 1, 1 };
    MPI::Aint start = MPI::Get_address(&record);
    MPI::Aint offsets[3] = { MPI::Get_address(&record.letter) - start, MPI::Get_address(&record.number) - start,
                             MPI::Get_address(&record.real) - start };
    MPI::Datatype shape = MPI::Datatype::Create_struct(3, ones, offsets, fields);
    MPI::Datatype sized = shape.Create_resized(0, sizeof record);
    sized.Commit();
    MPI::Aint lower, extent;
    sized.Get_extent(lower, extent);
    CHECK(lower == 0 && extent == (MPI::Aint)sizeof record);
    shape.Get_true_extent(lower, extent);
    CHECK(lower == 0 && extent == 16);
    MPI::COMM_SELF.Sendrecv(&record, 1, sized, 0, 0, &other, 1, sized, 0, 0);
    CHECK(other.letter == 'x' && other.number == 17 && other.real == 2.5);

    CHECK(MPI::Datatype::Match_size(MPI::TYPECLASS_INTEGER, 4).Get_size() == 4);
    CHECK(MPI::CHAR.Get_size() == 1 && MPI::LONG_DOUBLE.Get_size() == (int)sizeof(long double));
    CHECK(MPI::BOOL.Get_size() == (int)sizeof(bool) && MPI::DOUBLE_COMPLEX.Get_size() == 16);
    CHECK(MPI::WCHAR.Get_size() == (int)sizeof(wchar_t) && MPI::LONG_LONG.Get_size() == 8);
    vector.Free();
    copy.Free();
    indexed.Free();
    block.Free();
    part.Free();
    shape.Free();
    sized.Free();
    CHECK(sized == MPI::DATATYPE_NULL);
#ifdef MPI_LOGICAL4
    logicals();
#endif
}
