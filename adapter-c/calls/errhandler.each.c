/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers, MPI-4.1 section 9.3. */

#include "calls/language.h"
#include "layers/lock.h"
#include "convert/life.h"
#include "callbacks/stateful.h"


/* each
 * class
 * comm
 * win
 * file
 * session
 */
typedef void ${class}_handler(app_$class *, int *, ...);

__attribute__((used)) static void ${class}_error(host_$class *handle, int *code, ${class}_handler *function)
{
    app_$class converted = ${class}_to_app(*handle);
    int error = code_to_app(*code);
    function(&converted, &error);
}

CLOSURE_ENTRY_3(${class}_error_entry, ${class}_error)
/* end */

closure_entry *error_entry(int handle_class)
{
    return handle_class == CLASS_WIN    ? win_error_entry
           : handle_class == CLASS_FILE ? file_error_entry
                                        : comm_error_entry;
}

typedef int create_errhandler(mpi_function *, host_errhandler *);

static int create_app_errhandler(create_errhandler *call, closure_entry *entry, mpi_function *function,
                                 app_errhandler *errhandler)
{
    host_errhandler made = HOST_MPI_ERRHANDLER_NULL;
    mpi_function *called = 0;
    entry = callback_entry(entry, function, 0);
    if (function && !(called = closure(entry, function)))
        return raise_error(HOST_MPI_ERR_NO_MEM);
    host_code rc = call(called, errhandler ? &made : 0);
    if (rc != 0)
        return error_to_app(rc);
    *errhandler = errhandler_to_app(made);
    return 0;
}

PROCEDURE(app_code, MPI_Comm_create_errhandler, mpi_function *function, app_errhandler *errhandler)
{
    return create_app_errhandler(host.MPI_Comm_create_errhandler, comm_error_entry, function, errhandler);
}

PROCEDURE(app_code, MPI_Errhandler_create, mpi_function *function, app_errhandler *errhandler)
{
    return create_app_errhandler(host.MPI_Comm_create_errhandler, comm_error_entry, function, errhandler);
}

PROCEDURE(app_code, MPI_Win_create_errhandler, mpi_function *function, app_errhandler *errhandler)
{
    return create_app_errhandler(host.MPI_Win_create_errhandler, win_error_entry, function, errhandler);
}

PROCEDURE(app_code, MPI_File_create_errhandler, mpi_function *function, app_errhandler *errhandler)
{
    return create_app_errhandler(host.MPI_File_create_errhandler, file_error_entry, function, errhandler);
}

PROCEDURE(app_code, MPI_Session_create_errhandler, mpi_function *function, app_errhandler *errhandler)
{
    return create_app_errhandler(host.MPI_Session_create_errhandler, session_error_entry, function, errhandler);
}

static int create_x(create_errhandler *call, closure_entry *entry, mpi_function *function, mpi_function *destructor_fn,
                    void *extra_state, app_errhandler *errhandler)
{
    host_errhandler made = HOST_MPI_ERRHANDLER_NULL;
    if (!function || !destructor_fn || !errhandler)
        return raise_error(HOST_MPI_ERR_ARG);
    struct stateful *stateful = stateful_make(CLASS_ERRHANDLER, function, destructor_fn, extra_state);
    mpi_function *called = stateful ? closure(entry, (mpi_function *)stateful) : 0;
    host_code rc = called ? call(called, &made) : fail(HOST_MPI_ERR_NO_MEM);
    if (rc != 0) {
        stateful_discard(stateful);
        return error_to_app(rc);
    }
    stateful_publish(stateful, HOST_ERRHANDLER_BITS(made));
    *errhandler = errhandler_to_app(made);
    return 0;
}

/* Error handlers with a state. The procedure whose error such a handler returned from returns none to the application. */
/* each
 * class
 * comm
 * win
 * file
 * session
 */
typedef void ${class}_handler_x(app_$class, int, void *);

__attribute__((used)) static void ${class}_error_x(host_$class *handle, int *code, struct stateful *stateful)
{
    void *state;
    int raised = *code;
    ${class}_handler_x *function = (${class}_handler_x *)stateful_function(stateful, &state);
    if (!function)
        return;
    function(${class}_to_app(*handle), code_to_app(raised), state);
    error_settle(raised);
}

CLOSURE_ENTRY_3(${class}_error_x_entry, ${class}_error_x)

PROCEDURE(app_code, MPIX_${Class}_create_errhandler_x, mpi_function *function, mpi_function *destructor_fn, void *extra_state,
          app_errhandler *errhandler)
{
    return create_x(host.MPI_${Class}_create_errhandler, ${class}_error_x_entry, function, destructor_fn, extra_state, errhandler);
}
/* end */

