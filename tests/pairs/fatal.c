/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors that the adapter finds itself: one for each object that errors are raised on, or in one of the ways in which it finds
 * them. The arguments are the case's name and, if errors are to be returned, another word. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static MPI_Errhandler handler;

static int of_comm(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    return MPI_Comm_get_info(MPI_COMM_SELF, NULL);
}

static int of_win(void)
{
    MPI_Win win;
    int exposed;
    MPI_Win_create(&exposed, sizeof exposed, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_set_errhandler(win, handler);
    int rc = MPI_Win_get_group(win, NULL);
    MPI_Win_free(&win);
    return rc;
}

static int of_file(void)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, "file", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(file, handler);
    int rc = MPI_File_get_group(file, NULL);
    MPI_File_close(&file);
    return rc;
}

static int of_nothing(void)
{
    int count;
    return MPI_Get_count(MPI_STATUS_IGNORE, MPI_INT, &count);
}

static int of_nowhere(void)
{
    return MPI_Comm_get_info(MPI_COMM_NULL, NULL);
}

#if MPI_VERSION >= 4
static int of_session(void)
{
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, handler, &session);
    int rc = MPI_Session_get_info(session, NULL);
    MPI_Session_finalize(&session);
    return rc;
}
#endif

static const struct {
    const char *name;
    int (*fails)(void);
} cases[] = {
    { "MPI_Comm_get_info", of_comm },
    { "MPI_Win_get_group", of_win },
    { "MPI_File_get_group", of_file },
    { "MPI_Get_count", of_nothing },
    { "null", of_nowhere },
#if MPI_VERSION >= 4
    { "MPI_Session_get_info", of_session },
#endif
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    handler = argc > 2 ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, argv[1]) == 0)
            printf("goes on after %d\n", cases[i].fails() != MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
