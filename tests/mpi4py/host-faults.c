/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shows the faults of a host that known-faults.tsv refers to, without any
 * adapter: compile with the host's own compiler wrapper and run on two ranks.
 * Prints the names of the faults that this host has, one a line, on rank 0.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;
static char *self;        /* this program's path */
static MPI_Comm between;  /* an intercommunicator of rank 0 and rank 1 */

static int info_truncation(void)
{
    MPI_Info info;
    char value[8] = "";
    int flag = 0, code;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "abcdef");
    code = MPI_Info_get(info, "key", 3, value, &flag);
    MPI_Info_free(&info);
    return code != MPI_SUCCESS || strcmp(value, "abc") != 0;
}

static int reduce_root(void)
{
    long mine = 1, sum = 0;
    if (rank == 0)
        return MPI_Reduce(NULL, &sum, 1, MPI_LONG, MPI_SUM, MPI_ROOT, between) != MPI_SUCCESS;
    return MPI_Reduce(&mine, NULL, 1, MPI_LONG, MPI_SUM, 0, between) != MPI_SUCCESS;
}

static int is_proc_null(const MPI_Status *status)
{
    return status->MPI_SOURCE == MPI_PROC_NULL && status->MPI_TAG == MPI_ANY_TAG;
}

static int irecv_proc_null(void)
{
    MPI_Request request;
    MPI_Status status = {.MPI_SOURCE = 7, .MPI_TAG = 7};
    long item;
    MPI_Irecv(&item, 1, MPI_LONG, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    return !is_proc_null(&status);
}

static int persistent_proc_null(void)
{
    MPI_Request request;
    MPI_Status status = {.MPI_SOURCE = 7, .MPI_TAG = 7};
    long item;
    MPI_Recv_init(&item, 1, MPI_LONG, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, &status);
    MPI_Request_free(&request);
    return !is_proc_null(&status);
}

static int no_ports(void)
{
    char port[MPI_MAX_PORT_NAME];
    if (MPI_Open_port(MPI_INFO_NULL, port) != MPI_SUCCESS)
        return 1;
    MPI_Close_port(port);
    return 0;
}

/* Spawns this program, which leaves at once when it has a parent. */
static int no_spawn(void)
{
    MPI_Comm child;
    if (MPI_Comm_spawn(self, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child,
                       MPI_ERRCODES_IGNORE) != MPI_SUCCESS)
        return 1;
    MPI_Comm_disconnect(&child);
    return 0;
}

static const struct {
    const char *name;
    int (*shows)(void);
} faults[] = {
    {"info-truncation", info_truncation},
    {"irecv-proc-null", irecv_proc_null},
    {"persistent-proc-null", persistent_proc_null},
    {"no-ports", no_ports},
    {"no-spawn", no_spawn},
    {"reduce-root", reduce_root},  /* last: it leaves a message behind */
};

static void connect(void)
{
    MPI_Comm alone;
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
    MPI_Intercomm_create(alone, 0, MPI_COMM_WORLD, 1 - rank, 5, &between);
    MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
    MPI_Comm_free(&alone);
}

int main(int argc, char **argv)
{
    int size;
    MPI_Comm parent;
    MPI_Init(&argc, &argv);
    self = argv[0];
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        MPI_Comm_disconnect(&parent);
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        fprintf(stderr, "mpi-adapter: host-faults needs two ranks; run it with -n 2\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    connect();
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (faults[i].shows() && rank == 0)
            puts(faults[i].name);
    MPI_Finalize();
    return 0;
}
