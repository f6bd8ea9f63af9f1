/* SPDX-License-Identifier: BSD-3-Clause */
#include "trust.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "open.h"
#include "words.h"

static const char as_owner[] = "do this as the owner of the tree, or make a copy of links as a user who may read it";

/* Kinds of access control lists that say more than the mode does, and that are not read. */
static const char *const other_lists[] = { "system.nfs4_acl", "system.richacl", "system.cifs_acl", "system.cifs_ntsd",
                                           "system.smb3_acl" };

/* A POSIX access control list as the kernel hands it out, in the byte order of x86 and all that matter. */
struct list_entry {
    uint16_t tag, rights;
    uint32_t user;
};
enum { LIST_VERSION = 2, TAG_USER_OBJ = 1, TAG_USER = 2, TAG_GROUP_OBJ = 4, TAG_GROUP = 8, TAG_MASK = 16, TAG_OTHER = 32, MAY_WRITE = 2 };

enum writers { WRITERS_ROOT, WRITERS_OWNER, WRITERS_GROUP, WRITERS_LIST, WRITERS_ALL };

static enum writers read_list(const unsigned char *list, size_t size)
{
    int mask = MAY_WRITE, group = 0, named = 0;
    uint32_t version;
    memcpy(&version, list, sizeof version);
    if (version != LIST_VERSION || (size - sizeof version) % sizeof(struct list_entry) != 0)
        return WRITERS_LIST;
    for (size_t at = sizeof version; at < size; at += sizeof(struct list_entry)) {
        struct list_entry entry;
        memcpy(&entry, list + at, sizeof entry);
        int writes = entry.rights & MAY_WRITE;
        if (entry.tag == TAG_OTHER && writes)
            return WRITERS_ALL;
        if (entry.tag == TAG_MASK)
            mask = writes;
        group |= entry.tag == TAG_GROUP_OBJ ? writes : 0;
        named |= entry.tag == TAG_GROUP || (entry.tag == TAG_USER && entry.user != 0) ? writes : 0;
    }
    return mask & named ? WRITERS_LIST : mask & group ? WRITERS_GROUP : WRITERS_ROOT;
}

/* Sets `writers` by a list if there is one. A list that cannot be read counts as one that lets others write. */
static int has_list(const char *path, const char *name, enum writers *writers)
{
    unsigned char list[8192];
    ssize_t size = getxattr(path, name, list, sizeof list);
    if (size < 0 && (errno == ENODATA || errno == EOPNOTSUPP || errno == EINVAL))
        return 0;
    *writers = size < (ssize_t)sizeof(uint32_t) ? WRITERS_LIST : read_list(list, (size_t)size);
    return 1;
}

/* Returns the others than root who may write to what a descriptor stands for. */
static enum writers writers_of(int file, const struct stat *status)
{
    char path[64];
    enum writers writers;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (status->st_uid != 0)
        return WRITERS_OWNER;
    for (size_t i = 0; i < sizeof other_lists / sizeof *other_lists; i++)
        if (getxattr(path, other_lists[i], 0, 0) >= 0)
            return WRITERS_LIST;
    if (S_ISDIR(status->st_mode) && has_list(path, "system.posix_acl_default", &writers) && writers != WRITERS_ROOT)
        return WRITERS_LIST;
    if (has_list(path, "system.posix_acl_access", &writers))
        return writers;
    return status->st_mode & S_IWOTH ? WRITERS_ALL : status->st_mode & S_IWGRP ? WRITERS_GROUP : WRITERS_ROOT;
}

static void refuse(enum writers writers, const struct stat *status, const char *path, const char *what_to_do)
{
    const struct group *group = writers == WRITERS_GROUP ? getgrgid(status->st_gid) : 0;
    if (writers == WRITERS_GROUP && group)
        give_up("others than root may change %s, as the group %s may write to it; do this as a member of that group, or take the right "
                "from it (chmod -R g-w)", path, group->gr_name);
    if (writers == WRITERS_LIST)
        give_up("others than root may change %s, as its access control list may say; %s", path, what_to_do);
    give_up("others than root may change %s; %s", path, what_to_do);
}

