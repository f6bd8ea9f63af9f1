/* SPDX-License-Identifier: BSD-3-Clause */
/* The description of each thread's last failure. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>

/* Long enough for a path of the usual PATH_MAX bytes and what is wrong with it. */
static _Thread_local char message[4096 + 256];

int gotswap_fail(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
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
    return message;
}
