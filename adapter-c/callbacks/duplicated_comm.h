/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI copies the attributes of a communicator when the program duplicates it (MPI-4.1 section 7.7.2), and at no other time. Hosts
 * also copy them to communicators that they make for windows and files, and some of them in MPI_Comm_create_group(). Then no copy
 * function may run, and no attribute be inherited: for that, copy functions ask is_duplicated(). */
#ifndef DUPLICATED_COMM_H
#define DUPLICATED_COMM_H

#include "host.h"

/* Returns whether this thread is in a call of the program's, or of the adapter's, that duplicates the communicator. */
int is_duplicated(host_comm comm);

/* Makes is_duplicated() work from now on. To be called ahead of each keyval whose attributes can be copied; other programs pay
 * nothing. */
COLD void notice_duplicates(void);

#endif
