/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the calls to mprotect() in one pass over an object with full RELRO. */
#define _GNU_SOURCE
#include "caller.h"
#include "check.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int calls;

int mprotect(void *address, size_t size, int protection)
{
    calls++;
    return (int)syscall(SYS_mprotect, address, size, protection);
}

static void *same_or_two(const char *symbol, void *current, void *context)
{
    (void)symbol;
    /* Any other address will do: nothing is called before the slots are restored. */
    return context ? (char *)current + 1 : current;
}

int main(void)
{
    gotswap_object *object = NULL;
    size_t replaced = 0;
    CHECK(gotswap_open(&object, "libcaller.so") == GOTSWAP_OK);

    CHECK(gotswap_replace_each(object, same_or_two, NULL, &replaced) == GOTSWAP_OK);
    CHECK(replaced > 3 && calls == 0); /* they hold it already */

    CHECK(gotswap_replace_each(object, same_or_two, &object, &replaced) == GOTSWAP_OK);
    CHECK(replaced > 3 && calls == 2); /* the GOT writable and read-only again */
    calls = 0;
    CHECK(gotswap_restore(object) == GOTSWAP_OK);
    CHECK(calls == 2);
    CHECK(call_direct() == 1 && call_own() == 1);

    gotswap_close(object);
    return 0;
}
