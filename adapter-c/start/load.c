/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/load.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host_libraries.h"
#include "convert/host_side.h"
#include "convert/host_symbols.h"
#include "convert/predefined.h"
#include "convert/facts.h"
#include "layers/layers.h"
#include "convert/say.h"
#include "isolate/host_copies.h"
#include "isolate/host_names.h"
#include "isolate/host_tools.h"
#include "isolate/isolate.h"
#include "isolate/known_objects.h"
#include "isolate/natives.h"
#include "isolate/proof.h"
#include "process/environment.h"
#include "process/launcher.h"
#include "process/linked.h"
#include "start/departure.h"
#include "start/host_end.h"
#include "start/file_prefix.h"
#include "start/host_fault.h"
#include "start/launch_info.h"
#include "start/library_order.h"
#include "start/namesake.h"
#include "start/refuse.h"
#include "start/spliced.h"
#include "start/stacks.h"
#include "trace/report.h"
#include "trace/trace.h"

int load_probe_entered, load_host_is_pair;
void (*load_natives_below)(void);

/* Functions that rooms above pass down. */
static mpi_function *(*stand_in_of)(int procedure);
static void (*procedures_known)(void);

/* MPI_ADAPTER_VERBOSE asks for a line for each process. */
static int is_verbose(void)
{
    return environment_wanted("MPI_ADAPTER_VERBOSE") != 0;
}

/* If the host's symbols become global, the adapter's must come first: a module opened RTLD_LOCAL looks in the global scope before it
 * looks in the libraries that it needs. */
