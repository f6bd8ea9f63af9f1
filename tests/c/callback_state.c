/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* families: mpich */
/* libs: -ldl */
/* Operations and error handlers of MPICH 5 whose callbacks have a state, and whose destructor is called once nothing refers
 * to them; and its enquiries that are not MPI's. Older releases lack them: then nothing is checked. */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>

#if MPI_VERSION < 4
typedef int MPI_Session;
#endif

typedef void op_function(void *, void *, MPI_Count, MPI_Datatype, void *);
typedef void comm_function(MPI_Comm, int, void *);
typedef void file_function(MPI_File, int, void *);
typedef void win_function(MPI_Win, int, void *);
typedef void session_function(MPI_Session, int, void *);
typedef void destructor(void *);

static int (*op_create)(op_function *, destructor *, int, void *, MPI_Op *);
static int (*comm_create)(comm_function *, destructor *, void *, MPI_Errhandler *);
static int (*file_create)(file_function *, destructor *, void *, MPI_Errhandler *);
static int (*win_create)(win_function *, destructor *, void *, MPI_Errhandler *);
static int (*session_create)(session_function *, destructor *, void *, MPI_Errhandler *);
static int (*is_complete)(MPI_Request);
static int (*gpu_query)(int, int *);
static int (*test_threadcomm)(MPI_Comm, int *);

static int find_state(void *function, const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &found, sizeof found);
    return found != 0;
}

/* A callback's extra state: the arguments that it expects, and its counts. */
struct state {
    int calls, destroyed;
    int weight;              /* an operation's */
    MPI_Datatype want_type;
    MPI_Op inner;            /* a callback's own reduction */
    MPI_Comm want_comm, next;
    int error_class;
};

static int after_free; /* callbacks of what is destroyed */

static void destroy(void *state)
{
    ((struct state *)state)->destroyed++;
}

/* Is known to be destroyed, once, in the call ahead. */
#define DESTROYED(state) CHECK_INT((state).destroyed, 1)
#define LIVES(state) CHECK_INT((state).destroyed, 0)

/* ---- operations ---- */

static void sum_elements(void *in, void *inout, MPI_Count length, MPI_Datatype type, void *at)
{
    struct state *state = at;
    int zero = 0, one = 1;
    state->calls++;
    after_free += state->destroyed;
    CHECK(type == state->want_type);
    for (MPI_Count i = 0; i < length; i++)
        ((int *)inout)[i] += state->weight * ((int *)in)[i];
    if (state->inner != MPI_OP_NULL) {
        OK(MPI_Reduce_local(&one, &zero, 1, MPI_INT, state->inner));
        CHECK_INT(zero, 3);
    }
}

static struct state with_weight(int weight)
{
    struct state state = { .weight = weight, .want_type = MPI_INT, .inner = MPI_OP_NULL };
    return state;
}

static void two_states_of_one_function(void)
{
    struct state one = with_weight(1), three = with_weight(3);
    MPI_Op sum, triple;
    int in[2] = { 1, 2 }, out[2] = { 10, 20 }, commutes = -1;
    OK(op_create(sum_elements, destroy, 1, &one, &sum));
    OK(op_create(sum_elements, destroy, 0, &three, &triple));
    OK(MPI_Op_commutative(sum, &commutes));
    CHECK_INT(commutes, 1);
    OK(MPI_Op_commutative(triple, &commutes));
    CHECK_INT(commutes, 0);
    OK(MPI_Reduce_local(in, out, 2, MPI_INT, triple));
    CHECK_INT(out[0], 13);
    CHECK_INT(out[1], 26);
    OK(MPI_Reduce_local(in, out, 2, MPI_INT, sum));
    CHECK_INT(out[0], 14);
    CHECK_INT(one.calls, 1);
    one.inner = triple;
    OK(MPI_Reduce_local(in, out, 2, MPI_INT, sum));
    CHECK_INT(three.calls, 2);
    OK(MPI_Op_free(&sum));
    CHECK(sum == MPI_OP_NULL);
    DESTROYED(one);
    LIVES(three);
    OK(MPI_Op_free(&triple));
    DESTROYED(three);
}

