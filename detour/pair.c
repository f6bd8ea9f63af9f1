/* SPDX-License-Identifier: BSD-3-Clause */
#include "pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "detour.h"

enum { BUCKETS = 1 << 14 };

static size_t bucket_of(const char *text)
{
    uint32_t hash = 5381;
    for (; *text; text++)
        hash = hash * 33 + (unsigned char)*text;
    return (hash ^ hash >> 14) % BUCKETS;
}

/* Returns FOLDER/FILE if the folder is a pair's and has the file. */
static char *find_in(const char *folder, size_t length, const char *file)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%.*s/pair.conf", (int)length, folder) >= (int)sizeof path || access(path, F_OK) != 0 ||
        snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, file) >= (int)sizeof path || access(path, R_OK) != 0)
        return NULL;
    return strdup(path);
}

/* Returns the path of a library in the first of the folders that is a pair and has it, or null. */
static char *find_library(const char *folder, const char *file)
{
    char *path = NULL;
    while (folder && *folder && !path) {
        size_t length = strcspn(folder, ":;");
        path = length ? find_in(folder, length, file) : NULL;
        folder += length + (folder[length] != 0);
    }
    return path;
}

static bool note_export(void *context, const Elf64_Sym *symbol, const char *text)
{
    struct pair *pair = context;
    int type = ELF64_ST_TYPE(symbol->st_info);
    if (symbol->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT) || pair->count == pair->room)
        return true;
    pair->names[pair->count++] = (struct name){ .text = text, .library = pair->libraries - 1, .is_data = type == STT_OBJECT,
                                                  .place = symbol->st_value };
    return true;
}

static bool count_export(void *context, const Elf64_Sym *symbol, const char *text)
{
    (void)symbol, (void)text;
    ++*(size_t *)context;
    return true;
}

static void add_library(struct pair *pair, const struct program *program, char *path)
{
    struct elf_file *file = &pair->files[pair->libraries];
    size_t count = 0;
    pair->paths[pair->libraries++] = path;
    enum elf_result result = program->is_file ? elf_open(file, path) : elf_open_mapped(file, path);
    if (result == ELF_YES)
        result = elf_each_symbol(file, count_export, &count);
    pair->room = pair->count + count;
    pair->names = allocate(pair->names, pair->room * sizeof *pair->names);
    if (result == ELF_YES)
        result = elf_each_symbol(file, note_export, pair);
    if (result != ELF_YES)
        refuse_program("cannot read %s (%s); install the pair again", path, file->problem ? file->problem : "it has no symbols");
}

/* The first of one name stands: the library for C has a few that the one for Fortran has, too. */
static void hash_names(struct pair *pair)
{
    pair->buckets = allocate(NULL, BUCKETS * sizeof *pair->buckets);
    memset(pair->buckets, 0, BUCKETS * sizeof *pair->buckets);
    for (size_t i = pair->count; i-- > 0;) {
        struct name **bucket = &pair->buckets[bucket_of(pair->names[i].text)];
        pair->names[i].next = *bucket;
        *bucket = &pair->names[i];
    }
}

/* Adds the libraries of this list, with spaces between. */
static void add_libraries(struct pair *pair, const char *folders, const struct program *program, const struct inside *inside, const char *list)
{
    char wanted[256];
    for (; *list && pair->libraries < PAIR_LIBRARIES; list += strspn(list, " ")) {
        snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(list, " "), list);
        list += strcspn(list, " ");
        char *path = find_library(folders, wanted);
        if (!path)
            refuse_program("%s has %s linked in, and no folder in LD_LIBRARY_PATH is a pair with %s; put one there, from beside %s",
                           program->path, inside->mpi->called, wanted, own_path());
        add_library(pair, program, path);
    }
}

void pair_find(struct pair *pair, const char *folders, const struct program *program, const struct inside *inside)
{
    add_libraries(pair, folders, program, inside, inside->mpi->library);
    if (inside->interfaces & (1u << INSIDE_MPIF | 1u << INSIDE_F08))
        add_libraries(pair, folders, program, inside, inside->mpi->fortran);
    hash_names(pair);
}

struct name *pair_name(const struct pair *pair, const char *text)
{
    struct name *name = pair->buckets[bucket_of(text)];
    while (name && strcmp(name->text, text) != 0)
        name = name->next;
    return name;
}

void pair_free(struct pair *pair)
{
    for (int i = 0; i < pair->libraries; i++) {
        elf_close(&pair->files[i]);
        free(pair->paths[i]);
    }
    free(pair->names);
    free(pair->buckets);
}
