/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Laplace solver by Jacobi's method on arrays in a shared memory of pages, as
 * a page-based distributed shared memory does it: every page has a home; pages
 * are fetched when a thread touches them; at a barrier, what changed in a page
 * since its first write is sent home, and everybody hears which pages are out
 * of date. Several threads of each rank communicate at the same time.
 */
#include "app.h"
#include <pthread.h>
#include <sched.h>

enum { THREADS = 2, ITEMS = 512, MUTEXES = 64, RESULTS = 2 };

enum { INVALID, VALID };

/* Before the pages of its home, each window has a lock and a sum; rank 0's are used. */
enum { LOCK_WORD, SUM_WORD, FIRST_PAGE };

static struct {
    int n, pages;
    double *memory;                 /* this rank's copies of all pages */
    double *home;                   /* in the window */
    double *twins;                  /* pages as they were before they were written */
    int *state, *written;
    uint64_t *notices, *all_notices;
    int notice_words;
    MPI_Win window;
    pthread_mutex_t mutex[MUTEXES];
    pthread_barrier_t barrier;
} dsm;

/* Offsets of the two arrays in the shared memory. */
static int64_t addresses[2];

struct thread {
    int number, first, end;         /* its rows, among all threads of all ranks */
    pthread_t id;
};

static int size(void)
{
    return app_quick ? 200 : 1024;
}

static int steps(void)
{
    return app_steps(5, 120);
}

static int home_of(int page)
{
    return page % app_ranks;
}

static MPI_Aint place_of(int page)
{
    return FIRST_PAGE + (MPI_Aint)(page / app_ranks) * ITEMS;
}

static double *page_memory(int page)
{
    return &dsm.memory[(size_t)page * ITEMS];
}

static double *page_twin(int page)
{
    return &dsm.twins[(size_t)page * ITEMS];
}

static void fetch_page(int page)
{
    if (home_of(page) == app_rank) {
        memcpy(page_memory(page), &dsm.home[place_of(page)], ITEMS * sizeof(double));
    } else {
        MPI_Get(page_memory(page), ITEMS, MPI_DOUBLE, home_of(page), place_of(page), ITEMS, MPI_DOUBLE, dsm.window);
        MPI_Win_flush(home_of(page), dsm.window);
    }
    __atomic_store_n(&dsm.state[page], VALID, __ATOMIC_RELEASE);
}

static void make_readable(int page)
{
    if (__atomic_load_n(&dsm.state[page], __ATOMIC_ACQUIRE) == VALID)
        return;
    pthread_mutex_lock(&dsm.mutex[page % MUTEXES]);
    if (dsm.state[page] != VALID)
        fetch_page(page);
    pthread_mutex_unlock(&dsm.mutex[page % MUTEXES]);
}

