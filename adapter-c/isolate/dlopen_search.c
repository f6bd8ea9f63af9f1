/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/dlopen_search.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "convert/types.h"
#include "elf/search.h"
#include "process/linked.h"
#include "process/search_folders.h"

/* ---- $ORIGIN ---- */

/* Returns the length of ORIGIN or {ORIGIN} after a '$', or 0. The other tokens mean the same to every caller. */
static size_t origin_length(const char *text)
{
    static const char plain[] = "ORIGIN", braced[] = "{ORIGIN}";
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    if (strncmp(text, braced, sizeof braced - 1) == 0)
        return sizeof braced - 1;
    int is_word = strncmp(text, plain, sizeof plain - 1) == 0 && strspn(text + sizeof plain - 1, letters) == 0;
    return is_word ? sizeof plain - 1 : 0;
}

/* Writes `file` with the folder of the caller's object in the place of $ORIGIN. Returns null if that is too long. */
static const char *with_origin(struct link_map *caller, const char *file, char path[PATH_MAX])
{
    char origin[PATH_MAX];
    size_t length = 0, token;
    if (dlinfo(caller, RTLD_DI_ORIGIN, origin) != 0)
        return 0;
    while (*file && length < PATH_MAX) {
        token = *file == '$' ? origin_length(file + 1) : 0;
        if (token)
            length += (size_t)snprintf(path + length, PATH_MAX - length, "%s", origin);
        else
            path[length++] = *file;
        file += token + 1;
    }
    if (length >= PATH_MAX)
        return 0;
    path[length] = 0;
    return path;
}

/* ---- names ---- */

struct search {
    const char *name;
    int is_loaded;
};

static void find_name(const gotswap_list *list, void *context)
{
    struct search *wanted = context;
    for (size_t i = 0; i < list->count && !wanted->is_loaded; i++) {
        const char *soname = gotswap_string(&list->objects[i], DT_SONAME, 0);
        wanted->is_loaded = soname && strcmp(soname, wanted->name) == 0;
    }
}

static int is_loaded(const char *name)
{
    struct search wanted = { name, 0 };
    linked_look(find_name, &wanted);
    return wanted.is_loaded;
}

/* ---- folders ---- */

/* Returns how many folders of the first list come before those with which both lists end. The common end is left to the dynamic
 * linker: it is the same for both callers, and the linker's cache, which no list has, comes there. */
static unsigned count_before_common_end(const Dl_serinfo *one, const Dl_serinfo *other)
{
    unsigned here = one->dls_cnt, there = other->dls_cnt;
    while (here > 0 && there > 0 && strcmp(one->dls_serpath[here - 1].dls_name, other->dls_serpath[there - 1].dls_name) == 0)
        here--, there--;
    return here;
}

/* The ELF header of this library; the linker defines the symbol. */
extern const ElfW(Ehdr) __ehdr_start HIDDEN;

/* True of a library of another architecture: the dynamic linker passes over it, while any other file that it cannot load is an
 * error. */
static int is_foreign(int file)
{
    ElfW(Ehdr) header;
    return read(file, &header, sizeof header) == (ssize_t)sizeof header && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
           (header.e_ident[EI_CLASS] != __ehdr_start.e_ident[EI_CLASS] || header.e_machine != __ehdr_start.e_machine);
}

/* The file that was taken. */
static bool take_file(const char *path, void *taken)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), is_ours = file >= 0 && !is_foreign(file);
    if (file >= 0)
        close(file);
    return is_ours && snprintf(taken, PATH_MAX, "%s", path) < PATH_MAX;
}

/* Finds `name` in a folder that is searched for the caller's libraries, and for the adapter's later or not at all. */
static const char *find_in_folders(struct link_map *caller, const char *name, char path[PATH_MAX])
{
    static const struct elf_search anywhere;
    Dl_serinfo *folders = search_folders(caller), *adapter_folders = search_folders(object_with((const void *)search_for));
    unsigned count = folders && adapter_folders ? count_before_common_end(folders, adapter_folders) : 0;
    int is_found = 0;
    for (unsigned i = 0; i < count && !is_found; i++)
        is_found = elf_find_below(&anywhere, folders->dls_serpath[i].dls_name, name, take_file, path);
    free(folders);
    free(adapter_folders);
    return is_found ? path : 0;
}

const char *search_for(const void *caller, const char *file, char path[PATH_MAX])
{
    int has_token = file && strchr(file, '$'), is_name = file && *file && !strchr(file, '/');
    if (!has_token && (!is_name || is_loaded(file)))
        return file;
    struct link_map *object = object_with(caller);
    const char *found = !object ? 0 : has_token ? with_origin(object, file, path) : find_in_folders(object, file, path);
    return found ? found : file;
}
