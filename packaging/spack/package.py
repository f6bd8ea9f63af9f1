# SPDX-License-Identifier: BSD-3-Clause
import os

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

    version("1.0.0")

    # Asked for by name alone: ^[virtuals=mpi] mpi-adapter+compilers. What is compiled then runs on
    # every MPI. The virtual mpi-abi is proposed for Spack, and not there: pairs provide it once it
    # is.
    variant(
        "compilers",
        default=False,
        description="Provide MPI: mpicc and mpiexec for programs that run on every MPI",
    )
    provides("mpi@:5.0", when="+compilers")

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
        if self.spec.satisfies("+compilers"):
            self.set_compilers(env)

    def setup_dependent_build_environment(
        self, env: EnvironmentModifications, dependent_spec: Spec
    ) -> None:
        if self.spec.satisfies("+compilers"):
            self.set_compilers(env)
            # Spack's own compilers, which add what it wants.
            env.set("MPI_ADAPTER_CC", spack_cc)
            env.set("MPI_ADAPTER_CXX", spack_cxx)
            env.set("MPI_ADAPTER_FC", spack_fc)

    def setup_dependent_package(self, module, dependent_spec: Spec) -> None:
        if self.spec.satisfies("+compilers"):
            self.spec.mpicc = self.prefix.bin.mpicc
            self.spec.mpicxx = self.prefix.bin.mpicxx
            self.spec.mpifc = self.spec.mpif77 = self.prefix.bin.mpifort

    def set_compilers(self, env: EnvironmentModifications) -> None:
        env.set("MPICC", self.prefix.bin.mpicc)
        env.set("MPICXX", self.prefix.bin.mpicxx)
        for name in ("MPIFC", "MPIF90", "MPIF77"):
            env.set(name, self.prefix.bin.mpifort)

    @property
    def headers(self):
        return find_headers("mpi", self.prefix.include, recursive=False)

    @property
    def libs(self):
        return find_libraries("libmpi_abi", self.prefix.lib, shared=True, recursive=False)

    # Dependents look for all of an MPI in its prefix, which is of this package alone.
    @run_after("install")
    def link_conventional_names(self):
        if not self.spec.satisfies("+compilers"):
            return
        abi = self.prefix.lib.join("mpi-adapter").abi
        for folder in ("bin", "lib", "include"):
            for name in sorted(os.listdir(abi.join(folder))):
                place = self.prefix.join(folder).join(name)
                if not os.path.lexists(place) and not name.endswith("pkgconfig"):
                    os.symlink(abi.join(folder).join(name), place)

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
