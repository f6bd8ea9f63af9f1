/* SPDX-License-Identifier: BSD-3-Clause */
/* calls: some 60 kinds of calls, counted (counted.h). One process talks to itself, so that nothing
 * but the calls takes time; with several, what needs several processes is counted at rank 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "counted.h"

#define CALLS 1600
#define FEW 200
#define WINDOW 16
#define MANY 64
#define WORLD MPI_COMM_WORLD

static char from[64], to[64];
static MPI_Comm copy;
static MPI_Status status;
static int number, flag;

static void inquiries(void)
{
    MPI_Datatype vector;
    MPI_Group group;
    MPI_Comm part;
    int *value, ranks[16] = { 0 }, translated[16];
    double time = 0;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Type_vector(4, 1, 2, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    MPI_Comm_group(WORLD, &group);
    COUNT("comm_rank", "MPI_Comm_rank", CALLS, MPI_Comm_rank(WORLD, &number));
    COUNT("comm_rank_dup", "MPI_Comm_rank", CALLS, MPI_Comm_rank(copy, &number));
    COUNT("type_size", "MPI_Type_size", CALLS, MPI_Type_size(MPI_DOUBLE, &number));
    COUNT("type_size_derived", "MPI_Type_size", CALLS, MPI_Type_size(vector, &number));
    COUNT("get_count", "MPI_Get_count", CALLS, MPI_Get_count(&status, MPI_CHAR, &number));
    COUNT("comm_get_attr", "MPI_Comm_get_attr", CALLS, MPI_Comm_get_attr(WORLD, MPI_TAG_UB, &value, &flag));
    COUNT("comm_get_name", "MPI_Comm_get_name", CALLS, MPI_Comm_get_name(WORLD, name, &number));
    COUNT("wtime", "MPI_Wtime", CALLS, time += MPI_Wtime());
    COUNT("group_translate_ranks", "MPI_Group_translate_ranks", CALLS,
          MPI_Group_translate_ranks(group, 16, ranks, group, translated));
    MPI_Type_free(&vector);
    COUNT("type_vector", "MPI_Type_vector MPI_Type_commit MPI_Type_free", CALLS,
          (MPI_Type_vector(4, 1, 2, MPI_INT, &vector), MPI_Type_commit(&vector), MPI_Type_free(&vector)));
    COUNT("comm_split", "MPI_Comm_split MPI_Comm_free", FEW,
          (MPI_Comm_split(WORLD, 0, 0, &part), MPI_Comm_free(&part)));
    MPI_Group_free(&group);
}

/* A structure of 64 predefined datatypes is taken apart. */
static void type_contents(void)
{
    int lengths[MANY], integers[MANY + 1];
    MPI_Aint places[MANY], addresses[MANY];
    MPI_Datatype types[MANY], parts[MANY], structure;
    for (int i = 0; i < MANY; i++) {
        lengths[i] = 1;
        places[i] = 8 * (MPI_Aint)i;
        types[i] = i % 2 ? MPI_DOUBLE : MPI_INT;
    }
    MPI_Type_create_struct(MANY, lengths, places, types, &structure);
    COUNT("type_get_contents_64", "MPI_Type_get_contents", CALLS,
          MPI_Type_get_contents(structure, MANY + 1, MANY, MANY, integers, addresses, parts));
    MPI_Type_free(&structure);
}

static void info_values(void)
{
    MPI_Info info;
    char value[MPI_MAX_INFO_VAL + 1];
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    COUNT("info_get", "MPI_Info_get", CALLS, MPI_Info_get(info, "key", MPI_MAX_INFO_VAL, value, &flag));
    MPI_Info_free(&info);
}

static void add(void *in, void *inout, int *length, MPI_Datatype *datatype)
{
    (void)datatype;
    for (int i = 0; i < *length; i++)
        ((double *)inout)[i] += ((double *)in)[i];
}

