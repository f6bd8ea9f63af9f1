/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_T_cvar_get_info reports an index beyond the last as another error, or crashes.
 *
 * of: Open MPI, MPICH
 * section: MPI-4.1, 15.3.10 Return Codes for the MPI Tool Information Interface
 * expected: MPI_T_ERR_INVALID_INDEX: 1
 * actual: MPI_T_ERR_INVALID_INDEX: 0 | ends
 */
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    int provided, count, code;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_get_num(&count);
    code = MPI_T_cvar_get_info(count + 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    printf("MPI_T_ERR_INVALID_INDEX: %d\n", code == MPI_T_ERR_INVALID_INDEX);
    MPI_T_finalize();
    return 0;
}
