/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/known.h"

#include <stdlib.h>
#include <string.h>

#include "convert/index.h"
#include "convert/lock.h"
#include "convert/say.h"

/* By the object's dynamic section. */
struct known {
    struct index_entry entry;
    struct object object;
};

static struct index known;
static struct known **in_order; /* in which they were first seen */
static size_t count, room;

/* Whoever holds it asks the dynamic linker for nothing, whose own lock a thread may hold that waits for this. */
LOCK(known_objects);
LOCK_ACROSS_FORK(known_objects)

static struct object *find(const ElfW(Dyn) *dynamic)
{
    struct known *found = (struct known *)*index_find(&known, (intptr_t)dynamic);
    return found ? &found->object : 0;
}

int known_find(const ElfW(Dyn) *dynamic, struct object *object)
{
    take_lock(known_objects);
    const struct object *found = find(dynamic);
    if (found)
        *object = *found;
    release_lock(known_objects);
    return found != 0;
}

int known_in(const gotswap_list *list, size_t index, struct object *object)
{
    return known_find(list->objects[index].dynamic, object) && index < linked_since(list, object->seen);
}

void known_refresh(const gotswap_list *list)
{
    take_lock(known_objects);
    for (size_t i = 0; i < list->count; i++) {
        struct object *found = find(list->objects[i].dynamic);
        if (found && found->seen < list->loads && i < linked_since(list, found->seen))
            found->seen = list->loads;
    }
    release_lock(known_objects);
}

/* Room for another object in the order; 0 if memory is lacking. */
static int has_room(void)
{
    if (count < room)
        return 1;
    struct known **larger = realloc(in_order, (room ? 2 * room : 64) * sizeof *in_order);
    if (!larger)
        return 0;
    in_order = larger;
    room = room ? 2 * room : 64;
    return 1;
}

static struct object *add(const ElfW(Dyn) *dynamic)
{
    struct known *added = malloc(sizeof *added);
    if (added)
        *added = (struct known){ .entry.key = (intptr_t)dynamic, .object.dynamic = dynamic };
    if (!added || !has_room() || index_add(&known, &added->entry) != 0)
        give_up("out of memory while isolating the host's MPI; start fewer processes on this machine");
    /* What is registered last is called first before a fork, and who looks at the list may take the lock meanwhile. */
    if (count == 0) {
        known_objects_across_fork();
        linked_across_fork();
    }
    in_order[count++] = added;
    return &added->object;
}

/* Paths are not freed: others may hold copies of the pointer. An object that comes again keeps its path. */
void known_put(const struct object *object)
{
    take_lock(known_objects);
    struct object *found = find(object->dynamic);
    if (!found)
        found = add(object->dynamic);
    const char *path = found->path;
    *found = *object;
    if (path && object->path && strcmp(path, object->path) == 0)
        found->path = path;
    else
        found->path = object->path ? strdup(object->path) : 0;
    release_lock(known_objects);
}

int known_at(size_t index, struct object *object)
{
    take_lock(known_objects);
    int is_there = index < count;
    if (is_there)
        *object = in_order[index]->object;
    release_lock(known_objects);
    return is_there;
}
