/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 4 */
/* One-sided communication: every operation, synchronization and assertion. */
#include "check.h"

enum { N = 16 };

static int n, me, right, left, *memory;
static MPI_Win win;

static void reset(void)
{
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win));
    for (int i = 0; i < N; i++)
        memory[i] = 100 * me + i;
    OK(MPI_Win_unlock(me, win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* Assertions are bit flags of their own, whose bits mean something else
 * among the file modes. */
static void fences(void)
{
    static const int asserts[] = { 0, MPI_MODE_NOSTORE, MPI_MODE_NOPUT, MPI_MODE_NOSTORE | MPI_MODE_NOPUT };
    for (unsigned i = 0; i < sizeof asserts / sizeof *asserts; i++) {
        int got = -1, value = 7 + me;
        reset();
        OK(MPI_Win_fence(MPI_MODE_NOPRECEDE | (asserts[i] & MPI_MODE_NOSTORE), win));
        OK(MPI_Get(&got, 1, MPI_INT, right, 3, 1, MPI_INT, win));
        OK(MPI_Win_fence(asserts[i], win));
        CHECK_INT(got, 100 * right + 3);
        if (asserts[i] & MPI_MODE_NOPUT)
            OK(MPI_Win_fence(0, win));
        OK(MPI_Put(&value, 1, MPI_INT, right, 5, 1, MPI_INT, win));
        OK(MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE, win));
        CHECK_INT(memory[5], 7 + left);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

static void accumulate(void)
{
    int value[2] = { 1, 10 }, old[2] = { -1, -1 };
    reset();
    OK(MPI_Win_fence(0, win));
    OK(MPI_Accumulate(value, 2, MPI_INT, 0, 0, 2, MPI_INT, MPI_SUM, win));
    OK(MPI_Win_fence(0, win));
    if (me == 0)
        CHECK_INT(memory[1], 1 + 10 * n);
    OK(MPI_Accumulate(value, 1, MPI_INT, right, 2, 1, MPI_INT, MPI_REPLACE, win));
    OK(MPI_Win_fence(0, win));
    CHECK_INT(memory[2], 1);
    OK(MPI_Get_accumulate(value, 2, MPI_INT, old, 2, MPI_INT, right, 3, 2, MPI_INT, MPI_SUM, win));
    OK(MPI_Win_fence(0, win));
    CHECK_INT(old[1], 100 * right + 4);
    CHECK_INT(memory[4], 100 * me + 14);
    /* MPI_NO_OP reads; its origin arguments are not looked at. */
    OK(MPI_Get_accumulate(NULL, 0, MPI_INT, old, 1, MPI_INT, right, 4, 1, MPI_INT, MPI_NO_OP, win));
    OK(MPI_Win_fence(0, win));
    CHECK_INT(old[0], 100 * right + 14);
}

static void atomics(void)
{
    int one = 1, old = -1, zero = 0, target = 99;
    reset();
    if (me == 0) {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        memory[0] = 0;
        OK(MPI_Win_unlock(0, win));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < 20; i++) {
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        OK(MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, MPI_SUM, win));
        OK(MPI_Win_unlock(0, win));
        CHECK(old >= 0 && old < 20 * n);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, known_fault("lock-nocheck") ? 0 : MPI_MODE_NOCHECK, win));
    OK(MPI_Fetch_and_op(NULL, &old, MPI_INT, 0, 0, MPI_NO_OP, win));
    OK(MPI_Win_flush(0, win));
    CHECK_INT(old, 20 * n);
    OK(MPI_Win_unlock(0, win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win));
    OK(MPI_Compare_and_swap(&target, &zero, &old, MPI_INT, right, 6, win));
    OK(MPI_Win_flush(right, win));
    CHECK_INT(old, 100 * right + 6);
    zero = old;
    OK(MPI_Compare_and_swap(&target, &zero, &old, MPI_INT, right, 6, win));
    OK(MPI_Win_unlock(right, win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
    CHECK_INT(memory[6], 99);
    OK(MPI_Win_unlock(me, win));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win));
    OK(MPI_Fetch_and_op(&one, &old, MPI_INT, right, 7, MPI_REPLACE, win));
    OK(MPI_Win_unlock(right, win));
    CHECK_INT(old, 100 * right + 7);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

static void start_and_post(int assert)
{
    int value = 1000 + me, flag = 0;
    MPI_Group world, to, from, got;
    int size = 0;
    reset();
    OK(MPI_Win_get_group(win, &got));
    OK(MPI_Group_size(got, &size));
    CHECK_INT(size, n);
    OK(MPI_Group_free(&got));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Group_incl(world, 1, &right, &to));
    OK(MPI_Group_incl(world, 1, &left, &from));
    OK(MPI_Win_post(from, assert, win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_start(to, assert & MPI_MODE_NOCHECK, win));
    OK(MPI_Put(&value, 1, MPI_INT, right, 9, 1, MPI_INT, win));
    OK(MPI_Win_complete(win));
    if (assert)
        OK(MPI_Win_wait(win));
    else
        while (!flag)
            OK(MPI_Win_test(win, &flag));
    CHECK_INT(memory[9], 1000 + left);
    OK(MPI_Group_free(&to));
    OK(MPI_Group_free(&from));
    OK(MPI_Group_free(&world));
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

static void lock_all_and_requests(void)
{
    int values[4] = { 1, 2, 3, 4 }, got[4] = { 0 }, old = -1;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    reset();
    OK(MPI_Win_lock_all(0, win));
    OK(MPI_Rput(values, 4, MPI_INT, right, 8, 4, MPI_INT, win, &requests[0]));
    OK(MPI_Rget(got, 2, MPI_INT, right, 0, 2, MPI_INT, win, &requests[1]));
    OK(MPI_Waitall(2, requests, statuses));
    CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    CHECK_INT(got[1], 100 * right + 1);
    OK(MPI_Win_flush_all(win));
    OK(MPI_Win_flush_local(right, win));
    OK(MPI_Win_flush_local_all(win));
    OK(MPI_Raccumulate(values, 1, MPI_INT, right, 12, 1, MPI_INT, MPI_SUM, win, &requests[0]));
    OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    OK(MPI_Win_flush(right, win));
    OK(MPI_Rget_accumulate(values, 1, MPI_INT, &old, 1, MPI_INT, right, 12, 1, MPI_INT, MPI_MAX, win, &requests[0]));
    OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    CHECK_INT(old, 100 * right + 13);
    OK(MPI_Win_sync(win));
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
    CHECK_INT(memory[8], 1);
    CHECK_INT(memory[11], 4);
    OK(MPI_Win_unlock(me, win));
}

/* A rank that is MPI_PROC_NULL, and derived types at both ends. */
static void proc_null_and_types(void)
{
    int value = 3, column[4] = { -1, -1, -1, -1 };
    MPI_Datatype stride;
    reset();
    OK(MPI_Type_vector(4, 1, 3, MPI_INT, &stride));
    OK(MPI_Type_commit(&stride));
    OK(MPI_Win_fence(0, win));
    OK(MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win));
    OK(MPI_Get(column, 4, MPI_INT, MPI_PROC_NULL, 0, 4, MPI_INT, win));
    OK(MPI_Accumulate(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win));
    OK(MPI_Win_fence(0, win));
    CHECK_INT(column[0], -1);
    OK(MPI_Get(column, 4, MPI_INT, right, 1, 1, stride, win));
    OK(MPI_Type_free(&stride));
    OK(MPI_Win_fence(0, win));
    for (int i = 0; i < 4; i++)
        CHECK_INT(column[i], 100 * right + 1 + 3 * i);
}

static void all(void)
{
    fences();
    accumulate();
    proc_null_and_types();
    OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    atomics();
    start_and_post(0);
    start_and_post(known_fault("post-nocheck") ? 0 : MPI_MODE_NOCHECK | MPI_MODE_NOSTORE);
    lock_all_and_requests();
}

static void names_and_info(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length = -1;
    MPI_Info info;
    OK(MPI_Win_set_name(win, "my window"));
    OK(MPI_Win_get_name(win, name, &length));
    CHECK_STR(name, "my window");
    OK(MPI_Win_get_info(win, &info));
    CHECK(info != MPI_INFO_NULL);
    OK(MPI_Win_set_info(win, info));
    OK(MPI_Info_free(&info));
}

static void shared(void)
{
    int *base = NULL, *theirs = NULL, unit = -1, *first = NULL;
    MPI_Aint size = -1;
    MPI_Win window;
    OK(MPI_Win_allocate_shared((me + 1) * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window));
    OK(MPI_Win_lock_all(MPI_MODE_NOCHECK, window));
    base[me] = 4000 + me;
    OK(MPI_Win_sync(window));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_shared_query(window, right, &size, &unit, &theirs));
    CHECK_INT(size, (right + 1) * sizeof(int));
    CHECK_INT(unit, sizeof(int));
    CHECK_INT(theirs[right], 4000 + right);
    OK(MPI_Win_shared_query(window, MPI_PROC_NULL, &size, &unit, &first));
    CHECK_INT(first[0], 4000);
    OK(MPI_Win_unlock_all(window));
    OK(MPI_Win_free(&window));
}

static void dynamic(void)
{
    static int target[4];
    int value = 55 + me;
    MPI_Aint mine, *places = calloc(n, sizeof *places);
    MPI_Win window;
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window));
    OK(MPI_Win_attach(window, target, sizeof target));
    OK(MPI_Get_address(&target[2], &mine));
    OK(MPI_Allgather(&mine, 1, MPI_AINT, places, 1, MPI_AINT, MPI_COMM_WORLD));
    OK(MPI_Win_fence(0, window));
    OK(MPI_Put(&value, 1, MPI_INT, right, places[right], 1, MPI_INT, window));
    OK(MPI_Win_fence(0, window));
    CHECK_INT(target[2], 55 + left);
    OK(MPI_Win_detach(window, target));
    OK(MPI_Win_free(&window));
    free(places);
}

