/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/host_copies.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "convert/facts.h"
#include "convert/say.h"
#include "convert/types.h"
#include "isolate/known_objects.h"
#include "process/conflicts.h"
#include "process/environment.h"
#include "process/loader.h"
#include "process/search_folders.h"

/* A copy is never unloaded, and complete before it is in the list. Copies are only added, so that readers take no lock. */
struct host_copy {
    char *name;           /* the soname */
    void *handle;         /* from dlopen() */
    gotswap_linked copy, program;
    int is_bound;         /* its own slots were led to it, or are about to be */
    struct host_copy *next;
};

static struct host_copy *copies;
int host_copies_exist;

static const struct host_copy *first_copy(void)
{
    return __atomic_load_n(&copies, __ATOMIC_ACQUIRE);
}

__attribute__((noreturn)) static void fail_comparing(void)
{
    give_up_memory("while comparing the libraries of both sides");
}

static void *checked(void *memory)
{
    if (!memory)
        fail_comparing();
    return memory;
}

/* ---- folders ---- */

/* Returns the length of a file's folder, without the slash; 0 for a name. */
static size_t folder_length(const char *path)
{
    const char *file = linked_file(path);
    return file - path > 1 ? (size_t)(file - path) - 1 : 0;
}

/* The folders that the dynamic linker searches for libraries that the adapter opens. They do not change while a process runs. */
static struct {
    char *own;         /* the pair's folder; "" if the adapter was found elsewhere, among the program's libraries */
    char *environment; /* those of LD_LIBRARY_PATH that have libraries, with colons between them; and so the others */
    char *program;     /* those of a DT_RPATH */
    char *system;
} folders;

/* The name that loads the host's library, and the file found for it; null if not known. */
static struct {
    const char *library;
    char *path;
    int is_elsewhere;      /* it is not the system's */
    int is_in_environment; /* LD_LIBRARY_PATH leads to it, so that what it needs is meant to be found there, too */
} host_mpi;

/* dladdr() would look through all the adapter's symbols. */
static void note_own_folder(const gotswap_list *list, void *context)
{
    (void)context;
    for (size_t i = 0; i < list->count && !folders.own; i++) {
        const gotswap_linked *object = &list->objects[i];
        if (linked_contains(object, &folders))
            folders.own = linked_is_pair_folder(object->name, folder_length(object->name))
                              ? strndup(object->name, folder_length(object->name)) : strdup("");
    }
}

static void read_own_folder(void)
{
    if (!folders.own)
        linked_look(note_own_folder, 0);
    checked(folders.own);
}

/* In most processes LD_LIBRARY_PATH leads to the adapter alone. */
static void read_environment(void)
{
    const char *list = environment_setting("LD_LIBRARY_PATH");
    if (!folders.environment)
        folders.environment = checked(list && strcmp(list, folders.own) != 0 ? conflicts_environment(list, folders.own) : strdup(""));
}

/* The dynamic linker's list has first the folders of DT_RPATHs, then those of LD_LIBRARY_PATH, and last the system's. */
static void read_folders(void)
{
    const char *environment = environment_setting("LD_LIBRARY_PATH");
    if (folders.system)
        return;
    Dl_serinfo *path = checked(search_folders(object_with(&folders)));
    size_t size = 1;
    for (unsigned i = 0; i < path->dls_cnt; i++)
        size += strlen(path->dls_serpath[i].dls_name) + 1;
    folders.program = checked(calloc(1, size));
    folders.system = checked(calloc(1, size));
    for (unsigned i = 0; i < path->dls_cnt; i++) {
        const char *name = path->dls_serpath[i].dls_name;
        size_t length = strlen(name);
        char *list = conflicts_of_system(name, length) ? folders.system : folders.program;
        if (strcmp(name, folders.own) != 0 && !(environment && is_listed(environment, name, length)))
            strcat(strcat(list, *list ? ":" : ""), name);
    }
    free(path);
}

/* ---- what the program brings ---- */

/* The loaded objects. */
struct loaded {
    struct brought *brought; /* the program's libraries, from elsewhere than where the host's are */
    size_t count;
    int has_rpath;  /* the executable's DT_RPATH is searched for the host's libraries, too */
    int is_short;
    char *settled;  /* the names of the other libraries, each with a colon behind */
    size_t settled_size;
};

/* The name by which others need an object. One that has no soname is known by its file's name, if that can be one: what is preloaded
 * often has neither. */
