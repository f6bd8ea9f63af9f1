# SPDX-License-Identifier: BSD-3-Clause
# Running the ring program on the cluster, and what its ranks must say.

bats_require_minimum_version 1.5.0

cluster_setup() {
    local build
    [ -z "$CLUSTER_PROBLEM" ] || skip "$CLUSTER_PROBLEM"
    # shellcheck source=tests/cluster/cluster.bash
    . "$BATS_TEST_DIRNAME/cluster.bash"
    build=${BUILD:-$BATS_TEST_DIRNAME/../../build}
    build=$(cd "$build" && pwd)
    adapter=$build/bin/mpi-adapter
    on_mpich=$build/lib/mpi-adapter/openmpi-to-mpich
    on_openmpi=$build/lib/mpi-adapter/mpich-to-openmpi
    work=$CLUSTER
    cd "$work/programs" || return
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    # The settings of the machine that tests are no business of theirs.
    export MPI_ADAPTER_CONFIG=/dev/null
    unset LD_LIBRARY_PATH LD_PRELOAD MPI_ADAPTER_PATH MPI_ADAPTER_LAUNCHER MPI_ADAPTER_HOST_LIBRARY SLURM_MPI_TYPE
}

# Whether MPI_Finalize may hang although every result was right.  MPICH before 4.2 does so natively
# when its ranks talk by UCX over TCP: some wait for the others in a barrier of the process manager, and
# no longer answer those that are still closing connections (pmodels/mpich pull request 6596).
may_hang_at_end() { [[ ($1 == native-mpich || $1 == openmpi-to-mpich) && $2 == *' '* ]]; }

# Checks the lines that the ranks must print, whatever follows them.
is_right() {
    local pair=$1 ranks=$2 where=$3 rank seen
    # A launcher that is stopped bids farewell on stdout.
    [ "${#lines[@]}" -eq "$ranks" ] || [ "$status" -eq 124 ] || return
    for ((rank = 0; rank < ranks; rank++)); do
        [[ ${lines[rank]} =~ ^"rank $rank of $ranks on "(node[0-9]+)": ${pair%-openmpi}, right"(,|$) ||
            ${lines[rank]} =~ ^"rank $rank of $ranks on "(node[0-9]+)": ${pair%-mpich}, right"(,|$) ]] || return
        seen+="${BASH_REMATCH[1]}"$'\n'
    done
    [ "$(sort -u <<< "${seen%?}" | paste -sd ' ')" = "$where" ]
}

# ring PAIR RANKS HOSTS COMMAND...: runs it on the first host; RANKS ranks must run on all of HOSTS
# ("node1 node2"), through PAIR, with right results.  Natively, PAIR is native-HOST.
ring() {
    local pair=$1 ranks=$2 where=$3 try tries=1 limit=${limit:-30}
    shift 3
    ! may_hang_at_end "$pair" "$where" || { tries=10; [ "$limit" -gt 30 ] || limit=15; }
    for ((try = 1; try <= tries; try++)); do
        run --separate-stderr on node1 timeout -k 2 $limit "$@"
        [ "$tries" -gt 1 ] && [ "$status" -eq 124 ] && is_right "$pair" "$ranks" "$where" || break
        echo "# run $try of $tries: results right, then hung in MPI_Finalize as MPICH does natively" >&3
    done
    [ "$status" -eq 0 ] && is_right "$pair" "$ranks" "$where" && return
    echo "exit status $status of: $*"
    echo "$output"
    # shellcheck disable=SC2154
    head -n 40 <<< "$stderr"
    return 1
}

# natively HOST RANKS HOSTS COMMAND...: the rest of the test has no meaning where this fails.
natively() {
    local host=$1
    shift
    ring "native-$host" "$@" && return
    [[ $output != *WRONG* ]] || return
    skip "$host does not run natively by ${*:3}: $(grep -m 1 '[a-z]' <<< "$stderr$output")"
}

# Nothing of ours in the processes above the ranks, on any host.
daemons_are_clean() {
    local name=$1
    [[ $output == *" $name:clean"* ]] || { echo "no $name above a rank: $output"; return 1; }
    [[ $output != *:mapped* && $output != *:environment* ]] || { echo "$output"; return 1; }
}

# each_rank_says TEXT
each_rank_says() {
    local line
    for line in "${lines[@]}"; do
        [[ $line == *"$1" ]] || { echo "not '$1': $line"; return 1; }
    done
}
