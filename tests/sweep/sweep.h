/* SPDX-License-Identifier: BSD-3-Clause */
/* What the generated calls use: valid arguments, room, and how a result is reported. */
#ifndef SWEEP_H
#define SWEEP_H

#include <limits.h>
#include <mpi.h>
#include <stdint.h>

/* A procedure of MPI; `call` calls it at `address` with the bad argument of this number, or none if 0. */
struct call {
    const char *name;
    void (*call)(int bad, void *address);
    const char *const *labels;
};
extern const struct call calls[];

struct error_class {
    const char *name;
    int number;
};
extern const struct error_class error_classes[];

/* The room of a parameter, filled with the same bytes each time. */
void *room(int parameter);

/* How a call ends that comes back. */
void returned(int code);
void returned_value(void);

extern MPI_Comm comm, cart, graph, dist_graph, freed_comm;
extern MPI_Datatype datatype, uncommitted, freed_datatype;
extern MPI_Errhandler errhandler, freed_errhandler;
extern MPI_File file;
extern MPI_Group group, freed_group;
extern MPI_Info info, freed_info;
extern MPI_Message message;
extern MPI_Op op, freed_op;
extern MPI_Request request, grequest, collective, exchange, freed_request;
extern MPI_Session session;
extern MPI_Win win, locked;
extern MPI_T_enum t_enum;
extern MPI_T_cvar_handle t_cvar_handle;
extern MPI_T_pvar_handle t_pvar_handle;
extern MPI_T_pvar_session t_pvar_session;
extern int added_code, comm_keyval, type_keyval, win_keyval;
extern MPI_Status *status;
extern void *memory;
extern char long_text[], path[];
extern int numbers[];
int function(void);

#endif
