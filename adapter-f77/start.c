/* SPDX-License-Identifier: BSD-3-Clause */
/* At load, a pair's Fortran library asks its library for C for these. */
#include "fortran.h"

__attribute__((constructor)) static void choose_logicals(void)
{
    mpi_adapter_shared.logicals(&fortran_true, &fortran_false);
}

static void take_earlier_numbers(void)
{
    take_earlier_handles();
    for (const struct earlier_constant *row = earlier_constants; row->constant; row++)
        *row->constant = row->value;
}

__attribute__((constructor)) static void choose_numbers(void)
{
    mpi_adapter_shared.when_earlier(take_earlier_numbers);
}

__attribute__((constructor)) static void unify_sentinels(void)
{
    mpi_adapter_shared.isolate_sentinels(sentinel_symbols, choose_logicals);
}
