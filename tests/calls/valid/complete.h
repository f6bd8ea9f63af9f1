/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that the generated calls use, besides their objects: Fortran's arguments, and printing of results. */
#ifndef COMPLETE_H
#define COMPLETE_H

#include <ISO_Fortran_binding.h>
#include <string.h>
#include <unistd.h>

#include "objects.h"

/* C; Fortran, whose arguments are addresses; the same with buffers that are array descriptors. */
enum interface { C, FORTRAN, DESCRIPTORS };

/* Who makes a call: a process that is alone, after MPI_Init and with all objects; two at the same time; or a process that
 * begins MPI for it. */
enum maker { BY_ONE, BY_TWO, FIRST };

/* A procedure of MPI; `call` calls an entry point of it. */
struct call {
    const char *name;
    void (*call)(int interface, void *address);
    enum maker maker;
};
extern const struct call calls[];

struct named {
    const char *name;
    long long value;
};
extern const struct named names_COMM[], names_DATATYPE[], names_ERRHANDLER[], names_FILE[], names_GROUP[], names_INFO[],
    names_MESSAGE[], names_OP[], names_REQUEST[], names_SESSION[], names_WIN[], names_ERROR_CODE[], names_RANK[], names_TAG[];

/* The room of a parameter, with numbers for a procedure to read, or as one that writes to it finds it. */
void *in_room(int parameter);
void *out_room(int parameter);
void poison(void *at, size_t size);
int is_touched(const void *at, size_t size);

/* How a call ended. */
void ended(int code);
void ended_value(void);
void ended_unsupported(void);

/* Arguments of Fortran. Where C's handles are integers too, they are the same, and some libraries have no functions for it. */
#define TO_FORTRAN(name, handle) (sizeof(handle) == sizeof(MPI_Fint) ? (MPI_Fint)(intptr_t)(handle) : name##_c2f(handle))
#define FROM_FORTRAN(name, type, number) (sizeof(type) == sizeof(MPI_Fint) ? (type)(intptr_t)(number) : name##_f2c(number))
#define DESCRIBE(name, address) CFI_CDESC_T(1) name; describe((CFI_cdesc_t *)&name, address)
void describe(CFI_cdesc_t *descriptor, void *address);
void terminate(char *text, size_t length);
int from_index(int index);
void *fortran_symbol(const char *name);

/* Of an array, so many elements are shown. */
void show_touched(const char *name, const void *at);
void show_numbers(const char *name, const void *at, size_t size, int count, const struct named *names);
void show_made(const char *name, const void *at, size_t size, int count, const struct named *names);
void show_flags(const char *name, const void *at, size_t size, int count, const struct named *names);
void show_classes(const char *name, const void *at, int count);
void show_text(const char *name, const char *at);
void show_pointer(const char *name, const void *at);
void show_buffer(const char *name, const void *at);
void show_statuses(const char *name, const void *at, int count, int has_error);
void show_comm(const char *name, const void *at, int count);
void show_datatype(const char *name, const void *at, int count);
void show_errhandler(const char *name, const void *at, int count);
void show_file(const char *name, const void *at, int count);
void show_group(const char *name, const void *at, int count);
void show_info(const char *name, const void *at, int count);
void show_message(const char *name, const void *at, int count);
void show_op(const char *name, const void *at, int count);
void show_request(const char *name, const void *at, int count);
void show_session(const char *name, const void *at, int count);
void show_win(const char *name, const void *at, int count);

/* Run before or after a call. finish_started() starts a persistent request first. */
void finish(void *request);
void finish_started(void *request);
void send_to_self(void);
void receive_from_self(void);
void show_received(void);
void attach(void);
void attach_as_named(void);
void attach_to_comm(void);
void attach_to_session(void);
MPI_Request complete_request(void);
MPI_Request receiving(void);
MPI_Win shared_window(void);
MPI_Win dynamic_window(void *attached);
int added_class(void);
int to_int(const char *procedure, intptr_t handle);
const char *name_of_category(void);
const char *name_of_variable(int is_performance);

/* Of calls by two processes, and of first ones: a session, the other's rank, what lies between the two, groups of one of them,
 * and partitioned messages from each to the other, whose requests are `out` and `in`. */
MPI_Session new_session(void);
int myself(void);
int other(void);
int socket_between(void);
void disconnect(void *joined);
MPI_Comm between(void);
MPI_Group group_of(int rank);
extern MPI_Request partner;
void send_partitions(void *out);
void receive_partitions(void *in);
void start_partitions(void *out, void *in);
void exchange_partitions(void *out, void *in);
void let_arrive(void *out, void *in);
void await_partitions(void *out, void *in);
void show_arrived(void);

#endif
