/* SPDX-License-Identifier: BSD-3-Clause */
/* The integers of handles (MPI-4.1 section 19.3.4, MPI-5.0's MPI_X_toint and MPI_X_fromint): each predefined
 * handle has that of the application's mpif.h, or of the standard ABI, and leads back to itself; so does every
 * dynamic one. integers.bats writes predefined.h, a line PREDEFINED(class, handle, integer) for each handle. */
#include <stdint.h>
#include <unistd.h>

#include "../c/check.h"

#define UNKNOWN INT32_MIN
/* MPI-5.0 section 20.3.3 reserves the integers below for predefined handles. */
#define RESERVED 0x1000u

/* The standard ABI has no MPI_X_c2f. */
#ifdef STANDARD_ABI
#define ROUND_IN_FORTRAN(class, handle)
#else
#define ROUND_IN_FORTRAN(class, handle)                                                            \
    CHECK_INT(MPI_##class##_c2f(handle), MPI_##class##_toint(handle));                             \
    CHECK(MPI_##class##_f2c(MPI_##class##_c2f(handle)) == (handle));
#endif

/* A handle that mpif.h has not either is the null handle where the host lacks it. */
#define PREDEFINED(class, handle, integer)                                                         \
    if (integer != UNKNOWN)                                                                        \
        CHECK_INT(MPI_##class##_toint(handle), integer);                                           \
    if (integer != UNKNOWN || MPI_##class##_fromint(MPI_##class##_toint(handle)) != NULL_##class) { \
        CHECK(MPI_##class##_fromint(MPI_##class##_toint(handle)) == (handle));                     \
        ROUND_IN_FORTRAN(class, handle)                                                            \
    }
#define NULL_Comm MPI_COMM_NULL
#define NULL_Type MPI_DATATYPE_NULL
#define NULL_Errhandler MPI_ERRHANDLER_NULL
#define NULL_File MPI_FILE_NULL
#define NULL_Group MPI_GROUP_NULL
#define NULL_Info MPI_INFO_NULL
#define NULL_Message MPI_MESSAGE_NULL
#define NULL_Op MPI_OP_NULL
#define NULL_Request MPI_REQUEST_NULL
#define NULL_Session MPI_SESSION_NULL
#define NULL_Win MPI_WIN_NULL

static void predefined(void)
{
#include "predefined.h"
}

/* A dynamic handle's integer is the same each time, and none of a predefined handle. */
#define DYNAMIC(class, handle)                                                                     \
    do {                                                                                           \
        int integer_ = MPI_##class##_toint(handle);                                                \
        CHECK_INT(MPI_##class##_toint(handle), integer_);                                          \
        CHECK((uint32_t)integer_ >= RESERVED);                                                        \
        CHECK(MPI_##class##_fromint(integer_) == (handle));                                        \
        ROUND_IN_FORTRAN(class, handle)                                                            \
    } while (0)

static void reduce(void *in, void *inout, int *length, MPI_Datatype *type) {}
static void on_comm(MPI_Comm *comm, int *code, ...) {}

enum { MANY = 1000 };

static void datatypes(void)
{
    static MPI_Datatype types[MANY];
    for (int i = 0; i < MANY; i++)
        OK(MPI_Type_contiguous(i + 1, MPI_INT, &types[i]));
    for (int i = 0; i < MANY; i++) {
        int size = 0;
        DYNAMIC(Type, types[i]);
        OK(MPI_Type_size(MPI_Type_fromint(MPI_Type_toint(types[i])), &size));
        CHECK_INT(size, 4 * (i + 1));
    }
    for (int i = 0; i < MANY; i++)
        OK(MPI_Type_free(&types[i]));
}

static void requests(void)
{
    static MPI_Request list[MANY];
    static int values[MANY];
    for (int i = 0; i < MANY; i++)
        OK(MPI_Recv_init(&values[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &list[i]));
    for (int i = 0; i < MANY; i++)
        DYNAMIC(Request, list[i]);
    for (int i = 0; i < MANY; i++)
        OK(MPI_Request_free(&list[i]));
}

static void others(void)
{
    static int memory[4];
    MPI_Comm comm;
    MPI_Group group;
    MPI_Op op;
    MPI_Errhandler handler;
    MPI_Info info;
    MPI_Win win;
    MPI_Session session;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    DYNAMIC(Comm, comm);
    OK(MPI_Comm_group(comm, &group));
    DYNAMIC(Group, group);
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Op_create(reduce, 1, &op));
    DYNAMIC(Op, op);
    OK(MPI_Op_free(&op));
    OK(MPI_Comm_create_errhandler(on_comm, &handler));
    DYNAMIC(Errhandler, handler);
    OK(MPI_Errhandler_free(&handler));
    OK(MPI_Info_create(&info));
    DYNAMIC(Info, info);
    OK(MPI_Info_free(&info));
    OK(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    DYNAMIC(Win, win);
    OK(MPI_Win_free(&win));
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    DYNAMIC(Session, session);
    OK(MPI_Session_finalize(&session));
}

static void file_and_message(void)
{
    char name[300];
    int in = 0, out = 5;
    MPI_File file;
    MPI_Message message;
    MPI_Request request;
    /* A file of each rank: one would be deleted while the other is opened. */
    snprintf(name, sizeof name, "%s/integers.%d", getenv("MPI_TEST_DIR"), (int)getpid());
    OK(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                     MPI_INFO_NULL, &file));
    DYNAMIC(File, file);
    OK(MPI_File_close(&file));
    OK(MPI_Isend(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request));
    OK(MPI_Mprobe(0, 0, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE));
    DYNAMIC(Message, message);
    message = MPI_Message_fromint(MPI_Message_toint(message));
    OK(MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(in, 5);
}

/* An integer that is no handle's leads to one that the library rejects. */
static void wrong(void)
{
    int size;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK(MPI_Comm_size(MPI_Comm_fromint((int)0xbfabcdef), &size) != MPI_SUCCESS);
    CHECK(MPI_Type_size(MPI_Type_fromint(0x3ff), &size) != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    predefined();
    datatypes();
    requests();
    others();
    file_and_message();
    wrong();
    return check_end();
}