static const char *name_of(const gotswap_linked *object)
{
    const char *soname = gotswap_string(object, DT_SONAME, 0), *file = linked_file(object->name);
    return soname && *soname ? soname : strstr(file, ".so.") ? file : 0;
}

static int is_brought(const gotswap_list *list, size_t index)
{
    const char *path = list->objects[index].name;
    size_t length = folder_length(path);
    struct known_object known;
    if (length == 0 || (conflicts_of_system(path, length) && !host_mpi.is_elsewhere) || is_listed(folders.own, path, length) ||
        !name_of(&list->objects[index]))
        return 0;
    known_read(list, index, &known);
    return known.is.owner == UNDECIDED || known.is.owner == PROGRAM;
}

/* The texts are copied, as the object's own do not outlast it. */
static void add_brought(struct loaded *loaded, const gotswap_list *list, size_t index)
{
    struct brought brought = { strdup(name_of(&list->objects[index])), strdup(list->objects[index].name) };
    if (!loaded->brought)
        loaded->brought = calloc(list->count, sizeof *loaded->brought);
    if (loaded->brought && brought.name && brought.path)
        loaded->brought[loaded->count++] = brought;
    else
        loaded->is_short = 1;
}

/* The first object is the executable. */
static void look_for_brought(const gotswap_list *list, void *context)
{
    struct loaded *loaded = context;
    loaded->has_rpath = gotswap_string(&list->objects[0], DT_RPATH, 0) && !gotswap_string(&list->objects[0], DT_RUNPATH, 0);
    for (size_t i = 1; i < list->count; i++)
        if (is_brought(list, i))
            add_brought(loaded, list, i);
}

static void add_settled(struct loaded *loaded, const char *name)
{
    size_t size = strlen(name) + 1;
    char *larger = realloc(loaded->settled, loaded->settled_size + size + 1);
    if (!larger) {
        loaded->is_short = 1;
        return;
    }
    loaded->settled = larger;
    memcpy(larger + loaded->settled_size, name, size);
    loaded->settled_size += size;
    strcpy(larger + loaded->settled_size - 1, ":");
}

/* Loaded objects that are not the program's belong to the host, with all that they need. */
static void look_for_settled(const gotswap_list *list, void *context)
{
    struct loaded *loaded = context;
    add_settled(loaded, application_sonames);
    for (size_t i = 1; i < list->count && !loaded->is_short; i++) {
        const char *name = is_brought(list, i) ? 0 : name_of(&list->objects[i]);
        if (name)
            add_settled(loaded, name);
    }
}

static void free_loaded(struct loaded *loaded)
{
    for (size_t i = 0; i < loaded->count; i++) {
        free((char *)loaded->brought[i].name);
        free((char *)loaded->brought[i].path);
    }
    free(loaded->brought);
    free(loaded->settled);
}

/* How often the program had loaded something when it was last seen to bring nothing. */
static unsigned nothing_until = ~0u;

/* Finds out what the program brings. Returns 0, with nothing to free, if that is nothing. */
static int program_brings(struct loaded *loaded)
{
    unsigned loads = load_span_program_count();
    *loaded = (struct loaded){ 0 };
    if (__atomic_load_n(&nothing_until, __ATOMIC_ACQUIRE) == loads)
        return 0;
    linked_look(look_for_brought, loaded);
    if (loaded->count == 0 && !loaded->has_rpath && !folders.environment[0]) {
        __atomic_store_n(&nothing_until, loads, __ATOMIC_RELEASE);
        return 0;
    }
    linked_look(look_for_settled, loaded);
    if (loaded->is_short)
        fail_comparing();
    return 1;
}

/* ---- copies ---- */

/* An object of the list, by its dynamic section, or else by its path. */
struct wanted {
    const ElfW(Dyn) *dynamic;
    const char *path;
    gotswap_linked found;
};

static void find_object(const gotswap_list *list, void *context)
{
    struct wanted *wanted = context;
    for (size_t i = 0; i < list->count; i++) {
        const gotswap_linked *object = &list->objects[i];
        if (wanted->dynamic ? object->dynamic == wanted->dynamic : strcmp(object->name, wanted->path) == 0) {
            wanted->found = *object;
            return;
        }
    }
}

static const struct host_copy *find_copy(const char *name)
{
    const struct host_copy *copy = first_copy();
    while (copy && strcmp(copy->name, name) != 0)
        copy = copy->next;
    return copy;
}

