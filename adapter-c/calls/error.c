/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes, codes and strings, MPI-4.1 sections 9.4 and 9.5. */
#include "convert/adapter.h"
#include "convert/added_code.h"

PROCEDURE(int, MPI_Error_class, int errorcode, int *errorclass)
{
    if (!errorclass)
        return raise_error(HOST_MPI_ERR_ARG);
    int host_class = 0, rc = host.MPI_Error_class(error_to_host(errorcode), &host_class);
    if (rc != 0)
        return error_to_app(rc);
    *errorclass = error_to_app(host_class);
    return 0;
}

PROCEDURE(int, MPI_Error_string, int errorcode, char *string, int *resultlen)
{
    char text[HOST_MPI_MAX_ERROR_STRING + 1];
    if (!string || !resultlen)
        return raise_error(HOST_MPI_ERR_ARG);
    if (added_copy_string(errorcode, string, resultlen))
        return 0;
    int length, rc = host.MPI_Error_string(error_to_host(errorcode), text, &length);
    if (rc != 0)
        return error_to_app(rc);
    copy_prose(string, text, APP_MPI_MAX_ERROR_STRING, resultlen);
    return 0;
}

static int added_to_app(int rc, int host_code, int *number)
{
    if (rc != 0)
        return error_to_app(rc);
    int result = added_add(host_code);
    if (result == INVALID_VALUE)
        return raise_error(HOST_MPI_ERR_NO_MEM);
    *number = result;
    return 0;
}

PROCEDURE(int, MPI_Add_error_class, int *errorclass)
{
    if (!errorclass)
        return raise_error(HOST_MPI_ERR_ARG);
    int code = 0, rc = host.MPI_Add_error_class(&code);
    return added_to_app(rc, code, errorclass);
}

PROCEDURE(int, MPI_Add_error_code, int errorclass, int *errorcode)
{
    if (!errorcode)
        return raise_error(HOST_MPI_ERR_ARG);
    int code = 0, rc = host.MPI_Add_error_code(error_to_host(errorclass), &code);
    return added_to_app(rc, code, errorcode);
}

/* Only codes that were added may get a string. */
PROCEDURE(int, MPI_Add_error_string, int errorcode, const char *string)
{
    char cut[HOST_MPI_MAX_ERROR_STRING];
    if (!added_host_code(errorcode) || !string)
        return raise_error(HOST_MPI_ERR_ARG);
    copy_prose(cut, string, HOST_MPI_MAX_ERROR_STRING, 0);
    int rc = host.MPI_Add_error_string(error_to_host(errorcode), cut);
    if (rc != 0)
        return error_to_app(rc);
    return added_set_string(errorcode, string) ? 0 : raise_error(HOST_MPI_ERR_NO_MEM);
}

/* Forgets a class or code that the host has removed. */
static int removed_to_app(int rc, int number)
{
    if (rc != 0)
        return error_to_app(rc);
    added_forget(number);
    return 0;
}

PROCEDURE(int, MPI_Remove_error_class, int errorclass)
{
    return removed_to_app(host.MPI_Remove_error_class(error_to_host(errorclass)), errorclass);
}

PROCEDURE(int, MPI_Remove_error_code, int errorcode)
{
    return removed_to_app(host.MPI_Remove_error_code(error_to_host(errorcode)), errorcode);
}

PROCEDURE(int, MPI_Remove_error_string, int errorcode)
{
    int rc = host.MPI_Remove_error_string(error_to_host(errorcode));
    if (rc != 0)
        return error_to_app(rc);
    added_set_string(errorcode, 0);
    return 0;
}
