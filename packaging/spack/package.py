# SPDX-License-Identifier: BSD-3-Clause
from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class MpiAdapter(MakefilePackage):
    """Shared libraries that stand in for the MPI an application was compiled against and carry
    every call to the MPI that is really there: programs of Open MPI run on MPICH and those that
    share its ABI, and the reverse, without being recompiled. Programs that are compiled with its
    mpicc_abi, for MPI's standard ABI, run on all of them."""

    # The source is a checkout or an archive that a site has: `spack develop --path CHECKOUT`.
    manual_download = True

    license("BSD-3-Clause")

    version("0.1.0")

    variant(
        "pairs",
        default="openmpi-to-mpich,mpich-to-openmpi,mpiabi-to-mpich,mpiabi-to-openmpi,openmpi-to-mpiabi,mpich-to-mpiabi",
        values=("openmpi-to-mpich", "mpich-to-openmpi", "mpiabi-to-mpich", "mpiabi-to-openmpi", "openmpi-to-mpiabi", "mpich-to-mpiabi"),
        multi=True,
        description="Pairs APPLICATION-to-HOST to build",
    )

    requires("platform=linux", msg="MPI-Adapter rewrites the tables of ELF objects")
    requires("target=x86_64:", "target=aarch64:", policy="any_of", msg="other architectures have no trampolines")

    depends_on("c", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("py-pycparser", type="build")
    # libelf. No MPI is needed, neither to build nor by the package: pairs open the host's by name.
    depends_on("elfutils")
    depends_on("bash@4.4:", type="run")

    @property
    def settings(self):
        return [
            f"CC={spack_cc}",
            f"PYTHON={self.spec['python'].command.path}",
            f"PREFIX={self.prefix}",
            f"SYSCONFDIR={self.prefix.etc}",
            f"PAIRS={' '.join(sorted(self.spec.variants['pairs'].value))}",
        ]

    @property
    def build_targets(self):
        return ["all", *self.settings]

    @property
    def install_targets(self):
        return ["install", *self.settings]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.join("mpi-adapter"))("--version")
