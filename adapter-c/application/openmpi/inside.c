/* SPDX-License-Identifier: BSD-3-Clause */
/* ompi_mpi_init(): a function inside Open MPI. Programs look for its name in the library to tell Open MPI from other MPIs: NEURON's
 * wheel does. Nobody calls it but Open MPI itself. */
#include "convert/adapter.h"
#include "convert/say.h"

EXPORTED int ompi_mpi_init(int argc, char **argv, int requested, int *provided, int reinitialize)
{
    give_up("the program calls ompi_mpi_init(), a function inside Open MPI; have it call MPI_Init_thread()");
}
