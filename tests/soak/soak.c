/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes and frees objects of each kind over and over; says by how many kilobytes resident memory grew, a line for each kind:
 * KIND <tab> KiB <tab> calls that were made <tab> calls that were wanted <tab> seconds of a processor that they took.
 *   soak COUNT [KIND]...     COUNT times each, of those that take long a part of it
 * It is measured from a tenth on, or from the end of the first turn on: what a first use allocates stays. The kinds take
 * turns of some seconds, so that a long run tells something of each whenever it ends: by SIGINT or SIGTERM, it says how far it has
 * come. At the end of a turn it says so on stderr, of kinds that are made more than a million times.
 */
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "resident.h"

#define OK(call) ((call) == MPI_SUCCESS ? (void)0 : failed(#call))

static char file_name[64];

static void failed(const char *call)
{
    fprintf(stderr, "soak: failed: %s\n", call);
    exit(1);
}

/* ---- communicators and groups ---- */

static void comm(long i)
{
    MPI_Comm copy, part, request_copy;
    MPI_Request request;
    OK(MPI_Comm_dup(MPI_COMM_SELF, &copy));
    OK(MPI_Comm_split(copy, 0, (int)i, &part));
    OK(MPI_Comm_idup(part, &request_copy, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Comm_set_name(part, "soak"));
    OK(MPI_Comm_free(&request_copy));
    OK(MPI_Comm_free(&part));
    OK(MPI_Comm_free(&copy));
}

static void topology(long i)
{
    MPI_Comm cart, graph;
    int one = 1, zero = 0, weight = (int)(i % 7);
    OK(MPI_Cart_create(MPI_COMM_SELF, 1, &one, &zero, 0, &cart));
    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, &zero, &weight, 1, &zero, &weight, MPI_INFO_NULL, 0, &graph));
    OK(MPI_Comm_free(&graph));
    OK(MPI_Comm_free(&cart));
}

static void group(long i)
{
    MPI_Group world, part, both;
    int zero = 0;
    OK(MPI_Comm_group(MPI_COMM_SELF, &world));
    OK(MPI_Group_incl(world, 1, &zero, &part));
    OK(MPI_Group_union(world, i % 2 ? part : MPI_GROUP_EMPTY, &both));
    OK(MPI_Group_free(&both));
    OK(MPI_Group_free(&part));
    OK(MPI_Group_free(&world));
}

/* ---- datatypes ---- */

static void datatype(long i)
{
    MPI_Datatype vector, pair, copy, got[2];
    int integers[8], counts[2] = { 1, 2 };
    MPI_Aint places[2] = { 0, 64 }, addresses[8];
    OK(MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &vector));
    OK(MPI_Type_create_struct(2, counts, places, (MPI_Datatype[2]){ vector, MPI_INT }, &pair));
    OK(MPI_Type_commit(&pair));
    OK(MPI_Type_dup(pair, &copy));
    OK(MPI_Type_get_contents(pair, 3, 2, 2, integers, addresses, got));
    OK(MPI_Type_free(&got[0]));
    OK(MPI_Type_free(&vector));
    OK(MPI_Type_free(&copy));
    OK(MPI_Type_free(&pair));
    (void)i;
}

/* ---- operations, error handlers, attributes ---- */

