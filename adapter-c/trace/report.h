/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a failure, MPI_ADAPTER_REPORT: a process that dies leaves a file with the cause, its surroundings and its
 * last calls. While reports are wanted, the trace entries note each call in a ring. */
#ifndef REPORT_H
#define REPORT_H

#include "trace/trace.h"

/* Starts, if a folder is given, and handles the signals by which programs die. Ends the process if no file can be made in
 * the folder. `names` are the procedures', by number. */
void report_start(const char *folder, const char *const *names);

/* Returns whether reports are wanted. */
int report_is_on(void);

/* Enclose the loading and the initialization of the host: signal handlers that it installs meanwhile are called after ours.
 * The program's replace ours. */
void report_before_host(void);
void report_after_host(void);

/* Adds a line, "key: text", to the beginning of the file. Not thread-safe. */
COLD void report_fact(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Note that a call begins, and that it has returned. `number` is the call's, in the ring. */
void report_begin(const struct trace_call *call, uint64_t *number);
void report_end(uint64_t number, int index, intptr_t result);

/* Note that MPI is initialized, and that it has been finalized. A process that ends between these has failed. */
void report_initialized(void);
void report_finalized(void);

/* Writes the file: the program dies of this. */
COLD void report_death(const char *reason, intptr_t number);

/* Writes the file for a procedure that the host lacks. A program that goes on and ends normally removes it. */
COLD void report_refusal(const char *procedure);

/* Writes the file, if MPI has not been finalized: the host ends the process by this function. */
COLD void report_host_end(const char *by);

/* Writes the file if the process ends by exit() between initialization and MPI_Finalize. */
void report_exit(void);

#endif
