/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy of links beside a tree that cannot be changed. */
#ifndef COPY_H
#define COPY_H

#include <sys/types.h>

#include "trust.h"

/* Makes the folder `copy_path`, or nothing. Reads the tree as `owner` unless that is null. New files get the modes of the tree's
 * but for `mask`. */
void copy_tree(int tree, const char *path, const char *copy_path, const struct owner *owner, mode_t mask);

/* Answers, for a copy, the tree that it was made of, and what has changed there since. */
void compare_copy(int copy, const char *path);

#endif