static void put_copy(struct host_copy *copy)
{
    copy->next = __atomic_load_n(&copies, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&copies, &copy->next, copy, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
    __atomic_store_n(&host_copies_exist, 1, __ATOMIC_RELEASE);
}

/* Opens the host's copy of a library. Until the host's library is loaded, the dynamic linker's functions are not to be found: a host
 * that is itself an adapter wants to be asked first (loader_find()). */
static void *load_copy(const char *path, int scope, int is_plugin)
{
    void *handle = (loader.dlopen ? loader.dlopen : dlopen)(path, RTLD_LAZY | scope);
    if (!handle && !is_plugin)
        give_up("cannot load the host's copy of a library that the program has, too (%s); install it again", dlerror());
    /* The host may do without the plugin, which the dynamic linker is about to refuse. */
    if (!handle && environment_wanted("MPI_ADAPTER_VERBOSE"))
        complain("process %d:   a plugin of the host's needs what cannot be loaded (%s)", (int)getpid(), dlerror());
    return handle;
}

/* Loads the host's own copy, into the global scope behind the program's: a plugin that is bound as it is loaded may need what only
 * the copy defines. */
static void load_apart(const struct conflict *conflict, int is_plugin)
{
    struct wanted program = { .path = conflict->program };
    if (find_copy(conflict->name))
        return;
    linked_look(find_object, &program);
    void *handle = load_copy(conflict->host, RTLD_GLOBAL, is_plugin);
    if (!handle)
        return;
    const struct link_map *map = linked_map(handle);
    struct wanted own = { .dynamic = map ? map->l_ld : 0 };
    struct host_copy *copy = calloc(1, sizeof *copy);
    linked_look(find_object, &own);
    if (!copy || !(copy->name = strdup(conflict->name)) || !own.found.base)
        fail_comparing();
    copy->handle = handle;
    copy->copy = own.found;
    copy->program = program.found;
    put_copy(copy);
    if (environment_wanted("MPI_ADAPTER_VERBOSE"))
        complain("process %d:   the host's MPI has %s, and the program %s", (int)getpid(), conflict->host, conflict->program);
}

/* Says why one library cannot serve both sides. A host whose library cannot be loaded has no use for the process; without a plugin,
 * it may do with another one. */
static void tell_refusal(const struct conflict *conflict, void (*say)(const char *format, ...))
{
    if (strcmp(conflict->needed_by, conflict->program) == 0)
        return; /* the other library is told */
    if (conflict->host_serves_both)
        say("%s of the program lacks %s, which %s of the host's MPI needs; %s serves both: start the program with "
            "'mpi-adapter run', or put that into LD_PRELOAD",
            conflict->program, conflict->version, conflict->needed_by, conflict->host);
    else
        say("%s of the program lacks %s, which %s of the host's MPI needs, and %s lacks versions that the program's has; there "
            "can be one in a process, so give the program a newer one",
            conflict->program, conflict->version, conflict->needed_by, conflict->host);
}

static void settle_conflict(const struct conflict *conflict, void *context)
{
    const int *is_plugin = context;
    if (conflict->kind == CONFLICT_REFUSED)
        tell_refusal(conflict, *is_plugin ? complain : give_up);
    else if (conflict->kind == CONFLICT_APART)
        load_apart(conflict, *is_plugin);
    else if (conflict->kind == CONFLICT_FIRST)
        load_copy(conflict->host, RTLD_LOCAL, *is_plugin);
}

/* ---- when ---- */

/* LD_LIBRARY_PATH serves the host if it leads to the host's library, and the program if not. */
static void settle_conflicts(const struct loaded *loaded, const char *path, int is_plugin)
{
    const char *ahead = host_mpi.is_in_environment ? "" : folders.environment;
    char *program = 0;
    if (asprintf(&program, "%s%s%s", folders.program, *folders.program && *ahead ? ":" : "", ahead) < 0)
        fail_comparing();
    struct both_sides sides = {
        .program = "/proc/self/exe", .loaded = loaded->brought, .loaded_count = loaded->count, .program_folders = program,
        .host_folders = host_mpi.is_in_environment ? folders.environment : "", .system_folders = folders.system,
        .left_out = loaded->settled, .root = "",
    };
    int is_done = conflicts_find(path, &sides, settle_conflict, &is_plugin);
    free(program);
    if (!is_done)
        fail_comparing();
}

/* Finds the file that the host would get by a name if the program said nothing. */
static int find_host_file(const char *name, const char *needed_by, char path[PATH_MAX])
{
    struct both_sides sides = {
        .program_folders = "", .host_folders = host_mpi.is_in_environment ? folders.environment : "",
        .system_folders = folders.system, .left_out = "", .root = "",
    };
    return conflicts_host_file(name, needed_by, &sides, path);
}

/* Finds the host's library as the dynamic linker will. */
static int find_host(void)
{
    char path[PATH_MAX];
    if (!conflicts_find_host(host_mpi.library, folders.environment, folders.system, "", path, &host_mpi.is_in_environment))
        return 0;
    host_mpi.is_elsewhere |= host_mpi.is_in_environment;
    host_mpi.path = checked(strdup(path));
    return 1;
}

void host_copies_load(const char *library)
{
    struct loaded loaded;
    read_own_folder();
    read_environment();
    host_mpi.library = library;
    host_mpi.is_elsewhere = folder_length(library) > 0 && !conflicts_of_system(library, folder_length(library));
    if (!program_brings(&loaded))
        return;
    free_loaded(&loaded);
    read_folders();
    /* If the host's library is elsewhere than the system's, the program may bring more. */
    if (!find_host() || !program_brings(&loaded))
        return;
    settle_conflicts(&loaded, host_mpi.path, 0);
    free_loaded(&loaded);
}

static int is_brought_name(const struct loaded *loaded, const char *name)
{
    for (size_t i = 0; i < loaded->count; i++)
        if (strcmp(loaded->brought[i].name, name) == 0)
            return 1;
    return 0;
}

/* Settles what a file of the host's needs. One that is given by its name is the host's own of that name, which is returned if the
 * program has another one. */
static const char *settle_file(const struct loaded *loaded, const char *file, char path[PATH_MAX])
{
    if (strchr(file, '/')) {
        settle_conflicts(loaded, file, 1);
    } else if (is_brought_name(loaded, file) && find_host_file(file, host_mpi.path, path)) {
        settle_conflicts(loaded, path, 1);
        return path;
    }
    return file;
}

const char *host_copies_open(const char *file, char *path)
{
    struct loaded loaded;
    if (!file || !*file || !host_mpi.library)
        return file;
    const struct host_copy *copy = host_copies_exist ? find_copy(file) : 0;
    if (copy)
        return copy->copy.name;
    if (!program_brings(&loaded))
        return file;
    read_folders();
    if (host_mpi.path || find_host())
        file = settle_file(&loaded, file, path);
    free_loaded(&loaded);
    return file;
}

void host_copies_each_new(void (*visit)(void *handle, const struct load_span *span), const struct load_span *span)
{
    for (struct host_copy *copy = __atomic_load_n(&copies, __ATOMIC_ACQUIRE); copy; copy = copy->next)
        if (!__atomic_exchange_n(&copy->is_bound, 1, __ATOMIC_ACQ_REL))
            visit(copy->handle, span);
}

/* ---- slots ---- */

int host_copies_define(const char *symbol)
{
    for (const struct host_copy *copy = first_copy(); copy; copy = copy->next)
        if (gotswap_defined(&copy->copy, symbol, 0))
            return 1;
    return 0;
}

/* dlsym() knows what gotswap_defined() does not: a function that chooses another one. */
static void *defined_by(const struct host_copy *copy, const char *symbol)
{
    void *found = gotswap_defined(&copy->copy, symbol, 0) ? loader.dlsym(copy->handle, symbol) : 0;
    return found && linked_contains(&copy->copy, found) ? found : 0;
}

/* The executable, which may hold a copy of the program's data. */
static int is_in_executable(const void *address)
{
    Dl_info info;
    struct link_map *map = 0;
    return dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) && map && !map->l_prev;
}

void *host_copies_lead(const char *symbol, const void *current, int is_lazy)
{
    void *found = 0;
    for (const struct host_copy *copy = first_copy(); copy && !found; copy = copy->next)
        if (is_lazy || linked_contains(&copy->program, current) || is_in_executable(current))
            found = defined_by(copy, symbol);
    return found;
}

void *host_copies_symbol(const char *symbol, void *found)
{
    void *led = host_copies_lead(symbol, found, !found);
    return led ? led : found;
}

const char *host_copies_missed(const char *symbol, const void *value, int is_slot)
{
    for (const struct host_copy *copy = first_copy(); copy; copy = copy->next)
        if ((!is_slot || linked_contains(&copy->program, value)) && gotswap_defined(&copy->copy, symbol, 0))
            return copy->program.name;
    return 0;
}

int host_copies_replace(const gotswap_linked *object)
{
    for (const struct host_copy *copy = first_copy(); copy; copy = copy->next)
        if (copy->program.dynamic == object->dynamic)
            return 1;
    return 0;
}
