#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Loading the library: what stops it, each with one line that says what to do, and what it leaves
# alone.

load ../pair
use_pair openmpi-to-mpich

setup_file() {
    load ../pair
    use_pair openmpi-to-mpich
    cd "$BATS_FILE_TMPDIR"
    app_program hello "$here/linked/hello.c"
    host_program native-hello "$here/linked/hello.c"
    app_program module.so -shared -fPIC "$here/linked/module.c"
    "$CC" -o loader "$here/linked/loader.c" -ldl
}

setup() {
    cd "$BATS_FILE_TMPDIR"
}

# refused COMMAND...: the program stops before it does anything, with one line on stderr.
refused() {
    run --separate-stderr "$@"
    [ "$status" -eq 1 ] && [ -z "$output" ] || { echo "status $status, output $output $stderr"; return 1; }
    one_line "$stderr"
}

with_host() {
    MPI_ADAPTER_HOST_LIBRARY=$1 adapted ./hello
}

host_path() {
    LD_LIBRARY_PATH='' "$CC" -print-file-name="$1"
}

@test "a program runs" {
    [ "$(adapted ./hello 2>&1)" = 'hello 1' ]
    [ "$(with_host "$(host_path libmpich.so.12)" 2>&1)" = 'hello 1' ]
    [ "$(with_host '' 2>&1)" = 'hello 1' ]
}

@test "the host's library is missing where the environment says" {
    refused with_host /nonexistent/libmpich.so.12
    [[ $stderr == *"MPI_ADAPTER_HOST_LIBRARY"*"/nonexistent/libmpich.so.12"* ]]
}

@test "the host's library is found nowhere" {
    mkdir -p absent/include
    printf '#include_next "host_libraries.h"\n#undef HOST_LIBRARIES\n#define HOST_LIBRARIES "libabsent.so.12", "libabsent.so.1"\n' \
        > absent/include/host_libraries.h
    compile_variant absent start/load.c -Iabsent/include
    link_variant absent/libmpi.so.40 absent
    refused env LD_LIBRARY_PATH="$PWD/absent:$folder" ./hello
    [[ $stderr == *"libabsent.so.12"*"; install mpich, or set MPI_ADAPTER_HOST_LIBRARY"* ]]
}

# Cut behind its headers, a library ends the process in the dynamic linker, with or without us.
@test "the host's library is cut short" {
    mkdir -p short
    head -c 500 "$(host_path libmpich.so.12)" > short/libmpich.so.12
    cp short/libmpich.so.12 short/libmpi.so.12
    refused with_host "$PWD/short/libmpich.so.12"
    refused env LD_LIBRARY_PATH="$folder:$PWD/short" ./hello
    [[ $stderr == *"short/libmpich.so.12"* ]]
}

@test "the library is another implementation's, or no MPI library, or the adapter" {
    refused with_host "$(host_path libmpi.so.40)"
    [[ $stderr == *"libmpi.so.40"*"mpich"* ]]
    refused with_host libm.so.6
    [[ $stderr == *"libm.so.6 is not a library of mpich"* ]]
    refused with_host "$adapter"
}

