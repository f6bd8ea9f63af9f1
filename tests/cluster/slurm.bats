# SPDX-License-Identifier: BSD-3-Clause
# Slurm: srun with PMI2 and PMIx, and mpiexec of both MPIs inside an allocation.

setup() {
    . "$BATS_TEST_DIRNAME/common.bash"
    cluster_setup
    [ -z "$SLURM_PROBLEM" ] || skip "$SLURM_PROBLEM"
}

# The way into a step that each host MPI has in Debian, and what it may be given besides.
mpich_step=(srun --mpi=pmi2 -w node1,node2 -n 2)
openmpi_step=(srun --mpi=pmix -N 3 -n 6)
two='node1 node2' three='node1 node2 node3'

slurm_has() {
    on node1 srun --mpi=list 2>&1 | grep -qw "$1" || skip "this Slurm has no --mpi=$1"
}

# in_batch PAIR COMMAND...: in a batch job of two hosts.
in_batch() {
    local pair=$1 limit=60
    shift
    { echo '#!/bin/bash'; printf '%q ' timeout -k 2 10 "$@"; } > batch.sh
    ring "$pair" 2 "$two" bash -c 'sbatch -Q --wait -w node1,node2 -n 2 -o batch.out batch.sh; code=$?; cat batch.out; exit $code'
}

@test "srun with PMI2 starts programs of Open MPI on MPICH" {
    slurm_has pmi2
    natively mpich 2 "$two" "${mpich_step[@]}" ./ring.mpich
    ring openmpi-to-mpich 2 "$two" "${mpich_step[@]}" --export=ALL,LD_LIBRARY_PATH="$on_mpich" ./ring.openmpi --daemons
    daemons_are_clean slurmstepd
}

@test "srun with PMI2 starts programs of Open MPI on three hosts" {
    slurm_has pmi2
    natively mpich 3 "$three" srun --mpi=pmi2 -N 3 -n 3 ./ring.mpich
    ring openmpi-to-mpich 3 "$three" srun --mpi=pmi2 -N 3 -n 3 --export=ALL,LD_LIBRARY_PATH="$on_mpich" ./ring.openmpi
}

@test "srun with PMIx starts programs of MPICH on Open MPI" {
    slurm_has pmix
    natively openmpi 6 "$three" "${openmpi_step[@]}" ./ring.openmpi
    ring mpich-to-openmpi 6 "$three" "${openmpi_step[@]}" --export=ALL,LD_LIBRARY_PATH="$on_openmpi" ./ring.mpich --daemons
    daemons_are_clean slurmstepd
}

@test "srun with PMI2 starts programs of MPICH on Open MPI" {
    slurm_has pmi2
    natively openmpi 2 "$two" "${mpich_step[@]}" ./ring.openmpi
    ring mpich-to-openmpi 2 "$two" "${mpich_step[@]}" --export=ALL,LD_LIBRARY_PATH="$on_openmpi" ./ring.mpich
}

@test "an Open MPI that does not understand srun says so itself" {
    run --separate-stderr on node1 "${mpich_step[@]}" env LD_LIBRARY_PATH="$on_openmpi" ./ring.mpich
    [ "$status" -eq 0 ] || [[ $stderr == *'not built with SLURM'* ]]
    [[ $stderr != *'was started by mpiexec'* ]]
}

@test "srun with PMIx starts programs of Open MPI on MPICH" {
    slurm_has pmix
    natively mpich 2 "$two" srun --mpi=pmix -w node1,node2 -n 2 ./ring.mpich
    ring openmpi-to-mpich 2 "$two" srun --mpi=pmix -w node1,node2 -n 2 --export=ALL,LD_LIBRARY_PATH="$on_mpich" ./ring.openmpi
}

@test "srun hands on what mpi-adapter env exports" {
    slurm_has pmi2
    slurm_has pmix
    ring openmpi-to-mpich 2 "$two" \
        bash -c 'eval "$("$0" env "$1")" && shift && "$@"' "$adapter" ./ring.openmpi "${mpich_step[@]}" ./ring.openmpi
    ring mpich-to-openmpi 6 "$three" \
        bash -c 'eval "$("$0" env "$1")" && shift && "$@"' "$adapter" ./ring.mpich "${openmpi_step[@]}" ./ring.mpich
}

