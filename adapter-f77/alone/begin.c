/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells a library for C about Fortran, if it does not know any (MPI-5.0 section 20.4). */
#include "fortran.h"

#include "base/fortran_facts.h"

#undef MPI_Init
#undef MPI_Init_thread
#undef MPI_Session_init
int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Session_init(app_info info, app_errhandler errhandler, app_session *session);

static void tell_types(void)
{
    app_info info = APP_MPI_INFO_NULL;
    if (MPI_Abi_get_fortran_info(&info) != 0)
        return;
    int is_known = info != APP_MPI_INFO_NULL;
    if (!is_known && MPI_Info_create(&info) != 0)
        return;
    for (size_t i = 0; !is_known && i < sizeof fortran_facts / sizeof *fortran_facts; i++)
        MPI_Info_set(info, fortran_facts[i][0], fortran_facts[i][1]);
    if (!is_known)
        MPI_Abi_set_fortran_info(info);
    MPI_Info_free(&info);
}

static void tell_logicals(void)
{
    MPI_Fint is_true = 0, is_false = 0;
    int is_set = 1;
    if (MPI_Abi_get_fortran_booleans(sizeof is_true, &is_true, &is_false, &is_set) != 0 || is_set)
        return;
    is_true = logical_to_fortran(1), is_false = logical_to_fortran(0);
    MPI_Abi_set_fortran_booleans(sizeof is_true, &is_true, &is_false);
}

static int told(int rc)
{
    if (rc == 0) {
        tell_types();
        tell_logicals();
    }
    return rc;
}

int begin_MPI_Init(int *argc, char ***argv)
{
    return told(MPI_Init(argc, argv));
}

int begin_MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return told(MPI_Init_thread(argc, argv, required, provided));
}

int begin_MPI_Session_init(app_info info, app_errhandler errhandler, app_session *session)
{
    return told(MPI_Session_init(info, errhandler, session));
}
