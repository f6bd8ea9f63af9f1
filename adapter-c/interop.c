/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles and statuses across languages, MPI-4.1 section 19.3, and MPI-5.0's integers for handles.
 * A predefined handle's integer is its value in the application's mpif.h; any other's is the
 * host's own, which is never among them. Statuses have one layout in C and Fortran. */
#include <string.h>

#include "adapter.h"

#if APP_HANDLES_ARE_OBJECTS

/* The application's predefined handle for its Fortran value, or 0. */
static const struct predefined *by_fortran(int class, MPI_Fint integer)
{
    for (int i = 1; i < predefined_count; i++)
        if (predefined_handles[i].handle_class == class && predefined_handles[i].fortran == integer)
            return &predefined_handles[i];
    return 0;
}

/* The entry of a predefined handle of the application's that mpif.h has, or 0. */
static const struct predefined *by_handle(int class, intptr_t handle)
{
    for (int i = 1; i < predefined_count; i++)
        if (predefined_handles[i].handle_class == class && predefined_handles[i].app == handle &&
            predefined_handles[i].fortran >= 0)
            return &predefined_handles[i];
    return 0;
}

#define INTEGER_CONVERSIONS(CLASS, class, to_integer, from_integer)                                \
    static MPI_Fint class##_to_fortran(app_##class handle)                                         \
    {                                                                                              \
        const struct predefined *found = by_handle(CLASS_##CLASS, APP_##CLASS##_BITS(handle));     \
        host_##class converted = class##_to_host(handle);                                          \
        return found ? found->fortran : to_integer(converted);                                     \
    }                                                                                              \
    static app_##class class##_from_fortran(MPI_Fint integer)                                      \
    {                                                                                              \
        const struct predefined *found = integer >= 0 ? by_fortran(CLASS_##CLASS, integer) : 0;    \
        return found ? APP_##CLASS##_FROM(found->app) : class##_to_app(from_integer(integer));     \
    }

/* A host with integer handles uses them in Fortran as they are. */
#define HANDLE_INTEGER(CLASS, class)                                                               \
    static inline MPI_Fint class##_bits(host_##class handle) { return (MPI_Fint)HOST_##CLASS##_BITS(handle); } \
    static inline host_##class class##_from_bits(MPI_Fint integer) { return HOST_##CLASS##_FROM(integer); }
#define CONVERSIONS(CLASS, class)                                                                  \
    HANDLE_INTEGER(CLASS, class)                                                                   \
    INTEGER_CONVERSIONS(CLASS, class, class##_bits, class##_from_bits)

#else

/* The application's handles are integers, the same in C and in Fortran. */
#define CONVERSIONS(CLASS, class)                                                                  \
    static MPI_Fint class##_to_fortran(app_##class handle) { return (MPI_Fint)APP_##CLASS##_BITS(handle); } \
    static app_##class class##_from_fortran(MPI_Fint integer) { return APP_##CLASS##_FROM(integer); }

/* But for files. */
#define INTEGER_CONVERSIONS(CLASS, class, to_integer, from_integer)                                \
    static MPI_Fint class##_to_fortran(app_##class handle) { return to_integer(class##_to_host(handle)); } \
    static app_##class class##_from_fortran(MPI_Fint integer) { return class##_to_app(from_integer(integer)); }

#endif

CONVERSIONS(COMM, comm)
CONVERSIONS(DATATYPE, datatype)
CONVERSIONS(ERRHANDLER, errhandler)
INTEGER_CONVERSIONS(FILE, file, host.MPI_File_c2f, host.MPI_File_f2c)
CONVERSIONS(GROUP, group)
CONVERSIONS(INFO, info)
CONVERSIONS(MESSAGE, message)
CONVERSIONS(OP, op)
CONVERSIONS(REQUEST, request)
CONVERSIONS(SESSION, session)
CONVERSIONS(WIN, win)

#define ENTRY_POINTS(class, Name)                                                                  \
    PROCEDURE(MPI_Fint, MPI_##Name##_c2f, app_##class handle) { return class##_to_fortran(handle); } \
    PROCEDURE(app_##class, MPI_##Name##_f2c, MPI_Fint integer) { return class##_from_fortran(integer); } \
    PROCEDURE(int, MPI_##Name##_toint, app_##class handle) { return class##_to_fortran(handle); }  \
    PROCEDURE(app_##class, MPI_##Name##_fromint, int integer) { return class##_from_fortran(integer); }

ENTRY_POINTS(comm, Comm)
ENTRY_POINTS(datatype, Type)
ENTRY_POINTS(errhandler, Errhandler)
ENTRY_POINTS(file, File)
ENTRY_POINTS(group, Group)
ENTRY_POINTS(info, Info)
ENTRY_POINTS(message, Message)
ENTRY_POINTS(op, Op)
ENTRY_POINTS(request, Request)
ENTRY_POINTS(session, Session)
ENTRY_POINTS(win, Win)

/* Copies a status from one language's representation to another's. */
static int copy_status(void *to, const void *from)
{
    if (!to || !from || from == APP_MPI_STATUS_IGNORE)
        return raise_error(HOST_MPI_ERR_ARG);
    memcpy(to, from, sizeof(app_status));
    return 0;
}

PROCEDURE(int, MPI_Status_c2f, const app_status *c, MPI_Fint *fortran) { return copy_status(fortran, c); }
PROCEDURE(int, MPI_Status_f2c, const MPI_Fint *fortran, app_status *c) { return copy_status(c, fortran); }
PROCEDURE(int, MPI_Status_c2f08, const app_status *c, void *f08) { return copy_status(f08, c); }
PROCEDURE(int, MPI_Status_f082c, const void *f08, app_status *c) { return copy_status(c, f08); }
PROCEDURE(int, MPI_Status_f082f, const void *f08, MPI_Fint *fortran) { return copy_status(fortran, f08); }
PROCEDURE(int, MPI_Status_f2f08, const MPI_Fint *fortran, void *f08) { return copy_status(f08, fortran); }

/* Accessors of the public fields, MPI-4.1 section 3.2.5: they need no host. */
#define STATUS_ACCESSORS(Name, FIELD)                                                              \
    PROCEDURE(int, MPI_Status_get_##Name, const app_status *status, int *value)                    \
    {                                                                                              \
        *value = status->FIELD;                                                                    \
        return 0;                                                                                  \
    }                                                                                              \
    PROCEDURE(int, MPI_Status_set_##Name, app_status *status, int value)                           \
    {                                                                                              \
        status->FIELD = value;                                                                     \
        return 0;                                                                                  \
    }
STATUS_ACCESSORS(source, MPI_SOURCE)
STATUS_ACCESSORS(tag, MPI_TAG)
STATUS_ACCESSORS(error, MPI_ERROR)

/* Address arithmetic, MPI-4.1 section 5.1.5. */
PROCEDURE(MPI_Aint, MPI_Aint_add, MPI_Aint base, MPI_Aint displacement)
{
    return (MPI_Aint)((uintptr_t)base + (uintptr_t)displacement);
}

PROCEDURE(MPI_Aint, MPI_Aint_diff, MPI_Aint first, MPI_Aint second)
{
    return (MPI_Aint)((uintptr_t)first - (uintptr_t)second);
}

/* The standard ABI's enquiries (MPI-5.0 chapter 20): the application's ABI is not it. */
PROCEDURE(int, MPI_Abi_get_version, int *major, int *minor)
{
    *major = *minor = -1;
    return 0;
}

PROCEDURE(int, MPI_Abi_get_info, app_info *info)
{
    host_info made;
    int rc = host.MPI_Info_create(&made);
    if (rc != 0)
        return error_to_app(rc);
    *info = info_to_app(made);
    return 0;
}

PROCEDURE(int, MPI_Abi_get_fortran_info, app_info *info)
{
    *info = info_to_app(HOST_MPI_INFO_NULL);
    return 0;
}

PROCEDURE(int, MPI_Abi_set_fortran_info, app_info info)
{
    (void)info;
    return raise_error(HOST_MPI_ERR_OTHER);
}

PROCEDURE(int, MPI_Abi_get_fortran_booleans, int size, void *logical_true, void *logical_false, int *is_set)
{
    (void)size, (void)logical_true, (void)logical_false;
    *is_set = 0;
    return 0;
}

PROCEDURE(int, MPI_Abi_set_fortran_booleans, int size, void *logical_true, void *logical_false)
{
    (void)size, (void)logical_true, (void)logical_false;
    return raise_error(HOST_MPI_ERR_OTHER);
}

/* Whether device memory may be passed: asked of the host, and no if it cannot tell. */
PROCEDURE(int, MPIX_Query_cuda_support, void) { return host.MPIX_Query_cuda_support(); }
PROCEDURE(int, MPIX_Query_rocm_support, void) { return host.MPIX_Query_rocm_support(); }
