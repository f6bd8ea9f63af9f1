/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that refer to procedures which are newer than the pair's: the dynamic linker would not start them, or end them in the call. A copy
 * of newer.so by these names is preloaded. It is kept in the user's cache, with the links by other names. */
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../newer.h"
#include "arena.h"
#include "choice.h"
#include "elf/ask.h"
#include "file.h"
#include "texts.h"

enum { MOST_BYTES = 1 << 20 };

struct image {
    unsigned char *bytes;
    size_t size;
};

static int read_image(const char *path, struct image *image)
{
    FILE *file = fopen(path, "re");
    image->bytes = arena_memory(MOST_BYTES);
    image->size = file ? fread(image->bytes, 1, MOST_BYTES, file) : 0;
    if (file)
        fclose(file);
    return image->size > sizeof(ElfW(Ehdr)) && image->size < MOST_BYTES;
}

/* Writes the name wherever its placeholder stands: in the tables of names, and in what the procedure says. */
static void replace_placeholder(const struct image *image, int number, const char *name)
{
    char place[NEWER_LENGTH + 1];
    unsigned char *at = image->bytes;
    snprintf(place, sizeof place, NEWER_START "%02d" NEWER_REST, number);
    while ((at = memmem(at, (size_t)(image->bytes + image->size - at), place, NEWER_LENGTH)))
        memset(stpcpy((char *)at, name), 0, NEWER_LENGTH - strlen(name));
}

/* The place of an address in our own file. */
static void *at_address(const struct image *image, ElfW(Addr) address)
{
    const ElfW(Ehdr) *header = (const void *)image->bytes;
    const ElfW(Phdr) *part = (const void *)(image->bytes + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++)
        if (part[i].p_type == PT_LOAD && address - part[i].p_vaddr < part[i].p_filesz)
            return image->bytes + part[i].p_offset + (address - part[i].p_vaddr);
    return 0;
}

static ElfW(Addr) dynamic_value(const struct image *image, ElfW(Sxword) tag)
{
    const ElfW(Ehdr) *header = (const void *)image->bytes;
    const ElfW(Phdr) *part = (const void *)(image->bytes + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++)
        if (part[i].p_type == PT_DYNAMIC)
            for (const ElfW(Dyn) *entry = (const void *)(image->bytes + part[i].p_offset); entry->d_tag != DT_NULL; entry++)
                if (entry->d_tag == tag)
                    return entry->d_un.d_ptr;
    return 0;
}

/* As the System V ABI says, chapter 5. */
static uint32_t hash_of(const char *name)
{
    uint32_t hash = 0, high;
    for (; *name; name++) {
        hash = (hash << 4) + (unsigned char)*name;
        high = hash & 0xf0000000;
        hash = (hash ^ high >> 24) & ~high;
    }
    return hash;
}

/* Makes the table again by which the dynamic linker finds names. Returns whether the library has one. */
static int make_hash_table(const struct image *image)
{
    uint32_t *table = at_address(image, dynamic_value(image, DT_HASH));
    const ElfW(Sym) *symbols = at_address(image, dynamic_value(image, DT_SYMTAB));
    const char *names = at_address(image, dynamic_value(image, DT_STRTAB));
    if (!table || !symbols || !names)
        return 0;
    uint32_t buckets = table[0], count = table[1], *bucket = table + 2, *chain = bucket + buckets;
    memset(bucket, 0, (buckets + count) * sizeof *bucket);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t *first = bucket + hash_of(names + symbols[i].st_name) % buckets;
        chain[i] = *first;
        *first = i;
    }
    return 1;
}

/* No rank sees a part of it. */
static int write_image(const struct image *image, const char *path)
{
    const char *made = arena_text("%s.%ld", path, (long)getpid());
    unlink(made);
    int descriptor = open_new(made);
    int is_written = descriptor >= 0 && write(descriptor, image->bytes, image->size) == (ssize_t)image->size;
    if (descriptor >= 0)
        is_written &= close(descriptor) == 0;
    return is_written && rename(made, path) == 0;
}

/* The names that no library has, as far as newer.so has room. */
static struct list newer_names(const struct program *program, const char *library_path, const char *preload)
{
    struct list unbound = unbound_symbols(program->subject, library_path, preload, "MPI_ PMPI_ MPIX_ PMPIX_"), names = { 0 };
    for (size_t i = 0; i < unbound.count && names.count < NEWER_COUNT; i++)
        if (strlen(unbound.words[i]) < NEWER_LENGTH)
            list_add_once(&names, unbound.words[i]);
    return names;
}

struct problem *library_of_newer(const struct job *job, const struct program *program, const struct pair *pair, const char *library_path,
                                 const char *preload, const char **file)
{
    const char *template = of_family(job->site, program->abi, "beyond"), *folder;
    struct image image;
    *file = "";
    if (*template == 0 || !program->subject || job->image_names)
        return 0;
    struct list names = newer_names(program, library_path, preload);
    if (names.count == 0)
        return 0;
    template = arena_text("%s/%s", job->site->home, template);
    if (!read_image(template, &image))
        return problem_of("%s is missing; install mpi-adapter again", template);
    uint32_t hash = 0;
    for (size_t i = 0; i < names.count; i++) {
        replace_placeholder(&image, (int)i, names.words[i]);
        hash = 31 * hash + hash_of(names.words[i]);
    }
    if (!make_hash_table(&image))
        return problem_of("%s is damaged; install mpi-adapter again", template);
    HAND_ON(names_folder(program, pair->folder, &folder));
    const char *path = arena_text("%s/newer-%08x.so", folder, hash);
    if (strchr(path, ' '))
        return problem_of("LD_PRELOAD, which %s needs, cannot hold %s, as its name has a space; set XDG_CACHE_HOME to another folder of yours",
                          program->path, path);
    if (!write_image(&image, path))
        return problem_of("%s cannot be written; set XDG_CACHE_HOME to a folder of yours", path);
    *file = path;
    return 0;
}
