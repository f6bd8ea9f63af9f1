/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes and codes that cross between parts of a process (isolate/natives.h). Native parts have the host's code, the application's
 * parts a number for it, and each may pass its own to the other. A number that differs from its code is not another code of the host's. */
#ifndef NATIVE_ERROR_H
#define NATIVE_ERROR_H

#include <pthread.h>

#include "convert/types.h"

/* Takes codes of all parts from now on. */
void native_errors_begin(void);

/* The lock under which codes are added and removed. */
extern HIDDEN pthread_mutex_t error_codes_lock;

#endif
