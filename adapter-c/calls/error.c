/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes, codes and strings, MPI-4.1 sections 9.4 and 9.5. */
#include <pthread.h>

#include "calls/native_error.h"
#include "convert/adapter.h"
#include "layers/lock.h"
#include "convert/added_code.h"
#include "convert/life.h"
#include "isolate/natives.h"

/* A class of MPI's is the class of itself, also one that this release of the host does not know. */
static int is_class(app_code code)
{
    return code == APP_MPI_SUCCESS ||
           (code <= APP_MPI_ERR_LASTCODE && error_class_to_host(code) != HOST_MPI_ERR_UNKNOWN);
}

/* A code may come from another part of the process, which has another number for it. */
static app_code own_number(app_code errorcode)
{
    app_code own = added_are_shared() ? added_find(error_to_host(errorcode)) : 0;
    return own != 0 ? own : errorcode;
}

PROCEDURE(app_code, MPI_Error_class, app_code errorcode, app_code *errorclass)
{
    if (!errorclass)
        return raise_error(HOST_MPI_ERR_ARG);
    errorcode = own_number(errorcode);
    if (is_class(errorcode)) {
        *errorclass = errorcode;
        return 0;
    }
    /* Some hosts do not tell the class of an added code, and a code that is used again may have had another. */
    host_code host_class = added_host_class(errorcode);
    host_code rc = host_class != 0 ? 0 : host.MPI_Error_class(error_to_host(errorcode), &host_class);
    if (rc != 0)
        return error_to_app(rc);
    *errorclass = code_to_app(host_class);
    return 0;
}

/* Texts of classes that older hosts do not know, though the adapter raises them there. */
static const char *text_of_newer(host_code host_class)
{
    static const struct {
        host_code class;
        const char *text;
    } newer[] = {
        { HOST_MPI_ERR_PROC_ABORTED, "MPI_ERR_PROC_ABORTED: a process of the operation has aborted" },
        { HOST_MPI_ERR_VALUE_TOO_LARGE, "MPI_ERR_VALUE_TOO_LARGE: a value is too large to be stored" },
        { HOST_MPI_ERR_SESSION, "MPI_ERR_SESSION: invalid session" },
        { HOST_MPI_ERR_ERRHANDLER, "MPI_ERR_ERRHANDLER: invalid error handler" },
        { HOST_MPI_ERR_ABI, "MPI_ERR_ABI: an error of the ABI" },
    };
    for (size_t i = 0; i < sizeof newer / sizeof newer[0]; i++)
        if (newer[i].class == host_class)
            return newer[i].text;
    return 0;
}

PROCEDURE(app_code, MPI_Error_string, app_code errorcode, char *string, int *resultlen)
{
    char text[HOST_MPI_MAX_ERROR_STRING + 1];
    if (!string || !resultlen)
        return raise_error(HOST_MPI_ERR_ARG);
    errorcode = own_number(errorcode);
    if (added_copy_string(errorcode, string, resultlen))
        return 0;
    const char *newer = is_class(errorcode) ? text_of_newer(error_to_host(errorcode)) : 0;
    int length;
    host_code rc = newer ? HOST_MPI_SUCCESS : host.MPI_Error_string(error_to_host(errorcode), text, &length);
    if (rc != 0)
        return error_to_app(rc);
    copy_prose(string, newer ? newer : text, APP_MPI_MAX_ERROR_STRING, resultlen);
    return 0;
}

/* Hosts count codes that are added without a lock of their own: of two threads' calls at a time one is lost, and Open MPI
 * ends in MPI_Finalize. An error handler may add some, too. The lock is held until the number is known or forgotten, so that no
 * other thread gets a code again meanwhile. */
pthread_mutex_t error_codes_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static app_code unlock_codes(app_code code)
{
    release_lock(error_codes);
    return code;
}

/* The value of a call, by one thread at a time. */
#define ALONE(call) (take_lock(error_codes), unlock_codes(call))

