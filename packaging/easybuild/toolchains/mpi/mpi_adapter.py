# SPDX-License-Identifier: BSD-3-Clause
"""MPI-Adapter's compilers as the MPI of a toolchain: what they build runs on every MPI."""

from easybuild.tools.toolchain.constants import MPI_COMPILER_VARIABLES
from easybuild.tools.toolchain.mpi import Mpi
from easybuild.toolchains.mpi.mpich import TC_CONSTANT_MPI_TYPE_MPICH


class MpiAdapter(Mpi):
    """The names are those in lib/mpi-adapter/abi/bin, which the module puts into PATH."""

    MPI_MODULE_NAME = ["MPI-Adapter"]
    MPI_FAMILY = "MPI-Adapter"
    # EasyBuild knows no kind of MPI for the standard ABI. mpiexec takes the options that it gives to MPICH's.
    MPI_TYPE = TC_CONSTANT_MPI_TYPE_MPICH

    MPI_LIBRARY_NAME = "mpi_abi"

    MPI_COMPILER_MPIF77 = "mpif77"
    MPI_COMPILER_MPIF90 = "mpifort"
    MPI_COMPILER_MPIFC = "mpifort"

    MPI_SHARED_OPTION_MAP = {f"_opt_{variable}": "" for variable, _ in MPI_COMPILER_VARIABLES}
