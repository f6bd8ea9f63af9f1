/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "load.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapter.h"
#include "config.h"
#include "environment.h"
#include "isolate.h"

struct host_procedures host;
int load_probe_entered;

/* How a process can tell which implementation's launcher started it. */
static const struct launcher {
    const char *family;
    const char *marker;   /* in the environment of each rank */
    const char *size;     /* in the environment: the number of ranks */
    const char *command;
} launchers[] = {
    { "openmpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "mpiexec.openmpi" },
    { "mpich", "PMI_RANK", "PMI_SIZE", "mpiexec.mpich" },
};

static const struct launcher *launcher_of(const char *family)
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (strcmp(launchers[i].family, family) == 0)
            return &launchers[i];
    return 0;
}

void load_check_launcher(void)
{
    environment_started();
    const struct launcher *right = launcher_of(HOST_FAMILY);
    if (!right || getenv(right->marker))
        return;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const struct launcher *wrong = &launchers[i];
        const char *size = getenv(wrong->size);
        if (wrong != right && getenv(wrong->marker) && size && atoi(size) > 1)
            give_up("this program runs on %s but was started by %s, so each of its %s processes would be rank 0 of 1; "
                    "start it with %s or mpi-adapter run", HOST_FAMILY, wrong->command, size, right->command);
    }
}

/* MPI_ADAPTER_VERBOSE asks for a line for each process. */
static int is_verbose(void)
{
    const char *verbose = getenv("MPI_ADAPTER_VERBOSE");
    return verbose && *verbose && strcmp(verbose, "0") != 0;
}

/* The host's library: the one named by the environment, or the first of its sonames that loads. */
static void *open_host(void)
{
    static const char *const sonames[] = { HOST_LIBRARIES };
    const char *named = getenv("MPI_ADAPTER_HOST_LIBRARY");
    const char *error = 0;
    if (named && *named) {
        void *handle = dlopen(named, RTLD_LAZY | HOST_SCOPE);
        if (!handle)
            give_up("cannot load MPI_ADAPTER_HOST_LIBRARY (%s); set it to the %s library of this machine",
                    dlerror(), HOST_FAMILY);
        return handle;
    }
    for (size_t i = 0; i < sizeof sonames / sizeof *sonames; i++) {
        void *handle = dlopen(sonames[i], RTLD_LAZY | HOST_SCOPE);
        if (handle)
            return handle;
        error = i == 0 ? strdup(dlerror()) : error;
    }
    give_up("cannot load the library of %s (%s); install %s, or set MPI_ADAPTER_HOST_LIBRARY to its library",
            HOST_FAMILY, error ? error : "unknown", HOST_FAMILY);
}

static const char *path_of(void *handle)
{
    struct link_map *map = 0;
    return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : "";
}

/* Of two pairs in one LD_LIBRARY_PATH, each would take the other's library for the host's. */
static void refuse_pair(const char *path)
{
    char description[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) : 0;
    if (snprintf(description, sizeof description, "%.*s/pair.conf", length, path) < (int)sizeof description &&
        length > 0 && access(description, F_OK) == 0)
        give_up("%s belongs to a pair and is not the library of %s; leave the folder of one pair only in LD_LIBRARY_PATH",
                path, HOST_FAMILY);
}

/* Fills the table of the host's procedures; those it lacks get their stand-ins. */
static void find_procedures(void *handle, const char *path)
{
    mpi_function **table = (mpi_function **)(void *)&host;
    const char *name = host_procedure_names;
    _Static_assert(sizeof host == HOST_PROCEDURES * sizeof(mpi_function *), "one pointer for each procedure");
    for (int i = 0; i < HOST_PROCEDURES; i++, name += strlen(name) + 1) {
        table[i] = (mpi_function *)dlsym(handle, name);
        if (!table[i])
            table[i] = host_stand_ins[i];
        if (!table[i])
            give_up("%s is not a library of %s: it has no %s; set MPI_ADAPTER_HOST_LIBRARY to one", path, HOST_FAMILY, name);
    }
}

static void **address_at(size_t offset)
{
    return (void **)((char *)&host_address + offset);
}

/* Reads the addresses that constants of the host stand for; all must be there. */
static void find_addresses(void *handle, const char *path)
{
    for (const struct host_symbol *symbol = host_symbols; symbol->name; symbol++) {
        void *address = dlsym(handle, symbol->name);
        if (!address && symbol->required)
            give_up("%s is not a library of %s: it has no %s; set MPI_ADAPTER_HOST_LIBRARY to one", path, HOST_FAMILY,
                    symbol->name);
        *address_at(symbol->offset) = address && symbol->content ? *(void **)address : address;
    }
    for (const struct host_symbol *symbol = host_symbols; symbol->name; symbol++)
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

static void report(const char *path)
{
    int slots, objects;
    isolate_count(&slots, &objects);
    complain("%s loaded for a program of %s; isolated: %d slots in %d objects lead to it", path, APP_FAMILY, slots, objects);
}

static void load(void)
{
    void *handle = open_host();
    const char *path = path_of(handle);
    int version = 0, subversion = 0;
    refuse_pair(path);
    find_procedures(handle, path);
    find_addresses(handle, path);
    isolate_host(handle, path);
    probe(path);
    host.MPI_Get_version(&version, &subversion);
    predefined_prepare(100 * version + subversion);
    environment_loaded();
    if (is_verbose())
        report(path);
}

__attribute__((constructor)) static void start(void)
{
    load();
}

void load_started(void)
{
    if (is_verbose())
        isolate_prove();
}
