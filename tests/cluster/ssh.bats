# SPDX-License-Identifier: BSD-3-Clause
# mpiexec of both MPIs, on one host and across hosts that it reaches by ssh.

setup() {
    . "$BATS_TEST_DIRNAME/common.bash"
    cluster_setup
}

hydra() { mpiexec=(mpiexec.mpich -hosts "$1" -n "$2"); }
orte() { mpiexec=(mpiexec.openmpi --host "$1" -n "$2"); }

@test "one host: mpiexec of MPICH with the pair in its environment" {
    hydra node1 4
    natively mpich 4 node1 "${mpiexec[@]}" ./ring.mpich
    ring openmpi-to-mpich 4 node1 env LD_LIBRARY_PATH="$on_mpich" "${mpiexec[@]}" ./ring.openmpi
}

@test "one host: mpiexec of Open MPI with -x" {
    orte node1:4 4
    natively openmpi 4 node1 "${mpiexec[@]}" ./ring.openmpi
    ring mpich-to-openmpi 4 node1 "${mpiexec[@]}" -x LD_LIBRARY_PATH="$on_openmpi" ./ring.mpich
}

@test "one host: mpi-adapter run in both directions" {
    ring openmpi-to-mpich 4 node1 "$adapter" run --to mpich -n 4 ./ring.openmpi
    ring mpich-to-openmpi 4 node1 "$adapter" run --to openmpi -n 4 --launcher-arg --oversubscribe ./ring.mpich
}

@test "two hosts: mpiexec of MPICH with the pair in its environment, or by -genv" {
    hydra node1,node2 2
    natively mpich 2 'node1 node2' "${mpiexec[@]}" ./ring.mpich
    ring openmpi-to-mpich 2 'node1 node2' env LD_LIBRARY_PATH="$on_mpich" "${mpiexec[@]}" ./ring.openmpi
    ring openmpi-to-mpich 2 'node1 node2' "${mpiexec[@]}" -genv LD_LIBRARY_PATH "$on_mpich" ./ring.openmpi
}

@test "two hosts: mpiexec of MPICH with a file of hosts" {
    printf '%s\n' node2:1 node3:1 > hosts
    natively mpich 2 'node2 node3' mpiexec.mpich -f hosts -n 2 ./ring.mpich
    ring openmpi-to-mpich 2 'node2 node3' mpiexec.mpich -f hosts -n 2 -genv LD_LIBRARY_PATH "$on_mpich" ./ring.openmpi
}

@test "three hosts: mpiexec of MPICH" {
    hydra node1,node2,node3 3
    natively mpich 3 'node1 node2 node3' "${mpiexec[@]}" ./ring.mpich
    ring openmpi-to-mpich 3 'node1 node2 node3' "${mpiexec[@]}" -genv LD_LIBRARY_PATH "$on_mpich" ./ring.openmpi
}

@test "three hosts: mpiexec of Open MPI with -x" {
    orte node1:2,node2:2,node3:2 6
    natively openmpi 6 'node1 node2 node3' "${mpiexec[@]}" ./ring.openmpi
    ring mpich-to-openmpi 6 'node1 node2 node3' "${mpiexec[@]}" -x LD_LIBRARY_PATH="$on_openmpi" ./ring.mpich
}

@test "hosts that the launcher is not on: mpiexec of Open MPI with a file of hosts" {
    printf '%s\n' 'node2 slots=2' 'node3 slots=2' > hosts
    natively openmpi 4 'node2 node3' mpiexec.openmpi --hostfile hosts -n 4 ./ring.openmpi
    ring mpich-to-openmpi 4 'node2 node3' mpiexec.openmpi --hostfile hosts -n 4 -x LD_LIBRARY_PATH="$on_openmpi" ./ring.mpich
}

@test "mpi-adapter run reaches every host, in both directions" {
    ring openmpi-to-mpich 2 'node1 node2' "$adapter" run --to mpich -n 2 --launcher-arg -hosts --launcher-arg node1,node2 ./ring.openmpi
    ring mpich-to-openmpi 3 'node1 node2 node3' "$adapter" run --to openmpi -n 3 \
        --launcher-arg --host --launcher-arg node1,node2,node3 ./ring.mpich
}

