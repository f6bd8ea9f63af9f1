/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that the adapter writes where other users may write, too, and may have put something under a name that they guess. */
#ifndef OWN_FILE_H
#define OWN_FILE_H

#include <sys/types.h>

/* Opens a file for writing that is new, or this user's own under this name alone; follows no symbolic link. Returns a
 * descriptor, or -1 with errno; that is EEXIST for a file, or a link, of somebody else's. May be called in a signal handler. */
int own_file_open(const char *path, int flags, mode_t mode);

/* True if others than the user may put files into the folder of this file. */
int own_file_is_exposed(const char *path);

#endif
