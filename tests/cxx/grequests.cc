// SPDX-License-Identifier: BSD-3-Clause
// Generalized requests.
/* ranks: 1 */
#include "check.h"

static int queries, frees, cancels, state;

static int query(void *extra, MPI::Status &status)
{
    queries++;
    CHECK(extra == &state);
    status.Set_elements(MPI::INT, 5);
    status.Set_cancelled(cancels > 0);
    status.Set_source(3);
    status.Set_tag(4);
    return MPI::SUCCESS;
}

static int release(void *extra)
{
    frees++;
    CHECK(extra == &state);
    return MPI::SUCCESS;
}

static int cancel(void *extra, bool complete)
{
    cancels++;
    CHECK(extra == &state && !complete);
    return MPI::SUCCESS;
}

static void test()
{
    MPI::Status status;
    MPI::Grequest starter; // MPICH has a Start() of objects
    MPI::Grequest request = starter.Start(query, release, cancel, &state);
    CHECK(request != MPI::REQUEST_NULL && !request.Test() && queries == 0);
    request.Complete();
    request.Wait(status);
    CHECK(queries == 1 && frees == 1 && cancels == 0 && request == MPI::REQUEST_NULL);
    CHECK(status.Get_count(MPI::INT) == 5 && status.Get_source() == 3 && status.Get_tag() == 4);
    CHECK(!status.Is_cancelled());
    request = starter.Start(query, release, cancel, &state);
    request.Cancel();
    CHECK(cancels == 1);
    request.Complete();
    request.Wait(status);
    CHECK(status.Is_cancelled() && frees == 2);
}
