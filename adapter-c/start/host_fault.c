/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/host_fault.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "host_libraries.h"
#include "convert/host_side.h"
#include "convert/say.h"
#include "gotswap.h"
#include "isolate/slots.h"
#include "start/errors_abort.h"

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

static ucp_status map_memory(void *context, const struct ucp_map_params *params, void **memory)
{
    int is_allocated = (params->given & UCP_FLAGS) && (params->flags & UCP_ALLOCATE);
    ucp_status status = ucp_mem_map(context, params, memory);
    registered.memory = status == 0 ? *memory : 0;
    registered.address = (params->given & UCP_ADDRESS) && !is_allocated ? params->address : 0;
    return status;
}

static ucp_status query_memory(void *memory, struct ucp_mem_attr *attr)
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
static void *choose_guard(const char *symbol, void *current, int is_bound, const char *path)
{
    int is_map = strcmp(symbol, "ucp_mem_map") == 0;
    void *hook = is_map ? (void *)map_memory : (void *)query_memory, *function = is_bound ? current : slots_find(path, symbol);
    if (!function || function == hook)
        return 0;
    if (is_map && !ucp_mem_map)
        ucp_mem_map = (ucp_status(*)(void *, const struct ucp_map_params *, void **))function;
    else if (!is_map && !ucp_mem_query)
        ucp_mem_query = (ucp_status(*)(void *, struct ucp_mem_attr *))function;
    return hook;
}

static struct further_hooks guards = { is_of_ucx, choose_guard, 0 };

static void hook_ucx(void)
{
    void *host_procedure = slots_host_procedure("PMPI_Win_create");
    if (host_procedure && !slots_hook(&guards, host_procedure))
        complain("windows may get wrong addresses from UCX (%s); set UCX_RCACHE_ENABLE=n", gotswap_message());
}

/* With the first window that the host registers: nothing of that is in use before. */
static pthread_once_t ucx = PTHREAD_ONCE_INIT;

static int create_MPI_Win_create(const void *base, MPI_Aint size, int unit, host_info info, host_comm comm, host_win *win)
{
    pthread_once(&ucx, hook_ucx);
    return NEXT(windows, MPI_Win_create)(base, size, unit, info, comm, win);
}

static int create_MPI_Win_create_c(const void *base, MPI_Aint size, MPI_Aint unit, host_info info, host_comm comm, host_win *win)
{
    pthread_once(&ucx, hook_ucx);
    return NEXT(windows, MPI_Win_create_c)(base, size, unit, info, comm, win);
}

static int allocate_MPI_Win_allocate(MPI_Aint size, int unit, host_info info, host_comm comm, void *base, host_win *win)
{
    pthread_once(&ucx, hook_ucx);
    return NEXT(windows, MPI_Win_allocate)(size, unit, info, comm, base, win);
}

static int allocate_MPI_Win_allocate_c(MPI_Aint size, MPI_Aint unit, host_info info, host_comm comm, void *base, host_win *win)
{
    pthread_once(&ucx, hook_ucx);
    return NEXT(windows, MPI_Win_allocate_c)(size, unit, info, comm, base, win);
}

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

/* ---------------------------------------------------------------- enquiries */

#ifdef HOST_FAULT_INITIALIZED

#define ENQUIRIES(each) each(MPI_Initialized)
LAYER_PART(enquiries, ENQUIRIES);

static int is_initialized(int *flag)
{
    int is_finalized = 0;
    if (!flag || WITHIN(LAYER_WORKAROUND, MPI_Finalized)(&is_finalized) != 0 || !is_finalized)
        return NEXT(enquiries, MPI_Initialized)(flag);
    *flag = 1;
    return 0;
}

static void work_around_enquiries(int standard)
{
    if (standard < HOST_FAULT_INITIALIZED)
        WORK_AROUND(enquiries, MPI_Initialized, is_initialized);
}

#else
static void work_around_enquiries(int standard) {}
#endif

/* ---------------------------------------------------------------- process sets */

