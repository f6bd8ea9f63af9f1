/* SPDX-License-Identifier: BSD-3-Clause */
/* The trail of failure, MPI_ADAPTER_REPORT: a process that dies leaves a file that tells of what and in what
 * surroundings, with its last calls. While it is wanted, each call is noted in a ring, by the trace entries. */
#ifndef REPORT_H
#define REPORT_H

#include "trace/trace.h"

/* Starts if a folder is given, in which files can be made, and takes the signals by which programs die. Ends the
 * process if none can be made there. `names` are the procedures' by number. */
void report_start(const char *folder, const char *const *names);

int report_is_on(void);

/* Around what the host does when it is loaded and initialized: the handlers that it sets up meanwhile are called after
 * ours, those of the program instead of ours. */
void report_before_host(void);
void report_after_host(void);

/* Adds a line to what the file begins with. Not to be called by several threads. */
COLD void report_fact(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Notes a call that begins, and that it has returned. */
void report_begin(const struct trace_call *call, uint64_t *number);
void report_end(uint64_t number, int index, intptr_t result);

/* MPI is initialized, or has been finalized: a process that ends between is one that fails. */
void report_initialized(void);
void report_finalized(void);

/* Writes the file: the program dies of this. */
COLD void report_death(const char *reason, intptr_t number);

/* Writes it too, but a program that goes on and ends as it should leaves no file. */
COLD void report_refusal(const char *procedure);

/* Writes it too, if MPI has not been finalized: the host ends the process by this. */
COLD void report_host_end(const char *by);

/* The process ends by exit(). */
void report_exit(void);

#endif
