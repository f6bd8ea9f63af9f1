/* SPDX-License-Identifier: BSD-3-Clause */
/* TREE/.mpi-adapter/journal lists all that a splice is going to change before it changes anything, and becomes the manifest
 * when everything is done. Whoever may write to the tree may have written it: it is checked as any text from outside.
 *
 *     mpi-adapter splice 2
 *     pair <tab> PATH
 *     host <tab> PATH
 *     tree <tab> INODE
 *     KIND <tab> INODE <tab> SIZE <tab> HASH <tab> PUT <tab> PATH <tab> TARGET      for each file, in the order of the splice
 *     end
 *
 * KIND, INODE, SIZE and HASH tell what lay there before: `file`, `link` or `none`. PUT tells what was put there: `link`, to TARGET,
 * or the hash of a script that starts TARGET. Form 1 had KIND, HASH (of a link, its text), PATH and TARGET. */
#ifndef JOURNAL_H
#define JOURNAL_H

#include <stddef.h>

#include "open.h"

#define OWN_FOLDER ".mpi-adapter"

struct entry {
    struct identity own;            /* what lay there before; without inode and size in form 1 */
    char put[SHA256_TEXT];          /* "link", or the script's hash; empty for a script of form 1 */
    char *path, *target;
    char *script;                   /* of a launcher that is to be put there */
};

struct journal {
    char *pair, *host;
    unsigned long long tree;        /* the inode of the tree's folder; 0 where inodes tell nothing */
    int form, is_whole;             /* whole: the splice came to its end */
    struct entry *entries;
    size_t count;
};

/* Returns whether a path below a tree is one that a splice may change. */
int is_spliceable(const char *path);

/* Returns whether a text has a control character, which no journal holds. */
int has_control(const char *text);

/* Adds an entry, which is empty. */
struct entry *add_entry(struct journal *journal);

/* Reads the journal or manifest of a tree. Returns 0 if there is none. Ends the program if it is damaged. */
int read_journal(int tree, const char *path, struct journal *journal);

/* Writes a file in the tree's own folder so that it is there as a whole, or as before. Returns 0, or -1 with errno. */
int write_whole(int own_folder, const char *name, const char *text);

/* Writes a journal in the tree's own folder. Returns 0, or -1 with errno. */
int write_journal(int own_folder, const char *name, const struct journal *journal);

/* Returns whether something in the tree is what the journal says lay there before. `tree` is the inode of the tree's folder now, or 0
 * where inodes tell nothing. */
int is_own(const struct journal *journal, const struct entry *entry, const struct identity *now, unsigned long long tree);

/* Returns whether something in the tree is what a splice puts there. */
int is_put(const struct entry *entry, int folder, const char *name, const struct identity *now);

#endif
