/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the variable of each procedure that makes or gives a handle after it failed: a line for each call that is no
 * argument. The lines must be the same natively and adapted on the same host. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int numbers[16];
static char **left_out;

/* Begins a line. */
static int is_made(const char *call)
{
    for (char **each = left_out; *each; each++)
        if (strcmp(*each, call) == 0)
            return 0;
    printf("%s: ", call);
    fflush(stdout);
    return 1;
}

static const char *state_of(const void *variable, const void *null, size_t size)
{
    int touched = 0;
    for (size_t i = 0; i < size; i++)
        touched |= ((const unsigned char *)variable)[i] != 0x5a;
    return !touched ? "as it was" : memcmp(variable, null, size) == 0 ? "null" : "something else";
}

/* LEAVES(type, its null handle, the call, whose variable is `made`, and its text) */
#define LEAVES(type, null_handle, call, text) \
    do { \
        type made, null = null_handle; \
        memset(&made, 0x5a, sizeof made); \
        if (is_made(text)) \
            puts((call) == MPI_SUCCESS ? "succeeds" : state_of(&made, &null, sizeof made)); \
        fflush(stdout); \
    } while (0)

/* KEEPS(type, a handle, the procedure that should free it) */
#define KEEPS(type, handle, procedure) \
    do { \
        type made = handle, before = handle; \
        if (is_made(#procedure " of " #handle)) \
            puts(procedure(&made) == MPI_SUCCESS ? "succeeds" : made == before ? "as it was" : "changed"); \
        fflush(stdout); \
    } while (0)

static void comms(MPI_Comm comm)
{
    int dims[1] = { 99 }, none[1] = { 0 }, bad[1] = { 99 };
#define COMM(call) LEAVES(MPI_Comm, MPI_COMM_NULL, call, #call)
    COMM(MPI_Comm_dup(MPI_COMM_NULL, &made));
    COMM(MPI_Comm_dup_with_info(MPI_COMM_NULL, MPI_INFO_NULL, &made));
    COMM(MPI_Comm_split(MPI_COMM_NULL, 0, 0, &made));
    COMM(MPI_Comm_split(comm, -77, 0, &made));
    COMM(MPI_Comm_split_type(MPI_COMM_NULL, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made));
    COMM(MPI_Comm_create(MPI_COMM_NULL, MPI_GROUP_EMPTY, &made));
    COMM(MPI_Comm_create(comm, MPI_GROUP_NULL, &made));
    COMM(MPI_Comm_create_group(comm, MPI_GROUP_NULL, 0, &made));
    COMM(MPI_Cart_create(MPI_COMM_NULL, 1, none, none, 0, &made));
    COMM(MPI_Cart_create(comm, 1, dims, none, 0, &made));
    COMM(MPI_Cart_create(comm, -1, dims, none, 0, &made));
    COMM(MPI_Cart_sub(comm, none, &made));
    COMM(MPI_Graph_create(MPI_COMM_NULL, 0, none, none, 0, &made));
    COMM(MPI_Graph_create(comm, 99, bad, none, 0, &made));
    COMM(MPI_Dist_graph_create_adjacent(MPI_COMM_NULL, 0, none, none, 0, none, none, MPI_INFO_NULL, 0, &made));
    COMM(MPI_Dist_graph_create(MPI_COMM_NULL, 0, none, none, none, none, MPI_INFO_NULL, 0, &made));
    COMM(MPI_Intercomm_create(MPI_COMM_NULL, 0, comm, 0, 0, &made));
}

static void groups(MPI_Comm comm)
{
    int bad[1] = { 99 }, ranges[1][3] = { { 0, 99, 1 } };
    MPI_Group all;
    MPI_Comm_group(comm, &all);
#define GROUP(call) LEAVES(MPI_Group, MPI_GROUP_NULL, call, #call)
    GROUP(MPI_Comm_group(MPI_COMM_NULL, &made));
    GROUP(MPI_Comm_remote_group(comm, &made));
    GROUP(MPI_Group_incl(all, 1, bad, &made));
    GROUP(MPI_Group_incl(MPI_GROUP_NULL, 1, bad, &made));
    GROUP(MPI_Group_excl(all, 1, bad, &made));
    GROUP(MPI_Group_range_incl(all, 1, ranges, &made));
    GROUP(MPI_Group_range_excl(all, 1, ranges, &made));
    GROUP(MPI_Group_union(all, MPI_GROUP_NULL, &made));
    GROUP(MPI_Group_intersection(all, MPI_GROUP_NULL, &made));
    GROUP(MPI_Group_difference(MPI_GROUP_NULL, all, &made));
    GROUP(MPI_Win_get_group(MPI_WIN_NULL, &made));
    GROUP(MPI_File_get_group(MPI_FILE_NULL, &made));
    MPI_Group_free(&all);
}

static void types(void)
{
    int one[1] = { 1 }, negative[1] = { -1 };
    MPI_Aint place[1] = { 0 };
    MPI_Datatype none[1] = { MPI_DATATYPE_NULL }, integer[1] = { MPI_INT };
#define TYPE(call) LEAVES(MPI_Datatype, MPI_DATATYPE_NULL, call, #call)
    TYPE(MPI_Type_contiguous(-1, MPI_INT, &made));
    TYPE(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &made));
    TYPE(MPI_Type_vector(-1, 1, 1, MPI_INT, &made));
    TYPE(MPI_Type_create_hvector(-1, 1, 1, MPI_INT, &made));
    TYPE(MPI_Type_indexed(-1, one, one, MPI_INT, &made));
    TYPE(MPI_Type_create_hindexed(1, negative, place, MPI_INT, &made));
    TYPE(MPI_Type_create_indexed_block(-1, 1, one, MPI_INT, &made));
    TYPE(MPI_Type_create_hindexed_block(-1, 1, place, MPI_INT, &made));
    TYPE(MPI_Type_create_struct(-1, one, place, integer, &made));
    TYPE(MPI_Type_create_struct(1, one, place, none, &made));
    TYPE(MPI_Type_create_resized(MPI_DATATYPE_NULL, 0, 8, &made));
    TYPE(MPI_Type_dup(MPI_DATATYPE_NULL, &made));
    TYPE(MPI_Type_create_subarray(-1, one, one, one, MPI_ORDER_C, MPI_INT, &made));
    TYPE(MPI_Type_create_darray(-1, 0, 1, one, one, one, one, MPI_ORDER_C, MPI_INT, &made));
    TYPE(MPI_Type_create_f90_integer(100000, &made));
    TYPE(MPI_Type_create_f90_real(100000, 100000, &made));
    TYPE(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 77, &made));
}

