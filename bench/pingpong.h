/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the ping-pong programs of both languages. */
#ifndef PINGPONG_H
#define PINGPONG_H

#define PINGPONG_BATCHES 15

/* Records the seconds of a batch of exchanges.  Batch 0 warms up. */
void pingpong_batch(int batch, double seconds, int exchanges);
/* Prints the median of half an exchange. */
void pingpong_print(void);

#endif
