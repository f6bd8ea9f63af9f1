// SPDX-License-Identifier: BSD-3-Clause
// Point-to-point communication, requests and statuses.
/* ranks: 2 3 */
#include "check.h"

static int next_rank() { return (my_rank + 1) % my_size; }
static int previous_rank() { return (my_rank + my_size - 1) % my_size; }

static void test_status()
{
    int numbers[4] = { my_rank, 1, 2, 3 }, got[8] = { 0 };
    MPI::Status status;
    MPI::Request request = MPI::COMM_WORLD.Isend(numbers, 4, MPI::INT, next_rank(), 7);
    MPI::COMM_WORLD.Recv(got, 8, MPI::INT, MPI::ANY_SOURCE, MPI::ANY_TAG, status);
    request.Wait();
    CHECK(request == MPI::REQUEST_NULL);
    CHECK(status.Get_source() == previous_rank());
    CHECK(status.Get_tag() == 7);
    CHECK(status.Get_count(MPI::INT) == 4);
    CHECK(status.Get_count(MPI::DOUBLE) == 2);
    CHECK(status.Get_elements(MPI::BYTE) == 16);
    CHECK(!status.Is_cancelled());
    CHECK(got[0] == previous_rank() && got[3] == 3);
    MPI::Status copy(status);
    copy.Set_source(5);
    copy.Set_tag(6);
    copy.Set_error(MPI::ERR_TAG);
    copy.Set_elements(MPI::SHORT, 9);
    copy.Set_cancelled(true);
    CHECK(copy.Get_source() == 5 && copy.Get_tag() == 6 && copy.Get_error() == MPI::ERR_TAG);
    CHECK(copy.Get_elements(MPI::SHORT) == 9 && copy.Is_cancelled());
    CHECK(status.Get_source() == previous_rank() && !status.Is_cancelled());
}

static void test_completion()
{
    enum { COUNT = 6 };
    int out[COUNT], in[COUNT], indices[COUNT];
    MPI::Request requests[2 * COUNT];
    MPI::Status statuses[2 * COUNT];
    for (int i = 0; i < COUNT; i++) {
        out[i] = 100 * my_rank + i;
        requests[i] = MPI::COMM_WORLD.Irecv(&in[i], 1, MPI::INT, previous_rank(), i);
        requests[COUNT + i] = MPI::COMM_WORLD.Isend(&out[i], 1, MPI::INT, next_rank(), i);
    }
    MPI::Request::Waitall(2 * COUNT, requests, statuses);
    for (int i = 0; i < COUNT; i++) {
        CHECK(in[i] == 100 * previous_rank() + i);
        CHECK(statuses[i].Get_tag() == i && statuses[i].Get_source() == previous_rank());
        CHECK(requests[i] == MPI::REQUEST_NULL);
    }
    for (int i = 0; i < COUNT; i++) {
        requests[i] = MPI::COMM_WORLD.Irecv(&in[i], 1, MPI::INT, previous_rank(), i);
        requests[COUNT + i] = MPI::COMM_WORLD.Issend(&out[i], 1, MPI::INT, next_rank(), i);
    }
    MPI::Status status;
    int first = MPI::Request::Waitany(COUNT, requests, status), done = 1;
    CHECK(first >= 0 && first < COUNT && status.Get_tag() == first);
    while (done < COUNT) {
        int now = MPI::Request::Waitsome(COUNT, requests, indices, statuses);
        if (!CHECK(now > 0))
            break;
        for (int i = 0; i < now; i++)
            CHECK(statuses[i].Get_tag() == indices[i]);
        done += now;
    }
    CHECK(MPI::Request::Waitany(COUNT, requests) == MPI::UNDEFINED);
    while (!MPI::Request::Testall(COUNT, requests + COUNT)) {}
    int index;
    CHECK(MPI::Request::Testany(COUNT, requests, index) && index == MPI::UNDEFINED);
}

static void test_persistent()
{
    int out = my_rank, in = -1;
    MPI::Prequest requests[2] = {
        MPI::COMM_WORLD.Recv_init(&in, 1, MPI::INT, previous_rank(), 1),
        MPI::COMM_WORLD.Send_init(&out, 1, MPI::INT, next_rank(), 1),
    };
    for (int i = 0; i < 3; i++) {
        MPI::Prequest::Startall(2, requests);
        requests[1].Wait();
        requests[0].Wait();
        CHECK(in == previous_rank() + 10 * i);
        out += 10;
    }
    requests[0].Free();
    requests[1].Free();
    CHECK(requests[0] == MPI::REQUEST_NULL);
}

static void test_rest()
{
    char buffer[1000];
    int value = my_rank, got = -1, position = 0;
    double pi = 3.5;
    MPI::Attach_buffer(buffer, sizeof buffer);
    MPI::COMM_WORLD.Bsend(&value, 1, MPI::INT, next_rank(), 3);
    MPI::Status status;
    while (!MPI::COMM_WORLD.Iprobe(previous_rank(), 3, status)) {}
    MPI::COMM_WORLD.Probe(previous_rank(), 3);
    CHECK(status.Get_count(MPI::INT) == 1);
    MPI::COMM_WORLD.Recv(&got, 1, MPI::INT, previous_rank(), 3);
    CHECK(got == previous_rank());
    void *detached;
    CHECK(MPI::Detach_buffer(detached) == sizeof buffer && detached == buffer);
    MPI::COMM_WORLD.Sendrecv(&value, 1, MPI::INT, next_rank(), 4, &got, 1, MPI::INT, previous_rank(), 4);
    CHECK(got == previous_rank());
    MPI::COMM_WORLD.Sendrecv_replace(&got, 1, MPI::INT, previous_rank(), 5, next_rank(), 5, status);
    CHECK(got == my_rank && status.Get_source() == next_rank());
    MPI::INT.Pack(&value, 1, buffer, sizeof buffer, position, MPI::COMM_WORLD);
    MPI::DOUBLE.Pack(&pi, 1, buffer, sizeof buffer, position, MPI::COMM_WORLD);
    CHECK(position <= MPI::INT.Pack_size(1, MPI::COMM_WORLD) + MPI::DOUBLE.Pack_size(1, MPI::COMM_WORLD));
    int length = position;
    position = 0, got = -1, pi = 0;
    MPI::INT.Unpack(buffer, length, &got, 1, position, MPI::COMM_WORLD);
    MPI::DOUBLE.Unpack(buffer, length, &pi, 1, position, MPI::COMM_WORLD);
    CHECK(got == my_rank && pi == 3.5);
    MPI::COMM_WORLD.Recv(&got, 1, MPI::INT, MPI::PROC_NULL, 0, status);
    CHECK(status.Get_source() == MPI::PROC_NULL && status.Get_tag() == MPI::ANY_TAG);
    MPI::Request request = MPI::COMM_WORLD.Irecv(&got, 1, MPI::INT, previous_rank(), 99);
    CHECK(!request.Get_status());
    request.Cancel();
    request.Wait(status);
    CHECK(status.Is_cancelled());
}

static void test()
{
    test_status();
    test_completion();
    test_persistent();
    test_rest();
}
