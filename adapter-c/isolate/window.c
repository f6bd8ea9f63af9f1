/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "isolate/window.h"

#include "process/loader.h"

static unsigned program_loads, loading;
static _Thread_local int is_loading;

void window_program_is_back(void)
{
    if (is_loading)
        __atomic_fetch_sub(&loading, 1, __ATOMIC_SEQ_CST);
    is_loading = 0;
}

void window_program_loads(void)
{
    window_program_is_back();
    is_loading = 1;
    __atomic_fetch_add(&loading, 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&program_loads, 1, __ATOMIC_SEQ_CST);
}

/* Where another library has taken slots of dlopen's, not all that the program loads is seen. */
static int is_shared(void)
{
    return __atomic_load_n(&loading, __ATOMIC_SEQ_CST) > 0 || __atomic_load_n(&taken_dlopen, __ATOMIC_ACQUIRE);
}

struct window window_open(void)
{
    window_program_is_back();
    struct window window = { 0, __atomic_load_n(&program_loads, __ATOMIC_SEQ_CST), is_shared() };
    window.last = linked_last();
    return window;
}

size_t window_since(const struct window *window, const gotswap_list *list)
{
    if (window->is_shared || is_shared() || window->program_loads != __atomic_load_n(&program_loads, __ATOMIC_SEQ_CST))
        return list->count;
    for (size_t i = list->count; i > 0; i--)
        if (list->objects[i - 1].dynamic == window->last)
            return i;
    return list->count;
}
