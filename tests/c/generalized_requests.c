/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Generalized requests: callbacks, statuses made by the program, and every
 * completion call; MPI_Status_set_*. */
#include "check.h"

static int queries, frees, cancels, wrong, cancel_complete = -1;

typedef struct { int tag, elements, cancelled; } state_t;

static int query(void *extra, MPI_Status *status)
{
    state_t *state = extra;
    queries++;
    status->MPI_SOURCE = MPI_PROC_NULL;
    status->MPI_TAG = state->tag;
    wrong += MPI_Status_set_elements(status, MPI_INT, state->elements) != MPI_SUCCESS;
    wrong += MPI_Status_set_cancelled(status, state->cancelled) != MPI_SUCCESS;
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    frees++;
    wrong += extra == NULL;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    state_t *state = extra;
    cancels++;
    cancel_complete = complete;
    state->cancelled = 1;
    return MPI_SUCCESS;
}

static void check_made(MPI_Status *status, int tag, int elements, int cancelled)
{
    int count = -1, flag = -1;
    CHECK_INT(status->MPI_SOURCE, MPI_PROC_NULL);
    CHECK_INT(status->MPI_TAG, tag);
    OK(MPI_Get_count(status, MPI_INT, &count));
    CHECK_INT(count, elements);
    OK(MPI_Get_elements(status, MPI_INT, &count));
    CHECK_INT(count, elements);
    OK(MPI_Test_cancelled(status, &flag));
    CHECK_INT(!!flag, cancelled);
}

static void each_completion_call(void)
{
    for (int how = 0; how < 8; how++) {
        state_t state = { 100 + how, 3 + how, 0 };
        int flag = 0, index = -1, done = -1, place = -1;
        MPI_Request request, handle;
        MPI_Status status = check_poison_status();
        queries = frees = 0;
        OK(MPI_Grequest_start(query, release, cancel, &state, &request));
        handle = request;
        CHECK(request != MPI_REQUEST_NULL);
        OK(MPI_Test(&request, &flag, &status));
        CHECK_INT(flag, 0);
        CHECK_INT(frees, 0);
        OK(MPI_Grequest_complete(request));
        CHECK(request == handle);
        switch (how) {
        case 0: OK(MPI_Wait(&request, &status)); break;
        case 1: OK(MPI_Test(&request, &flag, &status)); break;
        case 2: OK(MPI_Waitany(1, &request, &index, &status)); break;
        case 3: OK(MPI_Testany(1, &request, &index, &flag, &status)); break;
        case 4: OK(MPI_Waitsome(1, &request, &done, &place, &status)); break;
        case 5: OK(MPI_Testsome(1, &request, &done, &place, &status)); break;
        case 6: OK(MPI_Waitall(1, &request, &status)); break;
        case 7: OK(MPI_Testall(1, &request, &flag, &status)); break;
        }
        CHECK(request == MPI_REQUEST_NULL);
        check_made(&status, 100 + how, 3 + how, 0);
        CHECK(queries >= 1);
        CHECK_INT(frees, 1);
    }
}

static void cancelled_request(void)
{
    state_t state = { 5, 0, 0 };
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Grequest_start(query, release, cancel, &state, &request));
    OK(MPI_Cancel(&request));
    CHECK_INT(cancels, 1);
    CHECK_INT(!!cancel_complete, 0);
    OK(MPI_Grequest_complete(request));
    OK(MPI_Wait(&request, &status));
    check_made(&status, 5, 0, 1);
}

static void ignored_and_freed(void)
{
    state_t state = { 1, 1, 0 };
    MPI_Request request;
    frees = 0;
    OK(MPI_Grequest_start(query, release, cancel, &state, &request));
    OK(MPI_Grequest_complete(request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(frees, 1);
    OK(MPI_Grequest_start(query, release, cancel, &state, &request));
    OK(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
}

static int failing_query(void *extra, MPI_Status *status)
{
    query(extra, status);
    return MPI_ERR_OTHER;
}

/* Mixed with other requests, several at once. */
static void among_others(void)
{
    enum { N = 12 };
    state_t states[N];
    MPI_Request requests[2 * N];
    MPI_Status statuses[2 * N];
    int in[N], out[N];
    for (int i = 0; i < N; i++) {
        states[i] = (state_t){ 200 + i, i, 0 };
        out[i] = i;
        OK(MPI_Grequest_start(query, release, cancel, &states[i], &requests[2 * i]));
        OK(MPI_Irecv(&in[i], 1, MPI_INT, check_rank, i, MPI_COMM_WORLD, &requests[2 * i + 1]));
    }
    for (int i = 0; i < N; i++) {
        OK(MPI_Grequest_complete(requests[2 * i]));
        OK(MPI_Send(&out[i], 1, MPI_INT, check_rank, i, MPI_COMM_WORLD));
    }
    OK(MPI_Waitall(2 * N, requests, statuses));
    for (int i = 0; i < N; i++) {
        check_made(&statuses[2 * i], 200 + i, i, 0);
        CHECK_STATUS(&statuses[2 * i + 1], check_rank, i, MPI_INT, 1);
    }
}

/* The error a callback returns reaches the caller. */
static void callback_error(void)
{
    state_t state = { 1, 1, 0 };
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Grequest_start(failing_query, release, cancel, &state, &request));
    OK(MPI_Grequest_complete(request));
    int code = MPI_Wait(&request, &status);
    CHECK_INT(check_class(code), MPI_ERR_OTHER);
}

/* Null pointers among the callbacks: MPICH refuses them, and Open MPI calls none. By bits, which ones are null. */
static void null_callbacks(void)
{
    for (int null = 1; null < 8; null++) {
        state_t state = { 5, 6, 0 };
        MPI_Request request;
        MPI_Status status = check_poison_status();
        int flag = -1, rc = MPI_Grequest_start(null & 1 ? 0 : query, null & 2 ? 0 : release, null & 4 ? 0 : cancel, &state, &request);
        if (rc != MPI_SUCCESS) {
            CHECK_INT(check_class(rc), MPI_ERR_ARG);
            continue;
        }
        OK(MPI_Cancel(&request));
        OK(MPI_Grequest_complete(request));
        OK(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
        CHECK_INT(flag, 1);
        OK(MPI_Wait(&request, &status));
        CHECK(request == MPI_REQUEST_NULL);
        if (null & 1)
            CHECK_STATUS(&status, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_BYTE, 0);
    }
}

static void status_setters(void)
{
    MPI_Status status;
    MPI_Count big = -1;
    int flag = -1;
    memset(&status, 0, sizeof status);
    OK(MPI_Status_set_elements_x(&status, MPI_BYTE, (MPI_Count)5000000000));
    OK(MPI_Get_elements_x(&status, MPI_BYTE, &big));
    CHECK_INT(big, 5000000000);
    OK(MPI_Get_count(&status, MPI_BYTE, &flag));
    CHECK_INT(flag, MPI_UNDEFINED);
    OK(MPI_Status_set_cancelled(&status, 1));
    OK(MPI_Test_cancelled(&status, &flag));
    CHECK(flag);
    OK(MPI_Get_elements_x(&status, MPI_BYTE, &big));
    CHECK_INT(big, 5000000000);
    OK(MPI_Status_set_cancelled(&status, 0));
    OK(MPI_Test_cancelled(&status, &flag));
    CHECK(!flag);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    each_completion_call();
    cancelled_request();
    ignored_and_freed();
    among_others();
    status_setters();
    callback_error();
    null_callbacks();
    CHECK_INT(wrong, 0);
    return check_end();
}
