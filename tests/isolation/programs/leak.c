/* SPDX-License-Identifier: BSD-3-Clause */
/* gotswap_replace_each() for a variant of slots.c: leaves out the slots of the symbols that the
 * environment variable LEAK names, separated by colons. */
#include <stdlib.h>
#include <string.h>

#include "gotswap.h"

int leak_replace_each(gotswap_object *object, gotswap_choose choose, void *context, size_t *replaced);

struct request {
    gotswap_choose choose;
    void *context;
    const char *left_out;
};

static int is_left_out(const char *list, const char *symbol)
{
    size_t length = strlen(symbol);
    for (; list && *list; list += strcspn(list, ":"), list += *list == ':')
        if (strcspn(list, ":") == length && strncmp(list, symbol, length) == 0)
            return 1;
    return 0;
}

static void *leak(const char *symbol, void *current, void *context)
{
    const struct request *request = context;
    if (is_left_out(request->left_out, symbol))
        return 0;
    return request->choose(symbol, current, request->context);
}

int leak_replace_each(gotswap_object *object, gotswap_choose choose, void *context, size_t *replaced)
{
    struct request request = { choose, context, getenv("LEAK") };
    return gotswap_replace_each(object, leak, &request, replaced);
}
