/* SPDX-License-Identifier: BSD-3-Clause */
/* A library by the name that earlier releases gave it: it leads to the one of today, and says that it is loaded. */
#include "base/share.h"

__attribute__((constructor)) static void start(void)
{
    mpi_adapter_shared.earlier_is_loaded();
}
