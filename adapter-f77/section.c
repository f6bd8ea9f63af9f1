/* SPDX-License-Identifier: BSD-3-Clause */
#include "section.h"

#include <limits.h>
#include <string.h>

#include "fortran_prototypes.h"

/* Returns how many bytes the leading dimensions have that are contiguous, and sets how many these are. */
static ptrdiff_t leading_block(const struct descriptor *array, int *dimensions)
{
    ptrdiff_t size = (ptrdiff_t)array->element_size;
    int i = 0;
    for (; i < array->rank && (section_extent(array, i) == 1 || section_stride(array, i) == size); i++)
        size *= section_extent(array, i);
    *dimensions = i;
    return size;
}

static MPI_Count blocks_of(const struct descriptor *array, int from)
{
    MPI_Count blocks = 1;
    for (int i = from; i < array->rank; i++)
        blocks *= section_extent(array, i);
    return blocks;
}

/* Returns the displacement of block `number`, in the order of Fortran's elements. */
static ptrdiff_t displacement_of(const struct descriptor *array, int from, MPI_Count number)
{
    ptrdiff_t displacement = 0;
    for (int i = from; i < array->rank; i++) {
        displacement += (ptrdiff_t)(number % section_extent(array, i)) * section_stride(array, i);
        number /= section_extent(array, i);
    }
    return displacement;
}

/* Makes the datatype of all blocks: a vector for each dimension that is not contiguous. */
static int whole_datatype(const struct descriptor *array, int from, int per_block, app_datatype element, app_datatype *made)
{
    int rc = direct_MPI_Type_contiguous(per_block, element, made);
    for (int i = from; rc == 0 && i < array->rank; i++) {
        app_datatype inner = *made;
        ptrdiff_t extent = section_extent(array, i);
        rc = extent > INT_MAX ? APP_MPI_ERR_COUNT
                              : direct_MPI_Type_create_hvector((int)extent, 1, section_stride(array, i), inner, made);
        direct_MPI_Type_free(&inner);
    }
    return rc;
}

/* Makes the datatype of the first `count` elements: one displacement for each block, of which the last one is shorter. */
static int partial_datatype(const struct descriptor *array, int from, int per_block, MPI_Count count,
                            app_datatype element, app_datatype *made)
{
    MPI_Count blocks = (count + per_block - 1) / per_block;
    if (blocks > INT_MAX)
        return APP_MPI_ERR_COUNT;
    int *lengths = malloc((size_t)(blocks ? blocks : 1) * sizeof *lengths);
    MPI_Aint *displacements = malloc((size_t)(blocks ? blocks : 1) * sizeof *displacements);
    int rc = APP_MPI_ERR_NO_MEM;
    if (lengths && displacements) {
        for (MPI_Count i = 0; i < blocks; i++) {
            lengths[i] = (int)(count - i * per_block < per_block ? count - i * per_block : per_block);
            displacements[i] = displacement_of(array, from, i);
        }
        rc = direct_MPI_Type_create_hindexed((int)blocks, lengths, displacements, element, made);
    }
    free(lengths);
    free(displacements);
    return rc;
}

/* Sets the distance from the end of `count` elements to the next `count`. Returns whether it is the same each time. */
static int in_step(const struct descriptor *array, int from, MPI_Count blocks_a_part, ptrdiff_t *step)
{
    MPI_Count blocks = blocks_of(array, from);
    *step = displacement_of(array, from, blocks_a_part);
    for (MPI_Count i = 2; i * blocks_a_part < blocks; i++)
        if (displacement_of(array, from, i * blocks_a_part) != (ptrdiff_t)i * *step)
            return 0;
    return 1;
}

/* Gives a datatype the extent that leads from one part of the section to the next; without one it goes. */
static int step_to_next_part(const struct descriptor *array, int from, int per_block, MPI_Count count, app_datatype *made)
{
    app_datatype inner = *made;
    ptrdiff_t step;
    if (count == 0 || count == per_block * blocks_of(array, from))
        return 0;
    int rc = count % per_block == 0 && in_step(array, from, count / per_block, &step)
                 ? direct_MPI_Type_create_resized(inner, 0, step, made)
                 : APP_MPI_ERR_BUFFER;
    direct_MPI_Type_free(&inner);
    return rc;
}

static int failure_of(int rc)
{
    int error_class = rc;
    if (rc != 0)
        direct_MPI_Error_class(rc, &error_class);
    return rc == 0 ? 0 : error_class == APP_MPI_ERR_NO_MEM ? OUT_OF_MEMORY : FAILED;
}

