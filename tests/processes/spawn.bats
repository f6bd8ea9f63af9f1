#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Processes that processes start: children of either ABI, and what they get of the environment.

load ../pair
use_pair mpich-to-openmpi

setup_file() {
    load ../pair
    use_pair mpich-to-openmpi
    cd "$BATS_FILE_TMPDIR"
    app_program mpich "$here/spawn.c"
    host_program openmpi "$here/spawn.c"
    app_program fixed "$here/spawn.c" -Wl,--disable-new-dtags,-rpath,"$(dirname "$(LD_LIBRARY_PATH='' "$CC" -print-file-name=libmpich.so.12)")"
}

setup() {
    cd "$BATS_FILE_TMPDIR"
}

# spawns_multiple: Open MPI 5's launcher crashes.
spawns_multiple() { CHILDREN_ADAPTED=0 right natively 2 ./openmpi multiple ./openmpi > /dev/null; }

# gives_children: whether children get what the launcher was told to give their parents. Open MPI 6's do not.
gives_children() { CHILDREN_ADAPTED=0 right natively 2 -x TOLD=9 ./openmpi ./openmpi > /dev/null; }

run_adapted() {
    timeout 60 "$command" run --to "$host" "$@"
}

# right COMMAND...: Open MPI 5 has words of its own for the info key by which children get their environment.
right() {
    local output
    output=$("$@" 2> messages) && [ "$output" = right ] && ! grep '^mpi-adapter: ' messages ||
        { echo "$*: $output"; cat messages; return 1; }
}

@test "children of MPICH's ABI, by spawn and by spawn_multiple" {
    right run_adapted -n 2 ./mpich ./mpich
    ! spawns_multiple || right run_adapted -n 2 ./mpich multiple ./mpich
    right run_adapted -n 2 ./mpich ./mpich wdir "$PWD"
    right on_ranks 2 ./mpich ./mpich
}

@test "children of Open MPI's ABI, and parents" {
    CHILDREN_ADAPTED=0 right natively 2 ./openmpi ./openmpi
    CHILDREN_ADAPTED=0 right run_adapted -n 2 ./mpich ./openmpi
    ! spawns_multiple || CHILDREN_ADAPTED=0 right on_ranks 2 ./mpich multiple ./openmpi
    ! gives_children || right on_ranks 2 ./openmpi ./mpich
}

@test "children get what the launcher gave, and what the application says" {
    TOLD=5 right run_adapted -n 2 ./mpich ./mpich
    # By Open MPI's info key, beside which the adapter puts what it needs.
    TOLD=6 right on_ranks 2 ./mpich ./mpich env FIRST=1
}

@test "children get what the launcher did not give" {
    right natively 2 env LD_LIBRARY_PATH="$folder" ./mpich ./mpich
    ! spawns_multiple || right natively 2 env LD_LIBRARY_PATH="$folder" ./mpich multiple ./mpich
    right natively 2 env LD_LIBRARY_PATH="$folder" ./mpich ./mpich wdir "$PWD"
    LD_LIBRARY_PATH=$folder right timeout 60 ./mpich ./mpich
}

@test "children of a program with DT_RPATH, for which the adapter is preloaded" {
    right run_adapted -n 2 ./fixed ./fixed
    ! spawns_multiple || right run_adapted -n 2 ./fixed multiple "$PWD/fixed"
    eval "$("$command" env ./fixed)"
    [[ $LD_PRELOAD == *libmpich.so.12* ]]
    # Through a shell and a launcher, which are no MPI programs and hand the variable on.
    right timeout 60 sh -c 'mpiexec.openmpi -n 2 ./fixed ./fixed'
    right timeout 60 ./fixed ./fixed
    # A child of the other ABI must not be preloaded.
    CHILDREN_ADAPTED=0 right timeout 60 mpiexec.openmpi -n 2 ./fixed ./openmpi env LD_PRELOAD=
}
