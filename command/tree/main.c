/* SPDX-License-Identifier: BSD-3-Clause */
/* All access to a tree of somebody's programs, for `mpi-adapter splice` and `doctor`: the command decides, and this does it.
 *
 *     trees VERB FOLDER PATH [WORD]...
 *
 * FOLDER is the number of a descriptor by which the command holds the tree open, and PATH its name for messages. words.h tells what is
 * answered, and each verb's header the rest. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "copy.h"
#include "journal.h"
#include "list.h"
#include "open.h"
#include "splice.h"
#include "trust.h"
#include "words.h"

/* Answers whether the tree was adapted, and whose rights root is to take. Ends the program if `path` led elsewhere when the command
 * opened it: what the command reads by that path has to be what is changed here. */
static void judge(int tree, const char *path)
{
    struct owner owner;
    struct stat status;
    char now[PATH_MAX];
    if (path_of_folder(tree, now) && strcmp(now, path) != 0)
        give_up("%s is another folder now than when it was opened; run this again", path);
    if (fstatat(tree, OWN_FOLDER, &status, AT_SYMLINK_NOFOLLOW) == 0)
        answer("adapted", "yes");
    if (belongs_to_user(tree, &owner))
        answer("owner", "%s", owner.name);
}

/* Verbs that change or read a tree as its owner. */
static int act_in_tree(const char *verb, int tree, const char *path, char **words)
{
    struct owner owner;
    if (belongs_to_user(tree, &owner))
        become(&owner);
    if (strcmp(verb, "names") == 0)
        list_names(tree, path, words);
    else if (strcmp(verb, "programs") == 0)
        list_programs(tree, path);
    else if (strcmp(verb, "runnable") == 0 && words[0])
        list_runnable(tree, path, words[0]);
    else if (strcmp(verb, "splice") == 0)
        splice_tree(tree, path);
    else if (strcmp(verb, "undo") == 0)
        undo_splice(tree, path, 0);
    else if (strcmp(verb, "show") == 0)
        undo_splice(tree, path, 1);
    else if (strcmp(verb, "examine") == 0)
        examine_splice(tree, path);
    else
        return 0;
    return 1;
}

int main(int argc, char **argv)
{
    struct rlimit files;
    struct owner owner;
    struct stat status;
    mode_t mask = umask(0);
    int tree = argc < 4 ? -1 : atoi(argv[2]), status_of_command = 0;
    if (tree < 3 || fstat(tree, &status) != 0 || !S_ISDIR(status.st_mode)) {
        fputs("usage: trees VERB FOLDER PATH [WORD]...\n", stderr);
        return 2;
    }
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    const char *verb = argv[1], *path = argv[3];
    if (strcmp(verb, "judge") == 0)
        judge(tree, path);
    else if (strcmp(verb, "require-root") == 0)
        require_roots_tree(tree, path);
    else if (strcmp(verb, "copy") == 0 && argc == 5)
        copy_tree(tree, path, argv[4], belongs_to_user(tree, &owner) ? &owner : 0, mask);
    else if (strcmp(verb, "compare") == 0)
        compare_copy(tree, path);
    else if (strcmp(verb, "as-owner") == 0 && argc > 4 && belongs_to_user(tree, &owner))
        status_of_command = run_as(&owner, argv + 4);
    else if (!act_in_tree(verb, tree, path, argv + 4)) {
        fputs("usage: trees VERB FOLDER PATH [WORD]...\n", stderr);
        return 2;
    }
    return fflush(stdout) == 0 ? status_of_command : 1;
}
