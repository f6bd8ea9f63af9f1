/* SPDX-License-Identifier: BSD-3-Clause */
/* To be preloaded: stands ahead of UCX's function that registers memory, and adds a byte to the file $ASKED with each call. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

typedef signed char function(void *context, const void *params, void **memory);

signed char ucp_mem_map(void *context, const void *params, void **memory)
{
    function *next = (function *)dlsym(dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD), "ucp_mem_map");
    int file = open(getenv("ASKED"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (!next || write(file, "x", 1) != 1)
        abort();
    close(file);
    return next(context, params, memory);
}