/* Sizes of all sorts, none of which need be a multiple of anything; each rank's is its own. */
static void sizes(void)
{
    enum { MOST = 5000 };
    static const MPI_Aint each[] = { 1, 3, 4, 12, 20, 24, 40, 4100, MOST };
    static char got[MOST + 8];
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        char *base = NULL;
        int flag = 0;
        MPI_Aint size = each[i] + me, his = each[i] + right, *said = NULL;
        MPI_Win window;
        OK(MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window));
        memset(base, 1 + me, size);
        OK(MPI_Win_get_attr(window, MPI_WIN_SIZE, &said, &flag));
        CHECK(flag && *said == size);
        OK(MPI_Win_fence(0, window));
        memset(got, 0, sizeof got);
        OK(MPI_Get(got, his, MPI_CHAR, right, 0, his, MPI_CHAR, window));
        OK(MPI_Win_fence(0, window));
        CHECK(got[0] == 1 + right && got[his - 1] == 1 + right && got[his] == 0);
        OK(MPI_Win_free(&window));
    }
}

/* Checks a window's attributes. */
static void placed(const void *base, MPI_Aint size, int unit)
{
    void *said = NULL;
    MPI_Aint *said_size = NULL;
    int *said_unit = NULL, flag = 0;
    OK(MPI_Win_get_attr(win, MPI_WIN_BASE, &said, &flag));
    CHECK(flag && said == base);
    OK(MPI_Win_get_attr(win, MPI_WIN_SIZE, &said_size, &flag));
    CHECK(flag && *said_size == size);
    OK(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &said_unit, &flag));
    CHECK(flag && *said_unit == unit);
}

