/* SPDX-License-Identifier: BSD-3-Clause */
#include "sessions/begin.h"

#include "keep/life.h"
#include "start/load.h"

AT_START static void begin(void)
{
    life_begin();
    early_begin();
    buffered_begin();
}

void (*const when_loaded)(void) = begin;
