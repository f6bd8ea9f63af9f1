/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Windows of two processes: what each operation leaves, epochs and their errors, flavors, models, attributes, handlers. */
#include "handlers.h"

static MPI_Comm apart;
/* There is room behind a window, for what a host writes there that does not look. */
static int exposed[64], in[8], out[8];

static void step(void)
{
    MPI_Barrier(apart);
}

static void fill(void)
{
    for (int i = 0; i < 8; i++) {
        exposed[i] = 100 * (here + 1) + i;
        in[i] = 10 * (here + 1) + i;
        out[i] = -1;
    }
}

static const char *flavor_of(int flavor)
{
    return flavor == MPI_WIN_FLAVOR_CREATE ? "MPI_WIN_FLAVOR_CREATE" : flavor == MPI_WIN_FLAVOR_ALLOCATE ? "MPI_WIN_FLAVOR_ALLOCATE" :
           flavor == MPI_WIN_FLAVOR_DYNAMIC ? "MPI_WIN_FLAVOR_DYNAMIC" :
           flavor == MPI_WIN_FLAVOR_SHARED ? "MPI_WIN_FLAVOR_SHARED" : "another";
}

static void describe(const char *label, MPI_Win of, const void *base)
{
    void *value = 0;
    int flag = 77, length = 77, size = 77;
    MPI_Group group;
    char name[MPI_MAX_OBJECT_NAME] = "", full[100];
#define OF(what) (snprintf(full, sizeof full, "%s of %s", what, label), full)
    SEE(OF("MPI_WIN_BASE"), MPI_Win_get_attr(of, MPI_WIN_BASE, &value, &flag),
        note(" flag %d %s", flag, value == base ? "the base" : "another"));
    SEE(OF("MPI_WIN_SIZE"), MPI_Win_get_attr(of, MPI_WIN_SIZE, &value, &flag), note(" flag %d %ld", flag, (long)*(MPI_Aint *)value));
    SEE(OF("MPI_WIN_DISP_UNIT"), MPI_Win_get_attr(of, MPI_WIN_DISP_UNIT, &value, &flag), note(" flag %d %d", flag, *(int *)value));
    SEE(OF("MPI_WIN_CREATE_FLAVOR"), MPI_Win_get_attr(of, MPI_WIN_CREATE_FLAVOR, &value, &flag),
        note(" flag %d %s", flag, flavor_of(*(int *)value)));
    SEE(OF("MPI_WIN_MODEL"), MPI_Win_get_attr(of, MPI_WIN_MODEL, &value, &flag),
        note(" flag %d %s", flag,
            *(int *)value == MPI_WIN_UNIFIED ? "MPI_WIN_UNIFIED" :
            *(int *)value == MPI_WIN_SEPARATE ? "MPI_WIN_SEPARATE" : "another"));
    SEE(OF("win_get_name"), MPI_Win_get_name(of, name, &length), note(" '%s' %d", name, length));
    SEE(OF("win_get_group"), MPI_Win_get_group(of, &group), MPI_Group_size(group, &size); note(" %d", size));
    MPI_Group_free(&group);
}

static void shared_memory(void)
{
    MPI_Win made;
    int *base = 0, *theirs, unit = 77;
    MPI_Aint size = 77;
    SEE("win_allocate_shared", MPI_Win_allocate_shared(32, 4, MPI_INFO_NULL, duplicate, &base, &made));
    describe("a window that is shared", made, base);
    SEE("win_shared_query", MPI_Win_shared_query(made, 1, &size, &unit, &theirs),
        note(" %ld %d %s", (long)size, unit, (theirs == base) == here ? "as it should be" : "another"));
    SEE("win_shared_query of any", MPI_Win_shared_query(made, MPI_PROC_NULL, &size, &unit, &theirs), note(" %ld %d", (long)size, unit));
    SEE("win_free of the shared one", MPI_Win_free(&made));
}

