/* SPDX-License-Identifier: BSD-3-Clause */
/* The same for Open MPI 2's name of that library. */
#define BINDINGS "libmpi_cxx.so.20"
#include "companion/libmpi_cxx.so.40.c"
