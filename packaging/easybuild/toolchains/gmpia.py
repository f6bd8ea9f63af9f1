# SPDX-License-Identifier: BSD-3-Clause
"""The toolchain gmpia: GCC, and MPI-Adapter in the place of an MPI. eb --include-toolchains='FOLDER/*.py,FOLDER/*/*.py'"""

from easybuild.toolchains.gcc import GccToolchain
from easybuild.toolchains.mpi.mpi_adapter import MpiAdapter


class Gmpia(GccToolchain, MpiAdapter):
    """GCC and MPI-Adapter."""

    NAME = "gmpia"
    SUBTOOLCHAIN = GccToolchain.NAME
