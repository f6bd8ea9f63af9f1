/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* families: mpiabi */
/* Promises of MPI-5.0 to programs of its ABI, on hosts that are older: MPI-4.1's split types, windows that are asked
 * for shared memory, removed classes and codes, null sessions, names of null and lacking objects, substituted
 * datatypes, and the counts of partitioned communication. */
#include "check.h"

static void value_index(void)
{
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    OK(MPI_Type_get_value_index(MPI_FLOAT, MPI_INT, &pair));
    CHECK(pair == MPI_FLOAT_INT);
    FAILS(MPI_Type_get_value_index(MPI_DATATYPE_NULL, MPI_INT, &pair), MPI_ERR_TYPE);
    FAILS(MPI_Type_get_value_index(MPI_FLOAT, MPI_DATATYPE_NULL, &pair), MPI_ERR_TYPE);
}

/* The size of what is split, or 0 for MPI_COMM_NULL. */
static int split(int split_type, const char *resource)
{
    MPI_Info info = MPI_INFO_NULL;
    MPI_Comm comm = MPI_COMM_WORLD;
    int size = 0;
    if (resource) {
        OK(MPI_Info_create(&info));
        OK(MPI_Info_set(info, "mpi_hw_resource_type", resource));
    }
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, split_type, 0, info, &comm));
    if (comm != MPI_COMM_NULL) {
        OK(MPI_Comm_size(comm, &size));
        OK(MPI_Comm_free(&comm));
    }
    if (resource)
        OK(MPI_Info_free(&info));
    return size;
}

