/* SPDX-License-Identifier: BSD-3-Clause */
/* Work for one of Open MPI's frameworks, on any number of ranks:
 *   components file PATH | window | collective
 * Built for MPICH it is what is tested; built for Open MPI it is the oracle. Prints "right". */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, bad;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "rank %d: line %d: %s\n", rank, __LINE__, #condition);                 \
            bad = 1;                                                                               \
        }                                                                                          \
    } while (0)
#define OK(call) CHECK((call) == MPI_SUCCESS)

/* Each rank's view is every size-th pair of integers. */
static void views(MPI_File file)
{
    int out[20], in[20] = { 0 }, count = -1;
    MPI_Datatype pair, spaced, type;
    MPI_Offset offset = -1;
    MPI_Status status;
    MPI_Request request;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, (MPI_Aint)sizeof(int) * 2 * size, &spaced);
    MPI_Type_commit(&spaced);
    for (int i = 0; i < 20; i++)
        out[i] = rank * 100 + i;
    OK(MPI_File_set_view(file, (MPI_Offset)sizeof(int) * 2 * rank, MPI_INT, spaced, "native", MPI_INFO_NULL));
    OK(MPI_File_write_all(file, out, 20, MPI_INT, &status));
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 20);
    OK(MPI_File_get_view(file, &offset, &type, &(MPI_Datatype){ MPI_DATATYPE_NULL }, (char[MPI_MAX_DATAREP_STRING]){ "" }));
    CHECK(offset == (MPI_Offset)sizeof(int) * 2 * rank && type == MPI_INT);
    OK(MPI_File_sync(file));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_read_at_all(file, 4, in, 16, MPI_INT, &status));
    CHECK(memcmp(in, out + 4, 16 * sizeof(int)) == 0);
    OK(MPI_File_iread_at(file, 2, in, 6, MPI_INT, &request));
    OK(MPI_Wait(&request, &status));
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 6 && in[0] == rank * 100 + 2);
    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    MPI_Type_free(&pair);
    MPI_Type_free(&spaced);
}

static void shared_pointers(MPI_File file)
{
    int word = rank + 1, *all = calloc((size_t)size, sizeof *all), sum = 0;
    MPI_Status status;
    OK(MPI_File_set_size(file, 0));
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    OK(MPI_File_write_ordered(file, &word, 1, MPI_INT, &status));
    OK(MPI_File_sync(file));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_read_at(file, 0, all, size, MPI_INT, &status));
    for (int i = 0; i < size; i++)
        CHECK(all[i] == i + 1);
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    OK(MPI_File_read_shared(file, &word, 1, MPI_INT, &status));
    MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == size * (size + 1) / 2);
    free(all);
}

static void work_file(const char *path)
{
    MPI_File file = MPI_FILE_NULL;
    MPI_Offset bytes = 0;
    int amode = 0;
    OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                     &file));
    if (file == MPI_FILE_NULL)
        return;
    OK(MPI_File_get_amode(file, &amode));
    CHECK(amode == (MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE));
    views(file);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_get_size(file, &bytes));
    CHECK(bytes == (MPI_Offset)sizeof(int) * 20 * size);
    MPI_Barrier(MPI_COMM_WORLD);
    shared_pointers(file);
    CHECK(MPI_File_read_at(file, 0, &bytes, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE) != MPI_SUCCESS);
    OK(MPI_File_close(&file));
}

static void fences(MPI_Win window, int *memory)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, value = 10 + rank, got = -1;
    OK(MPI_Win_fence(0, window));
    OK(MPI_Put(&value, 1, MPI_INT, next, 0, 1, MPI_INT, window));
    OK(MPI_Win_fence(0, window));
    CHECK(memory[0] == 10 + last);
    OK(MPI_Get(&got, 1, MPI_INT, next, 0, 1, MPI_INT, window));
    OK(MPI_Win_fence(0, window));
    CHECK(got == 10 + rank);
    OK(MPI_Accumulate(&value, 1, MPI_INT, next, 1, 1, MPI_INT, MPI_SUM, window));
    OK(MPI_Win_fence(0, window));
    CHECK(memory[1] == 10 + last);
}

static void locks(MPI_Win window)
{
    int one = 1, before = -1, total = -1, expected = size + 5, swapped = 77;
    MPI_Request request;
    OK(MPI_Win_lock_all(0, window));
    OK(MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 2, MPI_SUM, window));
    OK(MPI_Win_flush_all(window));
    OK(MPI_Win_unlock_all(window));
    CHECK(before >= 5 && before < 5 + size);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window));
    OK(MPI_Rget(&total, 1, MPI_INT, 0, 2, 1, MPI_INT, window, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Win_unlock(0, window));
    CHECK(total == size + 5);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1) {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window));
        OK(MPI_Compare_and_swap(&swapped, &expected, &total, MPI_INT, 0, 2, window));
        OK(MPI_Win_unlock(0, window));
        CHECK(total == size + 5);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void work_window(void)
{
    int *memory = NULL;
    MPI_Win window;
    OK(MPI_Win_allocate(4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window));
    memset(memory, 0, 4 * sizeof *memory);
    memory[2] = 5;
    fences(window, memory);
    locks(window);
    OK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window));
    CHECK(rank != 0 || memory[2] == 77);
    OK(MPI_Win_unlock(rank, window));
    OK(MPI_Win_free(&window));
}

