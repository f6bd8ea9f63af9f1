/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Get_elements on hosts that crash for structures of different basic datatypes of one size. */
#ifndef ELEMENTS_H
#define ELEMENTS_H

/* Installs what counts the elements of a status (MPI-4.1 section 5.1.11) if the host needs it. `standard` is as in start/host_fault.h. */
void elements_work_around(int standard);

#endif
