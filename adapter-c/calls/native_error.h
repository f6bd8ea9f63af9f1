/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes and codes that cross between parts of a process (isolate/natives.h). A part has the host's code, or the application's number
 * of it, and may tell another part of it. Where the two differ, numbers of the application's are no codes of the host's. */
#ifndef NATIVE_ERROR_H
#define NATIVE_ERROR_H

#include <pthread.h>

#include "convert/types.h"

/* Takes codes of all parts from now on. */
void native_errors_begin(void);

/* The lock under which codes are added and removed. */
extern HIDDEN pthread_mutex_t error_codes_lock;

#endif
