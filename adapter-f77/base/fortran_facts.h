/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran, as MPI_Abi_set_fortran_info takes it (MPI-5.0 section 20.4): keys and values of an info object. */
#ifndef FORTRAN_FACTS_H
#define FORTRAN_FACTS_H

/* The sizes that the modules of each application's ABI have, and the types that compilers on these processors have. */
static const char *const fortran_facts[][2] = {
    { "mpi_logical_size", "4" },            { "mpi_integer_size", "4" },            { "mpi_real_size", "4" },
    { "mpi_double_precision_size", "8" },   { "mpi_logical1_supported", "true" },   { "mpi_logical2_supported", "true" },
    { "mpi_logical4_supported", "true" },   { "mpi_logical8_supported", "true" },   { "mpi_logical16_supported", "false" },
    { "mpi_integer1_supported", "true" },   { "mpi_integer2_supported", "true" },   { "mpi_integer4_supported", "true" },
    { "mpi_integer8_supported", "true" },   { "mpi_integer16_supported", "true" },  { "mpi_real2_supported", "false" },
    { "mpi_real4_supported", "true" },      { "mpi_real8_supported", "true" },      { "mpi_real16_supported", "true" },
    { "mpi_complex4_supported", "false" },  { "mpi_complex8_supported", "true" },   { "mpi_complex16_supported", "true" },
    { "mpi_complex32_supported", "true" },  { "mpi_double_complex_supported", "true" },
};

#endif
