/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures that are built of requests of our own, while one allocation after the other fails: the call fails with
 * MPI_ERR_NO_MEM, raised on its communicator, and leaks no memory, no held handle and no operation of the host's. The
 * host's procedures are made up. */
#include <stdio.h>
#include <stdlib.h>

#include "convert/adapter.h"
#include "requests/held_handle.h"
#include "layers/built.h"
#include "requests/adapter_request.h"

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so, after %d allocations: %s\n", __FILE__, __LINE__, allowed, #condition); \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static int allowed = -1, left, blocks;

static int none_left(void) { return allowed >= 0 && left-- <= 0; }

/* Stand in for malloc(), calloc() and free() in the adapter's sources. */
void *scarce_malloc(size_t size)
{
    void *block = none_left() ? 0 : malloc(size);
    blocks += block != 0;
    return block;
}

void *scarce_calloc(size_t count, size_t size)
{
    void *block = none_left() ? 0 : calloc(count, size);
    blocks += block != 0;
    return block;
}

void counted_free(void *block)
{
    blocks -= block != 0;
    free(block);
}

static const host_comm comm = { 0x44000001 };
static const host_datatype derived = { 0x4c000001 }, other = { 0x4c000002 };
static const host_op operation = { 0x58000100 };
static int raised, pending, refused, freed_handles;

static int call_errhandler(host_comm object, int code)
{
    CHECK(object.value == comm.value && code == HOST_MPI_ERR_NO_MEM);
    raised++;
    return 0;
}

static int get_errhandler(host_comm object, host_errhandler *handler) { return *handler = HOST_MPI_ERRORS_RETURN, 0; }
static int free_errhandler(host_errhandler *handler) { return 0; }
static int answer(host_comm object, int *value) { return *value = 0; }
static int two(host_comm object, int *value) { return *value = 2, 0; }

static int no_group(host_comm object, host_group *group) { return HOST_MPI_ERR_OTHER; }

static int begin(host_request *request)
{
    *request = HOST_REQUEST_FROM(0x6c000001);
    pending++;
    return 0;
}

static int send_init(const void *buffer, MPI_Count count, host_datatype datatype, int dest, int tag, host_comm object,
                     host_request *request)
{
    return begin(request);
}

static int receive(void *buffer, MPI_Count count, host_datatype datatype, int source, int tag, host_comm object,
                   host_request *request)
{
    return begin(request);
}

/* A send that the host takes for valid, and cannot begin. */
static int send(const void *buffer, MPI_Count count, host_datatype datatype, int dest, int tag, host_comm object,
                host_request *request)
{
    return refused ? HOST_MPI_ERR_OTHER : begin(request);
}

static int finish(host_request *request, host_status *status)
{
    pending -= request->value != HOST_MPI_REQUEST_NULL.value;
    *request = HOST_MPI_REQUEST_NULL;
    return 0;
}

static int cancel(host_request *request) { return 0; }
static int forget(host_request *request) { return finish(request, 0); }

static int test(host_request *request, int *flag, host_status *status)
{
    return *flag = 1, 0;
}

static int test_all(int count, host_request *requests, int *flag, host_status *statuses)
{
    for (int i = 0; i < count; i++)
        finish(&requests[i], 0);
    return *flag = 1, 0;
}

static int wait_all(int count, host_request *requests, host_status *statuses)
{
    int flag;
    return test_all(count, requests, &flag, statuses);
}

static int reduce(const void *in, void *out, int count, host_datatype datatype, host_op op, host_comm object)
{
    return 0;
}

static int free_handle(host_comm *object) { return freed_handles++, 0; }
static int free_type(host_datatype *object) { return freed_handles++, 0; }
static int free_operation(host_op *object) { return freed_handles++, 0; }

static void make_up_the_host(void)
{
    host.MPI_Comm_call_errhandler = call_errhandler;
    host.MPI_Comm_get_errhandler = get_errhandler;
    host.MPI_Errhandler_free = free_errhandler;
    host.MPI_Comm_test_inter = answer;
    host.MPI_Comm_rank = answer;
    host.MPI_Comm_size = two;
    host.MPI_Comm_group = no_group;
    host.MPI_Send_init_c = send_init;
    host.MPI_Irecv_c = receive;
    host.MPI_Isend_c = send;
    host.MPI_Wait = finish;
    host.MPI_Cancel = cancel;
    host.MPI_Request_free = forget;
    host.MPI_Test = test;
    host.MPI_Testall = test_all;
    host.MPI_Waitall = wait_all;
    host.MPI_Allreduce = reduce;
    host.MPI_Comm_free = free_handle;
    host.MPI_Type_free = free_type;
    host.MPI_Op_free = free_operation;
}

/* Nothing holds the handles: they are freed at once. */
static int nothing_is_held(void)
{
    host_comm a = comm;
    host_datatype b = derived, c = other;
    host_op d = operation;
    freed_handles = 0;
    return free_comm(&a) == 0 && free_datatype(&b) == 0 && free_datatype(&c) == 0 && free_op(&d) == 0 && freed_handles == 4;
}

static int out[2], in[2], counts[2] = { 1, 1 }, places[2];
static host_datatype types[2];

static int combined(host_request *request)
{
    return built_MPI_Isendrecv(out, 1, derived, 1, 0, in, 1, derived, 1, 0, comm, request);
}

static int reduction(host_request *request)
{
    return built_MPI_Allreduce_init(out, in, 1, derived, operation, comm, HOST_MPI_INFO_NULL, request);
}

static int exchange(host_request *request)
{
    return built_MPI_Alltoallw_init(out, counts, places, types, in, counts, places, types, comm, HOST_MPI_INFO_NULL, request);
}

static void complete(host_request request)
{
    CHECK((adapter_is_inactive(request) ? adapter_free(&request) : adapter_wait(&request, HOST_MPI_STATUS_IGNORE)) == 0);
}

/* Until the call succeeds, it fails with one allocation more each time. It did once before: the indexes have memory, which
 * they keep. */
static void try(int (*call)(host_request *))
{
    host_request request;
    int rc = -1;
    allowed = -1;
    CHECK(call(&request) == 0);
    complete(request);
    for (allowed = 0; rc != 0; allowed++) {
        int before = blocks;
        left = allowed;
        raised = pending = 0;
        rc = call(&request);
        if (rc == 0)
            break;
        CHECK(rc == HOST_MPI_ERR_NO_MEM && raised == 1);
        CHECK(blocks == before && pending == 0);
        CHECK(nothing_is_held());
        CHECK(allowed < 20);
    }
    CHECK(allowed > 1);
    allowed = -1;
    complete(request);
}

int main(void)
{
    host_request request;
    make_up_the_host();
    types[0] = derived, types[1] = other;
    try(combined);
    try(reduction);
    try(exchange);

    refused = 1;
    pending = 0;
    int before = blocks;
    CHECK(combined(&request) == HOST_MPI_ERR_OTHER && pending == 0 && blocks == before);

    /* Nothing to release, and no memory. */
    allowed = left = 0;
    CHECK(adapter_persistent(&(struct adapter_operation){ .comm = comm, .parts = 1 }, &request) == HOST_MPI_ERR_NO_MEM);
    puts("right");
    return 0;
}
