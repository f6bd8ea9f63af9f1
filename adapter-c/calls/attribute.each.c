/* SPDX-License-Identifier: BSD-3-Clause */
/* Attribute caching, MPI-4.1 section 7.7, and the predefined attributes of sections 9.1.2,
 * 11.10.1 and 12.2.6. The keyval decides what a value means. */
#include "calls/language.h"
#include "convert/adapter.h"
#include "convert/added_code.h"
#include "convert/facts.h"
#include "convert/host_answer.h"
#include "convert/distinct_datatype.h"
#include "callbacks/duplicated_comm.h"
#include "isolate/natives.h"
#include "layers/layers.h"
#include "process/implementation.h"

/* Predefined attributes whose values are converted. The application gets pointers to these: never
 * into the host's storage, and never to anything that changes under it. */
static int host_rank_value, io_rank_value, last_used_code;

/* The address of a window's flavor or model. */
static const int *constant_value(int value)
{
    static const int constants[] = { APP_MPI_WIN_FLAVOR_CREATE, APP_MPI_WIN_FLAVOR_ALLOCATE, APP_MPI_WIN_FLAVOR_DYNAMIC,
                                     APP_MPI_WIN_FLAVOR_SHARED, APP_MPI_WIN_SEPARATE, APP_MPI_WIN_UNIFIED, INVALID_VALUE };
    const int *found = constants;
    while (*found != value && *found != INVALID_VALUE)
        found++;
    return found;
}

/* The application's value of a predefined attribute, from the host's. Open MPI's MPI_FT, whether a job tolerates faults, is another
 * attribute on hosts without it (abi-tables/rules), and not set. */
static const void *value_to_app(int keyval, const void *value, int *flag)
{
    switch (keyval) {
    case APP_MPI_HOST:
        __atomic_store_n(&host_rank_value, rank_to_app(*checked_value(value)), __ATOMIC_RELAXED);
        return &host_rank_value;
    case APP_MPI_IO:
        __atomic_store_n(&io_rank_value, rank_to_app(*checked_value(value)), __ATOMIC_RELAXED);
        return &io_rank_value;
    case APP_MPI_LASTUSEDCODE:
        __atomic_store_n(&last_used_code, error_last_used(), __ATOMIC_RELAXED);
        return &last_used_code;
#if defined APP_MPI_FT && !defined HOST_MPI_FT
    case APP_MPI_FT:
        *flag = 0;
        return value;
#endif
    default:
        return value;
    }
}

static const void *win_value_to_app(int keyval, const void *value)
{
    switch (keyval) {
    case APP_MPI_WIN_CREATE_FLAVOR:
        return constant_value(win_flavor_to_app(*checked_value(value)));
    case APP_MPI_WIN_MODEL:
        return constant_value(win_model_to_app(*checked_value(value)));
    default:
        return value;
    }
}

/* MPI_UNIVERSE_SIZE where the host has none, of a program whose own MPI always has it: the world's size, as the host's launcher does
 * not say for how many processes there is room. */
static COLD void answer_absent(int keyval, void *value, int *flag)
{
    static int universe;
    int size = 0;
    if (keyval != APP_MPI_UNIVERSE_SIZE || !application_has_universe ||
        host_itself->MPI_Comm_size(HOST_MPI_COMM_WORLD, &size) != 0)
        return;
    __atomic_store_n(&universe, size, __ATOMIC_RELAXED);
    *(const void **)value = &universe;
    *flag = 1;
}

INLINE int comm_get_attr(app_comm comm, int keyval, void *value, int *flag)
{
    host_code rc = host.MPI_Comm_get_attr(comm_to_host(comm), keyval_to_host(keyval), value, flag);
    if (rc != 0)
        return error_to_app(rc);
    if (*flag)
        *(const void **)value = value_to_app(keyval, *(void **)value, flag);
    else
        answer_absent(keyval, value, flag);
    return 0;
}

PROCEDURE(app_code, MPI_Comm_get_attr, app_comm comm, int keyval, void *value, int *flag)
{
    return comm_get_attr(comm, keyval, value, flag);
}

/* The same under the name that MPI-3.0 removed. */
PROCEDURE(app_code, MPI_Attr_get, app_comm comm, int keyval, void *value, int *flag)
{
    return comm_get_attr(comm, keyval, value, flag);
}

PROCEDURE(app_code, MPI_Win_get_attr, app_win win, int keyval, void *value, int *flag)
{
    host_code rc = host.MPI_Win_get_attr(win_to_host(win), keyval_to_host(keyval), value, flag);
    if (rc != 0)
        return error_to_app(rc);
    if (*flag)
        *(const void **)value = win_value_to_app(keyval, *(void **)value);
    return 0;
}

PROCEDURE(app_code, MPI_Type_get_attr, app_datatype datatype, int keyval, void *value, int *flag)
{
    host_code rc = host.MPI_Type_get_attr(distinct_datatype(datatype), keyval_to_host(keyval), value, flag);
    return rc == 0 ? 0 : error_to_app(rc);
}

/* Nobody tells of duplicates that parts below make. */
int is_copied_comm(host_comm from, int *flag)
{
    int is_copied = natives_are_below || is_duplicated(from);
    if (!is_copied)
        *flag = 0;
    return is_copied;
}

/* The host calls these; the last argument is the application's function. */
/* each
 * class     to_app
 * comm      comm_to_app
 * datatype  distinct_datatype_to_app
 * win       win_to_app
 */
