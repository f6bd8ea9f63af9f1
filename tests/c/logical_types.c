/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* MPI_LOGICAL1 to MPI_LOGICAL8 come back as what they were: as parts of a datatype, in callbacks, in a file's view. A host that
 * lacks them has integers in their place, which must come back as integers. */
#include "check.h"

#ifdef MPI_LOGICAL1
static MPI_Datatype seen;

static void note_datatype(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    seen = *datatype;
    for (int i = 0; i < *count * 4; i++)
        ((char *)inout)[i] |= ((char *)in)[i];
}

/* The datatype that another one is a duplicate of. */
static MPI_Datatype part_of(MPI_Datatype copy)
{
    int integer;
    MPI_Aint address;
    MPI_Datatype part;
    OK(MPI_Type_get_contents(copy, 0, 0, 1, &integer, &address, &part));
    return part;
}

static void parts_are(MPI_Datatype datatype, int count, const MPI_Datatype *want)
{
    int integers, addresses, datatypes, combiner, integer[32];
    MPI_Aint address[8];
    MPI_Datatype part[4];
    OK(MPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &combiner));
    CHECK_INT(datatypes, count);
    OK(MPI_Type_get_contents(datatype, integers, addresses, datatypes, integer, address, part));
    for (int i = 0; i < count; i++)
        CHECK(part[i] == want[i]);
}

/* Each datatype that is made of this one has it as its part, and is freed. */
static void made_of(MPI_Datatype base)
{
    int one[] = { 1, 1 }, sizes[] = { 4, 4 }, starts[] = { 0, 1 }, distributions[] = { MPI_DISTRIBUTE_BLOCK }, grid[] = { 1 },
        arguments[] = { MPI_DISTRIBUTE_DFLT_DARG }, places[] = { 0, 2 };
    MPI_Aint displacements[] = { 0, 16 };
    MPI_Datatype made[11];
    OK(MPI_Type_dup(base, &made[0]));
    OK(MPI_Type_contiguous(3, base, &made[1]));
    OK(MPI_Type_vector(2, 1, 2, base, &made[2]));
    OK(MPI_Type_create_hvector(2, 1, 16, base, &made[3]));
    OK(MPI_Type_indexed(2, one, places, base, &made[4]));
    OK(MPI_Type_create_hindexed(2, one, displacements, base, &made[5]));
    OK(MPI_Type_create_indexed_block(2, 1, places, base, &made[6]));
    OK(MPI_Type_create_hindexed_block(2, 1, displacements, base, &made[7]));
    OK(MPI_Type_create_resized(base, 0, 16, &made[8]));
    OK(MPI_Type_create_subarray(2, sizes, one, starts, MPI_ORDER_C, base, &made[9]));
    OK(MPI_Type_create_darray(1, 0, 1, sizes, distributions, arguments, grid, MPI_ORDER_C, base, &made[10]));
    for (int i = 0; i < 11; i++) {
        parts_are(made[i], 1, &base);
        OK(MPI_Type_free(&made[i]));
    }
}

static void structures(void)
{
    int lengths[] = { 1, 1, 1, 1 };
    MPI_Aint places[] = { 0, 1, 2, 8 };
    MPI_Datatype types[] = { MPI_LOGICAL1, MPI_INT8_T, MPI_LOGICAL2, MPI_LOGICAL8 }, made, outer, copy;
    OK(MPI_Type_create_struct(4, lengths, places, types, &made));
    parts_are(made, 4, types);
    OK(MPI_Type_contiguous(2, made, &outer));
    OK(MPI_Type_dup(made, &copy));
    OK(MPI_Type_free(&made));
    made = part_of(copy);
    parts_are(made, 4, types);
    OK(MPI_Type_free(&made));
    OK(MPI_Type_free(&copy));
    OK(MPI_Type_free(&outer));
}

