/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/known_objects.h"

#include <stdlib.h>
#include <string.h>

#include "convert/index.h"
#include "layers/lock.h"
#include "convert/say.h"
#include "isolate/adapter_parts.h"

/* By the object's dynamic section. */
struct record {
    struct index_entry entry;
    struct known_object object;
};

static struct index records;
static struct record **in_order; /* in which they were first recorded */
static size_t known_count, known_room;
static unsigned long long examined;

/* Never held while the dynamic linker is asked for anything: another thread may hold the linker's lock and wait for this one. */
LOCK(known_objects);

/* fork() waits until no other thread holds the lock. */
static void before_fork(void) { take_lock(known_objects); }
static void after_fork(void) { release_lock(known_objects); }

static struct known_object *find_record(const ElfW(Dyn) *dynamic)
{
    struct record *found = (struct record *)*index_find(&records, (intptr_t)dynamic);
    return found ? &found->object : 0;
}

int known_record(const ElfW(Dyn) *dynamic, struct known_object *object)
{
    take_lock(known_objects);
    const struct known_object *found = find_record(dynamic);
    if (found)
        *object = *found;
    release_lock(known_objects);
    return found != 0;
}

/* Says what is known of an object that has no record. */
static void read_unrecorded(const gotswap_list *list, size_t index, struct ownership *is)
{
    if (is_adapter(list->objects[index].base))
        owner_move(is, FOUND_ADAPTER);
    else if (index < linked_since(list, known_examined()))
        owner_move(is, FOUND_PROGRAM);
}

void known_read(const gotswap_list *list, size_t index, struct known_object *object)
{
    const ElfW(Dyn) *dynamic = list->objects[index].dynamic;
    struct ownership is = { UNDECIDED, UNBOUND };
    if (known_record(dynamic, object)) {
        if (index < linked_since(list, object->seen))
            return;
        is = object->is;
        owner_move(&is, FOUND_GONE);
    }
    read_unrecorded(list, index, &is);
    *object = (struct known_object){ .is = is, .dynamic = dynamic };
}

void known_refresh(const gotswap_list *list)
{
    take_lock(known_objects);
    for (size_t i = 0; i < list->count; i++) {
        struct known_object *found = find_record(list->objects[i].dynamic);
        if (found && found->seen < list->loads && i < linked_since(list, found->seen))
            found->seen = list->loads;
    }
    release_lock(known_objects);
}

/* Makes room for another record in the order; returns 0 if memory runs out. */
static int has_room(void)
{
    if (known_count < known_room)
        return 1;
    struct record **larger = realloc(in_order, (known_room ? 2 * known_room : 64) * sizeof *in_order);
    if (!larger)
        return 0;
    in_order = larger;
    known_room = known_room ? 2 * known_room : 64;
    return 1;
}

static struct known_object *add_record(const ElfW(Dyn) *dynamic)
{
    struct record *added = malloc(sizeof *added);
    if (added)
        *added = (struct record){ .entry.key = (intptr_t)dynamic, .object.dynamic = dynamic };
    if (!added || !has_room() || index_add(&records, &added->entry) != 0)
        give_up_memory("while isolating the host's MPI");
    /* pthread_atfork() calls the last registered handler first, and a thread that reads the list may take the lock meanwhile. */
    if (known_count == 0) {
        pthread_atfork(before_fork, after_fork, after_fork);
        linked_across_fork();
    }
    in_order[known_count++] = added;
    return &added->object;
}

/* Paths are not freed: others may hold copies of the pointer. An object that comes again keeps its path. */
void known_put(const struct known_object *object)
{
    take_lock(known_objects);
    struct known_object *found = find_record(object->dynamic);
    if (!found)
        found = add_record(object->dynamic);
    const char *path = found->path;
    *found = *object;
    if (path && object->path && strcmp(path, object->path) == 0)
        found->path = path;
    else
        found->path = object->path ? strdup(object->path) : 0;
    release_lock(known_objects);
}

int known_at(size_t number, struct known_object *object)
{
    take_lock(known_objects);
    int is_there = number < known_count;
    if (is_there)
        *object = in_order[number]->object;
    release_lock(known_objects);
    return is_there;
}

unsigned long long known_examined(void)
{
    return __atomic_load_n(&examined, __ATOMIC_ACQUIRE);
}

void known_examined_until(unsigned long long loaded)
{
    unsigned long long before = known_examined();
    while (before < loaded && !__atomic_compare_exchange_n(&examined, &before, loaded, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ;
}