static void others(MPI_Comm comm)
{
#define ERRHANDLER(call) LEAVES(MPI_Errhandler, MPI_ERRHANDLER_NULL, call, #call)
#define INFO(call) LEAVES(MPI_Info, MPI_INFO_NULL, call, #call)
#define MESSAGE(call) LEAVES(MPI_Message, MPI_MESSAGE_NULL, call, #call)
    ERRHANDLER(MPI_Comm_get_errhandler(MPI_COMM_NULL, &made));
    ERRHANDLER(MPI_Win_get_errhandler(MPI_WIN_NULL, &made));
    INFO(MPI_Info_dup(MPI_INFO_NULL, &made));
    INFO(MPI_Comm_get_info(MPI_COMM_NULL, &made));
    INFO(MPI_Win_get_info(MPI_WIN_NULL, &made));
    INFO(MPI_File_get_info(MPI_FILE_NULL, &made));
    MESSAGE(MPI_Mprobe(99, 0, comm, &made, MPI_STATUS_IGNORE));
    MESSAGE(MPI_Improbe(99, 0, comm, &numbers[0], &made, MPI_STATUS_IGNORE));
#define WIN(call) LEAVES(MPI_Win, MPI_WIN_NULL, call, #call)
    WIN(MPI_Win_create(numbers, 8, 1, MPI_INFO_NULL, MPI_COMM_NULL, &made));
    WIN(MPI_Win_create(numbers, -8, 1, MPI_INFO_NULL, comm, &made));
    WIN(MPI_Win_create(numbers, 8, 0, MPI_INFO_NULL, comm, &made));
    WIN(MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_NULL, numbers, &made));
    WIN(MPI_Win_allocate(-8, 1, MPI_INFO_NULL, comm, numbers, &made));
    WIN(MPI_Win_allocate_shared(-8, 1, MPI_INFO_NULL, comm, numbers, &made));
    WIN(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_NULL, &made));
