/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shows the faults of a host that known-faults.tsv refers to, without any
 * adapter: compile with the host's own compiler wrapper and run on two ranks.
 * Prints the name of the fault that its argument names, on rank 0, if this host
 * has it.  One fault a run: some make everything after them go wrong.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;
static char *self;        /* this program's path */

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

static int own_code;

static int query(void *state, MPI_Status *status)
{
    (void)state, (void)status;
    return own_code;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

/* How many of some failing calls are not said to fail for their own reason. */
static int wrong_classes(void)
{
    int class, wrong = 0;
    for (int i = 0; i < 200; i++) {
        MPI_Error_class(MPI_Send(&i, 1, MPI_INT, 99, 0, MPI_COMM_WORLD), &class);
        wrong += class != MPI_ERR_RANK;
    }
    return wrong;
}

static int grequest_code(void)
{
    MPI_Request request;
    int own_class;
    MPI_Add_error_class(&own_class);
    MPI_Add_error_code(own_class, &own_code);
    MPI_Grequest_start(query, release, cancel, NULL, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return wrong_classes() > 0;
}

static int refuse(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval, (void)state, (void)in, (void)out;
    *flag = 0;
    return MPI_ERR_OTHER;
}

static int copy_code(void)
{
    MPI_Comm comm, copy;
    int keyval;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(comm, keyval, NULL);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&keyval);
    return wrong_classes() > 0;
}

static int refuse_delete(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)value;
    return (*(int *)state)++ == 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int delete_code(void)
{
    MPI_Comm comm;
    int keyval, calls = 0;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse_delete, &keyval, &calls);
    MPI_Comm_set_attr(comm, keyval, NULL);
    MPI_Comm_delete_attr(comm, keyval);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&keyval);
    return wrong_classes() > 0;
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
    {"delete-code", delete_code},
    {"copy-code", copy_code},
    {"grequest-code", grequest_code},
};

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
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (argc > 1 && !strcmp(argv[1], faults[i].name) && faults[i].shows() && rank == 0)
            puts(faults[i].name);
    MPI_Finalize();
    return 0;
}
