#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Ranks have the variables by which the launcher of their own MPI tells a process its place, with true values: in wrapper scripts
# and before main(), by each way of starting them; and nobody is misled by them.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
}

# told RANK SIZE: what a rank of the application's MPI finds on one node.
told() {
    case $application in
        openmpi) echo " OMPI_COMM_WORLD_RANK=$1 OMPI_COMM_WORLD_SIZE=$2 OMPI_COMM_WORLD_LOCAL_RANK=$1 OMPI_COMM_WORLD_LOCAL_SIZE=$2" ;;
        mpich) echo " PMI_RANK=$1 PMI_SIZE=$2 MPI_LOCALRANKID=$1 MPI_LOCALNRANKS=$2" ;;
    esac
}

# all_told SIZE FILE: each rank has printed its own, among those of the host's launcher.
all_told() {
    local rank
    cat "$2"
    for ((rank = 0; rank < $1; rank++)); do
        grep "^$rank/$1 " "$2" | grep -F "$(told "$rank" "$1")" > /dev/null || { echo "rank $rank of $1 was not told"; return 1; }
    done
}

wrapper() {
    cat > wrapper <<'END'
#!/bin/sh
echo "$PLACE_RANK/$PLACE_SIZE wrapper"
exec "$@"
END
    case $application in
        openmpi) sed -i 's/PLACE_RANK/OMPI_COMM_WORLD_LOCAL_RANK/; s/PLACE_SIZE/OMPI_COMM_WORLD_LOCAL_SIZE/' wrapper ;;
        *) sed -i 's/PLACE_RANK/MPI_LOCALRANKID/; s/PLACE_SIZE/MPI_LOCALNRANKS/' wrapper ;;
    esac
    chmod +x wrapper
}

has_a_launcher() { [ "$application" != mpiabi ]; }

by_each_way() {
    has_a_launcher || return 0
    app_program place "$here/rank_variables.c"
    wrapper
    "$command" run --to "$host" -n 2 ./place > by-run
    all_told 2 by-run
    "$command" exec -- "$launcher" -n 2 ./place > by-exec
    all_told 2 by-exec
    on_ranks 3 ./place > by-path
    all_told 3 by-path
    # The wrapper is told before the program's libraries are loaded.
    "$command" exec --program ./place -- "$launcher" -n 2 ./wrapper ./place > by-wrapper
    all_told 2 by-wrapper
    [ "$(grep wrapper by-wrapper | sort)" = "$(printf '%s wrapper\n' 0/2 1/2)" ]
    "$command" exec -- "$launcher" -n 1 ./place : -n 2 ./place > by-parts
    all_told 3 by-parts
    # The launcher of the program's own MPI, in a script that nobody edits.
    printf '%s\n' '#!/bin/sh' 'mpirun -n 2 ./wrapper ./place' > job
    chmod +x job
    "$command" shell --from "$application" --to "$host" ./job > by-shell
    all_told 2 by-shell
    [ "$(grep wrapper by-shell | sort)" = "$(printf '%s wrapper\n' 0/2 1/2)" ]
}

@test "by run, exec, a script in shell, a wrapper script, several programs, and LD_LIBRARY_PATH alone" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair by_each_way
}

leaves_users() {
    local own=OMPI_COMM_WORLD_LOCAL_RANK
    has_a_launcher || return 0
    app_program place "$here/rank_variables.c"
    [ "$application" = openmpi ] || own=MPI_LOCALRANKID
    env "$own=7" "$command" exec -- "$launcher" -n 1 ./place > output
    grep " $own=7" output
    env "$own=7" LD_LIBRARY_PATH="$folder" "$launcher" -n 1 env "$own=8" ./place > output
    grep " $own=8" output
}

@test "what the user has set stays" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair leaves_users
}

# MPICH of Debian 12 spawns nothing natively, either.
spawns() {
    host_program host-place "$here/rank_variables.c"
    natively 1 "$PWD/host-place" spawn > native 2>&1
}

spawned() {
    has_a_launcher || return 0
    spawns || return 0
    app_program place "$here/rank_variables.c"
    "$command" run --to "$host" -n 1 "$PWD/place" spawn > output
    all_told 1 output
    sed -n 's/^child //p' output > children
    all_told 2 children
}

@test "spawned processes have those of their own world" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair spawned
}

# nests: whether the host's launcher starts jobs within its ranks. Open MPI's does not.
nests() { natively 1 ./host-place run "$launcher -n 1 ./host-place" > native 2>&1; }

# A job within a rank, by either launcher, of native programs and of adapted ones; and a program alone.
nested() {
    local inner inners
    has_a_launcher || return 0
    app_program place "$here/rank_variables.c"
    host_program host-place "$here/rank_variables.c"
    cp place app-place
    cp place alone
    inners=("env -u LD_LIBRARY_PATH $(tool "$application" RUN mpiexec) -n 2 ./app-place" "env -u LD_LIBRARY_PATH ./alone")
    ! nests || inners+=("$launcher -n 2 ./host-place" "$command run --to $host -n 2 ./place")
    for inner in "${inners[@]}"; do
        echo "$inner"
        "$command" run --to "$host" -n 2 ./place run "$inner > inner 2>&1" > output
        all_told 2 output
        cat inner
        case $inner in
            *alone) grep '^0/1' inner ;;
            *host-place) [ "$(sed -n 's/^\([01]\/2\) .*/\1/p' inner | sort | tr '\n' ' ')" = '0/2 1/2 ' ] ;;
            *) all_told 2 inner ;;
        esac
    done
}

