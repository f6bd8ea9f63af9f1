/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/known.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "convert/say.h"

static struct object *objects;
static size_t count, room;

/* Whoever holds it asks the dynamic linker for nothing, whose own lock a thread may hold that waits for this. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct object *find(const ElfW(Dyn) *dynamic)
{
    for (size_t i = 0; i < count; i++)
        if (objects[i].dynamic == dynamic)
            return &objects[i];
    return 0;
}

int known_find(const ElfW(Dyn) *dynamic, struct object *object)
{
    pthread_mutex_lock(&lock);
    const struct object *found = find(dynamic);
    if (found)
        *object = *found;
    pthread_mutex_unlock(&lock);
    return found != 0;
}

int known_in(const gotswap_list *list, size_t index, struct object *object)
{
    return known_find(list->objects[index].dynamic, object) && index < linked_since(list, object->seen);
}

void known_refresh(const gotswap_list *list)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < list->count; i++) {
        struct object *found = find(list->objects[i].dynamic);
        if (found && found->seen < list->loads && i < linked_since(list, found->seen))
            found->seen = list->loads;
    }
    pthread_mutex_unlock(&lock);
}

static struct object *add(const ElfW(Dyn) *dynamic)
{
    if (count == room) {
        room = room ? 2 * room : 64;
        objects = realloc(objects, room * sizeof *objects);
        if (!objects)
            give_up("out of memory while isolating the host's MPI; start fewer processes on this machine");
    }
    objects[count] = (struct object){ .dynamic = dynamic };
    return &objects[count++];
}

/* Paths are not freed: others may hold copies of the pointer. An object that comes again keeps its path. */
void known_put(const struct object *object)
{
    pthread_mutex_lock(&lock);
    struct object *found = find(object->dynamic);
    if (!found)
        found = add(object->dynamic);
    const char *path = found->path;
    *found = *object;
    if (path && object->path && strcmp(path, object->path) == 0)
        found->path = path;
    else
        found->path = object->path ? strdup(object->path) : 0;
    pthread_mutex_unlock(&lock);
}

int known_at(size_t index, struct object *object)
{
    pthread_mutex_lock(&lock);
    int is_there = index < count;
    if (is_there)
        *object = objects[index];
    pthread_mutex_unlock(&lock);
    return is_there;
}
