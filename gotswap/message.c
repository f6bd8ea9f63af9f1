/* SPDX-License-Identifier: BSD-3-Clause */
/* The description of each thread's last failure. It is on the heap, because thread-local storage of that size would shrink every
 * thread's stack. */
#include "internal.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Enough for a path of PATH_MAX bytes and the reason. */
#define MESSAGE_BYTES (4096 + 256)

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;

static void make_key(void)
{
    has_key = pthread_key_create(&key, free) == 0;
}

/* Returns the thread's message, or null before its first failure. */
static char *thread_message(void)
{
    pthread_once(&once, make_key);
    return has_key ? pthread_getspecific(key) : NULL;
}

static char *new_message(void)
{
    char *message = has_key ? calloc(1, MESSAGE_BYTES) : NULL;
    if (message && pthread_setspecific(key, message) == 0)
        return message;
    free(message);
    return NULL;
}

int gotswap_fail(int code, const char *format, ...)
{
    va_list arguments;
    char *message = thread_message();
    if (!message && !(message = new_message()))
        return code;
    va_start(arguments, format);
    (void)vsnprintf(message, MESSAGE_BYTES, format, arguments);
    va_end(arguments);
    /* A path or a symbol may contain anything, but the message is one line. */
    for (char *c = message; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    return code;
}

int gotswap_fail_memory(void)
{
    return gotswap_fail(GOTSWAP_EMEM, "out of memory");
}

const char *gotswap_message(void)
{
    const char *message = thread_message();
    return message ? message : "";
}
