/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TIMER_H
#define TIMER_H

/* From MPI_Init on, and until MPI_Finalize, the host's timer serves. */
void timer_begin(void);
void timer_end(void);

#endif
