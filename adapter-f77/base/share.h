/* SPDX-License-Identifier: BSD-3-Clause */
/* The Fortran libraries of a pair share this with its C library, besides MPI: one structure, whose symbol has a version, so
 * that neither a program nor dlsym() finds it, and the application's name, as a process may have two pairs. Nothing in it is on a hot
 * path. */
#ifndef SHARE_H
#define SHARE_H

#ifdef FORTRAN_ALONE
#include "alone/alone.h"
#else

#include "application.h"
#include "convert/handle_classes.h"
#include "convert/say.h"
#include "isolate/fortran_sentinels.h"

struct shared {
    /* Raise errors of the adapter's own, by the application's class, on the object of the call; error.h. */
    int (*raise_error)(int error_class, const char *function);
    int (*raise_comm)(app_comm comm, int error_class, const char *function);
    int (*raise_win)(app_win win, int error_class, const char *function);
    int (*raise_file)(app_file file, int error_class, const char *function);
    int (*raise_session)(app_session session, int error_class, const char *function);
    void (*complain)(const char *format, ...) __attribute__((format(printf, 1, 2)));
    /* Stores the values of .TRUE. and .FALSE. in the application's compiler. */
    void (*logicals)(int *is_true, int *is_false);
    MPI_Fint (*predefined_to_fortran)(int count, const intptr_t *handles, intptr_t handle);
    /* Bits of the classes of handles that are integers on the host; handles of the others as integers. numbers.h */
    unsigned integer_classes;
    MPI_Fint (*to_number)(int handle_class, intptr_t handle);
    intptr_t (*from_number)(int handle_class, MPI_Fint number);
    /* Attributes that Fortran sets; cells.c. */
    void *(*new_cell)(MPI_Aint value);
    MPI_Aint (*value_of)(const void *attribute);
    void (*free_cell)(void *attribute);
    /* Procedures of Fortran that the host calls; function.each.c. */
    int (*create_op)(int is_large, mpi_function *function, int commute, app_op *op);
    int (*create_errhandler)(int handle_class, mpi_function *function, app_errhandler *errhandler);
    /* Lengths of arrays of datatypes; convert/array_length.h. */
    int (*send_peers)(const void *sendbuf, app_comm comm);
    int (*recv_peers)(const void *sendbuf, app_comm comm);
    int (*in_neighbors)(const void *sendbuf, app_comm comm);
    int (*out_neighbors)(const void *sendbuf, app_comm comm);
    /* Numbers of releases that gave their libraries other names; earlier.c. */
    void (*earlier_is_loaded)(void);
    void (*when_earlier)(void (*take)(void));
    /* Constants that are addresses; isolate/fortran_sentinels.h. */
    void (*isolate_sentinels)(const struct sentinel *table, void (*loaded)(void));
};

#define SHARED_SYMBOL "mpi_adapter_shared_" APP_FAMILY
#define CALLED(symbol) __asm__(symbol)
extern EXPORTED const struct shared mpi_adapter_shared CALLED(SHARED_SYMBOL);

#ifdef FORTRAN_LIBRARY
__asm__(".symver " SHARED_SYMBOL ", " SHARED_SYMBOL "@MPI_ADAPTER_PRIVATE");
#define raise_error(error_class) mpi_adapter_shared.raise_error(error_class, __func__)
#define raise_comm(comm, error_class) mpi_adapter_shared.raise_comm(comm, error_class, __func__)
#define raise_win(win, error_class) mpi_adapter_shared.raise_win(win, error_class, __func__)
#define raise_file(file, error_class) mpi_adapter_shared.raise_file(file, error_class, __func__)
#define raise_session(session, error_class) mpi_adapter_shared.raise_session(session, error_class, __func__)
#define complain mpi_adapter_shared.complain
#define predefined_to_fortran mpi_adapter_shared.predefined_to_fortran
#define new_cell mpi_adapter_shared.new_cell
#define value_of mpi_adapter_shared.value_of
#define free_cell mpi_adapter_shared.free_cell
#define send_peers mpi_adapter_shared.send_peers
#define recv_peers mpi_adapter_shared.recv_peers
#define in_neighbors mpi_adapter_shared.in_neighbors
#define out_neighbors mpi_adapter_shared.out_neighbors
#else
#include "base/cells.h"
#include "base/logical.h"

/* Returns the integer of a predefined handle, which is its index among `handles`. */
COLD HIDDEN MPI_Fint predefined_to_fortran(int count, const intptr_t *handles, intptr_t handle);

/* Notes that a library with an earlier release's name is loaded, and calls the functions of when_earlier(). */
HIDDEN void earlier_is_loaded(void);

/* Calls `take` once such a library is loaded, or now if one is. */
HIDDEN void when_earlier(void (*take)(void));

/* Make an operation, or an error handler, of a Fortran procedure. Return an error code. */
HIDDEN int create_op(int is_large, mpi_function *function, int commute, app_op *op);
HIDDEN int create_errhandler(int handle_class, mpi_function *function, app_errhandler *errhandler);
#endif

#endif
#endif
