/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* MPI_Wait and MPI_Test, any, some and all, with and without statuses, on
 * active, inactive and null requests. */
#include "check.h"

#define EMPTY(status) CHECK_EMPTY(status, known_fault("empty-status-error"))

enum { N = 40 };   /* more than a small stack buffer of a translator holds */

static int in[N], out[N];
static MPI_Request requests[N];
static MPI_Status statuses[N + 1];

static void poison(void)
{
    for (int i = 0; i <= N; i++)
        statuses[i] = check_poison_status();
    memset(in, 0, sizeof in);
}

/* Receives on even indexes, sends to oneself on odd ones. */
static void post(void)
{
    poison();
    for (int i = 0; i < N; i += 2) {
        out[i] = 100 + i;
        OK(MPI_Irecv(&in[i], 1, MPI_INT, check_rank, i, MPI_COMM_WORLD, &requests[i]));
        OK(MPI_Isend(&out[i], 1, MPI_INT, check_rank, i, MPI_COMM_WORLD, &requests[i + 1]));
    }
}

static void check_received(void)
{
    for (int i = 0; i < N; i += 2)
        CHECK_INT(in[i], 100 + i);
    for (int i = 0; i < N; i++)
        CHECK(requests[i] == MPI_REQUEST_NULL);
}

static void check_receive_statuses(void)
{
    for (int i = 0; i < N; i += 2)
        CHECK_STATUS(&statuses[i], check_rank, i, MPI_INT, 1);
    CHECK_INT(statuses[N].MPI_SOURCE, 7701);
    CHECK_INT(statuses[N].MPI_ERROR, 7703);
}

/* A multiple completion that succeeds as a whole may leave MPI_ERROR alone. */
static void wait_one(void)
{
    post();
    for (int i = N - 1; i >= 0; i--)
        OK(MPI_Wait(&requests[i], i % 4 ? &statuses[i] : MPI_STATUS_IGNORE));
    check_received();
    for (int i = 2; i < N; i += 4) {
        CHECK_STATUS(&statuses[i], check_rank, i, MPI_INT, 1);
        CHECK_INT(statuses[i].MPI_ERROR, 7703);
    }
    CHECK_INT(statuses[0].MPI_SOURCE, 7701);
}

static void test_one(void)
{
    post();
    for (int i = 0; i < N; i++) {
        int flag = 0;
        while (!flag)
            OK(MPI_Test(&requests[i], &flag, &statuses[i]));
        CHECK_INT(statuses[i].MPI_ERROR, 7703);
    }
    check_received();
    check_receive_statuses();
}

/* A test that finds nothing complete changes neither request nor flag. */
static void test_incomplete(void)
{
    int flag = 1, index = 5, done = 5, value = 1, got = 0, places[2];
    MPI_Request pair[2], before;
    MPI_Status status;
    OK(MPI_Irecv(&got, 1, MPI_INT, check_rank, 900, MPI_COMM_WORLD, &pair[0]));
    pair[1] = MPI_REQUEST_NULL;
    before = pair[0];
    OK(MPI_Test(&pair[0], &flag, &status));
    CHECK_INT(flag, 0);
    flag = 1;
    OK(MPI_Testany(2, pair, &index, &flag, &status));
    CHECK_INT(flag, 0);
    CHECK_INT(index, MPI_UNDEFINED);
    flag = 1;
    OK(MPI_Testall(2, pair, &flag, MPI_STATUSES_IGNORE));
    CHECK_INT(flag, 0);
    OK(MPI_Testsome(2, pair, &done, places, MPI_STATUSES_IGNORE));
    CHECK_INT(done, 0);
    flag = 1;
    OK(MPI_Request_get_status(pair[0], &flag, &status));
    CHECK_INT(flag, 0);
    CHECK(pair[0] == before);
    OK(MPI_Send(&value, 1, MPI_INT, check_rank, 900, MPI_COMM_WORLD));
    OK(MPI_Wait(&pair[0], MPI_STATUS_IGNORE));
    CHECK_INT(got, 1);
}

static void wait_any(int ignore)
{
    int seen[N] = { 0 }, index;
    MPI_Status status;
    post();
    for (int i = 0; i < N; i++) {
        status = check_poison_status();
        index = -1;
        OK(MPI_Waitany(N, requests, &index, ignore ? MPI_STATUS_IGNORE : &status));
        CHECK(index >= 0 && index < N && !seen[index]);
        if (index < 0 || index >= N)
            return;
        seen[index] = 1;
        CHECK(requests[index] == MPI_REQUEST_NULL);
        CHECK_INT(status.MPI_ERROR, 7703);
        if (!ignore && index % 2 == 0)
            CHECK_STATUS(&status, check_rank, index, MPI_INT, 1);
    }
    check_received();
}

