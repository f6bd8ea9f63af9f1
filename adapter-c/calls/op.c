/* SPDX-License-Identifier: BSD-3-Clause */
/* User reductions, MPI-4.1 section 6.9.5. Inside a callback the application calls MPI as anywhere else; the
 * handles it is given are those it holds. */
#include "calls/language.h"
#include "convert/adapter.h"
#include "callbacks/reduction.h"
#include "callbacks/stateful.h"

typedef void app_reduction(void *, void *, void *, app_datatype *);

/* Calls the function for a datatype that is not predefined. `length` is an int or, for MPI_Op_create_c, an MPI_Count: both sides agree. */
static COLD void reduce_derived(void *in, void *inout, void *length, host_datatype *datatype, app_reduction *function)
{
    app_datatype converted = distinct_datatype_to_app(*datatype);
    function(in, inout, length, &converted);
}

/* Most are of predefined datatypes, whose conversion calls nothing, so that no register is saved for it. That the other case is cold
 * saves two moves with gcc 14. */
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

typedef host_code creator(mpi_function *function, int commute, host_op *op);

INLINE app_code create_op(creator *create, mpi_function *called, int commute, app_op *op)
{
    host_op made;
    host_code rc = create(called, commute, &made);
    if (unlikely(rc != 0))
        return error_to_app(rc);
    *op = dynamic_op_to_app(made);
    return 0;
}

/* Null pointers are the host's to refuse. */
static COLD app_code create_first_op(creator *create, mpi_function *function, int commute, app_op *op)
{
    mpi_function *called = 0;
    if (function && !(called = reduction_closure(callback_entry(reduce_entry, function, 0), function)))
        return raise_error(HOST_MPI_ERR_NO_MEM);
    return op ? create_op(create, called, commute, op) : error_to_app(create(called, commute, 0));
}

static COLD app_code create_first_op_or_postpone(mpi_function *function, int commute, app_op *op)
{
    app_op postponed = bindings.op_postponed(function, commute);
    if (!op || APP_OP_BITS(postponed) == APP_OP_BITS(APP_MPI_OP_NULL))
        return create_first_op(host.MPI_Op_create, function, commute, op);
    *op = postponed;
    return 0;
}

PROCEDURE(app_code, MPI_Op_create, mpi_function *function, int commute, app_op *op)
{
    note_callback(reduce_entry, function, 0);
    mpi_function *called = recent_reduction_closure(function, reduce_entry);
    return likely(called && op) ? create_op(host.MPI_Op_create, called, commute, op)
                                : create_first_op_or_postpone(function, commute, op);
}

PROCEDURE(app_code, MPI_Op_create_c, mpi_function *function, int commute, app_op *op)
{
    note_callback(reduce_entry, function, 0);
    mpi_function *called = recent_reduction_closure(function, reduce_entry);
    return likely(called && op) ? create_op(host.MPI_Op_create_c, called, commute, op)
                                : create_first_op(host.MPI_Op_create_c, function, commute, op);
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
