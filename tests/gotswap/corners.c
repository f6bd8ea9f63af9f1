/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong arguments, stopped iterations, addends and one pass over several symbols. */
#include "caller.h"
#include "check.h"

#include <string.h>

extern char callee_data[];
static char other_data[64];

static int two(void)
{
    return 2;
}

static void wrong_arguments(gotswap_object *object)
{
    CHECK(gotswap_open(NULL, "libcaller.so") == GOTSWAP_EINVAL);
    CHECK(gotswap_open_address(NULL, "") == GOTSWAP_EINVAL);
    CHECK(gotswap_open_address(&object, NULL) == GOTSWAP_EINVAL);
    CHECK(gotswap_replace(NULL, "callee", (void *)two, NULL) == GOTSWAP_EINVAL);
    CHECK(gotswap_replace(object, NULL, (void *)two, NULL) == GOTSWAP_EINVAL);
    CHECK(gotswap_replace(object, "callee", NULL, NULL) == GOTSWAP_EINVAL);
    CHECK(gotswap_replace_each(object, NULL, NULL, NULL) == GOTSWAP_EINVAL);
    CHECK(gotswap_restore(NULL) == GOTSWAP_EINVAL);
    CHECK(gotswap_iterate(object, NULL, NULL) == GOTSWAP_EINVAL);
    CHECK(gotswap_each_loaded(NULL, NULL) == GOTSWAP_EINVAL);
    CHECK(gotswap_each_dependency(NULL, NULL, NULL) == GOTSWAP_EINVAL);
    CHECK(gotswap_close(NULL) == GOTSWAP_OK);
    CHECK(gotswap_path(NULL) == NULL && gotswap_base(NULL) == NULL);
}

static int stop_at_second(const gotswap_slot *slot, void *context)
{
    (void)slot;
    return ++*(int *)context == 2 ? -7 : 0;
}

static int stop_at_object(const char *path, const void *base, void *context)
{
    (void)path;
    (void)base;
    return ++*(int *)context == 2 ? -7 : 0;
}

static void stopped(gotswap_object *object)
{
    int calls = 0;
    CHECK(gotswap_iterate(object, stop_at_second, &calls) == -7 && calls == 2);
    calls = 0;
    CHECK(gotswap_each_loaded(stop_at_object, &calls) == -7 && calls == 2);
    calls = 0;
    CHECK(gotswap_each_dependency(NULL, stop_at_object, &calls) == -7 && calls == 2);
}

static void addends(gotswap_object *object)
{
    void *old = NULL;
    CHECK(gotswap_replace(object, "callee_data", other_data, &old) == GOTSWAP_OK);
    CHECK(old == callee_data);
    CHECK(get_pointer() == other_data + 8);
    CHECK(gotswap_restore(object) == GOTSWAP_OK);
    CHECK(get_pointer() == callee_data + 8);
}

static void *choose(const char *symbol, void *current, void *context)
{
    gotswap_object *nested = NULL;
    CHECK(current || strncmp(symbol, "callee", 6) != 0);
    /* A callback may call the library. */
    CHECK(gotswap_open(&nested, "libcallee.so") == GOTSWAP_OK && gotswap_close(nested) == 0);
    ++*(size_t *)context;
    return strcmp(symbol, "callee") == 0 || strcmp(symbol, "own") == 0 ? (void *)two : NULL;
}

static int count(const gotswap_slot *slot, void *context)
{
    size_t *counts = context;
    counts[0]++;
    counts[1] += strcmp(slot->symbol, "callee") == 0 || strcmp(slot->symbol, "own") == 0;
    return 0;
}

static void one_pass(gotswap_object *object)
{
    size_t counts[2] = {0, 0};
    size_t asked = 0;
    size_t replaced = 0;
    CHECK(gotswap_iterate(object, count, counts) == GOTSWAP_OK);
    CHECK(gotswap_replace_each(object, choose, &asked, &replaced) == GOTSWAP_OK);
    CHECK(asked == counts[0] && replaced == counts[1] && replaced >= 4);
    CHECK(call_direct() == 2 && call_table() == 2 && call_own() == 2 && call_packed() == 2);
    /* A second replacement does not change what restoring brings back. */
    CHECK(gotswap_replace(object, "own", (void *)call_direct, NULL) == GOTSWAP_OK);
    CHECK(gotswap_restore(object) == GOTSWAP_OK);
    CHECK(call_direct() == 1 && call_table() == 1 && call_own() == 1 && call_packed() == 1);
}

static void closed_leaves_slots(gotswap_object **object)
{
    CHECK(gotswap_replace(*object, "own", (void *)two, NULL) == GOTSWAP_OK);
    CHECK(gotswap_close(*object) == GOTSWAP_OK);
    CHECK(call_own() == 2);
    CHECK(gotswap_open(object, "libcaller.so") == GOTSWAP_OK);
    CHECK(gotswap_restore(*object) == GOTSWAP_OK); /* replaced by another handle */
    CHECK(call_own() == 2);
}

int main(void)
{
    gotswap_object *object = NULL;
    CHECK(strcmp(gotswap_message(), "") == 0);
    CHECK(gotswap_open(&object, "libcaller.so") == GOTSWAP_OK);
    wrong_arguments(object);
    stopped(object);
    addends(object);
    one_pass(object);
    closed_leaves_slots(&object);
    CHECK(gotswap_close(object) == GOTSWAP_OK);
    return 0;
}
