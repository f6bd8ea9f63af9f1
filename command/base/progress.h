/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells a user at a terminal of a step that takes long. */
#ifndef PROGRESS_H
#define PROGRESS_H

/* Begins a step: after two seconds, and then each ten, the user is told of it, until the step ends or this process does. */
void begin_step(const char *what);
void end_step(void);

#endif