static void sum_elements(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void op(long i)
{
    int one = 1, two = 2, sum;
    MPI_Request request;
    MPI_Op added;
    OK(MPI_Op_create(sum_elements, (int)(i % 2), &added));
    OK(MPI_Reduce_local(&one, &two, 1, MPI_INT, added));
    OK(MPI_Iallreduce(&one, &sum, 1, MPI_INT, added, MPI_COMM_SELF, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Op_free(&added));
}

static void on_comm(MPI_Comm *object, int *code, ...) { (void)object, (void)code; }
static void on_win(MPI_Win *object, int *code, ...) { (void)object, (void)code; }
static void on_file(MPI_File *object, int *code, ...) { (void)object, (void)code; }

static void errhandler(long i)
{
    MPI_Errhandler of_comm, of_win, of_file, got;
    OK(MPI_Comm_create_errhandler(on_comm, &of_comm));
    OK(MPI_Win_create_errhandler(on_win, &of_win));
    OK(MPI_File_create_errhandler(on_file, &of_file));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, of_comm));
    OK(MPI_Comm_get_errhandler(MPI_COMM_SELF, &got));
    OK(MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    OK(MPI_Errhandler_free(&got));
    OK(MPI_Errhandler_free(&of_comm));
    OK(MPI_Errhandler_free(&of_win));
    OK(MPI_Errhandler_free(&of_file));
    (void)i;
}

static int copy_comm(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag)
{
    (void)c, (void)key, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}
static int delete_comm(MPI_Comm c, int key, void *value, void *extra)
{
    (void)c, (void)key, (void)value, (void)extra;
    return MPI_SUCCESS;
}
static int copy_type(MPI_Datatype t, int key, void *extra, void *in, void *out, int *flag)
{
    return copy_comm(MPI_COMM_NULL, key, extra, in, out, flag), (void)t, MPI_SUCCESS;
}
static int delete_type(MPI_Datatype t, int key, void *value, void *extra)
{
    return delete_comm(MPI_COMM_NULL, key, value, extra), (void)t, MPI_SUCCESS;
}

static void keyval(long i)
{
    int of_comm, of_type;
    MPI_Datatype type, copy;
    OK(MPI_Comm_create_keyval(copy_comm, delete_comm, &of_comm, &i));
    OK(MPI_Comm_set_attr(MPI_COMM_SELF, of_comm, &i));
    OK(MPI_Comm_delete_attr(MPI_COMM_SELF, of_comm));
    OK(MPI_Comm_free_keyval(&of_comm));
    OK(MPI_Type_create_keyval(copy_type, delete_type, &of_type, &i));
    OK(MPI_Type_contiguous(2, MPI_INT, &type));
    OK(MPI_Type_set_attr(type, of_type, &i));
    OK(MPI_Type_free_keyval(&of_type));
    OK(MPI_Type_dup(type, &copy));
    OK(MPI_Type_free(&type));
    OK(MPI_Type_free(&copy));
}

static void info(long i)
{
    MPI_Info one, copy;
    char value[16];
    int flag;
    OK(MPI_Info_create(&one));
    snprintf(value, sizeof value, "%ld", i % 1000);
    OK(MPI_Info_set(one, "key", value));
    OK(MPI_Info_dup(one, &copy));
    OK(MPI_Info_get(copy, "key", sizeof value - 1, value, &flag));
    OK(MPI_Info_free(&one));
    OK(MPI_Info_free(&copy));
}

/* ---- windows and files ---- */

static void win(long i)
{
    static char memory[64];
    MPI_Win made, dynamic;
    OK(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &made));
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &dynamic));
    OK(MPI_Win_set_name(made, i % 2 ? "odd" : "even"));
    OK(MPI_Win_free(&dynamic));
    OK(MPI_Win_free(&made));
}

