/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the source files of gotswap; nothing here is exported. */
#ifndef GOTSWAP_INTERNAL_H
#define GOTSWAP_INTERNAL_H

#include "arch.h"
#include "gotswap.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- message.c ---- */

/* Sets the thread's message and returns `code`. */
int gotswap_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets the message that memory ran out, and returns GOTSWAP_EMEM. */
int gotswap_fail_memory(void);

/* ---- maps.c: a snapshot of /proc/self/maps ---- */

struct region {
    uintptr_t start;
    uintptr_t end;
    uint64_t offset;  /* of `start` in the file */
    int prot;         /* PROT_READ and so on */
    const char *path; /* "" for anonymous memory */
};

struct maps {
    char *text; /* holds the paths */
    struct region *regions;
    size_t count;
};

/* Reads the maps.  Returns GOTSWAP_OK, or a code with a message. */
int gotswap_maps_read(struct maps *maps);

/* Frees the snapshot's members. */
void gotswap_maps_free(struct maps *maps);

/* Returns the region that contains `address`, or NULL. */
const struct region *gotswap_maps_find(const struct maps *maps, uintptr_t address);

/* Returns the size of a page of memory, in bytes. */
uintptr_t gotswap_page_size(void);

/* ---- look.c: the dynamic loader's list of objects, in place ---- */

/* Returns the object as the loader describes it; `end` is null if it has no segments. */
gotswap_linked gotswap_linked_describe(const struct dl_phdr_info *info);

/* Does the same without the strings.  Reads nothing of the object's memory, which may be damaged. */
gotswap_linked gotswap_linked_locate(const struct dl_phdr_info *info);

/* Returns the value of the first entry of the dynamic section with this tag, or 0. */
uint64_t gotswap_linked_value(const gotswap_linked *object, Elf64_Sxword tag);

/* Returns the table that the entry with this tag leads to, or NULL. */
const void *gotswap_linked_table(const gotswap_linked *object, Elf64_Sxword tag);

/* Calls libc's own dl_iterate_phdr(), whatever function of the program has that name. */
int gotswap_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *context);

/* Returns whether the address is in one of the object's segments. */
bool gotswap_linked_contains(const struct dl_phdr_info *info, uintptr_t address);

/* ---- loaded.c: copies of that list ---- */

struct loaded {
    uintptr_t base;   /* address of the first mapped byte */
    char *name;       /* as the loader knows it; "" for the executable */
    const char *path; /* as in the list's maps, "[vdso]" for the vdso; `name` if they were not read */
    char *soname;     /* "" if the object has none */
    char *needed;     /* the DT_NEEDED names, each followed by a null byte, then another one */
};

struct loaded_list {
    struct loaded *objects;
    size_t count;
    struct maps maps; /* read after the list */
};

/* Copies the list, and reads the maps.  Returns GOTSWAP_OK, or a code with a message. */
int gotswap_loaded_read(struct loaded_list *list);

/* Does the same without the maps, which is cheap: each object goes by its name. */
int gotswap_loaded_names(struct loaded_list *list);

/* Frees the list's members. */
void gotswap_loaded_free(struct loaded_list *list);

/* Returns the first object with this name, or NULL; see gotswap_open(). */
const struct loaded *gotswap_loaded_find(const struct loaded_list *list, const char *name);

/* Returns the first byte of the object that contains `address`; `address` if there is none. */
uintptr_t gotswap_loaded_base(uintptr_t address);

/* ---- image.c: the slots of an object, as its file describes them ---- */

struct slot {
    const char *symbol;
    uintptr_t address;
    uintptr_t lazy;   /* content as long as it is not resolved; 0 if not a JUMP_SLOT */
    uintptr_t former; /* content before the first replacement */
    int64_t addend;
    int type;
    bool imported; /* the object does not define the symbol */
    bool swapped;
};

struct image {
    uintptr_t start; /* the address range of the object in memory */
    uintptr_t end;
    struct slot *slots;
    size_t count;
    char *names;          /* holds the slots' symbols; NULL if the object's memory does */
    struct maps segments; /* with their protections; empty if /proc/self/maps must tell them */
};

/* An open object; a handle points to it. */
struct gotswap_object {
    char *path;
    struct image image;
};

/* ---- slots.c ---- */

/* Slots collected so far. The list does not own their names. */
struct slot_list {
    struct slot *slots;
    size_t count;
    size_t room;
};

/* Adds a slot, which the caller fills; returns NULL if memory runs out. */
struct slot *gotswap_slots_add(struct slot_list *list);

/* Moves the slots to the image, with copies of their names. On failure the list keeps them. */
int gotswap_image_take(struct image *image, const struct slot_list *list);

/* Frees the image's members. */
void gotswap_image_free(struct image *image);

/* Returns the kind of slot that a relocation fills, or 0. */
static inline int gotswap_slot_type(const Elf64_Rela *relocation)
{
    switch (ELF64_R_TYPE(relocation->r_info)) {
    case ARCH_JUMP_SLOT: return GOTSWAP_JUMP_SLOT;
    case ARCH_GLOB_DAT: return GOTSWAP_GLOB_DAT;
    case ARCH_ABSOLUTE: return GOTSWAP_ABSOLUTE;
    default: return 0;
    }
}

/* A slot in a packed structure need not be aligned. */
struct gotswap_word {
    uintptr_t content;
} __attribute__((packed, may_alias));

/* Returns whether a slot at this address can be read and written by one instruction. */
static inline bool gotswap_is_aligned(uintptr_t address)
{
    return address % sizeof(uintptr_t) == 0;
}

/* Returns the content of a slot.  In an object built with AddressSanitizer, some slots lie where only its run time may read. */
__attribute__((no_sanitize_address)) static inline uintptr_t gotswap_content(uintptr_t address)
{
    if (gotswap_is_aligned(address))
        return __atomic_load_n((const uintptr_t *)address, __ATOMIC_RELAXED);
    return ((const struct gotswap_word *)address)->content;
}

/*
 * Reads the slots of the object whose file is mapped at `region`.  All contents
 * of the file are checked.
 */
int gotswap_image_read(struct image *image, const struct maps *maps, const struct region *region);

/* ---- memory.c: the same, as the loader has prepared the object in memory ---- */

/* Reads the slots of an object.  To be called within dl_iterate_phdr(), so that the object stays while it is read. */
int gotswap_image_read_memory(struct image *image, const struct dl_phdr_info *info);

/* ---- write.c: writing to slots ---- */

struct change {
    struct slot *slot;
    uintptr_t content;
};

/* Serialize changes: one pass must not protect the pages that another one writes to. */
void gotswap_write_lock(void);
void gotswap_write_unlock(void);

/*
 * Writes all changes, in pages of any protection, and keeps the former content
 * of slots that were not swapped before.  The lock must be held.
 */
int gotswap_write(const char *path, const struct image *image, const struct change *changes,
                  size_t count);

#endif
