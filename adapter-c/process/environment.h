/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment variables by which users set the adapter, and those by which it gets into a process. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

/* Returns the value of a variable that the user sets for the adapter, or null. Always null if the process has privileges that the
 * user lacks (a set-user-ID program), because these variables name libraries to load and files to write. */
const char *environment_setting(const char *name);

/* Returns the value of a variable that turns something on: null also if it is empty or 0. */
const char *environment_wanted(const char *name);

/* Remove the libraries of MPI_ADAPTER_PRELOAD from LD_PRELOAD, for child processes are seldom MPI programs.
 * The mpi-adapter command puts them there for programs with an RPATH. environment_started() is called when MPI is initialized.
 * environment_loaded() is called when the library is loaded, and keeps the variable unless an object of the process needs one of
 * the libraries: launchers and shells must hand it on, and some have functions of their own for the environment. It returns
 * whether an object needs one, or none was preloaded. */
int environment_loaded(void);
void environment_started(void);

/* Returns the variables with which processes that MPI itself starts load the adapter, in lines NAME=VALUE; the caller frees them.
 * Null if there are none, or memory runs out. */
char *environment_of_children(void);

#endif