static void flavors(void)
{
    MPI_Win made;
    MPI_Errhandler got;
    int *base = 0, unit = 77;
    MPI_Aint size = 77, address;
    SEE("win_create", MPI_Win_create(exposed, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, duplicate, &made));
    SEE("win_get_errhandler", MPI_Win_get_errhandler(made, &got),
        note(" %s", got == MPI_ERRORS_ARE_FATAL ? "MPI_ERRORS_ARE_FATAL" : "another"));
    describe("a window that was created", made, exposed);
    MPI_Win_set_errhandler(made, MPI_ERRORS_RETURN);
    SEE("win_shared_query of it", MPI_Win_shared_query(made, 0, &size, &unit, &base), note(" %ld", (long)size));
    SEE("win_attach to it", MPI_Win_attach(made, out, sizeof out));
    SEE("win_free of it", MPI_Win_free(&made), note(" %s", made == MPI_WIN_NULL ? "null" : "not null"));
    SEE("win_allocate", MPI_Win_allocate(32, 4, MPI_INFO_NULL, duplicate, &base, &made));
    describe("a window that was allocated", made, base);
    SEE("win_free of the allocated one", MPI_Win_free(&made));
    if (!left_out("shared memory"))
        shared_memory();
    SEE("win_create_dynamic", MPI_Win_create_dynamic(MPI_INFO_NULL, duplicate, &made));
    MPI_Win_set_errhandler(made, MPI_ERRORS_RETURN);
    describe("a window that is dynamic", made, MPI_BOTTOM);
    SEE("win_attach", MPI_Win_attach(made, exposed, sizeof exposed));
    SEE("win_detach", MPI_Win_detach(made, exposed));
    SEE("win_attach again", MPI_Win_attach(made, exposed, sizeof exposed));
    MPI_Get_address(exposed, &address);
    MPI_Aint addresses[2];
    fill();
    MPI_Allgather(&address, 1, MPI_AINT, addresses, 1, MPI_AINT, duplicate);
    MPI_Win_lock_all(0, made);
    SEE("put at an address", MPI_Put(in, 2, MPI_INT, 1 - here, addresses[1 - here], 2, MPI_INT, made));
    MPI_Win_unlock_all(made);
    step();
    printf("%swhat was put at an address\t%d %d\n", who, exposed[0], exposed[1]);
    MPI_Win_detach(made, exposed);
    SEE("win_free of the dynamic one", MPI_Win_free(&made));
}

