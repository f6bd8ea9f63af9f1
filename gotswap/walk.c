/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks over the loaded objects and over the dependencies of one of them. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* Shows an object if it has a file: other paths are not absolute. */
static int show_object(const struct loaded *object, gotswap_visit visit, void *context)
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
        code = show_object(&list.objects[i], visit, context);
    gotswap_loaded_free(&list);
    return code;
}

/* Returns the loaded object that a DT_NEEDED entry names, or NULL. */
static const struct loaded *find_needed(const struct loaded_list *list, const char *name)
{
    const struct loaded *found = gotswap_loaded_find(list, name);
    const char *slash = strrchr(name, '/');
    /* A path may hold $ORIGIN or be relative to a directory that was left since. */
    return found || !slash ? found : gotswap_loaded_find(list, slash + 1);
}

/* The objects found in the order of finding. */
struct queue {
    const struct loaded **objects;
    bool *seen; /* by index in the list */
    size_t count;
    bool incomplete; /* an object that is needed was not found */
};

static void push_object(struct queue *queue, const struct loaded_list *list, const struct loaded *object)
{
    if (!object)
        queue->incomplete = true;
    if (!object || queue->seen[object - list->objects])
        return;
    queue->seen[object - list->objects] = true;
    queue->objects[queue->count++] = object;
}

/* Finds `first` and all objects that it needs. The caller frees the queue, on failure too. */
static int find_all(const struct loaded_list *list, const struct loaded *first,
                    struct queue *queue)
{
    *queue = (struct queue){
        .objects = calloc(list->count, sizeof(struct loaded *)),
        .seen = calloc(list->count, sizeof(bool)),
    };
    if (!queue->objects || !queue->seen)
        return gotswap_fail_memory();
    push_object(queue, list, first);
    for (size_t done = 0; done < queue->count; done++)
        for (const char *name = queue->objects[done]->needed; *name; name += strlen(name) + 1)
            push_object(queue, list, find_needed(list, name));
    return GOTSWAP_OK;
}

static void free_queue(struct queue *queue)
{
    free(queue->objects);
    free(queue->seen);
}

/* True if the names in the loader's list are absolute paths, and no object is missing. */
static bool is_named(const struct queue *queue)
{
    if (queue->incomplete)
        return false;
    for (size_t i = 0; i < queue->count; i++)
        if (queue->objects[i]->name[0] != '/')
            return false;
    return true;
}

/* Shows an object by its name, in which there may be symbolic links. */
static int show_named(const struct loaded *object, gotswap_visit visit, void *context)
{
    char *real = realpath(object->name, NULL);
    int code = visit(real ? real : object->name, (const void *)object->base, context);
    free(real);
    return code;
}

/* Shows the objects if the names in the loader's list are enough; *done says so. */
static int walk_names(const char *name, gotswap_visit visit, void *context, bool *done)
{
    struct loaded_list list;
    struct queue queue = {0};
    *done = false;
    int code = gotswap_loaded_names(&list);
    if (code)
        return code;
    const struct loaded *first = gotswap_loaded_find(&list, name);
    if (first)
        code = find_all(&list, first, &queue);
    if (!code && first && is_named(&queue)) {
        *done = true;
        for (size_t i = 0; !code && i < queue.count; i++)
            code = show_named(queue.objects[i], visit, context);
    }
    free_queue(&queue);
    gotswap_loaded_free(&list);
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

static int walk_maps(const char *name, gotswap_visit visit, void *context)
{
    struct loaded_list list;
    struct queue queue = {0};
    int code = gotswap_loaded_read(&list);
    if (code)
        return code;
    const struct loaded *first = name ? gotswap_loaded_find(&list, name) : executable(&list);
    if (first)
        code = find_all(&list, first, &queue);
    else
        code = gotswap_fail(GOTSWAP_ENOTLOADED, "%s: not loaded", name ? name : "the executable");
    for (size_t i = 0; !code && i < queue.count; i++)
        code = show_object(queue.objects[i], visit, context);
    free_queue(&queue);
    gotswap_loaded_free(&list);
    return code;
}

int gotswap_each_dependency(const char *name, gotswap_visit visit, void *context)
{
    bool done = false;
    if (!visit)
        return gotswap_fail(GOTSWAP_EINVAL, "gotswap_each_dependency: no function to call");
    /* The kernel takes long to write the maps of a process with many objects. */
    int code = name ? walk_names(name, visit, context, &done) : GOTSWAP_OK;
    return code || done ? code : walk_maps(name, visit, context);
}