@test "srun and its daemons work with an adapter that the environment preloads into them, too" {
    slurm_has pmi2
    slurm_has pmix
    ring openmpi-to-mpich 2 "$two" bash -c 'eval "$("$0" env --preload "$1")" && shift && "$@"' \
        "$adapter" ./ring.openmpi "${mpich_step[@]}" ./ring.openmpi
    ring mpich-to-openmpi 6 "$three" bash -c 'eval "$("$0" env --preload "$1")" && shift && "$@"' \
        "$adapter" ./ring.mpich "${openmpi_step[@]}" ./ring.mpich
}

@test "mpi-adapter run --launcher srun starts the ranks, and chooses what the host MPI understands" {
    slurm_has pmi2
    slurm_has pmix
    ring openmpi-to-mpich 2 "$two" "$adapter" run --to mpich --launcher srun -n 2 --launcher-arg -wnode1,node2 ./ring.openmpi --daemons
    daemons_are_clean slurmstepd
    ring mpich-to-openmpi 3 "$three" "$adapter" run --to openmpi --launcher srun -n 3 --launcher-arg -N3 ./ring.mpich --daemons
    daemons_are_clean slurmstepd
}

@test "mpi-adapter run --launcher srun leaves the user's choice of --mpi alone, and names the step" {
    export MPI_ADAPTER_SINGLETONS=1
    run --separate-stderr on node1 "$adapter" run --to mpich -v --launcher srun -n 2 --launcher-arg --mpi=none ./ring.openmpi
    [ "$status" -eq 0 ]
    [ "$(grep -c '^rank 0 of 1 on ' <<< "$output")" -eq 2 ]
    [[ $stderr == *'srun --job-name=ring.openmpi --mpi=none'* && $stderr != *--mpi=pmi* ]]
    run --separate-stderr on node1 env SLURM_MPI_TYPE=none "$adapter" run --to mpich --launcher srun -n 2 ./ring.openmpi
    [ "$(grep -c '^rank 0 of 1 on ' <<< "$output")" -eq 2 ]
}

@test "a step whose tasks do not know of each other is stopped, and told which --mpi the host MPI needs" {
    run --separate-stderr on node1 srun --mpi=none -n 2 env LD_LIBRARY_PATH="$on_mpich" ./ring.openmpi
    [ "$status" -ne 0 ]
    [ -z "$output" ]
    [[ $stderr == *'mpi-adapter: '*'started by srun, so each of its 2 processes'*'start it with srun --mpi=pmi2, '* ]]
}

@test "in an allocation, mpiexec of both MPIs and mpi-adapter run reach every host" {
    natively mpich 2 "$two" salloc -Q -w node1,node2 -n 2 mpiexec.mpich ./ring.mpich
    ring openmpi-to-mpich 2 "$two" salloc -Q -w node1,node2 -n 2 mpiexec.mpich -genv LD_LIBRARY_PATH "$on_mpich" ./ring.openmpi --daemons
    daemons_are_clean hydra_pmi_proxy
    natively openmpi 3 "$three" salloc -Q -N 3 -n 3 mpiexec.openmpi ./ring.openmpi
    ring mpich-to-openmpi 3 "$three" salloc -Q -N 3 -n 3 mpiexec.openmpi -x LD_LIBRARY_PATH="$on_openmpi" ./ring.mpich --daemons
    daemons_are_clean orted
    ring openmpi-to-mpich 2 "$two" salloc -Q -w node1,node2 -n 2 "$adapter" run --to mpich -n 2 ./ring.openmpi
    ring mpich-to-openmpi 2 "$two" salloc -Q -w node1,node2 -n 2 "$adapter" run --to openmpi -n 2 ./ring.mpich
}

@test "a batch job starts its ranks by srun, mpiexec or mpi-adapter run" {
    slurm_has pmi2
    slurm_has pmix
    in_batch openmpi-to-mpich "${mpich_step[@]}" env LD_LIBRARY_PATH="$on_mpich" ./ring.openmpi
    in_batch mpich-to-openmpi srun --mpi=pmix env LD_LIBRARY_PATH="$on_openmpi" ./ring.mpich
    in_batch openmpi-to-mpich "$adapter" run --to mpich -n 2 ./ring.openmpi
    in_batch mpich-to-openmpi "$adapter" run --to openmpi --launcher srun -n 2 ./ring.mpich
}

