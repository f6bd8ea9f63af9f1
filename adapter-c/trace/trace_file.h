/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that the adapter writes for the user: traces and counts. */
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include <stddef.h>
#include <sys/types.h>

struct trace_file {
    int fd;         /* -1: none */
    int is_private; /* no other process writes to it */
    dev_t device;
    ino_t inode;
    const char *variable;
};

/* Opens, for appending, the file that an environment variable names. In the name %p stands for the
 * process's id, %r for its rank, %a for the adapter's pair, and %% for %; a file that has neither of the first
 * two gets the id at its end unless it is a terminal, a pipe or the like. Ends the process if that fails. */
void trace_file_open(struct trace_file *file, const char *variable, const char *name);

/* Opens a copy of standard error, which stays if the program closes that. No file if it is closed already. */
void trace_file_stderr(struct trace_file *file, const char *variable);

/* Returns whether an adapter, and another one that is its host, get different files by this name. */
int trace_file_is_own(const char *name);

/* Writes text in one piece. If that fails, or the program has closed the file, says so once
 * and writes no more. */
void trace_file_write(struct trace_file *file, const char *text, size_t length);

#endif
