/* SPDX-License-Identifier: BSD-3-Clause */
/* How many requests completion calls must look at themselves (keep/retained_array.h), and whether the program ever gave them
 * a number that is no request, which hosts do not look for: some dereference it. */
#ifndef SPECIAL_REQUESTS_H
#define SPECIAL_REQUESTS_H

#include "convert/types.h"

extern HIDDEN int special_requests;
enum { SEEN_NO_REQUEST = 1 << 30 };

INLINE void note_no_request(void)
{
    __atomic_fetch_or(&special_requests, SEEN_NO_REQUEST, __ATOMIC_RELAXED);
}

#endif
