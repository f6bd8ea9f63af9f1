# SPDX-License-Identifier: BSD-3-Clause
# Other things that a job script starts: under the environment that `env` prints, or within a rank, the MPIs' own launchers and
# compilers and the linker work as they do without it.

load real_mpis

setup_file() {
    clean_environment
    mpicc.openmpi -O2 -o "$BATS_FILE_TMPDIR/ring" "$top/tests/demo/ring.c"
    printf 'program t\nuse mpi\ninteger e\ncall MPI_Init(e)\ncall MPI_Finalize(e)\nend\n' > "$BATS_FILE_TMPDIR/program.f90"
}

setup() {
    clean_environment
    cd "$BATS_TEST_TMPDIR"
    [ -e "$home/openmpi-to-mpich/pair.conf" ] || skip "openmpi-to-mpich is not built"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    cat > script <<'END'
#!/bin/bash
set -e
mpirun.openmpi --version
mpirun.openmpi --oversubscribe -n 1 sh -c 'echo started'
mpicc.openmpi --showme
ompi_info --version
mpiexec.mpich --version | head -n 1
mpicc.mpich -show
mpicc.openmpi -o linked "$1/tests/demo/ring.c"
mpifort.openmpi -o linked.f "$2/program.f90"
gcc -o linked.c -x c "$1/tests/demo/ring.c" $(mpicc.openmpi --showme:compile) -lmpi
END
    chmod +x script
}

@test "under the environment of env and of modulefiles" {
    ./script "$top" "$BATS_FILE_TMPDIR" > plain 2>&1
    [ "$(grep -c started plain)" -eq 1 ]
    (eval "$("$adapter" env --to mpich "$BATS_FILE_TMPDIR/ring")" && ./script "$top" "$BATS_FILE_TMPDIR") > other 2>&1
    diff plain other
    LD_LIBRARY_PATH=$home/openmpi-to-mpich ./script "$top" "$BATS_FILE_TMPDIR" > other 2>&1
    diff plain other
}

@test "within a rank" {
    local name
    # A launcher within a launcher's process is another matter.
    sed -i '/-n 1 sh/d' script
    ./script "$top" "$BATS_FILE_TMPDIR" > plain 2>&1
    "$adapter" run --from openmpi --to mpich ./script "$top" "$BATS_FILE_TMPDIR" > other 2>&1
    diff plain other
}

@test "programs that name libraries of the application's run-time system run, whether this machine has them or not" {
    local name version
    for version in 40 20; do
        cp "$BATS_FILE_TMPDIR/ring" "named.$version"
        for name in libopen-rte libopen-pal; do
            patchelf --add-needed "$name.so.$version" "named.$version"
        done
        run "$adapter" run --to mpich -n 2 "./named.$version"
        [ "$status" -eq 0 ]
        [[ $output == 'ring on 2 ranks, MPICH'*': verified' ]]
        run mpiexec.mpich -n 2 env LD_LIBRARY_PATH="$home/openmpi-to-mpich:$home/openmpi-to-mpich/stand-ins/libopen-rte.so.$version:$home/openmpi-to-mpich/stand-ins/libopen-pal.so.$version" "./named.$version"
        [[ $output == 'ring on 2 ranks, MPICH'*': verified' ]]
    done
    # By the loader's own search this machine's one is found, or by env ours.
    (eval "$("$adapter" env --to mpich ./named.40)" && mpiexec.mpich -n 2 ./named.40) | grep verified
    "$adapter" explain ./named.20 > output
    grep 'stand-ins serve, .*: libopen-pal.so.20 libopen-rte.so.20' output
}