static app_code added_to_app(host_code rc, host_code code, host_code host_class, app_code *number)
{
    if (rc != 0)
        return error_to_app(rc);
    app_code result = added_add(code, host_class, life());
    if ((int)result == INVALID_VALUE)
        return raise_error(HOST_MPI_ERR_NO_MEM);
    *number = result;
    return 0;
}

static app_code add_class(app_code *errorclass)
{
    host_code code = 0, rc = host.MPI_Add_error_class(&code);
    return added_to_app(rc, code, code, errorclass);
}

PROCEDURE(app_code, MPI_Add_error_class, app_code *errorclass)
{
    return errorclass ? ALONE(add_class(errorclass)) : raise_error(HOST_MPI_ERR_ARG);
}

static app_code add_code(app_code errorclass, app_code *errorcode)
{
    host_code host_class = error_to_host(errorclass), code = 0, rc = host.MPI_Add_error_code(host_class, &code);
    return added_to_app(rc, code, host_class, errorcode);
}

PROCEDURE(app_code, MPI_Add_error_code, app_code errorclass, app_code *errorcode)
{
    return errorcode ? ALONE(add_code(errorclass, errorcode)) : raise_error(HOST_MPI_ERR_ARG);
}

static app_code add_string(app_code errorcode, const char *string)
{
    char cut[HOST_MPI_MAX_ERROR_STRING];
    copy_prose(cut, string, HOST_MPI_MAX_ERROR_STRING, 0);
    host_code rc = host.MPI_Add_error_string(error_to_host(errorcode), cut);
    if (rc != 0)
        return error_to_app(rc);
    /* Nobody tells this adapter when a part below changes the string. */
    if (natives_are_below)
        string = 0;
    return added_set_string(errorcode, string) ? 0 : raise_error(HOST_MPI_ERR_NO_MEM);
}

/* Only codes that were added may get a string. */
PROCEDURE(app_code, MPI_Add_error_string, app_code errorcode, const char *string)
{
    app_code number = own_number(errorcode);
    int is_known = added_host_code(number) || (natives_are_below && (int)number >= ERROR_CLASSES_END);
    return is_known && string ? ALONE(add_string(number, string)) : raise_error(HOST_MPI_ERR_ARG);
}

/* Forgets a class or code that the host has removed. */
static app_code removed_to_app(host_code rc, app_code number)
{
    if (rc != 0)
        return error_to_app(rc);
    added_forget(own_number(number));
    return 0;
}

PROCEDURE(app_code, MPI_Remove_error_class, app_code errorclass)
{
    return ALONE(removed_to_app(host.MPI_Remove_error_class(error_to_host(errorclass)), errorclass));
}

PROCEDURE(app_code, MPI_Remove_error_code, app_code errorcode)
{
    return ALONE(removed_to_app(host.MPI_Remove_error_code(error_to_host(errorcode)), errorcode));
}

static app_code remove_string(app_code errorcode)
{
    host_code rc = host.MPI_Remove_error_string(error_to_host(errorcode));
    if (rc != 0)
        return error_to_app(rc);
    added_set_string(own_number(errorcode), 0);
    return 0;
}

PROCEDURE(app_code, MPI_Remove_error_string, app_code errorcode)
{
    return ALONE(remove_string(errorcode));
}

/* The names that MPICH 4.0 has for these procedures. There a string goes with the class or code that it belongs to. */
static void remove_string_with(app_code number)
{
    if (added_has_string(number))
        direct_MPI_Remove_error_string(number);
}

PROCEDURE(app_code, MPIX_Delete_error_class, app_code errorclass)
{
    remove_string_with(own_number(errorclass));
    return direct_MPI_Remove_error_class(errorclass);
}

PROCEDURE(app_code, MPIX_Delete_error_code, app_code errorcode)
{
    remove_string_with(own_number(errorcode));
    return direct_MPI_Remove_error_code(errorcode);
}

PROCEDURE(app_code, MPIX_Delete_error_string, app_code errorcode)
{
    return direct_MPI_Remove_error_string(errorcode);
}