static void go_ahead_of_host(void)
{
    Dl_info own;
    if (HOST_SCOPE == RTLD_GLOBAL && dladdr((void *)&host, &own))
        dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

/* True if a path, or the name of a file, leads to the library that has this address. */
static int is_library_of(const char *name, const void *address)
{
    Dl_info info;
    struct stat named, own;
    if (!*name || !dladdr(address, &info))
        return 0;
    if (!strchr(name, '/'))
        return strcmp(linked_file(info.dli_fname), name) == 0;
    return stat(name, &named) == 0 && stat(info.dli_fname, &own) == 0 && named.st_dev == own.st_dev &&
           named.st_ino == own.st_ino;
}

static int belongs_to_pair(const char *path)
{
    char description[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) : 0;
    return snprintf(description, sizeof description, "%.*s/pair.conf", length, path) < (int)sizeof description &&
           length > 0 && access(description, F_OK) == 0;
}

/* Reads what the pair's description beside the library says of `key`; nothing if it is not there. */
static void read_description(const char *library, const char *key, char *value, size_t size)
{
    char path[PATH_MAX], line[256], format[48];
    int length = (int)(linked_file(library) - library);
    FILE *description = snprintf(path, sizeof path, "%.*spair.conf", length, library) < (int)sizeof path ? fopen(path, "re") : 0;
    snprintf(format, sizeof format, "%s = %%%zus", key, size - 1);
    value[0] = 0;
    while (description && fgets(line, sizeof line, description))
        if (sscanf(line, format, value) == 1)
            break;
    if (description)
        fclose(description);
}

/* Ends the process if `first`, what the program finds ahead of this adapter, is another pair's. Each would know but a part of what the host
 * has to do, unless one of them is the host of the other. */
static void refuse_second_pair(const void *first)
{
    char application[64], its_host[64];
    Dl_info info;
    if (!first || !dladdr(first, &info) || !belongs_to_pair(info.dli_fname))
        return;
    read_description(info.dli_fname, "application", application, sizeof application);
    read_description(info.dli_fname, "host", its_host, sizeof its_host);
    if (strcmp(its_host, application_family) != 0 && strcmp(application, host_family) != 0 && strcmp(application, application_family) != 0)
        give_up("parts of this process were compiled for %s and for %s, and its MPI is %s; start it by 'mpi-adapter run', or compile one of them "
                "for %s", application, application_family, host_family, host_family);
}

/* True if an adapter of another pair was loaded before this one: it has loaded this one for its host. */
static int is_host_of_adapter(void)
{
    Dl_info own;
    struct link_map *map = 0;
    if (!dladdr1(&host, &own, (void **)&map, RTLD_DL_LINKMAP))
        return 0;
    size_t folder = (size_t)(linked_file(own.dli_fname) - own.dli_fname);
    for (map = map->l_prev; map; map = map->l_prev)
        if (belongs_to_pair(map->l_name) && strncmp(map->l_name, own.dli_fname, folder) != 0)
            return 1;
    return 0;
}

/* In the global scope, as LD_PRELOAD would have it. */
static void preload_for_tree(const char *path)
{
    if (!dlopen(path, RTLD_LAZY | RTLD_GLOBAL))
        give_up("cannot load a library that this tree's MPI needs preloaded (%s); correct host_preload, and splice the tree again",
                dlerror());
}

/* The library that MPI_ADAPTER_HOST_LIBRARY names for this adapter, or null: the first one or, where the adapter
 * itself is the host of another, the one after its own. Without the variable, that of a spliced tree. */
static char *named_library(void)
{
    const char *setting = environment_setting("MPI_ADAPTER_HOST_LIBRARY");
    char *of_tree = spliced_host(setting ? 0 : preload_for_tree);
    if (!setting)
        return of_tree;
    free(of_tree);
    char *names = strdup(setting), *rest = names, *first = strsep(&rest, ":"), *name = first;
    while (name && !is_library_of(name, &host))
        name = strsep(&rest, ":");
    if (name && !rest && !is_host_of_adapter())
        give_up("MPI_ADAPTER_HOST_LIBRARY (%s) names the adapter itself; set it to the %s library of this machine", setting,
                host_family);
    name = name ? strsep(&rest, ":") : first;
    name = name && *name ? strdup(name) : 0;
    free(names);
    return name;
}

/* The host's library: the one named by the environment, or the first of its sonames that loads, those first that LD_LIBRARY_PATH has
 * first. `namesakes` is
 * how many libraries were loaded for it that have names of the application's. */
static void *open_host(int *namesakes)
{
    static const char *const sonames[] = { HOST_LIBRARIES };
    char *named = named_library();
    const char *error = 0;
    if (named) {
        host_copies_load(named);
        *namesakes = namesakes_load(named);
        void *handle = dlopen(named, RTLD_LAZY | HOST_SCOPE);
        if (!handle)
            give_up(environment_setting("MPI_ADAPTER_HOST_LIBRARY")
                        ? "cannot load MPI_ADAPTER_HOST_LIBRARY (%s); set it to the %s library of this machine"
                        : "cannot load the MPI that this tree was adapted to (%s); splice it again, for the %s of this machine",
                    dlerror(), host_family);
        return handle;
    }
    size_t count = sizeof sonames / sizeof *sonames, first = first_library_name(sonames, count);
    for (size_t i = 0; i < count; i++) {
        const char *soname = sonames[i == 0 ? first : i - (i <= first)];
        host_copies_load(soname);
        *namesakes = namesakes_load(soname);
        void *handle = dlopen(soname, RTLD_LAZY | HOST_SCOPE);
        if (handle)
            return handle;
        error = i == 0 ? strdup(dlerror()) : error;
    }
    give_up("cannot load the library of %s (%s); install %s, or set MPI_ADAPTER_HOST_LIBRARY to its library",
            host_family, error ? error : "unknown", host_family);
}

static const char *path_of(void *handle)
{
    const struct link_map *map = linked_map(handle);
    return map ? map->l_name : "";
}

static int is_loaded;

/* The load itself isolates what is there. */
static void isolate_arrivals_later(void)
{
    if (is_loaded)
        isolate_arrivals();
}

/* True if the host is an adapter. That may have been loaded before, for another part of the process, and its constructor may follow. */
static int is_pair(void *handle, const char *path)
{
    if (!belongs_to_pair(path))
        return 0;
    load_host_adapter *const *load_adapter = dlvsym(handle, "mpi_adapter_load", "MPI_ADAPTER_PRIVATE");
    void (*arrived)(void) = load_adapter ? (*load_adapter)(load_natives_below, isolate_arrivals_later) : 0;
    if (load_adapter && !arrived)
        give_up("%s belongs to a pair and is not the library of %s, so that pairs lead in a circle; leave one of their "
                "folders out of LD_LIBRARY_PATH",
                path, host_family);
    if (arrived)
        isolate_with(arrived);
    return 1;
}

/* The linker defines these at the ends of this library. */
extern const char __ehdr_start HIDDEN, _end HIDDEN;

/* Returns the host's symbol of this name, or null. A library that the host needs may have a name of the application's,
 * for which the dynamic linker took a library of ours: a symbol that the host lacks would be found there. */
static void *find_procedure(void *handle, const char *name)
{
    const char *found = dlsym(handle, name);
    return found >= &__ehdr_start && found < &_end ? 0 : (void *)found;
}

int load_procedure_number(const char *wanted, size_t length)
{
    const char *name = host_procedure_names;
    for (int i = 0; i < HOST_PROCEDURES; i++, name += strlen(name) + 1)
        if (strlen(name) == length && strncmp(name, wanted, length) == 0)
            return i;
    return -1;
}

static void *host_handle;

mpi_function *load_extension(const char *name)
{
    return (mpi_function *)find_procedure(host_handle, name);
}

const void *load_private(const char *name)
{
    return dlvsym(host_handle, name, "MPI_ADAPTER_PRIVATE");
}

/* Fills the table of the host's procedures; those it lacks get their stand-ins. */
static void find_procedures(void *handle, const char *path)
{
    const char *name = host_procedure_names;
    _Static_assert(sizeof host == HOST_PROCEDURES * sizeof(mpi_function *), "one pointer for each procedure");
    for (int i = 0; i < HOST_PROCEDURES; i++, name += strlen(name) + 1) {
        mpi_function *found = (mpi_function *)find_procedure(handle, name), *function = found ? found : stand_in_of(i);
        layer_host(i, function, !found);
        if (!function)
            give_up("%s is not a library of %s: it has no %s; set MPI_ADAPTER_HOST_LIBRARY to one", path, host_family, name);
    }
}

static void **address_at(size_t offset)
{
    return (void **)((char *)&host_address + offset);
}

/* Returns the address of the host's data of this name. The dynamic linker has led the host to a copy in an executable of the host's. */
static void *find_data(void *handle, const char *name)
{
    void *first = natives_exist ? dlsym(RTLD_DEFAULT, name) : 0;
    return first && natives_keep(first) ? first : find_procedure(handle, name);
}

/* Reads the addresses that constants of the host stand for; all must be there. */
static void find_addresses(void *handle, const char *path)
{
    const struct host_symbol *symbol = host_symbols, *end;
    for (const char *name = host_symbol_names; *name; name += strlen(name) + 1, symbol++) {
        void *address = find_data(handle, name);
        if (!address && symbol->required)
            give_up("%s is not a library of %s: it has no %s; set MPI_ADAPTER_HOST_LIBRARY to one", path, host_family, name);
        *address_at(symbol->offset) = address && symbol->content ? *(void **)address : address;
    }
    for (end = symbol, symbol = host_symbols; symbol < end; symbol++)
        if (!*address_at(symbol->offset) && !symbol->required)
            *address_at(symbol->offset) = *address_at(symbol->instead);
}

/* One call that must not come back to us. */
static void probe(const char *path)
{
    char text[HOST_MPI_MAX_LIBRARY_VERSION_STRING + 1];
    int length, before = load_probe_entered;
    host.MPI_Get_library_version(text, &length);
    if (load_probe_entered != before)
        give_up("MPI_Get_library_version of %s leads back to the adapter; run the program without the adapter on this machine",
                path);
}

static void report_tool(const char *path, void *handle, const void *context)
{
    complain("process %d:   calls go through the tool %s", (int)getpid(), path);
}

static void report_binding(const char *path)
{
    if (host_names_have(linked_file(path)))
        complain("process %d:   also loaded: %s", (int)getpid(), path);
}

/* Proves isolation, and in the verbose mode says so, with the objects that were not told yet. */
static void prove_and_tell(const char *when)
{
    static size_t reported;
    struct known_object object;
    int slots, objects;
    prove(&slots, &objects);
    report_fact("isolation", "proved %s: none of %d slots in %d objects of the host leads here", when, slots, objects);
    if (!is_verbose())
        return;
    for (; known_at(reported, &object); reported++)
        if (object.slots > 0)
            complain("process %d:   %d slots of %s lead to the host", (int)getpid(), object.slots, object.path);
    complain("process %d: isolation proved by address %s: none of %d slots of symbols in %d objects of the host leads here",
             (int)getpid(), when, slots, objects);
}

static void report_host(const char *path, int version, int subversion)
{
    char text[HOST_MPI_MAX_LIBRARY_VERSION_STRING + 1];
    int length = 0, rank = launcher_rank(), suspended = trace_suspend(1);
    host.MPI_Get_library_version(text, &length);
    text[strcspn(text, "\n")] = 0;
    complain("process %d: a program for %s on %s: %s (MPI %d.%d, %.100s)", (int)getpid(), application_family, host_family, path,
             version, subversion, text);
    if (rank >= 0)
        complain("process %d:   rank %d by the launcher", (int)getpid(), rank);
    isolate_each_arrival(report_binding);
    tools_each(report_tool, 0);
    prove_and_tell("at load");
    complain("process %d:   and by a call: MPI_Get_library_version was answered by the host", (int)getpid());
    trace_suspend(suspended);
}

/* Notes both sides for a report. */
static void note_sides(const char *path, int version, int subversion)
{
    char text[HOST_MPI_MAX_LIBRARY_VERSION_STRING + 1];
    char pair_version[64] = "";
    int length = 0, suspended = trace_suspend(1);
    Dl_info own;
    host.MPI_Get_library_version(text, &length);
    text[strcspn(text, "\n")] = 0;
    if (dladdr(&host, &own)) {
        read_description(own.dli_fname, "version", pair_version, sizeof pair_version);
        report_fact("pair", "%s-to-%s %s, %s", application_family, host_family, pair_version, own.dli_fname);
    }
    report_fact("host", "%s (MPI %d.%d, %.200s)", path, version, subversion, text);
    trace_suspend(suspended);
}

static void isolate_each_tool(const char *path, void *handle, const void *span)
{
    isolate_tool(handle, span);
}

/* Loads the tools, and isolates them and whatever else is there already. */
static void start_tools(void *host_library, int host_is_adapter)
{
    struct load_span span = load_span_begin();
    tools_load(host_library, host_is_adapter);
    tools_each(isolate_each_tool, &span);
    isolate_first_arrivals(tools_adopt);
    refuse_second_pair(tools_check());
}

/* Returns the path of a loaded object whose file's name begins so, or null. */
static const char *loaded_file(const char *beginning)
{
    Dl_info own;
    struct link_map *map = 0;
    if (!dladdr1(&host, &own, (void **)&map, RTLD_DL_LINKMAP))
        return 0;
    while (map->l_prev)
        map = map->l_prev;
    while (map && strncmp(linked_file(map->l_name), beginning, strlen(beginning)) != 0)
        map = map->l_next;
    return map ? map->l_name : 0;
}

/* Valgrind leads each MPI procedure of every library that is called libmpi* to its wrappers, the host's, too, where the program's
 * handles mean nothing. */
static void refuse_wrappers_of_valgrind(void)
{
    const char *wrappers = loaded_file("libmpiwrap-");
    if (wrappers && loaded_file("vgpreload_core-"))
        give_up("valgrind's wrappers of MPI (%s) would wrap the host's procedures, too; run valgrind without them", wrappers);
}

static void load(void)
{
    refuse_wrappers_of_valgrind();
    report_before_host();
    go_ahead_of_host();
    struct load_span span = load_span_begin();
    struct host_loading loading = { .span = &span };
    void *handle = open_host(&loading.namesakes);
    const char *path = path_of(handle);
    int version = 0, subversion = 0;
    host_handle = handle;
    loading.is_adapter = load_host_is_pair = is_pair(handle, path);
    if (!loading.is_adapter)
        host_end_watch();
    find_procedures(handle, path);
    isolate_host(handle, &loading);
    start_tools(handle, loading.is_adapter);
    find_addresses(handle, path);
    probe(path);
    if (!loading.is_adapter)
        departure_refuse(path);
    host.MPI_Get_version(&version, &subversion);
    if (version < 3)
        give_up("%s says that it has MPI %d.%d; set MPI_ADAPTER_HOST_LIBRARY to a library of MPI 3.0 or later", path, version, subversion);
    predefined_prepare(100 * version + subversion);
    if (environment_loaded())
        launcher_tell_application();
    tools_apply();
    faults_work_around(100 * version + subversion);
    file_prefixes_start();
    trace_start(path, loading.is_adapter);
    procedures_known();
    stacks_tell("at load");
    if (report_is_on())
        note_sides(path, version, subversion);
    if (is_verbose())
        report_host(path, version, subversion);
    else if (loading.is_adapter || report_is_on())
        prove_and_tell("at load"); /* of what it loaded, too, which it bound and proved in its own way */
}

void load_start(mpi_function *(*stand_in)(int procedure), void (*known)(void))
{
    stand_in_of = stand_in;
    procedures_known = known;
    const char *failure = attempt(load);
    is_loaded = !failure;
    if (failure && is_host_of_adapter())
        give_up_with(failure);
    if (failure)
        refuse(failure);
}

/* In which the calling thread initializes MPI. */
static _Thread_local struct load_span initialization;

void load_begun(void)
{
    launcher_leave_outer_job();
    load_joins();
}

void load_joins(void)
{
    environment_started();
    report_before_host();
    bind_changed_again();
    initialization = load_span_begin();
}

/* Runs after MPI has been initialized with a world of this size; 0 if the size is unknown. */
static void tell_rank(int rank, int size)
{
    if (size > 0)
        predefined_confirm();
    launcher_check(size);
    launcher_note_rank_taken();
    trace_ranked(rank);
    if (size > 0)
        report_fact("initialized", "as rank %d of %d", rank, size);
    if (is_verbose() && size > 0)
        complain("process %d: rank %d of %d", (int)getpid(), rank, size);
}

int load_started(void)
{
    const struct host_procedures *own = host_itself;
    int rank = -1, size = 0, initialized = 0, suspended = trace_suspend(1);
    own->MPI_Initialized(&initialized);
    if (initialized && own->MPI_Comm_size(HOST_MPI_COMM_WORLD, &size) == 0)
        own->MPI_Comm_rank(HOST_MPI_COMM_WORLD, &rank);
    report_after_host();
    tell_rank(rank, size);
    isolate_within(&initialization);
    prove_and_tell("after initialization");
    if (initialized) {
        errors_prepare();
        launch_info_fill(size);
        report_initialized();
    }
    trace_suspend(suspended);
    return initialized;
}

void load_session_started(host_session session)
{
    const struct host_procedures *own = host_itself;
    host_group world = HOST_MPI_GROUP_NULL;
    int rank = -1, size = 0, initialized = 0, suspended = trace_suspend(1);
    own->MPI_Initialized(&initialized);
    if (!initialized && own->MPI_Group_from_session_pset(session, "mpi://WORLD", &world) == 0) {
        own->MPI_Group_size(world, &size);
        own->MPI_Group_rank(world, &rank);
        own->MPI_Group_free(&world);
        tell_rank(rank, size);
    }
    report_after_host();
    if (prove_is_due()) {
        isolate_within(&initialization);
        prove_and_tell("after initialization");
    }
    trace_suspend(suspended);
}
