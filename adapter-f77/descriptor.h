/* SPDX-License-Identifier: BSD-3-Clause */
/* The array descriptors of programs of Open MPI and MPICH: gfortran's. Intel's compilers call the same procedures of MPICH's ABI with
 * their own, of which only contiguous arrays are passed on: the address is first in both. */
#ifndef DESCRIPTOR_H
#define DESCRIPTOR_H

#include "gfortran.h"

#define descriptor gfortran_descriptor

/* The descriptor of ifort and ifx, as their documents describe it. Strides are in bytes. */
struct intel_descriptor {
    void *base;
    size_t element_size;
    size_t offset;
    uint32_t bits, more_bits; /* the first bit is set for an array that exists; gfortran has its version here, which is 0 */
    ptrdiff_t rank, reserved;
    struct {
        ptrdiff_t extent, stride, lower;
    } dimension[];
};

/* Returns whether C can take the address. Hot paths do not need it, and are shorter without it. */
COLD int intel_is_contiguous(const struct intel_descriptor *array);

/* Returns whether the array is gfortran's, or can be treated as gfortran's scalar. Where gfortran has the rank, Intel's compilers have
 * bits that are 0. */
INLINE int is_known_descriptor(const struct descriptor *array)
{
    return array->rank != 0 || likely(array->version == 0) || intel_is_contiguous((const struct intel_descriptor *)array);
}

/* Return the extent of dimension `i`, and its stride in bytes. */
INLINE ptrdiff_t section_extent(const struct descriptor *array, int i) { return gfortran_extent(array, i); }
INLINE ptrdiff_t section_stride(const struct descriptor *array, int i) { return gfortran_stride(array, i); }

/* Returns whether dimension `i` is the last one of an assumed-size array. */
INLINE int is_assumed_size(const struct descriptor *array, int i) { return gfortran_is_assumed_size(array, i); }

#endif
