/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/host_fault.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "config.h"
#include "convert/adapter.h"
#include "convert/say.h"
#include "gotswap.h"
#include "isolate/slots.h"
#include "layers/layers.h"

/* Not where the host lacks the procedure: its stand-in calls others by the table. */
#define WORK_AROUND(part, name, workaround)                                                        \
    do {                                                                                           \
        if (!HOST_LACKS(name))                                                                     \
            LAYER_INSTALL(LAYER_WORKAROUND, part, OVERRIDE(part, name, workaround));               \
    } while (0)

/* ---------------------------------------------------------------- windows */

#ifdef HOST_FAULT_WINDOW_ADDRESS

#define WINDOWS(each) each(MPI_Win_create) each(MPI_Win_create_c) each(MPI_Win_allocate) each(MPI_Win_allocate_c)
LAYER_PART(windows, WINDOWS);

/* UCX may register a larger part of memory than a window, and the host takes the window to begin where that part begins. These hooks
 * make UCX answer with the address that the host gave it. */

/* The first members of UCX's structures, the same in all its releases with these functions; masks are of its bits. */
enum { UCP_ADDRESS = 1 << 0, UCP_FLAGS = 1 << 2, UCP_ALLOCATE = 1 << 1 };
struct ucp_map_params {
    uint64_t given;
    void *address;
    size_t length;
    unsigned flags;
};
struct ucp_mem_attr {
    uint64_t wanted;
    void *address;
};
typedef signed char ucp_status; /* 0, or an error */

static ucp_status (*ucp_mem_map)(void *context, const struct ucp_map_params *params, void **memory);
static ucp_status (*ucp_mem_query)(void *memory, struct ucp_mem_attr *attr);

/* The thread's last registration and its address; null if UCX chose the address. */
static _Thread_local struct {
    void *memory, *address;
} registered;

static ucp_status map(void *context, const struct ucp_map_params *params, void **memory)
{
    int is_allocated = (params->given & UCP_FLAGS) && (params->flags & UCP_ALLOCATE);
    ucp_status status = ucp_mem_map(context, params, memory);
    registered.memory = status == 0 ? *memory : 0;
    registered.address = (params->given & UCP_ADDRESS) && !is_allocated ? params->address : 0;
    return status;
}

static ucp_status query(void *memory, struct ucp_mem_attr *attr)
{
    ucp_status status = ucp_mem_query(memory, attr);
    if (status == 0 && (attr->wanted & UCP_ADDRESS) && memory == registered.memory && registered.address)
        attr->address = registered.address;
    return status;
}

static int is_of_ucx(const char *symbol)
{
    return *symbol == 'u' && (strcmp(symbol, "ucp_mem_map") == 0 || strcmp(symbol, "ucp_mem_query") == 0);
}

/* The hook calls the slot's former function, which may be of another preloaded library. */
static void *choose(const char *symbol, void *current, int is_bound, const char *path)
{
    int is_map = strcmp(symbol, "ucp_mem_map") == 0;
    void *hook = is_map ? (void *)map : (void *)query, *function = is_bound ? current : slots_find(path, symbol);
    if (!function || function == hook)
        return 0;
    if (is_map && !ucp_mem_map)
        ucp_mem_map = (ucp_status(*)(void *, const struct ucp_map_params *, void **))function;
    else if (!is_map && !ucp_mem_query)
        ucp_mem_query = (ucp_status(*)(void *, struct ucp_mem_attr *))function;
    return hook;
}

static struct further_hooks hooks = { is_of_ucx, choose, 0 };

static void hook_ucx(void)
{
    void *host_procedure = slots_host_procedure("PMPI_Win_create");
    if (host_procedure && !slots_hook(&hooks, host_procedure))
        complain("windows may begin before their addresses: %s; set UCX_RCACHE_ENABLE=n", gotswap_message());
}

/* With the first window that the host registers: nothing of that is in use before. */
static pthread_once_t ucx = PTHREAD_ONCE_INIT;

#define CREATE(name, unit_type)                                                                    \
    static int create_##name(const void *base, MPI_Aint size, unit_type unit, host_info info, host_comm comm, host_win *win) \
    {                                                                                              \
        pthread_once(&ucx, hook_ucx);                                                              \
        return NEXT(windows, name)(base, size, unit, info, comm, win);                                   \
    }
CREATE(MPI_Win_create, int)
CREATE(MPI_Win_create_c, MPI_Aint)

#define ALLOCATE(name, unit_type)                                                                  \
    static int allocate_##name(MPI_Aint size, unit_type unit, host_info info, host_comm comm, void *base, host_win *win) \
    {                                                                                              \
        pthread_once(&ucx, hook_ucx);                                                              \
        return NEXT(windows, name)(size, unit, info, comm, base, win);                                   \
    }
ALLOCATE(MPI_Win_allocate, int)
ALLOCATE(MPI_Win_allocate_c, MPI_Aint)

static void work_around_windows(int standard)
{
    if (standard >= HOST_FAULT_WINDOW_ADDRESS)
        return;
    WORK_AROUND(windows, MPI_Win_create, create_MPI_Win_create);
    WORK_AROUND(windows, MPI_Win_create_c, create_MPI_Win_create_c);
    WORK_AROUND(windows, MPI_Win_allocate, allocate_MPI_Win_allocate);
    WORK_AROUND(windows, MPI_Win_allocate_c, allocate_MPI_Win_allocate_c);
}

#else
static void work_around_windows(int standard) {}
#endif

/* ---------------------------------------------------------------- files */

#ifdef HOST_FAULT_FILE_ERRHANDLER

#define FILES(each) each(MPI_File_open)
LAYER_PART(files, FILES);

/* A file that is opened gets the error handler of MPI_FILE_NULL without a reference, and closing it
 * takes one away: soon the handler is gone. Getting the file's handler makes the reference. Some host
 * says after an error whose handler comes back that it has succeeded: then there is no file. */
static int open_file(host_comm comm, const char *filename, int amode, host_info info, host_file *file)
{
    host_errhandler inherited;
    int rc = NEXT(files, MPI_File_open)(comm, filename, amode, info, file);
    if (rc == 0 && HOST_FILE_BITS(*file) != NO_HANDLE && HOST_FILE_BITS(*file) != HOST_FILE_BITS(HOST_MPI_FILE_NULL))
        WITHIN(LAYER_WORKAROUND, MPI_File_get_errhandler)(*file, &inherited);
    return rc;
}

static void work_around_files(int standard)
{
    if (standard < HOST_FAULT_FILE_ERRHANDLER)
        WORK_AROUND(files, MPI_File_open, open_file);
}

#else
static void work_around_files(int standard) {}
#endif

void faults_work_around(int standard)
{
    work_around_windows(standard);
    work_around_files(standard);
}