static void operations(void)
{
    MPI_Request request;
    MPI_Status status;
    int other = 1 - here, one = 3, compared, result = -1;
    fill();
    SEE("fence", MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    MPI_Put(in, 2, MPI_INT, other, 0, 2, MPI_INT, win);
    MPI_Get(out, 2, MPI_INT, other, 4, 2, MPI_INT, win);
    MPI_Accumulate(in, 2, MPI_INT, other, 2, 2, MPI_INT, MPI_SUM, win);
    SEE("put to no process", MPI_Put(in, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win));
    SEE("fence after operations", MPI_Win_fence(MPI_MODE_NOSUCCEED, win), note_numbers(exposed, 6); note(", got"); note_numbers(out, 2));
    step();
    fill();
    step();
    SEE("lock_all", MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    MPI_Get_accumulate(in, 2, MPI_INT, out, 2, MPI_INT, other, 0, 2, MPI_INT, MPI_REPLACE, win);
    SEE("flush", MPI_Win_flush(other, win), note_numbers(out, 2));
    MPI_Fetch_and_op(&one, &result, MPI_INT, other, 2, MPI_PROD, win);
    SEE("flush_local", MPI_Win_flush_local(other, win), note(" %d", result));
    MPI_Fetch_and_op(0, &result, MPI_INT, other, 3, MPI_NO_OP, win);
    SEE("flush_all", MPI_Win_flush_all(win), note(" %d", result));
    step();
    result = -1;
    compared = 10 * (here + 1);
    MPI_Compare_and_swap(&one, &compared, &result, MPI_INT, other, 0, win);
    SEE("flush_local_all", MPI_Win_flush_local_all(win), note(" %d", result));
    clear_statuses(&status, 1);
    SEE("rput", MPI_Rput(in, 1, MPI_INT, other, 5, 1, MPI_INT, win, &request),
        MPI_Wait(&request, MPI_STATUS_IGNORE); note(" %s", STATE(request, MPI_REQUEST_NULL)));
    SEE("rget", MPI_Rget(out, 1, MPI_INT, other, 6, 1, MPI_INT, win, &request),
        MPI_Wait(&request, MPI_STATUS_IGNORE); note_numbers(out, 1));
    SEE("raccumulate", MPI_Raccumulate(in, 1, MPI_INT, other, 7, 1, MPI_INT, MPI_MAX, win, &request),
        MPI_Wait(&request, MPI_STATUS_IGNORE));
    SEE("rget_accumulate", MPI_Rget_accumulate(in, 1, MPI_INT, out, 1, MPI_INT, other, 4, 1, MPI_INT, MPI_MIN, win, &request),
        MPI_Wait(&request, MPI_STATUS_IGNORE); note_numbers(out, 1));
    SEE("rput to no process", MPI_Rput(in, 1, MPI_INT, MPI_PROC_NULL, 5, 1, MPI_INT, win, &request),
        MPI_Wait(&request, MPI_STATUS_IGNORE); note(" %s", STATE(request, MPI_REQUEST_NULL)));
    SEE("win_sync", MPI_Win_sync(win));
    SEE("unlock_all", MPI_Win_unlock_all(win));
    step();
    MPI_Win_lock(MPI_LOCK_SHARED, here, 0, win);
    printf("%safter unlock_all\t", who);
    for (int i = 0; i < 8; i++)
        printf("%d ", exposed[i]);
    puts("");
    MPI_Win_unlock(here, win);
    step();
}

static void post_start(void)
{
    MPI_Group all, other_group;
    int other = 1 - here, flag = 77;
    MPI_Comm_group(duplicate, &all);
    MPI_Group_incl(all, 1, &other, &other_group);
    fill();
    step();
    if (here == 0) {
        SEE("start", MPI_Win_start(other_group, 0, win));
        MPI_Put(in, 3, MPI_INT, 1, 0, 3, MPI_INT, win);
        SEE("complete", MPI_Win_complete(win));
    } else {
        SEE("post", MPI_Win_post(other_group, 0, win));
        SEE("wait", MPI_Win_wait(win), note_numbers(exposed, 3));
    }
    step();
    if (here == 0) {
        step();
        MPI_Win_start(other_group, 0, win);
        MPI_Win_complete(win);
        step();
    } else {
        MPI_Win_post(other_group, 0, win);
        SEE("test of what is not complete", MPI_Win_test(win, &flag), note(" flag %d", flag));
        step();
        step();
        for (int i = 0; i < 1000000 && flag != 1; i++)
            MPI_Win_test(win, &flag);
        printf("%stest of what is complete\tflag %d\n", who, flag);
    }
    step();
    MPI_Group_free(&other_group);
    MPI_Group_free(&all);
}

/* All of it on both processes. */
static void epochs(void)
{
    MPI_Request request;
    MPI_Group group;
    int flag = 77;
    SEE("put without an epoch", MPI_Put(in, 1, MPI_INT, here, 0, 1, MPI_INT, win));
    SEE("get without an epoch", MPI_Get(out, 1, MPI_INT, here, 0, 1, MPI_INT, win));
    SEE("accumulate without an epoch", MPI_Accumulate(in, 1, MPI_INT, here, 0, 1, MPI_INT, MPI_SUM, win));
    SEE("rput without an epoch", MPI_Rput(in, 1, MPI_INT, here, 0, 1, MPI_INT, win, &request));
    SEE("flush without an epoch", MPI_Win_flush(here, win));
    SEE("flush_all without an epoch", MPI_Win_flush_all(win));
    SEE("flush_local without an epoch", MPI_Win_flush_local(here, win));
    SEE("sync without an epoch", MPI_Win_sync(win));
    SEE("unlock without an epoch", MPI_Win_unlock(here, win));
    SEE("unlock_all without an epoch", MPI_Win_unlock_all(win));
    SEE("complete without an epoch", MPI_Win_complete(win));
    SEE("wait without an epoch", MPI_Win_wait(win));
    SEE("test without an epoch", MPI_Win_test(win, &flag), note(" flag %d", flag));
    MPI_Win_lock(MPI_LOCK_SHARED, here, 0, win);
    SEE("lock within a lock", MPI_Win_lock(MPI_LOCK_SHARED, here, 0, win));
    SEE("lock_all within a lock", MPI_Win_lock_all(0, win));
    SEE("flush of a process that is not locked", MPI_Win_flush(1 - here, win));
    if (!host_is("mpich"))
        SEE("unlock of a process that is not locked", MPI_Win_unlock(1 - here, win));
    if (!host_is("mpich"))
        SEE("put to a process that is not locked", MPI_Put(in, 1, MPI_INT, 1 - here, 0, 1, MPI_INT, win));
    SEE("fence within a lock", MPI_Win_fence(0, win));
    SEE("unlock", MPI_Win_unlock(here, win));
    if (!host_is("openmpi"))
        SEE("start of the null group", MPI_Win_start(MPI_GROUP_NULL, 0, win));
    if (!host_is("openmpi"))
        SEE("post of the null group", MPI_Win_post(MPI_GROUP_NULL, 0, win));
    SEE("fence with a wrong assertion", MPI_Win_fence(0x40000000, win));
    SEE("lock with a wrong assertion", MPI_Win_lock(MPI_LOCK_SHARED, here, 0x40000000, win));
    MPI_Win_unlock(here, win);
    SEE("win_get_group of the null window", MPI_Win_get_group(MPI_WIN_NULL, &group));
    SEE("fence of the null window", MPI_Win_fence(0, MPI_WIN_NULL));
    step();
}

static void concatenate(void *from, void *to, int *count, MPI_Datatype *type)
{
    (void)from, (void)to, (void)count, (void)type;
    note(" called");
}

static void arguments(void)
{
    MPI_Win made;
    MPI_Op op;
    MPI_Datatype type;
    int one = 1;
    MPI_Op_create(concatenate, 1, &op);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Win_fence(0, win);
    SEE("put at a negative displacement", MPI_Put(in, 1, MPI_INT, here, -3, 1, MPI_INT, win));
    SEE("put to any", MPI_Put(in, 1, MPI_INT, MPI_ANY_SOURCE, 0, 1, MPI_INT, win));
    SEE("put of a datatype that is not committed", MPI_Put(in, 1, type, here, 0, 1, type, win));
    SEE("get of a negative count", MPI_Get(out, 1, MPI_INT, here, 0, -1, MPI_INT, win));
    SEE("accumulate by an operation of ours", MPI_Accumulate(in, 1, MPI_INT, here, 0, 1, MPI_INT, op, win));
    SEE("accumulate by MPI_NO_OP", MPI_Accumulate(in, 1, MPI_INT, here, 0, 1, MPI_INT, MPI_NO_OP, win));
    SEE("get_accumulate by the null operation", MPI_Get_accumulate(in, 1, MPI_INT, out, 1, MPI_INT, here, 0, 1, MPI_INT, MPI_OP_NULL, win));
    SEE("fetch_and_op of the null datatype", MPI_Fetch_and_op(&one, out, MPI_DATATYPE_NULL, here, 0, MPI_SUM, win));
    SEE("compare_and_swap of doubles", MPI_Compare_and_swap(in, in, out, MPI_DOUBLE, here, 0, win));
    SEE("compare_and_swap of a bad rank", MPI_Compare_and_swap(&one, &one, out, MPI_INT, 6, 0, win));
    MPI_Win_fence(0, win);
    SEE("win_create of a negative size", MPI_Win_create(exposed, -8, 4, MPI_INFO_NULL, duplicate, &made));
    SEE("win_create in no units", MPI_Win_create(exposed, 8, 0, MPI_INFO_NULL, duplicate, &made));
    SEE("win_create on the null communicator", MPI_Win_create(exposed, 8, 4, MPI_INFO_NULL, MPI_COMM_NULL, &made));
    SEE("win_allocate of a negative size", MPI_Win_allocate(-8, 4, MPI_INFO_NULL, duplicate, &in, &made));
    SEE("win_create_dynamic on the null communicator", MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_NULL, &made));
    MPI_Type_free(&type);
    MPI_Op_free(&op);
    step();
}

static int copy(MPI_Win of, int keyval, void *state, void *value, void *to, int *flag)
{
    (void)of, (void)keyval, (void)state, (void)value, (void)to;
    note(" copy");
    *flag = 0;
    return MPI_SUCCESS;
}

static int delete(MPI_Win of, int keyval, void *value, void *state)
{
    (void)keyval, (void)state;
    note(" delete %d%s", *(int *)value, of == win ? "" : " of another");
    return *(int *)value == 13 ? MPI_ERR_INTERN : MPI_SUCCESS;
}

static void attributes(void)
{
    static int values[3] = { 11, 12, 13 }, state;
    int keyval, *value = 0, flag = 77;
    MPI_Info info;
    SEE("win_create_keyval", MPI_Win_create_keyval(copy, delete, &keyval, &state));
    SEE("win_get_attr of none", MPI_Win_get_attr(win, keyval, &value, &flag), note(" flag %d", flag));
    SEE("win_set_attr", MPI_Win_set_attr(win, keyval, &values[0]));
    SEE("win_set_attr again", MPI_Win_set_attr(win, keyval, &values[2]));
    SEE("win_delete_attr that a function refuses", MPI_Win_delete_attr(win, keyval));
    SEE("win_set_attr that a function refuses", MPI_Win_set_attr(win, keyval, &values[1]));
    SEE("win_get_attr", MPI_Win_get_attr(win, keyval, &value, &flag), note(" flag %d %d", flag, flag ? *value : 0));
    values[2] = 14;
    SEE("win_delete_attr", MPI_Win_delete_attr(win, keyval));
    SEE("win_delete_attr of none", MPI_Win_delete_attr(win, keyval));
    SEE("win_set_attr of MPI's", MPI_Win_set_attr(win, MPI_WIN_BASE, exposed));
    SEE("win_delete_attr of MPI's", MPI_Win_delete_attr(win, MPI_WIN_SIZE));
    SEE("win_get_attr of the null window", MPI_Win_get_attr(MPI_WIN_NULL, keyval, &value, &flag));
    MPI_Win_set_attr(win, keyval, &values[0]);
    SEE("win_free_keyval", MPI_Win_free_keyval(&keyval), note(" %s", keyval == MPI_KEYVAL_INVALID ? "invalid" : "valid"));
    SEE("win_get_info", MPI_Win_get_info(win, &info), note(" %s", info == MPI_INFO_NULL ? "null" : "made"));
    MPI_Info_set(info, "no_locks", "false");
    SEE("win_set_info", MPI_Win_set_info(win, info));
    MPI_Info_free(&info);
    SEE("win_set_info of the null info", MPI_Win_set_info(win, MPI_INFO_NULL));
    SEE("win_set_name", MPI_Win_set_name(win, " a window "));
    char name[MPI_MAX_OBJECT_NAME] = "";
    SEE("win_get_name", MPI_Win_get_name(win, name, &flag), note(" '%s' %d", name, flag));
    SEE("win_get_name of the null window", MPI_Win_get_name(MPI_WIN_NULL, name, &flag));
}

static void handlers(void)
{
    MPI_Errhandler comm_handler, got;
    MPI_Comm_create_errhandler(on_comm, &comm_handler);
    SEE("win_set_errhandler of a communicator's handler", MPI_Win_set_errhandler(win, comm_handler));
    MPI_Errhandler_free(&comm_handler);
    SEE("win_get_errhandler after that", MPI_Win_get_errhandler(win, &got), note(" %s", got == MPI_ERRHANDLER_NULL ? "null" : "made"));
    MPI_Errhandler_free(&got);
    SEE("win_set_errhandler of null", MPI_Win_set_errhandler(win, MPI_ERRHANDLER_NULL));
    SEE("win_call_errhandler", MPI_Win_call_errhandler(win, MPI_ERR_RMA_SYNC));
    SEE("win_call_errhandler of the null window", MPI_Win_call_errhandler(MPI_WIN_NULL, MPI_ERR_RMA_SYNC));
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    SEE("win_call_errhandler that returns", MPI_Win_call_errhandler(win, MPI_ERR_RMA_SYNC));
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    MPI_Comm_dup(MPI_COMM_WORLD, &apart);
    observe_ranks();
    set_all(on_comm);
    flavors();
    MPI_Win_create(exposed, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, duplicate, &win);
    MPI_Win_create_errhandler(on_win, &handler);
    MPI_Win_set_errhandler(win, handler);
    MPI_Errhandler_free(&handler);
    epochs();
    operations();
    if (!left_out("post and start"))
        post_start();
    arguments();
    attributes();
    handlers();
    SEE("win_free", MPI_Win_free(&win), note(" %s", win == MPI_WIN_NULL ? "null" : "not null"));
    MPI_Comm_free(&apart);
    MPI_Comm_free(&duplicate);
    MPI_Finalize();
    return 0;
}
