/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of communicators, datatypes and windows (MPI-4.1 section 7.8). Where the application's
 * MPI_MAX_OBJECT_NAME is larger than the host's, a name that the host must cut is kept whole as an
 * attribute of the object, which goes when the object goes and is not copied with it. */
#include <pthread.h>
#include <string.h>

#include "adapter.h"

static int delete_name(void *handle, int keyval, void *name, void *state)
{
    (void)handle, (void)keyval, (void)state;
    free(name);
    return HOST_MPI_SUCCESS;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef int create_keyval(mpi_function *, mpi_function *, int *, void *);

/* The keyval for whole names of a class of objects; made at first use. Non-zero on failure. */
static int name_keyval(int *keyval, create_keyval *create, void *null_copy)
{
    int rc = 0;
    pthread_mutex_lock(&lock);
    if (*keyval == HOST_MPI_KEYVAL_INVALID)
        rc = create((mpi_function *)null_copy, (mpi_function *)delete_name, keyval, 0);
    pthread_mutex_unlock(&lock);
    return rc;
}

#define NAMES(Class, class, CLASS, NULL_COPY)                                                      \
    static int class##_keyval = HOST_MPI_KEYVAL_INVALID;                                           \
                                                                                                   \
    /* Keeps a name that the host cuts; forgets the former one otherwise. */                       \
    static int class##_keep(host_##class handle, const char *name)                                 \
    {                                                                                              \
        int is_cut = strlen(name) >= HOST_MPI_MAX_OBJECT_NAME;                                     \
        if (!is_cut && class##_keyval == HOST_MPI_KEYVAL_INVALID)                                  \
            return 0;                                                                              \
        char *kept = is_cut ? strndup(name, APP_MPI_MAX_OBJECT_NAME - 1) : 0;                      \
        int rc = name_keyval(&class##_keyval, host.MPI_##Class##_create_keyval, NULL_COPY);        \
        return rc != 0 ? rc : host.MPI_##Class##_set_attr(handle, class##_keyval, kept);           \
    }                                                                                              \
                                                                                                   \
    PROCEDURE(int, MPI_##Class##_set_name, app_##class handle, const char *name)                   \
    {                                                                                              \
        char cut[HOST_MPI_MAX_OBJECT_NAME];                                                        \
        host_##class object = class##_to_host(handle);                                             \
        if (name)                                                                                  \
            copy_prose(cut, name, HOST_MPI_MAX_OBJECT_NAME, 0);                                    \
        int rc = host.MPI_##Class##_set_name(object, name ? cut : 0);                              \
        if (rc == 0 && name && APP_MPI_MAX_OBJECT_NAME > HOST_MPI_MAX_OBJECT_NAME)                 \
            rc = class##_keep(object, name);                                                       \
        return rc == 0 ? 0 : error_to_app(rc);                                                     \
    }                                                                                              \
                                                                                                   \
    PROCEDURE(int, MPI_##Class##_get_name, app_##class handle, char *name, int *length)            \
    {                                                                                              \
        char cut[HOST_MPI_MAX_OBJECT_NAME + 1];                                                    \
        int flag = 0;                                                                              \
        const char *whole = 0, *own = predefined_name(CLASS_##CLASS, (intptr_t)APP_##CLASS##_BITS(handle)); \
        host_##class object = class##_to_host(handle);                                             \
        int rc = host.MPI_##Class##_get_name(object, name ? cut : 0, length);                      \
        if (rc == 0 && class##_keyval != HOST_MPI_KEYVAL_INVALID)                                  \
            rc = host.MPI_##Class##_get_attr(object, class##_keyval, &whole, &flag);               \
        if (rc != 0)                                                                               \
            return error_to_app(rc);                                                               \
        copy_prose(name, flag && whole ? whole : own ? own : cut, APP_MPI_MAX_OBJECT_NAME, length); \
        return 0;                                                                                  \
    }

NAMES(Comm, comm, COMM, HOST_MPI_COMM_NULL_COPY_FN)
NAMES(Type, datatype, DATATYPE, HOST_MPI_TYPE_NULL_COPY_FN)
NAMES(Win, win, WIN, HOST_MPI_WIN_NULL_COPY_FN)
