// SPDX-License-Identifier: BSD-3-Clause
// The guard: `mpi-adapter run` preloads it if a program is a script or loads
// MPI late. Wrappers between the launcher and MPI may change LD_LIBRARY_PATH,
// and modules may find their MPI by a path of their own. The guard is in each
// process on the way, knows nothing of MPI, and
//   - loads the pair's libraries if something may be loaded later, also those
//     for Fortran if the one for C is preloaded (--preload), because the loader
//     takes a library that it already has by that name. It loads them
//     RTLD_LOCAL: a module that needs them sees them as it would see its own MPI;
//   - restarts the program with the right environment if a path led it
//     elsewhere;
//   - says so, and fails, if another MPI was used all the same.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST "MPI_ADAPTER_PRELOAD"       // the guard and the pair's libraries, its MPI first
#define PATHS "MPI_ADAPTER_LIBRARY_PATH" // what LD_LIBRARY_PATH was for the ranks
#define RESTARTED "MPI_ADAPTER_RESTARTED" // the id of a process that was started again

static char adapter[PATH_MAX]; // the pair's MPI; empty: nothing to guard

// By hand: shells have a getenv() and a setenv() of their own, which nobody
// may call before main().
static size_t position(const char *name)
{
    size_t length = strlen(name), i = 0;
    while (environ[i] && (strncmp(environ[i], name, length) != 0 || environ[i][length] != '='))
        i++;
    return i;
}

static const char *variable(const char *name)
{
    const char *entry = getauxval(AT_SECURE) || !environ ? NULL : environ[position(name)];
    return entry ? entry + strlen(name) + 1 : "";
}

static size_t count_variables(void)
{
    size_t count = 0;
    while (environ[count])
        count++;
    return count;
}

// A new array, as the one that the kernel made has no room.
static void set_variable(const char *name, const char *value)
{
    size_t count = count_variables(), place = position(name), size = strlen(name) + strlen(value) + 2;
    char **variables = calloc(count + 2, sizeof *variables), *entry = malloc(size);
    if (!variables || !entry)
        return;
    memcpy(variables, environ, count * sizeof *variables);
    snprintf(entry, size, "%s=%s", name, value);
    variables[place] = entry;
    environ = variables;
}

static void unset_variable(const char *name)
{
    size_t place = position(name), count = count_variables();
    if (place < count)
        memmove(environ + place, environ + place + 1, (count - place) * sizeof *environ);
}

// The next part of a list with colons, or false at its end.
static bool next_part(const char **list, char part[PATH_MAX])
{
    for (*list += strspn(*list, ":"); **list; *list += strspn(*list, ":")) {
        size_t length = strcspn(*list, ":");
        const char *from = *list;
        *list += length;
        if (length >= PATH_MAX)
            continue;
        memcpy(part, from, length);
        part[length] = 0;
        return true;
    }
    return false;
}

static bool has_part(const char *list, const char *wanted)
{
    char part[PATH_MAX];
    while (next_part(&list, part))
        if (strcmp(part, wanted) == 0)
            return true;
    return false;
}

