/* SPDX-License-Identifier: BSD-3-Clause */
/* The placeholders of newer.so, which are as long as names may be. */
#ifndef NEWER_H
#define NEWER_H

#define NEWER_START "mpi_adapter_newer_procedure_number_"
#define NEWER_PLACE(tens, ones) mpi_adapter_newer_procedure_number_##tens##ones##_000000000000000000000000000000000000000000
#define NEWER_REST "_000000000000000000000000000000000000000000"
enum { NEWER_COUNT = 50, NEWER_LENGTH = sizeof NEWER_START - 1 + 2 + sizeof NEWER_REST - 1 };

#endif
