/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in the places of the host's own procedures from the beginning. */
#ifndef BEGIN_H
#define BEGIN_H

void early_begin(void);
void buffered_begin(void);

#endif
