/* SPDX-License-Identifier: BSD-3-Clause */
/* Which handler is invoked on which object with which class, and what a call that fails leaves in its results. */
#include <stdlib.h>
#include <unistd.h>

#include "handlers.h"

static MPI_Comm from_handler;
static int numbers[4] = { 1, 2, 3, 4 }, more[4];

static void on_comm_too(MPI_Comm *comm, int *code, ...)
{
    note(" second comm %s: %s", name_of(*comm), class_of(*code));
}

/* Calls MPI, which fails, and succeeds, within a handler. */
static void nesting(MPI_Comm *comm, int *code, ...)
{
    static int depth;
    int size = -1;
    note(" outer %s: %s", name_of(*comm), class_of(*code));
    if (depth++ == 0) {
        MPI_Comm_size(*comm, &size);
        note(" size %d", size);
        note(" inner %s", class_of(MPI_Send(numbers, 1, MPI_INT, 7, 0, *comm)));
    }
    depth--;
}

/* Replaces itself. */
static void replacing(MPI_Comm *comm, int *code, ...)
{
    note(" replacing %s: %s", name_of(*comm), class_of(*code));
    MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
}

static void point_to_point(void)
{
    MPI_Request request;
    MPI_Status status;
    MPI_Message message;
    int flag;
    SEE("send to a rank too large", MPI_Send(numbers, 1, MPI_INT, 7, 0, duplicate));
    SEE("send to a negative rank", MPI_Send(numbers, 1, MPI_INT, -77, 0, duplicate));
    SEE("send with a negative tag", MPI_Send(numbers, 1, MPI_INT, 0, -5, duplicate));
    SEE("send a negative count", MPI_Send(numbers, -1, MPI_INT, 0, 0, duplicate));
    SEE("send a null datatype", MPI_Send(numbers, 1, MPI_DATATYPE_NULL, 0, 0, duplicate));
    SEE("send on the null communicator", MPI_Send(numbers, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
    UNTOUCHED(request);
    SEE("isend to a rank too large", MPI_Isend(numbers, 1, MPI_INT, 7, 0, duplicate, &request));
    UNTOUCHED(request);
    SEE("irecv with a bad tag", MPI_Irecv(numbers, 1, MPI_INT, 0, -5, duplicate, &request));
    UNTOUCHED(request);
    SEE("send_init with a bad count", MPI_Send_init(numbers, -1, MPI_INT, 0, 0, duplicate, &request));
    UNTOUCHED(status.MPI_SOURCE);
    SEE("probe from a bad rank", MPI_Probe(9, 0, duplicate, &status));
    flag = 77;
    SEE("iprobe from a bad rank", MPI_Iprobe(9, 0, duplicate, &flag, &status), note(" flag %d", flag));
    flag = 77;
    UNTOUCHED(message);
    SEE("improbe from a bad rank", MPI_Improbe(9, 0, duplicate, &flag, &message, &status), note(" flag %d", flag));
    SEE("bsend without a buffer", MPI_Bsend(numbers, 1, MPI_INT, 0, 0, duplicate));
}

static void truncation(void)
{
    MPI_Request requests[3];
    MPI_Status statuses[3], status;
    int index = 77, flag = 77, outcount = 77, indices[3];
    MPI_Isend(numbers, 4, MPI_INT, 0, 1, duplicate, &requests[0]);
    SEE("recv truncates", MPI_Recv(more, 1, MPI_INT, 0, 1, duplicate, &status), note(" tag %d", status.MPI_TAG));
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Irecv(more, 1, MPI_INT, 0, 2, duplicate, &requests[0]);
    MPI_Irecv(more + 1, 1, MPI_INT, 0, 3, duplicate, &requests[1]);
    MPI_Send(numbers, 4, MPI_INT, 0, 2, duplicate);
    MPI_Send(numbers, 1, MPI_INT, 0, 3, duplicate);
    SEE("waitall with one that truncates", MPI_Waitall(2, requests, statuses),
        for (int i = 0; i < 2; i++) note(" %s %s", requests[i] == MPI_REQUEST_NULL ? "null" : "active", class_of(statuses[i].MPI_ERROR)));
    MPI_Irecv(more, 1, MPI_INT, 0, 2, duplicate, &requests[0]);
    MPI_Send(numbers, 4, MPI_INT, 0, 2, duplicate);
    SEE("wait that truncates", MPI_Wait(&requests[0], &status),
        note(" %s tag %d", requests[0] == MPI_REQUEST_NULL ? "null" : "active", status.MPI_TAG));
    MPI_Irecv(more, 1, MPI_INT, 0, 2, duplicate, &requests[0]);
    MPI_Send(numbers, 4, MPI_INT, 0, 2, duplicate);
    SEE("waitany that truncates", MPI_Waitany(1, requests, &index, &status),
        note(" %s index %d", requests[0] == MPI_REQUEST_NULL ? "null" : "active", index));
    MPI_Irecv(more, 1, MPI_INT, 0, 2, duplicate, &requests[0]);
    MPI_Send(numbers, 4, MPI_INT, 0, 2, duplicate);
    SEE("waitsome that truncates", MPI_Waitsome(1, requests, &outcount, indices, statuses),
        note(" %s outcount %d %s", requests[0] == MPI_REQUEST_NULL ? "null" : "active", outcount,
            outcount == 1 ? class_of(statuses[0].MPI_ERROR) : ""));
    MPI_Irecv(more, 1, MPI_INT, 0, 2, duplicate, &requests[0]);
    MPI_Send(numbers, 4, MPI_INT, 0, 2, duplicate);
    /* A message that is sent later comes later. */
    MPI_Sendrecv(numbers, 1, MPI_INT, 0, 9, numbers + 1, 1, MPI_INT, 0, 9, duplicate, MPI_STATUS_IGNORE);
    SEE("test that truncates", MPI_Test(&requests[0], &flag, &status),
        note(" %s flag %d", requests[0] == MPI_REQUEST_NULL ? "null" : "active", flag));
    SEE("wait for the null request", MPI_Wait(&requests[0], &status), note_status(&status));
    SEE("wait for a null pointer", MPI_Wait(0, &status));
    SEE("sendrecv that truncates", MPI_Sendrecv(numbers, 4, MPI_INT, 0, 5, more, 1, MPI_INT, 0, 5, duplicate, &status));
}

static void collectives(void)
{
    MPI_Request request;
    SEE("bcast from a bad root", MPI_Bcast(numbers, 1, MPI_INT, 5, duplicate));
    SEE("bcast of a negative count", MPI_Bcast(numbers, -1, MPI_INT, 0, duplicate));
    SEE("reduce with the null operation", MPI_Reduce(numbers, more, 1, MPI_INT, MPI_OP_NULL, 0, duplicate));
    SEE("allreduce of a datatype that the operation does not take", MPI_Allreduce(numbers, more, 1, MPI_FLOAT, MPI_BAND, duplicate));
    SEE("allreduce within one buffer", MPI_Allreduce(numbers, numbers, 1, MPI_INT, MPI_SUM, duplicate));
    SEE("gather to a bad root", MPI_Gather(numbers, 1, MPI_INT, more, 1, MPI_INT, -9, duplicate));
    SEE("barrier of the null communicator", MPI_Barrier(MPI_COMM_NULL));
    UNTOUCHED(request);
    SEE("ibcast from a bad root", MPI_Ibcast(numbers, 1, MPI_INT, 5, duplicate, &request));
    SEE("op_free of a predefined operation", (__extension__({ MPI_Op op = MPI_SUM; MPI_Op_free(&op); })));
    SEE("op_free of the null operation", (__extension__({ MPI_Op op = MPI_OP_NULL; MPI_Op_free(&op); })));
}

static void communicators(void)
{
    MPI_Comm made;
    MPI_Group group, none;
    int rank = 77, dims[1] = { 5 }, periods[1] = { 0 }, ranks[1] = { 9 };
    UNTOUCHED(made);
    SEE("dup of the null communicator", MPI_Comm_dup(MPI_COMM_NULL, &made), note(" %s", STATE(made, MPI_COMM_NULL)));
    UNTOUCHED(made);
    SEE("split by a negative color", MPI_Comm_split(duplicate, -5, 0, &made), note(" %s", STATE(made, MPI_COMM_NULL)));
    UNTOUCHED(made);
    SEE("split by no color", MPI_Comm_split(duplicate, MPI_UNDEFINED, 0, &made), note(" %s", STATE(made, MPI_COMM_NULL)));
    UNTOUCHED(made);
    SEE("cart of too many processes", MPI_Cart_create(duplicate, 1, dims, periods, 0, &made), note(" %s", STATE(made, MPI_COMM_NULL)));
    SEE("rank in the null communicator", MPI_Comm_rank(MPI_COMM_NULL, &rank), note(" %d", rank));
    SEE("free of the null communicator", (__extension__({ made = MPI_COMM_NULL; MPI_Comm_free(&made); })));
    SEE("free of the world", (__extension__({ made = MPI_COMM_WORLD; MPI_Comm_free(&made); })));
    SEE("remote_size of an intracommunicator", MPI_Comm_remote_size(duplicate, &rank));
    SEE("cart_coords without a grid", MPI_Cart_coords(duplicate, 0, 1, &rank));
    MPI_Comm_group(duplicate, &group);
    UNTOUCHED(none);
    SEE("group_incl of a rank that is none", MPI_Group_incl(group, 1, ranks, &none), note(" %s", STATE(none, MPI_GROUP_NULL)));
    ranks[0] = 0;
    SEE("group_incl of the null group", MPI_Group_incl(MPI_GROUP_NULL, 1, ranks, &none));
    SEE("group_size of the null group", MPI_Group_size(MPI_GROUP_NULL, &rank));
    SEE("group_free of the null group", (__extension__({ none = MPI_GROUP_NULL; MPI_Group_free(&none); })));
    MPI_Group_free(&group);
}

static void types_and_infos(void)
{
    MPI_Datatype made;
    MPI_Info info;
    int size = 77, flag = 77;
    char value[40] = "as it was";
    UNTOUCHED(made);
    SEE("contiguous of a negative count", MPI_Type_contiguous(-1, MPI_INT, &made), note(" %s", STATE(made, MPI_DATATYPE_NULL)));
    UNTOUCHED(made);
    SEE("vector of the null datatype", MPI_Type_vector(1, 1, 1, MPI_DATATYPE_NULL, &made), note(" %s", STATE(made, MPI_DATATYPE_NULL)));
    SEE("type_size of the null datatype", MPI_Type_size(MPI_DATATYPE_NULL, &size), note(" %d", size));
    SEE("type_free of a predefined datatype", (__extension__({ made = MPI_INT; MPI_Type_free(&made); })),
        note(" %s", made == MPI_INT ? "as it was" : "changed"));
    SEE("type_free of the null datatype", (__extension__({ made = MPI_DATATYPE_NULL; MPI_Type_free(&made); })));
    MPI_Type_contiguous(2, MPI_INT, &made);
    SEE("send of an uncommitted datatype", MPI_Send(numbers, 1, made, MPI_PROC_NULL, 0, duplicate));
    MPI_Type_free(&made);
    MPI_Info_create(&info);
    SEE("info_delete of no key", MPI_Info_delete(info, "none"));
    SEE("info_set of an empty key", MPI_Info_set(info, "", "value"));
    SEE("info_get of no key", MPI_Info_get(info, "none", 30, value, &flag), note(" flag %d %s", flag, value));
    SEE("info_get_nthkey beyond", MPI_Info_get_nthkey(info, 3, value));
    SEE("info_set of the null info", MPI_Info_set(MPI_INFO_NULL, "key", "value"));
    MPI_Info_free(&info);
    SEE("info_free of the null info", MPI_Info_free(&info));
}

static void attributes(void)
{
    int keyval = MPI_KEYVAL_INVALID, flag = 77;
    void *value = numbers;
    SEE("get_attr of an invalid keyval", MPI_Comm_get_attr(duplicate, keyval, &value, &flag), note(" flag %d", flag));
    SEE("set_attr of an invalid keyval", MPI_Comm_set_attr(duplicate, keyval, 0));
    SEE("set_attr of a predefined keyval", MPI_Comm_set_attr(duplicate, MPI_TAG_UB, 0));
    SEE("free_keyval of an invalid keyval", MPI_Comm_free_keyval(&keyval));
    keyval = MPI_TAG_UB;
    SEE("free_keyval of a predefined keyval", MPI_Comm_free_keyval(&keyval));
}

static void files(void)
{
    MPI_Errhandler handler, got;
    MPI_Status status;
    MPI_Offset offset = 77;
    UNTOUCHED(file);
    SEE("file_open of no file", MPI_File_open(MPI_COMM_SELF, "no-such-folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
        note(" %s", file == MPI_FILE_NULL ? "null" : "not null"));
    MPI_File_create_errhandler(on_file, &handler);
    SEE("the null file's handler is set", MPI_File_set_errhandler(MPI_FILE_NULL, handler));
    SEE("file_open of no file, with a handler", MPI_File_open(MPI_COMM_SELF, "no-such-folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    SEE("file_open in no mode", MPI_File_open(MPI_COMM_SELF, "file", 0, MPI_INFO_NULL, &file));
    SEE("file_delete of no file", MPI_File_delete("no-such-file", MPI_INFO_NULL));
    SEE("file_open", MPI_File_open(MPI_COMM_SELF, "file", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    SEE("file_get_errhandler, inherited of the null file", MPI_File_get_errhandler(file, &got),
        note(" %s", got == handler ? "the same" : "another"));
    SEE("read at a negative offset", MPI_File_read_at(file, -5, numbers, 1, MPI_INT, &status));
    SEE("write of a negative count", MPI_File_write(file, numbers, -1, MPI_INT, &status));
    SEE("write of the null datatype", MPI_File_write(file, numbers, 1, MPI_DATATYPE_NULL, &status));
    SEE("seek before the start", MPI_File_seek(file, -1, MPI_SEEK_SET),
        MPI_File_get_position(file, &offset); note(" position %d", (int)offset));
    SEE("set_view of no representation", MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "no such", MPI_INFO_NULL));
    SEE("file_call_errhandler", MPI_File_call_errhandler(file, MPI_ERR_NO_SPACE));
    MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
    SEE("read of a negative count, returned", MPI_File_read(file, numbers, -1, MPI_INT, &status));
    SEE("file_close", MPI_File_close(&file), note(" %s", file == MPI_FILE_NULL ? "null" : "not null"));
    SEE("file_close of the null file", MPI_File_close(&file));
    SEE("read of the null file", MPI_File_read(MPI_FILE_NULL, numbers, 1, MPI_INT, &status));
    SEE("file_call_errhandler of the null file", MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO));
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
    unlink("file");
}

static void windows(void)
{
    MPI_Errhandler handler, got;
    static int exposed[4];
    MPI_Win_create(exposed, sizeof exposed, sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_create_errhandler(on_win, &handler);
    MPI_Win_set_errhandler(win, handler);
    MPI_Win_get_errhandler(win, &got);
    printf("win_get_errhandler\t%s\n", got == handler ? "the same" : "another");
    MPI_Win_fence(0, win);
    SEE("put to a bad rank", MPI_Put(numbers, 1, MPI_INT, 5, 0, 1, MPI_INT, win));
    SEE("put of a negative count", MPI_Put(numbers, -1, MPI_INT, 0, 0, 1, MPI_INT, win));
    SEE("put of the null datatype", MPI_Put(numbers, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win));
    SEE("accumulate by the null operation", MPI_Accumulate(numbers, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win));
    MPI_Win_fence(0, win);
    SEE("lock of no type", MPI_Win_lock(9999, 0, 0, win));
    SEE("unlock without a lock", MPI_Win_unlock(0, win));
    SEE("lock of a bad rank", MPI_Win_lock(MPI_LOCK_SHARED, 7, 0, win));
    SEE("complete without a start", MPI_Win_complete(win));
    SEE("win_call_errhandler", MPI_Win_call_errhandler(win, MPI_ERR_RMA_RANGE));
    SEE("put of the null window", MPI_Put(numbers, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL));
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    SEE("put to a bad rank, returned", MPI_Put(numbers, 1, MPI_INT, 5, 0, 1, MPI_INT, win));
    MPI_Errhandler_free(&handler);
    MPI_Errhandler_free(&got);
    SEE("win_free", MPI_Win_free(&win), note(" %s", win == MPI_WIN_NULL ? "null" : "not null"));
    SEE("win_free of the null window", MPI_Win_free(&win));
}

static void handlers(void)
{
    MPI_Errhandler first, second, got;
    int added_class = 0, added_code = 0, length = 0;
    char text[MPI_MAX_ERROR_STRING] = "";
    MPI_Comm_create_errhandler(on_comm, &first);
    MPI_Comm_create_errhandler(on_comm_too, &second);
    MPI_Comm_set_errhandler(duplicate, second);
    SEE("a second handler", MPI_Send(numbers, 1, MPI_INT, 7, 0, duplicate));
    MPI_Comm_get_errhandler(duplicate, &got);
    printf("get_errhandler\t%s\n", got == second ? "the same" : "another");
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&second);
    printf("errhandler_free\t%s\n", second == MPI_ERRHANDLER_NULL ? "null" : "not null");
    SEE("a handler that was freed and is in use", MPI_Send(numbers, 1, MPI_INT, 7, 0, duplicate));
    MPI_Comm_dup(duplicate, &from_handler);
    SEE("a handler of a communicator's duplicate", MPI_Send(numbers, 1, MPI_INT, 7, 0, from_handler));
    MPI_Comm_free(&from_handler);
    SEE("call_errhandler", MPI_Comm_call_errhandler(duplicate, MPI_ERR_TOPOLOGY));
    MPI_Add_error_class(&added_class);
    MPI_Add_error_code(added_class, &added_code);
    MPI_Add_error_string(added_code, "a text of ours");
    SEE("call_errhandler with a code that was added", MPI_Comm_call_errhandler(duplicate, added_code));
    SEE("error_string of a code that was added", MPI_Error_string(added_code, text, &length), note(" %s %d", text, length));
    SEE("add_error_string to a class of MPI's", MPI_Add_error_string(MPI_ERR_ARG, "text"));
    MPI_Comm_set_errhandler(duplicate, first);
    SEE("the first handler again", MPI_Send(numbers, 1, MPI_INT, 7, 0, duplicate));
    MPI_Comm_set_errhandler(duplicate, MPI_ERRORS_RETURN);
    SEE("errors return", MPI_Send(numbers, 1, MPI_INT, 7, 0, duplicate));
    MPI_Comm_get_errhandler(duplicate, &got);
    printf("get_errhandler of a predefined one\t%s\n", got == MPI_ERRORS_RETURN ? "MPI_ERRORS_RETURN" : "another");
    SEE("set_errhandler to null", MPI_Comm_set_errhandler(duplicate, MPI_ERRHANDLER_NULL));
    SEE("errhandler_free of null", MPI_Errhandler_free(&second));
    set_all(nesting);
    SEE("MPI within a handler", MPI_Bcast(numbers, 1, MPI_INT, 5, duplicate));
    set_all(replacing);
    SEE("a handler that replaces itself", MPI_Send(numbers, 1, MPI_INT, 7, 0, duplicate));
    SEE("after that", MPI_Send(numbers, 1, MPI_INT, 7, 0, duplicate));
    MPI_Errhandler_free(&first);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    set_all(on_comm);
    point_to_point();
    truncation();
    collectives();
    communicators();
    types_and_infos();
    attributes();
    files();
    windows();
    handlers();
    MPI_Comm_free(&duplicate);
    MPI_Finalize();
    return 0;
}
