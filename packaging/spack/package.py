# SPDX-License-Identifier: BSD-3-Clause
from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *

PAIRS = (
    "openmpi-to-mpich",
    "mpich-to-openmpi",
    "mpiabi-to-mpich",
    "mpiabi-to-openmpi",
    "openmpi-to-mpiabi",
    "mpich-to-mpiabi",
)


class MpiAdapter(MakefilePackage):
    """Shared libraries that stand in for the MPI an application was compiled against and carry
    every call to the MPI that is really there: programs of Open MPI run on MPICH and those that
    share its ABI, and the reverse, without being recompiled. Programs that are compiled with its
    mpicc_abi, for MPI's standard ABI, run on all of them."""

    # No address is published. The source is a checkout.
    manual_download = True
    download_instr = "Give a checkout, by: spack dev-build --source-path FOLDER"

    license("BSD-3-Clause")

    version("0.1.0")

    # The virtual mpi-abi is proposed for Spack, and not there: pairs provide it once it is.
    variant(
        "pairs",
        default=",".join(PAIRS),
        values=PAIRS,
        multi=True,
        description="Pairs APPLICATION-to-HOST to build",
    )

    requires("platform=linux", msg="MPI-Adapter rewrites the tables of ELF objects")
    requires(
        "target=x86_64:",
        "target=aarch64:",
        policy="any_of",
        msg="other architectures have no trampolines",
    )

    depends_on("c", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("py-pycparser", type="build")
    depends_on("py-pyelftools", type="build")
    # libelf. No MPI is needed, neither to build nor by the package: pairs open the host's by name.
    depends_on("elfutils")

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

    # `make check` needs several MPIs and installs Debian packages: none of it is for here.
    def check(self):
        pass

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        env.prepend_path("MODULEPATH", self.prefix.share.modulefiles)

    @run_after("install")
    def keep_test_sources(self):
        cache_extra_test_sources(self, "tests/demo")

    def test_version(self):
        """the command starts, and is of this version"""
        command = Executable(self.prefix.bin.join("mpi-adapter"))
        words = command("--version", output=str.split, error=str.split).split()
        assert words == ["mpi-adapter", str(self.version)]

    def test_pairs(self):
        """the command finds each pair that was built"""
        command = Executable(self.prefix.bin.join("mpi-adapter"))
        listed = command("list", output=str.split, error=str.split).split()
        for pair in self.spec.variants["pairs"].value:
            assert pair in listed, f"there is no {pair}"

    def test_compile(self):
        """mpicc_abi compiles a program for the standard ABI, which needs no MPI"""
        source = self.test_suite.current_test_cache_dir.join("tests", "demo", "ring.c")
        Executable(self.prefix.bin.mpicc_abi)("-o", "ring", source)
        command = Executable(self.prefix.bin.join("mpi-adapter"))
        assert "libmpi_abi.so.1" in command("explain", "ring", output=str.split, error=str.split)
