/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/linked.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "convert/say.h"

int is_listed(const char *list, const char *part, size_t length)
{
    while (*list) {
        size_t same = 0;
        while (same < length && list[same] == part[same] && list[same] != ':')
            same++;
        const char *next = list + same, *end = strchrnul(next, ':');
        if (next == end && same == length)
            return 1;
        if (*next == '*') {
            size_t rest = (size_t)(end - next) - 1; /* the length of what is behind the * */
            if (length - same >= rest && strncmp(part + length - rest, next + 1, rest) == 0)
                return 1;
        }
        list = end + (*end == ':');
    }
    return 0;
}

int begins_listed(const char *list, const char *name)
{
    for (size_t length; *list; list += length + (list[length] == ':')) {
        length = strcspn(list, ":");
        if (strncmp(name, list, length) == 0)
            return 1;
    }
    return 0;
}

const char *linked_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int linked_is_pair_folder(const char *path, size_t length)
{
    const char *slash = memrchr(path, '/', length), *name;
    slash = slash ? memrchr(path, '/', (size_t)(slash - path)) : 0;
    name = slash ? slash + 1 : path;
    return memmem(name, length - (size_t)(name - path), "-to-", 4) != 0;
}

/* Whoever looks at the dynamic linker's list holds the linker's lock, of which fork() would leave a copy in the child that nobody
 * releases. So fork() waits for them. They do not wait for one another: one may hold the linker's lock already. */
static pthread_rwlock_t looking = PTHREAD_RWLOCK_INITIALIZER;

static void before_fork(void) { pthread_rwlock_wrlock(&looking); }
static void after_fork(void) { pthread_rwlock_unlock(&looking); }

/* The child's thread has another number than the one that took it. */
static void after_fork_in_child(void) { looking = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER; }

void linked_across_fork(void)
{
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

void linked_look(void (*use)(const gotswap_list *list, void *context), void *context)
{
    int suspended = attempt_suspend(1);
    pthread_rwlock_rdlock(&looking);
    int is_done = gotswap_look(use, context) == GOTSWAP_OK;
    pthread_rwlock_unlock(&looking);
    attempt_suspend(suspended);
    if (!is_done)
        give_up_memory("while looking for loaded libraries");
}

unsigned long long linked_loads(void)
{
    pthread_rwlock_rdlock(&looking);
    unsigned long long loads = gotswap_loads();
    pthread_rwlock_unlock(&looking);
    return loads;
}

const ElfW(Dyn) *linked_last(void)
{
    pthread_rwlock_rdlock(&looking);
    const ElfW(Dyn) *last = gotswap_last();
    pthread_rwlock_unlock(&looking);
    return last;
}

size_t linked_since(const gotswap_list *list, unsigned long long loaded)
{
    unsigned long long later = loaded < list->loads ? list->loads - loaded : 0;
    return later < list->count ? list->count - (size_t)later : 0;
}

const struct link_map *linked_map(void *handle)
{
    struct link_map *map = 0;
    return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map : 0;
}

const struct link_map *linked_definer(const void *address)
{
    const ElfW(Sym) *symbol = 0;
    struct link_map *map = 0;
    Dl_info info;
    if (!dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol || symbol->st_shndx == SHN_UNDEF)
        return 0;
    return dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) ? map : 0;
}

int linked_is_named(const gotswap_linked *object, const char *name)
{
    const char *soname = gotswap_string(object, DT_SONAME, 0);
    return (soname && strcmp(soname, name) == 0) || strcmp(object->name, name) == 0 ||
           strcmp(linked_file(object->name), linked_file(name)) == 0;
}

int linked_needs(const gotswap_linked *object, const char *list)
{
    const char *needed;
    for (size_t i = 0; (needed = gotswap_string(object, DT_NEEDED, i)); i++)
        if (is_listed(list, linked_file(needed), strlen(linked_file(needed))))
            return 1;
    return 0;
}

int linked_mentions(const gotswap_linked *object, const char *text)
{
    return object->strings && memmem(object->strings, object->strings_size, text, strlen(text)) != 0;
}
