// SPDX-License-Identifier: BSD-3-Clause
// Enquiries, threads and memory.
/* ranks: 1 */
#include "check.h"

static void test()
{
    char name[MPI::MAX_PROCESSOR_NAME];
    int version, subversion, length;
    MPI::Get_version(version, subversion);
    CHECK(version >= 3);
    MPI::Get_processor_name(name, length);
    CHECK(length > 0 && length == (int)std::strlen(name));
    CHECK(MPI::Is_initialized() && !MPI::Is_finalized() && MPI::Is_thread_main());
    CHECK(MPI::Query_thread() >= MPI::THREAD_SINGLE && MPI::Query_thread() <= MPI::THREAD_MULTIPLE);
    double start = MPI::Wtime();
    CHECK(MPI::Wtick() > 0 && MPI::Wtime() >= start);
    void *memory = MPI::Alloc_mem(1000, MPI::INFO_NULL);
    std::memset(memory, 1, 1000);
    MPI::Free_mem(memory);
    MPI::Pcontrol(1);
}
