# SPDX-License-Identifier: BSD-3-Clause
# The command with real MPIs: the launchers, and the pair of this build if it
# is built.

bats_require_minimum_version 1.5.0

build=${BUILD:-$BATS_TEST_DIRNAME/../../build}
adapter=$build/bin/mpi-adapter

need() { command -v "$1" > /dev/null || skip "$1 is not installed"; }

setup_file() {
    . "$BATS_TEST_DIRNAME/../components.bash"
    cat > "$BATS_FILE_TMPDIR/ranks.c" <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* The text of the MPI that runs: behind what the adapters say of themselves. */
static const char *running(const char *text)
{
    const char *adapted, *to;
    while ((adapted = strstr(text, ", adapted by MPI-Adapter ")) && (to = strstr(adapted, " to ")))
        text = to + strlen(" to ");
    return text;
}
int main(int argc, char **argv)
{
    int rank, size, sum;
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Get_library_version(version, &argc);
    if (rank == 0)
        printf("%d ranks, sum %d, %.5s\n", size, sum, running(version));
    MPI_Finalize();
    return 3;
}
END
}

need_pair() {
    [ -e "$build/lib/mpi-adapter/$1/pair.conf" ] || skip "$1 is not built"
}

# A pair whose library does nothing, and a program that only seems to need it:
# they show what real launchers do with the environment.
make_dummy() {
    folder="$BATS_TEST_TMPDIR/pa irs/$1-to-$2"
    mkdir -p "$folder"
    local symbols='int PMPI_Init(void) { return 0; } int ompi_mpi_comm_world;'
    echo "$symbols" | cc -shared -fPIC -x c - -o "$folder/libdummy.so.1" -Wl,-soname,libdummy.so.1
    echo 'int main(void) { extern int system(const char *);
        return system("echo \"rank:$LD_LIBRARY_PATH\""); }' |
        cc -x c - -x none -o "$BATS_TEST_TMPDIR/dummy" -Wl,--no-as-needed "$folder/libdummy.so.1"
    printf '%s\n' "application = $1" "host = $2" 'application_sonames = libdummy.so.1' \
        "host_libraries = $3" "launchers = $4" "launcher_kind = $5" 'preload = libdummy.so.1' \
        > "$folder/pair.conf"
    export MPI_ADAPTER_PATH=${folder%/*}
}

@test "the real Hydra gives two ranks the environment" {
    need mpiexec.mpich
    make_dummy dummy mpich libmpich.so.12 mpiexec.mpich hydra
    run "$adapter" run -n 2 "$BATS_TEST_TMPDIR/dummy"
    [ "$status" -eq 0 ]
    [ "$output" = "rank:$folder"$'\n'"rank:$folder" ]
}

@test "the real Open MPI launcher gives two ranks the environment" {
    need mpiexec.openmpi
    make_dummy dummy openmpi libmpi.so.40 mpiexec.openmpi openmpi
    run "$adapter" run -n 2 --launcher-arg --oversubscribe "$BATS_TEST_TMPDIR/dummy"
    [ "$status" -eq 0 ]
    # Open MPI puts its own folder ahead.
    [[ :${lines[0]#rank:}: == *":$folder:"* ]]
    [[ :${lines[1]#rank:}: == *":$folder:"* ]]
}

@test "a line whose program is of a family that only a pair.conf names is for the launcher of its name that is here" {
    need mpiexec.openmpi
    need mpiexec.mpich
    mkdir "$BATS_TEST_TMPDIR/bin"
    ln -s "$(type -P mpiexec.openmpi)" "$BATS_TEST_TMPDIR/bin/mpiexec"
    export PATH=$BATS_TEST_TMPDIR/bin:$PATH
    make_dummy dummy mpich libmpich.so.12 mpiexec.mpich hydra
    local from
    for from in '' --from=dummy; do
        # Settings of tests for Open MPI have no effect here, which is said.
        run --separate-stderr "$adapter" exec --to mpich $from mpiexec -n 2 "$BATS_TEST_TMPDIR/dummy"
        echo "$output$stderr"
        [ "$output" = "rank:$folder"$'\n'"rank:$folder" ]
    done
    # One that is not here tells nothing.
    ln -sf /usr/bin/* "$BATS_TEST_TMPDIR/bin"
    rm "$BATS_TEST_TMPDIR"/bin/{mpiexec,mpirun}
    PATH=$BATS_TEST_TMPDIR/bin run --separate-stderr "$adapter" exec --from dummy --to mpich mpiexec -n 2 "$BATS_TEST_TMPDIR/dummy"
    echo "$output$stderr"
    [ "$stderr" = "mpi-adapter: don't know which MPI's launcher 'mpiexec' stands for; give --as KIND, or --from ABI" ]
    run --separate-stderr "$adapter" exec --from dummy --to mpich --as openmpi mpiexec --oversubscribe -n 2 "$BATS_TEST_TMPDIR/dummy"
    echo "$output"
    [ "$output" = "rank:$folder"$'\n'"rank:$folder" ]
}

@test "real libraries and launchers are told apart" {
    need mpiexec.mpich
    need mpiexec.openmpi
    make_dummy dummy mpich libmpi.so.40 mpiexec.mpich hydra
    run "$adapter" run "$BATS_TEST_TMPDIR/dummy"
    [ "$status" -eq 1 ]
    [[ $output == *'is not an MPI library of the ABI mpich'* ]]
    make_dummy dummy mpich libmpich.so.12 mpiexec.openmpi hydra
    run "$adapter" run "$BATS_TEST_TMPDIR/dummy"
    [ "$status" -eq 1 ]
    [[ $output == *'mpiexec.openmpi is not one of mpich'* ]]
}

@test "real programs of both implementations are recognized" {
    need mpicc.openmpi
    need mpicc.mpich
    make_dummy dummy mpich libmpich.so.12 mpiexec.mpich hydra
    local mpi
    for mpi in openmpi mpich; do
        mpicc.$mpi -o "$BATS_TEST_TMPDIR/$mpi" "$BATS_FILE_TMPDIR/ranks.c"
        run "$adapter" run --from dummy "$BATS_TEST_TMPDIR/$mpi"
        [ "$status" -eq 1 ]
        [[ $output == *"was compiled against $mpi, not dummy"* ]]
    done
}

@test "an Open MPI program runs on MPICH" {
    need mpicc.openmpi
    need mpiexec.mpich
    need_pair openmpi-to-mpich
    mpicc.openmpi -o "$BATS_TEST_TMPDIR/ranks" "$BATS_FILE_TMPDIR/ranks.c"
    run "$adapter" run --to mpich -n 2 "$BATS_TEST_TMPDIR/ranks"
    [ "$status" -eq 3 ]
    [[ $output == *'2 ranks, sum 1, MPICH'* ]]
}

@test "an Open MPI program with DT_RPATH runs on MPICH" {
    need mpicc.openmpi
    need mpiexec.mpich
    need_pair openmpi-to-mpich
    mpicc.openmpi -o "$BATS_TEST_TMPDIR/ranks" "$BATS_FILE_TMPDIR/ranks.c" \
        -Wl,--disable-new-dtags,-rpath,"$(mpicc.openmpi --showme:libdirs | cut -d ' ' -f 1)"
    run "$adapter" run --to mpich -n 2 "$BATS_TEST_TMPDIR/ranks"
    [ "$status" -eq 3 ]
    [[ $output == *'2 ranks, sum 1, MPICH'* ]]
}

@test "env lets the real launcher run it" {
    need mpicc.openmpi
    need mpiexec.mpich
    need_pair openmpi-to-mpich
    mpicc.openmpi -o "$BATS_TEST_TMPDIR/ranks" "$BATS_FILE_TMPDIR/ranks.c"
    eval "$("$adapter" env --to mpich "$BATS_TEST_TMPDIR/ranks")"
    run mpiexec.mpich -n 2 "$BATS_TEST_TMPDIR/ranks"
    [[ $output == *'2 ranks, sum 1, MPICH'* ]]
}

# runs_stacked MPICC UPPER LOWER LAUNCHER MPI: a program of MPICC's runs by UPPER on the library of LOWER.
runs_stacked() {
    local library=$build/lib/mpi-adapter/$3/libmpi_abi.so.1 setting
    need_pair "$2"
    need_pair "$3"
    mpicc.$1 -o "$BATS_TEST_TMPDIR/ranks" "$BATS_FILE_TMPDIR/ranks.c"
    for setting in LD_LIBRARY_PATH="${library%/*}" MPI_ADAPTER_HOST_LIBRARY="$library" \
        MPI_ADAPTER_HOST_LIBRARY="$library:$(ldconfig -p | awk -v name="$5" '$1 == name && !path { path = $NF } END { print path }')"; do
        run --separate-stderr env -u LD_LIBRARY_PATH "$setting" \
            "$adapter" run -v --to mpiabi -n 2 "$BATS_TEST_TMPDIR/ranks"
        echo "$setting: status $status, stdout: $output, stderr: $stderr"
        [ "$status" -eq 3 ]
        [[ $output == *"2 ranks, sum 1, $4"* ]]
        [[ $stderr == *"pair $2 in "*"host library $library"* ]]
    done
}

@test "a pair's host may be another pair, given by folder or by library" {
    runs_stacked openmpi openmpi-to-mpiabi mpiabi-to-mpich MPICH libmpich.so.12
    runs_stacked mpich mpich-to-mpiabi mpiabi-to-openmpi 'Open ' libmpi.so.40
}

@test "a program of the standard ABI runs on each MPI by a pair, and on one that has it without, if there is any" {
    local program=$BATS_TEST_TMPDIR/ranks
    "$build/bin/mpicc_abi" -o "$program" "$BATS_FILE_TMPDIR/ranks.c"
    run "$adapter" run --to mpich -n 2 "$program"
    [[ $output == *'2 ranks, sum 1, MPICH'* ]]
    run "$adapter" run --to openmpi -n 2 "$program"
    [[ $output == *'2 ranks, sum 1, Open '* ]]
    run --separate-stderr "$adapter" run -v --to mpiabi -n 2 "$program"
    echo "status $status, stdout: $output, stderr: $stderr"
    if ldconfig -p | awk '$1 == "libmpi_abi.so.1" { found = 1 } END { exit !found }'; then
        [[ $stderr == *'no pair is needed, as an MPI of the ABI mpiabi is here'* ]]
        [[ $output == *'2 ranks, sum 1, '* ]]
    else
        [ "$status" -eq 1 ]
        [[ $stderr == *'mpi-adapter: the MPI library of mpiabi (libmpi_abi.so.1) is not found; '* ]]
    fi
}

@test "Open MPI's launcher starts more ranks than there are cores, as MPICH's does, and is said to share them" {
    need mpiexec.openmpi
    need_pair mpich-to-openmpi
    unset OMPI_MCA_rmaps_base_oversubscribe PRTE_MCA_rmaps_default_mapping_policy PRTE_MCA_mapby
    mpicc.mpich -o "$BATS_TEST_TMPDIR/ranks" "$BATS_FILE_TMPDIR/ranks.c"
    local cores=$(($(nproc) + 1))
    run --separate-stderr "$adapter" run --to openmpi -n "$cores" "$BATS_TEST_TMPDIR/ranks"
    echo "$output, $stderr"
    [[ $output == "$cores ranks, "*', Open '* ]]
    [ "$(grep -c '^mpi-adapter:' <<< "$stderr")" -eq 1 ]
    [[ $stderr == *"mpi-adapter: $cores ranks share "*' core'*'; give fewer with -n, or tell the launcher where they go'* ]]
}

@test "ranks have the user's PATH, whose folders are ahead of the launcher's" {
    need mpiexec.openmpi
    cd "$BATS_TEST_TMPDIR"
    mkdir bin
    printf '#!/bin/sh\necho "the first of PATH"\n' > bin/program-of-path
    printf '#!/usr/bin/env program-of-path\n' > script
    chmod +x bin/program-of-path script
    ln -s "$(command -v mpiexec.openmpi)" bin/
    export PATH=$PWD/bin:$PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    for way in 'run --from openmpi -n 1' 'run --from mpich --to openmpi -n 1' 'exec --from mpich --to openmpi -- mpiexec.mpich -n 1'; do
        # shellcheck disable=SC2086  # words
        run --separate-stderr "$adapter" $way sh -c 'echo "$PATH"; exec ./script'
        echo "$way: status $status, stdout: $output, stderr: $stderr"
        [ "$status" -eq 0 ]
        [ "${lines[0]}" = "$PATH" ]
        [ "${lines[1]}" = 'the first of PATH' ]
    done
}

@test "run in each of several ranks is refused, and in one rank starts a job" {
    need mpiexec.openmpi
    need mpicc.mpich
    cd "$BATS_TEST_TMPDIR"
    . "$BATS_TEST_DIRNAME/../messages.bash"
    mpicc.mpich -o program "$BATS_FILE_TMPDIR/ranks.c"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    for launcher in 'mpiexec.openmpi --oversubscribe' mpiexec.mpich; do
        # shellcheck disable=SC2086  # words
        unless_dropped run --separate-stderr $launcher -n 2 "$adapter" run --from mpich ./program
        echo "status $status, stdout: $output, stderr: $stderr"
        [ "$status" -ne 0 ]
        [ -z "$output" ]
        [[ $stderr == *"in each of 2 ranks"*"'mpi-adapter run -n 2 ./program'"* ]]
        # shellcheck disable=SC2086
        run --separate-stderr $launcher -n 1 "$adapter" run --from mpich --to mpich ./program
        echo "status $status, stdout: $output, stderr: $stderr"
        [ "$output" = '1 ranks, sum 0, MPICH' ]
    done
}

@test "a launch line, or a program, in the place of a subcommand is what was meant" {
    need mpicc.mpich
    cd "$BATS_TEST_TMPDIR"
    # Hydra may end by SIGPIPE, without a word, where ranks end at once: these call MPI, in what the script starts.
    mpicc.mpich -o ranks "$BATS_FILE_TMPDIR/ranks.c"
    printf '#!/bin/sh\n./ranks\n' > program
    chmod +x program
    export MPI_ADAPTER_HOST=mpich
    run --separate-stderr "$adapter" run --from mpich mpiexec.mpich -n 2 ./program
    echo "$output$stderr"
    [ "$output" = '2 ranks, sum 1, MPICH' ]
    run --separate-stderr "$adapter" run -n 3 mpiexec.mpich ./program
    [ "$status" -eq 2 ]
    [[ $stderr == *'starts ranks itself'* ]]
    run --separate-stderr "$adapter" -n 2 --from mpich ./program
    echo "$output$stderr"
    [ "$output" = '2 ranks, sum 1, MPICH' ]
    run --separate-stderr "$adapter" ./nothing
    [ "$status" -eq 1 ]
    [[ $stderr == *'./nothing: no such program'* ]]
}

# A program for each ABI, whose ranks find each other, and use what the adapter builds on older hosts: WAY plain, persistent, part (a session of
# all ranks but the first) or partitioned (between the last two).
make_several() {
    cat > several.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#if defined OPEN_MPI && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define MPI_Allreduce_init MPIX_Allreduce_init
#define OLD 1
#endif
int main(int argc, char **argv)
{
    int rank, size, sum = -1, from = -1, next;
    const char *way = argv[1];
    MPI_Status status;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    MPI_Sendrecv(&rank, 1, MPI_INT, next, 5, &from, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (!strcmp(way, "persistent")) {
        MPI_Allreduce_init(&from, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
#ifndef OLD
    if (!strcmp(way, "part") && rank > 0) {
        MPI_Session session;
        MPI_Group all, part;
        MPI_Comm comm;
        int zero = 0;
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
        MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
        MPI_Group_excl(all, 1, &zero, &part);
        MPI_Comm_create_from_group(part, "several", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
        MPI_Comm_free(&comm);
        MPI_Group_free(&all);
        MPI_Group_free(&part);
        MPI_Session_finalize(&session);
    }
    if (!strcmp(way, "partitioned") && rank >= size - 2) {
        if (rank == size - 2)
            MPI_Psend_init(&rank, 1, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        else
            MPI_Precv_init(&from, 1, 1, MPI_INT, size - 2, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        if (rank == size - 2)
            MPI_Pready(0, request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
#endif
    printf("%d of %d: sum %d, from %d %d\n", rank, size, sum, from, status.MPI_SOURCE);
    MPI_Finalize();
    return 0;
}
END
    mpicc.openmpi -w -o openmpi several.c
    mpicc.mpich -w -o mpich several.c
    "$build/bin/mpicc_abi" -w -o mpiabi several.c
}

# all_four COMMAND...: its four ranks are one job.
all_four() {
    run --separate-stderr timeout 120 "$@"
    echo "$*: status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq 0 ]
    [ "$(sort <<< "$output")" = '0 of 4: sum 6, from 3 3
1 of 4: sum 6, from 0 0
2 of 4: sum 6, from 1 1
3 of 4: sum 6, from 2 2' ]
}

need_several() {
    need mpiexec.openmpi
    need mpiexec.mpich
    local pair
    for pair in openmpi-to-mpich mpich-to-openmpi mpiabi-to-mpich mpiabi-to-openmpi; do need_pair $pair; done
    . "$BATS_TEST_DIRNAME/../components.bash"
    cd "$BATS_TEST_TMPDIR"
    make_several
    pairs=$build/lib/mpi-adapter
}

@test "programs of three ABIs are one job, by exec and by each program's own pair, on either MPI" {
    need_several
    for way in plain persistent; do
        all_four "$adapter" exec -- mpiexec.mpich -n 1 ./openmpi $way : -n 1 ./mpich $way : -n 2 ./mpiabi $way
        all_four "$adapter" exec -- mpiexec.openmpi --oversubscribe -n 1 ./openmpi $way : -n 1 ./mpich $way : -n 2 ./mpiabi $way
    done
    all_four mpiexec.mpich -n 1 -env LD_LIBRARY_PATH "$pairs/openmpi-to-mpich" ./openmpi plain : -n 1 ./mpich plain : \
        -n 2 -env LD_LIBRARY_PATH "$pairs/mpiabi-to-mpich" ./mpiabi plain
    all_four mpiexec.openmpi --oversubscribe -n 1 ./openmpi plain : -n 1 -x LD_LIBRARY_PATH="$pairs/mpich-to-openmpi" ./mpich plain : \
        -n 2 -x LD_LIBRARY_PATH="$pairs/mpiabi-to-openmpi" ./mpiabi plain
}

# a_rank_is_left: of this folder's programs.
a_rank_is_left() {
    local file
    for file in /proc/[0-9]*/exe; do
        [[ $(readlink "$file") != "$PWD"/* ]] || return 0
    done
    return 1
}

# ranks_end COMMAND...: of ranks that had met, one has failed, and none waits any more. Sets status and stderr. Once ranks abort, the launcher
# of Open MPI 4.1 itself may wait for ever, or crash, natively, too (6 and 11 of 40 runs under load): it is ended then.
ranks_end() {
    local launcher tries
    "$@" > output 2> errors 3>&- &
    launcher=$!
    for ((tries = 240; tries > 0; tries--)); do
        kill -0 "$launcher" 2> /dev/null || break
        ! grep -q 'MPI_P[a-z]*_init failed' errors || a_rank_is_left || break
        sleep 0.5
    done
    kill -KILL "$launcher" 2> /dev/null || tries=1
    status=0
    wait "$launcher" || status=$?
    stderr=$(< errors)
    echo "status $status, stdout: $(< output), stderr: $stderr"
    [ "$tries" -gt 0 ]
}

@test "in a job of native and adapted ranks, what an older MPI lacks works between adapted ones, or a message says why not" {
    need_several
    case $(release_here openmpi) in [1-4].*) ;; *) skip 'Open MPI has MPI-4' ;; esac
    local job='-n 1 ./mpich partitioned : -n 2 ./mpiabi partitioned' both
    both="-n 1 ./openmpi plain : $job"
    # shellcheck disable=SC2086  # words
    run --separate-stderr timeout 120 "$adapter" exec -- mpiexec.openmpi --oversubscribe -n 1 ./openmpi plain : -n 1 ./mpich part : -n 2 ./mpiabi part
    echo "$output $stderr"
    [ "$(grep -c 'of 4: sum 6' <<< "$output")" -eq 4 ]
    # shellcheck disable=SC2086
    ranks_end "$adapter" exec -- mpiexec.openmpi --oversubscribe $both
    [ "$status" -ne 0 ]
    [[ $stderr == *'set MPI_ADAPTER_PARTITIONED=1 for all ranks, if each is adapted'* ]]
    export MPI_ADAPTER_PARTITIONED=1
    run --separate-stderr timeout 120 "$adapter" exec -- mpiexec.openmpi --oversubscribe $job
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "$(sort <<< "$output" | tail -n 1)" = '2 of 3: sum 3, from 1 1' ]
    run --separate-stderr "$adapter" exec --print -- mpiexec.openmpi $both
    [ "$status" -eq 0 ]
    [ "$(grep -c './openmpi runs without a pair and has no part in what MPI_ADAPTER_PARTITIONED asks for: ./mpich waits' <<< "$stderr")" -eq 1 ]
    run --separate-stderr "$adapter" exec --print -- mpiexec.openmpi $job
    [ -z "$stderr" ]
}
