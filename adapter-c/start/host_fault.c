/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/host_fault.h"

#include <pthread.h>
#include <stdlib.h>

#include "config.h"
#include "convert/adapter.h"
#include "keep/life.h"
#include "start/host_place.h"

struct host_procedures host_original;

/* ---------------------------------------------------------------- windows */

#ifdef HOST_FAULT_WINDOW_SIZE

/* The ranks of a node find each other's parts of a window at a wrong place unless each size is a
 * multiple of this. */
#define WINDOW_UNIT 16

/* The attribute that keeps the size which was asked for. */
static struct own_keyval size_keyval;

static int delete_size(host_win win, int keyval, void *size, void *state)
{
    (void)win, (void)keyval, (void)state;
    free(size);
    return HOST_MPI_SUCCESS;
}

static int keep_size(host_win win, MPI_Aint *size)
{
    int rc = own_keyval_need(&size_keyval, host_original.MPI_Win_create_keyval, host_original.MPI_Win_free_keyval,
                             (mpi_function *)HOST_MPI_WIN_NULL_COPY_FN, (mpi_function *)delete_size);
    return rc == 0 ? host_original.MPI_Win_set_attr(win, own_keyval(&size_keyval), size) : rc;
}

/* `call` gets a size of `rounded` bytes. Without memory to keep the right one, it gets that. */
#define ALLOCATE(name, unit_type)                                                                  \
    static int allocate_##name(MPI_Aint size, unit_type unit, host_info info, host_comm comm, void *base, host_win *win) \
    {                                                                                              \
        int is_even = size < 0 || size > INT64_MAX - WINDOW_UNIT || size % WINDOW_UNIT == 0;       \
        MPI_Aint *kept = is_even ? 0 : malloc(sizeof *kept);                                       \
        MPI_Aint rounded = kept ? size + WINDOW_UNIT - size % WINDOW_UNIT : size;                  \
        int rc = host_original.name(rounded, unit, info, comm, base, win);                         \
        if (!kept)                                                                                 \
            return rc;                                                                             \
        *kept = size;                                                                              \
        if (rc == 0)                                                                               \
            rc = keep_size(*win, kept);                                                            \
        if (rc != 0)                                                                               \
            free(kept);                                                                            \
        return rc;                                                                                 \
    }
ALLOCATE(MPI_Win_allocate, int)
ALLOCATE(MPI_Win_allocate_c, MPI_Aint)

static int get_attr(host_win win, int keyval, void *value, int *flag)
{
    int found = 0, own = own_keyval(&size_keyval);
    if (keyval == HOST_MPI_WIN_SIZE && own != HOST_MPI_KEYVAL_INVALID &&
        host_original.MPI_Win_get_attr(win, own, value, &found) == 0 && found) {
        *flag = 1;
        return 0;
    }
    return host_original.MPI_Win_get_attr(win, keyval, value, flag);
}

static void work_around_windows(int standard)
{
    if (standard >= HOST_FAULT_WINDOW_SIZE)
        return;
    TAKE_PLACE(MPI_Win_allocate, allocate_MPI_Win_allocate);
    TAKE_PLACE(MPI_Win_allocate_c, allocate_MPI_Win_allocate_c);
    TAKE_PLACE(MPI_Win_get_attr, get_attr);
}

#else
static void work_around_windows(int standard) {}
#endif

/* ---------------------------------------------------------------- files */

#ifdef HOST_FAULT_FILE_ERRHANDLER

/* A file that is opened gets the error handler of MPI_FILE_NULL without a reference, and closing it
 * takes one away: soon the handler is gone. Getting the file's handler makes the reference. Some host
 * says after an error whose handler comes back that it has succeeded: then there is no file. */
static int open_file(host_comm comm, const char *filename, int amode, host_info info, host_file *file)
{
    host_errhandler inherited;
    int rc = host_original.MPI_File_open(comm, filename, amode, info, file);
    if (rc == 0 && HOST_FILE_BITS(*file) != NO_HANDLE && HOST_FILE_BITS(*file) != HOST_FILE_BITS(HOST_MPI_FILE_NULL))
        host_original.MPI_File_get_errhandler(*file, &inherited);
    return rc;
}

static void work_around_files(int standard)
{
    if (standard < HOST_FAULT_FILE_ERRHANDLER)
        TAKE_PLACE(MPI_File_open, open_file);
}

#else
static void work_around_files(int standard) {}
#endif

void faults_work_around(int standard)
{
    host_original = host;
    work_around_windows(standard);
    shifted_window_work_around(standard);
    work_around_files(standard);
}
