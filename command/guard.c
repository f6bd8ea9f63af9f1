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
//   - restarts a program that has its MPI linked in, with detour.so, which leads
//     that to the pair;
//   - stays in what a process starts (guard_exec.c), whatever a wrapper puts into
//     LD_PRELOAD;
//   - has the address sanitizer put up with what is preloaded ahead of it;
//   - says so, and fails, if another MPI was used all the same: one that has the
//     name of the pair's, or any other whose own launcher did not start the rank,
//     also one that is linked into a library which was loaded late.
// A program that runs without a pair, as its MPI was guessed, has it for the last.
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guard.h"
#include "process/rank_variables.h"

#define LIST GUARD_LIST
#define PATHS GUARD_PATHS
#define RESTARTED "MPI_ADAPTER_RESTARTED" // the id of a process that was started again

static char adapter[PATH_MAX]; // the pair's MPI; empty: none, as the program runs natively

static bool is_exiting; // by exit(): what the program printed goes ahead of a message

// The process that started, or a child of fork() in which MPI was not yet started.
static pid_t rank;

// Texts of MPI_Get_library_version, symbols that libraries of the same ABI have, and
// the launchers that start these MPIs.
static const struct {
    char version[24], symbol[24], launcher[16];
} implementations[] = {
#include "launched_table.h"
};

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
void guard_set_variable(const char *name, const char *value)
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

static const char *own_path(void)
{
    static Dl_info own;
    return own.dli_fname || dladdr(adapter, &own) ? own.dli_fname : "";
}

static bool is_guard(const char *path)
{
    return strcmp(path, own_path()) == 0;
}