static bool is_guard(const char *path)
{
    Dl_info own;
    return dladdr(adapter, &own) && strcmp(path, own.dli_fname) == 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_same_file(const char *one, const char *other)
{
    struct stat first, second;
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

// Returns an object's dynamic entry for a tag, or 0.
static uintptr_t dynamic(const struct link_map *map, ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *entry = map->l_ld; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag)
            return entry->d_un.d_ptr;
    return 0;
}

// The string table of an object, or NULL where the loader has not relocated it.
static const char *strings_of(const struct link_map *map)
{
    uintptr_t strings = dynamic(map, DT_STRTAB);
    return strings < map->l_addr ? NULL : (const char *)strings;
}

// The name by which others need an object.
static const char *name_of(const struct link_map *map)
{
    uintptr_t offset = dynamic(map, DT_SONAME);
    const char *strings = strings_of(map);
    return offset && strings ? strings + offset : base_name(map->l_name);
}

// True if the program or a library may load others later: it has the name
// that it would have to call, and is not the library that defines it.
static bool loads_late(const struct link_map *map)
{
    static const char name[] = "\0dlopen";
    Dl_info definition;
    const char *strings = strings_of(map);
    if (!strings || is_guard(map->l_name) ||
        (dladdr((void *)(uintptr_t)dlopen, &definition) && (uintptr_t)definition.dli_fbase == map->l_addr))
        return false;
    return memmem(strings, dynamic(map, DT_STRSZ), name, sizeof name);
}

static bool something_loads_late(void)
{
    for (const struct link_map *map = _r_debug.r_map; map; map = map->l_next)
        if (loads_late(map))
            return true;
    return false;
}

// A library of the adapter's name from elsewhere, or NULL; `adapted` tells
// whether the adapter is there.
static const struct link_map *other_mpi(bool *adapted)
{
    const struct link_map *other = NULL;
    *adapted = false;
    for (const struct link_map *map = _r_debug.r_map; map; map = map->l_next) {
        if (strcmp(name_of(map), base_name(adapter)) != 0)
            continue;
        if (is_same_file(map->l_name, adapter))
            *adapted = true;
        else
            other = map;
    }
    return other;
}

__attribute__((noreturn)) static void refuse(const char *path)
{
    fflush(NULL);
    fprintf(stderr,
            "mpi-adapter: process %d runs on %s instead of %s, so it was not adapted; have it load its MPI by the "
            "library's name, or see 'mpi-adapter run --preload'\n",
            (int)getpid(), path, adapter);
    _exit(1);
}

// LD_LIBRARY_PATH begins with the pair's folder, and has what the ranks were
// given, behind what was put there since.
static void mend_library_path(void)
{
    const char *now = variable("LD_LIBRARY_PATH"), *given = variable(PATHS);
    int folder = (int)(base_name(adapter) - adapter) - 1;
    size_t size = strlen(now) + strlen(given) + (size_t)folder + 3;
    char *text = malloc(size), part[PATH_MAX];
    if (!text)
        return;
    snprintf(text, size, "%.*s", folder, adapter);
    for (const char *rest = now; next_part(&rest, part);)
        if (!has_part(text, part))
            strcat(strcat(text, ":"), part);
    for (const char *rest = given; next_part(&rest, part);)
        if (!has_part(text, part))
            strcat(strcat(text, ":"), part);
    set_variable("LD_LIBRARY_PATH", text);
    free(text);
}

static bool library_path_leads_to_adapter(void)
{
    size_t folder = (size_t)(base_name(adapter) - adapter) - 1;
    const char *path = variable("LD_LIBRARY_PATH");
    return strncmp(path, adapter, folder) == 0 && (path[folder] == ':' || !path[folder]);
}

// Adds what is listed to LD_PRELOAD: the loader then takes it ahead of any path.
static void preload_all(void)
{
    const char *now = variable("LD_PRELOAD"), *list = variable(LIST);
    size_t size = strlen(now) + strlen(list) + 2;
    char *text = malloc(size), part[PATH_MAX];
    if (!text)
        return;
    strcpy(text, now);
    while (next_part(&list, part))
        if (!has_part(text, part))
            strcat(strcat(text, *text ? ":" : ""), part);
    set_variable("LD_PRELOAD", text);
    free(text);
}

static bool was_restarted(void)
{
    long id = strtol(variable(RESTARTED), NULL, 10);
    unset_variable(RESTARTED);
    return id == (long)getpid();
}

// Nothing of the program has run yet.  Returns where it cannot be started
// again; one that was given to the loader as an argument would not be found.
static void restart(char **arguments)
{
    char path[PATH_MAX], id[24];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || getauxval(AT_BASE) == 0)
        return;
    path[length] = 0;
    snprintf(id, sizeof id, "%d", (int)getpid());
    set_variable(RESTARTED, id);
    execve(path, arguments, environ);
    unset_variable(RESTARTED);
}

// The loader knows a library by each name that has led to it: also by the one
// without a version, where the pair has that.
static void learn_short_name(const char *path)
{
    char name[PATH_MAX];
    const char *suffix = strstr(base_name(path), ".so.");
    if (suffix) {
        snprintf(name, sizeof name, "%.*s", (int)(suffix + 3 - base_name(path)), base_name(path));
        dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    }
}

static void load_all(void)
{
    const char *list = variable(LIST);
    char part[PATH_MAX];
    while (next_part(&list, part)) {
        if (is_guard(part))
            continue;
        if (!dlopen(part, RTLD_LAZY | RTLD_LOCAL)) {
            fprintf(stderr, "mpi-adapter: %s; install the pair again\n", dlerror());
            _exit(1);
        }
        learn_short_name(part);
    }
}

static void find_adapter(void)
{
    const char *list = variable(LIST);
    while (next_part(&list, adapter))
        if (adapter[0] == '/' && !is_guard(adapter))
            return;
    adapter[0] = 0;
}

__attribute__((constructor)) static void start(int count, char **arguments)
{
    bool again = was_restarted(), adapted, path_is_right, is_settled;
    (void)count;
    find_adapter();
    if (!adapter[0])
        return;
    const struct link_map *other = other_mpi(&adapted);
    if (other && again)
        refuse(other->l_name);
    is_settled = adapted && !has_part(variable("LD_PRELOAD"), adapter);
    path_is_right = library_path_leads_to_adapter();
    mend_library_path();
    if (other)
        preload_all();
    if (other || (!is_settled && !path_is_right && !again && something_loads_late()))
        restart(arguments);
    if (other)
        refuse(other->l_name);
    if (!is_settled && something_loads_late())
        load_all();
}

static bool is_initialized(const struct link_map *map)
{
    int flag = 0;
    void *handle = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    int (*initialized)(int *) = NULL;
    if (handle)
        *(void **)&initialized = dlsym(handle, "MPI_Initialized");
    return initialized && initialized(&flag) == 0 && flag;
}

// A module may have brought another MPI by its path.
__attribute__((destructor)) static void end(void)
{
    bool adapted;
    const struct link_map *other = adapter[0] ? other_mpi(&adapted) : NULL;
    if (other && is_initialized(other))
        refuse(other->l_name);
}
