/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts of the standard ABI that were built without a Fortran compiler. */
#ifndef HOST_FORTRAN_H
#define HOST_FORTRAN_H

/* Tells the host about the program's Fortran, once, if it does not know any: its datatypes of Fortran are null until then (MPI-5.0
 * section 20.4). Must be called when MPI has been initialized. */
void fortran_tell_host(void);

#endif
