/* SPDX-License-Identifier: BSD-3-Clause */
/* User reductions, MPI-4.1 section 6.9.5. Inside a callback the application calls MPI as anywhere else; the
 * handles it is given are those it holds. */
#include "calls/language.h"
#include "convert/adapter.h"
#include "keep/distinct_datatype.h"
#include "keep/held_handle.h"
#include "keep/stateful.h"

typedef void app_reduction(void *, void *, void *, app_datatype *);

/* `length` is an int or, for MPI_Op_create_c, an MPI_Count: both sides agree. */
static __attribute__((noinline)) void reduce_derived(void *in, void *inout, void *length, host_datatype *datatype,
                                                     app_reduction *function)
{
    app_datatype converted = distinct_datatype_to_app(*datatype);
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

closure_entry *reduction_entry(void)
{
    return reduce_entry;
}

#define MAKE(Name)                                                                                 \
    INLINE int make_##Name(mpi_function *function, int commute, app_op *op)                        \
    {                                                                                              \
        host_op made = HOST_MPI_OP_NULL;                                                           \
        mpi_function *called = 0;                                                                  \
        if (function && !(called = reduction_closure(callback_entry(reduce_entry, function, 0), function)))  \
            return raise_error(HOST_MPI_ERR_NO_MEM);                                               \
        host_code rc = host.MPI_##Name(called, commute, op ? &made : 0);                                 \
        if (rc != 0)                                                                               \
            return error_to_app(rc);                                                               \
        *op = op_to_app(made);                                                                     \
        return 0;                                                                                  \
    }
MAKE(Op_create)
MAKE(Op_create_c)

PROCEDURE(app_code, MPI_Op_create, mpi_function *function, int commute, app_op *op)
{
    app_op postponed = bindings.op_postponed(function, commute);
    if (op && APP_OP_BITS(postponed) != APP_OP_BITS(APP_MPI_OP_NULL)) {
        *op = postponed;
        return 0;
    }
    return make_Op_create(function, commute, op);
}

PROCEDURE(app_code, MPI_Op_create_c, mpi_function *function, int commute, app_op *op)
{
    return make_Op_create_c(function, commute, op);
}

/* Operations with a state. The function is called with a count and a datatype, not with their addresses. */
typedef void app_reduction_x(void *, void *, MPI_Count, app_datatype, void *);

/* Without a function the operation was destroyed while a request was pending that nothing held it for. */
static void reduce_x(void *in, void *inout, MPI_Count *length, host_datatype *datatype, struct stateful *stateful)
{
    void *state;
    app_reduction_x *function = (app_reduction_x *)stateful_function(stateful, &state);
    if (function)
        function(in, inout, *length, distinct_datatype_to_app(*datatype), state);
}
CLOSURE_ENTRY_5(reduce_x_entry, reduce_x)

PROCEDURE(app_code, MPIX_Op_create_x, mpi_function *user_fn_x, mpi_function *destructor_fn, int commute, void *extra_state, app_op *op)
{
    host_op made = HOST_MPI_OP_NULL;
    if (!user_fn_x || !destructor_fn || !op)
        return raise_error(HOST_MPI_ERR_ARG);
    struct stateful *stateful = stateful_make(CLASS_OP, user_fn_x, destructor_fn, extra_state);
    mpi_function *called = stateful ? reduction_closure(reduce_x_entry, (mpi_function *)stateful) : 0;
    host_code rc = called ? host.MPI_Op_create_c(called, commute, &made) : fail(HOST_MPI_ERR_NO_MEM);
    if (rc != 0) {
        stateful_discard(stateful);
        return error_to_app(rc);
    }
    stateful_publish(stateful, HOST_OP_BITS(made));
    *op = op_to_app(made);
    return 0;
}

PROCEDURE(app_code, MPI_Op_free, app_op *op)
{
    host_op freed = op ? op_to_host(*op) : HOST_MPI_OP_NULL;
    host_code rc = free_op(op ? &freed : 0);
    if (rc != 0)
        return error_to_app(rc);
    *op = op_to_app(freed);
    return 0;
}