static void make_writable(int page)
{
    make_readable(page);
    if (__atomic_load_n(&dsm.written[page], __ATOMIC_ACQUIRE))
        return;
    pthread_mutex_lock(&dsm.mutex[page % MUTEXES]);
    if (!dsm.written[page]) {
        memcpy(page_twin(page), page_memory(page), ITEMS * sizeof(double));
        __atomic_store_n(&dsm.written[page], 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&dsm.mutex[page % MUTEXES]);
}

/* A row of an array, for reading or writing. */
static double *touch(int array, int row, void (*make)(int page))
{
    int64_t first = addresses[array] + (int64_t)row * dsm.n, last = first + dsm.n - 1;
    for (int64_t page = first / ITEMS; page <= last / ITEMS; page++)
        make((int)page);
    return &dsm.memory[first];
}

static void send_home(int page, int begin, int end)
{
    const double *from = &page_memory(page)[begin];
    MPI_Aint to = place_of(page) + begin;
    if (home_of(page) == app_rank)
        memcpy(&dsm.home[to], from, (size_t)(end - begin) * sizeof *from);
    else
        MPI_Put(from, end - begin, MPI_DOUBLE, home_of(page), to, end - begin, MPI_DOUBLE, dsm.window);
}

/* Others may have written other items of the same page: only what changed is sent. */
static void send_changes(int page)
{
    const double *now = page_memory(page), *before = page_twin(page);
    for (int item = 0; item < ITEMS; item++) {
        int begin = item;
        while (item < ITEMS && now[item] != before[item])
            item++;
        if (item > begin)
            send_home(page, begin, item);
    }
    dsm.written[page] = 0;
    __atomic_fetch_or(&dsm.notices[page / 64], UINT64_C(1) << page % 64, __ATOMIC_RELAXED);
}

/* Everybody's changes are at home when all ranks' notices have come. */
static void exchange_notices(void)
{
    MPI_Win_sync(dsm.window);
    MPI_Allgather(dsm.notices, dsm.notice_words, MPI_UINT64_T, dsm.all_notices, dsm.notice_words, MPI_UINT64_T,
                  MPI_COMM_WORLD);
    MPI_Win_sync(dsm.window);
    for (int rank = 0; rank < app_ranks; rank++)
        for (int page = 0; rank != app_rank && page < dsm.pages; page++)
            if (dsm.all_notices[rank * dsm.notice_words + page / 64] >> page % 64 & 1)
                dsm.state[page] = INVALID;
    memset(dsm.notices, 0, (size_t)dsm.notice_words * sizeof *dsm.notices);
}

static void barrier(const struct thread *thread)
{
    pthread_barrier_wait(&dsm.barrier);
    for (int page = thread->number; page < dsm.pages; page += THREADS)
        if (dsm.written[page])
            send_changes(page);
    MPI_Win_flush_all(dsm.window);
    pthread_barrier_wait(&dsm.barrier);
    if (thread->number == 0)
        exchange_notices();
    pthread_barrier_wait(&dsm.barrier);
}

/* Locks are words of rank 0's window. */
static void lock(void)
{
    int64_t taken = 1, free_word = 0, found = 1;
    for (;;) {
        MPI_Compare_and_swap(&taken, &free_word, &found, MPI_INT64_T, 0, LOCK_WORD, dsm.window);
        MPI_Win_flush(0, dsm.window);
        if (found == 0)
            return;
        sched_yield();
    }
}

static void unlock(void)
{
    int64_t taken = 0, found;
    MPI_Fetch_and_op(&taken, &found, MPI_INT64_T, 0, LOCK_WORD, MPI_REPLACE, dsm.window);
    MPI_Win_flush(0, dsm.window);
}

static void add_to_sum(double value)
{
    double sum;
    lock();
    MPI_Get(&sum, 1, MPI_DOUBLE, 0, SUM_WORD, 1, MPI_DOUBLE, dsm.window);
    MPI_Win_flush(0, dsm.window);
    sum += value;
    MPI_Put(&sum, 1, MPI_DOUBLE, 0, SUM_WORD, 1, MPI_DOUBLE, dsm.window);
    MPI_Win_flush(0, dsm.window);
    unlock();
}

static double start_value(int n, int row, int column)
{
    int edge = row == 0 || row == n - 1 || column == 0 || column == n - 1;
    return edge ? 0 : sin((double)(row - 1) / n * M_PI) + cos((double)(column - 1) / n * M_PI);
}

static void relax_row(int n, const double *above, const double *row, const double *below, double *to)
{
    for (int column = 1; column < n - 1; column++)
        to[column] = (above[column] + below[column] + row[column - 1] + row[column + 1]) / 4;
}

static double row_difference(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int column = 0; column < n; column++)
        sum += fabs(a[column] - b[column]);
    return sum;
}

static void initialize(const struct thread *thread)
{
    for (int row = thread->first; row < thread->end; row++) {
        double *to = touch(0, row, make_writable);
        for (int column = 0; column < dsm.n; column++)
            to[column] = start_value(dsm.n, row, column);
    }
    barrier(thread);
}

static void iterate(const struct thread *thread)
{
    int n = dsm.n;
    for (int row = thread->first; row < thread->end; row++)
        memcpy(touch(1, row, make_writable), touch(0, row, make_readable), (size_t)n * sizeof(double));
    barrier(thread);
    for (int row = thread->first; row < thread->end; row++)
        if (row > 0 && row < n - 1)
            relax_row(n, touch(1, row - 1, make_readable), touch(1, row, make_readable),
                      touch(1, row + 1, make_readable), touch(0, row, make_writable));
    barrier(thread);
}

static void *run_thread(void *argument)
{
    const struct thread *thread = argument;
    double sum = 0;
    initialize(thread);
    for (int step = 0; step < steps(); step++)
        iterate(thread);
    for (int row = thread->first; row < thread->end; row++)
        sum += row_difference(dsm.n, touch(0, row, make_readable), touch(1, row, make_readable));
    add_to_sum(sum);
    return NULL;
}