static void sum_elements(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    CHECK(*datatype == MPI_INT);
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void reductions(MPI_Comm comm, MPI_Op sum, int count)
{
    int *in = malloc(sizeof *in * count), *out = malloc(sizeof *out * count);
    for (int i = 0; i < count; i++)
        in[i] = rank + i;
    OK(MPI_Allreduce(in, out, count, MPI_INT, sum, comm));
    CHECK(out[0] == size * (size - 1) / 2 && out[count - 1] == size * (size - 1) / 2 + size * (count - 1));
    OK(MPI_Reduce(in, out, count, MPI_INT, sum, 0, comm));
    CHECK(rank != 0 || out[count - 1] == size * (size - 1) / 2 + size * (count - 1));
    OK(MPI_Scan(in, out, count, MPI_INT, sum, comm));
    CHECK(out[0] == rank * (rank + 1) / 2);
    OK(MPI_Bcast(out, count, MPI_INT, size - 1, comm));
    CHECK(out[0] == size * (size - 1) / 2);
    free(in);
    free(out);
}

static void exchanges(MPI_Comm comm)
{
    int *out = malloc(sizeof *out * size), *in = malloc(sizeof *in * size), mine = rank;
    MPI_Request request;
    for (int i = 0; i < size; i++)
        out[i] = rank * 100 + i;
    OK(MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm));
    for (int i = 0; i < size; i++)
        CHECK(in[i] == i * 100 + rank);
    OK(MPI_Allgather(&mine, 1, MPI_INT, in, 1, MPI_INT, comm));
    OK(MPI_Gather(&mine, 1, MPI_INT, in, 1, MPI_INT, 0, comm));
    OK(MPI_Scatter(in, 1, MPI_INT, &mine, 1, MPI_INT, 0, comm));
    CHECK(mine == rank);
    OK(MPI_Iallgather(&mine, 1, MPI_INT, in, 1, MPI_INT, comm, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(in[size - 1] == size - 1);
    OK(MPI_Ibarrier(comm, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Barrier(comm));
    free(out);
    free(in);
}

/* Sums over an intercommunicator of the even and the odd ranks. */
static void between_groups(void)
{
    MPI_Comm half, inter;
    int one = 1, remote = -1, sum = -1;
    if (size < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &inter));
    MPI_Comm_remote_size(inter, &remote);
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter));
    CHECK(sum == remote);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static void work_collective(void)
{
    MPI_Comm comm;
    MPI_Op op;
    MPI_Op_create(sum_elements, 1, &op);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int count = 1; count <= 10000; count *= 100) {
        reductions(comm, MPI_SUM, count);
        reductions(comm, op, count);
    }
    exchanges(comm);
    exchanges(MPI_COMM_WORLD);
    between_groups();
    MPI_Comm_free(&comm);
    MPI_Op_free(&op);
}

/* Checks the addresses that the program was run for: LOW, a heap below 1 GiB; SPREAD, objects in many regions of 16 MiB
 * (compress.h). None has so many that the adapter numbers objects one by one. */
static void check_addresses(void)
{
    CHECK(!getenv("LOW") || (uintptr_t)sbrk(0) < (uintptr_t)1 << 30);
#ifdef MPICH_VERSION
    int numbered = 0, regions = 0;
    char seen[4096] = { 0 };
    MPI_Datatype types[200];
    for (int i = 0; i < 200; i++) {
        MPI_Type_contiguous(i + 1, MPI_INT, &types[i]);
        numbered += (unsigned)types[i] < 0x8c000000u;
        regions += !seen[(unsigned)types[i] >> 20];
        seen[(unsigned)types[i] >> 20] = 1;
    }
    for (int i = 0; i < 200; i++) {
        int bytes = -1;
        OK(MPI_Type_size(types[i], &bytes));
        CHECK(bytes == 4 * (i + 1));
        OK(MPI_Type_free(&types[i]));
    }
    CHECK(numbered == 0 && (!getenv("SPREAD") || regions > 20));
#endif
}

int main(int argc, char **argv)
{
    int all = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check_addresses();
    if (strcmp(argv[1], "file") == 0)
        work_file(argv[2]);
    else if (strcmp(argv[1], "window") == 0)
        work_window();
    else
        work_collective();
    MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0 && !all)
        fputs("right\n", stdout); /* a line in one piece, with a buffer or without */
    MPI_Finalize();
    return all;
}
