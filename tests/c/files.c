/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* MPI-IO. */
#include "check.h"

static char path[400];
static int n, me;

static MPI_File open_file(int mode)
{
    MPI_File file = MPI_FILE_NULL;
    OK(MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file));
    return file;
}

static void delete_file(void)
{
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 0)
        MPI_File_delete(path, MPI_INFO_NULL);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* File modes are bit flags; the same bits are other flags elsewhere. */
static void modes(void)
{
    static const int combinations[] = {
        MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_MODE_RDONLY, MPI_MODE_RDWR,
        MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_UNIQUE_OPEN,
        MPI_MODE_RDWR | MPI_MODE_APPEND, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
    };
    MPI_File file;
    for (unsigned i = 0; i < sizeof combinations / sizeof *combinations; i++) {
        int got = 0;
        file = open_file(combinations[i]);
        if (file == MPI_FILE_NULL)
            continue;
        OK(MPI_File_get_amode(file, &got));
        CHECK_INT(got, combinations[i]);
        OK(MPI_File_close(&file));
        CHECK(file == MPI_FILE_NULL);
    }
    int code = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    CHECK_INT(check_class(code), MPI_ERR_NO_SUCH_FILE);
    code = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    CHECK(code != MPI_SUCCESS);
    file = open_file(MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY);
    OK(MPI_File_close(&file));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    code = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY,
                         MPI_INFO_NULL, &file);
    CHECK(code != MPI_SUCCESS);
    if (!known_fault("class-of-existing-file"))
        CHECK_INT(check_class(code), MPI_ERR_FILE_EXISTS);
    delete_file();
}

/* Explicit offsets, in a view, with statuses. */
static void offsets(void)
{
    int out[4], in[4] = { -1, -1, -1, -1 };
    MPI_Status status = check_poison_status();
    MPI_Offset size = -1, place = -1, bytes = -1;
    MPI_File file = open_file(MPI_MODE_CREATE | MPI_MODE_RDWR);
    for (int i = 0; i < 4; i++)
        out[i] = 100 * me + i;
    OK(MPI_File_write_at(file, me * sizeof out, out, 4, MPI_INT, &status));
    int count = -1;
    OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 4);
    OK(MPI_File_sync(file));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_get_size(file, &size));
    CHECK_INT(size, n * sizeof out);
    OK(MPI_File_read_at_all(file, (me + 1) % n * sizeof out, in, 4, MPI_INT, &status));
    CHECK_INT(in[3], 100 * ((me + 1) % n) + 3);
    OK(MPI_File_read_at(file, n * sizeof out - 4, in, 4, MPI_INT, &status));
    OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 1);
    OK(MPI_File_write_at_all(file, me * sizeof out, out, 4, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_get_byte_offset(file, 3, &bytes));
    CHECK_INT(bytes, 20);
    OK(MPI_File_seek(file, 2, MPI_SEEK_SET));
    OK(MPI_File_seek(file, 3, MPI_SEEK_CUR));
    OK(MPI_File_get_position(file, &place));
    CHECK_INT(place, 5);
    OK(MPI_File_seek(file, -1, MPI_SEEK_END));
    OK(MPI_File_get_position(file, &place));
    CHECK_INT(place, n * 4 - 2 - 1);
    OK(MPI_File_read(file, in, 1, MPI_INT, &status));
    CHECK_INT(in[0], 100 * (n - 1) + 3);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_set_size(file, 8));
    OK(MPI_File_preallocate(file, 64));
    OK(MPI_File_get_size(file, &size));
    CHECK(size >= 64);
    OK(MPI_File_close(&file));
    delete_file();
}

