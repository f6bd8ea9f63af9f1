/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks over the loaded objects and over the dependencies of one of them. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* Only objects with a file have an absolute path. */
static int show(const struct loaded *object, gotswap_visit visit, void *context)
{
    if (object->path[0] != '/')
        return 0;
    return visit(object->path, (const void *)object->base, context);
}

int gotswap_each_loaded(gotswap_visit visit, void *context)
{
    if (!visit)
        return gotswap_fail(GOTSWAP_EINVAL, "gotswap_each_loaded: no function to call");
    struct loaded_list list;
    int code = gotswap_loaded_read(&list);
    for (size_t i = 0; !code && i < list.count; i++)
        code = show(&list.objects[i], visit, context);
    gotswap_loaded_free(&list);
    return code;
}

/* A loaded object that a DT_NEEDED entry names, or NULL. */
static const struct loaded *find_needed(const struct loaded_list *list, const char *name)
{
    const struct loaded *found = gotswap_loaded_find(list, name);
    const char *slash = strrchr(name, '/');
    /* A path may hold $ORIGIN or be relative to a directory that was left since. */
    return found || !slash ? found : gotswap_loaded_find(list, slash + 1);
}

/* The objects found so far in the order of finding; those from `done` on are to be shown. */
struct queue {
    const struct loaded **objects;
    bool *seen; /* by index in the list */
    size_t count;
};

static void push(struct queue *queue, const struct loaded_list *list, const struct loaded *object)
{
    if (!object || queue->seen[object - list->objects])
        return;
    queue->seen[object - list->objects] = true;
    queue->objects[queue->count++] = object;
}

static int walk_needed(const struct loaded_list *list, struct queue *queue, gotswap_visit visit,
                       void *context)
{
    for (size_t done = 0; done < queue->count; done++) {
        const struct loaded *object = queue->objects[done];
        int code = show(object, visit, context);
        if (code)
            return code;
        for (const char *name = object->needed; *name; name += strlen(name) + 1)
            push(queue, list, find_needed(list, name));
    }
    return GOTSWAP_OK;
}

static int walk_from(const struct loaded_list *list, const struct loaded *first,
                     gotswap_visit visit, void *context)
{
    struct queue queue = {
        .objects = calloc(list->count, sizeof(struct loaded *)),
        .seen = calloc(list->count, sizeof(bool)),
    };
    int code;
    if (queue.objects && queue.seen) {
        push(&queue, list, first);
        code = walk_needed(list, &queue, visit, context);
    } else {
        code = gotswap_fail_memory();
    }
    free(queue.objects);
    free(queue.seen);
    return code;
}

static const struct loaded *executable(const struct loaded_list *list)
{
    uintptr_t base = gotswap_loaded_base(getauxval(AT_PHDR));
    for (size_t i = 0; i < list->count; i++)
        if (list->objects[i].base == base)
            return &list->objects[i];
    return NULL;
}

int gotswap_each_dependency(const char *name, gotswap_visit visit, void *context)
{
    if (!visit)
        return gotswap_fail(GOTSWAP_EINVAL, "gotswap_each_dependency: no function to call");
    struct loaded_list list;
    int code = gotswap_loaded_read(&list);
    if (code)
        return code;
    const struct loaded *first = name ? gotswap_loaded_find(&list, name) : executable(&list);
    if (first)
        code = walk_from(&list, first, visit, context);
    else
        code = gotswap_fail(GOTSWAP_ENOTLOADED, "%s: not loaded", name ? name : "the executable");
    gotswap_loaded_free(&list);
    return code;
}