typedef int ${class}_copy_function(app_$class, int, void *, void *, void *, int *);
typedef int ${class}_delete_function(app_$class, int, void *, void *);

__attribute__((used)) static int ${class}_copy(host_$class from, int keyval, void *state, void *in, void *out, int *flag,
                                               ${class}_copy_function *copy)
{
    if (!is_copied_$class(from, flag))
        return HOST_MPI_SUCCESS;
    return error_to_host(copy($to_app(from), keyval_to_app(keyval), state, in, out, flag));
}

__attribute__((used)) static int ${class}_delete(host_$class from, int keyval, void *value, void *state,
                                                 ${class}_delete_function *delete)
{
    return error_to_host(delete($to_app(from), keyval_to_app(keyval), value, state));
}

CLOSURE_ENTRY_7(${class}_copy_entry, ${class}_copy)
CLOSURE_ENTRY_5(${class}_delete_entry, ${class}_delete)
/* end */

closure_entry *copy_entry(int handle_class)
{
    return handle_class == CLASS_COMM       ? comm_copy_entry
           : handle_class == CLASS_DATATYPE ? datatype_copy_entry
                                            : win_copy_entry;
}

closure_entry *delete_entry(int handle_class)
{
    return handle_class == CLASS_COMM       ? comm_delete_entry
           : handle_class == CLASS_DATATYPE ? datatype_delete_entry
                                            : win_delete_entry;
}

/* The host's MPI_COMM_DUP_FN would copy to all communicators. */
static int copy_value(host_comm from, int keyval, void *state, void *in, void *out, int *flag)
{
    *flag = is_duplicated(from);
    if (*flag)
        *(void **)out = in;
    return HOST_MPI_SUCCESS;
}

/* The predefined callbacks are values, not functions to wrap (MPI-4.1 section 7.7.2). True unless there
 * is no trampoline; what the host is to call may be null. */
/* each
 * class     duplicate
 * comm      copy_value
 * datatype  HOST_MPI_TYPE_DUP_FN
 * win       HOST_MPI_WIN_DUP_FN
 */
static int ${class}_copy_to_host(mpi_function *function, mpi_function **called)
{
    closure_entry *entry = callback_entry(${class}_copy_entry, function, 0);
    if ((void *)function == APP_MPI_${NAME}_NULL_COPY_FN || (void *)function == APP_MPI_NULL_COPY_FN)
        *called = (mpi_function *)HOST_MPI_${NAME}_NULL_COPY_FN;
    else if ((void *)function == APP_MPI_${NAME}_DUP_FN || (void *)function == APP_MPI_DUP_FN)
        *called = (mpi_function *)($duplicate);
    else
        return (*called = closure_of_six(entry, function)) != 0;
    return 1;
}

static int ${class}_delete_to_host(mpi_function *function, mpi_function **called)
{
    closure_entry *entry = callback_entry(${class}_delete_entry, function, 1);
    if ((void *)function != APP_MPI_${NAME}_NULL_DELETE_FN && (void *)function != APP_MPI_NULL_DELETE_FN)
        return (*called = closure(entry, function)) != 0;
    *called = (mpi_function *)HOST_MPI_${NAME}_NULL_DELETE_FN;
    return 1;
}
/* end */

typedef int create_keyval(mpi_function *, mpi_function *, int *, void *);

static int create_app_keyval(create_keyval *call, mpi_function *copy, mpi_function *delete, int *keyval, void *state)
{
    int made = 0, rc = call(copy, delete, &made, state);
    if (rc != 0)
        return error_to_app(rc);
    *keyval = keyval_to_app(made);
    return 0;
}

/* A null pointer is a callback only where the predefined ones are null pointers. */
static int is_missing(mpi_function *function, const void *predefined)
{
    return !function && predefined;
}

/* each
 * class
 * comm
 * datatype
 * win
 */
static int ${class}_keyval(mpi_function *copy, mpi_function *delete, int *keyval, void *state)
{
    mpi_function *host_copy, *host_delete;
    if (!keyval || is_missing(copy, APP_MPI_${NAME}_NULL_COPY_FN) || is_missing(delete, APP_MPI_${NAME}_NULL_DELETE_FN))
        return raise_error(HOST_MPI_ERR_ARG);
    if (!${class}_copy_to_host(copy, &host_copy) || !${class}_delete_to_host(delete, &host_delete))
        return raise_error(HOST_MPI_ERR_NO_MEM);
    if (CLASS_$CLASS == CLASS_COMM && host_copy != (mpi_function *)HOST_MPI_COMM_NULL_COPY_FN)
        notice_duplicates();
    return create_app_keyval(host.MPI_${Class}_create_keyval, host_copy, host_delete, keyval, state);
}

PROCEDURE(app_code, MPI_${Class}_create_keyval, mpi_function *copy, mpi_function *delete, int *keyval, void *state)
{
    return ${class}_keyval(copy, delete, keyval, state);
}
/* end */

/* The same under the name that MPI-3.0 removed. */
PROCEDURE(app_code, MPI_Keyval_create, mpi_function *copy, mpi_function *delete, int *keyval, void *state)
{
    return comm_keyval(copy, delete, keyval, state);
}

int keyval_create(int handle_class, mpi_function *copy, mpi_function *delete, int *keyval, void *state)
{
    return (handle_class == CLASS_COMM       ? comm_keyval
            : handle_class == CLASS_DATATYPE ? datatype_keyval
                                             : win_keyval)(copy, delete, keyval, state);
}
