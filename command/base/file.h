/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about files and folders. What is returned lies in the arena. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

#include "list.h"
#include "problem.h"

/* Return whether a path leads to something, to a regular file, or to a folder; whether this process may read it, or start it. */
int is_there(const char *path);
int is_file(const char *path);
int is_folder(const char *path);
int is_readable(const char *path);
int is_startable(const char *path);

/* Returns whether two paths lead to one file. */
int is_same_file(const char *path, const char *other);

/* Returns the path without links, or null if it leads nowhere. */
const char *real_path(const char *path);

/* Returns the path of a folder that this process may enter, without links, or null. */
const char *real_folder(const char *path);

/* Returns the folder of a file, without links, and the file's own name in it. */
const char *with_real_folder(const char *path);

/* Returns what a link says, or "". */
const char *link_text(const char *path);

/* Returns the file that a shell would start by this name; null if there is none. A file that is found in PATH may lack the right to be
 * started. */
const char *find_in_path(const char *name);

/* Returns all files in PATH that a shell could start by this name, which has no slash. */
struct list all_in_path(const char *name);

/* Reads a text of at most `most` bytes from the beginning of a regular file, without null bytes; "" if there is none. */
const char *beginning_of(const char *path, size_t most);

/* Returns whether a regular file begins with a null byte, or with what a kernel takes for a script. */
int begins_with_null(const char *path);
int is_script(const char *path);

/* Reads the lines of a file that a user wrote, of less than a megabyte. `advice` tells what to give in its place. /dev/null is empty. */
struct problem *read_lines(const char *path, const char *advice, struct list *lines);

/* Opens a file that did not exist, which others may read; -1 where something has that name. */
int open_new(const char *path);

/* Makes a folder, and those on the way to it. Returns whether it is there. */
int make_folders(const char *path);

/* Removes a folder with all that is in it; now, or when this process ends by exit(). */
void remove_folder(const char *folder);
void remove_at_exit(const char *folder);

/* Returns a pattern of the shell's that only this text is like. */
char *glob_escaped(const char *text);

/* Returns the paths that are like a pattern of the shell's, sorted; none if there are none. */
struct list files_like(const char *pattern);

#endif