/* Windows at any address, each rank's at its own, and nothing around them changes. */
static void addresses(void)
{
    enum { ROOM = N + 24 };
    static int room[ROOM] __attribute__((aligned(64)));
    MPI_Info sizes;
    OK(MPI_Info_create(&sizes));
    OK(MPI_Info_set(sizes, "same_size", "true"));
    for (int i = 0; i < 4; i++) {
        int begin = 4 + (5 * i + me) % 16;
        for (int j = 0; j < ROOM; j++)
            room[j] = -1 - j;
        memory = room + begin;
        OK(MPI_Win_create(memory, N * sizeof(int), sizeof(int), i % 2 ? sizes : MPI_INFO_NULL, MPI_COMM_WORLD, &win));
        placed(memory, N * sizeof(int), sizeof(int));
        all();
        OK(MPI_Win_free(&win));
        for (int j = 0; j < ROOM; j++)
            CHECK(room[j] == -1 - j || (j >= begin && j < begin + N));
    }
    OK(MPI_Info_free(&sizes));
}

/* Windows of the rows of an array, and of parts of what another window has. */
static void neighbours(void)
{
    enum { ROWS = 5, COLUMNS = 25 };
    static int array[ROWS][COLUMNS] __attribute__((aligned(64)));
    const MPI_Aint row = sizeof array[0], part = sizeof array - row / COLUMNS;
    MPI_Win rows[ROWS], all_of_it;
    OK(MPI_Win_create(array, sizeof array, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &all_of_it));
    OK(MPI_Win_create(&array[0][1], part, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    placed(&array[0][1], part, sizeof(int));
    for (int i = 0; i < ROWS; i++) {
        OK(MPI_Win_create(array[i], row, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &rows[i]));
        OK(MPI_Win_fence(0, rows[i]));
        for (int j = 0; j < COLUMNS; j++)
            array[i][j] = -1;
        OK(MPI_Win_fence(0, rows[i]));
        OK(MPI_Put(&i, 1, MPI_INT, right, 3 + i, 1, MPI_INT, rows[i]));
        OK(MPI_Win_fence(0, rows[i]));
        for (int j = 0; j < COLUMNS; j++)
            CHECK_INT(array[i][j], j == 3 + i ? i : -1);
    }
    OK(MPI_Win_fence(0, win));
    OK(MPI_Put(&right, 1, MPI_INT, right, 2 * COLUMNS, 1, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    CHECK_INT(array[2][1], me);
    for (int i = 0; i < ROWS; i++)
        OK(MPI_Win_free(&rows[i]));
    OK(MPI_Win_free(&win));
    OK(MPI_Win_free(&all_of_it));
}

/* Single bytes, whose displacements have another unit on each rank; and windows of which some ranks have no part. */
static void bytes(void)
{
    static char room[256] __attribute__((aligned(64)));
    MPI_Win other;
    for (int i = 1; i < 16; i += 5) {
        char *base = room + 64 + (i + 3 * me) % 16, value = 1 + me, got = 0;
        memset(room, 0, sizeof room);
        OK(MPI_Win_create(base, 40, 1 + me, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
        OK(MPI_Win_create(base + 40, 8 * (me % 2), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &other));
        placed(base, 40, 1 + me);
        OK(MPI_Win_fence(0, win));
        OK(MPI_Put(&value, 1, MPI_CHAR, right, 5, 1, MPI_CHAR, win));
        OK(MPI_Win_fence(0, win));
        CHECK_INT(base[5 * (1 + me)], 1 + left);
        OK(MPI_Get(&got, 1, MPI_CHAR, right, 5, 1, MPI_CHAR, win));
        OK(MPI_Win_fence(0, win));
        CHECK_INT(got, value);
        OK(MPI_Win_free(&win));
        OK(MPI_Win_fence(0, other));
        OK(MPI_Put(&value, right % 2, MPI_CHAR, right, 7 * (right % 2), right % 2, MPI_CHAR, other));
        OK(MPI_Win_fence(0, other));
        CHECK_INT(base[47], me % 2 ? 1 + left : 0);
        base[5 * (1 + me)] = base[47] = 0;
        for (size_t j = 0; j < sizeof room; j++)
            CHECK_INT(room[j], 0);
        OK(MPI_Win_free(&other));
    }
}

int main(int argc, char **argv)
{
    /* At the address where MPICH 4.0.2 over UCX natively takes the window to begin (window-address). */
    static int fixed[N] __attribute__((aligned(16)));
    void *heap = NULL;
    check_begin(&argc, &argv);
    n = check_size, me = check_rank, right = (me + 1) % n, left = (me + n - 1) % n;
    memory = fixed;
    OK(MPI_Win_create(fixed, sizeof fixed, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    all();
    names_and_info();
    OK(MPI_Win_free(&win));
    OK(MPI_Win_allocate(sizeof fixed, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    all();
    OK(MPI_Win_free(&win));
    OK(MPI_Alloc_mem(N * sizeof(int), MPI_INFO_NULL, &heap));
    memory = heap;
    OK(MPI_Win_create(heap, N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    fences();
    OK(MPI_Win_free(&win));
    OK(MPI_Free_mem(heap));
    shared();
    if (!known_fault("window-sizes"))
        sizes();
    if (!known_fault("window-address")) {
        addresses();
        neighbours();
        bytes();
    }
    dynamic();
    return check_end();
}
