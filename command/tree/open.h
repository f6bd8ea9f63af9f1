/* SPDX-License-Identifier: BSD-3-Clause */
/* Other people's folders, by descriptors. Nothing below an open folder is reached by a link or by "..". */
#ifndef OPEN_H
#define OPEN_H

#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>

#include "sha256.h"

enum kind { KIND_NONE, KIND_FILE, KIND_LINK, KIND_OTHER };

/* Tells one file or link from another. */
struct identity {
    enum kind kind;
    unsigned long long inode;
    long long size;
    char hash[SHA256_TEXT];     /* of a file's content or a link's text; empty if it was not asked for */
};

/* Returns whether a path is relative and has neither ".", "..", an empty part nor a control character. */
int is_plain_path(const char *path);

/* Opens what lies below a folder, following no link. Returns a descriptor, or -1 with errno. */
int open_beneath(int folder, const char *path, int flags);

/* Opens the folder in which the last part of a path lies. Sets `name` to that part. Returns a descriptor, or -1 with errno. */
int open_parent(int folder, const char *path, const char **name);

/* Opens a folder for reading by a descriptor of its own, so that each reader begins at its first entry. Returns null with errno. */
DIR *read_folder(int folder);

/* Writes the path of an open folder, without links. Returns 0 if that cannot be found out. */
int path_of_folder(int folder, char path[PATH_MAX]);

/* Returns the next entry that is neither "." nor "..", or null: at the end errno is 0. */
struct dirent *next_entry(DIR *entries);

/* Opens a regular file to be read. Returns a descriptor, or -1 with errno; a pipe or a device is EINVAL. */
int open_regular(int folder, const char *path, struct stat *status);

/* Writes the sum of what is left to read. Returns 0, or -1 with errno. */
int hash_of(int file, char hash[SHA256_TEXT]);

/* Writes the sum of a text. */
void hash_text(const char *text, char hash[SHA256_TEXT]);

/* Returns the text of a link, which the caller frees, or null with errno. */
char *link_text(int folder, const char *name);

/* Identifies an entry of a folder; one that is not there is KIND_NONE. Returns 0, or -1 with errno. */
int identify(int folder, const char *name, struct identity *identity);

/* Writes all of a text. Returns 0, or -1 with errno. */
int write_all(int file, const char *text, unsigned long size);

#endif
