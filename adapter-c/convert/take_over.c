/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/take_over.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void table_lock(void)
{
    pthread_mutex_lock(&lock);
}

void table_unlock(void)
{
    pthread_mutex_unlock(&lock);
}
