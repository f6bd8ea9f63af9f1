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

# way NAME FOLDER COMMAND...: the job in a folder of its own, as programs append to what they find.
way() {
    job_folder "$2" "$1" "$family"
    run_job "$2" "${@:3}"
}

# runs NAME
runs() {
    local family other needs tolerance folder=$work/programs/job.$1 why
    why=$(job_facts "$1") || skip "$1: $why"
    job_facts "$1"
    way "$1" "$folder.native" env PATH="$folder.native/native:$PATH" ./job.sh
    way "$1" "$folder.shell" "$adapter" shell --to "$other" ./job.sh
    # The batch job has the environment of who submits it.
    way "$1" "$folder.batch" "$adapter" shell --to "$other" sbatch -Q --wait -o batch.values job.sh
    same_values "$folder.native/job.values" "$folder.shell/job.values" "$tolerance"
    same_values "$folder.native/job.values" "$folder.batch/batch.values" "$tolerance"
}

@test "lammps" { runs lammps; }
@test "gromacs" { runs gromacs; }
@test "cp2k" { runs cp2k; }
@test "quantum-espresso" { runs quantum-espresso; }
@test "nwchem" { runs nwchem; }
@test "mpi4py" { runs mpi4py; }
@test "devices" { runs devices; }
@test "devices-mpich" { runs devices-mpich; }
@test "two-programs" { runs two-programs; }
@test "hydra" { runs hydra; }
@test "srun" { runs srun; }
