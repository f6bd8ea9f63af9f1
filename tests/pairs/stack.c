/* SPDX-License-Identifier: BSD-3-Clause */
/* How many bytes of a thread's stack calls use beyond what an empty thread does, the first time and then: a line
 * each. With an argument, all of them run on threads with the smallest stacks there are. */
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MANY = 4096, STACK = 256 << 10 };
static MPI_Request requests[MANY];
static MPI_Status statuses[MANY];
static int indices[MANY], found, flag;

static void nothing(void) {}

static void make(int persistent)
{
    static int value;
    for (int i = 0; i < MANY; i++) {
        requests[i] = MPI_REQUEST_NULL;
        if (persistent)
            MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[i]);
    }
}

static void release(void)
{
    for (int i = 0; i < MANY; i++)
        if (requests[i] != MPI_REQUEST_NULL)
            MPI_Request_free(&requests[i]);
}

static void waitall(void) { MPI_Waitall(MANY, requests, statuses); }
static void waitall_64(void) { MPI_Waitall(64, requests, statuses); }
static void waitall_fast(void) { MPI_Waitall(64, requests, MPI_STATUSES_IGNORE); }
static void testall_128(void) { MPI_Testall(128, requests, &flag, MPI_STATUSES_IGNORE); }
static void testall(void) { MPI_Testall(MANY, requests, &flag, statuses); }
static void waitany(void) { MPI_Waitany(MANY, requests, &found, statuses); }
static void testany(void) { MPI_Testany(MANY, requests, &found, &flag, statuses); }
static void waitsome(void) { MPI_Waitsome(MANY, requests, &found, indices, statuses); }
static void testsome(void) { MPI_Testsome(MANY, requests, &found, indices, statuses); }
static void startall(void) { MPI_Startall(MANY, requests); }

/* None of these has many elements for the host. */
static void alltoallw(void)
{
    static int in = 1, out, count = 1, place;
    MPI_Datatype type = MPI_INT;
    MPI_Alltoallw(&in, &count, &place, &type, &out, &count, &place, &type, MPI_COMM_SELF);
}

static void type_struct(void)
{
    static int lengths[64];
    static MPI_Aint places[64];
    static MPI_Datatype types[64];
    MPI_Datatype made;
    for (int i = 0; i < 64; i++)
        types[i] = MPI_INT;
    MPI_Type_create_struct(64, lengths, places, types, &made);
    MPI_Type_free(&made);
}

static void contents(void)
{
    static int integers[64];
    static MPI_Aint addresses[64];
    static MPI_Datatype types[64];
    MPI_Datatype made;
    MPI_Type_contiguous(2, MPI_INT, &made);
    MPI_Type_get_contents(made, 1, 0, 1, integers, addresses, types);
    MPI_Type_free(&made);
}

static void error_string(void)
{
    static char text[MPI_MAX_ERROR_STRING];
    MPI_Error_string(MPI_ERR_COMM, text, &found);
}

static void library_version(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_library_version(text, &found);
}

static void object_name(void)
{
    static char text[MPI_MAX_OBJECT_NAME];
    memset(text, 'x', sizeof text - 1);
    MPI_Comm_set_name(MPI_COMM_SELF, text);
    MPI_Comm_get_name(MPI_COMM_SELF, text, &found);
}

static void processor_name(void)
{
    static char text[MPI_MAX_PROCESSOR_NAME];
    MPI_Get_processor_name(text, &found);
}

static void translate_ranks(void)
{
    static int ranks[MANY];
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_SELF, &group);
    MPI_Group_translate_ranks(group, MANY, ranks, group, indices);
    MPI_Group_free(&group);
}

static void info(void)
{
    static char value[MPI_MAX_INFO_VAL];
    MPI_Info made;
    MPI_Info_create(&made);
    MPI_Info_set(made, "key", "value");
    MPI_Info_get(made, "key", 5, value, &flag);
    MPI_Info_free(&made);
}

static void reduce(void *in, void *inout, int *length, MPI_Datatype *type) {}
static int copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *is) { return MPI_SUCCESS; }
static int delete(MPI_Comm comm, int keyval, void *value, void *state) { return MPI_SUCCESS; }

static void callbacks(void)
{
    int in = 1, out = 1, keyval;
    MPI_Op op;
    MPI_Op_create(reduce, 1, &op);
    MPI_Reduce_local(&in, &out, 1, MPI_INT, op);
    MPI_Op_free(&op);
    MPI_Comm_create_keyval(copy, delete, &keyval, 0);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &in);
    MPI_Comm_delete_attr(MPI_COMM_SELF, keyval);
    MPI_Comm_free_keyval(&keyval);
}

#define CALL(name, ...) { #name, name, __VA_ARGS__ }
static const struct {
    const char *name;
    void (*call)(void);
    int persistent;
} calls[] = {
    CALL(waitall, 0), CALL(waitall_64, 0), CALL(waitall_fast, 0), CALL(testall, 0), CALL(testall_128, 0),
    CALL(waitany, 0), CALL(testany, 0), CALL(waitsome, 0), CALL(testsome, 0), CALL(startall, 1), CALL(alltoallw, 0),
    CALL(type_struct, 0), CALL(contents, 0), CALL(error_string, 0), CALL(library_version, 0), CALL(object_name, 0),
    CALL(processor_name, 0), CALL(translate_ranks, 0), CALL(info, 0), CALL(callbacks, 0),
};
enum { CALLS = sizeof calls / sizeof *calls };

static void *run(void *call)
{
    (*(void (**)(void))call)();
    return 0;
}

/* On a stack of this many bytes; how many it used. */
static long used(void (*call)(void), size_t bytes)
{
    pthread_attr_t attributes;
    pthread_t thread;
    unsigned char *stack = mmap(0, bytes + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *at;
    mprotect(stack, 4096, PROT_NONE);
    stack += 4096;
    memset(stack, 0xa5, bytes);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, bytes);
    if (pthread_create(&thread, &attributes, run, &call) != 0)
        return -1;
    pthread_join(thread, 0);
    for (at = stack; at < stack + bytes && *at == 0xa5;)
        at++;
    long result = (long)(stack + bytes - at);
    munmap(stack - 4096, bytes + 4096);
    return result;
}

int main(int argc, char **argv)
{
    int provided, small = argc > 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    long empty = used(nothing, STACK);
    for (int i = 0; i < CALLS; i++) {
        make(calls[i].persistent);
        long first = used(calls[i].call, small ? PTHREAD_STACK_MIN : STACK);
        if (calls[i].persistent)
            MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
        long next = used(calls[i].call, small ? PTHREAD_STACK_MIN : STACK);
        if (calls[i].persistent)
            MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
        release();
        printf("%s %ld %ld\n", calls[i].name, first - empty, next - empty);
        fflush(stdout);
    }
    printf("empty %ld %ld\n", empty, empty);
    MPI_Finalize();
    return 0;
}
