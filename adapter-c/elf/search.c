/* SPDX-License-Identifier: BSD-3-Clause */
#include "elf/search.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/file.h"
#include "elf/processor.h"

#if defined(__x86_64__)
enum { OWN_MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { OWN_MACHINE = EM_AARCH64 };
#else
enum { OWN_MACHINE = EM_NONE };
#endif

static unsigned machine_of(const struct elf_search *search)
{
    return search->machine ? search->machine : OWN_MACHINE;
}

static bool is_64(const struct elf_search *search)
{
    return search->machine ? search->class == ELFCLASS64 : sizeof(void *) == 8;
}

/* Debian's name for a kind of machine, in names of folders. */
static const char *triplet_of(const struct elf_search *search, char triplet[64])
{
    const char *machine = elf_machine_name(machine_of(search));
    snprintf(triplet, 64, "%s-linux-gnu", machine ? machine : "unknown");
    return triplet;
}

/* ---- tokens ---- */

static void write_library_folder(const struct elf_search *search, char folder[PATH_MAX])
{
    char triplet[64], path[80];
    struct stat status;
    snprintf(path, sizeof path, "/lib/%s", triplet_of(search, triplet));
    snprintf(folder, PATH_MAX, "%s", stat(path, &status) == 0 ? path + 1 : is_64(search) ? "lib64" : "lib");
}

static void write_origin(const char *of, char folder[PATH_MAX])
{
    const char *slash = strrchr(of, '/');
    snprintf(folder, PATH_MAX, "%.*s", slash == of ? 1 : slash ? (int)(slash - of) : 0, of);
}

/* Writes what a token such as $ORIGIN or ${ORIGIN} at the beginning of a text stands for. Returns the token's length, or 0. */
static size_t write_token(const struct elf_search *search, const char *of, const char *text, char value[PATH_MAX])
{
    static const char *const names[] = { "ORIGIN", "LIB", "PLATFORM" };
    const char *platform;
    bool braces = text[1] == '{';
    for (int i = 0; i < 3; i++) {
        size_t size = strlen(names[i]);
        const char *behind = text + 1 + braces + size;
        if (strncmp(text + 1 + braces, names[i], size) != 0 || (braces ? *behind != '}' : isalnum((unsigned char)*behind) || *behind == '_'))
            continue;
        switch (i) {
        case 0: write_origin(of, value); break;
        case 1: write_library_folder(search, value); break;
        default:
            platform = (const char *)getauxval(AT_PLATFORM);
            snprintf(value, PATH_MAX, "%s", platform ? platform : "");
        }
        return 1 + size + 2 * braces;
    }
    return 0;
}

bool elf_expand(const struct elf_search *search, const char *of, const char *text, size_t length, char result[PATH_MAX])
{
    char value[PATH_MAX];
    size_t used = 0;
    for (size_t i = 0, size; i < length; i += size) {
        const char *token = memchr(text + i, '$', length - i), *piece = text + i;
        size_t room = token == piece ? write_token(search, of, piece, value) : 0, count;
        if (room && !*value)
            return false;
        size = room ? room : token == piece ? 1 : token ? (size_t)(token - piece) : length - i;
        piece = room ? value : piece;
        count = room ? strlen(value) : size;
        if (count >= PATH_MAX - used)
            return false;
        memcpy(result + used, piece, count);
        used += count;
    }
    result[used] = 0;
    return true;
}

/* ---- folders ---- */

bool elf_find_below(const struct elf_search *search, const char *folder, const char *name, elf_take *take, void *context)
{
    char path[PATH_MAX];
    int has_kinds = machine_of(search) == OWN_MACHINE && snprintf(path, sizeof path, "%s/glibc-hwcaps", folder) < (int)sizeof path &&
                    access(path, X_OK) == 0;
    for (const char *const *kind = elf_processor_kinds(); has_kinds && *kind; kind++)
        if (snprintf(path, sizeof path, "%s/glibc-hwcaps/%s/%s", folder, *kind, name) < (int)sizeof path && take(path, context))
            return true;
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path && take(path, context);
}

/* Looks in the folders of a list with these separators. */
static bool find_in(const struct elf_search *search, const char *folders, const char *separators, const char *of, const char *name,
                    elf_take *take, void *context)
{
    char folder[PATH_MAX];
    if (!folders || !*folders)
        return false;
    for (;; folders++) {
        size_t length = strcspn(folders, separators);
        if (elf_expand(search, of, folders, length, folder) && elf_find_below(search, *folder ? folder : ".", name, take, context))
            return true;
        folders += length;
        if (!*folders)
            return false;
    }
}

bool elf_find_in(const struct elf_search *search, const char *folders, const char *of, const char *name, elf_take *take, void *context)
{
    return find_in(search, folders, ":", of, name, take, context);
}

/* The DT_RPATH of who asks, of who asked for that one, and so on; of none if who asks has a DT_RUNPATH. */
static bool find_by_rpath(const struct elf_search *search, const struct elf_asker *by, const char *name, elf_take *take, void *context)
{
    if (by->runpath)
        return false;
    for (; by; by = by->by)
        if (!by->runpath && elf_find_in(search, by->rpath, by->path ? by->path : "", name, take, context))
            return true;
    return false;
}

/* Whether a file is in a folder that is searched for everyone, or below. */
static bool is_by_default(const char *path)
{
    path += strncmp(path, "/usr/", 5) == 0 ? 4 : 0;
    return strncmp(path, "/lib/", 5) == 0 || strncmp(path, "/lib64/", 7) == 0;
}

static bool find_in_cache(struct elf_search *search, bool no_default, const char *name, elf_take *take, void *context)
{
    static const char *const none[] = { NULL };
    const char *const *kind = machine_of(search) == OWN_MACHINE ? elf_processor_kinds() : none, *path;
    if (!search->has_cache)
        loader_cache_open(&search->cache, search->root);
    search->has_cache = true;
    for (;; kind++) {
        for (size_t i = 0; (path = loader_cache_find(&search->cache, name, *kind, &i));)
            if (!(no_default && is_by_default(path)) && take(path, context))
                return true;
        if (!*kind)
            return false;
    }
}

static bool find_by_default(const struct elf_search *search, const char *name, elf_take *take, void *context)
{
    static const char *const folders[] = { "lib/%s", "usr/lib/%s", "lib64", "usr/lib64", "lib", "usr/lib" };
    char triplet[64], place[128], folder[PATH_MAX + 128];
    if (search->defaults)
        return elf_find_in(search, search->defaults, "", name, take, context);
    triplet_of(search, triplet);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(place, sizeof place, folders[i], triplet);
        snprintf(folder, sizeof folder, "%s/%s", search->root, place);
        if (elf_find_below(search, folder, name, take, context))
            return true;
    }
    return false;
}

bool elf_find(struct elf_search *search, const struct elf_asker *by, const char *name, elf_take *take, void *context)
{
    char path[PATH_MAX];
    const char *of = by->path ? by->path : "";
    if (strchr(name, '/'))
        return elf_expand(search, of, name, strlen(name), path) && take(path, context);
    return find_by_rpath(search, by, name, take, context) ||
           find_in(search, search->library_path, ":;", search->program, name, take, context) ||
           elf_find_in(search, by->runpath, of, name, take, context) ||
           find_in_cache(search, by->no_default, name, take, context) ||
           (!by->no_default && find_by_default(search, name, take, context));
}

void elf_search_end(struct elf_search *search)
{
    if (search->has_cache)
        loader_cache_close(&search->cache);
    search->has_cache = false;
}
