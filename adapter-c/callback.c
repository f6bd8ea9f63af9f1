/* SPDX-License-Identifier: BSD-3-Clause */
/* User reductions (MPI-4.1 section 6.9.5), error handlers (section 9.3), generalized requests
 * (section 13.2) and data representations (section 14.5.3). Inside a callback the application
 * calls MPI as anywhere else; the handles it is given are those it holds. */
#include "adapter.h"
#include "hold.h"
#include "language.h"

typedef void app_reduction(void *, void *, void *, app_datatype *);

/* `length` is an int or, for MPI_Op_create_c, an MPI_Count: both sides agree. */
static __attribute__((noinline)) void reduce_derived(void *in, void *inout, void *length, host_datatype *datatype,
                                                     app_reduction *function)
{
    app_datatype converted = datatype_to_app(*datatype);
    function(in, inout, length, &converted);
}

/* Most are of predefined datatypes, whose conversion calls nothing: no register is saved for it. */
static void reduce(void *in, void *inout, void *length, host_datatype *datatype, app_reduction *function)
{
    const struct predefined *found = predefined_find(&predefined_datatype, HOST_DATATYPE_BITS(*datatype));
    if (unlikely(!found)) {
        reduce_derived(in, inout, length, datatype, function);
        return;
    }
    app_datatype converted = APP_DATATYPE_FROM(found->app);
    function(in, inout, length, &converted);
}
CLOSURE_ENTRY_5(reduce_entry, reduce)

#define MAKE(Name)                                                                                 \
    INLINE int make_##Name(mpi_function *function, int commute, app_op *op)                        \
    {                                                                                              \
        host_op made = HOST_MPI_OP_NULL;                                                           \
        mpi_function *called = 0;                                                                  \
        if (function && !(called = closure(reduce_entry, function)))                               \
            return raise_error(HOST_MPI_ERR_NO_MEM);                                               \
        int rc = host.MPI_##Name(called, commute, op ? &made : 0);                                 \
        if (rc != 0)                                                                               \
            return error_to_app(rc);                                                               \
        *op = op_to_app(made);                                                                     \
        return 0;                                                                                  \
    }
MAKE(Op_create)
MAKE(Op_create_c)

__attribute__((weak)) app_op op_postponed(mpi_function *function, int commute)
{
    return APP_MPI_OP_NULL;
}

__attribute__((weak)) void op_freed(app_op op)
{
}

PROCEDURE(int, MPI_Op_create, mpi_function *function, int commute, app_op *op)
{
    app_op postponed = op_postponed(function, commute);
    if (op && APP_OP_BITS(postponed) != APP_OP_BITS(APP_MPI_OP_NULL)) {
        *op = postponed;
        return 0;
    }
    return make_Op_create(function, commute, op);
}

PROCEDURE(int, MPI_Op_create_c, mpi_function *function, int commute, app_op *op)
{
    return make_Op_create_c(function, commute, op);
}

PROCEDURE(int, MPI_Op_free, app_op *op)
{
    host_op freed = op ? op_to_host(*op) : HOST_MPI_OP_NULL;
    int rc = free_op(op ? &freed : 0);
    if (rc != 0)
        return error_to_app(rc);
    op_freed(*op);
    *op = op_to_app(freed);
    return 0;
}

