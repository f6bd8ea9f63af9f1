/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the calls to mprotect() and lets some of them fail. */
#define _GNU_SOURCE
#include "caller.h"
#include "check.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int calls;
static int failing; /* the call that fails, counted from 1 */

int mprotect(void *address, size_t size, int protection)
{
    if (++calls == failing) {
        errno = EACCES;
        return -1;
    }
    return (int)syscall(SYS_mprotect, address, size, protection);
}

static int two(void)
{
    return 2;
}

static void *choose(const char *symbol, void *current, void *context)
{
    (void)current;
    (void)context;
    return strcmp(symbol, "callee") == 0 || strcmp(symbol, "own") == 0 ? (void *)two : NULL;
}

static int swap(gotswap_object *object, int which)
{
    calls = 0;
    failing = which;
    return gotswap_replace_each(object, choose, NULL, NULL);
}

int main(void)
{
    gotswap_object *object = NULL;
    CHECK(gotswap_open(&object, "libcaller.so") == GOTSWAP_OK);

    CHECK(swap(object, 1) == GOTSWAP_EPROT);
    CHECK(strstr(gotswap_message(), "libcaller.so: cannot make the slots writable: "));
    CHECK(call_direct() == 1 && call_own() == 1 && call_table() == 1);

    CHECK(swap(object, 2) == GOTSWAP_EPROT);
    CHECK(strstr(gotswap_message(), "the slots were written, but cannot be protected again: "));
    CHECK(call_direct() == 2 && call_own() == 2 && call_table() == 2);

    failing = 0;
    CHECK(gotswap_restore(object) == GOTSWAP_OK);
    CHECK(call_direct() == 1 && call_own() == 1 && call_table() == 1);

    gotswap_close(object);
    return 0;
}