int errhandler_create(int handle_class, mpi_function *called, host_errhandler *made)
{
    return (handle_class == CLASS_WIN    ? host.MPI_Win_create_errhandler
            : handle_class == CLASS_FILE ? host.MPI_File_create_errhandler
                                         : host.MPI_Comm_create_errhandler)(called, made);
}

/* The host's error handlers that stand for a predefined one, by class, and the lives of MPI in which they were made. */
static host_errhandler standing[CLASS_COUNT];
static uint32_t life_of_standing[CLASS_COUNT];

static int is_standing(int handle_class)
{
    return __atomic_load_n(&life_of_standing[handle_class], __ATOMIC_ACQUIRE) == life();
}

/* Several threads may come here at once, with an error handler each. */
host_errhandler errhandler_for_class(int handle_class, mpi_function *called)
{
    LOCK(standing_handlers);
    host_errhandler made;
    if (is_standing(handle_class))
        return standing[handle_class];
    if (!called || errhandler_create(handle_class, called, &made) != 0)
        return HOST_MPI_ERRHANDLER_NULL;
    take_lock(standing_handlers);
    int first = !is_standing(handle_class);
    if (first) {
        standing[handle_class] = made;
        __atomic_store_n(&life_of_standing[handle_class], life(), __ATOMIC_RELEASE);
    }
    release_lock(standing_handlers);
    if (!first)
        host.MPI_Errhandler_free(&made);
    return standing[handle_class];
}

int errhandler_came_back(int handle_class, host_errhandler errhandler)
{
    if (!is_standing(handle_class) ||
        HOST_ERRHANDLER_BITS(errhandler) != HOST_ERRHANDLER_BITS(standing[handle_class]))
        return 0;
    host.MPI_Errhandler_free(&errhandler);
    return 1;
}

PROCEDURE(app_code, MPI_Errhandler_free, app_errhandler *errhandler)
{
    if (errhandler && bindings.errhandler_is_of_classes(*errhandler)) {
        *errhandler = APP_MPI_ERRHANDLER_NULL;
        return 0;
    }
    host_errhandler freed = errhandler ? errhandler_to_host(*errhandler) : HOST_MPI_ERRHANDLER_NULL;
    host_code rc = host.MPI_Errhandler_free(errhandler ? &freed : 0);
    if (errhandler)
        *errhandler = errhandler_to_app(freed);
    return rc == 0 ? 0 : error_to_app(rc);
}

/* each
 * class  set                      get
 * comm   MPI_Comm_set_errhandler  MPI_Comm_get_errhandler
 * comm   MPI_Errhandler_set       MPI_Errhandler_get
 * file   MPI_File_set_errhandler  MPI_File_get_errhandler
 * win    MPI_Win_set_errhandler   MPI_Win_get_errhandler
 */
/* Null files have handlers, and an application's null pointer is some host's null file. */
PROCEDURE(app_code, $set, app_$class handle, app_errhandler errhandler)
{
    host_$class its_handle = ${class}_to_host(handle);
    if (CLASS_$CLASS == CLASS_FILE && unlikely(is_no_$class(handle, its_handle)))
        return raise_$class(HOST_NULL_$class, HOST_MPI_ERR_$NAME);
    host_errhandler converted = bindings.errhandler_of_class(CLASS_$CLASS, errhandler);
    host_code rc = host.MPI_${Class}_set_errhandler(its_handle, converted);
    return rc == 0 ? 0 : error_to_app(rc);
}

PROCEDURE(app_code, $get, app_$class handle, app_errhandler *errhandler)
{
    host_$class its_handle = ${class}_to_host(handle);
    if (CLASS_$CLASS == CLASS_FILE && unlikely(is_no_$class(handle, its_handle)))
        return raise_$class(HOST_NULL_$class, HOST_MPI_ERR_$NAME);
    host_errhandler found = HOST_MPI_ERRHANDLER_NULL;
    host_code rc = host.MPI_${Class}_get_errhandler(its_handle, errhandler ? &found : 0);
    if (rc != 0)
        return error_to_app(rc);
    *errhandler = bindings.errhandler_from_class(CLASS_$CLASS, found);
    return 0;
}
/* end */

/* This procedure succeeds if the handler returns: what a handler settled is this, and no failure. */
/* each
 * class
 * comm
 * file
 * win
 */
PROCEDURE(app_code, MPI_${Class}_call_errhandler, app_$class handle, app_code code)
{
    host_code its = error_to_host(code), rc = host.MPI_${Class}_call_errhandler(${class}_to_host(handle), its);
    if (rc != 0)
        return error_to_app(rc);
    error_is_settled(its);
    return 0;
}
/* end */
