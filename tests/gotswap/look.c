/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gotswap_look() shows in place what the loader has: its objects in their
 * order, their strings, and the slots that a handle has. Argument: the path of
 * a library that needs libcallee.so, has the soname libcaller.so, and is not
 * loaded yet.
 */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <string.h>

/* This program has a copy of it. */
extern char **environ;

struct shown {
    const gotswap_list *list;
    const gotswap_linked *executable;
    const gotswap_linked *library;
    size_t next;
};

/* gotswap_each_loaded() leaves out what has no file. */
static int is_next(const char *path, const void *base, void *context)
{
    struct shown *shown = context;
    (void)path;
    while (shown->next < shown->list->count && shown->list->objects[shown->next].base != base)
        shown->next++;
    CHECK(shown->next < shown->list->count);
    return 0;
}

static void find_object(const gotswap_list *list, void *context)
{
    struct shown *shown = context;
    for (size_t i = 0; i < list->count; i++) {
        const gotswap_linked *object = &list->objects[i];
        const char *soname = gotswap_string(object, DT_SONAME, 0);
        CHECK(object->base < object->end && object->strings && object->dynamic);
        CHECK(memcmp(object->base, ELFMAG, SELFMAG) == 0);
        if (soname && strcmp(soname, "libcaller.so") == 0)
            shown->library = object;
    }
    shown->executable = &list->objects[0];
    CHECK(shown->executable->name[0] == 0);
    CHECK(list->loads >= list->count && gotswap_last() == list->objects[list->count - 1].dynamic);
}

/* A copy that outlives the lock; the objects stay. */
static void keep(const gotswap_list *list, void *context)
{
    gotswap_list *kept = context;
    gotswap_linked *objects = malloc(list->count * sizeof *objects);
    CHECK(objects);
    memcpy(objects, list->objects, list->count * sizeof *objects);
    *kept = (gotswap_list){objects, list->count, list->loads};
}

struct slots {
    gotswap_slot slots[4096];
    size_t count;
    int others;
};

static int note(const gotswap_slot *slot, void *context)
{
    struct slots *slots = context;
    CHECK(slots->count < sizeof slots->slots / sizeof *slots->slots);
    slots->slots[slots->count++] = *slot;
    return 0;
}

static int note_slot(const gotswap_slot *slot, void *context)
{
    if (slot->type)
        return note(slot, context);
    CHECK(!slot->value && slot->symbol[0]);
    ((struct slots *)context)->others |= strstr(slot->symbol, "environ") != NULL;
    return 0;
}

static int stop(const gotswap_slot *slot, void *context)
{
    (void)slot;
    ++*(int *)context;
    return -7;
}

static void compare(const gotswap_linked *linked, struct slots *place)
{
    static struct slots handle;
    gotswap_object *object;
    place->count = handle.count = 0;
    place->others = 0;
    CHECK(gotswap_open_address(&object, linked->base) == GOTSWAP_OK);
    CHECK(gotswap_iterate(object, note, &handle) == GOTSWAP_OK);
    CHECK(gotswap_each_word(linked, note_slot, place) == 0);
    CHECK(handle.count == place->count && place->count > 0);
    for (size_t i = 0; i < handle.count; i++)
        CHECK(strcmp(handle.slots[i].symbol, place->slots[i].symbol) == 0 && handle.slots[i].slot == place->slots[i].slot &&
              handle.slots[i].value == place->slots[i].value && handle.slots[i].type == place->slots[i].type &&
              handle.slots[i].addend == place->slots[i].addend && handle.slots[i].bound == place->slots[i].bound &&
              handle.slots[i].imported == place->slots[i].imported);
    CHECK(gotswap_close(object) == GOTSWAP_OK);
}

static int is_needed(const gotswap_linked *object, const char *name)
{
    const char *needed;
    for (size_t i = 0; (needed = gotswap_string(object, DT_NEEDED, i)); i++)
        if (strcmp(needed, name) == 0)
            return 1;
    return 0;
}

/* Compares a list with the loader's own, object by object. */
struct compared {
    const gotswap_list *list;
    size_t next;
};

static int is_same(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct compared *compared = context;
    CHECK(compared->next < compared->list->count);
    const gotswap_linked *object = &compared->list->objects[compared->next++];
    CHECK(object->bias == info->dlpi_addr && strcmp(object->name, info->dlpi_name) == 0);
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            CHECK((uintptr_t)object->dynamic == info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (const ElfW(Dyn) *d = object->dynamic; d && d->d_tag != DT_NULL; d++)
        CHECK(d->d_tag != DT_STRSZ || object->strings_size == d->d_un.d_val);
    return 0;
}

static void compare_list(const gotswap_list *list, void *context)
{
    struct compared compared = {.list = list};
    int *looks = context;
    dl_iterate_phdr(is_same, &compared);
    CHECK(compared.next == list->count);
    if (++*looks % 2)
        CHECK(gotswap_look(compare_list, looks) == GOTSWAP_OK);
}

/* An object that is loaded after another was unloaded often lies at the same addresses. */
static void look_by_turns(const char *const *libraries, size_t count)
{
    int looks = 0;
    for (size_t i = 0; i < 4 * count; i++) {
        void *handle = dlopen(libraries[i % count], RTLD_LAZY);
        CHECK(handle && gotswap_look(compare_list, &looks) == GOTSWAP_OK);
        dlclose(handle);
        if (i % 3 == 0)
            CHECK(gotswap_look(compare_list, &looks) == GOTSWAP_OK);
    }
    CHECK(looks >= 8 * (int)count);
}

int main(int argc, char **argv)
{
    static struct slots slots;
    gotswap_list list;
    struct shown shown = {.list = &list};
    int stops = 0;
    unsigned long long before = gotswap_loads();
    CHECK(argc == 2 && environ);
    CHECK(gotswap_look(NULL, NULL) == GOTSWAP_EINVAL);
    CHECK(gotswap_look(find_object, &shown) == GOTSWAP_OK && !shown.library);

    void *handle = dlopen(argv[1], RTLD_LAZY);
    CHECK(handle && gotswap_loads() >= before + 2);
    CHECK(gotswap_look(keep, &list) == GOTSWAP_OK);
    find_object(&list, &shown);
    CHECK(gotswap_each_loaded(is_next, &shown) == GOTSWAP_OK);
    CHECK(shown.library && is_needed(shown.library, "libcallee.so") && !gotswap_string(shown.library, DT_SONAME, 1));
    CHECK(!is_needed(shown.executable, "libcallee.so") && is_needed(shown.executable, "libgotswap.so.1"));

    compare(shown.library, &slots);
    compare(shown.executable, &slots);
    CHECK(slots.others);
    CHECK(gotswap_each_word(shown.library, stop, &stops) == -7 && stops == 1);
    CHECK(gotswap_each_word(NULL, stop, &stops) == GOTSWAP_EINVAL);

    before = gotswap_loads();
    dlclose(handle);
    CHECK(gotswap_loads() == before);
    look_by_turns((const char *const[]){argv[1], "libm.so.6", "libutil.so.1", argv[1], "libanl.so.1"}, 5);
    free((void *)list.objects);
    return 0;
}
