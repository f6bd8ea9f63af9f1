# SPDX-License-Identifier: BSD-3-Clause
# Launch lines of tests/command/launch/lines.tsv, natively under their own launcher and translated under the other one, typed on the
# first of three hosts: all lines, those for one host as well.

setup() {
    . "$BATS_TEST_DIRNAME/common.bash"
    cluster_setup
    here=$(cd "$BATS_TEST_DIRNAME/../command" && pwd)
    # shellcheck source=tests/families.bash
    . "$here/../families.bash"
    . "$here/../messages.bash"
    . "$here/launch/lines.bash"
    command=$adapter
    there=(on node1)
    # MPICH on several hosts may hang at the end, with right results.
    patience=10 limit=20
    export
}

# all_lines FAMILY OTHER
all_lines() {
    local folder=$work/programs/lines.$1
    rm -rf "$folder"
    make_files "$folder" "$(local_rank_of "$1")"
    "mpicc.$1" -o "$folder/show" "$here/launch/show.c"
    cd "$folder"
    try_lines "$1" "$2" '<*><><c>'
}

@test "each line for Open MPI's launcher starts the same ranks under MPICH's" {
    all_lines openmpi mpich
}

@test "each line for MPICH's launcher starts the same ranks under Open MPI's" {
    all_lines mpich openmpi
}

# tries_srun LINE FIELD: natively by Slurm, and where there is no srun.
tries_srun() {
    local words native hide='mount --bind /dev/null /usr/bin/srun; exec "$@"'
    read -r -a words <<< "$1"
    native=$(ranks_of srun --mpi=pmi2 "${words[@]}") || { echo "natively: $native"; return 1; }
    there=(on node1 unshare --mount bash -c "$hide" bash)
    compare "$native" "$(ranks_of "$command" exec --to openmpi -- srun "${words[@]}")" "$2"
}

@test "each line for Slurm's launcher starts the same ranks under Open MPI's, where there is no srun" {
    local text what failed=0
    [ -z "$SLURM_PROBLEM" ] || skip "$SLURM_PROBLEM"
    make_files "$work/programs/lines.slurm" SLURM_LOCALID
    cd "$work/programs/lines.slurm"
    mpicc.mpich -o show "$here/launch/show.c"
    while IFS=$'\t' read -r text what _; do
        ( tries_srun "$text" "${what#differs }" ) > tried 2>&1 < /dev/null || { echo "$text"; cat tried; failed=$((failed + 1)); }
    done < <(lines_of slurm '<b>')
    [ "$failed" -eq 0 ]
}
