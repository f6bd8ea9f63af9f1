/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Errors are raised on the object that the call is about: a duplicate, a window or a file whose error
 * handler returns them, while those of the predefined communicators would end the program. */
#include "check.h"

static int calls, wrong;
static MPI_Comm duplicate;
static MPI_Win window;
static MPI_File file;

static void on_comm(MPI_Comm *comm, int *code, ...)
{
    calls++;
    wrong += *comm != duplicate;
}

static void on_win(MPI_Win *win, int *code, ...)
{
    calls++;
    wrong += *win != window;
}

static void on_file(MPI_File *handle, int *code, ...)
{
    calls++;
    wrong += *handle != file;
}

/* The call fails, and its error was raised once, on the right object. */
static void check_raised(const char *file_name, int line, const char *what, int code)
{
    char text[512];
    if (code == MPI_SUCCESS || calls != 1 || wrong) {
        snprintf(text, sizeof text, "%s: code %d, raised %d times, %d of them elsewhere", what, code, calls, wrong);
        check_failed(file_name, line, text);
    }
    calls = wrong = 0;
}
#define RAISES(call) check_raised(__FILE__, __LINE__, #call, (call))

static void communicators(void)
{
    int value = 0;
    MPI_Comm made;
    MPI_Errhandler handler;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &duplicate));
    OK(MPI_Comm_create_errhandler(on_comm, &handler));
    OK(MPI_Comm_set_errhandler(duplicate, handler));
    OK(MPI_Errhandler_free(&handler));
    RAISES(MPI_Comm_group(duplicate, NULL));
    RAISES(MPI_Comm_dup(duplicate, NULL));
    RAISES(MPI_Comm_split(duplicate, 0, 0, NULL));
    RAISES(MPI_Comm_split_type(duplicate, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, NULL));
    RAISES(MPI_Comm_create(duplicate, MPI_GROUP_EMPTY, NULL));
    RAISES(MPI_Irecv(&value, 1, MPI_INT, 0, 0, duplicate, NULL));
    RAISES(MPI_Send_init(&value, 1, MPI_INT, 0, 0, duplicate, NULL));
    RAISES(MPI_Mprobe(0, 0, duplicate, NULL, MPI_STATUS_IGNORE));
    RAISES(MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, duplicate, NULL));
    RAISES(MPI_Win_create_dynamic(MPI_INFO_NULL, duplicate, NULL));
    RAISES(MPI_Intercomm_create(duplicate, 0, MPI_COMM_WORLD, 0, 0, NULL));
    RAISES(MPI_Dist_graph_create_adjacent(duplicate, 0, NULL, NULL, 0, NULL, NULL, MPI_INFO_NULL, 0, NULL));
    RAISES(MPI_Comm_spawn("none", MPI_ARGV_NULL, 1, MPI_INFO_NULL, check_size, duplicate, &made, MPI_ERRCODES_IGNORE));
    OK(MPI_Comm_free(&duplicate));
}

static void windows(void)
{
    int value = 0;
    MPI_Errhandler handler;
    OK(MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window));
    OK(MPI_Win_create_errhandler(on_win, &handler));
    OK(MPI_Win_set_errhandler(window, handler));
    OK(MPI_Errhandler_free(&handler));
    RAISES(MPI_Win_get_group(window, NULL));
    RAISES(MPI_Win_get_errhandler(window, NULL));
    RAISES(MPI_Win_get_info(window, NULL));
    RAISES(MPI_Rput(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window, NULL));
    RAISES(MPI_Win_fence(1234567, window));
    RAISES(MPI_Win_lock(77, 0, 0, window));
    OK(MPI_Win_free(&window));
}

static void files(void)
{
    int value = 0;
    char name[1024];
    MPI_Errhandler handler;
    snprintf(name, sizeof name, "%s/objects", getenv("MPI_TEST_DIR"));
    OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    OK(MPI_File_create_errhandler(on_file, &handler));
    OK(MPI_File_set_errhandler(file, handler));
    OK(MPI_Errhandler_free(&handler));
    RAISES(MPI_File_seek(file, 0, 1234));
    RAISES(MPI_File_read(file, &value, -1, MPI_INT, MPI_STATUS_IGNORE));
    if (!known_fault("file-null-results")) {
        RAISES(MPI_File_get_group(file, NULL));
        RAISES(MPI_File_get_info(file, NULL));
        RAISES(MPI_File_iread(file, &value, 1, MPI_INT, NULL));
    }
    OK(MPI_File_close(&file));
}

static MPI_Comm blamed[2];

static void on_either(MPI_Comm *comm, int *code, ...)
{
    blamed[calls++ % 2] = *comm;
}

/* An error of a call about none of these is raised where the implementation raises all of them. */
static void nothing(void)
{
    MPI_Datatype made;
    MPI_Errhandler handler;
    OK(MPI_Comm_create_errhandler(on_either, &handler));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
    OK(MPI_Errhandler_free(&handler));
    FAILS(MPI_Type_contiguous(2, MPI_DATATYPE_NULL, &made), MPI_ERR_TYPE);
    CHECK(MPI_Type_contiguous(2, MPI_INT, NULL) != MPI_SUCCESS);
    CHECK_INT(calls, 2);
    CHECK(blamed[0] == blamed[1]);
    calls = 0;
    CHECK(MPI_Group_incl(MPI_GROUP_EMPTY, 0, NULL, NULL) != MPI_SUCCESS);
    CHECK_INT(calls, 1);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    communicators();
    windows();
    files();
    nothing();
    return check_end();
}
