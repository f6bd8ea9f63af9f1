/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables by which launchers tell a process its place (abi-tables/rank-variables), and those of the application's own MPI,
 * which are set from them. The program start-rank has this file, too, and no C library: nothing here calls one. */
#ifndef RANK_VARIABLES_H
#define RANK_VARIABLES_H

#include <stddef.h>

/* The facts before RANK_JOB are numbers. */
enum rank_fact { RANK_RANK, RANK_SIZE, RANK_LOCAL_RANK, RANK_LOCAL_SIZE, RANK_NODE, RANK_JOB, RANK_SOCKET, RANK_CONNECTION, RANK_COMMAND,
                 RANK_ARGUMENTS };

struct rank_launcher {
    char name[12], called[32]; /* as in the table; in messages */
};

/* Returns the launcher of this number, from 0; null after the last. */
const struct rank_launcher *rank_launcher_at(int number);

/* Returns the value of a variable in an environment, or null. */
const char *rank_variable_in(char *const *environment, const char *name);

/* Returns the fact, a number, that a launcher tells by its variables; -1 if it does not. Variables that the adapter has set
 * do not count. */
int rank_told(char *const *environment, int launcher, enum rank_fact fact);

/* Returns the name of the variable of this number, from 0, that tells the fact by any launcher; null after the last. */
const char *rank_variable_of(enum rank_fact fact, int number);

/* Variables to set, NAME=VALUE, and to remove, NAME. */
enum { RANK_WORDS = 64 };
struct rank_plan {
    char *words[RANK_WORDS];
    int count;
    char text[6144];
    size_t used;
};

/* Plans the variables that the launchers in `told`, a list with commas between, would set for this process. `host` is the
 * launcher that started it, by its name, or "" if any may have. Leaves variables alone that the user has set. */
void rank_plan_make(struct rank_plan *plan, char *const *environment, const char *told, const char *host);

/* The environment variable that lists what the adapter has set. */
#define RANK_MARK "MPI_ADAPTER_RANK_VARIABLES"

/* Returns the name of the variable with the rank by the first launcher in `told` if the adapter set it and the size, somebody has
 * removed both, and no job was started since. Such a process is to start alone, as it would with its own MPI. Null otherwise. */
const char *rank_removed(char *const *environment, const char *told);

/* Returns true if a process that had these variables has initialized MPI since. */
int rank_is_taken(char *const *environment);

/* Writes the value of RANK_MARK that says so to child processes. Returns false if there is none or no room for it. */
int rank_mark_taken(char *text, size_t size, char *const *environment);

/* Returns a number that no other socket has meanwhile, or 0 if the descriptor is none. Each program that has this file defines it. */
unsigned long rank_socket_at(int descriptor);

#endif
