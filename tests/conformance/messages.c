/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Messages from the first process to the second: statuses, truncation and what it leaves, probes, cancelled, persistent,
 * buffered and partitioned requests. What is received has arrived before: no line depends on how fast a process is. */
#include "handlers.h"

enum { LARGE = 100000 };

static MPI_Comm apart;
static int numbers[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, more[8], large[LARGE];

/* Waits until all messages that were sent before have arrived. */
static void step(void)
{
    MPI_Barrier(apart);
}

static void send_ints(int count, int tag)
{
    MPI_Send(numbers, count, MPI_INT, 1, tag, duplicate);
}

/* Receives into the first words of `more`, which are nines before. */
static void nines(void)
{
    for (int i = 0; i < 8; i++)
        more[i] = 9;
}

static const char *request_state(MPI_Request request)
{
    return request == MPI_REQUEST_NULL ? " null" : " not null";
}

static void kinds_of_receive(void)
{
    MPI_Status status;
    MPI_Request request;
    int count = 77, elements = 77;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (here == 0) {
        send_ints(3, 7);
        send_ints(0, 8);
        MPI_Send(numbers, 7, MPI_CHAR, 1, 9, duplicate);
        send_ints(3, 10);
        send_ints(2, 11);
        send_ints(2, 12);
        MPI_Send(large, LARGE, MPI_INT, 1, 13, duplicate);
        step();
    } else {
        MPI_Irecv(large, LARGE, MPI_INT, 0, 13, duplicate, &request);
        step();
        clear_statuses(&status, 1);
        SEE("recv of any", MPI_Recv(more, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, duplicate, &status),
            note_left(&status); note_numbers(more, 3));
        clear_statuses(&status, 1);
        SEE("recv of nothing", MPI_Recv(more, 8, MPI_INT, 0, 8, duplicate, &status), note_left(&status));
        clear_statuses(&status, 1);
        SEE("recv of bytes that are no numbers", MPI_Recv(more, 32, MPI_CHAR, 0, 9, duplicate, &status), note_left(&status);
            MPI_Get_count(&status, MPI_INT, &count); MPI_Get_elements(&status, MPI_INT, &elements);
            note(" count %s elements %s", count == MPI_UNDEFINED ? "undefined" : "defined",
                elements == MPI_UNDEFINED ? "undefined" : "defined"));
        clear_statuses(&status, 1);
        SEE("recv of one and a half", MPI_Recv(more, 4, pair, 0, 10, duplicate, &status), note_left(&status);
            MPI_Get_count(&status, pair, &count); MPI_Get_elements(&status, pair, &elements);
            note(" count %s elements %d", count == MPI_UNDEFINED ? "undefined" : "defined", elements));
        SEE("recv without a status", MPI_Recv(more, 8, MPI_INT, 0, 11, duplicate, MPI_STATUS_IGNORE));
        clear_statuses(&status, 1);
        SEE("recv of exactly that", MPI_Recv(more, 2, MPI_INT, 0, 12, duplicate, &status), note_left(&status));
        clear_statuses(&status, 1);
        SEE("recv of many", MPI_Wait(&request, &status), note_left(&status));
        clear_statuses(&status, 1);
        SEE("recv of no process", MPI_Recv(more, 2, MPI_INT, MPI_PROC_NULL, 12, duplicate, &status), note_left(&status));
    }
    MPI_Type_free(&pair);
    step();
}

static void probes(void)
{
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    int flag = 77;
    if (here == 0) {
        send_ints(2, 10);
        send_ints(2, 11);
        send_ints(4, 12);
        send_ints(1, 13);
        step();
    } else {
        step();
        clear_statuses(&status, 1);
        SEE("probe of any", MPI_Probe(MPI_ANY_SOURCE, 10, duplicate, &status), status.MPI_ERROR = NO_ERROR; note_transfer(&status));
        clear_statuses(&status, 1);
        SEE("iprobe", MPI_Iprobe(0, 11, duplicate, &flag, &status), note(" flag %d", flag); note_transfer(&status));
        clear_statuses(&status, 1);
        flag = 77;
        SEE("iprobe of none", MPI_Iprobe(0, 99, duplicate, &flag, &status), note(" flag %d", flag));
        UNTOUCHED(message);
        flag = 77;
        SEE("improbe of none", MPI_Improbe(0, 99, duplicate, &flag, &message, &status), note(" flag %d", flag));
        clear_statuses(&status, 1);
        SEE("mprobe of any", MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, duplicate, &message, &status),
            note_transfer(&status); note(" %s", STATE(message, MPI_MESSAGE_NULL)));
        clear_statuses(&status, 1);
        SEE("mrecv", MPI_Mrecv(more, 8, MPI_INT, &message, &status),
            note_left(&status); note_numbers(more, 2); note(" %s", STATE(message, MPI_MESSAGE_NULL)));
        clear_statuses(&status, 1);
        SEE("improbe", MPI_Improbe(0, 11, duplicate, &flag, &message, &status), note(" flag %d", flag); note_transfer(&status));
        SEE("imrecv", MPI_Imrecv(more, 8, MPI_INT, &message, &request), note(" %s", STATE(message, MPI_MESSAGE_NULL)));
        clear_statuses(&status, 1);
        SEE("wait for it", MPI_Wait(&request, &status), note_left(&status));
        MPI_Mprobe(0, 12, duplicate, &message, MPI_STATUS_IGNORE);
        clear_statuses(&status, 1);
        nines();
        SEE("mrecv that truncates", MPI_Mrecv(more, 1, MPI_INT, &message, &status),
            note_left(&status); note_numbers(more, 3); note(" %s", STATE(message, MPI_MESSAGE_NULL)));
        MPI_Mprobe(0, 13, duplicate, &message, MPI_STATUS_IGNORE);
        SEE("mrecv of the null datatype", MPI_Mrecv(more, 1, MPI_DATATYPE_NULL, &message, &status),
            note(" %s", STATE(message, MPI_MESSAGE_NULL)));
        if (message != MPI_MESSAGE_NULL)
            SEE("mrecv after that", MPI_Mrecv(more, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
        if (!host_is("openmpi"))
            SEE("mrecv of the null message", MPI_Mrecv(more, 1, MPI_INT, &message, &status));
        clear_statuses(&status, 1);
        SEE("probe of no process", MPI_Probe(MPI_PROC_NULL, 3, duplicate, &status), note_left(&status));
        clear_statuses(&status, 1);
        SEE("iprobe of no process", MPI_Iprobe(MPI_PROC_NULL, 3, duplicate, &flag, &status), note(" flag %d", flag); note_left(&status));
        clear_statuses(&status, 1);
        SEE("mprobe of no process", MPI_Mprobe(MPI_PROC_NULL, 3, duplicate, &message, &status),
            note_left(&status); note(" %s", message == MPI_MESSAGE_NO_PROC ? "MPI_MESSAGE_NO_PROC" : "another"));
        clear_statuses(&status, 1);
        SEE("mrecv of no process", MPI_Mrecv(more, 1, MPI_INT, &message, &status),
            note_left(&status); note(" %s", STATE(message, MPI_MESSAGE_NULL)));
        message = MPI_MESSAGE_NO_PROC;
        SEE("imrecv of no process", MPI_Imrecv(more, 1, MPI_INT, &message, &request), note(" %s", STATE(message, MPI_MESSAGE_NULL)));
        clear_statuses(&status, 1);
        SEE("wait for that of no process", MPI_Wait(&request, &status), note_left(&status); note("%s", request_state(request)));
    }
    step();
}

/* Requests for messages that have arrived: those of `truncating` are one number for four. */
static void post(MPI_Request *requests, int count, int first_tag, const char *truncating)
{
    for (int i = 0; i < count; i++)
        MPI_Irecv(more + 2 * i, truncating[i] == 't' ? 1 : 2, MPI_INT, 0, first_tag + i, duplicate, &requests[i]);
}

static void note_all(const MPI_Request *requests, const MPI_Status *statuses, int count)
{
    for (int i = 0; i < count; i++) {
        note("%s", i == 0 ? ":" : ",");
        note_left(&statuses[i]);
        note("%s", request_state(requests[i]));
    }
}

static void truncated_arrays(void)
{
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int flag = 77, index = 77, outcount = 77, indices[3];
    if (here == 0) {
        for (int tag = 40; tag < 61; tag++)
            send_ints(2, tag);
        step();
        return;
    }
    step();
    post(requests, 3, 40, "-t-");
    clear_statuses(statuses, 3);
    SEE("waitall with one that truncates", MPI_Waitall(3, requests, statuses), note_all(requests, statuses, 3));
    post(requests, 3, 43, "-tt");
    SEE("waitall without statuses", MPI_Waitall(3, requests, MPI_STATUSES_IGNORE),
        for (int i = 0; i < 3; i++) note("%s", request_state(requests[i])));
    post(requests, 3, 46, "-t-");
    clear_statuses(statuses, 3);
    SEE("testall with one that truncates", MPI_Testall(3, requests, &flag, statuses),
        note(" flag %d", flag); note_all(requests, statuses, 3));
    post(requests, 3, 49, "t--");
    clear_statuses(statuses, 3);
    SEE("waitsome with one that truncates", MPI_Waitsome(3, requests, &outcount, indices, statuses),
        note(" %d", outcount); note_all(requests, statuses, 3));
    post(requests, 3, 52, "--t");
    clear_statuses(statuses, 3);
    SEE("testsome with one that truncates", MPI_Testsome(3, requests, &outcount, indices, statuses),
        note(" %d", outcount); note_all(requests, statuses, 3));
    post(requests, 3, 55, "t--");
    clear_statuses(statuses, 1);
    SEE("waitany with one that truncates", MPI_Waitany(3, requests, &index, statuses),
        note(" %d", index); note_left(statuses); note("%s", request_state(requests[0])));
    SEE("waitall of the others", MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    post(requests, 3, 58, "t--");
    clear_statuses(statuses, 1);
    SEE("testany with one that truncates", MPI_Testany(3, requests, &index, &flag, statuses),
        note(" %d flag %d", index, flag); note_left(statuses); note("%s", request_state(requests[0])));
    SEE("testall of the others", MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE), note(" flag %d", flag));
}

static void truncated(void)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int flag = 77;
    if (here == 0) {
        for (int tag = 20; tag < 26; tag++)
            send_ints(4, tag);
        MPI_Send(numbers, 4, MPI_INT, 1, 26, MPI_COMM_WORLD);
        step();
        MPI_Send(large, LARGE, MPI_INT, 1, 27, duplicate);
    } else {
        step();
        clear_statuses(statuses, 1);
        nines();
        SEE("recv that truncates", MPI_Recv(more, 2, MPI_INT, 0, 20, duplicate, statuses), note_left(statuses); note_numbers(more, 4));
        MPI_Irecv(more, 1, MPI_INT, 0, 21, duplicate, requests);
        clear_statuses(statuses, 1);
        SEE("wait that truncates", MPI_Wait(requests, statuses), note_left(statuses); note("%s", request_state(*requests)));
        MPI_Irecv(more, 1, MPI_INT, 0, 22, duplicate, requests);
        clear_statuses(statuses, 1);
        SEE("test that truncates", MPI_Test(requests, &flag, statuses),
            note(" flag %d", flag); note_left(statuses); note("%s", request_state(*requests)));
        MPI_Irecv(more, 1, MPI_INT, 0, 23, duplicate, requests);
        clear_statuses(statuses, 1);
        SEE("get_status that truncates", MPI_Request_get_status(*requests, &flag, statuses),
            note(" flag %d", flag); note_left(statuses); note("%s", request_state(*requests)));
        SEE("wait after that", MPI_Wait(requests, MPI_STATUS_IGNORE), note("%s", request_state(*requests)));
        MPI_Irecv(more, 1, MPI_INT, 0, 24, duplicate, requests);
        SEE("request_free of one that truncates", MPI_Request_free(requests), note("%s", request_state(*requests)));
        MPI_Irecv(more, 1, MPI_INT, 0, 25, duplicate, requests);
        MPI_Irecv(more, 1, MPI_INT, 0, 26, MPI_COMM_WORLD, requests + 1);
        clear_statuses(statuses, 2);
        SEE("waitall of two communicators", MPI_Waitall(2, requests, statuses), note_all(requests, statuses, 2));
        clear_statuses(statuses, 1);
        nines();
        SEE("recv that truncates much", MPI_Recv(more, 1, MPI_INT, 0, 27, duplicate, statuses), note_left(statuses); note_numbers(more, 1));
    }
    step();
    truncated_arrays();
    step();
}

static void cancelled(void)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int flag = 77, index = 77, outcount = 77, indices[2];
    if (here == 0)
        return;
    MPI_Irecv(more, 8, MPI_INT, 0, 99, duplicate, requests);
    SEE("cancel", MPI_Cancel(requests), note("%s", request_state(*requests)));
    clear_statuses(statuses, 1);
    SEE("get_status of a cancelled receive", MPI_Request_get_status(*requests, &flag, statuses),
        note(" flag %d", flag); MPI_Test_cancelled(statuses, &flag); note(" cancelled %d", flag));
    clear_statuses(statuses, 1);
    SEE("wait for a cancelled receive", MPI_Wait(requests, statuses),
        MPI_Test_cancelled(statuses, &flag);
        note(" cancelled %d error %s%s", flag, statuses->MPI_ERROR == NO_ERROR ? "untouched" : class_of(statuses->MPI_ERROR),
            request_state(*requests)));
    for (int i = 0; i < 2; i++) {
        MPI_Irecv(more, 8, MPI_INT, 0, 99, duplicate, &requests[i]);
        MPI_Cancel(&requests[i]);
    }
    clear_statuses(statuses, 2);
    SEE("waitall of cancelled receives", MPI_Waitall(2, requests, statuses),
        for (int i = 0; i < 2; i++) {
            MPI_Test_cancelled(&statuses[i], &flag);
            note(" cancelled %d error %s%s", flag, class_of(statuses[i].MPI_ERROR), request_state(requests[i]));
        });
    for (int i = 0; i < 2; i++)
        MPI_Irecv(more, 8, MPI_INT, 0, 99, duplicate, &requests[i]);
    MPI_Cancel(&requests[1]);
    SEE("waitany of one that is cancelled", MPI_Waitany(2, requests, &index, statuses),
        MPI_Test_cancelled(statuses, &flag); note(" index %d cancelled %d", index, flag));
    MPI_Cancel(&requests[0]);
    SEE("waitsome of one that is cancelled", MPI_Waitsome(2, requests, &outcount, indices, statuses),
        MPI_Test_cancelled(statuses, &flag); note(" %d index %d cancelled %d", outcount, indices[0], flag));
    SEE("cancel of the null request", MPI_Cancel(requests));
    SEE("request_free of the null request", MPI_Request_free(requests));
}

