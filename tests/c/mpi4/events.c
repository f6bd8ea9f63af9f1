/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* Events and sources of the tool information interface: a host may have none,
 * and says so consistently. */
#include "check.h"

int main(int argc, char **argv)
{
    int provided = -1, count = -1, sources = -1, index = -1;
    CHECK_INT(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
    check_begin(&argc, &argv);
    CHECK_INT(MPI_T_event_get_num(&count), MPI_SUCCESS);
    CHECK(count >= 0);
    CHECK_INT(MPI_T_source_get_num(&sources), MPI_SUCCESS);
    CHECK(sources >= 0);
    CHECK(MPI_T_event_get_index("no such event of ours", &index) != MPI_SUCCESS);
    for (int i = 0; i < sources; i++) {
        MPI_Count stamp = -1;
        CHECK_INT(MPI_T_source_get_timestamp(i, &stamp), MPI_SUCCESS);
    }
    CHECK_INT(MPI_T_finalize(), MPI_SUCCESS);
    return check_end();
}
