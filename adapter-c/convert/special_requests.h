/* SPDX-License-Identifier: BSD-3-Clause */
/* The number of requests that completion calls must inspect (requests/retained_array.h), and a bit that is set once the program
 * gave them a number that is no request. Hosts do not check for that, and some dereference it. */
#ifndef SPECIAL_REQUESTS_H
#define SPECIAL_REQUESTS_H

#include "convert/types.h"

extern HIDDEN int special_requests;
enum { SEEN_NO_REQUEST = 1 << 30 };

/* Sets the bit. */
INLINE void note_no_request(void)
{
    __atomic_fetch_or(&special_requests, SEEN_NO_REQUEST, __ATOMIC_RELAXED);
}

#endif
