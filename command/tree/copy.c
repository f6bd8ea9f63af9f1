/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders are folders in the copy, and files links to the tree's, but for:
 *   programs   the dynamic loader takes the folder of the real file for $ORIGIN, so these are copied
 *   scripts    whose first line names an interpreter of the tree: copied, with the copy's interpreter
 *   activate*  what a shell reads to use an environment of Python's names its folder: copied, with the copy's
 *   links      are as in the tree; those that lead into it by its whole path lead into the copy
 * COPY/.mpi-adapter/copy has the tree, and for each file that was copied the hash and the size of what it was made of. */
#include "copy.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "journal.h"
#include "open.h"
#include "words.h"

enum { DEEPEST = 200, FIRST_LINE = 1024, LARGEST_ACTIVATION = 1 << 16 };
#define NEEDS_NO_QUOTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:@%+-"

static const off_t largest = (off_t)4 << 30;

struct copy {
    const char *path, *copy_path;
    const struct owner *owner;
    mode_t mask;
    char *new_path;
    FILE *record;
    int only_check;             /* whether scripts can name the copy */
};

/* The tree is read with its owner's rights, and the copy written with one's own. */
static void begin_reading(const struct copy *copy)
{
    if (copy->owner)
        act_as(copy->owner);
}

static void end_reading(const struct copy *copy)
{
    int error = errno;
    if (copy->owner)
        act_as_root();
    errno = error;
}

static _Noreturn void fail(const struct copy *copy, const char *below)
{
    if (copy->only_check)
        give_up("%s%s%s cannot be copied; see the room and the permissions", copy->path, *below ? "/" : "", below);
    give_up("%s%s%s cannot be copied; see the room and the permissions, and remove %s", copy->path, *below ? "/" : "", below,
            copy->new_path);
}

/* --- what a file is -------------------------------------------------------- */

static int is_library_name(const char *name)
{
    const char *so = strstr(name, ".so");
    while (so && so[3] && so[3] != '.')
        so = strstr(so + 1, ".so");
    return so != 0;
}

/* Whether a file is a program that a dynamic loader starts. */
static int is_dynamic_program(int file)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    if (pread(file, &header, sizeof header, 0) != sizeof header || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof segment)
        return 0;
    for (int i = 0; i < header.e_phnum; i++)
        if (pread(file, &segment, sizeof segment, (off_t)(header.e_phoff + (uint64_t)i * sizeof segment)) != sizeof segment)
            return 0;
        else if (segment.p_type == PT_INTERP)
            return 1;
    return 0;
}

/* Returns the first line that a script is to have in the copy, or null if it names no interpreter of the tree. Sets `rest` to where
 * the second one begins. */
static char *new_first_line(const struct copy *copy, int file, off_t *rest)
{
    char line[FIRST_LINE + 1], folder[PATH_MAX];
    ssize_t size = pread(file, line, FIRST_LINE, 0);
    line[size < 0 ? 0 : size] = 0;
    char *end = strchr(line, '\n');
    if (strncmp(line, "#!", 2) != 0 || !end)
        return 0;
    *rest = end - line;
    *end = 0;
    char *name = line + 2 + strspn(line + 2, " \t"), *options = name + strcspn(name, " \t"), *slash = 0;
    for (char *at = name; at < options; at++)
        slash = *at == '/' ? at : slash;
    if (*name != '/' || slash == name)
        return 0;
    *slash = 0;
    begin_reading(copy);
    int opened = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int is_found = opened >= 0 && path_of_folder(opened, folder);
    end_reading(copy);
    if (opened >= 0)
        close(opened);
    size_t length = strlen(copy->path);
    if (!is_found || strncmp(folder, copy->path, length) != 0 || (folder[length] && folder[length] != '/'))
        return 0;
    return text_of("#!%s%s/%s", copy->copy_path, folder + length, slash + 1);
}

/* --- contents -------------------------------------------------------------- */

static int hash_hole(struct sha256 *sum, off_t size)
{
    static const char zeros[65536];
    for (off_t part; size > 0; size -= part) {
        part = size < (off_t)sizeof zeros ? size : (off_t)sizeof zeros;
        sha256_add(sum, zeros, (size_t)part);
    }
    return 0;
}

/* Hashes a part of a file, and writes it at a distance if there is a file to write to. */
static int take_part(int from, int to, off_t at, off_t end, off_t distance, struct sha256 *sum)
{
    static char buffer[131072];
    while (at < end) {
        size_t wanted = end - at < (off_t)sizeof buffer ? (size_t)(end - at) : sizeof buffer;
        ssize_t size = pread(from, buffer, wanted, at);
        if (size <= 0)
            return -1;
        sha256_add(sum, buffer, (size_t)size);
        for (ssize_t written = 0, more; to >= 0 && written < size; written += more)
            if ((more = pwrite(to, buffer + written, (size_t)(size - written), at + written + distance)) <= 0)
                return -1;
        at += size;
    }
    return 0;
}