#ifdef HOST_FAULT_PROCESS_SETS

#define PROCESS_SETS(each) each(MPI_Session_get_nth_pset)
LAYER_PART(process_sets, PROCESS_SETS);

/* The host reads behind the last of its sets. */
static int bounded_MPI_Session_get_nth_pset(host_session session, host_info info, int n, int *pset_len, char *pset_name)
{
    int count = 0;
    if (n > 0 && WITHIN(LAYER_WORKAROUND, MPI_Session_get_num_psets)(session, info, &count) == 0 && n >= count)
        return fail_session(session, HOST_MPI_ERR_ARG);
    return NEXT(process_sets, MPI_Session_get_nth_pset)(session, info, n, pset_len, pset_name);
}

static void work_around_process_sets(int standard)
{
    if (standard < HOST_FAULT_PROCESS_SETS)
        WORK_AROUND(process_sets, MPI_Session_get_nth_pset, bounded_MPI_Session_get_nth_pset);
}

#else
static void work_around_process_sets(int standard) {}
#endif

/* ---------------------------------------------------------------- files */

#ifdef HOST_FAULT_FILE_ERRHANDLER

#define OPENED(each) each(MPI_File_open)
LAYER_PART(opened, OPENED);

/* A file that is opened gets the error handler of MPI_FILE_NULL without a reference, and closing it
 * takes one away: soon the handler is gone. Getting the file's handler makes the reference. Some host
 * says after an error whose handler comes back that it has succeeded: then there is no file. */
static int open_counted(host_comm comm, const char *filename, int amode, host_info info, host_file *file)
{
    host_errhandler inherited;
    host_code rc = NEXT(opened, MPI_File_open)(comm, filename, amode, info, file);
    if (rc == 0 && HOST_FILE_BITS(*file) != NO_HANDLE && HOST_FILE_BITS(*file) != HOST_FILE_BITS(HOST_MPI_FILE_NULL))
        WITHIN(LAYER_WORKAROUND, MPI_File_get_errhandler)(*file, &inherited);
    return rc;
}

static void work_around_files(int standard)
{
    if (standard < HOST_FAULT_FILE_ERRHANDLER)
        WORK_AROUND(opened, MPI_File_open, open_counted);
}

#else
static void work_around_files(int standard) {}
#endif

/* ---------------------------------------------------------------- reductions */

#ifdef HOST_FAULT_REDUCE_ROOT

#define REDUCTIONS(each)                                                                           \
    each(MPI_Reduce) each(MPI_Reduce_c) each(MPI_Ireduce) each(MPI_Ireduce_c) each(MPI_Reduce_init) each(MPI_Reduce_init_c)
LAYER_PART(reductions, REDUCTIONS);

/* The arguments of a process of an intercommunicator's reduction. The root sends nothing, and the other processes of its group have no part
 * in it. Those of the other group wait for ever if either fails. */
struct sent {
    const void *buffer;
    host_datatype datatype;
    host_op op;
};

static struct sent sent_by(int root, const void *sendbuf, host_datatype datatype, host_op op)
{
    static const char nothing[1];
    int has_part = root != HOST_MPI_PROC_NULL;
    return (struct sent){ (root == HOST_MPI_ROOT || !has_part) && !sendbuf ? nothing : sendbuf, has_part ? datatype : HOST_MPI_INT,
                          has_part ? op : HOST_MPI_SUM };
}

static int reduce_MPI_Reduce(const void *sendbuf, void *recvbuf, int count, host_datatype datatype, host_op op, int root,
                             host_comm comm)
{
    struct sent sent = sent_by(root, sendbuf, datatype, op);
    return NEXT(reductions, MPI_Reduce)(sent.buffer, recvbuf, count, sent.datatype, sent.op, root, comm);
}

static int reduce_MPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype, host_op op, int root,
                               host_comm comm)
{
    struct sent sent = sent_by(root, sendbuf, datatype, op);
    return NEXT(reductions, MPI_Reduce_c)(sent.buffer, recvbuf, count, sent.datatype, sent.op, root, comm);
}

