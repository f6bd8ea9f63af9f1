#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Spack's recipe, against a false Spack: it is of this version, and make does what it asks.

bats_require_minimum_version 1.5.0

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    build=$(cd "${BUILD:-$top/build}" && pwd)
    cd "$BATS_TEST_TMPDIR"
}

recipe() { "${PYTHON:-/usr/bin/python3}" "$BATS_TEST_DIRNAME/spack_recipe.py" "$PWD/prefix" "$1" > recipe; }

@test "the recipe is of the Makefile's version and pairs, and needs what the Makefile needs" {
    recipe openmpi-to-mpich,mpich-to-openmpi
    grep -qx "directive version $(sed -n 's/^VERSION := //p' "$top/Makefile")" recipe
    for need in c elfutils py-pycparser py-pyelftools; do
        grep -qx "directive depends_on $need" recipe
    done
    run ! grep 'depends_on .*mpi' recipe
    # There is nothing to download, and nothing that looks as if there were.
    run ! grep -nE '^ +(url|git) *=|://' "$top/packaging/spack/package.py"
    # Its default is all pairs.
    local pairs
    pairs=$(sed '/^#/d' "$top/abi-tables/pairs" | paste -sd ,)
    grep -qx "directive variant pairs default=$pairs values=$pairs" recipe
    # Upstream's limit of line length, but for its own heading.
    run ! grep -nE '.{100}' "$top/packaging/spack/package.py"
}

@test "the recipes for EasyBuild and conda are of the Makefile's version, and need what the Makefile needs" {
    local version need pair
    version=$(sed -n 's/^VERSION := //p' "$top/Makefile")
    for need in elfutils pyelftools Python-bundle-PyPI; do
        grep -q "^    ('$need', " "$top/packaging/easybuild/MPI-Adapter-$version-"*.eb
    done
    grep -qx "version = '$version'" "$top/packaging/easybuild/MPI-Adapter-$version-"*.eb
    grep -qx "  version: \"$version\"" "$top/packaging/conda/recipe.yaml"
    for need in elfutils pycparser pyelftools make; do
        grep -qx "        - $need" "$top/packaging/conda/recipe.yaml"
    done
    # An MPI is in none of them.
    run ! grep -nE "^ *(-|\(') *(mpich|openmpi|OpenMPI|MPICH)" "$top"/packaging/easybuild/*.eb "$top/packaging/conda/recipe.yaml"
    # EasyBuild's are Python; what they look for when all is built is there.
    "${PYTHON:-/usr/bin/python3}" - "$build" "$top"/packaging/easybuild/*.eb <<'TEXT'
import os, sys
for path in sys.argv[2:]:
    found = {"PYPI_SOURCE": "", "SOURCE_TAR_GZ": "", "SYSTEM": {}}
    exec(open(path).read(), found)
    assert path.endswith("/%s.eb" % "-".join([found["name"], found["version"], *found["toolchain"].values()])), path
    for file in found.get("sanity_check_paths", {"files": []})["files"]:
        assert os.path.exists(os.path.join(sys.argv[1], file)), file
TEXT
    bash -n "$top/packaging/conda/build.sh"
    # The toolchain's names are in the folder that its module puts into PATH.
    grep -q "('MPI-Adapter', '$version', '', ('GCCcore', '14.3.0'))" "$top/packaging/easybuild/gmpia-2025b.eb"
    [ "$(grep -c 'lib/mpi-adapter/abi"' "$top/packaging/easybuild/gmpia-2025b.eb")" -ge 1 ]
    for need in mpicc mpicxx mpif77 mpifort mpiexec; do [ -x "$build/lib/mpi-adapter/abi/bin/$need" ]; done
    "${PYTHON:-/usr/bin/python3}" -c 'import ast, sys; [ast.parse(open(name).read()) for name in sys.argv[1:]]' \
        "$top"/packaging/easybuild/toolchains/*.py "$top"/packaging/easybuild/toolchains/*/*.py
    # Each output of conda's recipe has what its scripts take.
    for need in activate deactivate; do
        grep -qF "cp packaging/conda/$need.sh " "$top/packaging/conda/recipe.yaml"
        [ -e "$top/packaging/conda/$need.sh" ]
    done
    for need in $(grep -oE 'lib/libmpi[a-z_.0-9]*' "$top/packaging/conda/recipe.yaml" | sort -u); do
        [ -e "$build/lib/mpi-adapter/fortran/${need#lib/}" ]
    done
}

# installs_one PAIR ANOTHER
installs_one() {
    recipe "$1"
    eval "install=($(sed -n 's/^install //p' recipe))" "build_arguments=($(sed -n 's/^build //p' recipe))"
    # The command in the build folder keeps the configuration folder that other tests know.
    make -C "$top" --no-print-directory BUILD="$build" "${build_arguments[@]}" SYSCONFDIR=/etc
    make -C "$top" --no-print-directory BUILD="$build" "${install[@]}" SYSCONFDIR=/etc
    [ "$(cd prefix/lib/mpi-adapter && echo *-to-*)" = "$1" ]
    [[ $(prefix/bin/mpi-adapter list) == "$1"* ]]
    [ -e "prefix/share/modulefiles/mpi-adapter/$1.lua" ]
    [ ! -e "prefix/share/modulefiles/mpi-adapter/$2.lua" ]
    # Its tests of an installation pass here, and there are some.
    "${PYTHON:-/usr/bin/python3}" "$BATS_TEST_DIRNAME/spack_recipe.py" "$PWD/prefix" "$1" test > tested
    [ "$(grep -c '^passed' tested)" -eq 3 ]
    run ! "${PYTHON:-/usr/bin/python3}" "$BATS_TEST_DIRNAME/spack_recipe.py" "$PWD/prefix" "$1,$2" test
}

@test "make builds and installs one pair by the recipe's arguments" {
    installs_one openmpi-to-mpich mpich-to-openmpi
}

@test "so it does one of the standard ABI, which runs a program of mpicc_abi" {
    installs_one mpiabi-to-openmpi openmpi-to-mpich
    prefix/bin/mpicc_abi -o program "$top/tests/demo/ring.c"
    . "$top/tests/components.bash"
    unset LD_LIBRARY_PATH MPI_ADAPTER_PATH MPI_ADAPTER_HOST MPI_ADAPTER_HOST_LIBRARY
    run prefix/bin/mpi-adapter run -n 2 ./program
    echo "$output"
    [[ $output == *'ring on 2 ranks, Open MPI v'*': verified' ]]
    # As a provider of MPI: a package that needs one is compiled by these, and its prefix is an MPI's.
    grep -qx 'directive provides mpi@:5.0' recipe
    "${PYTHON:-/usr/bin/python3}" "$BATS_TEST_DIRNAME/spack_recipe.py" "$PWD/prefix" "$(sed '/^#/d' "$top/abi-tables/pairs" | paste -sd ,)" compilers > said
    sed '/^directive /d' said > gets
    cat gets
    (
        . ./gets
        export MPI_ADAPTER_CC MPI_ADAPTER_CXX MPI_ADAPTER_FC
        [ "$MPICC $MPICXX $MPIFC" = "$mpicc $mpicxx $mpifc" ]
        [ "$("$mpicc" -showme:command) $("$MPICXX" -showme:command) $("$mpif77" -showme:command)" = 'gcc g++ gfortran' ]
        gcc -I"${headers%/*}" -o linked "$top/tests/demo/ring.c" "$libs"
    )
    run prefix/bin/mpiexec -n 2 ./linked
    echo "$output"
    [[ $output == *'ring on 2 ranks, Open MPI v'*': verified' ]]
}