/* Hashes a whole file, and copies what is behind `begin` with its holes, unless `to` is -1. */
static int take_content(int from, int to, off_t size, off_t begin, off_t distance, char hash[SHA256_TEXT])
{
    struct sha256 sum;
    sha256_begin(&sum);
    if (take_part(from, -1, 0, begin, 0, &sum) != 0)
        return -1;
    for (off_t at = begin, end; at < size; at = end) {
        off_t data = lseek(from, at, SEEK_DATA);
        if (data < 0 && errno != ENXIO)
            data = at;
        if (data < 0 || data > size)
            data = size;
        hash_hole(&sum, data - at);
        end = data < size ? lseek(from, data, SEEK_HOLE) : size;
        if (end < 0 || end > size)
            end = size;
        if (take_part(from, to, data, end, distance, &sum) != 0)
            return -1;
    }
    sha256_end(&sum, hash);
    return to < 0 ? 0 : ftruncate(to, size + distance);
}

/* Copies a file; with `beginning`, that stands for what is ahead of `rest`. */
static void copy_content(const struct copy *copy, int file, const struct stat *status, int folder, const char *name, const char *below,
                         const char *beginning, off_t rest)
{
    char hash[SHA256_TEXT];
    mode_t mode = (status->st_mode & 0777 & ~copy->mask) | S_IWUSR;
    int new = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    off_t distance = beginning ? (off_t)strlen(beginning) - rest : 0;
    if (new < 0 || (beginning && write_all(new, beginning, strlen(beginning)) != 0) ||
        take_content(file, new, status->st_size, beginning ? rest : 0, distance, hash) != 0 || close(new) != 0)
        fail(copy, below);
    /* Records nothing of a name that writes lines: doctor does not see that such a program changes. */
    if (is_plain_path(below) && fprintf(copy->record, "%s\t%lld\t%s\n", hash, (long long)status->st_size, below) < 0)
        fail(copy, below);
}

/* Copies a program or a script. Returns 0 if the file is to be a link. */
static int copy_program(const struct copy *copy, int file, const struct stat *status, int folder, const char *name, const char *below)
{
    off_t rest = 0;
    char *first_line = 0;
    if (!is_dynamic_program(file) && !(first_line = new_first_line(copy, file, &rest)))
        return 0;
    if (copy->only_check) {
        if (first_line)
            give_up("%s/%s starts an interpreter of the tree, and the first line of a script cannot name %s; give --copy a folder "
                    "without spaces in its path", copy->path, below, copy->copy_path);
        return 1;
    }
    if (status->st_size > largest) {
        complain("%s/%s is larger than 4 GiB, and a link in the copy; copy it yourself if it is to find the copy's libraries",
                 copy->path, below);
        return 0;
    }
    copy_content(copy, file, status, folder, name, below, first_line, rest);
    free(first_line);
    return 1;
}

static int is_activation(const char *name)
{
    return strcmp(name, "activate") == 0 || strncmp(name, "activate.", 9) == 0;
}

static int is_of_name(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("._+-", c));
}

/* Returns a text with the copy's path for the tree's, or null if it does not have that. */
static char *with_new_path(const struct copy *copy, const char *text)
{
    char *new = 0;
    size_t length = strlen(copy->path), size;
    FILE *out = open_memstream(&new, &size);
    int found = 0;
    if (!out)
        return 0;
    for (const char *at = text; *at;) {
        int is_path = strncmp(at, copy->path, length) == 0 && !is_of_name(at[length]) && (at == text || !is_of_name(at[-1]));
        if (is_path)
            fputs(copy->copy_path, out);
        else
            fputc(*at, out);
        at += is_path ? length : 1;
        found |= is_path;
    }
    if (fclose(out) == 0 && found)
        return new;
    free(new);
    return 0;
}

/* Copies what a shell reads to use the environment. Returns 0 if the file is to be a link. */
static int copy_activation(const struct copy *copy, int file, const struct stat *status, int folder, const char *name, const char *below)
{
    static char text[LARGEST_ACTIVATION + 1];
    ssize_t size = is_activation(name) && status->st_size <= LARGEST_ACTIVATION ? pread(file, text, LARGEST_ACTIVATION, 0) : 0;
    text[size < 0 ? 0 : size] = 0;
    char *new = size > 0 && strlen(text) == (size_t)status->st_size ? with_new_path(copy, text) : 0;
    if (!new || copy->only_check) {
        free(new);
        return 0;
    }
    if (strspn(copy->copy_path, NEEDS_NO_QUOTES) == strlen(copy->copy_path)) {
        copy_content(copy, file, status, folder, name, below, new, status->st_size);
        free(new);
        return 1;
    }
    complain("%s/%s is a link to the tree's, and activates that; give --copy a path that needs no quotes", copy->copy_path, below);
    free(new);
    return 0;
}

