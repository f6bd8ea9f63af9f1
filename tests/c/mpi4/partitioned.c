/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Partitioned communication. */
#include "check.h"

enum { PARTS = 8, EACH = 4, ALL = PARTS * EACH, LARGE = 1 << 20 };

static int peer(void) { return 1 - check_rank; }

/* One side's request: rank 0 sends to rank 1. */
static MPI_Request request_for(void *data, int parts, MPI_Count count, MPI_Datatype type, int tag, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int inter = 0, other = peer();
    MPI_Comm_test_inter(comm, &inter);
    other = inter ? 0 : other;
    if (check_rank == 0)
        OK(MPI_Psend_init(data, parts, count, type, other, tag, comm, MPI_INFO_NULL, &request));
    else
        OK(MPI_Precv_init(data, parts, count, type, other, tag, comm, MPI_INFO_NULL, &request));
    return request;
}

static void ready(int parts, MPI_Request request)
{
    if (check_rank == 0 && parts > 0)
        OK(MPI_Pready_range(0, parts - 1, request));
}

static void send_side(double *data, MPI_Request request, int round)
{
    int list[2] = { 6, 2 };
    for (int i = 0; i < ALL; i++)
        data[i] = 100 * round + i;
    OK(MPI_Start(&request));
    OK(MPI_Pready(7, request));
    OK(MPI_Pready_range(3, 5, request));
    OK(MPI_Pready_list(2, list, request));
    OK(MPI_Pready(0, request));
    OK(MPI_Pready(1, request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void receive_side(const double *data, MPI_Request request, int round)
{
    int flag = 0;
    MPI_Status status = check_poison_status();
    OK(MPI_Start(&request));
    while (!flag)
        OK(MPI_Parrived(request, 4, &flag));
    CHECK(data[4 * EACH] == 100 * round + 4 * EACH);
    OK(MPI_Wait(&request, &status));
    for (int i = 0; i < ALL; i++)
        CHECK(data[i] == 100 * round + i);
    CHECK_STATUS(&status, 0, 7, MPI_DOUBLE, ALL);
    if (known_fault("parrived-inactive"))
        return;
    OK(MPI_Parrived(request, 4, &flag));
    CHECK(flag);
}

static void partitions(void)
{
    double data[ALL] = { 0 };
    MPI_Request request = request_for(data, PARTS, EACH, MPI_DOUBLE, 7, MPI_COMM_WORLD), was = request;
    for (int round = 0; round < 5; round++) {
        if (check_rank == 0)
            send_side(data, request, round);
        else
            receive_side(data, request, round);
        CHECK(request == was);
    }
    OK(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
}

/* Sides that have other partitions, of other datatypes. */
static void resized(int sent, int received, int total, int is_pair, int rounds)
{
    double *data = calloc((size_t)total, sizeof *data);
    MPI_Datatype pair;
    OK(MPI_Type_contiguous(2, MPI_DOUBLE, &pair));
    OK(MPI_Type_commit(&pair));
    int parts = check_rank == 0 ? sent : received, by_pairs = is_pair && check_rank == 1, flag;
    MPI_Request request = request_for(data, parts, total / parts / (by_pairs ? 2 : 1), by_pairs ? pair : MPI_DOUBLE, 3,
                                      MPI_COMM_WORLD);
    OK(MPI_Type_free(&pair));
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < total; i++)
            data[i] = check_rank == 0 ? round + i : -1;
        OK(MPI_Start(&request));
        for (int i = 0; check_rank == 0 && i < parts; i++)
            OK(MPI_Pready(parts - 1 - i, request));
        for (int i = 0; check_rank == 1 && i < parts; i++) {
            for (flag = 0; !flag;)
                OK(MPI_Parrived(request, i, &flag));
            CHECK(data[i * (total / parts)] == round + i * (total / parts));
            CHECK(data[(i + 1) * (total / parts) - 1] == round + (i + 1) * (total / parts) - 1);
        }
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < total; i++)
            CHECK(data[i] == round + i);
    }
    OK(MPI_Request_free(&request));
    free(data);
}

/* A receive that is larger than what is sent. Nothing is written behind that. */
static void larger(int sent, int received, int sent_parts, int parts, MPI_Datatype received_type, int ints)
{
    int data[64], count = -1, flag = 0;
    MPI_Status status;
    MPI_Request request;
    for (int i = 0; i < 64; i++)
        data[i] = check_rank == 0 ? i : -1;
    request = check_rank == 0 ? request_for(data, sent_parts, sent / sent_parts, MPI_INT, 6, MPI_COMM_WORLD)
                              : request_for(data, parts, received / parts / ints, received_type, 6, MPI_COMM_WORLD);
    for (int round = 0; round < 2; round++) {
        OK(MPI_Start(&request));
        ready(sent_parts, request);
        while (check_rank == 1 && !flag)
            OK(MPI_Parrived(request, parts - 1, &flag));
        OK(MPI_Wait(&request, &status));
        if (check_rank == 1) {
            OK(MPI_Get_count(&status, MPI_INT, &count));
            CHECK_INT(count, sent);
        }
        for (int i = 0; i < 64; i++)
            CHECK_INT(data[i], check_rank == 0 || i < sent ? i : -1);
    }
    OK(MPI_Request_free(&request));
}

static void larger_receives(void)
{
    MPI_Datatype pair;
    OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    OK(MPI_Type_commit(&pair));
    larger(16, 32, 4, 4, MPI_INT, 1);
    larger(16, 32, 1, 8, MPI_INT, 1);
    larger(12, 60, 4, 3, MPI_INT, 1);
    larger(12, 48, 12, 2, pair, 2);
    larger(1, 2, 1, 1, pair, 2);
    larger(13, 48, 13, 2, pair, 2);
    larger(25, 48, 1, 3, pair, 2);
    OK(MPI_Type_free(&pair));
}

/* The sent data ends within an element, whose ints are not in the order of the buffer. */
static void part_of_an_element(void)
{
    int data[8] = { 40, 41, 42, 43, 44 };
    const int want[8] = { 41, 40, 43, 42, -5, 44, -7, -8 };
    MPI_Datatype swapped;
    MPI_Request request;
    OK(MPI_Type_indexed(2, (int[]){ 1, 1 }, (int[]){ 1, 0 }, MPI_INT, &swapped));
    OK(MPI_Type_commit(&swapped));
    if (check_rank == 1)
        for (int i = 0; i < 8; i++)
            data[i] = -1 - i;
    request = check_rank == 0 ? request_for(data, 5, 1, MPI_INT, 16, MPI_COMM_WORLD)
                              : request_for(data, 2, 2, swapped, 16, MPI_COMM_WORLD);
    for (int round = 0; round < 2; round++) {
        OK(MPI_Start(&request));
        ready(5, request);
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    for (int i = 0; check_rank == 1 && i < 8; i++)
        CHECK_INT(data[i], want[i]);
    OK(MPI_Request_free(&request));
    OK(MPI_Type_free(&swapped));
}

/* Partitions without data arrive when the sender has marked them, and not before. */
static void empty(int sent_parts, int parts)
{
    int flag = -1, data = 0;
    MPI_Request request = request_for(&data, check_rank == 0 ? sent_parts : parts, 0, MPI_INT, 8, MPI_COMM_WORLD);
    for (int round = 0; round < 2; round++) {
        OK(MPI_Start(&request));
        for (int i = 0; check_rank == 1 && i < parts; i++) {
            OK(MPI_Parrived(request, i, &flag));
            CHECK(!flag);
        }
        OK(MPI_Barrier(MPI_COMM_WORLD));
        ready(sent_parts, request);
        for (int i = 0; check_rank == 1 && i < parts; i++)
            for (flag = 0; !flag;)
                OK(MPI_Parrived(request, i, &flag));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    OK(MPI_Request_free(&request));
}

/* A partition arrives although the sender marks no other before it hears of that. */
static void alone(void)
{
    int data[2] = { 0 }, flag;
    MPI_Request request = request_for(data, 2, 1, MPI_INT, 4, MPI_COMM_WORLD);
    for (int round = 1; round < 4; round++) {
        if (check_rank == 0)
            data[0] = data[1] = round;
        OK(MPI_Start(&request));
        if (check_rank == 0) {
            OK(MPI_Pready(1, request));
            OK(MPI_Recv(0, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            OK(MPI_Pready(0, request));
        } else {
            for (flag = 0; !flag;)
                OK(MPI_Parrived(request, 1, &flag));
            CHECK_INT(data[1], round);
            OK(MPI_Parrived(request, 0, &flag));
            CHECK(!flag);
            OK(MPI_Send(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD));
        }
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_INT(data[0], round);
    }
    OK(MPI_Request_free(&request));
}

/* Either side may be in another call of MPI's while the operation goes on. */
static void elsewhere(void)
{
    char *data = calloc(4, LARGE);
    MPI_Request request = request_for(data, 4, LARGE, MPI_CHAR, 5, MPI_COMM_WORLD);
    for (int round = 0; round < 4; round++) {
        int waits = 1 - round % 2; /* the receiver at first, when it cannot know the partitions */
        if (check_rank == 0)
            memset(data, 'a' + round, 4 * LARGE);
        OK(MPI_Start(&request));
        ready(4, request);
        if (check_rank == waits)
            OK(MPI_Recv(0, 0, MPI_INT, peer(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(data[0] == 'a' + round && data[4 * LARGE - 1] == 'a' + round);
        if (check_rank != waits)
            OK(MPI_Send(0, 0, MPI_INT, peer(), 0, MPI_COMM_WORLD));
    }
    OK(MPI_Request_free(&request));
    free(data);
}

/* Of requests for the same tag, each matches the one that was made in the same place on the other side, whatever is
 * started first, and also where one is freed that was never started. */
static void order(void)
{
    int data[4] = { 0 };
    MPI_Request requests[4];
    for (int i = 0; i < 4; i++) {
        requests[i] = request_for(&data[i], 1, 1, MPI_INT, 6, MPI_COMM_WORLD);
        if (i == 2)
            OK(MPI_Request_free(&requests[i]));
    }
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 4; i++) {
            int k = check_rank == 0 ? i : 3 - i;
            if (k == 2)
                continue;
            data[k] = check_rank == 0 ? 10 * round + k : -1;
            OK(MPI_Start(&requests[k]));
            ready(1, requests[k]);
        }
        requests[2] = MPI_REQUEST_NULL;
        OK(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
        for (int k = 0; k < 4; k++)
            CHECK(k == 2 || data[k] == 10 * round + k);
    }
    for (int k = 0; k < 4; k++)
        if (k != 2)
            OK(MPI_Request_free(&requests[k]));
}

/* Communicators are apart, and so are other messages, although all have the same tag. */
enum { COMMS = 11 };

static void make_comms(MPI_Comm *comms)
{
    MPI_Comm world = MPI_COMM_WORLD, self = MPI_COMM_SELF;
    MPI_Request request;
    MPI_Group group;
    int dims = 2, periods = 0, other = peer();
    comms[0] = world;
    OK(MPI_Comm_dup(world, &comms[1]));
    OK(MPI_Comm_idup(world, &comms[2], &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Comm_split(world, 0, -check_rank, &comms[3]));
    OK(MPI_Comm_split(world, 0, check_rank, &comms[4]));
    OK(MPI_Comm_group(world, &group));
    OK(MPI_Comm_create_group(world, group, 1, &comms[5]));
    OK(MPI_Comm_create(world, group, &comms[6]));
    OK(MPI_Group_free(&group));
    OK(MPI_Cart_create(world, 1, &dims, &periods, 0, &comms[7]));
    OK(MPI_Dist_graph_create_adjacent(world, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                      &comms[8]));
    OK(MPI_Intercomm_create(self, 0, world, other, 9, &comms[9]));
    OK(MPI_Intercomm_merge(comms[9], check_rank == 0, &comms[10]));
}

/* The rank of the other process for those who send to it there. */
static int rank_in(MPI_Comm comm)
{
    int inter, rank;
    MPI_Comm_test_inter(comm, &inter);
    MPI_Comm_rank(comm, &rank);
    return inter ? 0 : 1 - rank;
}

static void communicators(void)
{
    MPI_Comm comms[COMMS];
    MPI_Request requests[COMMS + 1];
    MPI_Status status;
    int data[COMMS + 1] = { 0 };
    make_comms(comms);
    /* In another order on either side. */
    for (int i = 0; i < COMMS; i++) {
        int k = check_rank == 0 ? i : COMMS - 1 - i;
        if (check_rank == 0)
            OK(MPI_Psend_init(&data[k], 1, 1, MPI_INT, rank_in(comms[k]), 2, comms[k], MPI_INFO_NULL, &requests[k]));
        else
            OK(MPI_Precv_init(&data[k], 1, 1, MPI_INT, rank_in(comms[k]), 2, comms[k], MPI_INFO_NULL, &requests[k]));
        if (k > 0)
            OK(MPI_Comm_free(&comms[k]));
        data[k] = check_rank == 0 ? 50 + k : -1;
        OK(MPI_Start(&requests[k]));
    }
    for (int k = 0; k < COMMS; k++)
        ready(1, requests[k]);
    if (check_rank == 0) {
        data[COMMS] = 99;
        OK(MPI_Send(&data[COMMS], 1, MPI_INT, 1, 2, MPI_COMM_WORLD));
    } else {
        OK(MPI_Recv(&data[COMMS], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        CHECK_INT(data[COMMS], 99);
    }
    OK(MPI_Waitall(COMMS, requests, MPI_STATUSES_IGNORE));
    for (int k = 0; k < COMMS; k++) {
        CHECK_INT(data[k], 50 + k);
        OK(MPI_Request_free(&requests[k]));
    }
}

static void nobody(void)
{
    int data[4] = { 0 }, flag = 0;
    MPI_Request requests[2];
    MPI_Status status;
    OK(MPI_Psend_init(data, 2, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Precv_init(data + 2, 2, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    for (int round = 0; round < 2; round++) {
        OK(MPI_Startall(2, requests));
        OK(MPI_Pready_range(0, 1, requests[0]));
        OK(MPI_Parrived(requests[1], 1, &flag));
        CHECK(flag);
        OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        OK(MPI_Wait(&requests[1], &status));
        CHECK_STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    }
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
    CHECK(data[2] == 0 && data[3] == 0);
}

/* To itself, and beside requests of other kinds in one array. */
enum { MIXED = 4 };

static void mixed_round(MPI_Request *requests, int *data, int way)
{
    int done = 0, flag = 0, index = MPI_UNDEFINED, indices[MIXED];
    MPI_Status statuses[MIXED];
    for (int i = 0; i < MIXED; i++)
        data[i] = i % 2 == 0 ? 10 * way + i : -1;
    OK(MPI_Startall(MIXED, requests));
    OK(MPI_Testall(MIXED, requests, &flag, statuses));
    CHECK(!flag);
    OK(MPI_Request_get_status(requests[1], &flag, statuses));
    CHECK(!flag);
    OK(MPI_Pready(0, requests[0]));
    while (done < MIXED) {
        int some = 0;
        if (way == 0) {
            OK(MPI_Waitall(MIXED, requests, statuses));
            some = MIXED;
        } else if (way == 1) {
            OK(MPI_Waitany(MIXED, requests, &index, statuses));
            some = 1;
        } else if (way == 2) {
            OK(MPI_Testany(MIXED, requests, &index, &flag, statuses));
            CHECK(!flag || index != MPI_UNDEFINED);
            some = flag;
        } else if (way == 3) {
            OK(MPI_Waitsome(MIXED, requests, &some, indices, statuses));
        } else if (way == 4) {
            OK(MPI_Testsome(MIXED, requests, &some, indices, statuses));
        } else {
            OK(MPI_Testall(MIXED, requests, &flag, statuses));
            some = flag ? MIXED : 0;
        }
        CHECK(some >= 0);
        done += some;
    }
    CHECK(data[1] == data[0] && data[3] == data[2]);
    OK(MPI_Testany(MIXED, requests, &index, &flag, statuses));
    CHECK(flag && index == MPI_UNDEFINED);
    OK(MPI_Waitsome(MIXED, requests, &done, indices, statuses));
    CHECK_INT(done, MPI_UNDEFINED);
}

static void mixed(void)
{
    int data[MIXED], self = check_rank;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Request requests[MIXED];
    OK(MPI_Psend_init(&data[0], 1, 1, MPI_INT, self, 1, comm, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Precv_init(&data[1], 1, 1, MPI_INT, self, 1, comm, MPI_INFO_NULL, &requests[1]));
    OK(MPI_Send_init(&data[2], 1, MPI_INT, self, 1, comm, &requests[2]));
    OK(MPI_Recv_init(&data[3], 1, MPI_INT, self, 1, comm, &requests[3]));
    for (int way = 0; way < 6; way++)
        mixed_round(requests, data, way);
    for (int i = 0; i < MIXED; i++)
        OK(MPI_Request_free(&requests[i]));
}

static void failures(void)
{
    int data[2] = { 0 }, flag = -1;
    int list[2] = { 0, 2 };
    MPI_Request send, receive;
    MPI_Comm comm;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    FAILS(MPI_Psend_init(data, 2, 1, MPI_INT, 77, 0, comm, MPI_INFO_NULL, &send), MPI_ERR_RANK);
    FAILS(MPI_Psend_init(data, 2, 1, MPI_INT, 0, -5, comm, MPI_INFO_NULL, &send), MPI_ERR_TAG);
    FAILS(MPI_Psend_init(data, 2, -1, MPI_INT, 0, 0, comm, MPI_INFO_NULL, &send), MPI_ERR_COUNT);
    FAILS(MPI_Psend_init(data, 2, 1, MPI_DATATYPE_NULL, 0, 0, comm, MPI_INFO_NULL, &send), MPI_ERR_TYPE);
    FAILS(MPI_Psend_init(data, 2, 1, MPI_INT, 0, 0, MPI_COMM_NULL, MPI_INFO_NULL, &send), MPI_ERR_COMM);
    FAILS(MPI_Psend_init(data, -2, 1, MPI_INT, 0, 0, comm, MPI_INFO_NULL, &send), MPI_ERR_ARG);
    FAILS(MPI_Precv_init(data, 2, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_INFO_NULL, &receive), MPI_ERR_RANK);
    FAILS(MPI_Precv_init(data, 2, 1, MPI_INT, 0, MPI_ANY_TAG, comm, MPI_INFO_NULL, &receive), MPI_ERR_TAG);
    OK(MPI_Psend_init(data, 1, 1, MPI_INT, check_rank, 0, comm, MPI_INFO_NULL, &send));
    OK(MPI_Precv_init(data + 1, 1, 1, MPI_INT, check_rank, 0, comm, MPI_INFO_NULL, &receive));
    CHECK(MPI_Pready(0, send) != MPI_SUCCESS);
    OK(MPI_Parrived(MPI_REQUEST_NULL, 0, &flag));
    CHECK(flag);
    OK(MPI_Start(&send));
    OK(MPI_Start(&receive));
    FAILS(MPI_Pready(1, send), MPI_ERR_ARG);
    FAILS(MPI_Pready(-1, send), MPI_ERR_ARG);
    FAILS(MPI_Pready_range(0, 1, send), MPI_ERR_ARG);
    FAILS(MPI_Pready_list(2, list, send), MPI_ERR_ARG);
    FAILS(MPI_Parrived(receive, 1, &flag), MPI_ERR_ARG);
    CHECK(MPI_Pready(0, receive) != MPI_SUCCESS);
    CHECK(MPI_Parrived(send, 0, &flag) != MPI_SUCCESS);
    FAILS(MPI_Cancel(&send), MPI_ERR_REQUEST);
    FAILS(MPI_Request_free(&send), MPI_ERR_REQUEST);
    CHECK(send != MPI_REQUEST_NULL);
    OK(MPI_Pready(0, send));
    CHECK(MPI_Pready(0, send) != MPI_SUCCESS);
    OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&send));
    OK(MPI_Request_free(&receive));
    OK(MPI_Comm_free(&comm));
}

/* Requests that come and go. */
static void many(void)
{
    int data[2] = { 0 };
    for (int i = 0; i < 300; i++) {
        MPI_Request request = request_for(data, 2, 1, MPI_INT, i % 3, MPI_COMM_WORLD);
        for (int round = 0; round < 2; round++) {
            data[0] = data[1] = check_rank == 0 ? i + round : -1;
            OK(MPI_Start(&request));
            ready(2, request);
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK(data[0] == i + round && data[1] == i + round);
        }
        OK(MPI_Request_free(&request));
    }
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    partitions();
    resized(8, 8, 64, 0, 3);
    resized(1, 16, 64, 0, 3);
    resized(16, 32, 64, 0, 3);
    resized(33, 17, 561, 0, 3);
    resized(17, 33, 561, 0, 3);
    resized(6, 3, 18, 1, 3);
    resized(5, 5, 50, 1, 3);
    resized(512, 64, 1 << 16, 0, 2);
    if (!known_fault("partitions-larger")) {
        larger_receives();
        part_of_an_element();
    }
    empty(4, 4);
    empty(5, 2);
    empty(2, 5);
    if (!known_fault("partitions-arrive-alone"))
        alone();
    elsewhere();
    order();
    communicators();
    if (!known_fault("partitioned-proc-null"))
        nobody();
    if (!known_fault("partitioned-among-others"))
        mixed();
    if (!known_fault("partitioned-failures"))
        failures();
    many();
    return check_end();
}