static void collectives(void)
{
    struct state state = with_weight(1);
    MPI_Op sum;
    int mine[2] = { check_rank + 1, 1 }, all[2] = { 0, 0 }, sums = check_size * (check_size + 1) / 2;
    OK(op_create(sum_elements, destroy, 1, &state, &sum));
    OK(MPI_Allreduce(mine, all, 2, MPI_INT, sum, MPI_COMM_WORLD));
    CHECK_INT(all[0], sums);
    CHECK_INT(all[1], check_size);
    OK(MPI_Reduce(mine, all, 1, MPI_INT, sum, 0, MPI_COMM_WORLD));
    OK(MPI_Scan(mine, all, 1, MPI_INT, sum, MPI_COMM_WORLD));
    CHECK_INT(all[0], (check_rank + 1) * (check_rank + 2) / 2);
    OK(MPI_Exscan(mine, all, 1, MPI_INT, sum, MPI_COMM_WORLD));
    if (check_rank > 0)
        CHECK_INT(all[0], check_rank * (check_rank + 1) / 2);
#if MPI_VERSION >= 4
    OK(MPI_Allreduce_c(mine, all, 2, MPI_INT, sum, MPI_COMM_WORLD));
    CHECK_INT(all[0], sums);
    OK(MPI_Reduce_local_c(mine, all, 2, MPI_INT, sum));
    CHECK_INT(all[0], sums + mine[0]);
#endif
    OK(MPI_Type_contiguous(1, MPI_INT, &state.want_type));
    OK(MPI_Type_commit(&state.want_type));
    OK(MPI_Allreduce(mine, all, 2, state.want_type, sum, MPI_COMM_WORLD));
    CHECK_INT(all[0], sums);
    OK(MPI_Type_free(&state.want_type));
    LIVES(state);
    OK(MPI_Op_free(&sum));
    DESTROYED(state);
}

/* A pending reduction completes although its operation is freed. Natively the operation is destroyed too early, or
 * never. */
