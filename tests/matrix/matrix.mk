# SPDX-License-Identifier: BSD-3-Clause
# The targets of matrix.tsv, which has their packages and commands.
matrix := $(shell sed -n '/^\#/!s/\t.*//p' tests/matrix/matrix.tsv)

##> make check-aarch64  as root: cross compile for aarch64, and run programs there on arm64's MPIs, under qemu
##> make check-abi-hosts  as root: run programs where a library of the standard ABI is the only one of MPI, in a root of unstable;
##>                   PARTS='command c 2008 90 77 cxx gallery'
##> make check-cluster  as root: test Slurm, and hosts that are reached by ssh, in namespaces
##> make check-conformance  compare every call with both native MPIs; writes docs/conformance.md, and its details to
##>                   $(BUILD)/tests/conformance; RELEASES='trixie', as root, in a root
##> make check-gallery  as root: run LAMMPS, GROMACS and eight more as Debian has built them; writes docs/gallery.md
##> make check-host-faults  run the programs of docs/host-faults natively, and write there which release has which fault of MPI;
##>                   RELEASES='trixie unstable', as root, in roots
##> make check-inside  run all of tests/c and tests/fortran with MPI linked into the programs
##> make check-jobs   as root: run job scripts of such programs, as they are, on the other MPI and as batch jobs of Slurm's
##> make check-mpi4py  run mpi4py's own tests, natively and through each pair
##> make check-releases  as root: run programs of each release on each other, in roots of four Debian releases
##> make check-sanitizers  run the tests' C programs through adapters with sanitizers, and under valgrind; PARTS='address thread memcheck locks allocations'
##> make check-stranger  as root: type what README.md and docs/ show in bare roots of Debian 12 and 13, as their readers do; make and
##>                   remove packages there; RELEASES='bookworm', PARTS='pages packages trees'
##> make check-tarball  as root: make the tarball twice, and run what is in it in bare roots of each Debian release; RELEASES='bullseye'
##> make check-trees  put Debian's programs into trees with their MPI and libraries, of this release and others, adapt the trees, and
##>                   compare what the programs compute; kill splices and undos at each system call; PROGRAMS='lammps ray',
##>                   TREES=bullseye, LAYOUTS=conda; RELEASES='trixie', as root, in a root
##> make matrix       as root: all of these checks, one after the other, each in all its places; it goes on where it was
##>                   stopped, tells how each ended, and keeps that in $(BUILD)/matrix

.PHONY: matrix $(matrix)
matrix $(matrix):
	@BUILD='$(abspath $(BUILD))' PYTHON='$(PYTHON)' VERSION='$(VERSION)' tests/matrix/run $(filter-out matrix,$@)