#define FILE_(call) LEAVES(MPI_File, MPI_FILE_NULL, call, #call)
    FILE_(MPI_File_open(comm, "no-such-folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &made));
    FILE_(MPI_File_open(comm, "file", 0, MPI_INFO_NULL, &made));
    FILE_(MPI_File_open(comm, "file", MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &made));
    FILE_(MPI_File_open(MPI_COMM_NULL, "file", MPI_MODE_RDONLY, MPI_INFO_NULL, &made));
}

static void requests(MPI_Comm comm)
{
#define REQUEST(call) LEAVES(MPI_Request, MPI_REQUEST_NULL, call, #call)
    REQUEST(MPI_Isend(numbers, 1, MPI_INT, 99, 0, comm, &made));
    REQUEST(MPI_Issend(numbers, -1, MPI_INT, 0, 0, comm, &made));
    REQUEST(MPI_Irsend(numbers, 1, MPI_INT, 99, 0, comm, &made));
    REQUEST(MPI_Ibsend(numbers, 1, MPI_INT, 99, 0, comm, &made));
    REQUEST(MPI_Irecv(numbers, 1, MPI_DATATYPE_NULL, 0, 0, comm, &made));
    REQUEST(MPI_Irecv(numbers, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &made));
    REQUEST(MPI_Send_init(numbers, 1, MPI_INT, 99, 0, comm, &made));
    REQUEST(MPI_Ssend_init(numbers, 1, MPI_INT, 99, 0, comm, &made));
    REQUEST(MPI_Recv_init(numbers, 1, MPI_INT, 99, 0, comm, &made));
    REQUEST(MPI_Ibarrier(MPI_COMM_NULL, &made));
    REQUEST(MPI_Ibcast(numbers, -1, MPI_INT, 0, comm, &made));
    REQUEST(MPI_Ibcast(numbers, 1, MPI_INT, 99, comm, &made));
    REQUEST(MPI_Iallreduce(numbers, numbers + 8, 1, MPI_INT, MPI_OP_NULL, comm, &made));
    REQUEST(MPI_Igather(numbers, 1, MPI_INT, numbers + 8, 1, MPI_INT, 99, comm, &made));
    REQUEST(MPI_Rput(numbers, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL, &made));
    REQUEST(MPI_File_iread(MPI_FILE_NULL, numbers, 1, MPI_INT, &made));
    REQUEST(MPI_File_iwrite_at(MPI_FILE_NULL, 0, numbers, 1, MPI_INT, &made));
}

static void freed(void)
{
    KEEPS(MPI_Comm, MPI_COMM_NULL, MPI_Comm_free);
    KEEPS(MPI_Comm, MPI_COMM_WORLD, MPI_Comm_free);
    KEEPS(MPI_Comm, MPI_COMM_NULL, MPI_Comm_disconnect);
    KEEPS(MPI_Group, MPI_GROUP_NULL, MPI_Group_free);
    KEEPS(MPI_Datatype, MPI_DATATYPE_NULL, MPI_Type_free);
    KEEPS(MPI_Datatype, MPI_INT, MPI_Type_free);
    KEEPS(MPI_Op, MPI_OP_NULL, MPI_Op_free);
    KEEPS(MPI_Op, MPI_SUM, MPI_Op_free);
    KEEPS(MPI_Info, MPI_INFO_NULL, MPI_Info_free);
    KEEPS(MPI_Errhandler, MPI_ERRHANDLER_NULL, MPI_Errhandler_free);
    KEEPS(MPI_Win, MPI_WIN_NULL, MPI_Win_free);
    KEEPS(MPI_File, MPI_FILE_NULL, MPI_File_close);
    KEEPS(MPI_Request, MPI_REQUEST_NULL, MPI_Request_free);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    left_out = argv + 1;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    comms(comm);
    groups(comm);
    types();
    others(comm);
    requests(comm);
    freed();
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