static void freed_while_in_use(void)
{
    struct state state = with_weight(1), kept = with_weight(1);
    MPI_Op sum;
    MPI_Request requests[3];
    int mine = check_rank + 1, all[3] = { 0, 0, 0 }, sums = check_size * (check_size + 1) / 2;
    OK(op_create(sum_elements, destroy, 1, &state, &sum));
    OK(MPI_Iallreduce(&mine, &all[0], 1, MPI_INT, sum, MPI_COMM_WORLD, &requests[0]));
    OK(MPI_Iscan(&mine, &all[1], 1, MPI_INT, sum, MPI_COMM_WORLD, &requests[1]));
    OK(MPI_Ireduce(&mine, &all[2], 1, MPI_INT, sum, 0, MPI_COMM_WORLD, &requests[2]));
    OK(MPI_Op_free(&sum));
    CHECK(sum == MPI_OP_NULL);
    if (!known_fault("operation-in-use"))
        LIVES(state);
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    OK(MPI_Wait(&requests[2], MPI_STATUS_IGNORE));
    CHECK_INT(all[0], sums);
    CHECK_INT(all[1], (check_rank + 1) * (check_rank + 2) / 2);
    if (!known_fault("operation-in-use"))
        DESTROYED(state);
#if MPI_VERSION >= 4
    OK(op_create(sum_elements, destroy, 1, &kept, &sum));
    OK(MPI_Allreduce_init(&mine, &all[0], 1, MPI_INT, sum, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Op_free(&sum));
    for (int i = 0; i < 2; i++) {
        OK(MPI_Start(&requests[0]));
        OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        CHECK_INT(all[0], sums);
        if (!known_fault("operation-in-use"))
            LIVES(kept);
    }
    OK(MPI_Request_free(&requests[0]));
    if (!known_fault("operation-in-use"))
        DESTROYED(kept);
#endif
    if (!known_fault("operation-in-use"))
        CHECK_INT(after_free, 0);
    after_free = 0;
}

/* More than the adapter has room for at the beginning. */
static void many_operations(void)
{
    enum { MANY = 6000, ALIVE = 100 };
    static struct state states[ALIVE];
    static MPI_Op ops[ALIVE];
    int destroyed = 0, one = 1;
    for (int i = 0; i < MANY; i++) {
        struct state *state = &states[i % ALIVE];
        if (i >= ALIVE) {
            int sum = 0;
            OK(MPI_Reduce_local(&one, &sum, 1, MPI_INT, ops[i % ALIVE]));
            CHECK_INT(sum, state->weight);
            OK(MPI_Op_free(&ops[i % ALIVE]));
            destroyed += state->destroyed;
        }
        *state = with_weight(i);
        OK(op_create(sum_elements, destroy, 1, state, &ops[i % ALIVE]));
    }
    for (int i = 0; i < ALIVE; i++)
        OK(MPI_Op_free(&ops[i]));
    for (int i = 0; i < ALIVE; i++)
        destroyed += states[i].destroyed;
    CHECK_INT(destroyed, MANY);
}

static void refused(void)
{
    struct state state = with_weight(1);
    MPI_Op op;
    MPI_Errhandler errhandler;
    MPI_Win win;
    int *base, one = 1;
    FAILS(op_create(0, destroy, 1, &state, &op), MPI_ERR_ARG);
    FAILS(op_create(sum_elements, 0, 1, &state, &op), MPI_ERR_ARG);
    FAILS(op_create(sum_elements, destroy, 1, &state, 0), MPI_ERR_ARG);
    FAILS(comm_create(0, destroy, &state, &errhandler), MPI_ERR_ARG);
    FAILS(win_create(0, destroy, &state, &errhandler), MPI_ERR_ARG);
    FAILS(file_create(0, destroy, &state, &errhandler), MPI_ERR_ARG);
    OK(op_create(sum_elements, destroy, 1, &state, &op));
    OK(MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    OK(MPI_Win_fence(0, win));
    FAILS(MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, op, win), MPI_ERR_OP);
    OK(MPI_Win_fence(0, win));
    OK(MPI_Win_free(&win));
    OK(MPI_Op_free(&op));
    DESTROYED(state);
}

/* ---- error handlers ---- */

static void on_comm(MPI_Comm comm, int code, void *at)
{
    struct state *state = at;
    int number = 0;
    state->calls++;
    after_free += state->destroyed;
    MPI_Error_class(code, &state->error_class);
    CHECK(comm == state->want_comm);
    if (state->next != MPI_COMM_NULL)
        OK(MPI_Send(&number, 1, MPI_INT, 1000, 0, state->next));
}

static void on_file(MPI_File file, int code, void *at)
{
    struct state *state = at;
    (void)file;
    state->calls++;
    MPI_Error_class(code, &state->error_class);
}

static void on_win(MPI_Win win, int code, void *at)
{
    struct state *state = at;
    (void)win;
    state->calls++;
    MPI_Error_class(code, &state->error_class);
}

static struct state for_comm(MPI_Comm comm)
{
    struct state state = { .want_comm = comm, .next = MPI_COMM_NULL };
    return state;
}

/* The handler takes care of the error: the call returns none. */
static void provoke(MPI_Comm comm)
{
    int number = 0;
    OK(MPI_Send(&number, 1, MPI_INT, 1000, 0, comm));
}

static void references_to_a_handler(void)
{
    MPI_Comm comm, copy;
    MPI_Errhandler errhandler, again, third;
    struct state state;
    int number = 0;
    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    state = for_comm(comm);
    OK(comm_create(on_comm, destroy, &state, &errhandler));
    OK(MPI_Comm_set_errhandler(comm, errhandler));
    provoke(comm);
    CHECK_INT(state.calls, 1);
    CHECK_INT(state.error_class, MPI_ERR_RANK);
    OK(MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER));
    CHECK_INT(state.error_class, MPI_ERR_OTHER);
    /* It takes care of the error that it is called with, and of no later one. */
    OK(MPI_Comm_call_errhandler(comm, MPI_ERR_RANK));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    FAILS(MPI_Send(&number, 1, MPI_INT, 1000, 0, MPI_COMM_SELF), MPI_ERR_RANK);
    OK(MPI_Comm_get_errhandler(comm, &again));
    CHECK(again == errhandler);
    OK(MPI_Errhandler_free(&errhandler));
    CHECK(errhandler == MPI_ERRHANDLER_NULL);
    OK(MPI_Comm_dup(comm, &copy));
    OK(MPI_Comm_free(&comm));
    state.want_comm = copy;
    provoke(copy);
    CHECK_INT(state.calls, 4);
    OK(MPI_Comm_get_errhandler(copy, &third));
    CHECK(third == again);
    OK(MPI_Comm_free(&copy));
    OK(MPI_Errhandler_free(&again));
    LIVES(state);
    OK(MPI_Errhandler_free(&third));
    DESTROYED(state);
}

