/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the files of libraries that are opened during MPI_Init to be read, not loaded: gotswap's.
 * To be linked with -rdynamic, so that this open() is the one that is called. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = (flags & O_CREAT) ? va_arg(arguments, int) : 0;
    va_end(arguments);
    const char *file = strrchr(path, '/');
    if (file && strstr(file, ".so"))
        dprintf(1, "%s\n", path);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    dprintf(1, "initialized\n");
    MPI_Finalize();
    return 0;
}
