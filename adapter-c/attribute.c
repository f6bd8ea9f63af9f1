/* SPDX-License-Identifier: BSD-3-Clause */
/* Attribute caching, MPI-4.1 section 7.7, and the predefined attributes of sections 9.1.2,
 * 11.10.1 and 12.2.6. The keyval decides what a value means. */
#include "adapter.h"
#include "language.h"

/* Predefined attributes whose values are converted. The application gets pointers to these: never
 * into the host's storage, and never to anything that changes under it. */
static int host_rank_value, io_rank_value, last_used_code;
static const int numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

/* A small constant's address, for enumerations with fewer than 8 values. */
static const int *number(int value)
{
    static const int invalid = INVALID_VALUE;
    return value >= 0 && value < 8 ? &numbers[value] : &invalid;
}

/* The application's value of a predefined attribute, from the host's. */
static const void *value_to_app(int keyval, const void *value)
{
    switch (keyval) {
    case APP_MPI_HOST:
        host_rank_value = rank_to_app(*(const int *)value);
        return &host_rank_value;
    case APP_MPI_IO:
        io_rank_value = rank_to_app(*(const int *)value);
        return &io_rank_value;
    case APP_MPI_LASTUSEDCODE:
        last_used_code = error_last_used();
        return &last_used_code;
    default:
        return value;
    }
}

static const void *win_value_to_app(int keyval, const void *value)
{
    switch (keyval) {
    case APP_MPI_WIN_CREATE_FLAVOR:
        return number(win_flavor_to_app(*(const int *)value));
    case APP_MPI_WIN_MODEL:
        return number(win_model_to_app(*(const int *)value));
    default:
        return value;
    }
}

INLINE int comm_get_attr(app_comm comm, int keyval, void *value, int *flag)
{
    int rc = host.MPI_Comm_get_attr(comm_to_host(comm), keyval_to_host(keyval), value, flag);
    if (rc != 0)
        return error_to_app(rc);
    if (*flag)
        *(const void **)value = value_to_app(keyval, *(void **)value);
    return 0;
}

PROCEDURE(int, MPI_Comm_get_attr, app_comm comm, int keyval, void *value, int *flag)
{
    return comm_get_attr(comm, keyval, value, flag);
}

/* The same under the name that MPI-3.0 removed. */
PROCEDURE(int, MPI_Attr_get, app_comm comm, int keyval, void *value, int *flag)
{
    return comm_get_attr(comm, keyval, value, flag);
}

PROCEDURE(int, MPI_Win_get_attr, app_win win, int keyval, void *value, int *flag)
{
    int rc = host.MPI_Win_get_attr(win_to_host(win), keyval_to_host(keyval), value, flag);
    if (rc != 0)
        return error_to_app(rc);
    if (*flag)
        *(const void **)value = win_value_to_app(keyval, *(void **)value);
    return 0;
}

PROCEDURE(int, MPI_Type_get_attr, app_datatype datatype, int keyval, void *value, int *flag)
{
    int rc = host.MPI_Type_get_attr(datatype_to_host(datatype), keyval_to_host(keyval), value, flag);
    return rc == 0 ? 0 : error_to_app(rc);
}

/* What the host calls: the last argument is the application's function. */
#define ATTRIBUTE_CALLBACKS(class)                                                                 \
    typedef int class##_copy_function(app_##class, int, void *, void *, void *, int *);            \
    typedef int class##_delete_function(app_##class, int, void *, void *);                         \
    __attribute__((used)) static int class##_copy(host_##class from, int keyval, void *state, void *in, \
                                                  void *out, int *flag, class##_copy_function *copy) \
    {                                                                                              \
        return error_to_host(copy(class##_to_app(from), keyval_to_app(keyval), state, in, out, flag)); \
    }                                                                                              \
    __attribute__((used)) static int class##_delete(host_##class from, int keyval, void *value,    \
                                                    void *state, class##_delete_function *delete)  \
    {                                                                                              \
        return error_to_host(delete (class##_to_app(from), keyval_to_app(keyval), value, state));  \
    }                                                                                              \
    CLOSURE_ENTRY_7(class##_copy_entry, class##_copy)                                              \
    CLOSURE_ENTRY_5(class##_delete_entry, class##_delete)

ATTRIBUTE_CALLBACKS(comm)
ATTRIBUTE_CALLBACKS(datatype)
ATTRIBUTE_CALLBACKS(win)

/* The four predefined callbacks are values, not functions to wrap (MPI-4.1 section 7.7.2). */
#define COPY_TO_HOST(class, NAME)                                                                  \
    static mpi_function *class##_copy_to_host(mpi_function *function)                              \
    {                                                                                              \
        if ((void *)function == APP_MPI_##NAME##_NULL_COPY_FN || (void *)function == APP_MPI_NULL_COPY_FN) \
            return (mpi_function *)HOST_MPI_##NAME##_NULL_COPY_FN;                                 \
        if ((void *)function == APP_MPI_##NAME##_DUP_FN || (void *)function == APP_MPI_DUP_FN)     \
            return (mpi_function *)HOST_MPI_##NAME##_DUP_FN;                                       \
        return closure(class##_copy_entry, function);                                              \
    }                                                                                              \
    static mpi_function *class##_delete_to_host(mpi_function *function)                            \
    {                                                                                              \
        if ((void *)function == APP_MPI_##NAME##_NULL_DELETE_FN ||                                 \
            (void *)function == APP_MPI_NULL_DELETE_FN)                                            \
            return (mpi_function *)HOST_MPI_##NAME##_NULL_DELETE_FN;                               \
        return closure(class##_delete_entry, function);                                            \
    }

COPY_TO_HOST(comm, COMM)
COPY_TO_HOST(datatype, TYPE)
COPY_TO_HOST(win, WIN)

typedef int create_keyval(mpi_function *, mpi_function *, int *, void *);

static int create(create_keyval *call, mpi_function *copy, mpi_function *delete, int *keyval, void *state)
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

#define KEYVAL(class, NAME, Name)                                                                  \
    static int class##_keyval(mpi_function *copy, mpi_function *delete, int *keyval, void *state)  \
    {                                                                                              \
        if (!keyval || is_missing(copy, APP_MPI_##NAME##_NULL_COPY_FN) ||                                     \
            is_missing(delete, APP_MPI_##NAME##_NULL_DELETE_FN))                                   \
            return raise_error(HOST_MPI_ERR_ARG);                                                  \
        return create(host.MPI_##Name##_create_keyval, class##_copy_to_host(copy),                 \
                      class##_delete_to_host(delete), keyval, state);                              \
    }
KEYVAL(comm, COMM, Comm)
KEYVAL(datatype, TYPE, Type)
KEYVAL(win, WIN, Win)

int keyval_create(int handle_class, mpi_function *copy, mpi_function *delete, int *keyval, void *state)
{
    return (handle_class == CLASS_COMM       ? comm_keyval
            : handle_class == CLASS_DATATYPE ? datatype_keyval
                                             : win_keyval)(copy, delete, keyval, state);
}

#define CREATE_KEYVAL(name, call)                                                                  \
    PROCEDURE(int, name, mpi_function *copy, mpi_function *delete, int *keyval, void *state)       \
    {                                                                                              \
        return call(copy, delete, keyval, state);                                                  \
    }
CREATE_KEYVAL(MPI_Comm_create_keyval, comm_keyval)
CREATE_KEYVAL(MPI_Keyval_create, comm_keyval)
CREATE_KEYVAL(MPI_Type_create_keyval, datatype_keyval)
CREATE_KEYVAL(MPI_Win_create_keyval, win_keyval)
