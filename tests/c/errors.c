/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Error handlers, error classes, codes and strings. */
#include "check.h"

static MPI_Comm want_comm;
static int comm_calls, comm_class, comm_wrong, win_calls, win_class, file_calls, file_class;
static MPI_Win want_win;
static MPI_File want_file;

static void on_comm(MPI_Comm *comm, int *code, ...)
{
    int rank = -1, length = 0;
    char text[MPI_MAX_ERROR_STRING];
    comm_calls++;
    comm_wrong += *comm != want_comm;
    MPI_Error_class(*code, &comm_class);
    MPI_Error_string(*code, text, &length);
    comm_wrong += length <= 0 || (int)strlen(text) != length;
    MPI_Comm_rank(*comm, &rank);
    comm_wrong += rank < 0;
}

static void on_win(MPI_Win *win, int *code, ...)
{
    win_calls++;
    comm_wrong += *win != want_win;
    MPI_Error_class(*code, &win_class);
}

static void on_file(MPI_File *file, int *code, ...)
{
    file_calls++;
    comm_wrong += *file != want_file;
    MPI_Error_class(*code, &file_class);
}

/* A code's class is right and its string is not empty. */
static void check_code(int code, int want_class)
{
    char text[MPI_MAX_ERROR_STRING + 8];
    int length = -1;
    CHECK_INT(check_class(code), want_class);
    memset(text, 'x', sizeof text);
    OK(MPI_Error_string(code, text, &length));
    CHECK(length > 0 && length < MPI_MAX_ERROR_STRING && text[length] == '\0');
    for (int i = 0; i < 8; i++)
        CHECK_INT(text[MPI_MAX_ERROR_STRING + i], 'x');
}

static void provoked_errors(void)
{
    int value = 0, in[2], keyval = MPI_KEYVAL_INVALID, two[2] = { 0, 0 }, huge[1] = { 1000 };
    MPI_Group group;
    MPI_Comm comm;
    MPI_Datatype uncommitted;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    check_code(MPI_Send(&value, 1, MPI_INT, check_size + 5, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    check_code(MPI_Send(&value, 1, MPI_INT, 0, -44, MPI_COMM_WORLD), MPI_ERR_TAG);
    check_code(MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    check_code(MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    check_code(MPI_Bcast(&value, 1, MPI_INT, check_size, MPI_COMM_WORLD), MPI_ERR_ROOT);
    check_code(MPI_Bcast(&value, 1, MPI_INT, -9, MPI_COMM_WORLD), MPI_ERR_ROOT);
    check_code(MPI_Allreduce(&value, in, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD), MPI_ERR_OP);
    check_code(MPI_Comm_rank(MPI_COMM_NULL, &value), MPI_ERR_COMM);
    check_code(MPI_Comm_dup(MPI_COMM_NULL, &comm), MPI_ERR_COMM);
    check_code(MPI_Group_size(MPI_GROUP_NULL, &value), MPI_ERR_GROUP);
    OK(MPI_Comm_group(MPI_COMM_WORLD, &group));
    check_code(MPI_Group_incl(group, 1, huge, &group), MPI_ERR_RANK);
    OK(MPI_Group_free(&group));
    (void)keyval, (void)two;
    check_code(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &value), known_fault("keyval-class") ? MPI_ERR_OTHER : MPI_ERR_KEYVAL);
    OK(MPI_Type_contiguous(2, MPI_INT, &uncommitted));
    check_code(MPI_Send(in, 1, uncommitted, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    OK(MPI_Type_free(&uncommitted));
    check_code(MPI_Cart_create(MPI_COMM_WORLD, 1, huge, two, 0, &comm),
               known_fault("cart-dims-class") ? MPI_ERR_ARG : MPI_ERR_DIMS);
}

static void truncation(void)
{
    int out[4] = { 1, 2, 3, 4 }, in = 0;
    MPI_Status status;
    if (check_rank == 0)
        OK(MPI_Send(out, 4, MPI_INT, 1, 3, MPI_COMM_WORLD));
    else
        check_code(MPI_Recv(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE);
    (void)in;
}

/* User functions get the application's handle, on every kind of object. */
static void comm_handler(void)
{
    int value = 0, code;
    MPI_Errhandler mine, got;
    MPI_Comm dup;
    OK(MPI_Comm_create_errhandler(on_comm, &mine));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine));
    OK(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got));
    CHECK(got == mine);
    OK(MPI_Errhandler_free(&got));
    CHECK(got == MPI_ERRHANDLER_NULL);
    want_comm = MPI_COMM_WORLD;
    code = MPI_Send(&value, 1, MPI_INT, 999, 0, MPI_COMM_WORLD);
    CHECK_INT(comm_calls, 1);
    CHECK_INT(comm_class, MPI_ERR_RANK);
    check_code(code, MPI_ERR_RANK);
    OK(MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TOPOLOGY));
    CHECK_INT(comm_calls, 2);
    CHECK_INT(comm_class, MPI_ERR_TOPOLOGY);
    /* A duplicate inherits the handler, which outlives its handle. */
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    OK(MPI_Errhandler_free(&mine));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    want_comm = dup;
    code = MPI_Send(&value, -1, MPI_INT, 0, 0, dup);
    CHECK_INT(comm_calls, 3);
    CHECK_INT(comm_class, MPI_ERR_COUNT);
    OK(MPI_Comm_free(&dup));
}

/* A new handler must not take the place of a freed one still in use. */
static int second_calls;
static void on_comm_second(MPI_Comm *comm, int *code, ...)
{
    second_calls++;
}

static void freed_handler_is_not_reused(void)
{
    int value = 0;
    MPI_Errhandler first, second;
    MPI_Comm a, b;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &a));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &b));
    OK(MPI_Comm_create_errhandler(on_comm, &first));
    OK(MPI_Comm_set_errhandler(a, first));
    OK(MPI_Errhandler_free(&first));
    OK(MPI_Comm_create_errhandler(on_comm_second, &second));
    OK(MPI_Comm_set_errhandler(b, second));
    OK(MPI_Errhandler_free(&second));
    comm_calls = second_calls = 0;
    want_comm = a;
    MPI_Send(&value, 1, MPI_INT, 999, 0, a);
    MPI_Send(&value, 1, MPI_INT, 999, 0, b);
    CHECK_INT(comm_calls, 1);
    CHECK_INT(second_calls, 1);
    OK(MPI_Comm_free(&a));
    OK(MPI_Comm_free(&b));
}

