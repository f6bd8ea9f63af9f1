/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/native_error.h"

#include "convert/adapter.h"
#include "convert/added_code.h"
#include "convert/life.h"
#include "isolate/natives.h"
#include "layers/layers.h"
#include "layers/lock.h"

#define ERROR_CALLS(each) \
    each(MPI_Add_error_class) each(MPI_Add_error_code) each(MPI_Add_error_string) each(MPI_Error_class) each(MPI_Error_string) \
    each(MPI_Remove_error_class) each(MPI_Remove_error_code) each(MPI_Remove_error_string) \
    each(MPI_Comm_call_errhandler) each(MPI_File_call_errhandler) each(MPI_Session_call_errhandler) each(MPI_Win_call_errhandler)
LAYER_PART(error_calls, ERROR_CALLS);

/* Returns the host's code of one that any part has. */
static int host_error(int code)
{
    host_code own = (host_code)code, found;
    if (error_class_to_app(own) != APP_MPI_ERR_UNKNOWN || added_find(own) != 0)
        return code;
    found = added_host_code((app_code)code);
    return found != 0 ? (int)found : code;
}

/* Adds what `add` does, until its number is no class of another family's, and gives it a number of the application's. */
static int add(int (*add_one)(int host_class, int *code), int host_class, int *code)
{
    int rc;
    take_lock(error_codes);
    do
        rc = add_one(host_class, code);
    while (rc == 0 && (*code < ERROR_CLASSES_END || (*code >= TOOL_CLASSES && *code < TOOL_CLASSES_END)));
    if (rc == 0)
        added_add((host_code)*code, (host_code)(host_class ? host_class : *code), life());
    release_lock(error_codes);
    return rc;
}

static int add_one_class(int none, int *code)
{
    return NEXT(error_calls, MPI_Add_error_class)(code);
}

static int add_one_code(int host_class, int *code)
{
    return NEXT(error_calls, MPI_Add_error_code)(host_class, code);
}

static int add_class(int *code)
{
    return code ? add(add_one_class, 0, code) : NEXT(error_calls, MPI_Add_error_class)(code);
}

static int add_code(int host_class, int *code)
{
    int own = host_error(host_class), number;
    /* A host that is an adapter has a number for what comes from its own host. */
    if (natives_are_below && NEXT(error_calls, MPI_Error_class)(own, &number) == 0)
        own = number;
    return code ? add(add_one_code, own, code) : NEXT(error_calls, MPI_Add_error_code)(own, code);
}

static void forget_string(app_code number)
{
    added_set_string(number, 0);
}

/* The application's parts have the text that they gave, which may be longer. */
static int add_string(int code, const char *string)
{
    int own = host_error(code), rc;
    take_lock(error_codes);
    rc = NEXT(error_calls, MPI_Add_error_string)(own, string);
    if (rc == 0)
        forget_string(added_find((host_code)own));
    release_lock(error_codes);
    return rc;
}

/* Open MPI does not tell the class of a code that was added. */
static int error_class(int code, int *class)
{
    int own = host_error(code);
    host_code known = added_host_class(added_find((host_code)own));
    if (known == 0 || !class)
        return NEXT(error_calls, MPI_Error_class)(own, class);
    *class = (int)known;
    return 0;
}

static int error_string(int code, char *string, int *length)
{
    return NEXT(error_calls, MPI_Error_string)(host_error(code), string, length);
}

/* Removes by the host's procedure what a code is, or has, and forgets it: nobody gets it again before. */
static int removed(int (*remove_one)(int), void (*forget)(app_code), int code)
{
    int own = host_error(code), rc;
    take_lock(error_codes);
    rc = remove_one(own);
    if (rc == 0)
        forget(added_find((host_code)own));
    release_lock(error_codes);
    return rc;
}

static int remove_class(int code)
{
    return removed(NEXT(error_calls, MPI_Remove_error_class), added_forget, code);
}

static int remove_code(int code)
{
    return removed(NEXT(error_calls, MPI_Remove_error_code), added_forget, code);
}

static int remove_string(int code)
{
    return removed(NEXT(error_calls, MPI_Remove_error_string), forget_string, code);
}

static int call_of_comm(host_comm comm, int code)
{
    return NEXT(error_calls, MPI_Comm_call_errhandler)(comm, host_error(code));
}

static int call_of_file(host_file file, int code)
{
    return NEXT(error_calls, MPI_File_call_errhandler)(file, host_error(code));
}

static int call_of_session(host_session session, int code)
{
    return NEXT(error_calls, MPI_Session_call_errhandler)(session, host_error(code));
}

static int call_of_win(host_win win, int code)
{
    return NEXT(error_calls, MPI_Win_call_errhandler)(win, host_error(code));
}

void native_errors_begin(void)
{
    added_share();
    LAYER_INSTALL(LAYER_NATIVE, error_calls, OVERRIDE(error_calls, MPI_Add_error_class, add_class),
                  OVERRIDE(error_calls, MPI_Add_error_code, add_code), OVERRIDE(error_calls, MPI_Add_error_string, add_string),
                  OVERRIDE(error_calls, MPI_Error_class, error_class), OVERRIDE(error_calls, MPI_Error_string, error_string),
                  OVERRIDE(error_calls, MPI_Remove_error_class, remove_class), OVERRIDE(error_calls, MPI_Remove_error_code, remove_code),
                  OVERRIDE(error_calls, MPI_Remove_error_string, remove_string),
                  OVERRIDE(error_calls, MPI_Comm_call_errhandler, call_of_comm), OVERRIDE(error_calls, MPI_File_call_errhandler, call_of_file),
                  OVERRIDE(error_calls, MPI_Session_call_errhandler, call_of_session),
                  OVERRIDE(error_calls, MPI_Win_call_errhandler, call_of_win));
}