/* --- entries --------------------------------------------------------------- */

static void copy_link(const struct copy *copy, char *text, int folder, const char *name, const char *below)
{
    size_t length = strlen(copy->path);
    char *target = 0;
    if (strncmp(text, copy->path, length) == 0 && (!text[length] || text[length] == '/'))
        target = text_of("%s%s", copy->copy_path, text + length);
    if (symlinkat(target ? target : text, folder, name) != 0)
        fail(copy, below);
    free(target);
    free(text);
}

static void copy_folder(const struct copy *copy, int from, int to, const char *below, int depth);

static void copy_entry(const struct copy *copy, int from, int to, const char *name, const char *below, int depth)
{
    struct stat status;
    int opened = -1;
    char *text = 0;
    begin_reading(copy);
    int is_known = fstatat(from, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (is_known && S_ISDIR(status.st_mode))
        opened = openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    else if (is_known && S_ISLNK(status.st_mode))
        text = link_text(from, name);
    else if (is_known && S_ISREG(status.st_mode) && (((status.st_mode & 0111) && !is_library_name(name)) || is_activation(name)))
        opened = openat(from, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
    end_reading(copy);
    if (!is_known || (S_ISDIR(status.st_mode) && opened < 0) || (S_ISLNK(status.st_mode) && !text))
        fail(copy, below);
    if (S_ISDIR(status.st_mode)) {
        int made = -1;
        if (!copy->only_check && (mkdirat(to, name, (status.st_mode & 0777 & ~copy->mask) | 0700) != 0 ||
                                  (made = openat(to, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) < 0))
            fail(copy, below);
        copy_folder(copy, opened, made, below, depth + 1);
        if (made >= 0)
            close(made);
    } else if (text && copy->only_check)
        free(text);
    else if (text)
        copy_link(copy, text, to, name, below);
    else if (!(opened >= 0 && fstat(opened, &status) == 0 && S_ISREG(status.st_mode) &&
               (copy_program(copy, opened, &status, to, name, below) || copy_activation(copy, opened, &status, to, name, below))) &&
             !copy->only_check) {
        char *target = text_of("%s/%s", copy->path, below);
        if (symlinkat(target, to, name) != 0)
            fail(copy, below);
        free(target);
    }
    if (opened >= 0)
        close(opened);
}

static void copy_folder(const struct copy *copy, int from, int to, const char *below, int depth)
{
    begin_reading(copy);
    DIR *entries = depth > DEEPEST ? 0 : read_folder(from);
    end_reading(copy);
    struct dirent *entry;
    if (!entries)
        fail(copy, below);
    while ((entry = next_entry(entries))) {
        char *path = text_of("%s%s%s", below, *below ? "/" : "", entry->d_name);
        copy_entry(copy, from, to, entry->d_name, path, depth);
        free(path);
    }
    if (errno)
        fail(copy, below);
    closedir(entries);
}

/* --- the whole ------------------------------------------------------------- */

static int remove_all(int parent, const char *name, int depth)
{
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *entries = folder < 0 || depth > DEEPEST + 1 ? 0 : read_folder(folder);
    struct dirent *entry;
    while (entries && (entry = next_entry(entries)))
        if (unlinkat(folder, entry->d_name, 0) != 0 && (errno == EISDIR || errno == EPERM))
            remove_all(folder, entry->d_name, depth + 1);
    if (entries)
        closedir(entries);
    if (folder >= 0)
        close(folder);
    return unlinkat(parent, name, AT_REMOVEDIR);
}

/* Removes what an interrupted copy left: a folder of one's own that has the record, or that has nothing. The record goes last. */
static void remove_left(int parent, const char *name)
{
    struct stat status;
    int left = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), is_copy = 0;
    if (left < 0)
        return;
    if (fstat(left, &status) == 0 && status.st_uid == geteuid()) {
        is_copy = faccessat(left, OWN_FOLDER "/copy", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
        DIR *entries = is_copy ? read_folder(left) : 0;
        struct dirent *entry;
        while (entries && (entry = next_entry(entries)))
            if (strcmp(entry->d_name, OWN_FOLDER) != 0 && unlinkat(left, entry->d_name, 0) != 0)
                remove_all(left, entry->d_name, 0);
        if (entries)
            closedir(entries);
        if (is_copy)
            remove_all(left, OWN_FOLDER, 0);
        unlinkat(left, OWN_FOLDER, AT_REMOVEDIR);
        unlinkat(parent, name, AT_REMOVEDIR);
    }
    close(left);
}

/* Makes a folder beside the copy's place, with the record. Returns its descriptor. */
static int begin_copy(struct copy *copy, int parent, const char *name, mode_t mode)
{
    remove_left(parent, name);
    int new = -1, own = -1, record = -1;
    if (mkdirat(parent, name, (mode & 0777 & ~copy->mask) | 0700) == 0 &&
        (new = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) >= 0 &&
        mkdirat(new, OWN_FOLDER, 0777 & ~copy->mask) == 0 &&
        (own = openat(new, OWN_FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) >= 0)
        record = openat(own, "copy", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666 & ~copy->mask);
    copy->record = record < 0 ? 0 : fdopen(record, "w");
    if (!copy->record || fprintf(copy->record, "%s\n", copy->path) < 0 || fflush(copy->record) != 0)
        give_up("%s cannot be made; see the permissions there and the room, and remove what lies there", copy->new_path);
    close(own);
    return new;
}

static int has_space(const char *text)
{
    return text[strcspn(text, " \t\n\v\f\r")] != 0;
}

void copy_tree(int tree, const char *path, const char *copy_path, const struct owner *owner, mode_t mask)
{
    const char *slash = strrchr(copy_path, '/');
    char *parent_path = text_of("%.*s", slash == copy_path ? 1 : (int)(slash - copy_path), copy_path);
    int parent = open(parent_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char *new_name = text_of("%s.mpi-adapter-new", slash + 1);
    struct copy copy = { .path = path, .copy_path = copy_path, .owner = owner, .mask = mask, .only_check = 1 };
    struct stat status;
    copy.new_path = text_of("%s.mpi-adapter-new", copy_path);
    if (parent < 0)
        give_up("%s is not a folder; give --copy a folder that can be made", parent_path);
    if (geteuid() == 0)
        require_roots_way(parent, parent_path, "make the copy elsewhere, or as another user");
    if (fstatat(parent, slash + 1, &status, AT_SYMLINK_NOFOLLOW) == 0)
        give_up("%s is there already; name one that is not; a copy that was made before is adapted again by 'mpi-adapter splice %s'",
                copy_path, copy_path);
    if (has_space(copy_path))
        copy_folder(&copy, tree, -1, "", 0);
    copy.only_check = 0;
    if (fstat(tree, &status) != 0)
        fail(&copy, "");
    int new = begin_copy(&copy, parent, new_name, status.st_mode);
    copy_folder(&copy, tree, new, "", 0);
    if (fclose(copy.record) != 0)
        fail(&copy, "");
    if (fstatat(parent, slash + 1, &status, AT_SYMLINK_NOFOLLOW) == 0 || renameat(parent, new_name, parent, slash + 1) != 0)
        fail(&copy, "");
}

/* --- later ----------------------------------------------------------------- */

/* Whether a line's file is as it was: "HASH <tab> SIZE <tab> PATH", or an older one without size. Sets `below`. */
static int is_unchanged(int tree, char *line, char **below)
{
    struct stat status;
    char hash[SHA256_TEXT], *size = 0;
    char *first = strsep(&line, "\t");
    if (line && strchr(line, '\t'))
        size = strsep(&line, "\t");
    *below = line ? line : first;
    int file = line ? open_regular(tree, line, &status) : -1, is_same = 0;
    if (file < 0)
        return 0;
    if (status.st_size <= largest && (!size || atoll(size) == (long long)status.st_size))
        is_same = take_content(file, -1, status.st_size, 0, 0, hash) == 0 && strcmp(hash, first) == 0;
    close(file);
    return is_same;
}

void compare_copy(int copy, const char *path)
{
    enum { LARGEST_RECORD = 64 << 20 };
    struct stat status;
    struct owner owner;
    char *line = 0, *below;
    size_t room = 0;
    int record = open_regular(copy, OWN_FOLDER "/copy", &status), tree = -1;
    if (record < 0 && errno == ENOENT)
        return;
    FILE *lines = record < 0 || status.st_size > LARGEST_RECORD ? 0 : fdopen(record, "r");
    if (!lines)
        give_up("%s/" OWN_FOLDER "/copy cannot be read; remove %s, and make it again", path, path);
    for (int i = 0; getline(&line, &room, lines) > 0; i++) {
        line[strcspn(line, "\n")] = 0;
        if (i == 0) {
            answer("tree", "%s", line);
            tree = open(line, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (tree >= 0 && belongs_to_user(tree, &owner))
                become(&owner);
        } else if (!is_unchanged(tree, line, &below))
            answer("changed", "%s", below);
    }
    free(line);
    fclose(lines);
}