static void file(long i)
{
    MPI_File opened;
    MPI_Info used;
    int value = (int)i;
    OK(MPI_File_open(MPI_COMM_SELF, file_name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &opened));
    OK(MPI_File_set_view(opened, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_write_at(opened, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_get_info(opened, &used));
    OK(MPI_Info_free(&used));
    OK(MPI_File_close(&opened));
}

/* ---- requests and messages ---- */

enum { PAIRS = 4, BOTH = 2 * PAIRS };

/* Completes all of them by one of the procedures, in turn. */
static void complete(MPI_Request *requests, int turn)
{
    int index, flag = 0, done, indices[BOTH], left = BOTH;
    MPI_Status statuses[BOTH];
    switch (turn % 8) {
    case 0: OK(MPI_Waitall(BOTH, requests, MPI_STATUSES_IGNORE)); break;
    case 1: OK(MPI_Waitall(BOTH, requests, statuses)); break;
    case 2:
        for (int n = 0; n < BOTH; n++)
            OK(MPI_Wait(&requests[n], &statuses[n]));
        break;
    case 3:
        while (left-- > 0)
            OK(MPI_Waitany(BOTH, requests, &index, statuses));
        break;
    case 4:
        for (; left > 0; left -= done)
            OK(MPI_Waitsome(BOTH, requests, &done, indices, statuses));
        break;
    case 5:
        while (!flag)
            OK(MPI_Testall(BOTH, requests, &flag, statuses));
        break;
    case 6:
        for (; left > 0; left -= done)
            OK(MPI_Testsome(BOTH, requests, &done, indices, MPI_STATUSES_IGNORE));
        break;
    default:
        for (; left > 0; left -= flag)
            OK(MPI_Testany(BOTH, requests, &index, &flag, statuses));
    }
}

static void request(long i)
{
    int in[PAIRS], out[PAIRS];
    MPI_Request both[BOTH];
    for (int n = 0; n < PAIRS; n++)
        OK(MPI_Irecv(&in[n], 1, MPI_INT, 0, n, MPI_COMM_SELF, &both[n]));
    for (int n = 0; n < PAIRS; n++) {
        out[n] = (int)i + n;
        OK(MPI_Isend(&out[n], 1, MPI_INT, 0, n, MPI_COMM_SELF, &both[PAIRS + n]));
    }
    complete(both, (int)i);
    if (memcmp(in, out, sizeof in) != 0)
        failed("what was sent");
}

static void freed_request(long i)
{
    int value = (int)i;
    MPI_Request one;
    OK(MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &one));
    OK(MPI_Request_free(&one));
    OK(MPI_Irecv(&value, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &one));
    OK(MPI_Cancel(&one));
    OK(MPI_Wait(&one, MPI_STATUS_IGNORE));
}

static void persistent(long i)
{
    int in, out = (int)i;
    MPI_Request both[2];
    OK(MPI_Recv_init(&in, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &both[0]));
    OK(MPI_Send_init(&out, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &both[1]));
    for (int n = 0; n < 2; n++) {
        OK(MPI_Startall(2, both));
        OK(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
    }
    OK(MPI_Request_free(&both[0]));
    OK(MPI_Request_free(&both[1]));
}

/* Of these the arrays of datatypes live as long as the request. */
static void array(long i)
{
    int in, out = (int)i, one = 1, zero = 0;
    MPI_Datatype type = MPI_INT;
    MPI_Request pending;
    OK(MPI_Ialltoallw(&out, &one, &zero, &type, &in, &one, &zero, &type, MPI_COMM_SELF, &pending));
    OK(MPI_Wait(&pending, MPI_STATUS_IGNORE));
}

static void message(long i)
{
    int in, out = (int)i, flag = 0;
    MPI_Request sent;
    MPI_Message found;
    MPI_Status status;
    OK(MPI_Isend(&out, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &sent));
    while (!flag)
        OK(MPI_Improbe(0, 3, MPI_COMM_SELF, &flag, &found, &status));
    OK(MPI_Mrecv(&in, 1, MPI_INT, &found, &status));
    OK(MPI_Wait(&sent, MPI_STATUS_IGNORE));
}

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}
static int release(void *extra) { return (void)extra, MPI_SUCCESS; }
static int cancel(void *extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }

static void greq(long i)
{
    MPI_Request started;
    OK(MPI_Grequest_start(query, release, cancel, &i, &started));
    OK(MPI_Grequest_complete(started));
    OK(MPI_Wait(&started, MPI_STATUS_IGNORE));
}

/* ---- errors, handles' numbers, the tool interface, sessions ---- */

static void error(long i)
{
    static int class, code;
    char text[MPI_MAX_ERROR_STRING];
    int length, found;
    if (!code) {
        OK(MPI_Add_error_class(&class));
        OK(MPI_Add_error_code(class, &code));
    }
    snprintf(text, sizeof text, "error %ld", i % 10);
    OK(MPI_Add_error_string(code, text));
    OK(MPI_Error_string(code, text, &length));
    OK(MPI_Error_class(code, &found));
    OK(MPI_Error_string(MPI_ERR_TRUNCATE, text, &length));
    if (found != class)
        failed("the class of a code");
}

/* Codes that the host makes for an error have a life of their own. */
static void raised(long i)
{
    char text[MPI_MAX_ERROR_STRING];
    int length, value = 0, code, class;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    code = MPI_Send(&value, 1, MPI_INT, (int)(i % 5) + 7, 0, MPI_COMM_SELF);
    OK(MPI_Error_string(code, text, &length));
    OK(MPI_Error_class(code, &class));
    if (class != MPI_ERR_RANK)
        failed("the class of a rank that is not there");
}

static void number(long i)
{
    MPI_Group made;
    MPI_Comm copy;
    OK(MPI_Comm_group(MPI_COMM_SELF, &made));
    if (MPI_Group_f2c(MPI_Group_c2f(made)) != made)
        failed("a group's number");
    OK(MPI_Group_free(&made));
    if (i % 4 == 0) {
        OK(MPI_Comm_dup(MPI_COMM_SELF, &copy));
        if (MPI_Comm_f2c(MPI_Comm_c2f(copy)) != copy)
            failed("a communicator's number");
        OK(MPI_Comm_free(&copy));
    }
}

static void tool(long i)
{
    MPI_T_pvar_session session;
    int provided;
    if (i == 0)
        OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    OK(MPI_T_pvar_session_create(&session));
    OK(MPI_T_pvar_session_free(&session));
}

#if MPI_VERSION >= 4
static void session(long i)
{
    MPI_Session made;
    MPI_Group world;
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &made));
    OK(MPI_Group_from_session_pset(made, "mpi://SELF", &world));
    OK(MPI_Group_free(&world));
    OK(MPI_Session_finalize(&made));
    (void)i;
}

