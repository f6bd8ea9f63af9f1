/* SPDX-License-Identifier: BSD-3-Clause */
/* Tracing and counting of calls to the host. While either is on, LAYER_TRACE overrides
 * each procedure by an entry of trace_entries.c, which calls trace_begin() and trace_end() around the next
 * layer; otherwise nothing of this is reached. */
#ifndef TRACE_H
#define TRACE_H

#include "host.h"

/* How a value is shown. */
enum { SHOW_NUMBER, SHOW_FLAGS, SHOW_HANDLE, SHOW_ADDRESS, SHOW_STRING, SHOW_SIZED, SHOW_STRINGS, SHOW_STATUS,
       SHOW_ERROR, SHOW_DOUBLE };

/* An argument holds the value, its address, or the address of an array. */
enum { TRACE_VALUE, TRACE_POINTED, TRACE_ARRAY };

enum { TRACE_IN = 1, TRACE_OUT = 2, TRACE_INOUT = TRACE_IN | TRACE_OUT };

/* The length of an array that is no parameter: not known, or from EXTENT_FIRST down the number of an extent
 * (abi-tables/rules). */
enum { EXTENT_UNKNOWN = -1, EXTENT_FIRST = -2 };

struct trace_parameter {
    uint16_t name; /* in trace_names */
    uint8_t kind;  /* for trace_name() */
    uint8_t show;
    uint8_t size; /* of the value, or of an array's item */
    uint8_t passed;
    uint8_t direction;
    int8_t extent; /* the number of the parameter that is the array's length, or an extent */
};

struct trace_procedure {
    uint16_t first; /* in trace_parameters */
    uint8_t count;
    int8_t comm;      /* the parameter that is, or -1 */
    int8_t places[4]; /* the parameters that extents are functions of, for trace_extent() */
    struct trace_parameter result;
};

/* In the order of host_procedure_names. */
extern const struct trace_procedure trace_procedures[];
extern const struct trace_parameter trace_parameters[], trace_status_fields[];
extern const char trace_names[];

/* Returns the host's name for a value of a kind, or null. The name is a constant. */
const char *trace_name(int kind, intptr_t value);

/* Returns the number of elements of an array whose length is this extent (abi-tables/rules). `places` are its procedure's,
 * above. */
int trace_extent(int extent, const int8_t *places, const intptr_t *arguments);

/* Installs the trace entries, LAYER_TRACE. Generated. */
void trace_install(void);

enum { TRACE_LINE = 4096 };

/* A call under way, on its trace entry's stack. */
struct trace_call {
    const intptr_t *arguments;
    const void *from;
    const struct trace_call *outer; /* the stand-in under way, of which this call may be a part */
    int64_t begun;                  /* on the monotonic clock, in nanoseconds */
    uint64_t number; /* in the report's ring */
    int index;
    unsigned char active, is_line, is_stand_in;
    unsigned length;
    char line[TRACE_LINE];
};

/* Begin and end a call of the procedure `index`. `from` is the caller's address. `arguments` must last until trace_end(). */
void trace_begin(struct trace_call *call, int index, const intptr_t *arguments, const void *from);
void trace_end(struct trace_call *call, intptr_t result);

/* Returns the bits of a result that is a double. */
INLINE intptr_t trace_double(double value)
{
    intptr_t bits;
    _Static_assert(sizeof bits == sizeof value, "a result holds a double");
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Reads MPI_ADAPTER_TRACE, MPI_ADAPTER_STATS and MPI_ADAPTER_REPORT, and starts what they ask for; `path` is the host's
 * library. An adapter whose host is an adapter leaves them to that one, unless each has a file of its own.
 * Ends the process if a file cannot be written. */
void trace_start(const char *path, int host_is_adapter);

/* Sets the process's rank in MPI_COMM_WORLD, once it is known. */
void trace_ranked(int rank);

/* Sets whether calls of the calling thread are left out. Returns the former setting. */
int trace_suspend(int suspended);

/* Writes the counts of calls, once. */
void trace_report(void);

#endif
