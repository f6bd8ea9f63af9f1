/* SPDX-License-Identifier: BSD-3-Clause */
#include "checksum.h"

#include <stdio.h>

#include "../tree/sha256.h"
#include "arena.h"
#include "file.h"

const char *checksum_of(const char *path)
{
    FILE *file = is_file(path) ? fopen(path, "re") : 0;
    char bytes[65536], text[SHA256_TEXT];
    struct sha256 sum;
    size_t length;
    if (!file)
        return "";
    sha256_begin(&sum);
    while ((length = fread(bytes, 1, sizeof bytes, file)) > 0)
        sha256_add(&sum, bytes, length);
    int is_read = !ferror(file);
    fclose(file);
    sha256_end(&sum, text);
    return is_read ? arena_text("%s", text) : "";
}
