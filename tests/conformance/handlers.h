/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects whose errors programs observe, and handlers that note on which of them they were invoked. */
#ifndef HANDLERS_H
#define HANDLERS_H

#include "observe.h"

static MPI_Comm duplicate;
static MPI_File file;
static MPI_Win win;

static inline const char *name_of(MPI_Comm comm)
{
    return comm == MPI_COMM_WORLD ? "WORLD" : comm == MPI_COMM_SELF ? "SELF" : comm == duplicate ? "duplicate" :
           comm == MPI_COMM_NULL ? "NULL" : "another";
}

static inline void on_comm(MPI_Comm *comm, int *code, ...)
{
    note(" comm %s: %s", name_of(*comm), class_of(*code));
}

static inline void on_file(MPI_File *on, int *code, ...)
{
    note(" file %s: %s", *on == MPI_FILE_NULL ? "NULL" : *on == file ? "file" : "another", class_of(*code));
}

static inline void on_win(MPI_Win *on, int *code, ...)
{
    note(" win %s: %s", *on == MPI_WIN_NULL ? "NULL" : *on == win ? "win" : "another", class_of(*code));
}

static inline void set_all(MPI_Comm_errhandler_function *function)
{
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(function, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Comm_set_errhandler(duplicate, handler);
    MPI_Errhandler_free(&handler);
}

#endif