static void persistent(void)
{
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int flag = 77, outcount = 77, indices[3];
    if (here == 0) {
        MPI_Send_init(numbers, 2, MPI_INT, 1, 30, duplicate, requests);
        MPI_Ssend_init(numbers, 3, MPI_INT, 1, 31, duplicate, requests + 1);
        MPI_Rsend_init(numbers, 4, MPI_INT, 1, 32, duplicate, requests + 2);
    } else {
        for (int i = 0; i < 3; i++)
            MPI_Recv_init(more, 8, MPI_INT, i == 1 ? MPI_ANY_SOURCE : 0, 30 + i, duplicate, requests + i);
    }
    clear_statuses(statuses, 3);
    SEE("wait for an inactive request", MPI_Wait(requests, statuses), note_left(statuses));
    clear_statuses(statuses, 3);
    SEE("testall of inactive requests", MPI_Testall(3, requests, &flag, statuses), note(" flag %d", flag); note_left(&statuses[2]));
    SEE("waitsome of inactive requests", MPI_Waitsome(3, requests, &outcount, indices, statuses),
        note(" %s", outcount == MPI_UNDEFINED ? "undefined" : "defined"));
    for (int round = 0; round < 2; round++) {
        if (here == 1)
            SEE(round ? "startall again" : "startall", MPI_Startall(3, requests));
        step();
        if (here == 0)
            SEE(round ? "startall again" : "startall", MPI_Startall(3, requests));
        clear_statuses(statuses, 3);
        SEE(round ? "waitall again" : "waitall", MPI_Waitall(3, requests, statuses),
            for (int i = 0; i < 3; i++) { if (here == 1) note_left(&statuses[i]); note("%s", request_state(requests[i])); });
        step();
    }
    if (here == 1) {
        MPI_Start(requests);
        if (!host_is("openmpi"))
            SEE("start of an active request", MPI_Start(requests));
        SEE("cancel of a persistent request", MPI_Cancel(requests));
        SEE("wait for a persistent request that is cancelled", MPI_Wait(requests, statuses),
            MPI_Test_cancelled(statuses, &flag); note(" cancelled %d%s", flag, request_state(*requests)));
        MPI_Request other;
        MPI_Irecv(more, 1, MPI_INT, 0, 99, duplicate, &other);
        SEE("start of a request that is not persistent", MPI_Start(&other));
        MPI_Cancel(&other);
        MPI_Wait(&other, MPI_STATUS_IGNORE);
        SEE("start of the null request", MPI_Start(&other));
        MPI_Request both[2] = { MPI_REQUEST_NULL, requests[1] };
        SEE("startall with the null request", MPI_Startall(2, both));
        SEE("startall of a negative count", MPI_Startall(-1, requests));
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(requests + i);
    step();
}

static void modes(void)
{
    static char room[4000 + MPI_BSEND_OVERHEAD], again[100];
    MPI_Request request;
    MPI_Status status;
    void *address = again;
    int size = 77, flag = 77;
    if (here == 0) {
        SEE("detach of no buffer", MPI_Buffer_detach(&address, &size));
        SEE("attach of a negative size", MPI_Buffer_attach(room, -1));
        SEE("attach", MPI_Buffer_attach(room, sizeof room));
        SEE("attach of a second buffer", MPI_Buffer_attach(again, sizeof again));
        SEE("bsend of too much", MPI_Bsend(large, LARGE, MPI_INT, 1, 60, MPI_COMM_WORLD));
        SEE("ibsend of too much", MPI_Ibsend(large, LARGE, MPI_INT, 1, 60, MPI_COMM_WORLD, &request));
        SEE("bsend", MPI_Bsend(numbers, 3, MPI_INT, 1, 61, duplicate));
        MPI_Bsend_init(numbers, 4, MPI_INT, 1, 62, duplicate, &request);
        SEE("start of a buffered send", MPI_Start(&request));
        SEE("wait for a buffered send", MPI_Wait(&request, &status), note("%s", request_state(request)));
        MPI_Request_free(&request);
        MPI_Issend(numbers, 5, MPI_INT, 1, 63, duplicate, &request);
        SEE("test of a synchronous send that nobody receives", MPI_Test(&request, &flag, &status),
            note(" flag %d%s", flag, request_state(request)));
        step();
        SEE("wait for a synchronous send", MPI_Wait(&request, MPI_STATUS_IGNORE), note("%s", request_state(request)));
        SEE("detach", MPI_Buffer_detach(&address, &size),
            note(" %s %s", address == room ? "the buffer" : "another", size == sizeof room ? "its size" : "another"));
    } else {
        step();
        SEE("recv of a buffered send", MPI_Recv(more, 8, MPI_INT, 0, 61, duplicate, &status), note_status(&status));
        SEE("recv of a persistent buffered send", MPI_Recv(more, 8, MPI_INT, 0, 62, duplicate, &status), note_status(&status));
        SEE("recv of a synchronous send", MPI_Recv(more, 8, MPI_INT, 0, 63, duplicate, &status), note_status(&status));
        MPI_Irecv(more, 8, MPI_INT, 0, 64, duplicate, &request);
    }
    step();
    if (here == 0)
        SEE("rsend", MPI_Rsend(numbers, 6, MPI_INT, 1, 64, duplicate));
    else
        SEE("recv of a ready send", MPI_Wait(&request, &status), note_status(&status));
    step();
}

static void exchanges(void)
{
    MPI_Status status;
    int other = 1 - here;
    clear_statuses(&status, 1);
    SEE("sendrecv", MPI_Sendrecv(numbers, 2 + here, MPI_INT, other, 70, more, 8, MPI_INT, other, MPI_ANY_TAG, duplicate, &status),
        note_left(&status));
    clear_statuses(&status, 1);
    SEE("sendrecv to nobody",
        MPI_Sendrecv(numbers, 2, MPI_INT, here == 0 ? 1 : MPI_PROC_NULL, 71,
            more, 8, MPI_INT, here == 0 ? MPI_PROC_NULL : 0, 71, duplicate, &status),
        note_left(&status));
    more[0] = 10 + here;
    more[1] = 20 + here;
    clear_statuses(&status, 1);
    SEE("sendrecv_replace", MPI_Sendrecv_replace(more, 2, MPI_INT, other, 72, other, 72, duplicate, &status),
        note_left(&status); note_numbers(more, 2));
    clear_statuses(&status, 1);
    SEE("sendrecv_replace with nobody", MPI_Sendrecv_replace(more, 2, MPI_INT, MPI_PROC_NULL, 73, MPI_PROC_NULL, 73, duplicate, &status),
        note_left(&status); note_numbers(more, 2));
    step();
    clear_statuses(&status, 1);
    SEE("sendrecv_replace that truncates", MPI_Sendrecv_replace(more, here == 0 ? 4 : 1, MPI_INT, other, 74, other, 74, duplicate, &status),
        note_left(&status));
    step();
    clear_statuses(&status, 1);
    SEE("sendrecv that truncates",
        MPI_Sendrecv(numbers, 4, MPI_INT, other, 75, more, here == 0 ? 4 : 1, MPI_INT, other, 75, duplicate, &status),
        note_left(&status));
    step();
}

static void arguments(void)
{
    MPI_Request request;
    MPI_Status status;
    int *bound, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag);
    SEE("send to any", MPI_Send(numbers, 1, MPI_INT, MPI_ANY_SOURCE, 0, duplicate));
    SEE("send of any tag", MPI_Send(numbers, 1, MPI_INT, 1, MPI_ANY_TAG, duplicate));
    if (*bound < 0x7fffffff)
        SEE("send of a tag too large", MPI_Send(numbers, 1, MPI_INT, 1, *bound + 1, duplicate));
    SEE("recv from a rank too large", MPI_Recv(more, 1, MPI_INT, 2, 0, duplicate, &status));
    SEE("recv of a negative tag", MPI_Recv(more, 1, MPI_INT, 0, -7, duplicate, &status));
    SEE("recv of a negative count", MPI_Recv(more, -1, MPI_INT, 0, 0, duplicate, &status));
    SEE("sendrecv with a bad source", MPI_Sendrecv(numbers, 1, MPI_INT, here, 0, more, 1, MPI_INT, 5, 0, duplicate, &status));
    SEE("sendrecv_replace with a bad tag", MPI_Sendrecv_replace(more, 1, MPI_INT, here, -9, here, 0, duplicate, &status));
    SEE("mprobe of a bad rank", MPI_Mprobe(5, 0, duplicate, &(MPI_Message){ MPI_MESSAGE_NULL }, &status));
    SEE("waitall of a negative count", MPI_Waitall(-1, &request, &status));
    SEE("get_count in the null datatype", MPI_Get_count(&status, MPI_DATATYPE_NULL, &flag));
    SEE("status_set_elements", MPI_Status_set_elements(&status, MPI_INT, 3), MPI_Get_count(&status, MPI_BYTE, &flag); note(" %d", flag));
    SEE("status_set_cancelled", MPI_Status_set_cancelled(&status, 1), MPI_Test_cancelled(&status, &flag); note(" %d", flag));
    step();
}

