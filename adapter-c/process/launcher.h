/* SPDX-License-Identifier: BSD-3-Clause */
/* The launcher that started this process. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

/* Returns the rank that the launcher gave this process, or -1 if none did. */
int launcher_rank(void);

/* Returns the launcher's name for messages; "none" if no launcher gave a rank. */
const char *launcher_name(void);

/* Returns how many programs the launcher was given; 0 if it does not tell. Of several, some may run without the adapter. */
int launcher_programs(void);

/* Sets the variables by which the application's own launcher would tell this process its place. To be called when the library is
 * loaded: programs read them before MPI is initialized. */
void launcher_tell_application(void);

/* Removes the connection to the launcher from the environment of a process that is to start alone (rank_removed()). To be called
 * ahead of the host's MPI_Init. */
void launcher_leave_outer_job(void);

/* Tells child processes that this process has its rank. To be called when MPI has been initialized. */
void launcher_note_rank_taken(void);

/* Ends the process if it was started as one of several by a launcher that the host does not know, so that each is rank 0 of 1. A
 * process that an MPI program spawned may be alone. To be called when MPI has been initialized; `size` is that of the host's
 * MPI_COMM_WORLD. */
void launcher_check(int size);

#endif
