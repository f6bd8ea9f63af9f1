/* SPDX-License-Identifier: BSD-3-Clause */
/* gfortran's array descriptor of procedures that are not BIND(C), as it is since GCC 9. Strides are in units of `span`
 * bytes; an assumed-size array's last upper bound is -1. */
#ifndef GFORTRAN_H
#define GFORTRAN_H

struct gfortran_descriptor {
    void *base;
    size_t offset;
    size_t element_size;
    int32_t version;
    int8_t rank, type;
    int16_t attribute;
    ptrdiff_t span;
    struct {
        ptrdiff_t stride, lower, upper;
    } dimension[];
};

/* Returns whether the element size is not the actual one: that of polymorphic CHARACTER arrays, whose `span` is 1. */
INLINE int gfortran_is_vague(const struct gfortran_descriptor *array)
{
    return array->span && array->span < (ptrdiff_t)array->element_size;
}

/* Return the extent of dimension `i`, and its stride in bytes, but for sections of vague arrays. */
INLINE ptrdiff_t gfortran_extent(const struct gfortran_descriptor *array, int i)
{
    ptrdiff_t extent = array->dimension[i].upper - array->dimension[i].lower + 1;
    return extent > 0 ? extent : 0;
}
INLINE ptrdiff_t gfortran_stride(const struct gfortran_descriptor *array, int i)
{
    ptrdiff_t size = (ptrdiff_t)array->element_size;
    return array->dimension[i].stride * (array->span > size ? array->span : size);
}

/* Returns whether dimension `i` is the last one of an assumed-size array. */
INLINE int gfortran_is_assumed_size(const struct gfortran_descriptor *array, int i)
{
    return i == array->rank - 1 && array->dimension[i].upper == -1 && array->dimension[i].lower >= 0;
}

#endif