static void partitions(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    int arrived = 0, list[2] = { 3, 2 };
    if (!HAS(MPI_Psend_init) || left_out("partitions"))
        return;
    nines();
    if (here == 0)
        SEE("psend_init", MPI_Psend_init(numbers, 4, 2, MPI_INT, 1, 80, duplicate, MPI_INFO_NULL, &request));
    else
        SEE("precv_init", MPI_Precv_init(more, 4, 2, MPI_INT, 0, 80, duplicate, MPI_INFO_NULL, &request));
    for (int round = 0; round < 2; round++) {
        SEE(round ? "start of partitions again" : "start of partitions", MPI_Start(&request));
        if (here == 0) {
            SEE(round ? "pready_range again" : "pready_range", MPI_Pready_range(0, 1, request));
            SEE(round ? "pready_list again" : "pready_list", MPI_Pready_list(2, list, request));
        } else {
            while (!arrived)
                MPI_Parrived(request, 3, &arrived);
        }
        clear_statuses(&status, 1);
        SEE(round ? "wait for partitions again" : "wait for partitions", MPI_Wait(&request, &status),
            if (here == 1) { status.MPI_ERROR = NO_ERROR; note_left(&status); note_numbers(more, 8); } note("%s", request_state(request)));
        step();
    }
    SEE("request_free of partitions", MPI_Request_free(&request), note("%s", request_state(request)));
    step();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    MPI_Comm_dup(MPI_COMM_WORLD, &apart);
    observe_ranks();
    set_all(on_comm);
    kinds_of_receive();
    probes();
    truncated();
    cancelled();
    persistent();
    modes();
    exchanges();
    arguments();
    partitions();
    MPI_Comm_free(&apart);
    MPI_Comm_free(&duplicate);
    MPI_Finalize();
    return 0;
}
