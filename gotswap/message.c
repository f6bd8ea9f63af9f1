/* SPDX-License-Identifier: BSD-3-Clause */
/* The description of each thread's last failure. It is kept on the heap: thread-local storage would take its
 * room from every thread's stack. */
#include "internal.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Long enough for a path of the usual PATH_MAX bytes and what is wrong with it. */
#define MESSAGE_BYTES (4096 + 256)

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;

static void make_key(void)
{
    has_key = pthread_key_create(&key, free) == 0;
}

/* The thread's message, null before its first failure. */
static char *own_message(void)
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
    char *message = own_message();
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
    const char *message = own_message();
    return message ? message : "";
}
