/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment variables of the adapter, and those by which it gets into a process. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

/* A variable that the user sets for the adapter, or null. Null for all where the process runs with privilege
 * that the user has not (a set-user-ID program): they name libraries to load and files to write. */
const char *environment_setting(const char *name);

/* The same if it asks for something, or null: nothing and 0 do not. */
const char *environment_wanted(const char *name);

/* Takes the libraries named in MPI_ADAPTER_PRELOAD out of LD_PRELOAD, where the mpi-adapter command
 * puts them for programs with an RPATH: the child processes of an MPI program are no MPI programs.
 * When the library is loaded, only if the process is seen to be an MPI program: launchers, shells
 * and their like must hand the variable on. */
void environment_loaded(void);
void environment_started(void);

/* What makes processes that MPI itself starts load the adapter, in lines NAME=VALUE; free() it.
 * Null if nothing does, or if memory is lacking. */
char *environment_of_children(void);

#endif
