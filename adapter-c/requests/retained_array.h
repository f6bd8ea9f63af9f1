/* SPDX-License-Identifier: BSD-3-Clause */
/* Converted arrays of collective operations that go on after the call. The host may read such an array
 * until a nonblocking operation completes, or a persistent request is freed (MPI-4.1 sections 6.12 and
 * 6.13): a table keeps it under the operation's request, and frees it then. */
#ifndef RETAINED_ARRAY_H
#define RETAINED_ARRAY_H

#include "convert/special_requests.h"
#include "host.h"

/* Returns room for an array that may be retained, and adds it to the call's arrays, `*arrays`; null if memory runs out. The
 * record that retaining needs lies ahead of it. */
COLD void *retained_room(void **arrays, size_t bytes);

/* Takes over a call's arrays until `request` is gone. A null request frees them at once. */
COLD void retain_arrays(const host_request *request, void *arrays);

/* Returns whether a completion call has to inspect its requests: some of the host's retain arrays, some are our own
 * (adapter_request.h), or the program gave a completion call a number that is no request (note_no_request()). Costs a
 * completion call one load and one branch. The load needs no order: a request is counted before the program gets its
 * handle, and a thread that got the handle by something that orders memory sees it counted. Requests whose handle it does
 * not have do not concern it. */
static inline int has_special_requests(void)
{
    return unlikely(__atomic_load_n(&special_requests, __ATOMIC_RELAXED) != 0);
}

/* Returns a mark: arrays that are retained later are younger. A completion call takes one before it asks the host. */
COLD uint64_t retain_mark(void);

/* Frees the arrays of an operation that a completion call has found complete. `before` is the handle that its request had
 * ahead of that call. Keeps arrays that are younger than the mark: the host may have given the handle of the completed
 * request to an operation of another thread. */
COLD void release_retained(host_request before, uint64_t mark);

/* Calls `release` with the value once `request`, which is not null, is gone. Returns non-zero if memory runs out. */
COLD int retain_value(host_request request, intptr_t value, void (*release)(intptr_t value));

#endif
