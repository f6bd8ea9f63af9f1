/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/late_tool.h"

#include "convert/types.h"
#include "isolate/proof.h"
#include "layers/layers.h"

/* They cost microseconds in any case, and the host makes them of other procedures, in MPI-IO above all. */
#define RARE(each) each(MPI_File_open) each(MPI_Win_create) each(MPI_Win_allocate)
LAYER_PART(rare, RARE);

static host_code open_bound(host_comm comm, const char *name, int mode, host_info info, host_file *file)
{
    bind_changed_again();
    return NEXT(rare, MPI_File_open)(comm, name, mode, info, file);
}

static host_code create_bound(const void *base, MPI_Aint size, int unit, host_info info, host_comm comm, host_win *win)
{
    bind_changed_again();
    return NEXT(rare, MPI_Win_create)(base, size, unit, info, comm, win);
}

static host_code allocate_bound(MPI_Aint size, int unit, host_info info, host_comm comm, void *base, host_win *win)
{
    bind_changed_again();
    return NEXT(rare, MPI_Win_allocate)(size, unit, info, comm, base, win);
}

void late_tools_start(void)
{
    LAYER_INSTALL(LAYER_ISOLATION, rare, OVERRIDE(rare, MPI_File_open, open_bound),
                  OVERRIDE(rare, MPI_Win_create, create_bound), OVERRIDE(rare, MPI_Win_allocate, allocate_bound));
}
