/* SPDX-License-Identifier: BSD-3-Clause */
/* The reader of what scripts import. */
#include "fuzz.h"

#include "arena.h"
#include "imports.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct syntax python = { .is_python = 1 }, other;
    struct list names = { 0 }, strings = { 0 };
    const char *text = arena_text("%.*s", (int)size, (const char *)data);
    if (!other.pattern.re_nsub && regcomp(&other.pattern, "(library|require)[[:space:]]*\\(.*|[A-Za-z0-9.]+::", REG_EXTENDED) != 0)
        return 0;
    add_imports(&python, text, &names, &strings);
    add_imports(&other, text, &names, &strings);
    arena_empty();
    return 0;
}
