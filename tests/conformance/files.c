/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* A file of two processes: views, pointers, split and shared access, representations, what a file says of itself, and
 * errors, on files and where there is none. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "handlers.h"

static int in[8], out[8];

static void fill(void)
{
    for (int i = 0; i < 8; i++) {
        in[i] = 10 * (here + 1) + i;
        out[i] = -1;
    }
}

static void note_position(MPI_File of)
{
    MPI_Offset offset = -1, shared = -1;
    MPI_File_get_position(of, &offset);
    MPI_File_get_position_shared(of, &shared);
    note(" at %d shared %d", (int)offset, (int)shared);
}

static void step(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void opening(void)
{
    MPI_File made;
    int mode = 77;
    static const struct {
        const char *label;
        int mode;
    } modes[] = {
        { "without a mode", 0 },
        { "to read and write, twice", MPI_MODE_RDONLY | MPI_MODE_RDWR },
        { "to read, and make it", MPI_MODE_RDONLY | MPI_MODE_CREATE },
        { "to read, and alone", MPI_MODE_RDONLY | MPI_MODE_EXCL },
        { "to read one after the other and both", MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL },
        { "that is not there", MPI_MODE_RDONLY }, { "that is not there, to write", MPI_MODE_WRONLY },
    };
    char label[100];
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        snprintf(label, sizeof label, "file_open of one %s", modes[i].label);
        UNTOUCHED(made);
        SEE(label, MPI_File_open(MPI_COMM_WORLD, "none", modes[i].mode, MPI_INFO_NULL, &made),
            note(" %s", made == MPI_FILE_NULL ? "null" : "another"));
    }
    if (here == 0)
        close(open("there", O_CREAT | O_WRONLY, 0600));
    step();
    SEE("file_open of one that must not be there",
        MPI_File_open(MPI_COMM_WORLD, "there", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY, MPI_INFO_NULL, &made));
    SEE("file_open of a folder", MPI_File_open(MPI_COMM_WORLD, ".", MPI_MODE_WRONLY, MPI_INFO_NULL, &made));
    SEE("file_open of a file as a folder", MPI_File_open(MPI_COMM_WORLD, "there/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &made));
    SEE("file_open of no name", MPI_File_open(MPI_COMM_WORLD, "", MPI_MODE_RDONLY, MPI_INFO_NULL, &made));
    SEE("file_open of the null communicator", MPI_File_open(MPI_COMM_NULL, "there", MPI_MODE_RDONLY, MPI_INFO_NULL, &made));
    SEE("file_delete of no file", MPI_File_delete("none", MPI_INFO_NULL));
    SEE("file_delete of a folder", MPI_File_delete(".", MPI_INFO_NULL));
    step();
    SEE("file_open to read", MPI_File_open(MPI_COMM_WORLD, "there", MPI_MODE_RDONLY, MPI_INFO_NULL, &made));
    SEE("file_get_amode", MPI_File_get_amode(made, &mode), note(" %s", mode == MPI_MODE_RDONLY ? "MPI_MODE_RDONLY" : "another"));
    MPI_Status status;
    clear_statuses(&status, 1);
    SEE("read of an empty file", MPI_File_read(made, out, 4, MPI_INT, &status), note_transfer(&status));
    SEE("write to what is read only", MPI_File_write(made, in, 4, MPI_INT, &status));
    SEE("write_at_all to what is read only", MPI_File_write_at_all(made, 0, in, 4, MPI_INT, &status));
    SEE("set_size of what is read only", MPI_File_set_size(made, 100));
    SEE("preallocate of what is read only", MPI_File_preallocate(made, 100));
    SEE("file_close", MPI_File_close(&made), note(" %s", made == MPI_FILE_NULL ? "null" : "another"));
    SEE("file_open to write",
        MPI_File_open(MPI_COMM_WORLD, "there", MPI_MODE_WRONLY | MPI_MODE_APPEND | MPI_MODE_DELETE_ON_CLOSE,
            MPI_INFO_NULL, &made));
    SEE("file_get_amode to write", MPI_File_get_amode(made, &mode),
        note(" %s", mode == (MPI_MODE_WRONLY | MPI_MODE_APPEND | MPI_MODE_DELETE_ON_CLOSE) ? "as opened" : "another"));
    SEE("read of what is write only", MPI_File_read(made, out, 4, MPI_INT, &status));
    SEE("file_close of what is deleted", MPI_File_close(&made));
    step();
    printf("%sdeleted\t%s\n", who, access("there", F_OK) == 0 ? "is there" : "is gone");
}

/* Of the status, only how much was transferred means something. */
static void note_size(MPI_Status *status)
{
    status->MPI_SOURCE = NO_SOURCE;
    status->MPI_TAG = NO_TAG;
    status->MPI_ERROR = NO_ERROR;
    note_transfer(status);
}

#define WRITTEN(label, ...) \
    do { \
        clear_statuses(&status, 1); \
        SEE(label, __VA_ARGS__, note_size(&status); note_position(file)); \
        step(); \
    } while (0)
#define READ(label, ...) \
    do { \
        fill(); \
        clear_statuses(&status, 1); \
        SEE(label, __VA_ARGS__, note_size(&status); note_numbers(out, 4)); \
        step(); \
    } while (0)

static void access_methods(void)
{
    MPI_Status status;
    MPI_Request request;
    MPI_Datatype part;
    int starts[1] = { 2 * here }, sizes[1] = { 4 }, parts[1] = { 2 }, atomic = 77;
    MPI_Offset offset = 77;
    fill();
    WRITTEN("write_at", MPI_File_write_at(file, 4 * here, in, 1, MPI_INT, &status));
    WRITTEN("write_at_all", MPI_File_write_at_all(file, 8 + 4 * here, in, 1, MPI_INT, &status));
    WRITTEN("write", MPI_File_write(file, in, here, MPI_INT, &status));
    SEE("seek", MPI_File_seek(file, 16 + 4 * here, MPI_SEEK_SET), note_position(file));
    WRITTEN("write_all", MPI_File_write_all(file, in, 1, MPI_INT, &status));
    SEE("seek_shared", MPI_File_seek_shared(file, 24, MPI_SEEK_SET), note_position(file); step());
    WRITTEN("write_ordered", MPI_File_write_ordered(file, in, 1, MPI_INT, &status));
    if (!host_is("mpich"))
        SEE("seek_shared apart", MPI_File_seek_shared(file, 24 + 4 * here, MPI_SEEK_SET));
    SEE("seek_shared back", MPI_File_seek_shared(file, 24, MPI_SEEK_SET), note_position(file); step());
    SEE("sync", MPI_File_sync(file));
    SEE("get_size", MPI_File_get_size(file, &offset), note(" %d", (int)offset));
    READ("read_at", MPI_File_read_at(file, 0, out, 4, MPI_INT, &status));
    READ("read_at_all", MPI_File_read_at_all(file, 16, out, 4, MPI_INT, &status));
    READ("read_ordered", MPI_File_read_ordered(file, out, 1, MPI_INT, &status));
    SEE("seek to the end", MPI_File_seek(file, -8, MPI_SEEK_END), note_position(file));
    READ("read beyond the end", MPI_File_read(file, out, 4, MPI_INT, &status));
    SEE("seek from here", MPI_File_seek(file, -16, MPI_SEEK_CUR), note_position(file));
    READ("read_all", MPI_File_read_all(file, out, 2, MPI_INT, &status));
    fill();
    SEE("iread_at", MPI_File_iread_at(file, 8, out, 2, MPI_INT, &request),
        MPI_Wait(&request, &status); note_numbers(out, 2); MPI_Get_count(&status, MPI_INT, &atomic); note(" count %d", atomic));
    fill();
    if (!host_is("openmpi")) {
        SEE("read_all_begin", MPI_File_read_all_begin(file, out, 2, MPI_INT));
        SEE("read_all_begin again", MPI_File_read_all_begin(file, out, 2, MPI_INT));
        READ("read_all_end", MPI_File_read_all_end(file, out, &status));
    }
    if (!host_is("openmpi"))
        SEE("read_all_end without a begin", MPI_File_read_all_end(file, out, &status));
    if (!host_is("openmpi"))
        SEE("write_all_end without a begin", MPI_File_write_all_end(file, out, &status));
    SEE("write_ordered_begin", MPI_File_write_ordered_begin(file, in, 1, MPI_INT));
    if (!host_is("openmpi"))
        SEE("read_all_end of a write_ordered_begin", MPI_File_read_all_end(file, out, &status));
    WRITTEN("write_ordered_end", MPI_File_write_ordered_end(file, in, &status));
    fill();
    SEE("iread_at_all", MPI_File_iread_at_all(file, 12, out, 2, MPI_INT, &request),
        MPI_Wait(&request, &status); note_numbers(out, 2); MPI_Get_count(&status, MPI_INT, &atomic); note(" count %d", atomic));
    MPI_Type_create_subarray(1, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &part);
    SEE("set_view of a datatype that is not committed", MPI_File_set_view(file, 0, MPI_INT, part, "native", MPI_INFO_NULL));
    MPI_Type_commit(&part);
    SEE("set_view", MPI_File_set_view(file, 0, MPI_INT, part, "native", MPI_INFO_NULL), note_position(file));
    READ("read_all of a view", MPI_File_read_all(file, out, 4, MPI_INT, &status));
    SEE("get_byte_offset of a view", MPI_File_get_byte_offset(file, 2, &offset), note(" %d", (int)offset));
    SEE("seek within a view", MPI_File_seek(file, 1, MPI_SEEK_SET), note_position(file));
    READ("read within a view", MPI_File_read(file, out, 2, MPI_INT, &status));
    MPI_Datatype etype, filetype;
    char representation[MPI_MAX_DATAREP_STRING] = "";
    int integers = 77, addresses = 77, types = 77, combiner = 77;
    MPI_Aint extent = 77;
    SEE("get_view", MPI_File_get_view(file, &offset, &etype, &filetype, representation),
        MPI_Type_get_envelope(filetype, &integers, &addresses, &types, &combiner);
        note(" %d %s %d %s", (int)offset, etype == MPI_INT ? "MPI_INT" : "another", types, representation));
    SEE("get_type_extent", MPI_File_get_type_extent(file, MPI_INT, &extent), note(" %d", (int)extent));
    SEE("set_view that does not divide", MPI_File_set_view(file, 0, MPI_INT, MPI_CHAR, "native", MPI_INFO_NULL));
    SEE("set_view of the null datatype", MPI_File_set_view(file, 0, MPI_DATATYPE_NULL, MPI_INT, "native", MPI_INFO_NULL));
    SEE("set_view at a negative place", MPI_File_set_view(file, -9, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    SEE("set_view of no representation", MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "none", MPI_INFO_NULL));
    SEE("set_view at the current place", MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    SEE("set_view external32", MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
    SEE("set_view back", MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    SEE("set_atomicity", MPI_File_set_atomicity(file, 1), MPI_File_get_atomicity(file, &atomic); note(" %d", atomic));
    SEE("set_atomicity apart", MPI_File_set_atomicity(file, here));
    SEE("set_atomicity off", MPI_File_set_atomicity(file, 0));
    SEE("set_size", MPI_File_set_size(file, 64), MPI_File_get_size(file, &offset); note(" %d", (int)offset); step());
    if (!host_is("openmpi"))
        SEE("preallocate", MPI_File_preallocate(file, 128), MPI_File_get_size(file, &offset); note(" %d", (int)offset); step());
    SEE("set_size of less", MPI_File_set_size(file, 16), MPI_File_get_size(file, &offset); note(" %d", (int)offset));
    MPI_Type_free(&part);
}

static void arguments(void)
{
    MPI_Status status;
    MPI_Request request;
    MPI_Offset offset = 77;
    MPI_Aint extent = 77;
    SEE("write_at of a negative count", MPI_File_write_at(file, 0, in, -1, MPI_INT, &status));
    SEE("write_at of a negative offset", MPI_File_write_at(file, -4, in, 1, MPI_INT, &status));
    SEE("iwrite_at of the null datatype", MPI_File_iwrite_at(file, 0, in, 1, MPI_DATATYPE_NULL, &request));
    SEE("write_ordered of a negative count", MPI_File_write_ordered(file, in, -1, MPI_INT, &status));
    SEE("seek from nowhere", MPI_File_seek(file, 0, 1234));
    if (!host_is("mpich"))
        SEE("seek_shared from nowhere", MPI_File_seek_shared(file, 0, 1234));
    SEE("seek before the start", MPI_File_seek(file, -1, MPI_SEEK_SET), note_position(file));
    SEE("set_size of less than nothing", MPI_File_set_size(file, -1));
    SEE("preallocate of less than nothing", MPI_File_preallocate(file, -1));
    SEE("get_byte_offset of less than nothing", MPI_File_get_byte_offset(file, -1, &offset));
    SEE("get_type_extent of the null datatype", MPI_File_get_type_extent(file, MPI_DATATYPE_NULL, &extent));
    SEE("get_size of the null file", MPI_File_get_size(MPI_FILE_NULL, &offset));
    SEE("read_all of the null file", MPI_File_read_all(MPI_FILE_NULL, out, 1, MPI_INT, &status));
    SEE("set_view of the null file", MPI_File_set_view(MPI_FILE_NULL, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    SEE("iwrite of the null file", MPI_File_iwrite(MPI_FILE_NULL, in, 1, MPI_INT, &request));
    SEE("set_info of the null info", MPI_File_set_info(file, MPI_INFO_NULL));
    step();
}

static void itself(void)
{
    MPI_Info info;
    MPI_Group group;
    MPI_Errhandler got;
    int size = 77;
    SEE("get_group", MPI_File_get_group(file, &group), MPI_Group_size(group, &size); note(" %d", size));
    MPI_Group_free(&group);
    SEE("get_info", MPI_File_get_info(file, &info), note(" %s", info == MPI_INFO_NULL ? "null" : "made"));
    MPI_Info_free(&info);
    SEE("get_errhandler of the null file", MPI_File_get_errhandler(MPI_FILE_NULL, &got),
        note(" %s", got == MPI_ERRORS_RETURN ? "MPI_ERRORS_RETURN" : "another"));
    SEE("get_errhandler", MPI_File_get_errhandler(file, &got), note(" %s", got == MPI_ERRORS_RETURN ? "MPI_ERRORS_RETURN" : "another"));
    SEE("an error that returns", MPI_File_write(file, in, -1, MPI_INT, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    observe_ranks();
    set_all(on_comm);
    opening();
    SEE("file_open", MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    itself();
    MPI_File_create_errhandler(on_file, &handler);
    MPI_File_set_errhandler(file, handler);
    access_methods();
    arguments();
    SEE("file_close at last", MPI_File_close(&file));
    SEE("set_errhandler of the null file", MPI_File_set_errhandler(MPI_FILE_NULL, handler));
    SEE("file_open that fails, with a handler", MPI_File_open(MPI_COMM_WORLD, "no-such-folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
        note(" %s", file == MPI_FILE_NULL ? "null" : "another"));
    SEE("file_delete that fails, with a handler", MPI_File_delete("none", MPI_INFO_NULL));
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&duplicate);
    MPI_Finalize();
    return 0;
}
