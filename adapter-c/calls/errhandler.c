/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers, MPI-4.1 section 9.3. */
#include <pthread.h>

#include "calls/language.h"

#define ERROR_HANDLER(class)                                                                       \
    typedef void class##_handler(app_##class *, int *, ...);                                       \
    __attribute__((used)) static void class##_error(host_##class *handle, int *code, class##_handler *function) \
    {                                                                                              \
        app_##class converted = class##_to_app(*handle);                                           \
        int error = code_to_app(*code);                                                            \
        function(&converted, &error);                                                              \
    }                                                                                              \
    CLOSURE_ENTRY_3(class##_error_entry, class##_error)

ERROR_HANDLER(comm)
ERROR_HANDLER(win)
ERROR_HANDLER(file)
ERROR_HANDLER(session)

closure_entry *error_entry(int handle_class)
{
    return handle_class == CLASS_WIN    ? win_error_entry
           : handle_class == CLASS_FILE ? file_error_entry
                                        : comm_error_entry;
}

typedef int create_errhandler(mpi_function *, host_errhandler *);

static int create(create_errhandler *call, closure_entry *entry, mpi_function *function, app_errhandler *errhandler)
{
    host_errhandler made = HOST_MPI_ERRHANDLER_NULL;
    mpi_function *called = 0;
    entry = callback_entry(entry, function, 0);
    if (function && !(called = closure(entry, function)))
        return raise_error(HOST_MPI_ERR_NO_MEM);
    int rc = call(called, errhandler ? &made : 0);
    if (rc != 0)
        return error_to_app(rc);
    *errhandler = errhandler_to_app(made);
    return 0;
}

PROCEDURE(int, MPI_Comm_create_errhandler, mpi_function *function, app_errhandler *errhandler)
{
    return create(host.MPI_Comm_create_errhandler, comm_error_entry, function, errhandler);
}

PROCEDURE(int, MPI_Errhandler_create, mpi_function *function, app_errhandler *errhandler)
{
    return create(host.MPI_Comm_create_errhandler, comm_error_entry, function, errhandler);
}

PROCEDURE(int, MPI_Win_create_errhandler, mpi_function *function, app_errhandler *errhandler)
{
    return create(host.MPI_Win_create_errhandler, win_error_entry, function, errhandler);
}

PROCEDURE(int, MPI_File_create_errhandler, mpi_function *function, app_errhandler *errhandler)
{
    return create(host.MPI_File_create_errhandler, file_error_entry, function, errhandler);
}

PROCEDURE(int, MPI_Session_create_errhandler, mpi_function *function, app_errhandler *errhandler)
{
    return create(host.MPI_Session_create_errhandler, session_error_entry, function, errhandler);
}

int errhandler_create(int handle_class, mpi_function *called, host_errhandler *made)
{
    return (handle_class == CLASS_WIN    ? host.MPI_Win_create_errhandler
            : handle_class == CLASS_FILE ? host.MPI_File_create_errhandler
                                         : host.MPI_Comm_create_errhandler)(called, made);
}

/* Those that stand for a predefined one, by class. */
static host_errhandler standing[CLASS_COUNT];
static int is_standing[CLASS_COUNT];

host_errhandler errhandler_for_class(int handle_class, mpi_function *called)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!is_standing[handle_class] && called && errhandler_create(handle_class, called, &standing[handle_class]) == 0)
        __atomic_store_n(&is_standing[handle_class], 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    return is_standing[handle_class] ? standing[handle_class] : HOST_MPI_ERRHANDLER_NULL;
}

int errhandler_came_back(int handle_class, host_errhandler errhandler)
{
    if (!__atomic_load_n(&is_standing[handle_class], __ATOMIC_ACQUIRE) ||
        HOST_ERRHANDLER_BITS(errhandler) != HOST_ERRHANDLER_BITS(standing[handle_class]))
        return 0;
    host.MPI_Errhandler_free(&errhandler);
    return 1;
}

__attribute__((weak)) host_errhandler errhandler_of_class(int handle_class, app_errhandler errhandler)
{
    return errhandler_to_host(errhandler);
}

__attribute__((weak)) app_errhandler errhandler_from_class(int handle_class, host_errhandler errhandler)
{
    return errhandler_to_app(errhandler);
}

__attribute__((weak)) int errhandler_is_of_classes(app_errhandler errhandler)
{
    return 0;
}

PROCEDURE(int, MPI_Errhandler_free, app_errhandler *errhandler)
{
    if (errhandler && errhandler_is_of_classes(*errhandler)) {
        *errhandler = APP_MPI_ERRHANDLER_NULL;
        return 0;
    }
    host_errhandler freed = errhandler ? errhandler_to_host(*errhandler) : HOST_MPI_ERRHANDLER_NULL;
    int rc = host.MPI_Errhandler_free(errhandler ? &freed : 0);
    if (errhandler)
        *errhandler = errhandler_to_app(freed);
    return rc == 0 ? 0 : error_to_app(rc);
}

#define ERRHANDLERS(CLASS, class, Class, set, get)                                                 \
    PROCEDURE(int, set, app_##class handle, app_errhandler errhandler)                             \
    {                                                                                              \
        host_errhandler converted = errhandler_of_class(CLASS_##CLASS, errhandler);                \
        int rc = host.MPI_##Class##_set_errhandler(class##_to_host(handle), converted);            \
        return rc == 0 ? 0 : error_to_app(rc);                                                     \
    }                                                                                              \
    PROCEDURE(int, get, app_##class handle, app_errhandler *errhandler)                            \
    {                                                                                              \
        host_errhandler found = HOST_MPI_ERRHANDLER_NULL;                                          \
        int rc = host.MPI_##Class##_get_errhandler(class##_to_host(handle), errhandler ? &found : 0); \
        if (rc != 0)                                                                               \
            return error_to_app(rc);                                                               \
        *errhandler = errhandler_from_class(CLASS_##CLASS, found);                                 \
        return 0;                                                                                  \
    }

ERRHANDLERS(COMM, comm, Comm, MPI_Comm_set_errhandler, MPI_Comm_get_errhandler)
ERRHANDLERS(COMM, comm, Comm, MPI_Errhandler_set, MPI_Errhandler_get)
ERRHANDLERS(FILE, file, File, MPI_File_set_errhandler, MPI_File_get_errhandler)
ERRHANDLERS(WIN, win, Win, MPI_Win_set_errhandler, MPI_Win_get_errhandler)

/* This procedure succeeds if the handler returns: what a handler settled is this, and no failure. */
#define CALL_ERRHANDLER(class, Class)                                                              \
    PROCEDURE(int, MPI_##Class##_call_errhandler, app_##class handle, int code)                    \
    {                                                                                              \
        int host_code = error_to_host(code), rc = host.MPI_##Class##_call_errhandler(class##_to_host(handle), host_code); \
        if (rc != 0)                                                                               \
            return error_to_app(rc);                                                               \
        error_is_settled(host_code);                                                               \
        return 0;                                                                                  \
    }
CALL_ERRHANDLER(comm, Comm)
CALL_ERRHANDLER(file, File)
CALL_ERRHANDLER(win, Win)
