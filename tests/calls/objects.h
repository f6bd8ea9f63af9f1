/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects that generated calls are made with, and room for their results. */
#ifndef OBJECTS_H
#define OBJECTS_H

#include <limits.h>
#include <mpi.h>
#include <stdint.h>

/* The room of a parameter, filled with the same bytes each time. */
void *room(int parameter);

/* Makes all objects, after MPI_Init. */
void make_all(void);

/* Predefined handles instead, for calls without MPI. */
void take_predefined(void);

/* A procedure of the library that the program was linked with; what a host has besides is not for programs. */
void *find(const char *procedure);

/* The program's: an error handler of a communicator was called. */
void raised(void);

extern MPI_Comm comm, cart, graph, dist_graph, freed_comm, session_comm;
extern MPI_Datatype datatype, uncommitted, freed_datatype;
extern MPI_Errhandler errhandler, freed_errhandler;
extern MPI_File file, freed_file;
extern MPI_Group group, freed_group, session_group;
extern MPI_Info info, freed_info;
extern MPI_Message message, freed_message;
extern MPI_Op op, freed_op;
extern MPI_Request request, grequest, collective, exchange, freed_request;
extern MPI_Session session, freed_session;
extern MPI_Win win, locked, freed_win;
extern MPI_T_enum t_enum;
extern MPI_T_cvar_handle t_cvar_handle;
extern MPI_T_pvar_handle t_pvar_handle;
extern MPI_T_pvar_session t_pvar_session;
extern int added_code, comm_keyval, type_keyval, win_keyval;
extern MPI_Status *status;
extern void *memory;
extern char long_text[5001], path[4096];
extern int numbers[];
int function(void);

#endif
