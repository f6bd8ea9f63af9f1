/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran.h"
#include "keep/retained_datatypes.h"

/* Of retain.h's functions, for a handle of the application's. */
#define OF_APPLICATION(name)                                                                       \
    static int app_##name(const void *sendbuf, app_comm comm) { return name(sendbuf, comm_to_host(comm)); }
OF_APPLICATION(send_peers)
OF_APPLICATION(recv_peers)
OF_APPLICATION(in_neighbors)
OF_APPLICATION(out_neighbors)

/* Of error.h's. */
#define RAISED_ON(class)                                                                           \
    static int app_raise_##class(app_##class handle, int host_class, const char *function)         \
    {                                                                                              \
        return error_to_app(fail_##class##_in(class##_to_host(handle), host_class, function));     \
    }
RAISED_ON(comm)
RAISED_ON(win)
RAISED_ON(file)
RAISED_ON(session)

/* Handles as integers, fortran.h. */
#define NUMBERED(CLASS, class)                                                                     \
    static MPI_Fint shared_##class##_to_number(app_##class handle) { return class##_to_number(handle); } \
    static app_##class shared_##class##_from_number(MPI_Fint number) { return class##_from_number(number); }
HANDLE_CLASSES(NUMBERED)
#undef NUMBERED
#define NUMBERED(CLASS, class) shared_##class##_to_number, shared_##class##_from_number,

static const struct shared shared __attribute__((used)) = {
    raise_error_in, app_raise_comm, app_raise_win, app_raise_file, app_raise_session, complain, logicals,
    predefined_to_fortran, HANDLE_CLASSES(NUMBERED) new_cell, value_of, free_cell, create_op, create_errhandler,
    app_send_peers, app_recv_peers, app_in_neighbors, app_out_neighbors, earlier_is_loaded, when_earlier,
    isolate_sentinels
};
/* A name of its own: assemblers before 2.36 keep one that anything refers to, debugging information as well. */
__asm__(".globl mpi_adapter_shared\n.set mpi_adapter_shared, shared\n"
        ".symver mpi_adapter_shared, mpi_adapter_shared@MPI_ADAPTER_PRIVATE, remove");