/* Goes up from the open folder, so that no name is looked up that somebody may have given to another one meanwhile. */
void require_roots_way(int folder, const char *path, const char *what_to_do)
{
    char *name = text_of("%s", path);
    struct stat status, parent;
    int at = openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC), is_first = 1;
    if (at < 0 || fstat(at, &status) != 0)
        give_up("%s cannot be opened; see its permissions", path);
    for (;;) {
        enum writers writers = writers_of(at, &status);
        /* In a sticky folder on the way, as /tmp is, nobody else can replace what is root's. */
        if (writers != WRITERS_ROOT && (is_first || writers == WRITERS_OWNER || !(status.st_mode & S_ISVTX)))
            refuse(writers, &status, *name ? name : "/", what_to_do);
        int up = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (up < 0 || fstat(up, &parent) != 0)
            give_up("a folder on the way to %s cannot be opened; see the permissions there", path);
        close(at);
        at = up;
        is_first = 0;
        char *slash = strrchr(name, '/');
        if (slash)
            *slash = 0;
        if (parent.st_ino == status.st_ino && parent.st_dev == status.st_dev)
            break;
        status = parent;
    }
    close(at);
    free(name);
}

static void require_roots_entries(int folder, const char *path, const char *tree, int depth)
{
    DIR *entries = read_folder(folder);
    struct dirent *entry;
    if (!entries || depth > 200)
        give_up("%s cannot be searched as a whole; see the permissions of its folders", tree);
    while ((entry = next_entry(entries))) {
        int file = openat(dirfd(entries), entry->d_name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        char *name = text_of("%s/%s", path, entry->d_name);
        struct stat status;
        if (file < 0 || fstat(file, &status) != 0)
            give_up("%s cannot be searched as a whole; see the permissions of its folders", tree);
        enum writers writers = S_ISLNK(status.st_mode) ? WRITERS_ROOT : writers_of(file, &status);
        if (writers != WRITERS_ROOT)
            refuse(writers, &status, name, as_owner);
        if (S_ISDIR(status.st_mode))
            require_roots_entries(file, name, tree, depth + 1);
        close(file);
        free(name);
    }
    if (errno)
        give_up("%s cannot be searched as a whole; see the permissions of its folders", tree);
    closedir(entries);
}

void require_roots_tree(int folder, const char *path)
{
    require_roots_way(folder, path, as_owner);
    require_roots_entries(folder, path, path, 0);
}

int belongs_to_user(int folder, struct owner *owner)
{
    struct stat status;
    if (geteuid() != 0 || fstat(folder, &status) != 0 || status.st_uid == 0)
        return 0;
    const struct passwd *user = getpwuid(status.st_uid);
    owner->user = status.st_uid;
    owner->group_count = 0;
    if (user) {
        owner->group_count = sizeof owner->groups / sizeof *owner->groups;
        owner->group = user->pw_gid;
        owner->name = text_of("%s", user->pw_name);
        owner->home = text_of("%s", user->pw_dir);
        if (getgrouplist(user->pw_name, user->pw_gid, owner->groups, &owner->group_count) < 0)
            owner->group_count = sizeof owner->groups / sizeof *owner->groups;
    } else {
        /* Not the folder's group, which may be root's. */
        owner->group = 65534;
        owner->name = text_of("%u", (unsigned)status.st_uid);
        owner->home = text_of("/");
    }
    return 1;
}

void become(const struct owner *owner)
{
    if (setgroups((size_t)owner->group_count, owner->groups) != 0 || setresgid(owner->group, owner->group, owner->group) != 0 ||
        setresuid(owner->user, owner->user, owner->user) != 0 || (geteuid() == 0) != (owner->user == 0))
        give_up("cannot take the rights of user %s; do this as that user", owner->name);
}

static gid_t roots_groups[256];
static int roots_group_count = -1;

void act_as(const struct owner *owner)
{
    if (roots_group_count < 0 && (roots_group_count = getgroups(256, roots_groups)) < 0)
        give_up("root has too many groups; do this as user %s", owner->name);
    if (setgroups((size_t)owner->group_count, owner->groups) != 0 || setresgid((gid_t)-1, owner->group, (gid_t)-1) != 0 ||
        setresuid((uid_t)-1, owner->user, (uid_t)-1) != 0)
        give_up("cannot take the rights of user %s; do this as that user", owner->name);
}

void act_as_root(void)
{
    if (setresuid((uid_t)-1, 0, (uid_t)-1) != 0 || setresgid((gid_t)-1, 0, (gid_t)-1) != 0 ||
        setgroups((size_t)roots_group_count, roots_groups) != 0)
        give_up("cannot take root's rights again; try again");
}
