/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/text.h"

#include <string.h>

void copy_prose(char *to, const char *from, int room, int *length)
{
    int written = (int)strnlen(from, (size_t)room - 1);
    memcpy(to, from, (size_t)written);
    to[written] = 0;
    if (length)
        *length = written;
}

int copy_identifier(char *to, const char *from, int room)
{
    size_t length = strlen(from);
    if (length >= (size_t)room)
        return -1;
    memcpy(to, from, length + 1);
    return 0;
}
