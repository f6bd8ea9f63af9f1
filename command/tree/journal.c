/* SPDX-License-Identifier: BSD-3-Clause */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "words.h"

enum { LARGEST_JOURNAL = 16 << 20, FIELDS = 7 };

static const char *const own_names[] = { "copy",     "host",        "host.new", "journal", "journal.new", "manifest",
                                         "manifest.new", "new", "now", "now.new",  "before",  "after" };
static const char form_1[] = "mpi-adapter splice 1", form_2[] = "mpi-adapter splice 2";

struct entry *add_entry(struct journal *journal)
{
    if (journal->count % 64 == 0)
        journal->entries = reallocated(journal->entries, (journal->count + 64) * sizeof *journal->entries);
    struct entry *entry = &journal->entries[journal->count++];
    *entry = (struct entry){ .path = 0 };
    return entry;
}

/* Cuts a text at tabs. Returns how many fields there are; more than there is room for are too many. */
static int split(char *line, char *fields[FIELDS + 1])
{
    int count = 0;
    for (char *field; count <= FIELDS && (field = strsep(&line, "\t"));)
        fields[count++] = field;
    return count;
}

static int read_number(const char *text, unsigned long long *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

static int is_hash(const char *text)
{
    return strlen(text) == SHA256_TEXT - 1 && strspn(text, "0123456789abcdef") == SHA256_TEXT - 1;
}

int has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return 1;
    return 0;
}

static int read_kind(const char *text, enum kind *kind)
{
    *kind = strcmp(text, "file") == 0 ? KIND_FILE : strcmp(text, "link") == 0 ? KIND_LINK : KIND_NONE;
    return *kind != KIND_NONE || strcmp(text, "none") == 0;
}

int is_spliceable(const char *path)
{
    size_t length = sizeof OWN_FOLDER - 1;
    if (!is_plain_path(path))
        return 0;
    for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : 0)
        if (strncmp(part, OWN_FOLDER, length) == 0 && (!part[length] || part[length] == '/'))
            return 0;
    /* Files of a splice's own lie beside what is set aside. */
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    for (size_t i = 0; i < sizeof own_names / sizeof *own_names; i++)
        if (strcmp(name, own_names[i]) == 0)
            return 0;
    return 1;
}

static int is_library(const char *target)
{
    const char *so = strstr(target, ".so");
    return so && (!so[3] || so[3] == '.');
}

/* Form 1 has the text of a link, and no hash of that. */
static int read_entry_1(char **fields, struct entry *entry)
{
    if (entry->own.kind == KIND_LINK)
        hash_text(fields[1], entry->own.hash);
    else if (entry->own.kind == KIND_FILE && is_hash(fields[1]))
        memcpy(entry->own.hash, fields[1], SHA256_TEXT);
    else if (entry->own.kind == KIND_FILE)
        return 0;
    entry->own.size = -1;
    strcpy(entry->put, is_library(fields[3]) ? "link" : "");
    return 1;
}

static int read_entry_2(char **fields, struct entry *entry)
{
    unsigned long long size;
    if (!read_number(fields[1], &entry->own.inode) || !read_number(fields[2], &size) ||
        (entry->own.kind != KIND_NONE && !is_hash(fields[3])) || (strcmp(fields[4], "link") != 0 && !is_hash(fields[4])))
        return 0;
    entry->own.size = (long long)size;
    if (entry->own.kind != KIND_NONE)
        memcpy(entry->own.hash, fields[3], SHA256_TEXT);
    strcpy(entry->put, fields[4]);
    return 1;
}

static int read_entry(char *line, struct journal *journal)
{
    char *fields[FIELDS + 1];
    int count = split(line, fields);
    struct entry *entry = add_entry(journal);
    if (count != (journal->form == 1 ? 4 : 7) || !read_kind(fields[0], &entry->own.kind) ||
        !(journal->form == 1 ? read_entry_1(fields, entry) : read_entry_2(fields, entry)))
        return 0;
    entry->path = fields[count - 2];
    entry->target = fields[count - 1];
    return is_spliceable(entry->path) && entry->target[0] == '/' && !has_control(entry->target);
}

static int read_header(char *line, const char *key, char **value)
{
    size_t length = strlen(key);
    if (!line || strncmp(line, key, length) != 0 || line[length] != '\t')
        return 0;
    *value = line + length + 1;
    return !has_control(*value);
}

/* Takes the text, which entries point into. Returns 0 if it is damaged. */
static int read_text(char *text, struct journal *journal)
{
    char *line = strsep(&text, "\n"), *tree;
    journal->form = strcmp(line, form_2) == 0 ? 2 : strcmp(line, form_1) == 0 ? 1 : 0;
    if (!journal->form || !read_header(strsep(&text, "\n"), "pair", &journal->pair) ||
        !read_header(strsep(&text, "\n"), "host", &journal->host) ||
        (journal->form == 2 && !(read_header(strsep(&text, "\n"), "tree", &tree) && read_number(tree, &journal->tree))))
        return 0;
    while ((line = strsep(&text, "\n")) && strcmp(line, "end") != 0)
        if (!read_entry(line, journal))
            return 0;
    return line && text && !*text;
}

