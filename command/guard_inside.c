// SPDX-License-Identifier: BSD-3-Clause
// Tells whether an MPI is linked into the program, or into a library. No name and no
// symbol does so, but a text, which detour.so looks for, too.
#include <stdarg.h>
#include <stdio.h>

#include "detour.h"
#include "guard.h"
#include "inside.h"

void refuse_program(const char *format, ...)
{
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    guard_end_with("mpi-adapter: %s\n", text);
}

bool guard_has_inside(void)
{
    struct program object;
    size_t number = 0;
    return inside_look_for(&object, &number);
}

const char *guard_find_begun(bool is_started_by(const char *version))
{
    struct program library;
    for (size_t i = 1; inside_look_for(&library, &i); i++) {
        program_open_library(&library);
        struct inside inside = inside_named(&library);
        program_close(&library);
        bool has_begun = !inside.state || *(const volatile unsigned char *)(library.base + inside.state);
        if (inside.mpi && has_begun && !is_started_by(inside.mpi->called))
            return library.path;
    }
    return NULL;
}
