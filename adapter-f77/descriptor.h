/* SPDX-License-Identifier: BSD-3-Clause */
/* The array descriptors of programs of Open MPI and MPICH: gfortran's. */
#ifndef DESCRIPTOR_H
#define DESCRIPTOR_H

#include "gfortran.h"

#define descriptor gfortran_descriptor

/* Returns true: the version is 0, whatever the release. */
INLINE int is_known_descriptor(const struct descriptor *array) { return 1; }

/* Return the extent of dimension `i`, and its stride in bytes. */
INLINE ptrdiff_t section_extent(const struct descriptor *array, int i) { return gfortran_extent(array, i); }
INLINE ptrdiff_t section_stride(const struct descriptor *array, int i) { return gfortran_stride(array, i); }

/* Returns whether dimension `i` is the last one of an assumed-size array. */
INLINE int is_assumed_size(const struct descriptor *array, int i) { return gfortran_is_assumed_size(array, i); }

#endif
