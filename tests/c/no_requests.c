/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* Numbers that are no messages are refused by both procedures that take one, and so is the null message: Open MPI would wait for
 * what never comes.
 *
 * Numbers that are no requests, alone and in arrays beside others: every procedure that takes requests refuses them with
 * MPI_ERR_REQUEST, and leaves the others as they are. An Open MPI program's would be addresses, which Open MPI natively
 * dereferences. */
#include "check.h"
#include <stdint.h>

enum { MOST = 19 };

#ifndef OPEN_MPI
static MPI_Request live[MOST], requests[MOST];
static MPI_Status statuses[MOST];
static int in[MOST];

/* None of them completes before the end. Every third one is null. */
static void post(void)
{
    for (int i = 0; i < MOST; i++) {
        live[i] = MPI_REQUEST_NULL;
        if (i % 3 != 2)
            OK(MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &live[i]));
    }
}

static void complete(void)
{
    for (int i = 0; i < MOST; i++)
        if (live[i] != MPI_REQUEST_NULL)
            OK(MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_SELF));
    OK(MPI_Waitall(MOST, live, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MOST; i++)
        CHECK_INT(in[i], i % 3 != 2 ? i : 0);
}

static void renew(int place, MPI_Request none)
{
    memcpy(requests, live, sizeof requests);
    requests[place] = none;
}

/* The others are as they were, and the number has not become the null request. */
static void check_others(int place)
{
    for (int i = 0; i < MOST; i++)
        CHECK(i == place ? requests[i] != MPI_REQUEST_NULL : requests[i] == live[i]);
}

#define IN_ARRAY(call) (renew(place, none), FAILS(call, MPI_ERR_REQUEST), check_others(place))

static void in_arrays(int count, int place, MPI_Request none)
{
    int flag, index, indices[MOST];
    IN_ARRAY(MPI_Waitall(count, requests, statuses));
    IN_ARRAY(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
    IN_ARRAY(MPI_Testall(count, requests, &flag, statuses));
    IN_ARRAY(MPI_Waitany(count, requests, &index, statuses));
    IN_ARRAY(MPI_Testany(count, requests, &index, &flag, statuses));
    IN_ARRAY(MPI_Waitsome(count, requests, &index, indices, statuses));
    IN_ARRAY(MPI_Testsome(count, requests, &index, indices, statuses));
    IN_ARRAY(MPI_Startall(count, requests));
}

static void alone(MPI_Request none)
{
    int flag;
    MPI_Request request;
    FAILS((request = none, MPI_Wait(&request, statuses)), MPI_ERR_REQUEST);
    FAILS((request = none, MPI_Test(&request, &flag, statuses)), MPI_ERR_REQUEST);
    FAILS((request = none, MPI_Start(&request)), MPI_ERR_REQUEST);
    FAILS((request = none, MPI_Cancel(&request)), MPI_ERR_REQUEST);
    FAILS((request = none, MPI_Request_free(&request)), MPI_ERR_REQUEST);
    FAILS(MPI_Request_get_status(none, &flag, statuses), MPI_ERR_REQUEST);
    FAILS(MPI_Grequest_complete(none), MPI_ERR_REQUEST);
    CHECK(request != MPI_REQUEST_NULL);
}

static void message(MPI_Message none)
{
    MPI_Message given = none;
    MPI_Request request;
    FAILS(MPI_Mrecv(in, 1, MPI_INT, &given, statuses), MPI_ERR_REQUEST);
    given = none;
    FAILS(MPI_Imrecv(in, 1, MPI_INT, &given, &request), MPI_ERR_REQUEST);
}

/* Of another kind, of no kind, and of a region that no object is in. The standard ABI's other numbers are addresses. */
static void each_number(void)
{
    static const intptr_t numbers[] = { 0, 0x12345678, 0x7fffffff, (int32_t)0x8bffffff, (int32_t)0xe4001000, (int32_t)0x98000010 };
    int few = sizeof(MPI_Request) > sizeof(int) ? 1 : (int)(sizeof numbers / sizeof numbers[0]);
    for (int i = 0; i < few; i++) {
        MPI_Request none = (MPI_Request)numbers[i];
        alone(none);
        message((MPI_Message)numbers[i]);
        for (int count = 1; count <= MOST; count++)
            for (int place = 0; place < count; place++)
                in_arrays(count, place, none);
    }
}
#endif

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
#ifndef OPEN_MPI
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    message(MPI_MESSAGE_NULL);
    post();
    each_number();
    complete();
#endif
    return check_end();
}