/* Whatever the host's communicators inherit. */
static void inherited(void)
{
    MPI_Comm comm, made[5];
    MPI_Errhandler errhandler;
    MPI_Request request;
    MPI_Group group;
    int dims[1] = { 1 }, periods[1] = { 0 };
    struct state state;
    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    state = for_comm(comm);
    OK(comm_create(on_comm, destroy, &state, &errhandler));
    OK(MPI_Comm_set_errhandler(comm, errhandler));
    OK(MPI_Errhandler_free(&errhandler));
    OK(MPI_Comm_group(comm, &group));
    OK(MPI_Comm_split(comm, 0, 0, &made[0]));
    OK(MPI_Comm_create(comm, group, &made[1]));
    OK(MPI_Cart_create(comm, 1, dims, periods, 0, &made[2]));
    OK(MPI_Comm_idup(comm, &made[3], &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Comm_split(comm, MPI_UNDEFINED, 0, &made[4]));
    CHECK(made[4] == MPI_COMM_NULL);
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_free(&comm));
    state.want_comm = made[0];
    provoke(made[0]);
    CHECK_INT(state.calls, 1);
    for (int i = 0; i < 3; i++)
        OK(MPI_Comm_free(&made[i]));
    LIVES(state);
    state.want_comm = made[3];
    provoke(made[3]);
    OK(MPI_Comm_disconnect(&made[3]));
    DESTROYED(state);
}

static void replaced_and_nested(void)
{
    MPI_Comm comm;
    MPI_Errhandler outer, inner;
    struct state first, second;
    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    first = for_comm(comm);
    second = for_comm(MPI_COMM_SELF);
    first.next = MPI_COMM_SELF;
    OK(comm_create(on_comm, destroy, &first, &outer));
    OK(comm_create(on_comm, destroy, &second, &inner));
    OK(MPI_Comm_set_errhandler(comm, outer));
    OK(MPI_Comm_set_errhandler(comm, outer));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, inner));
    OK(MPI_Errhandler_free(&outer));
    OK(MPI_Errhandler_free(&inner));
    provoke(comm);
    CHECK_INT(first.calls, 1);
    CHECK_INT(second.calls, 1);
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    DESTROYED(first);
    LIVES(second);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    DESTROYED(second);
    OK(MPI_Comm_free(&comm));
}

