/* SPDX-License-Identifier: BSD-3-Clause */
/* Support of the programs that generate.py makes: what they print, and what they fill and compare buffers by. */
#ifndef RANDOM_SUPPORT_H
#define RANDOM_SUPPORT_H

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A process's place in MPI_COMM_WORLD. */
extern int me, everyone;

/* The programs of a batch, one after the other, by MPI_Init_thread() with the level wanted. */
struct program {
    const char *name;
    void (*run)(void);
};
extern const struct program programs[];
extern const int programs_count, wanted_level;

/* Prints a line behind the program's name and the step. */
void at(int step);
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the class of a code that is an error. Returns whether it is none. */
int ok(int code, const char *call);
#define OK(call) ok(call, #call)
const char *class_name(int code);
/* Prints the class of a code in any case: for calls that are to fail. */
void outcome(const char *label, int code);

/* Whether this run leaves something out, as its host has a known fault: by the check of tests/c/known-faults.tsv. */
int avoids(const char *check);

/* A value that is not significant. A host that looks at it nevertheless gets a good one. */
#define JUNK(type) (*(type *)junk())
#define JUNK_UNLESS(check, type, good) (avoids(check) ? (good) : JUNK(type))
void *junk(void);
/* An address for a buffer of no elements: none of this MPI's constants, and maybe one of another MPI. */
void *anywhere(unsigned seed);

/* Memory for COUNT elements of a datatype, with margins, filled by SEED. */
struct space {
    unsigned char *memory;
    size_t size;
    void *at;
};
struct space space_for(MPI_Count count, MPI_Datatype type, unsigned seed);
void say_space(const char *label, struct space *space); /* its digest with all gaps and margins; frees it */
void fill(void *memory, size_t size, unsigned seed);
/* Integers of 0 to 9. */
void fill_ints(int *numbers, int count, unsigned seed);
unsigned digest(const void *memory, size_t size);
void say_ints(const char *label, const int *numbers, int count);

void say_status(const char *label, const MPI_Status *status, MPI_Datatype type);
void clear_status(MPI_Status *status);
void say_comm(const char *label, MPI_Comm comm);
void say_group(const char *label, MPI_Group group);
void say_type(const char *label, MPI_Datatype type);
void say_info(const char *label, MPI_Info info);

/* Attributes of three classes of objects. Copies add 1 to a value. */
enum { COPIED, SHARED, REFUSED, KINDS };
void keyval_for(char of, int kind, int *keyval);
void set_attribute(char of, void *object, int keyval, int value);
void say_attribute(const char *label, char of, void *object, int keyval);
/* Takes what MPI promises for what ran, if this host is known to call functions of attributes where MPI does not say so. */
void promise_callbacks(const char *check, int deleted);
/* Prints how often functions of attributes ran since the last time. */
void say_callbacks(const char *label);

/* Operations: ADD is commutative; COMPOSE, on pairs of integers, is not. Both look at the datatype. */
void add_modulo(void *in, void *out, int *count, MPI_Datatype *type);
void compose(void *in, void *out, int *count, MPI_Datatype *type);
extern MPI_Datatype expected_type;
/* Prints whether an operation saw another datatype than EXPECTED_TYPE. */
void say_operation(const char *label);
#ifdef WITH_LARGE
void add_modulo_large(void *in, void *out, MPI_Count *count, MPI_Datatype *type);
void compose_large(void *in, void *out, MPI_Count *count, MPI_Datatype *type);
#endif

/* Error handlers that note whom they are called for, and the class. */
void handle_comm(MPI_Comm *comm, int *code, ...);
void handle_win(MPI_Win *win, int *code, ...);
void handle_file(MPI_File *file, int *code, ...);
extern MPI_Comm expected_comm;
void say_handled(const char *label);

/* Completes an array of requests by a procedure, and prints what it learns in the order of the array. TYPES has the type
 * that each status is counted in, or MPI_DATATYPE_NULL. Statuses are ignored if IGNORE; if that is COMPLETED, it is not said
 * either whether a request is kept. */
enum { COMPLETED = 2 };
enum { WAIT, TEST, WAITALL, TESTALL, WAITANY, TESTANY, WAITSOME, TESTSOME, GET_STATUS, PROCEDURES };
void complete(const char *label, int procedure, int count, MPI_Request *requests, const MPI_Datatype *types, int ignore);

/* A generalized request, completed at once if NOW, else by a thread's work of finish_generalized(). */
void start_generalized(MPI_Request *request, int value);
void finish_generalized(MPI_Request request);
void say_generalized(const char *label);

/* Whether a process is its own neighbor in a Cartesian grid, or another one twice: Open MPI exchanges these messages. */
int is_crowded(MPI_Comm comm);

/* A file's name, the same on all ranks. */
const char *file_name(int number);

#endif
