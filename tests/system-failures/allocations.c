// SPDX-License-Identifier: BSD-3-Clause
// Memory runs out (fail_allocation.c). Without arguments, this works or says that it does not; with "calls", each call in turn
// meets each failure that it can, and either works or returns MPI_ERR_NO_MEM.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { MANY = 100 };

static int none[MANY], ones[MANY], ints[2 * MANY];
static MPI_Aint places[MANY];
static MPI_Datatype types[MANY];
static MPI_Comm ring;
static MPI_Request requests[MANY];
static MPI_Status statuses[MANY];
static int wrong;

static int copies(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag) { *flag = 0; return MPI_SUCCESS; }
static int deletes(MPI_Comm comm, int keyval, void *value, void *state) { return MPI_SUCCESS; }
static void handles(MPI_Comm *comm, int *code, ...) { }
static void adds(void *in, void *inout, int *count, MPI_Datatype *type) { }
static int queries(void *state, MPI_Status *status) { return MPI_SUCCESS; }
static int frees(void *state) { return MPI_SUCCESS; }
static int cancels(void *state, int complete) { return MPI_SUCCESS; }

static int all_to_all(void)
{
    MPI_Request request;
    int rc = MPI_Ialltoallw(ones, ones, none, types, ints, ones, none, types, MPI_COMM_SELF, &request);
    return rc != MPI_SUCCESS ? rc : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int neighbors(void)
{
    MPI_Request request;
    int rc = MPI_Ineighbor_alltoallw(ints, ones, places, types, ints + MANY, ones, places, types, ring, &request);
    return rc != MPI_SUCCESS ? rc : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int structure(void)
{
    MPI_Datatype made;
    int rc = MPI_Type_create_struct(MANY, ones, places, types, &made);
    return rc != MPI_SUCCESS ? rc : MPI_Type_free(&made);
}

static int contents(void)
{
    static MPI_Datatype made, got[MANY];
    static int counts[MANY + 1];
    static MPI_Aint at[MANY];
    if (made == 0 && MPI_Type_create_struct(MANY, ones, places, types, &made) != MPI_SUCCESS)
        return MPI_ERR_NO_MEM;
    return MPI_Type_get_contents(made, MANY + 1, MANY, MANY, counts, at, got);
}

/* All complete, whatever a call for many of them returned. */
static int complete(int rc)
{
    for (int i = 0; i < MANY; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    return rc;
}

static int begin_many(void)
{
    for (int i = 0; i < MANY; i += 2) {
        MPI_Irecv(&ints[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
        MPI_Isend(&ones[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i + 1]);
    }
    return 0;
}

static int wait_for_all(void) { return complete(MPI_Waitall(MANY, requests, statuses)); }
static int test_all(void) { int flag; return complete(MPI_Testall(MANY, requests, &flag, statuses)); }
static int wait_for_any(void) { int index; return complete(MPI_Waitany(MANY, requests, &index, &statuses[0])); }
static int wait_for_some(void) { int count, at[MANY]; return complete(MPI_Waitsome(MANY, requests, &count, at, statuses)); }

static int attribute(void)
{
    int keyval, rc = MPI_Comm_create_keyval(copies, deletes, &keyval, NULL);
    return rc != MPI_SUCCESS ? rc : MPI_Comm_free_keyval(&keyval);
}

static int errors(void)
{
    MPI_Errhandler handler;
    int rc = MPI_Comm_create_errhandler(handles, &handler);
    return rc != MPI_SUCCESS ? rc : MPI_Errhandler_free(&handler);
}

static int operation(void)
{
    MPI_Op op;
    int rc = MPI_Op_create(adds, 1, &op);
    return rc != MPI_SUCCESS ? rc : MPI_Op_free(&op);
}

static int generalized(void)
{
    MPI_Request request;
    int rc = MPI_Grequest_start(queries, frees, cancels, NULL, &request);
    if (rc != MPI_SUCCESS)
        return rc;
    MPI_Grequest_complete(request);
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int codes(void)
{
    int class, code, rc = MPI_Add_error_class(&class);
    rc = rc == MPI_SUCCESS ? MPI_Add_error_code(class, &code) : rc;
    return rc == MPI_SUCCESS ? MPI_Add_error_string(code, "text") : rc;
}

static int name(void)
{
    char long_name[MPI_MAX_OBJECT_NAME];
    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = 0;
    return MPI_Comm_set_name(ring, long_name);
}

static int information(void)
{
    MPI_Info info;
    char value[MPI_MAX_INFO_VAL + 1];
    int flag, rc = MPI_Info_create(&info);
    rc = rc == MPI_SUCCESS ? MPI_Info_set(info, "key", "value") : rc;
    rc = rc == MPI_SUCCESS ? MPI_Info_get(info, "key", MPI_MAX_INFO_VAL, value, &flag) : rc;
    return rc == MPI_SUCCESS ? MPI_Info_free(&info) : rc;
}

static int duplicate(void)
{
    MPI_Comm made;
    int rc = MPI_Comm_dup(MPI_COMM_SELF, &made);
    return rc != MPI_SUCCESS ? rc : MPI_Comm_free(&made);
}

static int by_type(void)
{
    MPI_Comm made;
    int rc = MPI_Comm_split_type(MPI_COMM_SELF, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    return rc != MPI_SUCCESS ? rc : MPI_Comm_free(&made);
}

static int window(void)
{
    MPI_Win win;
    int rc = MPI_Win_create(ints, sizeof ints, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    return rc != MPI_SUCCESS ? rc : MPI_Win_free(&win);
}

static int buffer(void)
{
    static char room[4096];
    void *was;
    int size, rc = MPI_Buffer_attach(room, sizeof room);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = MPI_Bsend(ones, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    if (rc == MPI_SUCCESS)
        MPI_Recv(ints, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&was, &size);
    return rc;
}

static int nothing(void) { return 0; }

static MPI_T_pvar_session session;

static int begin_session(void)
{
    return session == MPI_T_PVAR_SESSION_NULL ? MPI_T_pvar_session_create(&session) : MPI_SUCCESS;
}

/* The variables that are bound to a communicator, if the host has any. */
static int variables(void)
{
    int count = 0, rc = MPI_T_pvar_get_num(&count);
    for (int i = 0; i < count && rc == MPI_SUCCESS; i++) {
        int bind = MPI_T_BIND_NO_OBJECT, length = 0, verbosity, class, readonly, continuous, atomic, elements;
        MPI_Datatype type;
        MPI_T_enum values;
        MPI_T_pvar_handle handle;
        MPI_T_pvar_get_info(i, NULL, &length, &verbosity, &class, &type, &values, NULL, &length, &bind, &readonly, &continuous, &atomic);
        if (bind != MPI_T_BIND_MPI_COMM)
            continue;
        rc = MPI_T_pvar_handle_alloc(session, i, &ring, &handle, &elements);
        if (rc == MPI_SUCCESS)
            MPI_T_pvar_handle_free(session, &handle);
    }
    return rc == MPI_T_ERR_MEMORY ? MPI_ERR_NO_MEM : rc;
}

static const struct call {
    const char *name;
    int (*prepare)(void), (*call)(void);
} all_calls[] = {
    { "MPI_Ialltoallw", nothing, all_to_all },
    { "MPI_Ineighbor_alltoallw", nothing, neighbors },
    { "MPI_Type_create_struct", nothing, structure },
    { "MPI_Type_get_contents", nothing, contents },
    { "MPI_Waitall", begin_many, wait_for_all },
    { "MPI_Testall", begin_many, test_all },
    { "MPI_Waitany", begin_many, wait_for_any },
    { "MPI_Waitsome", begin_many, wait_for_some },
    { "MPI_Comm_create_keyval", nothing, attribute },
    { "MPI_Comm_create_errhandler", nothing, errors },
    { "MPI_Op_create", nothing, operation },
    { "MPI_Grequest_start", nothing, generalized },
    { "MPI_Add_error_class", nothing, codes },
    { "MPI_Comm_set_name", nothing, name },
    { "MPI_Info_create", nothing, information },
    { "MPI_Comm_dup", nothing, duplicate },
    { "MPI_Comm_split_type", nothing, by_type },
    { "MPI_Win_create", nothing, window },
    { "MPI_Buffer_attach", nothing, buffer },
    { "MPI_T_pvar_handle_alloc", begin_session, variables },
};

/* Each failure that a call can meet, until it meets none. */
static int try_failures(const struct call *call, int (*fail_allocation)(long))
{
    int has_failed = 1, failures = 0;
    for (long number = 1; has_failed; number++) {
        int class = MPI_SUCCESS;
        call->prepare();
        fail_allocation(number);
        int rc = call->call();
        has_failed = fail_allocation(0);
        failures += has_failed;
        MPI_Error_class(rc, &class);
        if (class != MPI_SUCCESS && (!has_failed || class != MPI_ERR_NO_MEM)) {
            wrong = 1;
            printf("%s returns class %d without allocation %ld\n", call->name, class, number);
        }
    }
    return failures;
}

static void each_call(void)
{
    int period = 1, failures = 0;
    int (*fail_allocation)(long) = (int (*)(long))dlsym(RTLD_DEFAULT, "fail_allocation");
    for (int i = 0; i < MANY; i++) {
        ones[i] = 1;
        places[i] = i * (MPI_Aint)sizeof(int);
        types[i] = MPI_INT;
    }
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Cart_create(MPI_COMM_SELF, 1, (int[]){ 1 }, &period, 0, &ring);
    for (size_t i = 0; i < sizeof all_calls / sizeof *all_calls; i++)
        failures += try_failures(&all_calls[i], fail_allocation);
    fprintf(stderr, "%d allocations failed\n", failures);
    wrong |= failures < 10;
}

/* Completed requests leave something behind, and handles are compressed. */
static void few_calls(void)
{
    int one = 1, got = 0, size = 0;
    MPI_Request request;
    MPI_Comm copy;
    MPI_Isend(&one, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_size(copy, &size);
    wrong = request != MPI_REQUEST_NULL || got != 1 || size != 1;
    MPI_Comm_free(&copy);
    wrong |= copy != MPI_COMM_NULL;
}

int main(int argc, char **argv)
{
    int provided;
    /* Of components that Open MPI 4 closes in MPI_Init and loads again for MPI_T, it calls the functions where they lay before. */
    if (argc > 1)
        MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Init(&argc, &argv);
    if (argc > 1)
        each_call();
    else
        few_calls();
    puts(wrong ? "WRONG" : "right");
    MPI_Finalize();
    return 0;
}