static void of_windows_and_files(void)
{
    struct state state = { 0 }, other = { 0 };
    MPI_Errhandler errhandler;
    MPI_Win win;
    MPI_File file;
    char path[1024];
    int number = 0;
    OK(win_create(on_win, destroy, &state, &errhandler));
    OK(MPI_Win_create(&number, sizeof number, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win));
    OK(MPI_Win_set_errhandler(win, errhandler));
    OK(MPI_Errhandler_free(&errhandler));
    OK(MPI_Win_call_errhandler(win, MPI_ERR_RMA_SYNC));
    CHECK_INT(state.error_class, MPI_ERR_RMA_SYNC);
    LIVES(state);
    OK(MPI_Win_free(&win));
    DESTROYED(state);

    OK(file_create(on_file, destroy, &other, &errhandler));
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, errhandler));
    OK(MPI_Errhandler_free(&errhandler));
    OK(MPI_File_open(MPI_COMM_SELF, "/nonexistent/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    CHECK_INT(other.calls, 1);
    snprintf(path, sizeof path, "%s/callback_state.%d", getenv("MPI_TEST_DIR"), check_rank);
    OK(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    if (!known_fault("file-inherits-handler")) {
        LIVES(other);
        OK(MPI_File_call_errhandler(file, MPI_ERR_NO_SPACE));
        CHECK_INT(other.error_class, MPI_ERR_NO_SPACE);
    } else {
        OK(MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
    }
    OK(MPI_File_close(&file));
    DESTROYED(other);
}

#if MPI_VERSION >= 4
static void on_session(MPI_Session session, int code, void *at)
{
    struct state *state = at;
    (void)session;
    state->calls++;
    MPI_Error_class(code, &state->error_class);
}

static void of_sessions(void)
{
    struct state state = { 0 };
    MPI_Errhandler errhandler, again;
    MPI_Session session;
    OK(session_create(on_session, destroy, &state, &errhandler));
    OK(MPI_Session_init(MPI_INFO_NULL, errhandler, &session));
    OK(MPI_Errhandler_free(&errhandler));
    OK(MPI_Session_call_errhandler(session, MPI_ERR_OTHER));
    CHECK_INT(state.error_class, MPI_ERR_OTHER);
    OK(MPI_Session_get_errhandler(session, &again));
    OK(MPI_Errhandler_free(&again));
    LIVES(state);
    OK(MPI_Session_finalize(&session));
    DESTROYED(state);
}
#endif

/* ---- enquiries ---- */

static void completeness(void)
{
    MPI_Request request;
    int number = 7, got = 0;
    CHECK(is_complete(MPI_REQUEST_NULL));
    OK(MPI_Recv_init(&got, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request));
    CHECK(is_complete(request));
    OK(MPI_Start(&request));
    CHECK(!is_complete(request));
    OK(MPI_Send(&number, 1, MPI_INT, 0, 5, MPI_COMM_SELF));
    CHECK(is_complete(request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(got, 7);
    CHECK(is_complete(request));
    OK(MPI_Request_free(&request));
}

/* The same in Fortran, where its library is there. */
static void completeness_in_fortran(void)
{
    int (*in_fortran)(MPI_Fint *);
    int number = 7, got = 0;
    MPI_Request request;
    MPI_Fint none = MPI_Request_c2f(MPI_REQUEST_NULL), some;
    if (!dlopen("libmpichfort.so.12", RTLD_NOW | RTLD_GLOBAL) || !find_state(&in_fortran, "mpix_request_is_complete_"))
        return;
    CHECK_INT(in_fortran(&none), 1);
    OK(MPI_Irecv(&got, 1, MPI_INT, 0, 6, MPI_COMM_SELF, &request));
    some = MPI_Request_c2f(request);
    CHECK_INT(in_fortran(&some), 0);
    OK(MPI_Send(&number, 1, MPI_INT, 0, 6, MPI_COMM_SELF));
    CHECK_INT(in_fortran(&some), 1);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* Others that answer, and do not fail for what the machine has not. */
static void enquiries(void)
{
    int flag;
    for (int type = 0; type < 3; type++) {
        flag = -1;
        OK(gpu_query(type, &flag));
        CHECK(flag == 0 || flag == 1);
    }
    flag = -1;
    OK(test_threadcomm(MPI_COMM_WORLD, &flag));
    CHECK_INT(flag, 0);
}

static int found_all(void)
{
    return find_state(&op_create, "MPIX_Op_create_x") & find_state(&comm_create, "MPIX_Comm_create_errhandler_x") &
           find_state(&file_create, "MPIX_File_create_errhandler_x") & find_state(&win_create, "MPIX_Win_create_errhandler_x") &
           find_state(&session_create, "MPIX_Session_create_errhandler_x") & find_state(&is_complete, "MPIX_Request_is_complete") &
           find_state(&gpu_query, "MPIX_GPU_query_support") & find_state(&test_threadcomm, "MPIX_Comm_test_threadcomm");
}

/* Ends with MPI, whose handle to it is the last. */
static struct state of_world;

int main(int argc, char **argv)
{
    MPI_Errhandler errhandler;
    int failed;
    check_begin(&argc, &argv);
    int has = found_all();
    if (has) {
        two_states_of_one_function();
        collectives();
        freed_while_in_use();
        many_operations();
        references_to_a_handler();
        inherited();
        replaced_and_nested();
        of_windows_and_files();
#if MPI_VERSION >= 4
        of_sessions();
#endif
        completeness();
        completeness_in_fortran();
        enquiries();
        CHECK_INT(after_free, 0);
        OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
        OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
        refused();
        of_world = for_comm(MPI_COMM_WORLD);
        OK(comm_create(on_comm, destroy, &of_world, &errhandler));
        OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler));
        OK(MPI_Errhandler_free(&errhandler));
        LIVES(of_world);
    }
    MPI_Allreduce(&check_failures, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (has)
        DESTROYED(of_world);
    if (failed == 0 && check_failures == 0 && check_rank == 0)
        printf("ok callback_state\n");
    return failed != 0 || check_failures != 0;
}
