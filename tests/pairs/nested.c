/* SPDX-License-Identifier: BSD-3-Clause */
/* One process whose callbacks call what MPI-4 has: buffers, partitioned communication, sessions. `nested callbacks` makes them
 * be called, with `partitions` by an error of these, too. `nested failing` has its first nonblocking send and its first test
 * of a request fail (failing.c), which are those of a buffer's messages; in `nested ending` the handler ends MPI and the
 * process the second time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) ((call) == MPI_SUCCESS ? (void)0 : failed(#call, __LINE__))

static void failed(const char *call, int line)
{
    fprintf(stderr, "nested: line %d: %s\n", line, call);
    exit(1);
}

static void receive(MPI_Comm comm, int want)
{
    int got = -1;
    OK(MPI_Recv(&got, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE));
    if (got != want)
        failed("the value that was sent", want);
}

static void send(MPI_Comm comm, int value)
{
    OK(MPI_Bsend(&value, 1, MPI_INT, 0, 1, comm));
}

/* A message by each way of MPI-4, to this process. */
static void all_ways(MPI_Comm comm, int value)
{
    int in = -1, flag = 0, out = value;
    MPI_Request both[2], flushed;
    void *address;
    MPI_Comm copy;
    OK(MPI_Comm_dup(comm, &copy));
    OK(MPI_Comm_attach_buffer(copy, MPI_BUFFER_AUTOMATIC, 0));
    send(copy, value);
    OK(MPI_Comm_iflush_buffer(copy, &flushed));
    receive(copy, value);
    OK(MPI_Wait(&flushed, MPI_STATUS_IGNORE));
    OK(MPI_Comm_detach_buffer(copy, &address, &flag));
    OK(MPI_Precv_init(&in, 1, 1, MPI_INT, 0, 2, copy, MPI_INFO_NULL, &both[0]));
    OK(MPI_Psend_init(&out, 1, 1, MPI_INT, 0, 2, copy, MPI_INFO_NULL, &both[1]));
    OK(MPI_Startall(2, both));
    OK(MPI_Pready(0, both[1]));
    OK(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
    if (in != value)
        failed("the partition that was sent", value);
    OK(MPI_Request_free(&both[0]));
    OK(MPI_Request_free(&both[1]));
    OK(MPI_Comm_free(&copy));
}

static int is_running(int *depth) { return ++*depth > 1; }

/* ---- errors of a buffer's own messages ---- */

static int failures, depth, is_ending;

static void on_message(MPI_Comm *comm, int *code, ...)
{
    (void)code;
    if (is_running(&depth))
        failed("an error within its handler", depth);
    if (failures++ == 0) {
        send(*comm, 2);
    } else if (is_ending) {
        OK(MPI_Finalize());
        puts("right");
        exit(0);
    } else {
        OK(MPI_Comm_flush_buffer(*comm));
        send(*comm, 4);
        receive(*comm, 4);
    }
    depth--;
}

static void messages_that_fail(MPI_Comm comm)
{
    int value = 1;
    void *address;
    MPI_Errhandler handler;
    OK(MPI_Comm_create_errhandler(on_message, &handler));
    OK(MPI_Comm_set_errhandler(comm, handler));
    OK(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
    if (MPI_Bsend(&value, 1, MPI_INT, 0, 1, comm) == MPI_SUCCESS)
        failed("what should fail", 1);
    receive(comm, 2);
    OK(MPI_Comm_flush_buffer(comm));
    OK(MPI_Comm_detach_buffer(comm, &address, &value));
    OK(MPI_Errhandler_free(&handler));
    if (failures != 2)
        failed("two errors", failures);
}

/* ---- every kind of callback ---- */

static void on_comm(MPI_Comm *comm, int *code, ...)
{
    (void)code;
    if (!is_running(&depth))
        all_ways(*comm, 10);
    depth--;
}

static void on_session(MPI_Session *session, int *code, ...)
{
    MPI_Group group;
    MPI_Comm comm;
    (void)code;
    OK(MPI_Group_from_session_pset(*session, "mpi://SELF", &group));
    OK(MPI_Comm_create_from_group(group, "nested", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    OK(MPI_Group_free(&group));
    all_ways(comm, 11);
    OK(MPI_Comm_free(&comm));
}

static int copy_attribute(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)keyval, (void)extra;
    *(void **)out = in;
    *flag = 1;
    if (!is_running(&depth))
        all_ways(comm, 12);
    depth--;
    return MPI_SUCCESS;
}

static int delete_attribute(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    if (!is_running(&depth))
        all_ways(MPI_COMM_SELF, 13);
    depth--;
    return MPI_SUCCESS;
}

static void reduce(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
    all_ways(MPI_COMM_SELF, 14);
}

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    all_ways(MPI_COMM_SELF, 15);
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    (void)extra;
    all_ways(MPI_COMM_SELF, 16);
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    all_ways(MPI_COMM_SELF, 17);
    return complete ? MPI_SUCCESS : MPI_Grequest_complete(*(MPI_Request *)extra);
}

static void every_callback(MPI_Comm comm, int with_partitions)
{
    int keyval, one = 1, two = 2;
    MPI_Errhandler handler;
    MPI_Session session;
    MPI_Request request;
    MPI_Comm copy;
    MPI_Op op;
    OK(MPI_Comm_create_errhandler(on_comm, &handler));
    OK(MPI_Comm_set_errhandler(comm, handler));
    OK(MPI_Errhandler_free(&handler));
    if (with_partitions)
        MPI_Psend_init(&one, 1, 1, MPI_INT, 77, 0, comm, MPI_INFO_NULL, &request);
    MPI_Bsend_init(&one, 1, MPI_INT, 77, 0, comm, &request);
    OK(MPI_Comm_create_keyval(copy_attribute, delete_attribute, &keyval, NULL));
    OK(MPI_Comm_set_attr(comm, keyval, &one));
    OK(MPI_Comm_dup(comm, &copy));
    OK(MPI_Comm_free(&copy));
    OK(MPI_Comm_delete_attr(comm, keyval));
    OK(MPI_Op_create(reduce, 1, &op));
    OK(MPI_Reduce_local(&one, &two, 1, MPI_INT, op));
    OK(MPI_Op_free(&op));
    OK(MPI_Grequest_start(query, release, cancel, &request, &request));
    OK(MPI_Cancel(&request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    OK(MPI_Session_create_errhandler(on_session, &handler));
    OK(MPI_Session_set_errhandler(session, handler));
    OK(MPI_Errhandler_free(&handler));
    OK(MPI_Session_call_errhandler(session, MPI_ERR_OTHER));
    OK(MPI_Session_finalize(&session));
    /* Deleted within MPI_Finalize. */
    OK(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &one));
    if (depth != 0)
        failed("callbacks that ended", depth);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    OK(MPI_Init(&argc, &argv));
    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    is_ending = strcmp(argv[1], "ending") == 0;
    if (strcmp(argv[1], "callbacks") == 0)
        every_callback(comm, argc > 2);
    else
        messages_that_fail(comm);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Finalize());
    puts("right");
    return 0;
}