/* A message and an accumulation of such a datatype. */
static void data(void)
{
    signed char values[] = { 0, 1, 1, 0 }, *memory;
    MPI_Datatype pair;
    MPI_Status status;
    MPI_Win win;
    int count = -1, peer = 1 - check_rank;
    OK(MPI_Type_contiguous(2, MPI_LOGICAL1, &pair));
    OK(MPI_Type_commit(&pair));
    OK(MPI_Sendrecv(values, 1, pair, peer, 1, values + 2, 2, MPI_LOGICAL1, peer, 1, MPI_COMM_WORLD, &status));
    OK(MPI_Get_elements(&status, pair, &count));
    CHECK_INT(count, 2);
    CHECK(!values[2] && values[3]);
    OK(MPI_Win_allocate(16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    memory[0] = memory[1] = 0;
    OK(MPI_Win_fence(0, win));
    OK(MPI_Accumulate(values, 1, pair, peer, 0, 1, pair, MPI_REPLACE, win));
    OK(MPI_Win_fence(0, win));
    CHECK(!memory[0] && memory[1]);
    OK(MPI_Win_free(&win));
    OK(MPI_Type_free(&pair));
}

static void reductions(void)
{
    int one = 1, sum = 0;
    MPI_Op op;
    MPI_Request request;
    OK(MPI_Op_create(note_datatype, 1, &op));
    seen = MPI_DATATYPE_NULL;
    OK(MPI_Reduce_local(&one, &sum, 1, MPI_LOGICAL4, op));
    CHECK(seen == MPI_LOGICAL4);
    OK(MPI_Reduce_local(&one, &sum, 1, MPI_INT32_T, op));
    CHECK(seen == MPI_INT32_T);
    /* The function may be called in one of two processes. */
    seen = MPI_LOGICAL4;
    OK(MPI_Allreduce(&one, &sum, 1, MPI_LOGICAL4, op, MPI_COMM_WORLD));
    CHECK(seen == MPI_LOGICAL4);
    CHECK_INT(sum, 1);
    OK(MPI_Iallreduce(&one, &sum, 1, MPI_LOGICAL4, op, MPI_COMM_WORLD, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(seen == MPI_LOGICAL4);
    OK(MPI_Op_free(&op));
    OK(MPI_Allreduce(&one, &sum, 1, MPI_LOGICAL4, MPI_LAND, MPI_COMM_WORLD));
    CHECK_INT(sum, 1);
}

static MPI_Datatype deleted_of;

static int note_delete(MPI_Datatype datatype, int keyval, void *value, void *state)
{
    deleted_of = datatype;
    return MPI_SUCCESS;
}

static void attributes(void)
{
    int keyval, flag = -1, value = 3, *found = NULL;
    OK(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, note_delete, &keyval, NULL));
    OK(MPI_Type_set_attr(MPI_LOGICAL2, keyval, &value));
    OK(MPI_Type_get_attr(MPI_LOGICAL2, keyval, &found, &flag));
    CHECK(flag && found == &value);
    OK(MPI_Type_get_attr(MPI_INT16_T, keyval, &found, &flag));
    CHECK_INT(flag, 0);
    OK(MPI_Type_delete_attr(MPI_LOGICAL2, keyval));
    CHECK(deleted_of == MPI_LOGICAL2);
    OK(MPI_Type_get_attr(MPI_LOGICAL2, keyval, &found, &flag));
    CHECK_INT(flag, 0);
    OK(MPI_Type_free_keyval(&keyval));
}

static void is_named(MPI_Datatype datatype, const char *want)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = -1;
    OK(MPI_Type_get_name(datatype, name, &length));
    CHECK_STR(name, want);
}

static void names(void)
{
    is_named(MPI_LOGICAL8, "MPI_LOGICAL8");
    OK(MPI_Type_set_name(MPI_LOGICAL8, "truth"));
    is_named(MPI_LOGICAL8, "truth");
    is_named(MPI_INT64_T, "MPI_INT64_T");
    OK(MPI_Type_set_name(MPI_LOGICAL8, "MPI_LOGICAL8"));
}

static void views(void)
{
    MPI_File file;
    MPI_Datatype etype, filetype;
    MPI_Offset place;
    char representation[MPI_MAX_DATAREP_STRING];
    OK(MPI_File_open(MPI_COMM_SELF, check_rank == 0 ? "logical_types.0" : "logical_types.1",
                     MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    OK(MPI_File_set_view(file, 0, MPI_LOGICAL4, MPI_LOGICAL4, "native", MPI_INFO_NULL));
    OK(MPI_File_get_view(file, &place, &etype, &filetype, representation));
    CHECK(etype == MPI_LOGICAL4 && filetype == MPI_LOGICAL4);
    OK(MPI_File_set_view(file, 0, MPI_INT32_T, MPI_INT32_T, "native", MPI_INFO_NULL));
    OK(MPI_File_get_view(file, &place, &etype, &filetype, representation));
    CHECK(etype == MPI_INT32_T && filetype == MPI_INT32_T);
    OK(MPI_File_close(&file));
}

static void each(void)
{
    made_of(MPI_LOGICAL1);
    made_of(MPI_INT8_T);
    made_of(MPI_LOGICAL8);
    structures();
    data();
    reductions();
    attributes();
    names();
    views();
}
#else
static void each(void) {}
#endif

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    each();
    return check_end();
}