# told_by NAMES COMMAND...: each of two ranks, on two hosts, prints these variables with true values.
told_by() {
    local names=$1
    shift
    run --separate-stderr on node1 timeout -k 2 60 "$@"
    echo "$output" "$stderr"
    [ "$status" -eq 0 ]
    [ "$(grep -oE "$names" <<< "$output" | sort)" = "$(printf '%s\n' "$expected" | sort)" ]
}

@test "ranks that srun starts have the variables of their own MPI's launcher, on each host its own" {
    local expected names
    slurm_has pmi2
    slurm_has pmix
    printf '%s\n' '#!/bin/sh' 'env' > wrapper
    chmod +x wrapper
    names='^OMPI_COMM_WORLD_(RANK|SIZE|LOCAL_RANK|LOCAL_SIZE)=.*'
    expected=$(printf 'OMPI_COMM_WORLD_%s\n' RANK=0 RANK=1 SIZE=2 SIZE=2 LOCAL_RANK=0 LOCAL_RANK=0 LOCAL_SIZE=1 LOCAL_SIZE=1)
    told_by "$names" "$adapter" exec --program ./ring.openmpi -- "${mpich_step[@]}" -N 2 ./wrapper
    told_by "$names" "$adapter" run --launcher srun -n 2 --launcher-arg -N2 --from openmpi --to mpich ./wrapper
    names='^(PMI_RANK|PMI_SIZE|MPI_LOCALRANKID|MPI_LOCALNRANKS)=.*'
    expected=$(printf '%s\n' PMI_RANK=0 PMI_RANK=1 PMI_SIZE=2 PMI_SIZE=2 MPI_LOCALRANKID=0 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=1 MPI_LOCALNRANKS=1)
    told_by "$names" "$adapter" exec --to openmpi --program ./ring.mpich -- srun --mpi=pmix -N 2 -n 2 ./wrapper
}

@test "a prolog puts the launchers of mpi-adapter shell into the PATH of batch jobs" {
    printf '%s\n' '#!/bin/bash' 'mpirun -np 1 -x SHOWN=1 ./ring.openmpi' > batch.sh
    "$adapter" shell --path > "$work/ahead"
    run on node1 env MPI_ADAPTER_HOST=mpich sbatch -Q --wait -n 1 -o batch.out batch.sh
    rm "$work/ahead"
    cat batch.out
    [ "$status" -eq 0 ]
    [[ $(cat batch.out) == *'rank 0 of 1 on node'*': openmpi-to-mpich, right'* ]]
}

@test "srun: programs find the user's own libraries on every host" {
    slurm_has pmi2
    slurm_has pmix
    export LD_LIBRARY_PATH=$work/programs/user
    ring openmpi-to-mpich 2 "$two" "$adapter" run --to mpich --launcher srun -n 2 --launcher-arg -wnode1,node2 \
        ./ring-with-library.openmpi LD_LIBRARY_PATH
    each_rank_says "$on_mpich:$LD_LIBRARY_PATH"
    ring mpich-to-openmpi 3 "$three" "$adapter" run --to openmpi --launcher srun -n 3 --launcher-arg -N3 \
        ./ring-with-library.mpich LD_LIBRARY_PATH
    each_rank_says "$on_openmpi:$LD_LIBRARY_PATH"
}

@test "srun: Fortran programs run in both directions" {
    slurm_has pmi2
    slurm_has pmix
    natively mpich 2 "$two" "${mpich_step[@]}" ./ring-fortran.mpich
    ring openmpi-to-mpich 2 "$two" "$adapter" run --to mpich --launcher srun -n 2 --launcher-arg -wnode1,node2 ./ring-fortran.openmpi
    natively openmpi 6 "$three" "${openmpi_step[@]}" ./ring-fortran.openmpi
    ring mpich-to-openmpi 3 "$three" "$adapter" run --to openmpi --launcher srun -n 3 --launcher-arg -N3 ./ring-fortran.mpich
}

@test "mpi-adapter doctor reads what this Slurm offers" {
    slurm_has pmi2
    slurm_has pmix
    run on node1 "$adapter" doctor
    echo "$output"
    [[ $output == *"srun --mpi=pmi2 suits "*libmpich.so* && $output == *"srun --mpi=pmix suits "*libmpi.so.40* ]]
}
