/* SPDX-License-Identifier: BSD-3-Clause */
/* gotswap_replace_each() for a variant of isolate.c: leaves out the slots of the symbol named in
 * the environment variable LEAK. */
#include <stdlib.h>
#include <string.h>

#include "gotswap.h"

int leak_replace_each(gotswap_object *object, gotswap_choose choose, void *context, size_t *replaced);

struct request {
    gotswap_choose choose;
    void *context;
    const char *left_out;
};

static void *leak(const char *symbol, void *current, void *context)
{
    const struct request *request = context;
    if (request->left_out && strcmp(symbol, request->left_out) == 0)
        return 0;
    return request->choose(symbol, current, request->context);
}

int leak_replace_each(gotswap_object *object, gotswap_choose choose, void *context, size_t *replaced)
{
    struct request request = { choose, context, getenv("LEAK") };
    return gotswap_replace_each(object, leak, &request, replaced);
}