static void collectives(void)
{
    double one = 1, sum = 0;
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    COUNT("barrier", "MPI_Barrier", CALLS, MPI_Barrier(WORLD));
    COUNT("bcast", "MPI_Bcast", CALLS, MPI_Bcast(&one, 1, MPI_DOUBLE, 0, WORLD));
    COUNT("allreduce", "MPI_Allreduce", CALLS, MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, WORLD));
    COUNT("allgather", "MPI_Allgather", CALLS, MPI_Allgather(&one, 1, MPI_DOUBLE, &sum, 1, MPI_DOUBLE, WORLD));
    COUNT("reduce_local", "MPI_Reduce_local", CALLS, MPI_Reduce_local(&one, &sum, 1, MPI_DOUBLE, MPI_SUM));
    counted_callbacks(1);
    COUNT("reduce_local_user", "MPI_Reduce_local", CALLS, MPI_Reduce_local(&one, &sum, 1, MPI_DOUBLE, op));
    counted_callbacks(0);
    MPI_Op_free(&op);
    COUNT("op_create", "MPI_Op_create MPI_Op_free", CALLS, (MPI_Op_create(add, 1, &op), MPI_Op_free(&op)));
}

static void window(int length, MPI_Comm comm, MPI_Status *statuses)
{
    MPI_Request requests[WINDOW];
    for (int i = 0; i < length / 2; i++)
        MPI_Irecv(to, 8, MPI_CHAR, 0, 1, comm, requests + i);
    for (int i = length / 2; i < length; i++)
        MPI_Isend(from, 8, MPI_CHAR, 0, 1, comm, requests + i);
    MPI_Waitall(length, requests, statuses);
}

/* Each request of a window is a call. */
static void count_window(const char *kind, int length, MPI_Comm comm, MPI_Status *statuses)
{
    int calls = counted_calls(CALLS);
    counted_begin(kind, "MPI_Isend MPI_Irecv MPI_Waitall", calls);
    while (counted_batch())
        for (int done = 0; done < calls; done += length)
            window(length, comm, statuses);
}

static void started_window(const char *kind, int length)
{
    MPI_Request requests[WINDOW];
    for (int i = 0; i < length / 2; i++)
        MPI_Recv_init(to, 8, MPI_CHAR, 0, 1, WORLD, requests + i);
    for (int i = length / 2; i < length; i++)
        MPI_Send_init(from, 8, MPI_CHAR, 0, 1, WORLD, requests + i);
    int calls = counted_calls(CALLS);
    counted_begin(kind, "MPI_Startall MPI_Waitall", calls);
    while (counted_batch())
        for (int done = 0; done < calls; done += length) {
            MPI_Startall(length, requests);
            MPI_Waitall(length, requests, MPI_STATUSES_IGNORE);
        }
    for (int i = 0; i < length; i++)
        MPI_Request_free(requests + i);
}

static void windows(void)
{
    MPI_Status statuses[WINDOW];
    count_window("window", WINDOW, WORLD, MPI_STATUSES_IGNORE);
    count_window("window_2", 2, WORLD, MPI_STATUSES_IGNORE);
    count_window("window_dup", WINDOW, copy, MPI_STATUSES_IGNORE);
    count_window("window_statuses", WINDOW, WORLD, statuses);
    count_window("window_statuses_2", 2, WORLD, statuses);
    started_window("startall", WINDOW);
    started_window("startall_2", 2);
}