@test "hydra's daemons have nothing of the adapter in memory or environment" {
    hydra node1,node2 2
    ring openmpi-to-mpich 2 'node1 node2' "${mpiexec[@]}" -genv LD_LIBRARY_PATH "$on_mpich" ./ring.openmpi --daemons
    daemons_are_clean hydra_pmi_proxy
    ring openmpi-to-mpich 2 'node1 node2' "$adapter" run --to mpich --preload -n 2 \
        --launcher-arg -hosts --launcher-arg node1,node2 ./ring.openmpi --daemons
    daemons_are_clean hydra_pmi_proxy
}

@test "Open MPI's daemons have nothing of the adapter in memory or environment" {
    orte node1,node2,node3 3
    ring mpich-to-openmpi 3 'node1 node2 node3' "${mpiexec[@]}" -x LD_LIBRARY_PATH="$on_openmpi" ./ring.mpich --daemons
    daemons_are_clean orted
    ring mpich-to-openmpi 3 'node1 node2 node3' "$adapter" run --to openmpi --preload -n 3 \
        --launcher-arg --host --launcher-arg node1,node2,node3 ./ring.mpich --daemons
    daemons_are_clean orted
}

@test "launchers and their daemons work with an adapter that the environment preloads into them, too" {
    local mpiexec preloading=(bash -c 'eval "$("$0" env --preload "$1")"; shift; "$@"' "$adapter")
    hydra node1,node2 2
    ring openmpi-to-mpich 2 'node1 node2' "${preloading[@]}" ./ring.openmpi "${mpiexec[@]}" ./ring.openmpi
    orte node1,node2,node3 3
    ring mpich-to-openmpi 3 'node1 node2 node3' "${preloading[@]}" ./ring.mpich "${mpiexec[@]}" \
        -x LD_LIBRARY_PATH -x LD_PRELOAD -x MPI_ADAPTER_PRELOAD ./ring.mpich
}

@test "programs find the user's own libraries on every host" {
    export LD_LIBRARY_PATH=$work/programs/user
    ring openmpi-to-mpich 2 'node1 node2' "$adapter" run --to mpich -n 2 \
        --launcher-arg -hosts --launcher-arg node1,node2 ./ring-with-library.openmpi LD_LIBRARY_PATH
    each_rank_says "$on_mpich:$LD_LIBRARY_PATH"
    ring mpich-to-openmpi 3 'node1 node2 node3' "$adapter" run --to openmpi -n 3 \
        --launcher-arg --host --launcher-arg node1,node2,node3 ./ring-with-library.mpich LD_LIBRARY_PATH
    each_rank_says "$on_openmpi:$LD_LIBRARY_PATH"
}

@test "Fortran programs run on several hosts in both directions" {
    hydra node1,node2 2
    natively mpich 2 'node1 node2' "${mpiexec[@]}" ./ring-fortran.mpich
    ring openmpi-to-mpich 2 'node1 node2' "${mpiexec[@]}" -genv LD_LIBRARY_PATH "$on_mpich" ./ring-fortran.openmpi
    orte node1,node2,node3 3
    natively openmpi 3 'node1 node2 node3' "${mpiexec[@]}" ./ring-fortran.openmpi
    ring mpich-to-openmpi 3 'node1 node2 node3' "${mpiexec[@]}" -x LD_LIBRARY_PATH="$on_openmpi" ./ring-fortran.mpich
}

@test "processes that are spawned on other hosts get the pair: Open MPI" {
    orte node1:1,node2:2,node3:2 1
    natively openmpi 4 'node2 node3' "${mpiexec[@]}" ./ring.openmpi --spawn 4
    ring mpich-to-openmpi 4 'node2 node3' "${mpiexec[@]}" -x LD_LIBRARY_PATH="$on_openmpi" ./ring.mpich --spawn 4
    # The children must not depend on what the launcher was told.
    ring mpich-to-openmpi 4 'node2 node3' "${mpiexec[@]}" env LD_LIBRARY_PATH="$on_openmpi" ./ring.mpich --spawn 4
}

@test "processes that are spawned on other hosts get the pair: MPICH" {
    hydra node1,node2 1
    natively mpich 2 'node1 node2' "${mpiexec[@]}" ./ring.mpich --spawn 2
    ring openmpi-to-mpich 2 'node1 node2' "${mpiexec[@]}" -genv LD_LIBRARY_PATH "$on_mpich" ./ring.openmpi --spawn 2
}