const char *guard_of(char *const *environment)
{
    const char *list = adapter[0] ? rank_variable_in(environment, LIST) : NULL;
    return list && rank_variable_in(environment, PATHS) && has_part(list, own_path()) ? own_path() : NULL;
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

// A signal handler may call _exit(), so this is no work for stdio.
void guard_end_with(const char *format, ...)
{
    char text[2 * PATH_MAX + 256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (is_exiting)
        fflush(NULL);
    (void)!write(STDERR_FILENO, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    for (;;)
        syscall(SYS_exit_group, 1);
}

__attribute__((noreturn)) static void refuse(const char *path)
{
    guard_end_with("mpi-adapter: process %d runs on %s instead of %s, so it was not adapted; have it load its MPI by the "
             "library's name, or see 'mpi-adapter run --preload'\n",
             (int)getpid(), path, adapter);
}

__attribute__((noreturn)) static void refuse_lone(const char *path)
{
    guard_end_with("mpi-adapter: process %d runs on %s, which is not adapted, so each rank is alone; give 'mpi-adapter run --from' the "
             "MPI that the program uses, and --preload if it brings that one\n",
             (int)getpid(), path);
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
    guard_set_variable("LD_LIBRARY_PATH", text);
    free(text);
}

static bool library_path_leads_to_adapter(void)
{
    size_t folder = (size_t)(base_name(adapter) - adapter) - 1;
    const char *path = variable("LD_LIBRARY_PATH");
    return strncmp(path, adapter, folder) == 0 && (path[folder] == ':' || !path[folder]);
}

// True if an entry of LD_PRELOAD, a path or a name that the loader searched for, led to a file.
static bool leads_to(const char *entry, const char *file)
{
    return strchr(entry, '/') ? is_same_file(entry, file) : strcmp(entry, base_name(file)) == 0;
}

// Adds what is listed to LD_PRELOAD: the loader then takes it ahead of any path.
// The other MPI is left out, which LD_PRELOAD itself may have brought.
static void preload_all(const char *other)
{
    const char *now = variable("LD_PRELOAD"), *list = variable(LIST);
    size_t size = strlen(now) + strlen(list) + 2;
    char *text = calloc(1, size), part[PATH_MAX];
    if (!text)
        return;
    for (; *now; now += strspn(now, ": ")) {
        size_t length = strcspn(now, ": ");
        snprintf(part, sizeof part, "%.*s", (int)(length < sizeof part ? length : 0), now);
        if (*part && !leads_to(part, other))
            strcat(strcat(text, *text ? ":" : ""), part);
        now += length;
    }
    while (next_part(&list, part))
        if (!has_part(text, part))
            strcat(strcat(text, *text ? ":" : ""), part);
    guard_set_variable("LD_PRELOAD", text);
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
    guard_set_variable(RESTARTED, id);
    syscall(SYS_execve, path, arguments, environ); // not by the function of guard_exec.c: no MPI was used yet, and none is asked
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

static void *symbol_at(const struct link_map *map, size_t index, const char *name)
{
    const ElfW(Sym) *symbol = (const ElfW(Sym) *)dynamic(map, DT_SYMTAB) + index;
    bool is_it = symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) <= STT_FUNC &&
                 strcmp(strings_of(map) + symbol->st_name, name) == 0;
    return is_it ? (void *)(map->l_addr + symbol->st_value) : NULL;
}

static void *symbol_by_gnu_hash(const struct link_map *map, const uint32_t *table, const char *name)
{
    uint32_t hash = 5381, first = table[1];
    const uint32_t *buckets = table + 4 + table[2] * (sizeof(uintptr_t) / sizeof *table), *chain = buckets + table[0];
    for (const char *letter = name; *letter; letter++)
        hash = hash * 33 + (unsigned char)*letter;
    void *found = NULL;
    uint32_t index = buckets[hash % table[0]];
    for (bool is_last = index < first; !found && !is_last; index++) {
        is_last = chain[index - first] & 1;
        if ((chain[index - first] | 1) == (hash | 1))
            found = symbol_at(map, index, name);
    }
    return found;
}

// Returns what a library itself defines by this name, or NULL. The loader, which
// looks in those that it needs, too, has a lock that a signal handler may not wait for.
static void *own_symbol(const struct link_map *map, const char *name)
{
    const uint32_t *gnu = (const uint32_t *)dynamic(map, DT_GNU_HASH), *old = (const uint32_t *)dynamic(map, DT_HASH);
    void *found = NULL;
    if (!strings_of(map) || !dynamic(map, DT_SYMTAB))
        return NULL;
    if (gnu)
        return symbol_by_gnu_hash(map, gnu, name);
    for (size_t i = 0; old && !found && i < old[1]; i++)
        found = symbol_at(map, i, name);
    return found;
}

static bool is_initialized(const struct link_map *map)
{
    int flag = 0;
    int (*initialized)(int *) = NULL;
    *(void **)&initialized = own_symbol(map, "MPI_Initialized");
    return initialized && initialized(&flag) == 0 && flag;
}

static int find_launcher(const char *name)
{
    int launcher = 0;
    while (rank_launcher_at(launcher) && strcmp(rank_launcher_at(launcher)->name, name) != 0)
        launcher++;
    return rank_launcher_at(launcher) ? launcher : -1;
}

// Some makers have a name of their own for an MPI of a known ABI.
static int find_launcher_of(const struct link_map *map, const char *version)
{
    int launcher = -1;
    for (size_t i = 0; launcher < 0 && i < sizeof implementations / sizeof *implementations; i++)
        if (strstr(version, implementations[i].version))
            launcher = find_launcher(implementations[i].launcher);
    for (size_t i = 0; launcher < 0 && i < sizeof implementations / sizeof *implementations; i++)
        if (own_symbol(map, implementations[i].symbol))
            launcher = find_launcher(implementations[i].launcher);
    return launcher;
}

// True if an MPI's own launcher started the process, or nobody knows which that is.
static bool is_launched_as_own(const struct link_map *map)
{
    static char text[16384]; // no MPI has a longer MPI_MAX_LIBRARY_VERSION_STRING
    int length, launcher;
    int (*get_version)(char *, int *) = NULL;
    *(void **)&get_version = own_symbol(map, "MPI_Get_library_version");
    if (!get_version || get_version(text, &length) != 0)
        text[0] = 0;
    launcher = find_launcher_of(map, text);
    return launcher < 0 || rank_told(environ, launcher, RANK_RANK) >= 0;
}

// True if the launcher of the MPI that says these words of itself started the process.
static bool is_started_by(const char *version)
{
    int launcher = -1;
    for (size_t i = 0; launcher < 0 && i < sizeof implementations / sizeof *implementations; i++)
        if (strcmp(implementations[i].version, version) == 0)
            launcher = find_launcher(implementations[i].launcher);
    return launcher >= 0 && rank_told(environ, launcher, RANK_RANK) >= 0;
}

static bool is_one_of_several(void)
{
    for (int i = 0; rank_launcher_at(i); i++)
        if (rank_told(environ, i, RANK_SIZE) > 1 || rank_told(environ, i, RANK_RANK) > 0)
            return true;
    return false;
}

unsigned long rank_socket_at(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode) ? (unsigned long)status.st_ino : 0;
}

// Libraries of any pair see to this themselves. An adapted tree has links to them.
static bool belongs_to_pair(const char *path)
{
    char description[PATH_MAX], real[PATH_MAX];
    path = realpath(path, real) ? real : path;
    int folder = (int)(base_name(path) - path), length = snprintf(description, sizeof description, "%.*spair.conf", folder, path);
    return length >= PATH_MAX || access(description, F_OK) == 0;
}

// Returns an MPI of another name that was initialized in place of the adapter,
// where its own launcher did not start the process: natively, it is alone.
static const struct link_map *lone_mpi(void)
{
    const struct link_map *lone = NULL;
    for (const struct link_map *map = _r_debug.r_map; map; map = map->l_next) {
        if (!strstr(base_name(map->l_name), "mpi") || !is_initialized(map))
            continue;
        if (belongs_to_pair(map->l_name))
            return NULL;
        if (!is_launched_as_own(map))
            lone = map;
    }
    return lone;
}

static bool has_begun_mpi(void)
{
    const struct link_map *map = _r_debug.r_map;
    while (map && !(strstr(base_name(map->l_name), "mpi") && is_initialized(map)))
        map = map->l_next;
    return map;
}

// The library that leads what is linked in to the pair is beside the guard.
static void find_detour(char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%.*sdetour.so", (int)(base_name(own_path()) - own_path()), own_path());
}

static bool is_detoured(void)
{
    char detour[PATH_MAX];
    const struct link_map *map = _r_debug.r_map;
    find_detour(detour);
    while (map && !(strcmp(base_name(map->l_name), "detour.so") == 0 && is_same_file(map->l_name, detour)))
        map = map->l_next;
    return map;
}

void guard_check(void)
{
    bool adapted;
    const struct link_map *other = NULL;
    const char *library;
    if (rank != getpid())
        return;
    other = adapter[0] ? other_mpi(&adapted) : NULL;
    if (other && is_initialized(other))
        refuse(other->l_name);
    other = is_one_of_several() ? lone_mpi() : NULL;
    if (other)
        refuse_lone(other->l_name);
    if (is_one_of_several() && !has_begun_mpi() && !is_detoured() && (library = guard_find_begun(is_started_by)))
        guard_end_with("mpi-adapter: process %d runs on the MPI that is linked into %s, which it loaded late, so each rank is alone; "
                       "name that library in LD_PRELOAD for the ranks\n",
                       (int)getpid(), library);
}

static void append(const char *name, const char *part)
{
    const char *now = variable(name);
    size_t size = strlen(now) + strlen(part) + 2;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s%s%s", now, *now ? ":" : "", part);
    guard_set_variable(name, text ? text : part);
    free(text);
}

// A name that a script puts together, or an option says, leads to programs that the
// command did not look at.
static void lead_to_detour(char **arguments, bool again)
{
    char detour[PATH_MAX];
    if (is_detoured() || !guard_has_inside())
        return;
    find_detour(detour);
    if (access(detour, R_OK) != 0)
        guard_end_with("mpi-adapter: %s is missing; install mpi-adapter again\n", detour);
    append("LD_PRELOAD", detour);
    append(LIST, detour);
    mend_library_path();
    if (!again)
        restart(arguments);
    guard_end_with("mpi-adapter: process %d has its MPI linked in, and cannot be started again with %s; start it by its name\n", (int)getpid(),
                   detour);
}

// A child of fork() leaves its parent's MPI to the parent.
static void know_child(void)
{
    for (const struct link_map *map = _r_debug.r_map; map; map = map->l_next)
        if (strstr(base_name(map->l_name), "mpi") && is_initialized(map))
            return;
    rank = getpid();
}

__attribute__((constructor)) static void start(int count, char **arguments)
{
    bool again = was_restarted(), adapted, path_is_right, is_settled;
    (void)count;
    find_adapter();
    guard_find_next();
    if (!*variable(LIST))
        return;
    rank = getpid();
    pthread_atfork(NULL, NULL, know_child);
    if (!adapter[0])
        return;
    // Ranks that MPI_Comm_spawn started lack it.
    if (!*variable(PATHS) && has_part(variable("LD_PRELOAD"), own_path()))
        guard_set_variable(PATHS, variable("LD_LIBRARY_PATH"));
    const struct link_map *other = other_mpi(&adapted);
    if (other && again)
        refuse(other->l_name);
    lead_to_detour(arguments, again);
    is_settled = adapted && !has_part(variable("LD_PRELOAD"), adapter);
    path_is_right = library_path_leads_to_adapter();
    mend_library_path();
    if (other)
        preload_all(other->l_name);
    if (other || (!is_settled && !path_is_right && !again && something_loads_late()))
        restart(arguments);
    if (other)
        refuse(other->l_name);
    if (!is_settled && something_loads_late())
        load_all();
}

// The run time of the address sanitizer, which asks for this, ends a program where
// any library comes ahead of it, as what is preloaded does. Nothing that is
// preloaded replaces what it has to be first for.
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "verify_asan_link_order=0";
}

// A module may have brought another MPI by its path, or have asked for one of
// another family.
__attribute__((destructor)) static void end(void)
{
    is_exiting = true;
    guard_check();
}