/* Rank 0 chooses the addresses of the arrays. */
static void make_dsm(void)
{
    dsm.n = size();
    int64_t array = (int64_t)dsm.n * dsm.n;
    if (app_rank == 0)
        addresses[1] = array;
    MPI_Bcast(addresses, 2, MPI_INT64_T, 0, MPI_COMM_WORLD);
    dsm.pages = (int)((2 * array + ITEMS - 1) / ITEMS);
    dsm.notice_words = (dsm.pages + 63) / 64;
    dsm.memory = app_allocate((size_t)dsm.pages * ITEMS, sizeof(double));
    dsm.twins = app_allocate((size_t)dsm.pages * ITEMS, sizeof(double));
    dsm.written = app_allocate((size_t)dsm.pages, sizeof *dsm.written);
    dsm.state = app_allocate((size_t)dsm.pages, sizeof *dsm.state);
    dsm.notices = app_allocate((size_t)dsm.notice_words, sizeof(uint64_t));
    dsm.all_notices = app_allocate((size_t)(dsm.notice_words * app_ranks), sizeof(uint64_t));
    for (int i = 0; i < MUTEXES; i++)
        pthread_mutex_init(&dsm.mutex[i], NULL);
    pthread_barrier_init(&dsm.barrier, NULL, THREADS);
    MPI_Aint items = place_of(dsm.pages + app_ranks);
    MPI_Win_allocate(items * (MPI_Aint)sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &dsm.home,
                     &dsm.window);
    MPI_Win_lock_all(0, dsm.window);
    memset(dsm.home, 0, (size_t)items * sizeof(double));
    MPI_Win_sync(dsm.window);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void free_dsm(void)
{
    MPI_Win_unlock_all(dsm.window);
    MPI_Win_free(&dsm.window);
}

static void parallel(struct thread *threads)
{
    for (int i = 0; i < THREADS; i++) {
        threads[i].number = i;
        threads[i].first = app_first(dsm.n, THREADS * app_ranks, THREADS * app_rank + i);
        threads[i].end = app_first(dsm.n, THREADS * app_ranks, THREADS * app_rank + i + 1);
        if (i > 0 && pthread_create(&threads[i].id, NULL, run_thread, &threads[i]) != 0)
            app_fail("no thread can be made");
    }
    run_thread(&threads[0]);
    for (int i = 1; i < THREADS; i++)
        pthread_join(threads[i].id, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

static double row_digest(int n, int row, const double *values)
{
    double sum = 0;
    for (int column = 0; column < n; column++)
        sum += values[column] * app_noise((uint64_t)row * (uint64_t)n + (uint64_t)column);
    return sum;
}

static void collect(const struct thread *threads, double *results)
{
    double mine = 0;
    for (int row = threads[0].first; row < threads[THREADS - 1].end; row++)
        mine += row_digest(dsm.n, row, touch(0, row, make_readable));
    MPI_Reduce(&mine, &results[1], 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Win_sync(dsm.window);
    results[0] = dsm.home[SUM_WORD];
}

static void serial(double *results)
{
    int n = size();
    size_t width = (size_t)n;
    double *now = app_allocate(width * width, sizeof(double)), *before = app_allocate(width * width, sizeof(double));
    results[0] = results[1] = 0;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++)
            now[(size_t)row * width + (size_t)column] = start_value(n, row, column);
    for (int step = 0; step < steps(); step++) {
        memcpy(before, now, width * width * sizeof *now);
        for (size_t row = 1; row < width - 1; row++)
            relax_row(n, &before[(row - 1) * width], &before[row * width], &before[(row + 1) * width],
                      &now[row * width]);
    }
    for (size_t row = 0; row < width; row++) {
        results[0] += row_difference(n, &now[row * width], &before[row * width]);
        results[1] += row_digest(n, (int)row, &now[row * width]);
    }
}

int main(int argc, char **argv)
{
    struct thread threads[THREADS];
    double results[RESULTS], start, seconds;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    app_start("laplace", argc, argv);
    if (provided != MPI_THREAD_MULTIPLE)
        app_fail("this MPI does not allow several threads to communicate");
    make_dsm();
    start = app_clock_start();
    parallel(threads);
    seconds = app_clock_stop(start);
    collect(threads, results);
    app_verify(results, RESULTS, 1e-9, serial);
    free_dsm();
    app_finish(seconds);
    return 0;
}