/* Each rank sees every n-th pair of ints. */
static void views(const char *representation)
{
    char got_name[MPI_MAX_DATAREP_STRING];
    int out[6], in[6] = { 0 };
    MPI_Offset displacement = -1;
    MPI_Datatype pair, filetype, got_etype, got_filetype;
    MPI_File file = open_file(MPI_MODE_CREATE | MPI_MODE_RDWR);
    OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    OK(MPI_Type_create_resized(pair, 0, n * 2 * sizeof(int), &filetype));
    OK(MPI_Type_commit(&filetype));
    OK(MPI_File_set_view(file, me * 2 * sizeof(int), MPI_INT, filetype, representation, MPI_INFO_NULL));
    OK(MPI_File_get_view(file, &displacement, &got_etype, &got_filetype, got_name));
    CHECK_INT(displacement, me * 2 * sizeof(int));
    CHECK(got_etype == MPI_INT);
    CHECK_STR(got_name, representation);
    MPI_Aint lower, extent = 0;
    OK(MPI_Type_get_extent(got_filetype, &lower, &extent));
    CHECK_INT(extent, n * 2 * sizeof(int));
    for (int i = 0; i < 6; i++)
        out[i] = 1000 * me + i;
    OK(MPI_File_write_all(file, out, 6, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_seek(file, 2, MPI_SEEK_SET));
    OK(MPI_File_read_all(file, in, 4, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_INT(in[0], 1000 * me + 2);
    CHECK_INT(in[3], 1000 * me + 5);
    OK(MPI_File_sync(file));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, representation, MPI_INFO_NULL));
    OK(MPI_File_read_at(file, 2 * (n - 1), in, 2, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_INT(in[1], 1000 * (n - 1) + 1);
    MPI_Aint item = -1;
    OK(MPI_File_get_type_extent(file, MPI_INT, &item));
    CHECK_INT(item, 4);
    OK(MPI_Type_free(&filetype));
    OK(MPI_Type_free(&pair));
    OK(MPI_File_close(&file));
    delete_file();
}

/* MPI_DISPLACEMENT_CURRENT is a special value among file offsets. */
static void sequential(void)
{
    int value = 40 + me, in = -1;
    MPI_Offset displacement = -5;
    char name[MPI_MAX_DATAREP_STRING];
    MPI_Datatype etype, filetype;
    MPI_File file = open_file(MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
    if (file == MPI_FILE_NULL)
        return;
    OK(MPI_File_write_ordered(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_get_view(file, &displacement, &etype, &filetype, name));
    CHECK_INT(displacement, n * sizeof(int));
    OK(MPI_File_write_ordered(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_close(&file));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    file = open_file(MPI_MODE_RDONLY);
    OK(MPI_File_read_at(file, (n + me) * sizeof(int), &in, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_INT(in, 40 + me);
    OK(MPI_File_close(&file));
    delete_file();
}

static void shared_pointer(void)
{
    int value = me, in = -1, seen[16] = { 0 }, sum = -1;
    MPI_Offset place = -1;
    MPI_Request request;
    MPI_Status status;
    MPI_File file = open_file(MPI_MODE_CREATE | MPI_MODE_RDWR);
    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_write_shared(file, &value, 1, MPI_INT, &status));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_get_position_shared(file, &place));
    CHECK_INT(place, n);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    OK(MPI_File_read_shared(file, &in, 1, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(sum, n * (n - 1) / 2);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    OK(MPI_File_iwrite_shared(file, &value, 1, MPI_INT, &request));
    OK(MPI_Wait(&request, &status));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    OK(MPI_File_iread_shared(file, &in, 1, MPI_INT, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(in >= 0 && in < n);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    value = 9 + me;
    OK(MPI_File_write_ordered_begin(file, &value, 1, MPI_INT));
    OK(MPI_File_write_ordered_end(file, &value, &status));
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    OK(MPI_File_read_ordered_begin(file, &in, 1, MPI_INT));
    OK(MPI_File_read_ordered_end(file, &in, &status));
    CHECK_INT(in, 9 + me);
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    OK(MPI_File_read_ordered(file, &in, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_INT(in, 9 + me);
    (void)seen;
    OK(MPI_File_close(&file));
    delete_file();
}

static void split_collectives(void)
{
    int out[2] = { me, 10 + me }, in[2] = { -1, -1 }, count = -1;
    MPI_Status status = check_poison_status();
    MPI_File file = open_file(MPI_MODE_CREATE | MPI_MODE_RDWR);
    OK(MPI_File_write_at_all_begin(file, me * sizeof out, out, 2, MPI_INT));
    OK(MPI_File_write_at_all_end(file, out, &status));
    OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 2);
    OK(MPI_File_read_at_all_begin(file, me * sizeof out, in, 2, MPI_INT));
    OK(MPI_File_read_at_all_end(file, in, &status));
    CHECK_INT(in[1], 10 + me);
    OK(MPI_File_set_view(file, me * sizeof out, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    out[1] = 20 + me;
    OK(MPI_File_write_all_begin(file, out, 2, MPI_INT));
    OK(MPI_File_write_all_end(file, out, MPI_STATUS_IGNORE));
    OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
    OK(MPI_File_read_all_begin(file, in, 2, MPI_INT));
    OK(MPI_File_read_all_end(file, in, MPI_STATUS_IGNORE));
    CHECK_INT(in[1], 20 + me);
    OK(MPI_File_close(&file));
    delete_file();
}

static void nonblocking(void)
{
    int out[3] = { me, me + 1, me + 2 }, in[3] = { -1, -1, -1 }, count = -1;
    MPI_Request request;
    MPI_Status status;
    MPI_File file = open_file(MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_Offset at = me * sizeof out;
    OK(MPI_File_iwrite_at(file, at, out, 3, MPI_INT, &request));
    OK(MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL);
    OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 3);
    OK(MPI_File_iread_at(file, at, in, 3, MPI_INT, &request));
    OK(MPI_Waitall(1, &request, &status));
    CHECK_INT(in[2], me + 2);
    OK(MPI_File_iwrite_at_all(file, at, out, 3, MPI_INT, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_File_iread_at_all(file, at, in, 3, MPI_INT, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_File_set_view(file, at, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    out[0] = 70 + me;
    OK(MPI_File_iwrite(file, out, 3, MPI_INT, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
    OK(MPI_File_iread(file, in, 3, MPI_INT, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(in[0], 70 + me);
    OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
    OK(MPI_File_iwrite_all(file, out, 3, MPI_INT, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
    OK(MPI_File_iread_all(file, in, 3, MPI_INT, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(in[0], 70 + me);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_write(file, out, 1, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_close(&file));
    delete_file();
}

static void properties(void)
{
    int flag = -1, size = -1;
    MPI_Info info;
    MPI_Group group;
    MPI_File file = open_file(MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    OK(MPI_File_get_atomicity(file, &flag));
    CHECK_INT(flag, 0);
    OK(MPI_File_set_atomicity(file, 1));
    OK(MPI_File_get_atomicity(file, &flag));
    CHECK(flag);
    OK(MPI_File_get_group(file, &group));
    OK(MPI_Group_size(group, &size));
    CHECK_INT(size, n);
    OK(MPI_Group_free(&group));
    OK(MPI_File_get_info(file, &info));
    CHECK(info != MPI_INFO_NULL);
    OK(MPI_File_set_info(file, info));
    OK(MPI_Info_free(&info));
    OK(MPI_File_close(&file));
}

static int extent_calls, datarep_cookie;

static int datarep_extent(MPI_Datatype type, MPI_Aint *extent, void *extra)
{
    int size = 0;
    extent_calls += extra == &datarep_cookie;
    MPI_Type_size(type, &size);
    *extent = size;
    return MPI_SUCCESS;
}

static int datarep_copy(void *user, MPI_Datatype type, int count, void *file, MPI_Offset position, void *extra)
{
    memcpy(user, file, count * sizeof(int));
    return MPI_SUCCESS;
}

/* MPI_CONVERSION_FN_NULL is a value; a name can be registered only once. */
static void datareps(void)
{
    OK(MPI_Register_datarep("checked", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, datarep_extent, &datarep_cookie));
    FAILS(MPI_Register_datarep("checked", datarep_copy, datarep_copy, datarep_extent, NULL), MPI_ERR_DUP_DATAREP);
}

static int handled;

static void on_file(MPI_File *file, int *code, ...)
{
    (void)file, (void)code;
    handled++;
}

/* Files inherit the error handler of MPI_FILE_NULL, which outlives them. */
static void inherited_handler(void)
{
    MPI_Errhandler ours, found;
    MPI_File file;
    handled = 0;
    OK(MPI_File_create_errhandler(on_file, &ours));
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, ours));
    for (int i = 0; i < 5; i++) {
        OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
        OK(MPI_File_get_errhandler(file, &found));
        CHECK(found == ours);
        OK(MPI_Errhandler_free(&found));
        OK(MPI_File_call_errhandler(file, MPI_ERR_OTHER));
        if (i % 2)
            OK(MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
        OK(MPI_File_close(&file));
        CHECK_INT(handled, i + 1);
    }
    OK(MPI_File_get_errhandler(MPI_FILE_NULL, &found));
    CHECK(found == ours);
    OK(MPI_Errhandler_free(&found));
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    OK(MPI_Errhandler_free(&ours));
}

int main(int argc, char **argv)
{
    const char *folder = getenv("MPI_TEST_DIR");
    check_begin(&argc, &argv);
    n = check_size, me = check_rank;
    snprintf(path, sizeof path, "%s/files.data", folder ? folder : ".");
    modes();
    offsets();
    views("native");
    if (!known_fault("internal-datarep"))
        views("internal");
    views("external32");
    sequential();
    shared_pointer();
    split_collectives();
    nonblocking();
    properties();
    if (!known_fault("inherited-handler"))
        inherited_handler();
    if (!known_fault("register-datarep"))
        datareps();
    return check_end();
}
