/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integer sort by buckets: sizes of buckets are reduced, counts exchanged all
 * to all, keys all to all; each rank then counts the keys of its own buckets.
 */
#include "app.h"

enum { BUCKET_BITS = 10, BUCKETS = 1 << BUCKET_BITS, PROBES = 5, RESULTS = PROBES + 2 };

struct sizes {
    int key_bits, keys, iterations;
};

/* One rank's share, and the results of its last sort: the keys from low to
 * below high, of which key k comes last[k - low] keys and before below. */
struct part {
    struct sizes sizes;
    int first, count;          /* its keys before the sort, of all */
    int *keys, *sorted, *received, *last;
    int local[BUCKETS], global[BUCKETS], start[BUCKETS];
    int low, high, below;
    int *send_counts, *send_offsets, *receive_counts, *receive_offsets;
};

static struct sizes chosen(void)
{
    return app_quick ? (struct sizes){ 14, 1 << 17, app_steps(3, 50) } : (struct sizes){ 19, 1 << 22, app_steps(3, 50) };
}

/* A sum of four, so that keys are not spread evenly. */
static int make_key(const struct sizes *sizes, int number)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += app_noise((uint64_t)number * 4 + (uint64_t)i);
    return (int)(sum / 4 * (double)(1 << sizes->key_bits));
}

/* Every iteration sorts slightly other keys. */
static int changed_key(const struct sizes *sizes, int number, int iteration)
{
    if (number == iteration)
        return iteration;
    return number == iteration + sizes->iterations ? (1 << sizes->key_bits) - 1 - iteration : -1;
}

static int probe(const struct sizes *sizes, int number, int iteration)
{
    return make_key(sizes, number * (sizes->keys / PROBES) + iteration + 1000);
}

/* Splits the buckets so that each rank gets about as many keys. */
static void assign_buckets(struct part *part, int *first_bucket)
{
    int rank = 0, before = 0;
    first_bucket[0] = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        while (rank + 1 < app_ranks && before >= app_first(part->sizes.keys, app_ranks, rank + 1))
            first_bucket[++rank] = bucket;
        if (rank == app_rank && first_bucket[rank] == bucket)
            part->below = before;
        before += part->global[bucket];
    }
    while (rank < app_ranks)
        first_bucket[++rank] = BUCKETS;
}

static void sort_into_buckets(struct part *part, int shift)
{
    int position = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        part->start[bucket] = position;
        position += part->local[bucket];
    }
    for (int i = 0; i < part->count; i++)
        part->sorted[part->start[part->keys[i] >> shift]++] = part->keys[i];
}

/* Sends every key to the rank that has its bucket; returns how many came. */
static int exchange(struct part *part, const int *first_bucket)
{
    int sent = 0, received = 0;
    for (int rank = 0; rank < app_ranks; rank++) {
        part->send_counts[rank] = 0;
        for (int bucket = first_bucket[rank]; bucket < first_bucket[rank + 1]; bucket++)
            part->send_counts[rank] += part->local[bucket];
        part->send_offsets[rank] = sent;
        sent += part->send_counts[rank];
    }
    MPI_Alltoall(part->send_counts, 1, MPI_INT, part->receive_counts, 1, MPI_INT, MPI_COMM_WORLD);
    for (int rank = 0; rank < app_ranks; rank++) {
        part->receive_offsets[rank] = received;
        received += part->receive_counts[rank];
    }
    MPI_Alltoallv(part->sorted, part->send_counts, part->send_offsets, MPI_INT, part->received,
                  part->receive_counts, part->receive_offsets, MPI_INT, MPI_COMM_WORLD);
    return received;
}