/* Returns the text of a file of bounded size, or null with errno. */
static char *read_file(int own_folder, const char *name)
{
    struct stat status;
    int file = open_regular(own_folder, name, &status);
    if (file < 0)
        return 0;
    char *text = 0;
    size_t length = 0;
    ssize_t size = 0;
    if (status.st_size > LARGEST_JOURNAL)
        errno = EFBIG;
    else {
        text = reallocated(0, (size_t)status.st_size + 1);
        while (length < (size_t)status.st_size && (size = read(file, text + length, (size_t)status.st_size - length)) > 0)
            length += (size_t)size;
        text[length] = 0;
        if (size < 0 || memchr(text, 0, length)) {
            free(text);
            text = 0;
            errno = EINVAL;
        }
    }
    int error = errno;
    close(file);
    errno = error;
    return text;
}

int read_journal(int tree, const char *path, struct journal *journal)
{
    static const char *const names[] = { "journal", "manifest" };
    *journal = (struct journal){ .count = 0 };
    int own_folder = open_beneath(tree, OWN_FOLDER, O_RDONLY | O_DIRECTORY);
    if (own_folder < 0 && errno == ENOENT)
        return 0;
    if (own_folder < 0)
        give_up("%s/" OWN_FOLDER " is not a folder that can be read; put the tree back from where it came", path);
    for (int i = 0; i < 2; i++) {
        char *text = read_file(own_folder, names[i]);
        if (!text && errno == ENOENT)
            continue;
        if (!text || !read_text(text, journal))
            give_up("%s/" OWN_FOLDER "/%s is damaged; put the tree back from where it came", path, names[i]);
        journal->is_whole = i;
        close(own_folder);
        return 1;
    }
    close(own_folder);
    return 0;
}

int write_whole(int own_folder, const char *name, const char *text)
{
    char *new = text_of("%s.new", name);
    int result = -1, file = -1;
    if ((unlinkat(own_folder, new, 0) == 0 || errno == ENOENT) &&
        (file = openat(own_folder, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644)) >= 0 &&
        write_all(file, text, strlen(text)) == 0 && fsync(file) == 0)
        result = renameat(own_folder, new, own_folder, name);
    int error = errno;
    if (file >= 0)
        close(file);
    free(new);
    errno = error;
    return result;
}

int write_journal(int own_folder, const char *name, const struct journal *journal)
{
    static const char *const kinds[] = { "none", "file", "link" };
    char *text = 0;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);
    if (!lines)
        return -1;
    fprintf(lines, "%s\npair\t%s\nhost\t%s\ntree\t%llu\n", form_2, journal->pair, journal->host, journal->tree);
    for (size_t i = 0; i < journal->count; i++) {
        const struct entry *entry = &journal->entries[i];
        const struct identity *own = &entry->own;
        fprintf(lines, "%s\t%llu\t%lld\t%s\t%s\t%s\t%s\n", kinds[own->kind], own->inode, own->size,
                own->kind == KIND_NONE ? "-" : own->hash, entry->put, entry->path, entry->target);
    }
    fputs("end\n", lines);
    int result = fclose(lines) == 0 ? write_whole(own_folder, name, text) : -1;
    int error = errno;
    free(text);
    errno = error;
    return result;
}

int is_own(const struct journal *journal, const struct entry *entry, const struct identity *now, unsigned long long tree)
{
    const struct identity *own = &entry->own;
    if (own->kind != now->kind || own->kind == KIND_NONE || strcmp(own->hash, now->hash) != 0)
        return 0;
    if (own->size < 0)
        return 1;
    /* A tree that was copied as a whole has other inodes, and so may a file that an overlay copied up while it was spliced. */
    return own->size == now->size && (own->inode == now->inode || tree == 0 || journal->tree != tree || !journal->is_whole);
}

/* By the line that such a script of form 1 has. */
static int has_remark(int folder, const char *name)
{
    static const char remark[] = "#!/bin/sh\n# Put here by mpi-adapter splice: this machine's launcher, ";
    char text[sizeof remark - 1];
    struct stat status;
    int file = open_regular(folder, name, &status);
    ssize_t size = file < 0 ? 0 : read(file, text, sizeof text);
    if (file >= 0)
        close(file);
    return size == (ssize_t)sizeof text && memcmp(text, remark, sizeof text) == 0;
}

int is_put(const struct entry *entry, int folder, const char *name, const struct identity *now)
{
    char hash[SHA256_TEXT];
    if (strcmp(entry->put, "link") != 0)
        return now->kind == KIND_FILE && (entry->put[0] ? strcmp(entry->put, now->hash) == 0 : has_remark(folder, name));
    hash_text(entry->target, hash);
    return now->kind == KIND_LINK && strcmp(hash, now->hash) == 0;
}