static void test_any(void)
{
    int flag, index;
    MPI_Status status;
    post();
    for (int done = 0; done < N; done++) {
        status = check_poison_status();
        for (flag = 0; !flag;)
            OK(MPI_Testany(N, requests, &index, &flag, &status));
        CHECK_INT(status.MPI_ERROR, 7703);
        if (index % 2 == 0)
            CHECK_STATUS(&status, check_rank, index, MPI_INT, 1);
    }
    check_received();
}

static void wait_all(int ignore)
{
    post();
    OK(MPI_Waitall(N, requests, ignore ? MPI_STATUSES_IGNORE : statuses));
    check_received();
    if (!ignore)
        check_receive_statuses();
}

static void test_all(int ignore)
{
    int flag = 0;
    post();
    while (!flag)
        OK(MPI_Testall(N, requests, &flag, ignore ? MPI_STATUSES_IGNORE : statuses));
    check_received();
    if (!ignore)
        check_receive_statuses();
}

/* Statuses of the "some" calls are indexed 0 to outcount-1, and nothing
 * beyond them is written. */
static void some(int test, int ignore)
{
    int places[N + 1], done = 0, total = 0;
    post();
    while (total < N) {
        int *here = places;
        for (int i = 0; i <= N; i++)
            places[i] = 4242;
        poison();
        OK((test ? MPI_Testsome : MPI_Waitsome)(N, requests, &done, here,
                                                ignore ? MPI_STATUSES_IGNORE : statuses));
        CHECK(done >= (test ? 0 : 1) && done <= N);
        if (done < 0 || done > N)
            return;
        for (int i = 0; i < done; i++) {
            CHECK(requests[places[i]] == MPI_REQUEST_NULL);
            if (!ignore && places[i] % 2 == 0)
                CHECK_STATUS(&statuses[i], check_rank, places[i], MPI_INT, 1);
        }
        CHECK_INT(places[done], 4242);
        CHECK_INT(statuses[ignore ? 0 : done].MPI_SOURCE, 7701);
        total += done;
    }
    CHECK_INT(total, N);
}

/* Only the third of four requests can complete. */
static void some_in_the_middle(void)
{
    int done = -1, places[4] = { -1, -1, -1, -1 }, value = 9, got[4] = { 0 };
    MPI_Request four[4];
    for (int i = 0; i < 4; i++)
        OK(MPI_Irecv(&got[i], 1, MPI_INT, check_rank, 800 + i, MPI_COMM_WORLD, &four[i]));
    OK(MPI_Send(&value, 1, MPI_INT, check_rank, 802, MPI_COMM_WORLD));
    poison();
    OK(MPI_Waitsome(4, four, &done, places, statuses));
    CHECK_INT(done, 1);
    CHECK_INT(places[0], 2);
    CHECK_STATUS(&statuses[0], check_rank, 802, MPI_INT, 1);
    CHECK_INT(statuses[1].MPI_SOURCE, 7701);
    CHECK_INT(statuses[2].MPI_SOURCE, 7701);
    for (int i = 0; i < 4; i++)
        if (i != 2)
            OK(MPI_Send(&value, 1, MPI_INT, check_rank, 800 + i, MPI_COMM_WORLD));
    CHECK(four[2] == MPI_REQUEST_NULL);
    OK(MPI_Waitall(4, four, statuses));
    EMPTY(&statuses[2]);
    CHECK_STATUS(&statuses[3], check_rank, 803, MPI_INT, 1);
}

/* Between calls requests change places, complete, and begin anew; fewer are given, and more than a translator may
 * remember. */
static void changing_arrays(void)
{
    enum { MANY = 70 };
    MPI_Request many[MANY];
    int got[MANY], tags[MANY], index, flag;
    for (int i = 0; i < MANY; i++) {
        tags[i] = 300 + i;
        OK(MPI_Irecv(&got[i], 1, MPI_INT, check_rank, tags[i], MPI_COMM_WORLD, &many[i]));
    }
    for (int step = 0; step < 3 * MANY; step++) {
        int count = MANY - step % 5, place = step * 11 % count, one = step * 7 % MANY, other = step * 13 % MANY;
        MPI_Request request = many[one];
        MPI_Status status;
        int tag = tags[one];
        many[one] = many[other], tags[one] = tags[other];
        many[other] = request, tags[other] = tag;
        OK(MPI_Testany(count, many, &index, &flag, &status));
        CHECK_INT(flag, 0);
        OK(MPI_Send(&step, 1, MPI_INT, check_rank, tags[place], MPI_COMM_WORLD));
        OK(MPI_Waitany(count, many, &index, &status));
        CHECK_INT(index, place);
        CHECK_STATUS(&status, check_rank, tags[place], MPI_INT, 1);
        CHECK_INT(got[tags[place] - 300], step);
        CHECK(many[place] == MPI_REQUEST_NULL);
        if (step % 3 == 0) {
            OK(MPI_Testany(count, many, &index, &flag, &status));
            CHECK_INT(flag, 0);
        }
        OK(MPI_Irecv(&got[tags[place] - 300], 1, MPI_INT, check_rank, tags[place], MPI_COMM_WORLD, &many[place]));
    }
    for (int i = 0; i < MANY; i++) {
        OK(MPI_Cancel(&many[i]));
        OK(MPI_Wait(&many[i], MPI_STATUS_IGNORE));
    }
}

