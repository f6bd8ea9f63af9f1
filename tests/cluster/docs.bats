# SPDX-License-Identifier: BSD-3-Clause
# The commands of docs/launchers.md, typed on the first host.

setup() {
    . "$BATS_TEST_DIRNAME/common.bash"
    cluster_setup
    [ -z "$SLURM_PROBLEM" ] || skip "$SLURM_PROBLEM"
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cp ring.openmpi program
    cp ring.mpich mpich-program
}

# MPICH on several hosts may hang at the end, with right results.
again='again() {
    local try code=124
    for try in 1 2 3 4 5 6 7 8 9 10; do
        timeout -k 2 20 "$@" || { code=$?; [ $code -ne 124 ] || continue; return $code; }
        return 0
    done
    return $code
}
mpiexec.mpich() { again mpiexec.mpich "$@"; }
srun() { again srun "$@"; }
salloc() { again salloc -Q "$@"; }
mpi-adapter() { if [[ $1 = run || $1 = exec ]]; then again mpi-adapter "$@"; else command mpi-adapter "$@"; fi; }
'

@test "every command of docs/launchers.md" {
    local prefix=${adapter%/bin/*}
    {
        echo "$again"
        (cd "$top" && "${PYTHON:-/usr/bin/python3}" tests/docs/blocks.py script docs/launchers.md tests/cluster) |
            sed "s|/opt/mpi-adapter|$prefix|g"
    } > commands.bash
    run on node1 env PATH="$prefix/bin:$PATH" timeout 550 bash commands.bash
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c ' on node[123]: openmpi-to-mpich, right' <<< "$output")" -ge 18 ]
    [ "$(grep -c ' on node[123]: mpich-to-openmpi, right' <<< "$output")" -ge 32 ]
    [[ $output != *WRONG* && $output != *native* ]]
}
