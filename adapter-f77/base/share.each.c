/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran.h"
#include "requests/retained_datatypes.h"

/* Do what functions of array_length.h do, for a handle of the application's. */
/* each
 * name
 * send_peers
 * recv_peers
 * in_neighbors
 * out_neighbors
 */
static int app_$name(const void *sendbuf, app_comm comm)
{
    return $name(sendbuf, comm_to_host(comm));
}
/* end */

/* Do what functions of error.h do, for a class of the application's. */
static int app_raise_error(int error_class, const char *function)
{
    return raise_error_in(error_to_host(error_class), function);
}

/* each
 * class
 * comm
 * win
 * file
 * session
 */
static int app_raise_$class(app_$class handle, int error_class, const char *function)
{
    return error_to_app(fail_${class}_in(${class}_to_host(handle), error_to_host(error_class), function));
}
/* end */

/* Handles as integers, numbers.h. */
#define INTEGER_CLASS(CLASS, class) | (JOIN(REPRESENTED_, HOST_##CLASS##_REPRESENTATION) == REPRESENTED_INT) << CLASS_##CLASS
#define TO_NUMBER(CLASS, class) case CLASS_##CLASS: return class##_to_number(APP_##CLASS##_FROM(handle));
#define FROM_NUMBER(CLASS, class) case CLASS_##CLASS: return APP_##CLASS##_BITS(class##_from_number(number));

static MPI_Fint to_number(int handle_class, intptr_t handle)
{
    switch (handle_class) {
        HANDLE_CLASSES(TO_NUMBER)
    }
    return 0;
}

static intptr_t from_number(int handle_class, MPI_Fint number)
{
    switch (handle_class) {
        HANDLE_CLASSES(FROM_NUMBER)
    }
    return 0;
}

static const struct shared shared __attribute__((used)) = {
    app_raise_error, app_raise_comm, app_raise_win, app_raise_file, app_raise_session, complain, logicals,
    predefined_to_fortran, 0 HANDLE_CLASSES(INTEGER_CLASS), to_number, from_number, new_cell, value_of, free_cell, create_op, create_errhandler,
    app_send_peers, app_recv_peers, app_in_neighbors, app_out_neighbors, earlier_is_loaded, when_earlier,
    isolate_sentinels
};
/* A name of its own: assemblers before 2.36 keep one that anything refers to, debugging information as well. */
__asm__(".globl " SHARED_SYMBOL "\n.set " SHARED_SYMBOL ", shared\n"
        ".symver " SHARED_SYMBOL ", " SHARED_SYMBOL "@MPI_ADAPTER_PRIVATE, remove");

/* By itself: the library for Fortran of the standard ABI may be of another release. */
static void (*const sentinels)(const struct sentinel *table, void (*loaded)(void)) __attribute__((used)) = isolate_sentinels;
__asm__(".globl mpi_adapter_sentinels\n.set mpi_adapter_sentinels, sentinels\n"
        ".symver mpi_adapter_sentinels, mpi_adapter_sentinels@MPI_ADAPTER_PRIVATE, remove");
