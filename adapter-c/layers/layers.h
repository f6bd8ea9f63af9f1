/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the host's procedures, and who stands in it ahead of the host.
 *
 * A layer overrides procedures. A call of `host.MPI_X()` reaches the outermost layer that overrides MPI_X, which calls
 * NEXT() for the one within, and so on to the host. If no layer overrides a procedure, the table holds the host's own
 * procedure, and a call costs nothing more. */
#ifndef LAYERS_H
#define LAYERS_H

#include <stddef.h>
#include <stdint.h>

#include "host.h"

/* The layers, from the host outwards. The order is the same whichever comes first. layers.c has their names. */
enum layer {
    LAYER_HOST,        /* the host's own procedure, or the stand-in for one that it lacks */
    LAYER_HOST_TOOL,   /* next to the host: a tool calls the host's PMPI_X itself, and would pass over a layer within */
    LAYER_WORKAROUND,  /* around tools, too: nobody further out may see the host's fault */
    LAYER_TRACE,       /* shows what the host is asked, by the program and by the layers around; workarounds are part of the host */
    LAYER_LAUNCH_INFO, /* MPI_INFO_ENV as the program's own MPI fills it */
    LAYER_FILE_NAME,   /* names of files in the host's words, which the trace shows */
    LAYER_DATATYPE,    /* datatypes of large counts; it needs the host's envelopes only */
    LAYER_LIFE,        /* the life of MPI ends with the host's MPI_Finalize: buffers are flushed right ahead of it */
    LAYER_EARLY,       /* info objects are copied while MPI still runs, so ahead of LAYER_LIFE */
    LAYER_BUFFER,      /* buffered sends */
    LAYER_NEW_COMM,    /* tells of new communicators once the host has made them */
    LAYER_OF_SESSION,  /* a session's buffer is flushed before LAYER_LIFE flushes what is left */
    LAYER_PARTITIONED, /* what partitioned sends have begun is received before buffers go */
    LAYER_LIFETIME,    /* destructors run when all of the above have ended: any of them may still raise an error */
    LAYER_WORLD,       /* the world model beside stand-ins for sessions: its MPI_Finalize need not end MPI, so no layer
                          within may see it before MPI ends */
    LAYER_NATIVE,      /* numbers that one part of the process has from another become the host's for all within */
    LAYER_ISOLATION,   /* what a tool rewrote is bound again before anything within has the host call itself */
    LAYER_REFUSAL,     /* the host cannot be used: nothing within may run */
    LAYERS
};

/* One procedure's override by one layer, as it is linked into the procedure's chain. */
struct layer_link {
    mpi_function *next;
    uint32_t number; /* of the procedure, from 1; 0 while it is not installed */
};

/* The overrides of one file for one layer: this, followed by the links. */
struct layer_part {
    struct layer_part *older;
    uint32_t links;
};

/* Defines a file's part, a static variable, of what `each_procedure(OF)` lists: OF(MPI_X) for each. */
#define LAYER_PART(part, each_procedure) static struct { struct layer_part head; each_procedure(LAYER_LINK) } part
#define LAYER_LINK(name)                                                                           \
    struct {                                                                                       \
        __typeof__(((struct host_procedures *)0)->name) next;                                      \
        uint32_t number;                                                                           \
    } name;

/* The same if the procedures are known only at run time: a link for each procedure. */
#define LAYER_PART_OF_ALL(part) static struct { struct layer_part head; struct layer_link link[HOST_PROCEDURES]; } part

/* Calls the next layer in: NEXT(part, MPI_X)(...). */
#define NEXT(part, name) ((part).name.next)

struct override {
    mpi_function *ours;
    struct layer_link *link;
    int procedure;
};

#define PROCEDURE_NUMBER(name) ((int)(offsetof(struct host_procedures, name) / sizeof(mpi_function *)))

/* Arrays of overrides are made on the stack: a constant one would cost each start of each process a relocation for each
 * address. The compiler makes it constant if it knows the addresses. */
static inline __attribute__((always_inline)) void *layer_address(const void *address)
{
    __asm__("" : "+r"(address));
    return (void *)address;
}

#define OVERRIDE(part, name, function)                                                             \
    { (mpi_function *)layer_address((const void *)(1 ? (function) : NEXT(part, name))),            \
      (struct layer_link *)layer_address(&(part).name), PROCEDURE_NUMBER(name) }

/* Installs overrides, OVERRIDE(part, MPI_X, function) each, at their layer's place. */
#define LAYER_INSTALL(layer, part, ...)                                                            \
    do {                                                                                           \
        const struct override overrides_[] = { __VA_ARGS__ };                                      \
        layer_install(layer, &(part).head, LAYER_LINKS(part), overrides_, sizeof overrides_ / sizeof *overrides_); \
    } while (0)
#define LAYER_LINKS(part) ((sizeof (part) - sizeof (part).head) / sizeof(struct layer_link))

/* Installs an array of overrides. Any thread may call it at any time: a thread that calls a procedure meanwhile finds the
 * chain as it was or as it will be. Skips a procedure that this layer overrides already. */
void layer_install(enum layer layer, struct layer_part *part, size_t links, const struct override *overrides, size_t count);

/* Removes a part's overrides. Calls that are in them go on, so that NEXT() still works. */
void layer_remove(enum layer layer, struct layer_part *part);

/* Returns the next function inwards for a procedure that the layer does not override: WITHIN(LAYER_X, MPI_X)(...). */
mpi_function *layer_within(enum layer layer, int procedure);
#define WITHIN(layer, name) ((__typeof__(host.name))layer_within(layer, PROCEDURE_NUMBER(name)))

/* Puts the host's procedure into the table, or the stand-in for one that the host lacks. For start/load.c, before any layer is
 * installed. */
void layer_host(int procedure, mpi_function *function, int is_stand_in);

/* Returns whether the host lacks a procedure, so that a stand-in answers for it. */
int layer_host_lacks(int procedure);
#define HOST_LACKS(name) layer_host_lacks(PROCEDURE_NUMBER(name))

/* Returns a function that calls the procedure as the table holds it at that time, so through all layers. For objects that are compiled
 * for the host. */
mpi_function *layer_entry(int procedure);

/* Writes the names of a procedure's layers, from the outermost to the host, into a text of at most `size` bytes. */
void layer_describe(int procedure, char *text, size_t size);

/* The table for the adapter's own calls, which tools do not see. Without tools it is the same table. */
extern HIDDEN const struct host_procedures *host_itself;

/* Makes `host_itself` a copy of the table as it is. Called ahead of tools. */
void layer_keep_from_tools(void);

#endif
