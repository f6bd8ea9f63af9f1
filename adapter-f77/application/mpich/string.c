/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures of the module mpi_c_interface_glue of MPICH: strings of C and of Fortran. */
#include <string.h>

#include "section.h"

void string_c2f(const struct descriptor *c, char *fortran, size_t element, size_t length)
    __asm__("__mpi_c_interface_glue_MOD_mpir_fortran_string_c2f");
void string_f2c(const char *fortran, const struct descriptor *c, size_t length, size_t element)
    __asm__("__mpi_c_interface_glue_MOD_mpir_fortran_string_f2c");

/* The characters of C's string that are in use may lie apart: it is an assumed-shape array. */
static char *character_at(const struct descriptor *c, size_t i)
{
    ptrdiff_t stride = c->dimension[0].stride;
    return (char *)c->base + (ptrdiff_t)i * (stride ? stride : 1);
}

/* C's string, padded with blanks. */
EXPORTED void string_c2f(const struct descriptor *c, char *fortran, size_t element, size_t length)
{
    size_t i = 0;
    for (; i < length && *character_at(c, i) != '\0'; i++)
        fortran[i] = *character_at(c, i);
    memset(fortran + i, ' ', length - i);
}

/* Fortran's string without leading and trailing blanks. */
EXPORTED void string_f2c(const char *fortran, const struct descriptor *c, size_t length, size_t element)
{
    while (length > 0 && fortran[length - 1] == ' ')
        length--;
    while (length > 0 && *fortran == ' ')
        fortran++, length--;
    for (size_t i = 0; i < length; i++)
        *character_at(c, i) = fortran[i];
    *character_at(c, length) = '\0';
}

/* The same for Intel's compilers. */
void intel_string_c2f(const struct intel_descriptor *c, char *fortran, size_t element, size_t length)
    __asm__("mpi_c_interface_glue_mp_mpir_fortran_string_c2f_");
void intel_string_f2c(const char *fortran, const struct intel_descriptor *c, size_t length, size_t element)
    __asm__("mpi_c_interface_glue_mp_mpir_fortran_string_f2c_");

static struct descriptor as_descriptor(const struct intel_descriptor *c)
{
    struct descriptor same = { .base = c->base };
    same.dimension[0].stride = c->dimension[0].stride;
    return same;
}

EXPORTED void intel_string_c2f(const struct intel_descriptor *c, char *fortran, size_t element, size_t length)
{
    struct descriptor same = as_descriptor(c);
    string_c2f(&same, fortran, element, length);
}

EXPORTED void intel_string_f2c(const char *fortran, const struct intel_descriptor *c, size_t length, size_t element)
{
    struct descriptor same = as_descriptor(c);
    string_f2c(fortran, &same, length, element);
}
