/* SPDX-License-Identifier: BSD-3-Clause */
/* The locks of the adapter, and the order in which one thread takes them.
 *
 * A thread that holds a lock takes only locks that stand further down. Between two calls it holds none. Procedures of the
 * host run under some locks, and so do the program's callbacks that the host invokes: such a lock stands above all
 * that an MPI call may take. Locks that guard a table stand at the end, and nothing is called under them but malloc().
 *
 *   CHECK_LOCKS   a build with this macro aborts where a thread takes a lock out of order, and names both
 *                 (PARTS=locks make check-sanitizers; tests/sanitizers/locks.bats)
 *
 * fork() copies a lock as it is: one that another thread holds stays taken for good in the child. MPI may not be called there,
 * so only locks count that the hooks of dlopen(), dlsym() and getenv() take. These are `known_objects`, which fork()
 * therefore waits for, gotswap's own lock, which gotswap keeps across a fork in the same way, and trace_lines,
 * under which the child must not repeat the parent's half line. */
#ifndef LOCK_H
#define LOCK_H

#include <pthread.h>

/* From the outermost lock to the innermost: its name, and what it guards. */
#define LOCKS(EACH)                                                                                \
    /* Under these the host is called, and may call the program back. */                           \
    EACH(sessions)          /* the sessions that are built, and who started and ends MPI */         \
    EACH(error_codes)       /* recursive: calls that add or remove error codes, which hosts do not guard */ \
    EACH(adapter_comms)         /* the tag by which communicators of our own are made */                \
    EACH(partitioned)       /* one for each partitioned request: its messages and partitions */     \
    EACH(channels)          /* partitioned messages that wait for a request, and sent copies */     \
    EACH(buffers)           /* attached buffers and their messages; free while the host is asked */ \
    EACH(cxx_library)       /* the functions of the C++ bindings, looked up once */                 \
    /* Under these, layers are installed: overrides of the host's procedures. */                    \
    EACH(session_groups)    /* of which session a group is */                                       \
    EACH(comm_observers)    /* who is told of new communicators */                                  \
    EACH(stateful_objects)  /* references of operations and error handlers */                       \
    EACH(layers)            /* the layers of the host's procedures, and the links between them */     \
    EACH(cxx_functions)     /* functions of the C++ bindings that have trampolines */               \
    EACH(trace_lines)       /* the trace's file, and its line that is not ended */                  \
    /* Under these nothing is called that takes another. */                                        \
    EACH(signal_handlers)   /* what a signal did before the report's handler */                     \
    EACH(known_objects)     /* the loaded objects that isolation knows; see above */                \
    EACH(standing_handlers) /* error handlers that stand in for the program's predefined ones */    \
    EACH(tool_objects)      /* copies of handles that the tool interface has the addresses of */    \
    EACH(kept_names)        /* names that the host does not keep */                                 \
    EACH(enlarged_buffers)  /* buffers that are larger than the program's */                        \
    EACH(early_objects)     /* info objects that are made before MPI runs */                        \
    EACH(cxx_ops)           /* operations of the C++ bindings */                                    \
    EACH(freed_requests)    /* requests of our own that were freed while active */                  \
    EACH(adapter_requests)      /* places of requests of our own */                                     \
    EACH(held_handles)      /* references of handles, and frees that are put off */                 \
    EACH(retained_arrays)   /* arrays that live as long as a request */                             \
    EACH(fortran_cells)     /* attributes' values that Fortran stores */                            \
    EACH(closures)          /* trampolines */                                                       \
    EACH(file_views)        /* datatypes of views that stand in for others */                       \
    EACH(distinct_datatypes) /* duplicates of datatypes that stand in for others */                 \
    EACH(added_codes)       /* error codes that the program has added */                            \
    EACH(regions)           /* origins of compressed handles */                                     \
    EACH(given_statuses)    /* statuses that parts of the process have given as integers */         \
    EACH(complaints)        /* procedures that were complained of */

#define LOCK_PLACE(NAME) LOCK_##NAME,
enum lock_place { LOCKS(LOCK_PLACE) LOCK_COUNT };

/* Defines a lock that is in the list above, in a file or in a function. */
#define LOCK(NAME) static pthread_mutex_t NAME##_lock = PTHREAD_MUTEX_INITIALIZER

#ifdef CHECK_LOCKS
/* Called before a lock is taken and after it was released. */
void lock_check_taken(enum lock_place place);
void lock_check_released(enum lock_place place);
#else
#define lock_check_taken(place) ((void)0)
#define lock_check_released(place) ((void)0)
#endif

#define take_lock(NAME) take_lock_at(NAME, &NAME##_lock)
#define release_lock(NAME) release_lock_at(NAME, &NAME##_lock)

/* The same of a lock that lies in an object. */
#define take_lock_at(NAME, address) (lock_check_taken(LOCK_##NAME), (void)pthread_mutex_lock(address))
#define release_lock_at(NAME, address) ((void)pthread_mutex_unlock(address), lock_check_released(LOCK_##NAME))

#endif
