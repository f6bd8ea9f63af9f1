/* SPDX-License-Identifier: BSD-3-Clause */
/* In the place of isolate.c: no isolation. */
#include "isolate/fortran_sentinels.h"
#include "isolate/isolate.h"
#include "isolate/slots.h"
#include "process/loader.h"

void isolate_host(void *handle, const struct host_loading *loading)
{
    (void)loading;
    loader_find();
    slots_start(handle);
}

void isolate_tool(void *handle, const struct load_span *span)
{
    (void)handle, (void)span;
}

void isolate_opened(void *handle, const struct load_span *span)
{
    (void)handle, (void)span;
}

void isolate_used(void *handle)
{
    (void)handle;
}

void isolate_with(void (*isolate)(void))
{
    (void)isolate;
}

void isolate_arrivals(void)
{
}

void isolate_sentinels(const struct sentinel *table, void (*loaded)(void))
{
    (void)table, (void)loaded;
}

void isolate_first_arrivals(void (*meet)(const char *path))
{
    (void)meet;
}

void isolate_each_arrival(void (*visit)(const char *path))
{
    (void)visit;
}

void isolate_within(const struct load_span *span)
{
    (void)span;
}
