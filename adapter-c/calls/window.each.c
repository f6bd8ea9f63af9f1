/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Win_shared_query, MPI-4.1 section 12.2.3: since MPI-4.1 also of windows that were made by MPI_Win_create or
 * MPI_Win_allocate. Hosts before it refuse these. For programs of the standard ABI the adapter answers there: a process
 * reaches its own segment by load and store, and no other. */
#include "convert/adapter.h"
#include "layers/layers.h"

/* A window's attribute, or null. */
static void *attribute_of(host_win win, int keyval)
{
    void *value = 0;
    int flag = 0;
    return host.MPI_Win_get_attr(win, keyval, &value, &flag) == 0 && flag ? value : 0;
}

/* Whether the adapter answers in the host's place. MPI_Get_hw_resource_info came with MPI-4.1, too. */
static int is_answered_here(host_win win)
{
    if (APP_MPI_ABI_VERSION <= 0 || !HOST_LACKS(MPI_Get_hw_resource_info) ||
        HOST_WIN_BITS(win) == HOST_WIN_BITS(HOST_MPI_WIN_NULL))
        return 0;
    const int *flavor = attribute_of(win, HOST_MPI_WIN_CREATE_FLAVOR);
    return flavor && (*flavor == HOST_MPI_WIN_FLAVOR_CREATE || *flavor == HOST_MPI_WIN_FLAVOR_ALLOCATE);
}

static int place_in(host_win win, int *rank, int *size)
{
    host_group group;
    host_code rc = host.MPI_Win_get_group(win, &group);
    if (rc != 0)
        return rc;
    rc = host.MPI_Group_rank(group, rank);
    if (rc == 0)
        rc = host.MPI_Group_size(group, size);
    host.MPI_Group_free(&group);
    return rc;
}

/* Returns the application's code. MPI_PROC_NULL asks for the lowest rank that gave memory. */
static int query_here(host_win win, int rank, MPI_Aint *size, MPI_Count *disp_unit, void *baseptr, const char *function)
{
    int own = 0, members = 0, rc = place_in(win, &own, &members);
    if (rc == 0 && rank != HOST_MPI_PROC_NULL && (rank < 0 || rank >= members))
        rc = fail_win_in(win, HOST_MPI_ERR_RANK, function);
    if (rc != 0)
        return error_to_app(rc);
    const MPI_Aint *bytes = attribute_of(win, HOST_MPI_WIN_SIZE);
    const int *unit = attribute_of(win, HOST_MPI_WIN_DISP_UNIT);
    int is_own = rank == own || (rank == HOST_MPI_PROC_NULL && members == 1);
    *size = is_own && bytes ? *bytes : 0;
    *disp_unit = unit ? *unit : 1;
    *(void **)baseptr = *size > 0 ? attribute_of(win, HOST_MPI_WIN_BASE) : 0;
    return 0;
}

/* each
 * suffix  unit_type
 * -       int
 * _c      MPI_Aint
 */
PROCEDURE(app_code, MPI_Win_shared_query$suffix, app_win win, int rank, MPI_Aint *size, $unit_type *disp_unit, void *baseptr)
{
    host_win its_win = win_to_host(win);
    int its_rank = rank_to_host(rank), rc;
    if (size && disp_unit && baseptr && is_answered_here(its_win)) {
        MPI_Count unit = 0;
        rc = query_here(its_win, its_rank, size, &unit, baseptr, __func__);
        if (rc == 0)
            *disp_unit = ($unit_type)unit;
        return rc;
    }
    rc = host.MPI_Win_shared_query$suffix(its_win, its_rank, size, disp_unit, baseptr);
    return rc == 0 ? 0 : error_to_app(rc);
}
/* end */
