/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that uses sessions, and a program for another MPI, which opens it before its own MPI_Init or after. Usage: sessions LIBRARY
 * before|after. The library's function returns what is wrong. */
#include <mpi.h>
#include <stdio.h>

#ifdef LIBRARY
#define WRONG(condition) do { if (condition) return #condition; } while (0)

static MPI_Session session;
static MPI_Comm comm;

const char *open_session(int size)
{
    MPI_Group group;
    int one = 1, sum = 0, begun = -1;
    WRONG(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != 0);
    WRONG(MPI_Group_from_session_pset(session, "mpi://WORLD", &group) != 0);
    WRONG(MPI_Comm_create_from_group(group, "several", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm) != 0);
    WRONG(MPI_Group_free(&group) != 0);
    WRONG(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm) != 0 || sum != size);
    WRONG(MPI_Initialized(&begun) != 0 || !begun);
    return 0;
}

const char *close_session(void)
{
    int zero = 0, sum = -1;
    WRONG(MPI_Allreduce(&zero, &sum, 1, MPI_INT, MPI_SUM, comm) != 0 || sum != 0);
    WRONG(MPI_Comm_free(&comm) != 0);
    WRONG(MPI_Session_finalize(&session) != 0);
    return 0;
}
#else
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const char *(*open_session)(int);
static const char *(*close_session)(void);

static void open_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    open_session = library ? (const char *(*)(int))dlsym(library, "open_session") : 0;
    close_session = library ? (const char *(*)(void))dlsym(library, "close_session") : 0;
    if (!open_session) {
        puts(dlerror());
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int is_early = strcmp(argv[2], "before") == 0, size, value = 1, sum = 0;
    const char *wrong;
    setvbuf(stdout, 0, _IOLBF, 0);
    if (is_early)
        open_library(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!is_early)
        open_library(argv[1]);
    for (int turn = 0; turn < 2; turn++) {
        wrong = open_session(size);
        /* The program's communication and the session's are apart. */
        if (!wrong && (MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != 0 || sum != size))
            wrong = "the program's sum";
        if (!wrong)
            wrong = close_session();
        if (wrong)
            printf("turn %d: %s\n", turn, wrong);
    }
    MPI_Finalize();
    puts(wrong ? "wrong" : "right");
    return 0;
}
#endif