static void sort(struct part *part, int *first_bucket)
{
    int shift = part->sizes.key_bits - BUCKET_BITS, received;
    memset(part->local, 0, sizeof part->local);
    for (int i = 0; i < part->count; i++)
        part->local[part->keys[i] >> shift]++;
    MPI_Allreduce(part->local, part->global, BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    assign_buckets(part, first_bucket);
    sort_into_buckets(part, shift);
    received = exchange(part, first_bucket);
    part->low = first_bucket[app_rank] << shift;
    part->high = first_bucket[app_rank + 1] << shift;
    memset(part->last, 0, (size_t)(part->high - part->low) * sizeof *part->last);
    for (int i = 0; i < received; i++)
        part->last[part->received[i] - part->low]++;
    for (int key = 1; key < part->high - part->low; key++)
        part->last[key] += part->last[key - 1];
}

static struct part make_part(void)
{
    struct part part = { .sizes = chosen() };
    size_t keys = (size_t)part.sizes.keys;
    part.first = app_first(part.sizes.keys, app_ranks, app_rank);
    part.count = app_first(part.sizes.keys, app_ranks, app_rank + 1) - part.first;
    part.keys = app_allocate((size_t)part.count, sizeof(int));
    part.sorted = app_allocate((size_t)part.count, sizeof(int));
    part.received = app_allocate(keys, sizeof(int));
    part.last = app_allocate((size_t)1 << part.sizes.key_bits, sizeof(int));
    int **counts[] = { &part.send_counts, &part.send_offsets, &part.receive_counts, &part.receive_offsets };
    for (int i = 0; i < 4; i++)
        *counts[i] = app_allocate((size_t)app_ranks, sizeof(int));
    for (int i = 0; i < part.count; i++)
        part.keys[i] = make_key(&part.sizes, part.first + i);
    return part;
}

static void change_keys(struct part *part, int iteration)
{
    for (int i = 0; i < 2; i++) {
        int number = iteration + i * part->sizes.iterations;
        if (number >= part->first && number < part->first + part->count)
            part->keys[number - part->first] = changed_key(&part->sizes, number, iteration);
    }
}

/* All sorted keys, weighted by their place: exact, modulo 2^64. */
static void digest(const int *last, int low, int high, int below, uint64_t *sum)
{
    for (int key = low; key < high; key++) {
        uint64_t weight = (uint64_t)(app_noise((uint64_t)key) * 0x1p40);
        for (int place = key == low ? 0 : last[key - 1 - low]; place < last[key - low]; place++)
            *sum += weight * (uint64_t)(below + place + 1);
    }
}

static void split(uint64_t sum, double *halves)
{
    halves[0] = (double)(sum >> 32);
    halves[1] = (double)(sum & UINT32_MAX);
}

/* Adds the number of keys up to each probed key. */
static void look_up_probes(struct part *part, int iteration, double *results)
{
    for (int i = 0; i < PROBES; i++) {
        int key = probe(&part->sizes, i, iteration);
        if (key >= part->low && key < part->high)
            results[i] += part->below + part->last[key - part->low];
    }
}

static void parallel(struct part *part, double *results)
{
    int *first_bucket = app_allocate((size_t)app_ranks + 1, sizeof(int));
    double mine[PROBES] = { 0 };
    for (int iteration = 0; iteration < part->sizes.iterations; iteration++) {
        change_keys(part, iteration);
        sort(part, first_bucket);
        look_up_probes(part, iteration, mine);
    }
    MPI_Reduce(mine, results, PROBES, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void digest_all(const struct part *part, double *results)
{
    uint64_t sum = 0, all = 0;
    digest(part->last, part->low, part->high, part->below, &sum);
    MPI_Reduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    split(all, &results[PROBES]);
}

/* Without buckets: one count of all keys. */
static void serial(double *results)
{
    struct sizes sizes = chosen();
    int values = 1 << sizes.key_bits;
    int *keys = app_allocate((size_t)sizes.keys, sizeof(int)), *last = app_allocate((size_t)values, sizeof(int));
    uint64_t sum = 0;
    for (int i = 0; i < sizes.keys; i++)
        keys[i] = make_key(&sizes, i);
    memset(results, 0, RESULTS * sizeof *results);
    for (int iteration = 0; iteration < sizes.iterations; iteration++) {
        keys[iteration] = changed_key(&sizes, iteration, iteration);
        keys[iteration + sizes.iterations] = changed_key(&sizes, iteration + sizes.iterations, iteration);
        memset(last, 0, (size_t)values * sizeof *last);
        for (int i = 0; i < sizes.keys; i++)
            last[keys[i]]++;
        for (int key = 1; key < values; key++)
            last[key] += last[key - 1];
        for (int i = 0; i < PROBES; i++)
            results[i] += last[probe(&sizes, i, iteration)];
    }
    digest(last, 0, values, 0, &sum);
    split(sum, &results[PROBES]);
}

int main(int argc, char **argv)
{
    double results[RESULTS] = { 0 }, start, seconds;
    MPI_Init(&argc, &argv);
    app_start("is", argc, argv);
    struct part part = make_part();
    start = app_clock_start();
    parallel(&part, results);
    seconds = app_clock_stop(start);
    digest_all(&part, results);
    app_verify(results, RESULTS, 0, serial);
    app_finish(seconds);
    return 0;
}
