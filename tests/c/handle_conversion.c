/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* MPI_X_c2f and MPI_X_f2c: a round trip of every class of handle, predefined,
 * null and dynamic; and of statuses. */
#include "check.h"

#define ROUND(kind, handle) CHECK(MPI_##kind##_f2c(MPI_##kind##_c2f(handle)) == (handle))
#define DISTINCT(kind, a, b) CHECK(MPI_##kind##_c2f(a) != MPI_##kind##_c2f(b))

static void reduce(void *in, void *inout, int *length, MPI_Datatype *type) {}
static void on_comm(MPI_Comm *comm, int *code, ...) {}

static void predefined(void)
{
    ROUND(Comm, MPI_COMM_WORLD);
    ROUND(Comm, MPI_COMM_SELF);
    ROUND(Comm, MPI_COMM_NULL);
    DISTINCT(Comm, MPI_COMM_WORLD, MPI_COMM_SELF);
    DISTINCT(Comm, MPI_COMM_WORLD, MPI_COMM_NULL);
    ROUND(Type, MPI_INT);
    ROUND(Type, MPI_DOUBLE);
    ROUND(Type, MPI_DOUBLE_INT);
    ROUND(Type, MPI_INTEGER);
    ROUND(Type, MPI_DATATYPE_NULL);
    DISTINCT(Type, MPI_INT, MPI_DOUBLE);
    ROUND(Op, MPI_SUM);
    ROUND(Op, MPI_MAXLOC);
    ROUND(Op, MPI_OP_NULL);
    DISTINCT(Op, MPI_SUM, MPI_MAX);
    ROUND(Group, MPI_GROUP_EMPTY);
    ROUND(Group, MPI_GROUP_NULL);
    ROUND(Errhandler, MPI_ERRORS_RETURN);
    ROUND(Errhandler, MPI_ERRORS_ARE_FATAL);
    ROUND(Errhandler, MPI_ERRHANDLER_NULL);
    ROUND(Info, MPI_INFO_NULL);
    ROUND(Info, MPI_INFO_ENV);
    ROUND(Request, MPI_REQUEST_NULL);
    ROUND(Win, MPI_WIN_NULL);
    ROUND(File, MPI_FILE_NULL);
    ROUND(Message, MPI_MESSAGE_NULL);
    ROUND(Message, MPI_MESSAGE_NO_PROC);
    DISTINCT(Message, MPI_MESSAGE_NULL, MPI_MESSAGE_NO_PROC);
}

/* An int that is no handle gives one that the library rejects. */
static void dynamic(void)
{
    enum { MANY = 300 };
    MPI_Datatype types[MANY];
    MPI_Comm comm;
    MPI_Group group;
    MPI_Op op;
    MPI_Errhandler handler;
    MPI_Info info;
    MPI_Win win;
    MPI_Request request;
    static int memory[4], value;
    for (int i = 0; i < MANY; i++)
        OK(MPI_Type_contiguous(i + 1, MPI_INT, &types[i]));
    for (int i = 0; i < MANY; i++) {
        int size = 0;
        ROUND(Type, types[i]);
        OK(MPI_Type_size(MPI_Type_f2c(MPI_Type_c2f(types[i])), &size));
        CHECK_INT(size, 4 * (i + 1));
    }
    for (int i = 0; i < MANY; i++)
        OK(MPI_Type_free(&types[i]));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    ROUND(Comm, comm);
    CHECK_INT(MPI_Comm_c2f(comm), MPI_Comm_c2f(comm));
    OK(MPI_Comm_group(comm, &group));
    ROUND(Group, group);
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Op_create(reduce, 1, &op));
    ROUND(Op, op);
    OK(MPI_Op_free(&op));
    OK(MPI_Comm_create_errhandler(on_comm, &handler));
    ROUND(Errhandler, handler);
    OK(MPI_Errhandler_free(&handler));
    OK(MPI_Info_create(&info));
    ROUND(Info, info);
    OK(MPI_Info_free(&info));
    OK(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    ROUND(Win, win);
    OK(MPI_Win_free(&win));
    OK(MPI_Recv_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request));
    ROUND(Request, request);
    OK(MPI_Request_free(&request));
}

static void file_and_message(void)
{
    char name[300];
    int in = 0, out = 5;
    MPI_File file;
    MPI_Message message;
    snprintf(name, sizeof name, "%s/f2c.%d", getenv("MPI_TEST_DIR") ? getenv("MPI_TEST_DIR") : "/tmp", check_rank);
    OK(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                     MPI_INFO_NULL, &file));
    ROUND(File, file);
    OK(MPI_File_close(&file));
    MPI_Request request;
    OK(MPI_Isend(&out, 1, MPI_INT, check_rank, 0, MPI_COMM_WORLD, &request));
    OK(MPI_Mprobe(check_rank, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
    ROUND(Message, message);
    message = MPI_Message_f2c(MPI_Message_c2f(message));
    OK(MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(in, 5);
}

static void statuses(void)
{
    int in[4], out[3] = { 1, 2, 3 };
    /* Larger than any Fortran status; the end must stay untouched. */
    MPI_Fint fortran[32];
    MPI_Status status, back = check_poison_status();
    for (int i = 0; i < 32; i++)
        fortran[i] = -99;
    OK(MPI_Sendrecv(out, 3, MPI_INT, check_rank, 9, in, 4, MPI_INT, check_rank, 9, MPI_COMM_WORLD, &status));
    status.MPI_ERROR = 0;
    OK(MPI_Status_c2f(&status, fortran));
    CHECK_INT(fortran[sizeof(MPI_Status) / sizeof(MPI_Fint)], -99);
    OK(MPI_Status_f2c(fortran, &back));
    CHECK_STATUS(&back, check_rank, 9, MPI_INT, 3);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    predefined();
    dynamic();
    file_and_message();
    statuses();
    return check_end();
}
