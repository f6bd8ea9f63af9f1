/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that makes an MPI library call its own MPI procedures: files with derived types, reductions
 * by a user's operation, duplicated communicators with attributes, windows. Prints "right".
 * work FILE [LIBRARY]: first opens the library, after MPI_Init, and looks for a symbol, as Python's ctypes does. Instead of a library,
 * "late" has the preloaded tool begin then, and "later" after work that has the host load what it needs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad;

static void check(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "wrong: %s\n", what);
        bad = 1;
    }
}

static void file(const char *path)
{
    int out[4] = { 1, 2, 3, 4 }, in[4] = { 0 };
    MPI_File file;
    MPI_Datatype every_other;
    MPI_Status status;
    int count = -1;
    MPI_Type_vector(4, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    int rc = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                           MPI_INFO_NULL, &file);
    check(rc == MPI_SUCCESS, "MPI_File_open");
    if (rc != MPI_SUCCESS)
        return;
    check(MPI_File_set_view(file, 0, MPI_INT, every_other, "native", MPI_INFO_NULL) == MPI_SUCCESS, "view");
    check(MPI_File_write_at_all(file, 0, out, 4, MPI_INT, &status) == MPI_SUCCESS, "write");
    check(MPI_File_read_at_all(file, 0, in, 4, MPI_INT, &status) == MPI_SUCCESS, "read");
    MPI_Get_count(&status, MPI_INT, &count);
    check(count == 4 && in[0] == 1 && in[3] == 4, "contents");
    check(MPI_File_read_at_all(file, 0, in, 4, MPI_DATATYPE_NULL, &status) != MPI_SUCCESS, "error of a file");
    MPI_File_close(&file);
    MPI_Type_free(&every_other);
}

static void collective(void)
{
    int one = 1, sum = 0, size;
    MPI_Comm copy;
    MPI_Win window;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy);
    check(sum == size, "sum");
    MPI_Win_create(&one, sizeof one, sizeof one, MPI_INFO_NULL, copy, &window);
    MPI_Win_fence(0, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Comm_free(&copy);
}

static void begin_tool(void)
{
    void (*begin)(void) = 0;
    *(void **)&begin = dlsym(RTLD_DEFAULT, "wraps_begin");
    check(begin != 0, "wraps_begin");
    if (begin)
        begin();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 2 && strcmp(argv[2], "later") == 0)
        file(argv[1]);
    if (argc > 2 && strncmp(argv[2], "late", 4) == 0)
        begin_tool();
    else if (argc > 2)
        check(dlsym(dlopen(argv[2], RTLD_NOW), "wraps_begin") != 0, argv[2]);
    file(argv[1]);
    collective();
    if (!bad)
        fputs("right\n", stdout); /* a line in one piece, with a buffer or without */
    MPI_Finalize();
    return bad;
}
