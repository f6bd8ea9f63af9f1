/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/load_span.h"

#include "process/loader.h"

static unsigned program_loads, loading_threads;
static _Thread_local int is_loading;

void load_span_program_returned(void)
{
    if (is_loading)
        __atomic_fetch_sub(&loading_threads, 1, __ATOMIC_SEQ_CST);
    is_loading = 0;
}

void load_span_program_loads(void)
{
    load_span_program_returned();
    is_loading = 1;
    __atomic_fetch_add(&loading_threads, 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&program_loads, 1, __ATOMIC_SEQ_CST);
}

unsigned load_span_program_count(void)
{
    return __atomic_load_n(&program_loads, __ATOMIC_SEQ_CST);
}

/* True if the program may be loading something now. If another library took slots of dlopen(), the hooks do not see all that
 * the program loads. */
static int may_program_load(void)
{
    return __atomic_load_n(&loading_threads, __ATOMIC_SEQ_CST) > 0 || __atomic_load_n(&taken_dlopen, __ATOMIC_ACQUIRE);
}

struct load_span load_span_begin(void)
{
    load_span_program_returned();
    struct load_span span = { 0, __atomic_load_n(&program_loads, __ATOMIC_SEQ_CST), may_program_load() };
    span.last = linked_last();
    return span;
}

size_t load_span_later(const struct load_span *span, const gotswap_list *list)
{
    for (size_t i = list->count; i > 0; i--)
        if (list->objects[i - 1].dynamic == span->last)
            return i;
    return list->count;
}

size_t load_span_first(const struct load_span *span, const gotswap_list *list)
{
    if (span->is_unclear || may_program_load() || span->program_loads != __atomic_load_n(&program_loads, __ATOMIC_SEQ_CST))
        return list->count;
    return load_span_later(span, list);
}