/* A message to oneself by the blocking calls. */
static void send_and_receive(void)
{
    MPI_Request request;
    MPI_Irecv(to, 8, MPI_CHAR, 0, 1, WORLD, &request);
    MPI_Send(from, 8, MPI_CHAR, 0, 1, WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* The same by a matching probe. */
static void probe_and_receive(void)
{
    MPI_Request request;
    MPI_Message message;
    MPI_Isend(from, 8, MPI_CHAR, 0, 1, WORLD, &request);
    MPI_Mprobe(0, 1, WORLD, &message, &status);
    MPI_Mrecv(to, 8, MPI_CHAR, &message, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void point_to_point(void)
{
    MPI_Request request;
    COUNT("send", "MPI_Irecv MPI_Send MPI_Wait", CALLS, send_and_receive());
    COUNT("sendrecv", "MPI_Sendrecv", CALLS,
          MPI_Sendrecv(from, 8, MPI_CHAR, 0, 1, to, 8, MPI_CHAR, 0, 1, WORLD, &status));
    COUNT("mprobe", "MPI_Mprobe MPI_Mrecv", CALLS, probe_and_receive());
    COUNT("iprobe", "MPI_Iprobe", CALLS, MPI_Iprobe(0, 1, WORLD, &flag, &status));
    MPI_Isend(from, 8, MPI_CHAR, 0, 1, WORLD, &request);
    for (flag = 0; !flag;)
        MPI_Iprobe(0, 1, WORLD, &flag, &status);
    COUNT("iprobe_found", "MPI_Iprobe", CALLS, MPI_Iprobe(0, 1, WORLD, &flag, &status));
    MPI_Recv(to, 8, MPI_CHAR, 0, 1, WORLD, &status);
    MPI_Wait(&request, &status);
    MPI_Irecv(to, 8, MPI_CHAR, 0, 1, WORLD, &request);
    COUNT("test_active", "MPI_Test", CALLS, MPI_Test(&request, &flag, &status));
    MPI_Send(from, 8, MPI_CHAR, 0, 1, WORLD);
    MPI_Wait(&request, &status);
}

/* 64 receives, of which one at a time is completed and started again. */
static void one_of_many(MPI_Request *requests, int tag, int some)
{
    int indices[MANY];
    MPI_Request sent;
    MPI_Isend(from, 8, MPI_CHAR, 0, tag, WORLD, &sent);
    if (some)
        MPI_Waitsome(MANY, requests, &number, indices, MPI_STATUSES_IGNORE);
    else
        MPI_Waitany(MANY, requests, &number, &status);
    MPI_Irecv(to, 8, MPI_CHAR, 0, tag, WORLD, requests + tag);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

static void many_requests(void)
{
    MPI_Request requests[MANY];
    for (int i = 0; i < MANY; i++)
        MPI_Irecv(to, 8, MPI_CHAR, 0, i, WORLD, requests + i);
    COUNT("waitany_64", "MPI_Waitany", CALLS, one_of_many(requests, i % MANY, 0));
    COUNT("waitsome_64", "MPI_Waitsome", CALLS, one_of_many(requests, i % MANY, 1));
    for (int i = 0; i < MANY; i++)
        MPI_Send(from, 8, MPI_CHAR, 0, i, WORLD);
    MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
}

/* None of 16 receives is complete, and later all of them are. */
static void tested(void)
{
    MPI_Request requests[WINDOW];
    for (int i = 0; i < WINDOW; i++)
        MPI_Irecv(to, 8, MPI_CHAR, 0, i, WORLD, requests + i);
    COUNT("testall_16", "MPI_Testall", CALLS, MPI_Testall(WINDOW, requests, &flag, MPI_STATUSES_IGNORE));
    COUNT("testany_16", "MPI_Testany", CALLS, MPI_Testany(WINDOW, requests, &number, &flag, &status));
    COUNT("testany_2", "MPI_Testany", CALLS, MPI_Testany(2, requests, &number, &flag, &status));
    for (int i = 0; i < WINDOW; i++)
        MPI_Send(from, 8, MPI_CHAR, 0, i, WORLD);
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
}

static void started(void)
{
    MPI_Request request;
    MPI_Recv_init(to, 8, MPI_CHAR, MPI_PROC_NULL, 1, WORLD, &request);
    COUNT("start", "MPI_Start MPI_Wait", CALLS, (MPI_Start(&request), MPI_Wait(&request, MPI_STATUS_IGNORE)));
    MPI_Request_free(&request);
}

/* A ring of one process, which is its own neighbor twice. */
static void neighbors(void)
{
    int one = 1, here[2] = { 0 }, there[2], counts[2] = { 0 };
    MPI_Aint places[2] = { 0 };
    MPI_Datatype types[2];
    MPI_Request request;
    MPI_Comm ring;
    MPI_Cart_create(WORLD, 1, &one, &one, 0, &ring);
    for (int i = 0; i < 2; i++) {
        MPI_Type_contiguous(1, MPI_INT, types + i);
        MPI_Type_commit(types + i);
    }
    COUNT("neighbor_alltoall", "MPI_Neighbor_alltoall", FEW,
          MPI_Neighbor_alltoall(here, 1, MPI_INT, there, 1, MPI_INT, ring));
    COUNT("ineighbor_alltoallw", "MPI_Ineighbor_alltoallw MPI_Wait", FEW,
          (MPI_Ineighbor_alltoallw(here, counts, places, types, there, counts, places, types, ring, &request),
           MPI_Wait(&request, MPI_STATUS_IGNORE)));
    for (int i = 0; i < 2; i++)
        MPI_Type_free(types + i);
    MPI_Comm_free(&ring);
}

static void one_sided(void)
{
    MPI_Win win;
    MPI_Request request;
    int one = 1, before;
    MPI_Win_create(to, sizeof to, 1, MPI_INFO_NULL, WORLD, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    COUNT("put", "MPI_Put", CALLS, MPI_Put(from, 8, MPI_CHAR, 0, 0, 8, MPI_CHAR, win));
    MPI_Win_flush(0, win);
    COUNT("put_flush", "MPI_Put MPI_Win_flush", CALLS,
          (MPI_Put(from, 8, MPI_CHAR, 0, 0, 8, MPI_CHAR, win), MPI_Win_flush(0, win)));
    COUNT("get_flush", "MPI_Get MPI_Win_flush", CALLS,
          (MPI_Get(from, 8, MPI_CHAR, 0, 0, 8, MPI_CHAR, win), MPI_Win_flush(0, win)));
    COUNT("fetch_and_op_flush", "MPI_Fetch_and_op MPI_Win_flush", CALLS,
          (MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, win), MPI_Win_flush(0, win)));
    COUNT("rput", "MPI_Rput MPI_Wait", CALLS,
          (MPI_Rput(from, 8, MPI_CHAR, 0, 0, 8, MPI_CHAR, win, &request), MPI_Wait(&request, MPI_STATUS_IGNORE)));
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
}

static void buffers_and_files(void)
{
    MPI_File file;
    int position;
    char name[] = "bench-XXXXXX";
    int descriptor = mkstemp(name);
    if (descriptor < 0 || close(descriptor) != 0)
        MPI_Abort(WORLD, 1);
    COUNT("pack", "MPI_Pack", CALLS, (position = 0, MPI_Pack(from, 8, MPI_CHAR, to, 64, &position, WORLD)));
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    COUNT("file_write_at", "MPI_File_write_at", FEW, MPI_File_write_at(file, 0, from, 8, MPI_CHAR, &status));
    COUNT("file_set_view", "MPI_File_set_view", FEW,
          MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL));
    MPI_File_close(&file);
}

/* As many datatypes as there are ranks. */
static void together(int size, int rank)
{
    MPI_Datatype *types = malloc((size_t)size * sizeof *types);
    int *ints = calloc((size_t)size * 2, sizeof *ints), *counts = ints, *offsets = ints + size;
    MPI_Request request;
    char kind[64];
    for (int i = 0; i < size; i++) {
        MPI_Type_contiguous(1, MPI_INT, types + i);
        MPI_Type_commit(types + i);
    }
    counted_together(rank == 0);
    snprintf(kind, sizeof kind, "ialltoallw_%d", size);
    COUNT(kind, "MPI_Ialltoallw MPI_Wait", 10,
          (MPI_Ialltoallw(from, counts, offsets, types, to, counts, offsets, types, WORLD, &request),
           MPI_Wait(&request, MPI_STATUS_IGNORE)));
    for (int i = 0; i < size; i++)
        MPI_Type_free(types + i);
    free(types);
    free(ints);
}

int main(int argc, char **argv)
{
    int size, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(WORLD, &size);
    MPI_Comm_rank(WORLD, &rank);
    if (size > 1) {
        together(size, rank);
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_dup(WORLD, &copy);
    MPI_Sendrecv(from, 8, MPI_CHAR, 0, 1, to, 8, MPI_CHAR, 0, 1, WORLD, &status);
    inquiries();
    type_contents();
    info_values();
    collectives();
    windows();
    point_to_point();
    tested();
    started();
    many_requests();
    neighbors();
    one_sided();
    buffers_and_files();
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