/* MPI_Waitall of each number of requests, null ones among them: a translator may have a way of its own
 * for few. What lies behind them stays. */
static void any_number(int is_null(int), int ignore)
{
    enum { MANY = 70 };
    MPI_Request many[MANY + 1], behind;
    MPI_Status all[MANY + 1];
    int got[MANY], one = 1;
    OK(MPI_Irecv(&one, 1, MPI_INT, check_rank, 299, MPI_COMM_WORLD, &behind));
    for (int count = 1; count <= MANY; count++) {
        for (int i = 0; i <= count; i++) {
            all[i] = check_poison_status();
            many[i] = i < count ? MPI_REQUEST_NULL : behind;
            if (i < count && !is_null(i)) {
                OK(MPI_Irecv(&got[i], 1, MPI_INT, check_rank, 300 + i, MPI_COMM_WORLD, &many[i]));
                OK(MPI_Send(&count, 1, MPI_INT, check_rank, 300 + i, MPI_COMM_WORLD));
            }
        }
        OK(MPI_Waitall(count, many, ignore ? MPI_STATUSES_IGNORE : all));
        for (int i = 0; i < count; i++) {
            CHECK(many[i] == MPI_REQUEST_NULL);
            if (!is_null(i))
                CHECK_INT(got[i], count);
            if (ignore)
                CHECK_INT(all[i].MPI_SOURCE, 7701);
            else if (is_null(i))
                EMPTY(&all[i]);
            else
                CHECK_STATUS(&all[i], check_rank, 300 + i, MPI_INT, 1);
        }
        CHECK(many[count] == behind);
        CHECK_INT(all[count].MPI_SOURCE, 7701);
        CHECK_INT(all[count].MPI_ERROR, 7703);
    }
    OK(MPI_Cancel(&behind));
    OK(MPI_Wait(&behind, MPI_STATUS_IGNORE));
}

static int none(int i)
{
    (void)i;
    return 0;
}

static int every_third(int i)
{
    return i % 3 == 0;
}

static int the_first_five(int i)
{
    return i < 5;
}

static void null_requests(void)
{
    int flag = 0, index = 0, done = 0, places[N];
    MPI_Status status = check_poison_status();
    for (int i = 0; i < N; i++)
        requests[i] = MPI_REQUEST_NULL;
    OK(MPI_Wait(&requests[0], &status));
    EMPTY(&status);
    OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    status = check_poison_status();
    OK(MPI_Test(&requests[0], &flag, &status));
    CHECK_INT(flag, 1);
    EMPTY(&status);
    status = check_poison_status();
    OK(MPI_Waitany(N, requests, &index, &status));
    CHECK_INT(index, MPI_UNDEFINED);
    EMPTY(&status);
    status = check_poison_status();
    flag = index = 0;
    OK(MPI_Testany(N, requests, &index, &flag, &status));
    CHECK_INT(flag, 1);
    CHECK_INT(index, MPI_UNDEFINED);
    EMPTY(&status);
    OK(MPI_Waitsome(N, requests, &done, places, statuses));
    CHECK_INT(done, MPI_UNDEFINED);
    done = 0;
    OK(MPI_Testsome(N, requests, &done, places, MPI_STATUSES_IGNORE));
    CHECK_INT(done, MPI_UNDEFINED);
}

static void null_requests_in_all(void)
{
    int flag = 0;
    MPI_Status status = check_poison_status();
    poison();
    OK(MPI_Waitall(N, requests, statuses));
    for (int i = 0; i < N; i++)
        EMPTY(&statuses[i]);
    poison();
    OK(MPI_Testall(N, requests, &flag, statuses));
    CHECK_INT(flag, 1);
    for (int i = 0; i < N; i++)
        EMPTY(&statuses[i]);
    CHECK_INT(statuses[N].MPI_SOURCE, 7701);
    OK(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
    OK(MPI_Waitall(N, requests, MPI_STATUSES_IGNORE));
    flag = 0;
    OK(MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status));
    CHECK_INT(flag, 1);
    EMPTY(&status);
}

