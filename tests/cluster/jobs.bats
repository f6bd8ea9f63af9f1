# SPDX-License-Identifier: BSD-3-Clause
# Job scripts of tests/jobs, as they are: natively, in mpi-adapter shell on the other MPI, and as a batch job of it by sbatch.

setup() {
    . "$BATS_TEST_DIRNAME/common.bash"
    cluster_setup
    [ -z "$SLURM_PROBLEM" ] || skip "$SLURM_PROBLEM"
    # shellcheck source=tests/families.bash
    . "$BATS_TEST_DIRNAME/../families.bash"
    # shellcheck source=tests/jobs/jobs.bash
    . "$BATS_TEST_DIRNAME/../jobs/jobs.bash"
    there=(on node1)
}

# runs NAME
runs() {
    local family other needs tolerance folder=$work/programs/job.$1 why
    why=$(job_facts "$1") || skip "$1: $why"
    job_facts "$1"
    job_folder "$folder" "$1" "$family"
    run_job "$folder" env PATH="$folder/native:$PATH" ./job.sh
    mv job.values native.values
    run_job "$folder" "$adapter" shell --to "$other" ./job.sh
    mv job.values shell.values
    # The batch job has the environment of who submits it.
    run_job "$folder" "$adapter" shell --to "$other" sbatch -Q --wait -o batch.values job.sh
    same_values native.values shell.values "$tolerance"
    same_values native.values batch.values "$tolerance"
}

@test "lammps" { runs lammps; }
@test "gromacs" { runs gromacs; }
@test "cp2k" { runs cp2k; }
@test "quantum-espresso" { runs quantum-espresso; }
@test "nwchem" { runs nwchem; }
@test "nwchem-mpich" { runs nwchem-mpich; }
@test "mpi4py" { runs mpi4py; }
@test "devices" { runs devices; }
@test "devices-mpich" { runs devices-mpich; }
@test "two-programs" { runs two-programs; }
@test "hydra" { runs hydra; }
@test "srun" { runs srun; }
