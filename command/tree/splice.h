/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts links and scripts in the place of a tree's files, and puts the files back. */
#ifndef SPLICE_H
#define SPLICE_H

/* Splices a tree by the words of the standard input: the pair, the host's library, how many files are to be loaded ahead of that
 * and these, and for each file of the tree its path, its target, and a script if that is to start the target, else an empty word. */
void splice_tree(int tree, const char *path);

/* Puts back what was set aside. With `only_show` it answers what that is. Ends the program if the tree is not spliced. */
void undo_splice(int tree, const char *path, int only_show);

/* Answers what was spliced, and whether that is as it was left. Answers nothing if the tree is not spliced. */
void examine_splice(int tree, const char *path);

#endif