/* MPI_Request_get_status does not free the request. */
static void get_status_keeps_the_request(void)
{
    int flag = 0, value = 8, got = 0;
    MPI_Request request, before;
    MPI_Status status = check_poison_status();
    OK(MPI_Irecv(&got, 1, MPI_INT, check_rank, 55, MPI_COMM_WORLD, &request));
    before = request;
    OK(MPI_Send(&value, 1, MPI_INT, check_rank, 55, MPI_COMM_WORLD));
    while (!flag)
        OK(MPI_Request_get_status(request, &flag, &status));
    CHECK_STATUS(&status, check_rank, 55, MPI_INT, 1);
    CHECK(request == before && request != MPI_REQUEST_NULL);
    OK(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&request, &status));
    CHECK_INT(got, 8);
}

/* One truncated message among several: MPI_ERR_IN_STATUS, and each status
 * tells its own error as a code the application can take apart. */
static void error_in_status(void)
{
    int big[4] = { 1, 2, 3, 4 }, got[2] = { 0 };
    MPI_Request two[2];
    MPI_Status both[2] = { check_poison_status(), check_poison_status() };
    int code, other = 1 - check_rank;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Irecv(&got[0], 1, MPI_INT, other, 70, MPI_COMM_WORLD, &two[0]));
    OK(MPI_Irecv(&got[1], 1, MPI_INT, other, 71, MPI_COMM_WORLD, &two[1]));
    OK(MPI_Send(big, 1, MPI_INT, other, 71, MPI_COMM_WORLD));
    OK(MPI_Send(big, 4, MPI_INT, other, 70, MPI_COMM_WORLD));
    code = MPI_Waitall(2, two, both);
    CHECK_INT(check_class(code), MPI_ERR_IN_STATUS);
    CHECK_INT(check_class(both[0].MPI_ERROR), MPI_ERR_TRUNCATE);
    if (both[1].MPI_ERROR != MPI_SUCCESS) {
        /* The host gave up at the first error: the other one is pending. */
        CHECK_INT(check_class(both[1].MPI_ERROR), MPI_ERR_PENDING);
        CHECK(two[1] != MPI_REQUEST_NULL);
        OK(MPI_Wait(&two[1], &both[1]));
    }
    CHECK_STATUS(&both[1], other, 71, MPI_INT, 1);
    CHECK_INT(got[1], 1);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

/* The same where nobody asks for statuses, of one request and of more: the code is of the whole, and all are complete. */
static void error_without_statuses(int count)
{
    int big[4] = { 1, 2, 3, 4 }, got[8] = { 0 }, other = 1 - check_rank;
    MPI_Request all[8];
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    for (int i = 0; i < count; i++)
        OK(MPI_Irecv(&got[i], 1, MPI_INT, other, 70 + i, MPI_COMM_WORLD, &all[i]));
    for (int i = 0; i < count; i++)
        OK(MPI_Send(big, i == count - 1 ? 4 : 1, MPI_INT, other, 70 + i, MPI_COMM_WORLD));
    int class = check_class(MPI_Waitall(count, all, MPI_STATUSES_IGNORE));
    CHECK(class == MPI_ERR_IN_STATUS || class == MPI_ERR_TRUNCATE);
    OK(MPI_Waitall(count, all, MPI_STATUSES_IGNORE));
    for (int i = 0; i < count; i++)
        CHECK(all[i] == MPI_REQUEST_NULL);
    for (int i = 0; i < count - 1; i++)
        CHECK_INT(got[i], 1);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

/* No request at all, behind an address and status that are left alone. */
static void no_requests(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status = check_poison_status();
    OK(MPI_Waitall(0, &request, MPI_STATUSES_IGNORE));
    OK(MPI_Waitall(0, &request, &status));
    OK(MPI_Startall(0, &request));
    CHECK(request == MPI_REQUEST_NULL);
    CHECK_INT(status.MPI_SOURCE, 7701);
}

static void request_free(void)
{
    int got = 0, value = 4;
    MPI_Request receive, send;
    OK(MPI_Irecv(&got, 1, MPI_INT, check_rank, 33, MPI_COMM_WORLD, &receive));
    OK(MPI_Isend(&value, 1, MPI_INT, check_rank, 33, MPI_COMM_WORLD, &send));
    OK(MPI_Request_free(&send));
    CHECK(send == MPI_REQUEST_NULL);
    OK(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    CHECK_INT(got, 4);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    wait_one();
    test_one();
    test_incomplete();
    changing_arrays();
    wait_any(0);
    wait_any(1);
    test_any();
    for (int ignore = 0; ignore < 2; ignore++) {
        wait_all(ignore);
        any_number(none, ignore);
        any_number(every_third, ignore);
        any_number(the_first_five, ignore);
        test_all(ignore);
        some(0, ignore);
        some(1, ignore);
    }
    some_in_the_middle();
    null_requests();
    null_requests_in_all();
    get_status_keeps_the_request();
    error_in_status();
    for (int count = 1; count <= 5; count++)
        error_without_statuses(count);
    no_requests();
    request_free();
    return check_end();
}
