/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles and statuses across languages, MPI-4.1 section 19.3, and MPI-5.0's integers for handles.
 * A predefined handle's integer is its value in the application's mpif.h, or in the standard ABI (MPI-5.0
 * section 20.4.5); any other's is the host's own, or made of the host's pointer, and is never among them.
 * Statuses have one layout in C and Fortran. */
#include <string.h>

#include "fortran.h"
#include "convert/facts.h"
#include "convert/say.h"
#include "isolate/natives.h"
#include "native_numbers.h"
#include "native_statuses.h"
#include "start/load.h"

/* A null pointer, which is no handle, must not become the 0 of MPI_COMM_WORLD. */
MPI_Fint predefined_to_fortran(int count, const intptr_t *handles, intptr_t handle)
{
    for (int i = 0; i < count; i++)
        if (handles[i] == handle)
            return i;
    return handle ? (MPI_Fint)((const struct app_object *)handle)->word : -1;
}

/* The integers of natives are others (native_numbers.h). Where their MPI_X_f2c is a macro that converts nothing, a handle has the host's
 * integer, unless Fortran code of the application's might compare it with one of its constants. */
static int has_host_integer(int host_representation)
{
    return natives_exist && host_representation == REPRESENTED_INT && !sentinels_have_users();
}

/* A process with parts for three MPIs has one set of integers, the host's. Fortran code has the application's. */
static int has_integers_of_host(void)
{
    if (!natives_are_below)
        return 0;
    if (sentinels_have_users())
        give_up("parts of this process were compiled for three MPIs, and Fortran's handles of %s are no integers of the others; compile its Fortran "
                "part for %s", application_family, host_family);
    return 1;
}

/* each
 * class
 * comm
 * datatype
 * errhandler
 * file
 * group
 * info
 * message
 * op
 * request
 * session
 * win
 */
/* A predefined handle that mpif.h lacks has the host's integer: on the way back it must become the address that C knows. */
static app_$class ${class}_from_integer(MPI_Fint integer)
{
    app_$class handle = ${class}_from_fortran(integer);
    int is_address = JOIN(REPRESENTED_, APP_${CLASS}_REPRESENTATION) == REPRESENTED_OBJECT;
    return is_address && APP_${CLASS}_BITS(handle) < 0 ? ${class}_to_app(${class}_to_host(handle)) : handle;
}

static COLD app_$class ${class}_of_any_part(MPI_Fint integer)
{
    if (has_integers_of_host())
        return ${class}_to_app(HOST_${CLASS}_FROM(host_${class}_f2c(integer)));
    if (is_native_number(CLASS_${CLASS}, integer))
        return ${class}_to_app(HOST_${CLASS}_FROM(native_handle(CLASS_${CLASS}, integer)));
    return ${class}_from_integer(integer);
}

static app_$class ${class}_of(MPI_Fint integer)
{
    return unlikely(natives_anywhere) ? ${class}_of_any_part(integer) : ${class}_from_integer(integer);
}

static COLD MPI_Fint ${class}_integer_for_all_parts(app_$class handle)
{
    if (has_integers_of_host())
        return host_${class}_c2f(HOST_${CLASS}_BITS(${class}_to_host(handle)));
    if (has_host_integer(JOIN(REPRESENTED_, HOST_${CLASS}_REPRESENTATION)))
        return (MPI_Fint)HOST_${CLASS}_BITS(${class}_to_host(handle));
    return ${class}_to_fortran(handle);
}

static MPI_Fint ${class}_integer(app_$class handle)
{
    return unlikely(natives_anywhere) ? ${class}_integer_for_all_parts(handle) : ${class}_to_fortran(handle);
}

PROCEDURE(MPI_Fint, MPI_${Class}_c2f, app_$class handle) { return ${class}_integer(handle); }
PROCEDURE(app_$class, MPI_${Class}_f2c, MPI_Fint integer) { return ${class}_of(integer); }
PROCEDURE(int, MPI_${Class}_toint, app_$class handle) { return ${class}_integer(handle); }
PROCEDURE(app_$class, MPI_${Class}_fromint, int integer) { return ${class}_of(integer); }
/* end */

/* Copies a status from one language's representation to another's. */
static int copy_status(void *to, const void *from)
{
    if (IS_IGNORED(to) || IS_IGNORED(from))
        return raise_error(HOST_MPI_ERR_ARG);
    memcpy(to, from, sizeof(app_status));
    return 0;
}

/* The integers may go to a part that was compiled for another MPI, or come from one. */
static int give_status(void *to, const app_status *from)
{
    int rc = copy_status(to, from);
    if (rc != 0)
        return rc;
    if (unlikely(natives_anywhere))
        status_give_application(to, from);
    return 0;
}

static int take_status(app_status *to, const void *from)
{
    int is_foreign = unlikely(natives_anywhere) && !IS_IGNORED(to) && !IS_IGNORED(from) && status_take_application(from, to);
    return is_foreign ? 0 : copy_status(to, from);
}

PROCEDURE(int, MPI_Status_c2f, const app_status *c, MPI_Fint *fortran) { return give_status(fortran, c); }
PROCEDURE(int, MPI_Status_f2c, const MPI_Fint *fortran, app_status *c) { return take_status(c, fortran); }
PROCEDURE(int, MPI_Status_c2f08, const app_status *c, void *f08) { return give_status(f08, c); }
PROCEDURE(int, MPI_Status_f082c, const void *f08, app_status *c) { return take_status(c, f08); }
PROCEDURE(int, MPI_Status_f082f, const void *f08, MPI_Fint *fortran) { return copy_status(fortran, f08); }
PROCEDURE(int, MPI_Status_f2f08, const MPI_Fint *fortran, void *f08) { return copy_status(f08, fortran); }