static void predefined_handlers(void)
{
    MPI_Errhandler got;
    MPI_File file;
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Comm_get_errhandler(MPI_COMM_SELF, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    OK(MPI_Errhandler_free(&got));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    OK(MPI_Comm_get_errhandler(MPI_COMM_SELF, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    OK(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    check_code(MPI_File_open(MPI_COMM_SELF, "/nonexistent/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
               MPI_ERR_NO_SUCH_FILE);
}

static void win_handler(void)
{
    static int memory[4];
    int code, value = 1;
    MPI_Errhandler mine, got;
    OK(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &want_win));
    OK(MPI_Win_get_errhandler(want_win, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    OK(MPI_Win_create_errhandler(on_win, &mine));
    OK(MPI_Win_set_errhandler(want_win, mine));
    OK(MPI_Win_get_errhandler(want_win, &got));
    CHECK(got == mine);
    OK(MPI_Errhandler_free(&got));
    OK(MPI_Errhandler_free(&mine));
    OK(MPI_Win_fence(0, want_win));
    code = MPI_Put(&value, 1, MPI_INT, 55, 0, 1, MPI_INT, want_win);
    CHECK_INT(win_calls, 1);
    CHECK_INT(win_class, MPI_ERR_RANK);
    check_code(code, MPI_ERR_RANK);
    OK(MPI_Win_call_errhandler(want_win, MPI_ERR_LOCKTYPE));
    CHECK_INT(win_class, MPI_ERR_LOCKTYPE);
    CHECK_INT(win_calls, 2);
    OK(MPI_Win_set_errhandler(want_win, MPI_ERRORS_RETURN));
    OK(MPI_Win_fence(0, want_win));
    OK(MPI_Win_free(&want_win));
}

static void file_handler(void)
{
    int code;
    char name[300];
    MPI_Errhandler mine, got;
    snprintf(name, sizeof name, "%s/errors.%d", getenv("MPI_TEST_DIR") ? getenv("MPI_TEST_DIR") : "/tmp", check_rank);
    OK(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                     MPI_INFO_NULL, &want_file));
    OK(MPI_File_get_errhandler(want_file, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    OK(MPI_File_create_errhandler(on_file, &mine));
    OK(MPI_File_set_errhandler(want_file, mine));
    OK(MPI_File_get_errhandler(want_file, &got));
    CHECK(got == mine);
    code = MPI_File_seek(want_file, -5, MPI_SEEK_SET);
    CHECK_INT(file_calls, 1);
    if (!known_fault("file-seek-class")) {
        CHECK_INT(file_class, MPI_ERR_ARG);
        check_code(code, MPI_ERR_ARG);
    }
    OK(MPI_File_call_errhandler(want_file, MPI_ERR_QUOTA));
    CHECK_INT(file_calls, 2);
    CHECK_INT(file_class, MPI_ERR_QUOTA);
    OK(MPI_Errhandler_free(&mine));
    OK(MPI_File_set_errhandler(want_file, MPI_ERRORS_RETURN));
    OK(MPI_File_close(&want_file));
    CHECK(want_file == MPI_FILE_NULL);
}

/* Classes, codes and strings of the program share a space with the host's. */
static void user_codes(void)
{
    enum { MANY = 60 };
    int classes[MANY], codes[MANY], got, length, *last = NULL, found = 0;
    char text[MPI_MAX_ERROR_STRING], want[50];
    for (int i = 0; i < MANY; i++) {
        OK(MPI_Add_error_class(&classes[i]));
        CHECK(classes[i] > MPI_ERR_LASTCODE);
        OK(MPI_Add_error_code(classes[i], &codes[i]));
        CHECK(codes[i] != classes[i]);
        snprintf(want, sizeof want, "text of code %d", i);
        OK(MPI_Add_error_string(codes[i], want));
    }
    for (int i = 0; i < MANY; i++) {
        OK(MPI_Error_class(codes[i], &got));
        CHECK_INT(got, classes[i]);
        OK(MPI_Error_class(classes[i], &got));
        if (!known_fault("class-of-a-user-class"))
            CHECK_INT(got, classes[i]);
        snprintf(want, sizeof want, "text of code %d", i);
        OK(MPI_Error_string(codes[i], text, &length));
        CHECK_STR(text, want);
        CHECK_INT(length, strlen(want));
    }
    OK(MPI_Add_error_code(MPI_ERR_TRUNCATE, &got));
    CHECK_INT(check_class(got), MPI_ERR_TRUNCATE);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &found));
    CHECK(found);
    if (found && !known_fault("lastusedcode"))
        CHECK(*last >= codes[MANY - 1]);
    /* A handler called with such a code sees that very code. */
    comm_calls = 0;
    MPI_Errhandler mine;
    OK(MPI_Comm_create_errhandler(on_comm, &mine));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine));
    want_comm = MPI_COMM_WORLD;
    OK(MPI_Comm_call_errhandler(MPI_COMM_WORLD, codes[3]));
    CHECK_INT(comm_calls, 1);
    CHECK_INT(comm_class, classes[3]);
    OK(MPI_Errhandler_free(&mine));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
}

/* Every class is a valid code of its own. */
static void predefined_classes(void)
{
    static const int classes[] = { MPI_SUCCESS, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE,
        MPI_ERR_TAG, MPI_ERR_COMM, MPI_ERR_RANK, MPI_ERR_REQUEST, MPI_ERR_ROOT, MPI_ERR_GROUP,
        MPI_ERR_OP, MPI_ERR_TOPOLOGY, MPI_ERR_DIMS, MPI_ERR_ARG, MPI_ERR_UNKNOWN,
        MPI_ERR_TRUNCATE, MPI_ERR_OTHER, MPI_ERR_INTERN, MPI_ERR_IN_STATUS, MPI_ERR_PENDING,
        MPI_ERR_ACCESS, MPI_ERR_AMODE, MPI_ERR_ASSERT, MPI_ERR_BAD_FILE, MPI_ERR_BASE,
        MPI_ERR_CONVERSION, MPI_ERR_DISP, MPI_ERR_DUP_DATAREP, MPI_ERR_FILE_EXISTS,
        MPI_ERR_FILE_IN_USE, MPI_ERR_FILE, MPI_ERR_INFO_KEY, MPI_ERR_INFO_NOKEY,
        MPI_ERR_INFO_VALUE, MPI_ERR_INFO, MPI_ERR_IO, MPI_ERR_KEYVAL, MPI_ERR_LOCKTYPE,
        MPI_ERR_NAME, MPI_ERR_NO_MEM, MPI_ERR_NOT_SAME, MPI_ERR_NO_SPACE, MPI_ERR_NO_SUCH_FILE,
        MPI_ERR_PORT, MPI_ERR_QUOTA, MPI_ERR_READ_ONLY, MPI_ERR_RMA_CONFLICT, MPI_ERR_RMA_SYNC,
        MPI_ERR_SERVICE, MPI_ERR_SIZE, MPI_ERR_SPAWN, MPI_ERR_UNSUPPORTED_DATAREP,
        MPI_ERR_UNSUPPORTED_OPERATION, MPI_ERR_WIN, MPI_ERR_RMA_RANGE, MPI_ERR_RMA_ATTACH,
        MPI_ERR_RMA_FLAVOR, MPI_ERR_RMA_SHARED };
    for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++)
        check_code(classes[i], classes[i]);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    provoked_errors();
    truncation();
    predefined_classes();
    comm_handler();
    freed_handler_is_not_reused();
    predefined_handlers();
    win_handler();
    file_handler();
    user_codes();
    CHECK_INT(comm_wrong, 0);
    return check_end();
}