@test "two pairs in LD_LIBRARY_PATH are not taken for each other's host" {
    other=${folder%/*}/mpich-to-openmpi
    refused env LD_LIBRARY_PATH="$folder:$other" ./hello
    [[ $stderr == *"$adapter belongs to a pair and is not the library of openmpi, so that pairs lead in a circle; leave one of their"* ]]
    refused env LD_LIBRARY_PATH="$other:$folder" ./hello
    # The host's own library, in the folder that is searched first, is the host's.
    mkdir -p first
    ln -sf "$(host_path libmpich.so.12)" first
    [ "$(LD_LIBRARY_PATH=$folder:$PWD/first:$other ./hello 2>&1)" = 'hello 1' ]
}

@test "the library lacks one data symbol that its family has" {
    tr '\0' '\n' < <(sed -n '/^const char host_procedure_names/,/^ *;/s/.*"\(.*\)\\0"/\1/p' "$build/pair/$pair/generated/objects.c") |
        sed 's/.*/void &(void); void &(void) { __builtin_trap(); }/' > half.c
    grep -q 'void MPI_Send(void)' half.c
    "$CC" -shared -fPIC -w -o libhalf.so half.c
    refused with_host "$PWD/libhalf.so"
    [[ $stderr == *"libhalf.so is not a library of mpich: it has no MPI_T_PVAR_ALL_HANDLES; "* ||
        $stderr == *"libhalf.so is not a library of mpich: it has no MPI"*"; "* ]]
    sed -i '/void MPI_Send(void)/d' half.c
    "$CC" -shared -fPIC -w -o libhalf.so half.c
    refused with_host "$PWD/libhalf.so"
    [[ $stderr == *"it has no MPI_Send; "* ]]
}

@test "the wrong launcher" {
    timeout 60 mpiexec.openmpi -n 2 ./native-hello > /dev/null 2>&1 || skip "the host itself does not start by another launcher"
    run --separate-stderr mpiexec.openmpi --oversubscribe -n 2 env LD_LIBRARY_PATH="$folder" ./hello
    echo "$stderr"
    [ "$status" -ne 0 ]
    [ -z "$output" ]
    [ "$(grep -c '^mpi-adapter: ' <<< "$stderr")" -ge 1 ]
    while read -r line; do
        one_line "$line"
        [[ $line == *"its 2 processes"*"start it with mpiexec.mpich or mpi-adapter run, or set MPI_ADAPTER_SINGLETONS=1 "* ]]
    done < <(grep '^mpi-adapter' <<< "$stderr")
    # One process is right whoever starts it.
    [ "$(mpiexec.openmpi -n 1 env LD_LIBRARY_PATH="$folder" ./hello 2>&1)" = 'hello 1' ]
}

@test "the wrong launcher stops each of its processes" {
    for rank in 0 1; do
        refused env OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=2 LD_LIBRARY_PATH="$folder" ./hello
    done
    # A job of the right launcher within one of the wrong launcher.
    OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 LD_LIBRARY_PATH=$folder mpiexec.mpich -n 2 ./hello > output
    [ "$(cat output)" = 'hello 2' ]
}

# alone VARIABLE=VALUE...: the program is right to be alone with these in its environment.
alone() {
    [ "$(env "$@" LD_LIBRARY_PATH="$folder" ./hello 2>&1)" = 'hello 1' ] || { echo "stopped with $*"; return 1; }
}

# told WORDS VARIABLE=VALUE...: refused with these in the environment, in such words, unless the host's own program does
# not start so either.
told() {
    local words=$1
    shift
    env "$@" ./native-hello > /dev/null 2>&1 || { echo "# the host itself does not start with $*" >&3; return 0; }
    refused env "$@" LD_LIBRARY_PATH="$folder" ./hello
    [[ $stderr == *"$words"* ]]
}

@test "every launcher that the host does not know is told from none" {
    refused env SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=4 LD_LIBRARY_PATH="$folder" ./hello
    [[ $stderr == *"started by srun, so each of its 4 processes"* ]]
    [[ $stderr != *"srun --mpi"* ]]
    refused env SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=4 LD_LIBRARY_PATH="$folder" ./hello
    [[ $stderr == *"start it with srun --mpi=pmi2, mpiexec"* ]]
    told 'started by a launcher with PMIx, so each of its several processes' PMIX_RANK=1
    told ' processes' FLUX_TASK_RANK=0 FLUX_JOB_SIZE=2
    # A batch script and what it starts, jobs of one process, and words that are no numbers.
    alone SLURM_PROCID=0 SLURM_NTASKS=4
    alone SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1
    alone OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1
    ! env PMIX_RANK=0 ./native-hello > /dev/null 2>&1 || alone PMIX_RANK=0
    alone OMPI_COMM_WORLD_RANK=x OMPI_COMM_WORLD_SIZE=2
    alone OMPI_COMM_WORLD_SIZE=2
    alone OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 MPI_ADAPTER_SINGLETONS=1
    # One process of the right launcher, within a job of the wrong one.
    export OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 LD_LIBRARY_PATH=$folder
    [ "$(mpiexec.mpich -n 1 ./hello 2>&1)" = 'hello 1' ]
}

@test "the launcher that is named is one that is here" {
    mkdir -p bin
    printf '#!/bin/sh\n' > bin/mpiexec.hydra
    chmod +x bin/mpiexec.hydra
    refused env PATH="$PWD/bin" OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 LD_LIBRARY_PATH="$folder" ./hello
    [[ $stderr == *"start it with mpiexec.hydra or "* ]]
}

@test "of an installation of its own, the host's launcher is the one beside its library" {
    mkdir -p made/lib made/bin
    ln -s "$(traced libmpich.so.12)" made/lib/
    printf '#!/bin/sh\n' > made/bin/mpiexec.hydra
    chmod +x made/bin/mpiexec.hydra
    refused env MPI_ADAPTER_HOST_LIBRARY="$PWD/made/lib/libmpich.so.12" OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 \
        LD_LIBRARY_PATH="$folder" ./hello
    [[ $stderr == *"start it with $PWD/made/bin/mpiexec.hydra or "* ]]
}

# traced NAME: the file that the dynamic linker finds.
traced() { /sbin/ldconfig -p | awk -v name="$1" '$1 == name && !found { found = 1; print $NF }'; }

# host_of PATH: the host's library that the adapter takes with this behind it in LD_LIBRARY_PATH.
host_of() {
    MPI_ADAPTER_VERBOSE=1 LD_LIBRARY_PATH=$folder:$1 ./hello 2>&1 | sed -n 's/^mpi-adapter: process [0-9]*: a program for openmpi on mpich: \([^ ]*\) .*/\1/p'
}

@test "the host's library is that of the first folder in LD_LIBRARY_PATH which has it, whatever its name there" {
    mkdir module other
    ln -s "$(traced libmpich.so.12)" module/libmpi.so.12
    [ "$(host_of "$PWD/module")" = "$PWD/module/libmpi.so.12" ]
    [ "$(host_of "")" = "$(traced libmpich.so.12)" ]
    # Another MPI's of that name is none of the host's.
    echo 'int MPI_Init(int *a, char ***b) { return a || b; }' | "$CC" -shared -fPIC -Wl,-soname,libmpi.so.12 -o other/libmpi.so.12 -x c -
    [ "$(host_of "$PWD/other")" = "$(traced libmpich.so.12)" ]
    [ "$(host_of "$PWD/other:$PWD/module")" = "$(traced libmpich.so.12)" ]
}

@test "the wrong launcher, for a program with sessions alone" {
    "$CC" -I"$build/include/openmpi" -o session "$here/linked/session.c" "$adapter"
    [ "$(adapted ./session)" = 'session of 1' ]
    refused env OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 LD_LIBRARY_PATH="$folder" ./session
}

@test "MPI_ADAPTER_VERBOSE: a block for each process, on stderr" {
    run --separate-stderr env MPI_ADAPTER_VERBOSE=1 LD_LIBRARY_PATH="$folder" mpiexec.mpich -n 2 ./hello
    [ "$status" -eq 0 ]
    [ "$output" = 'hello 2' ]
    echo "$stderr"
    for rank in 0 1; do
        process=$(sed -n "s/^mpi-adapter: process \([0-9]*\):   rank $rank by the launcher\$/\1/p" <<< "$stderr")
        block=$(grep "^mpi-adapter: process $process: " <<< "$stderr")
        grep -qE ': a program for openmpi on mpich: /.*/libmpich\.so\.12 \(MPI [0-9.]+, MPICH Version:' <<< "$block"
        grep -qE ':   [1-9][0-9]* slots of /.*/libmpich\.so\.12[0-9.]* lead to the host$' <<< "$block"
        grep -qE ': isolation proved by address at load: none of [0-9]{3,} slots of symbols in [1-9]' <<< "$block"
        grep -q ':   and by a call: MPI_Get_library_version was answered by the host' <<< "$block"
        grep -q ": rank $rank of 2$" <<< "$block"
        grep -qE ': isolation proved by address after initialization: none of [0-9]{3,} slots' <<< "$block"
    done
    [ "$(grep -c '^mpi-adapter: process ' <<< "$stderr")" -eq "$(wc -l <<< "$stderr")" ]
    for value in '' 0; do
        [ -z "$(MPI_ADAPTER_VERBOSE=$value LD_LIBRARY_PATH=$folder ./hello 2>&1 >/dev/null)" ]
    done
}

# children ENVIRONMENT...: what a child process of the program has of the adapter: its environment
# and the objects it loads.
children() {
    env "$@" ./hello 'printenv LD_PRELOAD; grep -c "libmpi\.so\.40\|libmpich" /proc/self/maps; true' 2>&1
}

@test "child processes that are no MPI programs do not load the adapter" {
    [ "$(children LD_PRELOAD="$adapter" MPI_ADAPTER_PRELOAD="$adapter")" = $'0\nhello 1' ]
    [ "$(children LD_LIBRARY_PATH="$folder")" = $'0\nhello 1' ]
}

@test "what else is preloaded stays so, in its order" {
    "$CC" -shared -fPIC -x c -o first.so /dev/null
    cp first.so second.so
    expected=$PWD/first.so:$PWD/second.so
    [ "$(children LD_PRELOAD="$PWD/first.so:$adapter $PWD/second.so" MPI_ADAPTER_PRELOAD="$adapter")" = \
        "$expected"$'\n0\nhello 1' ]
    [ "$(children LD_PRELOAD="$PWD/first.so:$folder/libopen_mpi.so.40:$adapter" \
        MPI_ADAPTER_PRELOAD="$adapter:$folder/libopen_mpi.so.40")" = "$PWD/first.so"$'\n0\nhello 1' ]
    # Without the command's word the user's own list is not touched.
    [[ $(children LD_PRELOAD="$adapter") == "$adapter"* ]]
}

@test "a program without MPI loads a module with it" {
    for words in '' now global 'now global' close 'now close'; do
        # shellcheck disable=SC2086  # a list of words
        [ "$(adapted ./loader ./module.so "$PWD/file" $words 2>&1)" = right ]
    done
}

# calls_early ARGUMENT...: a library's constructor calls MPI, and finds it ready: the call is in the trace.
calls_early() {
    rm -f early.*
    [ "$(MPI_ADAPTER_TRACE=early "$@")" = right ]
    [ "$(grep -c 'MPI_Initialized() = MPI_SUCCESS -> flag=0 ' early.*)" -eq 1 ]
}

@test "constructors of the program's libraries run when the adapter is ready" {
    app_program libearly.so -shared -fPIC "$here/linked/early.c" -ldl
    "$CC" -o early-program "$here/linked/loader.c" -ldl -Wl,--no-as-needed ./libearly.so -Wl,-rpath,"$PWD"
    calls_early adapted ./loader ./libearly.so /nonexistent
    calls_early adapted ./early-program ./libearly.so /nonexistent
}

@test "without the host such a module stops the program, with one line" {
    refused env MPI_ADAPTER_HOST_LIBRARY=/nonexistent LD_LIBRARY_PATH="$folder" ./loader ./module.so "$PWD/file"
}

@test "a procedure that the host lacks: said once, handed to the error handler, OUT arguments defined" {
    "$CC" -I"$build/include/openmpi" -o stand_ins "$here/linked/stand_ins.c" "$adapter"
    run --separate-stderr adapted ./stand_ins
    [ "$status" -eq 0 ]
    [ "$output" != provided ] || skip "this host has them"
    [ "$output" = absent ] || { echo "$output"; return 1; }
    [ "$(grep -c 'MPIX_Comm_get_failed' <<< "$stderr")" -eq 1 ]
    while read -r line; do one_line "$line"; done <<< "$stderr"
    run --separate-stderr adapted ./stand_ins fatal
    [ "$status" -ne 0 ]
    [ "$output" != absent ]
    [ "$(grep -c '^mpi-adapter: MPIX_Comm_get_failed is not provided' <<< "$stderr")" -eq 1 ]
}

@test "codes of a spawn that fails, on every rank; what a tool's variable is bound to lives on" {
    MPICH_CC=$CC mpicc.mpich -shared -fPIC -Wl,-soname,libfaults.so -o libfaults.so "$here/linked/faults_host.c" \
        -Wl,--no-as-needed -l:libmpich.so.12
    app_program faults "$here/linked/faults.c"
    export MPI_ADAPTER_HOST_LIBRARY=$PWD/libfaults.so
    LD_LIBRARY_PATH=$folder timeout 60 mpiexec.mpich -n 3 ./faults > output
    cat output
    [ "$(sort -u output)" = 'codes right, bound right' ] && [ "$(wc -l < output)" -eq 3 ]
}

@test "children of a launcher that takes no environment for them get the adapter" {
    MPICH_CC=$CC mpicc.mpich -shared -fPIC -Wl,-soname,libspawn.so -o libspawn.so "$here/linked/spawn_host.c" \
        -Wl,--no-as-needed -l:libmpich.so.12
    app_program spawner "$here/linked/spawn.c"
    printf '#!/bin/sh\nprintf "%%s|" "$LD_LIBRARY_PATH" "$MPI_ADAPTER_HOST_LIBRARY" "$@"\necho\n' > child
    chmod +x child
    cp child a=child
    LD_LIBRARY_PATH=$folder MPI_ADAPTER_HOST_LIBRARY=$PWD/libspawn.so timeout 60 mpiexec.mpich -n 1 ./spawner > output
    settings="$folder|$PWD/libspawn.so|"
    printf '%s\n' "${settings}one|two words|" "$settings" "${settings}one|two words|" "${settings}three|" "$settings" "$settings" \
        '||three|' '||three|' | diff - output
    # A path that is too long for a launcher's messages, or has two lines, is left out, and the child starts.
    for more in "$(printf 'x%.0s' {1..1000})" $'two\nlines'; do
        LD_LIBRARY_PATH=$folder:$more MPI_ADAPTER_HOST_LIBRARY=$PWD/libspawn.so timeout 60 mpiexec.mpich -n 1 ./spawner > output
        grep -E '\|one\|two words\|$' output
        [ "$(wc -l < output)" -eq 8 ]
    done
}
