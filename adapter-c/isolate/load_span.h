/* SPDX-License-Identifier: BSD-3-Clause */
/* A load span lasts from before a call that loads objects for the host until after it. Objects that appear meanwhile are the
 * host's, including those that a constructor loads, unless the program may have loaded objects at the same time. */
#ifndef LOAD_SPAN_H
#define LOAD_SPAN_H

#include "process/linked.h"

struct load_span {
    const ElfW(Dyn) *last;  /* of the objects that were there when it began */
    unsigned program_loads; /* how often the program had loaded something by then */
    int is_unclear;         /* the program was loading something when it began */
};

/* Begins a span. The calling thread loads for the host from now on. */
struct load_span load_span_begin(void);

/* Returns the index of the first object in the list that appeared within the span. Returns the list's end if that cannot be
 * told, because the program has loaded something since or may have done so unseen. */
size_t load_span_first(const struct load_span *span, const gotswap_list *list);

/* Returns the index of the first object that appeared after the span began, whoever loaded it. */
size_t load_span_later(const struct load_span *span, const gotswap_list *list);

/* Notes that the calling thread is about to load something for the program. It cannot say when that call returns, because a hook
 * ends by a jump. */
void load_span_program_loads(void);

/* Returns how often the program has loaded something, as far as the hooks saw it. */
unsigned load_span_program_count(void);

/* Notes that the calling thread has returned from that call, if it made one. */
void load_span_program_returned(void);

#endif