static void split_types(void)
{
    int shared = split(MPI_COMM_TYPE_SHARED, NULL);
    CHECK_INT(split(MPI_COMM_TYPE_HW_GUIDED, "mpi_shared_memory"), shared);
    CHECK_INT(split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_shared_memory"), shared);
    CHECK_INT(split(MPI_COMM_TYPE_HW_GUIDED, "no such resource"), 0);
    CHECK_INT(split(MPI_COMM_TYPE_RESOURCE_GUIDED, "no such resource"), 0);
    CHECK_INT(split(MPI_COMM_TYPE_HW_GUIDED, "mpi_shared_memory that is longer"), 0);
    split(MPI_COMM_TYPE_HW_UNGUIDED, NULL);
    /* Some processes may take part for nothing. */
    int size = split(check_rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_shared_memory");
    CHECK_INT(size, check_rank == 0 ? 0 : shared - 1);
}

/* MPI-4.1 section 12.2.3: a window that was not made to be shared may be asked, too. */
static void is_reached(MPI_Win win, void *memory, MPI_Aint bytes, int unit)
{
    MPI_Aint size = -1, large_unit = -1;
    int disp_unit = -1;
    void *base = win;
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    OK(MPI_Win_shared_query(win, check_rank, &size, &disp_unit, &base));
    CHECK_INT(size, bytes);
    CHECK_INT(disp_unit, unit);
    CHECK(base == memory);
    OK(MPI_Win_shared_query_c(win, check_rank, &size, &large_unit, &base));
    CHECK_INT(large_unit, unit);
    CHECK(base == memory);
    /* Another's memory is there to be read, or there is none. */
    OK(MPI_Win_shared_query(win, (check_rank + 1) % check_size, &size, &disp_unit, &base));
    CHECK(size == 0 || base != NULL);
    FAILS(MPI_Win_shared_query(win, check_size, &size, &disp_unit, &base), MPI_ERR_RANK);
}

static void shared_queries(void)
{
    MPI_Win win;
    int created[8];
    void *allocated;
    OK(MPI_Win_create(created, sizeof created, sizeof *created, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    is_reached(win, created, sizeof created, sizeof *created);
    OK(MPI_Win_free(&win));
    OK(MPI_Win_allocate(24, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &allocated, &win));
    is_reached(win, allocated, 24, 8);
    OK(MPI_Win_free(&win));
}

static void removal(void)
{
    int class, code, of_other;
    OK(MPI_Add_error_class(&class));
    OK(MPI_Add_error_code(class, &code));
    CHECK(MPI_Remove_error_class(class) != MPI_SUCCESS);
    OK(MPI_Add_error_string(code, "a code"));
    CHECK(MPI_Remove_error_code(code) != MPI_SUCCESS);
    OK(MPI_Remove_error_string(code));
    OK(MPI_Remove_error_code(code));
    OK(MPI_Add_error_string(class, "a class"));
    CHECK(MPI_Remove_error_class(class) != MPI_SUCCESS);
    OK(MPI_Remove_error_string(class));
    OK(MPI_Remove_error_class(class));
    OK(MPI_Add_error_code(MPI_ERR_OTHER, &of_other));
    CHECK_INT(check_class(of_other), MPI_ERR_OTHER);
    OK(MPI_Remove_error_code(of_other));
    CHECK(MPI_Remove_error_code(MPI_ERR_OTHER) != MPI_SUCCESS);
    CHECK(MPI_Remove_error_class(MPI_ERR_OTHER) != MPI_SUCCESS);
    CHECK(MPI_Remove_error_string(MPI_ERR_OTHER) != MPI_SUCCESS);
    CHECK(MPI_Remove_error_code(MPI_SUCCESS) != MPI_SUCCESS);
    CHECK(MPI_Remove_error_class(MPI_SUCCESS) != MPI_SUCCESS);
    CHECK(MPI_Remove_error_string(MPI_SUCCESS) != MPI_SUCCESS);
}

/* Hosts have few classes: removed ones are used again, and so are the numbers that the program sees. */
static void removal_and_addition(void)
{
    const int *last = NULL;
    int first_last = 0, flag = 0;
    for (int i = 0; i < 300 && !check_failures; i++) {
        int class = -1, code = -1;
        OK(MPI_Add_error_class(&class));
        OK(MPI_Add_error_code(class, &code));
        CHECK_INT(check_class(code), class);
        OK(MPI_Remove_error_code(code));
        OK(MPI_Remove_error_class(class));
        OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
        if (i == 0 && flag)
            first_last = *last;
        CHECK(flag && *last == first_last);
    }
}

static void null_session(void)
{
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Info info;
    MPI_Group group;
    MPI_Errhandler errhandler;
    int number;
    FAILS(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &number), MPI_ERR_SESSION);
    FAILS(MPI_Session_get_info(session, &info), MPI_ERR_SESSION);
    FAILS(MPI_Session_get_errhandler(session, &errhandler), MPI_ERR_SESSION);
    FAILS(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN), MPI_ERR_SESSION);
    FAILS(MPI_Group_from_session_pset(session, "mpi://WORLD", &group), MPI_ERR_SESSION);
    FAILS(MPI_Session_finalize(&session), MPI_ERR_SESSION);
}

#define NAMED(Class, handle, text)                                                                 \
    do {                                                                                           \
        char name_[MPI_MAX_OBJECT_NAME] = "";                                                      \
        int length_ = -1;                                                                          \
        OK(MPI_##Class##_get_name(handle, name_, &length_));                                       \
        CHECK_STR(name_, text);                                                                   \
        CHECK_INT(length_, sizeof text - 1);                                                       \
    } while (0)
#define NAMELESS(Class, handle, error)                                                             \
    do {                                                                                           \
        char name_[MPI_MAX_OBJECT_NAME] = "";                                                      \
        int length_ = -1;                                                                          \
        FAILS(MPI_##Class##_get_name(handle, name_, &length_), error);                             \
    } while (0)

static void names(void)
{
    NAMED(Comm, MPI_COMM_NULL, "MPI_COMM_NULL");
    NAMED(Type, MPI_DATATYPE_NULL, "MPI_DATATYPE_NULL");
    NAMED(Win, MPI_WIN_NULL, "MPI_WIN_NULL");
    NAMED(Comm, MPI_COMM_SELF, "MPI_COMM_SELF");
    NAMED(Type, MPI_INT, "MPI_INT");
    NAMED(Type, MPI_LOGICAL1, "MPI_LOGICAL1");
    NAMED(Type, MPI_INTEGER16, "MPI_INTEGER16");
    NAMED(Type, MPI_REAL2, "MPI_REAL2");
    NAMED(Type, MPI_COMPLEX4, "MPI_COMPLEX4");
    /* No constants of these classes. */
    NAMELESS(Comm, (MPI_Comm)MPI_INT, MPI_ERR_COMM);
    NAMELESS(Type, (MPI_Datatype)MPI_COMM_WORLD, MPI_ERR_TYPE);
    NAMELESS(Win, (MPI_Win)MPI_INT, MPI_ERR_WIN);
    FAILS(MPI_Comm_set_name(MPI_COMM_NULL, "x"), MPI_ERR_COMM);
    FAILS(MPI_Type_set_name(MPI_DATATYPE_NULL, "x"), MPI_ERR_TYPE);
    FAILS(MPI_Win_set_name(MPI_WIN_NULL, "x"), MPI_ERR_WIN);
}

/* The root of a reduction between groups sends nothing, whatever its send buffer is. */
static void reduction_between_groups(void)
{
    MPI_Comm inter;
    int root = check_rank == 0 ? MPI_ROOT : 0, one = 1, sum = -1;
    const void *sent = check_rank == 0 ? NULL : &one;
    void *received = check_rank == 0 ? &sum : NULL;
    MPI_Request request;
    OK(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - check_rank, 0, &inter));
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_ARE_FATAL);
    OK(MPI_Reduce(sent, received, 1, MPI_INT, MPI_SUM, root, inter));
    OK(MPI_Reduce_c(sent, received, 1, MPI_INT, MPI_SUM, root, inter));
    OK(MPI_Ireduce(sent, received, 1, MPI_INT, MPI_SUM, root, inter, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Ireduce_c(sent, received, 1, MPI_INT, MPI_SUM, root, inter, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Reduce_init(sent, received, 1, MPI_INT, MPI_SUM, root, inter, MPI_INFO_NULL, &request));
    OK(MPI_Start(&request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&request));
    CHECK_INT(sum, check_rank == 0 ? 1 : -1);
    OK(MPI_Comm_free(&inter));
}

static void environment_is_kept(void)
{
    MPI_Info env = MPI_INFO_ENV;
    int keys = -1;
    FAILS(MPI_Info_free(&env), MPI_ERR_INFO);
    CHECK(env == MPI_INFO_ENV);
    OK(MPI_Info_get_nkeys(env, &keys));
}

/* Both sides' partitions, by counts that are an int and an MPI_Count. */
static void partitions(void)
{
    int data[8];
    MPI_Request request;
    for (int large = 0; large < 2; large++) {
        MPI_Status status;
        for (int i = 0; i < 8; i++)
            data[i] = check_rank == 0 ? i : -1;
        if (check_rank == 0 && large)
            OK(MPI_Psend_init_c(data, 2, (MPI_Count)4, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
        else if (check_rank == 0)
            OK(MPI_Psend_init(data, 2, 4, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
        else if (large)
            OK(MPI_Precv_init_c(data, 2, (MPI_Count)4, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
        else
            OK(MPI_Precv_init(data, 2, 4, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
        OK(MPI_Start(&request));
        if (check_rank == 0)
            OK(MPI_Pready_range(0, 1, request));
        OK(MPI_Wait(&request, &status));
        for (int i = 0; i < 8; i++)
            CHECK_INT(data[i], i);
        OK(MPI_Request_free(&request));
    }
    /* The upper half of a register that an int is passed in is nobody's. */
    int (*init)(void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *) =
        (int (*)(void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *))MPI_Precv_init;
    OK(init(data, 1, 1 | (MPI_Count)0x7fff << 32, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    OK(MPI_Request_free(&request));
}

enum { LARGE = 3 };

/* A datatype is contiguous, of so many elements; it is freed if it is not predefined. */
static void is_contiguous(MPI_Datatype datatype, MPI_Count elements, MPI_Datatype of)
{
    MPI_Count integers, addresses, counts, datatypes, count = -1;
    int combiner, integer;
    MPI_Aint address;
    MPI_Datatype base = MPI_DATATYPE_NULL;
    OK(MPI_Type_get_envelope_c(datatype, &integers, &addresses, &counts, &datatypes, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_CONTIGUOUS);
    CHECK(integers == 0 && addresses == 0 && counts == 1 && datatypes == 1);
    if (counts == 1 && datatypes == 1)
        OK(MPI_Type_get_contents_c(datatype, 0, 0, 1, 1, &integer, &address, &count, &base));
    CHECK_INT(count, elements);
    CHECK(base == of);
    OK(MPI_Type_free(&datatype));
}

/* Returns a datatype that `datatype` is made of, by its position. The caller may look at the last of them. */
static MPI_Datatype part_of(MPI_Datatype datatype, int which)
{
    MPI_Count integers, addresses, counts, datatypes;
    int combiner, integer[8];
    MPI_Aint address[4];
    MPI_Count count[8];
    MPI_Datatype types[4], found = MPI_DATATYPE_NULL;
    OK(MPI_Type_get_envelope_c(datatype, &integers, &addresses, &counts, &datatypes, &combiner));
    OK(MPI_Type_get_contents_c(datatype, 8, 4, 8, 4, integer, address, count, types));
    for (int i = 0; i < datatypes; i++) {
        if (i == which)
            found = types[i];
        else if (types[i] != MPI_INT)
            OK(MPI_Type_free(&types[i]));
    }
    return found;
}

/* A datatype of a large count comes back from what was made of it, also when its handle has been freed. */
static void large_bases(void)
{
    const MPI_Count elements = (MPI_Count)LARGE << 30;
    MPI_Datatype large, made[8], of_made;
    int lengths[] = { 1, 1 };
    MPI_Aint places[] = { 0, 8 };
    MPI_Count large_places[] = { 0, 8 }, large_lengths[] = { 1, 1 };
    OK(MPI_Type_contiguous_c(elements, MPI_INT, &large));
    MPI_Datatype types[] = { MPI_INT, large };
    OK(MPI_Type_dup(large, &made[0]));
    OK(MPI_Type_contiguous(2, large, &made[1]));
    OK(MPI_Type_contiguous_c(2, large, &made[2]));
    OK(MPI_Type_create_resized(large, 0, 64, &made[3]));
    OK(MPI_Type_create_hindexed(2, lengths, places, large, &made[4]));
    OK(MPI_Type_create_struct(2, lengths, places, types, &made[5]));
    OK(MPI_Type_create_struct_c(2, large_lengths, large_places, types, &made[6]));
    OK(MPI_Type_contiguous(1, made[1], &of_made));
    OK(MPI_Type_free(&large));
    for (int i = 0; i < 7; i++) {
        is_contiguous(part_of(made[i], i < 5 ? 0 : 1), elements, MPI_INT);
        OK(MPI_Type_free(&made[i]));
    }
    made[0] = part_of(of_made, 0);
    is_contiguous(part_of(made[0], 0), elements, MPI_INT);
    OK(MPI_Type_free(&made[0]));
    OK(MPI_Type_free(&of_made));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    value_index();
    split_types();
    shared_queries();
    removal();
    removal_and_addition();
    null_session();
    names();
    reduction_between_groups();
    environment_is_kept();
    partitions();
    large_bases();
    return check_end();
}
