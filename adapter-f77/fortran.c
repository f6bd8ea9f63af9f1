/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions of values between the languages. */
#include "fortran.h"

#include <string.h>

int fortran_true, fortran_false;

int *logicals_from_fortran(int *local, const MPI_Fint *from, int count)
{
    int *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = logical_from_fortran(from[i]);
    return staged;
}

void logicals_to_fortran(MPI_Fint *flags, int count)
{
    for (int i = 0; i < count; i++)
        if (flags[i] == 0 || flags[i] == 1)
            flags[i] = logical_to_fortran(flags[i]);
}

MPI_Aint *widen(MPI_Aint *local, const MPI_Fint *from, int count)
{
    MPI_Aint *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = from[i];
    return staged;
}

char *string_from_fortran(char *local, const char *from, size_t length)
{
    while (length > 0 && from[length - 1] == ' ')
        length--;
    while (length > 0 && *from == ' ')
        from++, length--;
    char *to = length < FORTRAN_TEXT ? local : malloc(length + 1);
    if (to) {
        memcpy(to, from, length);
        to[length] = 0;
    }
    return to;
}

void string_to_fortran(char *to, size_t length, const char *from)
{
    size_t filled = strnlen(from, length);
    memcpy(to, from, filled);
    memset(to + filled, ' ', length - filled);
}
