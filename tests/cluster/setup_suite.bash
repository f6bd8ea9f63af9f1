# SPDX-License-Identifier: BSD-3-Clause
# One cluster and one set of programs for all tests of this folder.

setup_suite() {
    local here
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    # shellcheck source=tests/cluster/cluster.bash
    . "$here/cluster.bash"
    work=$(mktemp -d)
    export CLUSTER=$work CLUSTER_PROBLEM='' SLURM_PROBLEM=''
    CLUSTER_PROBLEM=$(no_cluster_because | paste -sd ' ')
    SLURM_PROBLEM=$(missing_commands munged slurmctld slurmd srun)
    [ -z "$CLUSTER_PROBLEM" ] || return 0
    start_cluster "$work" || { head -n 50 "$work"/*.log; return 1; }
    [ -n "$SLURM_PROBLEM" ] || wait_for 'Slurm' slurm_is_up || { tail -n 30 "$work"/*.log; return 1; }
    compile_programs "$here"
}

teardown_suite() {
    stop_cluster "$CLUSTER"
    rm -rf "$CLUSTER"
}

compile_programs() {
    local family source=$1/ring.c warnings='-Wall -Wextra -Wno-stringop-overflow'
    programs=$CLUSTER/programs
    mkdir -p "$programs/user"
    echo 'int of_the_user(void) { return 0; }' |
        cc -shared -fPIC -o "$programs/user/libuser.so" -x c - || return
    for family in openmpi mpich; do
        # shellcheck disable=SC2086
        mpicc.$family $warnings "$source" -o "$programs/ring.$family" &&
            mpifort.$family -Wall "$1/ring.f90" -J "$programs" -o "$programs/ring-fortran.$family" &&
            mpicc.$family $warnings "$source" -o "$programs/ring-with-library.$family" \
                -L "$programs/user" -Wl,--no-as-needed -l:libuser.so || return
    done
}