#define ERROR_HANDLER(class)                                                                       \
    typedef void class##_handler(app_##class *, int *, ...);                                       \
    __attribute__((used)) static void class##_error(host_##class *handle, int *code, class##_handler *function) \
    {                                                                                              \
        app_##class converted = class##_to_app(*handle);                                           \
        int error = error_to_app(*code);                                                           \
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

/* A generalized request's callbacks; freed with the request. */
struct grequest {
    int (*query)(void *, app_status *);
    int (*free)(void *);
    int (*cancel)(void *, int);
    void *state;
};

static int grequest_query(void *state, host_status *status)
{
    const struct grequest *grequest = state;
    app_status converted = { 0 };
    status_to_app(&converted, status);
    int rc = grequest->query(grequest->state, &converted);
    if (status != HOST_MPI_STATUS_IGNORE) {
        int error = status->MPI_ERROR;
        status_to_host(status, &converted);
        status->MPI_ERROR = error;
    }
    return error_to_host(rc);
}

static int grequest_free(void *state)
{
    struct grequest *grequest = state;
    int rc = grequest->free(grequest->state);
    free(grequest);
    return error_to_host(rc);
}

static int grequest_cancel(void *state, int complete)
{
    const struct grequest *grequest = state;
    return error_to_host(grequest->cancel(grequest->state, complete));
}

PROCEDURE(int, MPI_Grequest_start, int (*query)(void *, app_status *), int (*release)(void *),
          int (*cancel)(void *, int), void *state, app_request *request)
{
    struct grequest *grequest = malloc(sizeof *grequest);
    if (!grequest)
        return raise_error(HOST_MPI_ERR_NO_MEM);
    *grequest = (struct grequest){ query, release, cancel, state };
    host_request made;
    int rc = host.MPI_Grequest_start((mpi_function *)grequest_query, (mpi_function *)grequest_free,
                                     (mpi_function *)grequest_cancel, grequest, request ? &made : 0);
    if (rc != 0) {
        free(grequest);
        return error_to_app(rc);
    }
    *request = request_to_app(made);
    return 0;
}

/* A data representation's callbacks; it stays registered until the process ends. */
typedef int extent_function(app_datatype, MPI_Aint *, void *);
typedef int conversion_function(void *, app_datatype, int, void *, MPI_Offset, void *);
typedef int conversion_function_c(void *, app_datatype, MPI_Count, void *, MPI_Offset, void *);
struct datarep {
    mpi_function *read, *write;
    extent_function *extent;
    void *state;
};

static int datarep_extent(host_datatype datatype, MPI_Aint *extent, void *state)
{
    const struct datarep *datarep = state;
    return error_to_host(datarep->extent(datatype_to_app(datatype), extent, datarep->state));
}

#define CONVERSION(name, field, type, count_type)                                                  \
    static int name(void *user, host_datatype datatype, count_type count, void *file,              \
                    MPI_Offset position, void *state)                                              \
    {                                                                                              \
        const struct datarep *datarep = state;                                                     \
        return error_to_host(((type *)datarep->field)(user, datatype_to_app(datatype), count, file, \
                                                      position, datarep->state));                  \
    }
CONVERSION(datarep_read, read, conversion_function, int)
CONVERSION(datarep_write, write, conversion_function, int)
CONVERSION(datarep_read_c, read, conversion_function_c, MPI_Count)
CONVERSION(datarep_write_c, write, conversion_function_c, MPI_Count)

/* The application's large-count functions, called by a host that has counts of type int only. */
CONVERSION(datarep_widened_read, read, conversion_function_c, int)
CONVERSION(datarep_widened_write, write, conversion_function_c, int)

int built_MPI_Register_datarep_c(const char *name, mpi_function *read, mpi_function *write, mpi_function *extent,
                                 void *state)
{
    if (read == (mpi_function *)datarep_read_c)
        read = (mpi_function *)datarep_widened_read;
    if (write == (mpi_function *)datarep_write_c)
        write = (mpi_function *)datarep_widened_write;
    return host.MPI_Register_datarep(name, read, write, extent, state);
}

typedef int register_function(const char *, mpi_function *, mpi_function *, mpi_function *, void *);

/* A null pointer for the extent's function is the host's to refuse. */
static int register_datarep(register_function *call, const char *name, mpi_function *read, mpi_function *write,
                            struct datarep callbacks)
{
    struct datarep *datarep = malloc(sizeof *datarep);
    if (!datarep)
        return raise_file(HOST_MPI_FILE_NULL, HOST_MPI_ERR_NO_MEM);
    *datarep = callbacks;
    if ((void *)callbacks.read == APP_MPI_CONVERSION_FN_NULL)
        read = (mpi_function *)HOST_MPI_CONVERSION_FN_NULL;
    if ((void *)callbacks.write == APP_MPI_CONVERSION_FN_NULL)
        write = (mpi_function *)HOST_MPI_CONVERSION_FN_NULL;
    int rc = call(name, read, write, callbacks.extent ? (mpi_function *)datarep_extent : 0, datarep);
    if (rc != 0) {
        free(datarep);
        return error_to_app(rc);
    }
    return 0;
}

PROCEDURE(int, MPI_Register_datarep, const char *name, mpi_function *read, mpi_function *write,
          extent_function *extent, void *state)
{
    return register_datarep(host.MPI_Register_datarep, name, (mpi_function *)datarep_read,
                            (mpi_function *)datarep_write, (struct datarep){ read, write, extent, state });
}

PROCEDURE(int, MPI_Register_datarep_c, const char *name, mpi_function *read, mpi_function *write,
          extent_function *extent, void *state)
{
    return register_datarep(host.MPI_Register_datarep_c, name, (mpi_function *)datarep_read_c,
                            (mpi_function *)datarep_write_c, (struct datarep){ read, write, extent, state });
}
