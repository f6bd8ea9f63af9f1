/* SPDX-License-Identifier: BSD-3-Clause */
/* Keyvals that cross between parts of a process (isolate/natives.h). A part has the host's keyval with a number added that is the
 * application's (NUMBERED_BIAS), or the host's itself, and may tell another part of it. All keyvals of a host have the same two bits where that
 * number is added, which therefore show it. */
#ifndef NATIVE_KEYVAL_H
#define NATIVE_KEYVAL_H

/* Takes keyvals of all parts from now on. */
void native_keyvals_begin(void);

#endif
