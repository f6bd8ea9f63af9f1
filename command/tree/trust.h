/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whose a tree is and who else may change it, and acts with no more rights than its owner has. */
#ifndef TRUST_H
#define TRUST_H

#include <sys/types.h>

struct owner {
    uid_t user;
    gid_t group;
    gid_t groups[256];
    int group_count;
    char *name, *home;
};

/* Returns whether root is to act as the owner of a folder: root runs this, and another user owns it. Sets `owner` then. */
int belongs_to_user(int folder, struct owner *owner);

/* Ends the program, naming what it is, if others than root may change a folder on the way to an open one, or that itself. */
void require_roots_way(int folder, const char *path, const char *what_to_do);

/* Ends the program, naming what it is, if others than root may change anything below an open folder. */
void require_roots_tree(int folder, const char *path);

/* Takes the rights of a user for good. Ends the program if that fails. */
void become(const struct owner *owner);

/* Takes the rights of a user for a while, as nobody else can signal or trace the process then. */
void act_as(const struct owner *owner);

/* Takes root's own rights again. */
void act_as_root(void);

/* Runs a command as a user, without root's terminal, descriptors and environment. Hands on what it says. Returns its status. */
int run_as(const struct owner *owner, char **command);

#endif
