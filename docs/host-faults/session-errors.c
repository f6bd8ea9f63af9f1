/* SPDX-License-Identifier: BSD-3-Clause */
/* An error of a session ends the program, whatever the error handler of the session.
 *
 * of: MPICH
 * needs: MPI_Session_init
 * section: MPI-4.1, 11.3.1 Session Creation and Destruction Methods
 * expected: fails: 1
 * actual: ends
 */
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    int code = MPI_Group_from_session_pset(session, "no such set", &group);
    printf("fails: %d\n", code != MPI_SUCCESS);
    MPI_Session_finalize(&session);
    return 0;
}
