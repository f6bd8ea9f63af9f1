/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the entries of a tree in order. Skips other file systems that are mounted in it, and the folders of splice itself. */
#ifndef LIST_H
#define LIST_H

/* Answers each entry whose name matches one of the patterns, which end with a null. */
void list_names(int tree, const char *path, char **patterns);

/* Answers each regular file in a folder called bin that its owner may run. */
void list_programs(int tree, const char *path);

/* Answers each entry of a folder that may be run, if there is such a folder. */
void list_runnable(int tree, const char *path, const char *folder);

#endif
