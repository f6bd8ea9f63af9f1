/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree of somebody's programs. The program `trees` (command/tree) does all access to it: this command decides. */
#ifndef VERBS_TREE_H
#define VERBS_TREE_H

#include "answers.h"
#include "verbs.h"

struct tree {
    const char *path;       /* without links */
    int folder;             /* the descriptor by which it is held open */
};

/* Holds what a spliced tree is, or is to be. */
struct splice {
    const char *form;       /* of its record: "manifest", or of a splice that was interrupted */
    const char *pair, *host;
    struct list paths;      /* below the tree */
    struct list targets;    /* what the link in its place leads to; for a launcher, the host's */
    struct list states;     /* whether what is in its place is what the splice put there: "put" */
};

/* Opens a folder as a tree. */
int open_tree(const char *name, struct tree *tree);

/* Asks the program: a verb, words behind it, and words on its standard input. */
struct problem *ask_tree(struct job *job, const struct tree *tree, const struct list *words, const struct list *input, struct answers *answers);
struct problem *ask_tree_for(struct job *job, const struct tree *tree, const char *verb, const char *word, struct answers *answers);

/* Finds files in a tree, as paths below it. */
struct problem *find_in_tree(struct job *job, const struct tree *tree, const struct list *words, struct list *found);
struct problem *find_tree_programs(struct job *job, const struct tree *tree, struct list *found);

/* Returns what the program said of a spliced tree. */
struct splice splice_of(const struct answers *answers);

#endif
