/* SPDX-License-Identifier: BSD-3-Clause */
#include "layers/first_answers.h"

#include <string.h>
#include <unistd.h>

#include "layers/layers.h"

/* The linker takes the definition of the room that loads, in the place of this one. */
__attribute__((common)) void (*host_loader)(void);

/* For all that MPI does not allow before MPI_Init, and for calls of predefined handles: these were converted before there was a
 * host to have them. */
static int refuse_first(void)
{
    static const char line[] = "mpi-adapter: the program calls MPI before its library is loaded, and not for what MPI allows then; "
                               "call MPI_Init first, or call MPI later than in this constructor or thread\n";
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written;
    _exit(1);
}

/* Tools ask these in signal handlers, and while memory is allocated for the load: they load nothing and take no lock. */
static int answer_no(int *flag)
{
    *flag = 0;
    return 0;
}

static int answer_no_text(char *text, int *length)
{
    text[0] = 0;
    *length = 0;
    return 0;
}

/* The others that a program may call first load the host, and pass the call on. Within the load there is nobody to pass it to. */
static int first_MPI_Get_library_version(char *text, int *length)
{
    host_loader();
    int is_loading = (mpi_function *)host.MPI_Get_library_version == (mpi_function *)first_MPI_Get_library_version;
    return is_loading ? answer_no_text(text, length) : host.MPI_Get_library_version(text, length);
}

/* each
 * name                           parameters                                        arguments
 * MPI_Info_create                host_info *info                                   info
 * MPI_Info_create_env            int argc, char **argv, host_info *info            argc, argv, info
 * MPI_Error_class                int code, int *error_class                        code, error_class
 * MPI_Error_string               int code, char *text, int *length                 code, text, length
 * MPI_Add_error_class            int *error_class                                  error_class
 * MPI_Add_error_code             host_code error_class, host_code *code            error_class, code
 * MPI_Add_error_string           host_code code, const char *text                  code, text
 * MPI_Remove_error_class         host_code error_class                             error_class
 * MPI_Remove_error_code          host_code code                                    code
 * MPI_Remove_error_string        host_code code                                    code
 * MPI_Session_create_errhandler  mpi_function *function, host_errhandler *handler  function, handler
 * MPI_T_category_changed         int *number                                       number
 * MPI_T_category_get_num         int *number                                       number
 * MPI_T_cvar_get_num             int *number                                       number
 * MPI_T_event_get_num            int *number                                       number
 * MPI_T_finalize                 void                                              -
 * MPI_T_pvar_get_num             int *number                                       number
 * MPI_T_source_get_num           int *number                                       number
 * MPI_T_init_thread              int required, int *provided                       required, provided
 * MPI_Pcontrol                   const int level, ...                              level
 */
static int first_$name($parameters)
{
    host_loader();
    int is_loading = (mpi_function *)host.$name == (mpi_function *)first_$name;
    return is_loading ? refuse_first() : host.$name($arguments);
}
/* end */

/* This is `host`, the table of the host's procedures, under a name by which it is an array. */
extern HIDDEN mpi_function *first_answers[HOST_PROCEDURES] __asm__("host");

#define FIRST(name, function) [PROCEDURE_NUMBER(name)] = (mpi_function *)(function)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
mpi_function *first_answers[HOST_PROCEDURES] = {
    [0 ... HOST_PROCEDURES - 1] = (mpi_function *)refuse_first,
    FIRST(MPI_Initialized, answer_no),
    FIRST(MPI_Finalized, answer_no),
    FIRST(MPI_Get_library_version, first_MPI_Get_library_version),
    FIRST(MPI_Info_create, first_MPI_Info_create),
    FIRST(MPI_Info_create_env, first_MPI_Info_create_env),
    FIRST(MPI_Error_class, first_MPI_Error_class),
    FIRST(MPI_Error_string, first_MPI_Error_string),
    FIRST(MPI_Add_error_class, first_MPI_Add_error_class),
    FIRST(MPI_Add_error_code, first_MPI_Add_error_code),
    FIRST(MPI_Add_error_string, first_MPI_Add_error_string),
    FIRST(MPI_Remove_error_class, first_MPI_Remove_error_class),
    FIRST(MPI_Remove_error_code, first_MPI_Remove_error_code),
    FIRST(MPI_Remove_error_string, first_MPI_Remove_error_string),
    FIRST(MPI_Session_create_errhandler, first_MPI_Session_create_errhandler),
    FIRST(MPI_T_category_changed, first_MPI_T_category_changed),
    FIRST(MPI_T_category_get_num, first_MPI_T_category_get_num),
    FIRST(MPI_T_cvar_get_num, first_MPI_T_cvar_get_num),
    FIRST(MPI_T_event_get_num, first_MPI_T_event_get_num),
    FIRST(MPI_T_finalize, first_MPI_T_finalize),
    FIRST(MPI_T_pvar_get_num, first_MPI_T_pvar_get_num),
    FIRST(MPI_T_source_get_num, first_MPI_T_source_get_num),
    FIRST(MPI_T_init_thread, first_MPI_T_init_thread),
    FIRST(MPI_Pcontrol, first_MPI_Pcontrol),
};
#pragma GCC diagnostic pop
