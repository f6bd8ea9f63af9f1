/* SPDX-License-Identifier: BSD-3-Clause */
/* Keyvals that cross between parts of a process (isolate/natives.h). A part has the host's keyval with a number added that is the
 * application's (NUMBERED_BIAS), or the host's itself, and may tell another part of it. The keyvals of a host lie close together, so that the
 * highest bits show what was added. */
#ifndef NATIVE_KEYVAL_H
#define NATIVE_KEYVAL_H

/* Takes keyvals of all parts from now on. */
void native_keyvals_begin(void);

#endif
