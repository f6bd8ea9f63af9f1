/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin as compilers for Fortran make them. Its function returns what MPI_Initialized says, a LOGICAL, for 1. */
void mpi_init_(int *ierror);
void mpi_initialized_(int *flag, int *ierror);
void mpi_finalize_(int *ierror);

int truth(int what)
{
    int flag = 0, ierror;
    if (what == 0)
        mpi_init_(&ierror);
    else if (what == 2)
        mpi_finalize_(&ierror);
    else
        mpi_initialized_(&flag, &ierror);
    return flag;
}
