/* SPDX-License-Identifier: BSD-3-Clause */
/* probe: what every MPI must do, in the ABI of one family. Rank 0 prints one line that begins with
 * "probe: ok" and names the MPI that answered; anything that is wrong is a line on stderr. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, faults;

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "probe: rank %d of %d: %s\n", rank, size, what);
    faults++;
}

/* Every rank receives from anybody and sends to its right neighbour. */
static void pass_around(void)
{
    int given = 1000 + rank, got = -1, count = -1;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&given, 1, MPI_INT, right, 7, MPI_COMM_WORLD, &requests[1]);
    expect(MPI_Waitall(2, requests, statuses) == MPI_SUCCESS, "MPI_Waitall fails");
    MPI_Get_count(&statuses[0], MPI_INT, &count);
    expect(got == 1000 + left, "a message has the wrong contents");
    expect(statuses[0].MPI_SOURCE == left && statuses[0].MPI_TAG == 7 && count == 1, "a status is wrong");
    expect(requests[0] == MPI_REQUEST_NULL, "a request is not freed");
}

static void largest(void *in, void *inout, int *length, MPI_Datatype *type)
{
    const double *a = in;
    double *b = inout;
    (void)type;
    for (int i = 0; i < *length; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void reduce(void)
{
    int sum = -1;
    double mine = rank, most = -1;
    MPI_Op op;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(sum == size * (size - 1) / 2, "MPI_Allreduce has the wrong sum");
    MPI_Op_create(largest, 1, &op);
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    expect(most == size - 1, "an operation of the program's own has the wrong result");
    MPI_Op_free(&op);
}

static void use_handles(void)
{
    MPI_Comm half;
    MPI_Datatype pair;
    int bytes = 0, here = -1, *tag_limit = 0, flag = 0;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, 0, &half);
    expect((half == MPI_COMM_NULL) == (rank != 0), "MPI_Comm_split gives the wrong ranks a communicator");
    if (half != MPI_COMM_NULL) {
        MPI_Comm_size(half, &here);
        expect(here == 1, "a new communicator has the wrong size");
        MPI_Comm_free(&half);
    }
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_size(pair, &bytes);
    expect(bytes == 2 * (int)sizeof(double), "a new datatype has the wrong size");
    MPI_Type_free(&pair);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_limit, &flag);
    expect(flag && *tag_limit >= 32767, "MPI_TAG_UB is wrong");
}

static void fail_on_purpose(void)
{
    int code, class = MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Send(&rank, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD);
    MPI_Error_class(code, &class);
    expect(class == MPI_ERR_RANK, "an error has the wrong class");
}

/* The adapter's own text ends here, or that of a chain's last adapter, and the host's begins. */
static char *text_of_host(char *text)
{
    char *adapted;
    while ((adapted = strstr(text, ", adapted by MPI-Adapter ")) && (adapted = strstr(adapted, " to ")))
        text = adapted + strlen(" to ");
    return text;
}

/* The first line of what the library that runs says of itself. */
static void report(void)
{
    char all[MPI_MAX_LIBRARY_VERSION_STRING + 1], *text;
    int length = 0, version = 0, subversion = 0, total = 0;
    MPI_Allreduce(&faults, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    faults = total;
    memset(all, 0, sizeof all);
    MPI_Get_library_version(all, &length);
    text = text_of_host(all);
    MPI_Get_version(&version, &subversion);
    text[strcspn(text, "\n")] = 0;
    for (char *c = text; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
    if (rank == 0 && faults == 0)
        printf("probe: ok, %d ranks, MPI %d.%d, %s\n", size, version, subversion, text);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int wanted = argc > 1 ? atoi(argv[1]) : 0;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (wanted && size != wanted) {
        fprintf(stderr, "probe: %d of the expected %d ranks are together\n", size, wanted);
        faults++;
    } else {
        pass_around();
        reduce();
        use_handles();
        fail_on_purpose();
    }
    report();
    MPI_Finalize();
    return faults != 0;
}
