/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 4 */
/* Point-to-point communication in all modes, wildcards and MPI_PROC_NULL. */
#include "check.h"

typedef int (*send_fn)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int (*isend_fn)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static const send_fn sends[] = { MPI_Send, MPI_Ssend, MPI_Bsend, MPI_Rsend };
static const isend_fn isends[] = { MPI_Isend, MPI_Issend, MPI_Ibsend, MPI_Irsend };

/* Ready sends need a posted receive: receive first, then tell the sender. */
static void blocking_mode(int mode)
{
    int value[3] = { 10 + mode, 20, 30 }, got[3] = { 0, 0, 0 };
    MPI_Status status = check_poison_status();
    if (check_rank == 0) {
        OK(MPI_Recv(NULL, 0, MPI_INT, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(sends[mode](value, 3, MPI_INT, 1, mode, MPI_COMM_WORLD));
    } else if (check_rank == 1) {
        MPI_Request request;
        OK(MPI_Irecv(got, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request));
        OK(MPI_Send(NULL, 0, MPI_INT, 0, 99, MPI_COMM_WORLD));
        OK(MPI_Wait(&request, &status));
        CHECK(request == MPI_REQUEST_NULL);
        CHECK_STATUS(&status, 0, mode, MPI_INT, 3);
        CHECK_INT(status.MPI_ERROR, 7703);
        CHECK_INT(got[0], 10 + mode);
        CHECK_INT(got[2], 30);
    }
}

static void nonblocking_mode(int mode)
{
    double value = 0.5 + mode, got = 0;
    MPI_Request request;
    if (check_rank == 0) {
        OK(MPI_Recv(NULL, 0, MPI_INT, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(isends[mode](&value, 1, MPI_DOUBLE, 1, 40 + mode, MPI_COMM_WORLD, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(request == MPI_REQUEST_NULL);
    } else if (check_rank == 1) {
        OK(MPI_Irecv(&got, 1, MPI_DOUBLE, 0, 40 + mode, MPI_COMM_WORLD, &request));
        OK(MPI_Send(NULL, 0, MPI_INT, 0, 99, MPI_COMM_WORLD));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(got == 0.5 + mode);
    }
}

static void all_modes(void)
{
    static char space[100000];
    void *back = NULL;
    int bytes = 0;
    OK(MPI_Buffer_attach(space, sizeof space));
    for (int mode = 0; mode < 4; mode++) {
        blocking_mode(mode);
        nonblocking_mode(mode);
    }
    OK(MPI_Buffer_detach(&back, &bytes));
    CHECK(back == space);
    CHECK_INT(bytes, sizeof space);
}

/* In one family MPI_ANY_TAG and MPI_PROC_NULL are the same integer: a tag
 * taken for a rank, or the reverse, receives nothing or matches wrongly. */
static void wildcards_do_not_mix(void)
{
    int got = 0, value = 5;
    MPI_Status status;
    MPI_Request request;
    OK(MPI_Isend(&value, 1, MPI_INT, check_rank, 0, MPI_COMM_WORLD, &request));
    OK(MPI_Recv(&got, 1, MPI_INT, check_rank, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(got, 5);
    CHECK_STATUS(&status, check_rank, 0, MPI_INT, 1);
    OK(MPI_Isend(&value, 1, MPI_INT, check_rank, 1, MPI_COMM_WORLD, &request));
    OK(MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_STATUS(&status, check_rank, 1, MPI_INT, 1);
}

static void check_proc_null_status(MPI_Status *status)
{
    int count = -1;
    CHECK_INT(status->MPI_SOURCE, MPI_PROC_NULL);
    CHECK_INT(status->MPI_TAG, MPI_ANY_TAG);
    CHECK_INT(status->MPI_ERROR, 7703);
    OK(MPI_Get_count(status, MPI_INT, &count));
    CHECK_INT(count, 0);
}

/* Every operation on MPI_PROC_NULL completes at once and transfers nothing. */
static void proc_null(void)
{
    int value = 1, untouched = 77;
    MPI_Status status = check_poison_status();
    MPI_Request request;
    for (int mode = 0; mode < 4; mode++) {
        OK(sends[mode](&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD));
        OK(isends[mode](&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(request == MPI_REQUEST_NULL);
    }
    OK(MPI_Recv(&untouched, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    check_proc_null_status(&status);
    status = check_poison_status();
    OK(MPI_Recv(&untouched, 1, MPI_INT, MPI_PROC_NULL, 12, MPI_COMM_WORLD, &status));
    check_proc_null_status(&status);
    status = check_poison_status();
    OK(MPI_Irecv(&untouched, 1, MPI_INT, MPI_PROC_NULL, 12, MPI_COMM_WORLD, &request));
    OK(MPI_Wait(&request, &status));
    if (!known_fault("irecv-proc-null-status"))
        check_proc_null_status(&status);
    CHECK_INT(untouched, 77);
}

static void sendrecv_on_a_ring(void)
{
    int right = (check_rank + 1) % check_size, left = (check_rank + check_size - 1) % check_size;
    int out = check_rank, in = -1;
    MPI_Status status = check_poison_status();
    OK(MPI_Sendrecv(&out, 1, MPI_INT, right, 6, &in, 1, MPI_INT, left, MPI_ANY_TAG,
                    MPI_COMM_WORLD, &status));
    CHECK_INT(in, left);
    CHECK_STATUS(&status, left, 6, MPI_INT, 1);
    CHECK_INT(status.MPI_ERROR, 7703);
    OK(MPI_Sendrecv_replace(&out, 1, MPI_INT, right, 7, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status));
    CHECK_INT(out, left);
    CHECK_STATUS(&status, left, 7, MPI_INT, 1);
    OK(MPI_Sendrecv(&out, 1, MPI_INT, right, 8, &in, 1, MPI_INT, left, 8, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    out = 31;
    OK(MPI_Sendrecv_replace(&out, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_PROC_NULL, 7,
                            MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_INT(out, 31);
    /* Ends of a line: one side of the exchange is MPI_PROC_NULL. */
    in = -5;
    OK(MPI_Sendrecv(&out, 1, MPI_INT, check_rank + 1 < check_size ? right : MPI_PROC_NULL, 9,
                    &in, 1, MPI_INT, check_rank > 0 ? left : MPI_PROC_NULL, 9,
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_INT(in, check_rank > 0 ? 31 : -5);
}

/* The count of a status comes from bytes that only the host understands: it
 * must survive a copy of the status, and another datatype. */
static void counts_of_a_copied_status(void)
{
    int in[4] = { 0 }, out[3] = { 1, 2, 3 }, count = -1, elements = -1;
    MPI_Status status, copy;
    MPI_Datatype pair;
    MPI_Count big = -1;
    OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    OK(MPI_Type_commit(&pair));
    OK(MPI_Sendrecv(out, 3, MPI_INT, check_rank, 1, in, 2, pair, check_rank, 1,
                    MPI_COMM_WORLD, &status));
    memcpy(&copy, &status, sizeof copy);
    memset(&status, 0, sizeof status);
    OK(MPI_Get_count(&copy, MPI_BYTE, &count));
    CHECK_INT(count, 3 * sizeof(int));
    OK(MPI_Get_count(&copy, pair, &count));
    CHECK_INT(count, MPI_UNDEFINED);
    OK(MPI_Get_elements(&copy, pair, &elements));
    CHECK_INT(elements, 3);
    OK(MPI_Get_elements_x(&copy, pair, &big));
    CHECK_INT(big, 3);
    OK(MPI_Type_free(&pair));
}

static void highest_tag(void)
{
    int *upper = NULL, found = 0, got = 0, value = 3;
    MPI_Status status;
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &upper, &found));
    CHECK(found);
    if (!found)
        return;
    CHECK(*upper >= 32767);
    OK(MPI_Sendrecv(&value, 1, MPI_INT, check_rank, *upper, &got, 1, MPI_INT, check_rank,
                    *upper, MPI_COMM_WORLD, &status));
    CHECK_INT(status.MPI_TAG, *upper);
    CHECK_INT(got, 3);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    all_modes();
    wildcards_do_not_mix();
    proc_null();
    sendrecv_on_a_ring();
    counts_of_a_copied_status();
    highest_tag();
    return check_end();
}
