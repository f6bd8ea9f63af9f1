#include "fortran.h"

EXPORTED MPI_Fint alpha_f08_mpi_byte = 1;
EXPORTED MPI_Fint alpha_f08_mpi_comm_self = 3;
EXPORTED MPI_Fint alpha_f08_mpi_comm_world = 2;
EXPORTED MPI_Fint __mpi_f08_MOD_mpi_byte = 1;
EXPORTED MPI_Fint __mpi_f08_MOD_mpi_comm_self = 3;
EXPORTED MPI_Fint __mpi_f08_MOD_mpi_comm_world = 2;
const struct earlier_constant earlier_constants[] = {
    { &alpha_f08_mpi_comm_self, 2 },
    { &alpha_f08_mpi_comm_world, 3 },
    { &__mpi_f08_MOD_mpi_comm_self, 2 },
    { &__mpi_f08_MOD_mpi_comm_world, 3 },
    { 0, 0 }
};
