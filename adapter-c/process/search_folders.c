/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/search_folders.h"

#include <stdlib.h>

struct link_map *object_with(const void *address)
{
    Dl_info info;
    struct link_map *map = 0;
    return dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) ? map : 0;
}

Dl_serinfo *search_folders(struct link_map *object)
{
    Dl_serinfo size, *folders;
    if (!object || dlinfo(object, RTLD_DI_SERINFOSIZE, &size) != 0 || !(folders = malloc(size.dls_size)))
        return 0;
    if (dlinfo(object, RTLD_DI_SERINFOSIZE, folders) == 0 && dlinfo(object, RTLD_DI_SERINFO, folders) == 0)
        return folders;
    free(folders);
    return 0;
}
