/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that gfortran before 12 compiled have their descriptors made for BIND(C) procedures by its run-time library,
 * which since 12 ends them where a CHARACTER variable has more than 127 characters, unless that fits by chance. They are
 * linked with this instead. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "convert/say.h"
#include "section.h"

/* As its run-time library has it, of the types of gfortran's descriptors. */
#define OF_CHARACTERS 6

typedef void describe_by_gfortran(struct descriptor **described, const struct gfortran_descriptor *array);

EXPORTED describe_by_gfortran _gfortran_gfc_desc_to_cfi_desc;

/* Stores the description of the array at *described, allocated if that is null. */
void _gfortran_gfc_desc_to_cfi_desc(struct descriptor **described, const struct gfortran_descriptor *array)
{
    static describe_by_gfortran *next;
    if (!next && !(next = (describe_by_gfortran *)dlvsym(RTLD_DEFAULT, "_gfortran_gfc_desc_to_cfi_desc", "GFORTRAN_9")))
        give_up("gfortran's run-time library has no _gfortran_gfc_desc_to_cfi_desc; install libgfortran5 of GCC 9 or newer");
    if (array->type != OF_CHARACTERS || array->element_size == 1) {
        next(described, array);
        return;
    }
    struct {
        struct gfortran_descriptor array;
        ptrdiff_t dimensions[3 * DESCRIBED_DIMENSIONS];
    } characters;
    memcpy(&characters, array, sizeof *array + (size_t)array->rank * 3 * sizeof(ptrdiff_t));
    characters.array.element_size = 1;
    next(described, &characters.array);
    (*described)->element_size = array->element_size;
}
