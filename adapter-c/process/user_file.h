/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that the adapter writes into folders where other users may write, too, and may have put something under a guessed
 * name. */
#ifndef USER_FILE_H
#define USER_FILE_H

#include <sys/types.h>

/* Opens a file for writing if it is new, or is this user's and has no other name. Follows no symbolic link. Returns a descriptor,
 * or -1 with errno, which is EEXIST for a link or another user's file. Async-signal-safe. */
int user_file_open(const char *path, int flags, mode_t mode);

/* Returns whether other users may put files into the folder of this file. */
int user_file_is_exposed(const char *path);

#endif
