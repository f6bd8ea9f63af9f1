/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells programs of the C++ bindings, which include this header, that these are gone. */
#error MPI-3.0 removed the C++ bindings (MPI::Init and the like), and the standard ABI has none: call the procedures of C from C++ (MPI_Init)
