#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Job scripts as users have them run natively, and as they are in mpi-adapter shell on the other MPI. Here are those whose programs
# `make check` has; make check-jobs runs all of jobs.tsv, and by sbatch.

load ../pair
load jobs

setup() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    cd "$BATS_TEST_TMPDIR"
}

# runs NAME
runs() {
    local family other needs tolerance folder=$BATS_TEST_TMPDIR why
    why=$(job_facts "$1") || skip "$1: $why"
    job_facts "$1"
    need_mode "$family-to-$other"
    job_folder "$folder/native" "$1" "$family"
    run_job "$folder/native" env PATH="$folder/native/native:$PATH" ./job.sh
    job_folder "$folder/shell" "$1" "$family"
    run_job "$folder/shell" "$command" shell --to "$other" ./job.sh
    same_values "$folder/native/job.values" "$folder/shell/job.values" "$tolerance"
}

@test "Python, by python3 -m mpi4py" { runs mpi4py; }
@test "a wrapper script takes a rank's place on the node for its device: Open MPI's" { runs devices; }
@test "a wrapper script takes a rank's place on the node for its device: MPICH's" { runs devices-mpich; }
@test "two programs, functions, loops, another folder, a file of hosts: Open MPI's" { runs two-programs; }
@test "a file of hosts, binding, two programs: MPICH's" { runs hydra; }