/* Several starts of each. A partition of the receiver's needs two of the sender's. */
static void partitioned(long i)
{
    MPI_Request requests[2];
    int out[4] = { 1, 2, 3, (int)i }, in[4];
    OK(MPI_Precv_init(in, 2, 1, MPI_2INT, 0, 7, MPI_COMM_SELF, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Psend_init(out, 4, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_INFO_NULL, &requests[1]));
    for (int start = 0; start < 5; start++) {
        in[3] = -1;
        OK(MPI_Startall(2, requests));
        OK(MPI_Pready_range(0, 3, requests[1]));
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        if (in[3] != out[3])
            failed("what was sent in partitions");
    }
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
}
#endif

#ifdef MPI_BUFFER_AUTOMATIC
/* One of them is detached, and one goes with its communicator. */
static void buffer(long i)
{
    MPI_Comm copy;
    MPI_Request flushed, persistent_send;
    void *address;
    int in, out = (int)i, size;
    OK(MPI_Comm_dup(MPI_COMM_SELF, &copy));
    OK(MPI_Bsend_init(&out, 1, MPI_INT, 0, 6, copy, &persistent_send));
    OK(MPI_Comm_attach_buffer(copy, MPI_BUFFER_AUTOMATIC, 0));
    OK(MPI_Start(&persistent_send));
    OK(MPI_Comm_iflush_buffer(copy, &flushed));
    OK(MPI_Recv(&in, 1, MPI_INT, 0, 6, copy, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&flushed, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&persistent_send, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&persistent_send));
    OK(MPI_Comm_detach_buffer(copy, &address, &size));
    OK(MPI_Comm_attach_buffer(copy, MPI_BUFFER_AUTOMATIC, 0));
    OK(MPI_Bsend(&out, 1, MPI_INT, 0, 6, copy));
    OK(MPI_Recv(&in, 1, MPI_INT, 0, 6, copy, MPI_STATUS_IGNORE));
    OK(MPI_Comm_free(&copy));
    if (in != out)
        failed("what was sent by a buffer");
}
#endif

static struct kind {
    const char *name;
    void (*once)(long);
    int part; /* of COUNT: one of so many */
    long wanted, done;
    int is_settled;
    long grown; /* KiB since then */
    double seconds;
} kinds[] = {
    { "comm", comm, 5 }, { "topology", topology, 5 }, { "group", group, 1 }, { "datatype", datatype, 1 }, { "op", op, 1 },
    { "errhandler", errhandler, 1 }, { "keyval", keyval, 1 }, { "info", info, 1 }, { "win", win, 20 }, { "file", file, 20 },
    { "request", request, 1 }, { "freed_request", freed_request, 1 }, { "persistent", persistent, 1 }, { "array", array, 1 },
    { "message", message, 1 }, { "greq", greq, 1 }, { "error", error, 1 }, { "raised", raised, 5 }, { "number", number, 1 },
    { "tool", tool, 1 },
#if MPI_VERSION >= 4
    { "session", session, 5 }, { "partitioned", partitioned, 1 },
#endif
#ifdef MPI_BUFFER_AUTOMATIC
    { "buffer", buffer, 5 },
#endif
};
enum { KINDS = sizeof kinds / sizeof *kinds, TURN = 5 /* seconds */ };

static volatile sig_atomic_t is_ended;
static void end_at_signal(int number) { is_ended = number; }

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Calls up to a number of them, or until it is time. */
static void call_until(struct kind *kind, long last, double until)
{
    while (kind->done < last && !is_ended) {
        kind->once(kind->done++);
        if (kind->done % 64 == 0 && seconds_of(CLOCK_MONOTONIC) > until)
            return;
    }
}

/* A turn, of which nothing counts that comes before memory has settled. */
static void take_turn(struct kind *kind)
{
    double used = seconds_of(CLOCK_PROCESS_CPUTIME_ID), until = seconds_of(CLOCK_MONOTONIC) + TURN;
    if (!kind->is_settled)
        call_until(kind, kind->wanted / 10, until);
    if (kind->done >= kind->wanted / 10)
        kind->is_settled = 1;
    long before = resident();
    if (kind->is_settled)
        call_until(kind, kind->wanted, until);
    kind->grown += resident() - before;
    kind->is_settled = 1;
    kind->seconds += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - used;
}

static void say(FILE *to, const struct kind *kind)
{
    if (kind->wanted)
        fprintf(to, "%s\t%ld\t%ld\t%ld\t%.1f\n", kind->name, kind->grown, kind->done, kind->wanted, kind->seconds);
}

static void soak(void)
{
    for (int left = 1; left && !is_ended;) {
        left = 0;
        for (int i = 0; i < KINDS && !is_ended; i++) {
            if (kinds[i].done == kinds[i].wanted)
                continue;
            take_turn(&kinds[i]);
            left |= kinds[i].done < kinds[i].wanted;
            if (kinds[i].wanted > 1000000)
                say(stderr, &kinds[i]);
        }
    }
}

static int is_wanted(int argc, char **argv, const char *name)
{
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return 1;
    return argc == 2;
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 0;
    if (count <= 0) {
        fprintf(stderr, "usage: %s COUNT [KIND]...\n", argv[0]);
        return 2;
    }
    snprintf(file_name, sizeof file_name, "soak.%d", (int)getpid());
    for (int i = 0; i < KINDS; i++)
        if (is_wanted(argc, argv, kinds[i].name))
            kinds[i].wanted = count / kinds[i].part + 10;
    MPI_Init(&argc, &argv);
    /* Hosts have handlers of their own. */
    signal(SIGINT, end_at_signal);
    signal(SIGTERM, end_at_signal);
    soak();
    for (int i = 0; i < KINDS; i++)
        say(stdout, &kinds[i]);
    fflush(stdout);
    remove(file_name);
    return MPI_Finalize();
}