static int reduce_MPI_Ireduce(const void *sendbuf, void *recvbuf, int count, host_datatype datatype, host_op op, int root,
                              host_comm comm, host_request *request)
{
    struct sent sent = sent_by(root, sendbuf, datatype, op);
    return NEXT(reductions, MPI_Ireduce)(sent.buffer, recvbuf, count, sent.datatype, sent.op, root, comm, request);
}

static int reduce_MPI_Ireduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype, host_op op, int root,
                                host_comm comm, host_request *request)
{
    struct sent sent = sent_by(root, sendbuf, datatype, op);
    return NEXT(reductions, MPI_Ireduce_c)(sent.buffer, recvbuf, count, sent.datatype, sent.op, root, comm, request);
}

static int reduce_MPI_Reduce_init(const void *sendbuf, void *recvbuf, int count, host_datatype datatype, host_op op, int root,
                                  host_comm comm, host_info info, host_request *request)
{
    struct sent sent = sent_by(root, sendbuf, datatype, op);
    return NEXT(reductions, MPI_Reduce_init)(sent.buffer, recvbuf, count, sent.datatype, sent.op, root, comm, info, request);
}

static int reduce_MPI_Reduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype, host_op op, int root,
                                    host_comm comm, host_info info, host_request *request)
{
    struct sent sent = sent_by(root, sendbuf, datatype, op);
    return NEXT(reductions, MPI_Reduce_init_c)(sent.buffer, recvbuf, count, sent.datatype, sent.op, root, comm, info, request);
}

static void work_around_reductions(int standard)
{
    if (standard >= HOST_FAULT_REDUCE_ROOT)
        return;
    WORK_AROUND(reductions, MPI_Reduce, reduce_MPI_Reduce);
    WORK_AROUND(reductions, MPI_Reduce_c, reduce_MPI_Reduce_c);
    WORK_AROUND(reductions, MPI_Ireduce, reduce_MPI_Ireduce);
    WORK_AROUND(reductions, MPI_Ireduce_c, reduce_MPI_Ireduce_c);
    WORK_AROUND(reductions, MPI_Reduce_init, reduce_MPI_Reduce_init);
    WORK_AROUND(reductions, MPI_Reduce_init_c, reduce_MPI_Reduce_init_c);
}

#else
static void work_around_reductions(int standard) {}
#endif

/* ---------------------------------------------------------------- partitions */

#define PARTITIONS(each) each(MPI_Psend_init) each(MPI_Precv_init)
LAYER_PART(partitions, PARTITIONS);

/* An erratum of MPI-5.0 made the count of MPI_Psend_init an int, and gave it a twin with the MPI_Count that it had before. A
 * host that has the twin would drop half of what an older program passes. */
static int send_partitions(const void *buf, int parts, MPI_Count count, host_datatype datatype, int dest, int tag,
                           host_comm comm, host_info info, host_request *request)
{
    return WITHIN(LAYER_WORKAROUND, MPI_Psend_init_c)(buf, parts, count, datatype, dest, tag, comm, info, request);
}

static int receive_partitions(void *buf, int parts, MPI_Count count, host_datatype datatype, int source, int tag,
                              host_comm comm, host_info info, host_request *request)
{
    return WITHIN(LAYER_WORKAROUND, MPI_Precv_init_c)(buf, parts, count, datatype, source, tag, comm, info, request);
}

static void work_around_partitions(void)
{
    if (HOST_LACKS(MPI_Psend_init_c) || HOST_LACKS(MPI_Precv_init_c))
        return;
    WORK_AROUND(partitions, MPI_Psend_init, send_partitions);
    WORK_AROUND(partitions, MPI_Precv_init, receive_partitions);
}

void faults_work_around(int standard)
{
    work_around_reductions(standard);
    work_around_partitions();
    work_around_windows(standard);
    work_around_enquiries(standard);
    work_around_process_sets(standard);
    work_around_files(standard);
    errors_abort_work_around(standard);
}
