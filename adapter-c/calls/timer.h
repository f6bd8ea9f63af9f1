/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Wtime and MPI_Wtick, which programs may call at any time. */
#ifndef TIMER_H
#define TIMER_H

/* timer_begin() takes the time from the host from MPI_Init on, unless the program has asked for it before. timer_end()
 * takes it from the system's clock again, so that times continue after MPI_Finalize. */
void timer_begin(void);
void timer_end(void);

#endif