void make_section(struct section *section, const struct descriptor *array, MPI_Count count, MPI_Fint datatype, int in_parts)
{
    app_datatype element = datatype_from_fortran(datatype), made;
    MPI_Aint lower, extent;
    int from;
    ptrdiff_t block = leading_block(array, &from);
    /* The host says best what is wrong with these. */
    if (count < 0 || datatype == datatype_to_fortran(APP_MPI_DATATYPE_NULL))
        return;
    if (direct_MPI_Type_get_extent(element, &lower, &extent) != 0)
        section->failed = FAILED;
    else if (extent <= 0 || block % extent != 0 || block / extent > INT_MAX || count > block / extent * blocks_of(array, from))
        section->failed = UNFIT;
    if (section->failed)
        return;
    int per_block = (int)(block / extent);
    int rc = count == per_block * blocks_of(array, from)
                 ? whole_datatype(array, from, per_block, element, &made)
                 : partial_datatype(array, from, per_block, count, element, &made);
    if (rc == 0 && in_parts)
        rc = step_to_next_part(array, from, per_block, count, &made);
    if (rc == 0)
        rc = direct_MPI_Type_commit(&made);
    section->failed = failure_of(rc);
    if (section->failed)
        return;
    section->has_datatype = 1;
    section->made = datatype_to_fortran(made);
    section->datatype = &section->made;
    section->one = section->large_one = 1;
    section->count = &section->one;
    section->large_count = &section->large_one;
}

/* Copies between the section and contiguous memory. */
static void transfer_section(const struct descriptor *array, char *memory, int to_section)
{
    int from;
    ptrdiff_t block = leading_block(array, &from);
    MPI_Count blocks = blocks_of(array, from);
    for (MPI_Count i = 0; i < blocks; i++) {
        char *element = (char *)array->base + displacement_of(array, from, i);
        memcpy(to_section ? element : memory + i * block, to_section ? memory + i * block : element, (size_t)block);
    }
}

void copy_section(struct section *section, struct descriptor *array, int out)
{
    int from;
    ptrdiff_t block = leading_block(array, &from);
    section->copy = malloc((size_t)(block * blocks_of(array, from)));
    section->failed = section->copy ? 0 : OUT_OF_MEMORY;
    if (section->failed)
        return;
    transfer_section(array, section->copy, 0);
    section->address = section->copy;
    section->copied_out = out ? array : 0;
}

/* Returns whether `count` elements of the datatype lie within so many bytes. */
static int lies_within(ptrdiff_t bytes, MPI_Count count, app_datatype datatype)
{
    MPI_Aint lower, extent, first, size;
    MPI_Count last;
    if (direct_MPI_Type_get_extent(datatype, &lower, &extent) != 0 || direct_MPI_Type_get_true_extent(datatype, &first, &size) != 0 ||
        __builtin_mul_overflow(count - 1, extent, &last) || __builtin_add_overflow(last, first, &last))
        return 0;
    MPI_Count from = first < last ? first : last, to = first < last ? last : first;
    return from >= 0 && to <= bytes - size;
}

void copy_unfit_section(struct section *section, struct descriptor *array, MPI_Count count, MPI_Fint datatype, int out)
{
    int from;
    ptrdiff_t block = leading_block(array, &from);
    if (lies_within(block * blocks_of(array, from), count, datatype_from_fortran(datatype)))
        copy_section(section, array, out);
}

void drop_section(struct section *section)
{
    if (section->has_datatype) {
        app_datatype made = datatype_from_fortran(section->made);
        direct_MPI_Type_free(&made);
    }
    if (section->copied_out)
        transfer_section(section->copied_out, section->copy, 1);
    free(section->copy);
}

int section_failed(const char *procedure, int failed)
{
    if (failed == OUT_OF_MEMORY)
        return APP_MPI_ERR_NO_MEM;
    complain("%s cannot take this array section, which is not contiguous; pass a contiguous array, or one whose "
             "elements are of the datatype", procedure);
    return APP_MPI_ERR_BUFFER;
}

#ifndef FORTRAN_ALONE
/* An assumed-size array's last extent is -1. */
int intel_is_contiguous(const struct intel_descriptor *array)
{
    ptrdiff_t size = (ptrdiff_t)array->element_size;
    for (ptrdiff_t i = 0; i < array->rank && array->dimension[i].extent > 0; i++) {
        if (array->dimension[i].extent != 1 && array->dimension[i].stride != size)
            return 0;
        size *= array->dimension[i].extent;
    }
    return 1;
}
#endif

void descriptor_unknown(const struct descriptor *array)
{
#ifdef FORTRAN_ALONE
    complain("an array has a descriptor of the unknown version %d; compile the program with gfortran or LLVM "
             "flang, and pass no section of CLASS(*)", (int)array->version);
#else
    complain("a section of an array that is not contiguous has a descriptor of Intel's compilers; pass a contiguous array");
#endif
}
