/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/take_over.h"
#include "convert/lock.h"


LOCK(host_table);

void table_lock(void)
{
    take_lock(host_table);
}

void table_unlock(void)
{
    release_lock(host_table);
}