@test "jobs within a rank, of either MPI and adapted, are not misled" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair nested
}

# Programs that start others remove the variables of their own MPI's launcher.
without() {
    local names='PMI_* MPI_LOCAL* HYDI_*'
    [ "$application" = mpich ] || names='OMPI_* PMIX_*'
    cat > without <<END
#!/bin/bash
for names in $names; do
    names=\${names%'*'}
    for name in \$(compgen -v "\$names"); do unset "\$name"; done
done
exec "\$@"
END
    # Python's subprocess and others close what they do not know. A job started then may have descriptors of the same numbers.
    printf '#!/bin/bash\nfor number in {3..40}; do exec {number}<&-; done\nexec "$@"\n' > closed
    chmod +x without closed
}

# Each rank's inner programs print into a file of its own.
alone() {
    local name=PMI_RANK size=PMI_SIZE
    has_a_launcher || return 0
    [ "$application" = mpich ] || name=OMPI_COMM_WORLD_RANK size=OMPI_COMM_WORLD_SIZE
    app_program place "$here/rank_variables.c"
    host_program host-place "$here/rank_variables.c"
    without
    rm -f inner.*
    cat > inners <<END
set -e
timeout 60 ./without ./place
timeout 60 env -u $name -u $size ./place
timeout 60 ./closed ./without ./place within ./place
END
    on_ranks 2 ./place within 'sh inners > inner.$$ 2>&1' > output 2>&1
    cat output inner.*
    all_told 2 output
    [ "$(sed 's|\(^[0-9]*/[0-9]*\).*|\1|' inner.* | tr '\n' ' ')" = '0/1 0/1 0/1 0/1 0/1 0/1 0/1 0/1 ' ]
    [ "$(cat inner.* | grep -cE " ($name=[1-9]|$size=[02-9])")" = 0 ]

    # In jobs within, ranks are told as ever.
    if nests; then
        on_ranks 1 ./place within "./closed ./without $launcher -n 2 ./place > inner 2>&1" > output 2>&1
        cat inner
        all_told 2 inner
    fi
    # Nobody knows whether a wrapper that was started by the launcher wants this. It is told.
    "$command" run --to "$host" -n 2 ./without ./place > output 2> errors
    cat output errors
    [ "$(sort output | cut -d ' ' -f 1 | tr '\n' ' ')" = '0/1 0/1 ' ]
    [ "$(grep -c "starts alone, as $name was removed" errors)" = 2 ]
    "$command" run --to "$host" -n 2 ./place unset > output 2> errors
    [ "$(cut -d ' ' -f 1 output | tr '\n' ' ')" = '0/1 0/1 ' ]
}

@test "a program without the variables of its launcher starts alone" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair alone
}

# A launcher of the application's MPI is told from what we set.
wrong_launcher() {
    has_a_launcher || return 0
    app_program place "$here/rank_variables.c"
    run --separate-stderr env LD_LIBRARY_PATH="$folder" "$(tool "$application" RUN mpiexec)" -n 2 ./place
    echo "$stderr"
    [ "$status" -ne 0 ]
    [[ $stderr == *"each of its 2 processes is rank 0 of 1"* ]]
}

@test "the wrong launcher is told as before" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair wrong_launcher
}

info_of() {
    app_program info "$here/launch_info.c"
    "$command" run --to "$host" -n 2 ./info one two > output
    cat output
}

as_own() {
    has_a_launcher || return 0
    info_of
    OMPI_MCA_rmaps_base_oversubscribe=1 "$(tool "$application" RUN mpiexec)" -n 2 ./info one two > native
    cat native
    # The native launcher may say more, and how many slots there are.
    while read -r line; do
        [[ $line == *=* ]] || continue
        grep -xF "$line" output
    done < <(grep -v '^[01] ompi_' native)
    [ "$(grep -c 'MPI_UNIVERSE_SIZE is there' output)" -ge "$(grep -c 'MPI_UNIVERSE_SIZE is there' native)" ]
    [ "$(grep 'MPI_APPNUM' output | sort)" = "$(grep 'MPI_APPNUM' native | sort)" ]
}

@test "MPI_INFO_ENV, MPI_UNIVERSE_SIZE and MPI_APPNUM are as with the program's own MPI" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair as_own
}

host_names_program() {
    info_of
    [ "$(grep -cE 'start-rank|hydra' output)" = 0 ]
}

@test "the host's own words name the program, and not what starts it" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair host_names_program
}

# A tool of the host's tells how many keys the host's own MPI_INFO_ENV has at the end.
untouched() {
    local keys='int count, initialized; PMPI_Info_get_nkeys(MPI_INFO_ENV, &count); printf("keys %d\n", count);'
    host_program own -x c - <<< "#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) { MPI_Init(&argc, &argv); $keys return MPI_Finalize(); }"
    host_program tool.so -shared -fPIC -x c - <<< "#include <mpi.h>
#include <stdio.h>
int MPI_Finalize(void) { $keys return PMPI_Finalize(); }"
    app_program info "$here/launch_info.c"
    natively 1 ./own > native
    MPI_ADAPTER_HOST_TOOLS=$PWD/tool.so on_ranks 1 ./info > output
    cat native output
    [ "$(grep '^keys ' output)" = "$(cat native)" ]
}

@test "the host's own MPI_INFO_ENV, which some hosts let nobody change, stays as it was" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair untouched
}
