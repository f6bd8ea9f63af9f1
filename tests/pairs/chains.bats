#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# An adapter whose host is an adapter: both isolate and prove it, settings reach the one that they are for, and pairs
# that lead in a circle are refused.

load chains

make_programs() {
    app_program hello "$top/tests/processes/linked/hello.c"
    app_program work "$top/tests/isolation/programs/work.c"
    app_program module.so -shared -fPIC "$top/tests/processes/linked/module.c"
    app_program spawn "$top/tests/processes/spawn.c"
    app_program calls "$top/tests/pairs/trace/calls.c" -pthread
    app_program place "$top/tests/pairs/rank_variables.c"
    app_program counting "$top/tests/tools/work.c"
    app_program tool.so -shared -fPIC "$top/tests/tools/counting.c"
    host_program host-tool.so -shared -fPIC -DTOOL='"host"' "$top/tests/tools/counting.c"
    "$CC" -o loader "$top/tests/processes/linked/loader.c" -ldl
    "$CC" -o late "$here/chains/late.c" -ldl
}

setup_file() {
    load chains
    cd "$BATS_FILE_TMPDIR"
    for_each_chain make_programs > made 2>&1 || { cat made; return 1; }
}

setup() {
    cd "$BATS_FILE_TMPDIR"
    [ -n "$(chains)" ] || skip "no MPI of a chain's both ends"
}

# ---- isolation ----

both_prove() {
    on_stack 2 MPI_ADAPTER_VERBOSE=1 -- ./work "$PWD/file" > output 2> messages
    [ "$(cat output)" = $'right\nright' ]
    for process in $(sed -n 's/^mpi-adapter: process \([0-9]*\): rank [01] of 2$/\1/p' messages | sort -u); do
        grep "^mpi-adapter: process $process:" messages | cut -d: -f3- > block
        cat block
        # The inner one is there first.
        sed -n 's/^ a program for \([a-z]*\) on \([a-z]*\): \([^ ]*\) .*/\1-to-\2 \3/p' block > adapters
        [[ $(sed -n 1p adapters) == "$inner_pair /"*/"$(family_fact "$host" soname)" ]]
        [ "$(sed -n 2p adapters)" = "$pair $inner" ]
        for when in 'at load' 'after initialization'; do
            sed -n "s/^ isolation proved by address $when: none of \([0-9]*\) slots .* leads here\$/\1/p" block > slots
            [ "$(wc -l < slots)" -eq 2 ]
            # The outer one proves it of the inner one, too, and of what that has loaded.
            [ "$(sed -n 1p slots)" -gt 500 ]
            [ "$(sed -n 2p slots)" -gt "$(sed -n 1p slots)" ]
        done
        [ "$(grep -c 'by a call: MPI_Get_library_version was answered by the host' block)" -eq 2 ]
        [ "$(grep -c '^ rank [01] of 2$' block)" -eq 2 ]
    done
    [ -s slots ]
}

@test "both adapters isolate their host, and prove it" {
    for_each_chain both_prove
}

# variant_of PAIR NAME OBJECT...: the pair's library with these objects, in a folder of that name.
variant_of() {
    local outer=$pair name=$2
    use_pair "$1"
    shift 2
    link_variant "$name/$soname" "$name" "$@"
    cp "$folder/pair.conf" "$name"
    use_pair "$outer"
    host=$(host_of "$chain")
}

# leaking_variant PAIR NAME: one that leaves out the slots of the symbols in LEAK.
leaking_variant() {
    local outer=$pair
    use_pair "$1"
    compile_variant "$2" isolate/slots.c gotswap_replace_each=leak_replace_each
    compile_adapter_source "$2/leak.o" "$top/tests/isolation/programs/leak.c"
    use_pair "$outer"
    variant_of "$1" "$2" "$2/leak.o"
}

outer_leak_is_refused() {
    "$CC" -O1 -fPIC -c -o leads.o "$here/chains/leads.c"
    "$CC" -fPIC -x c -c -o nothing.o /dev/null
    variant_of "$inner_pair" same "$PWD/nothing.o"
    variant_of "$inner_pair" leads "$PWD/leads.o"
    path=$folder:$PWD/same
    [ "$(on_stack 1 -- ./work "$PWD/file")" = right ]
    refused env LD_LIBRARY_PATH="$folder:$PWD/leads" ./hello 'echo started'
    [[ $stderr == "mpi-adapter: PMPI_Comm_rank of $PWD/leads/"*" still leads to the adapter; "* ]]
}

@test "an outer adapter to which the inner one's library leads is refused" {
    for_each_chain outer_leak_is_refused
}

inner_leak_is_refused() {
    local symbol
    symbol=$(readelf --relocs --wide "$(host_path)" | sed -nE 's/^.*JU?MP_SLOT? .* (PMPI_[A-Za-z_]+).*$/\1/p' | sort | sed -n 1p)
    leaking_variant "$inner_pair" inner-leak
    path=$folder:$PWD/inner-leak:$inner_folder
    [ "$(on_stack 1 -- ./work "$PWD/file")" = right ]
    refused env LD_BIND_NOW='' LEAK="$symbol" LD_LIBRARY_PATH="$path" ./hello 'echo started'
    [[ $stderr == "mpi-adapter: $symbol of /"*" still leads to the adapter; "* ]]
    # A slot that is bound already tells whose function it has.
    refused env LD_BIND_NOW=1 LEAK="$symbol" LD_LIBRARY_PATH="$path" ./hello 'echo started'
    [[ $stderr == "mpi-adapter: $symbol of /"*" still leads to $folder/$soname; "* ]]
}

@test "an outer adapter to which the inner one's host leads is refused" {
    for_each_chain inner_leak_is_refused
}

loads_late() {
    local words
    for words in '' now global 'now global' close 'now close'; do
        # shellcheck disable=SC2086  # a list of words
        [ "$(stacked ./loader ./module.so "$PWD/file" $words)" = right ]
    done
    for words in '' global; do
        # shellcheck disable=SC2086
        [[ $(stacked ./late "$soname" $words) == 'right '* ]]
        # shellcheck disable=SC2086
        [[ $(stacked ./late "$adapter" $words) == 'right '* ]]
    done
}

@test "a module, or MPI's library itself, that is loaded late" {
    for_each_chain loads_late
}

reloads_plugin() {
    app_program reloading "$here/chains/reloading.c" -ldl
    host_program libreloading.so -shared -fPIC "$here/chains/reloading_host.c" -ldl
    # As Open MPI's plugins, it names no library that it needs.
    host_program plugin.o -c -fPIC "$here/chains/reloaded_plugin.c"
    "$CC" -shared -o plugin.so plugin.o
    [ "$(PLUGIN=$PWD/plugin.so MPI_ADAPTER_HOST_LIBRARY=$inner:$PWD/libreloading.so stacked ./reloading)" = right ]
}

@test "what the innermost host unloads and loads again stays the inner adapter's" {
    for_each_chain reloads_plugin
}

calls_early() {
    app_program libearly.so -shared -fPIC "$top/tests/processes/linked/early.c" -ldl
    "$CC" -o early-program "$top/tests/processes/linked/loader.c" -ldl -Wl,--no-as-needed ./libearly.so -Wl,-rpath,"$PWD"
    [ "$(stacked ./loader ./libearly.so /nonexistent)" = right ]
    [ "$(stacked ./early-program ./libearly.so /nonexistent)" = right ]
}

@test "constructors of the program's libraries run when both adapters are ready" {
    for_each_chain calls_early
}

# ---- which library is whose host ----

# in_circle PAIR...: the pairs' folders, in this order, for a program of the first one's.
in_circle() {
    local folders="" name
    for name; do folders+=:$build/lib/mpi-adapter/$name; done
    use_pair "$1"
    app_program circle "$top/tests/processes/linked/hello.c"
    refused env LD_LIBRARY_PATH="${folders#:}" ./circle
    [[ $stderr == *" belongs to a pair and is not the library of "*", so that pairs lead in a circle; leave one of "* ]]
    refused env LD_PRELOAD="$adapter" LD_LIBRARY_PATH="${folders#:}" ./circle
}

@test "pairs that lead in a circle are refused" {
    in_circle openmpi-to-mpiabi mpiabi-to-openmpi
    in_circle mpich-to-mpiabi mpiabi-to-mpich
    in_circle openmpi-to-mpich mpich-to-openmpi
    in_circle mpich-to-openmpi openmpi-to-mpich
    in_circle openmpi-to-mpiabi mpiabi-to-mpich mpich-to-openmpi
    in_circle mpich-to-mpiabi mpiabi-to-openmpi openmpi-to-mpich
}

# named LIST: the program with this MPI_ADAPTER_HOST_LIBRARY.
named() {
    MPI_ADAPTER_HOST_LIBRARY=$1 stacked ./hello
}

names_libraries() {
    local native
    native=$(host_path)
    # By what the list names alone, with the inner pair in no path.
    path=$folder
    [ "$(named "$inner")" = 'hello 1' ]
    [ "$(named "$inner:$native")" = 'hello 1' ]
    [ "$(named "$inner:${native##*/}")" = 'hello 1' ]
    [ "$(named "$inner:")" = 'hello 1' ]
    # An adapter takes the one after itself, by whatever path it was named.
    mkdir -p elsewhere
    ln -sfn "$inner" elsewhere/named.so
    cp "$native" elsewhere/host.so
    MPI_ADAPTER_VERBOSE=1 named "$PWD/elsewhere/named.so:$PWD/elsewhere/host.so" > output 2> messages
    [ "$(cat output)" = 'hello 1' ]
    grep -qF " on $host: $PWD/elsewhere/host.so (" messages
    path=$folder:$inner_folder
    MPI_ADAPTER_VERBOSE=1 named "${inner##*/}:$PWD/elsewhere/host.so" > output 2> messages
    [ "$(cat output)" = 'hello 1' ]
    grep -qF " on $host: $PWD/elsewhere/host.so (" messages
}

refuses_libraries() {
    local native
    native=$(host_path)
    path=$folder
    refused named "$inner:/nonexistent/library.so"
    [[ $stderr == *MPI_ADAPTER_HOST_LIBRARY*/nonexistent/library.so*"set it to the $host library"* ]]
    refused named "/nonexistent/library.so:$native"
    [[ $stderr == *MPI_ADAPTER_HOST_LIBRARY*/nonexistent/library.so*"set it to the ${pair#*-to-} library"* ]]
    # It is told by what it lacks; newer releases of a family have all that the tables have of this one's.
    if ! nm -D "$native" | grep ' MPI_Buffer_iflush$' > /dev/null; then
        refused named "$native"
        [[ $stderr == *"$native is not a library of ${pair#*-to-}"* ]]
    fi
    refused named "$inner:$inner"
    refused named "$inner:$adapter"
    path=$folder:$inner_folder
    refused named "$adapter"
    [[ $stderr == *"($adapter) names the adapter itself; "* ]]
    refused named "$inner:$adapter"
}

@test "MPI_ADAPTER_HOST_LIBRARY names the host's library of each adapter" {
    for_each_chain names_libraries
}

@test "MPI_ADAPTER_HOST_LIBRARY that names what is not there, or not the host's, is refused" {
    for_each_chain refuses_libraries
}

# ---- what else the environment says ----

traces() {
    host_program native-calls "$top/tests/pairs/trace/calls.c" -pthread -w
    # Open MPI 5.0 spoils its heap, and ends in MPI_Finalize in every second run.
    local runs=1 output
    [[ $(release_here "$host") != 5.0.* ]] || runs=12
    for _ in $(seq "$runs"); do
        output=$(start_ranks "$host" 2 -- ./native-calls "$PWD/mpi-file" 2> native.err) && [ "$output" = worked ] ||
            { echo "# left out $chain: the host's own program ends: $(grep -a -m 1 -i signal native.err)" >&3; return 0; }
    done
    rm -f one.* two-*
    on_stack 2 MPI_ADAPTER_TRACE=one MPI_ADAPTER_STATS=1 -- ./calls "$PWD/mpi-file" > output 2> messages
    [ "$(cat output)" = worked ]
    set -- one.*
    [ $# -eq 2 ]
    # The innermost adapter's, with the names and values of the MPI that does the work.
    [ "$(grep -h '^# ./calls:' one.* | grep -vc ", of ${inner_pair%-to-*}, on /.*/$(family_fact "$host" soname)")" -eq 0 ]
    [ "$(grep -c '^# ./calls' "$1")" -eq 1 ]
    # No line has another one's in it.
    [ "$(grep -vcE '^#|[0-9]>$|<unfinished \.\.\.>$' "$1")" -eq 0 ]
    [ "$(grep -c ') = .*) = ' "$1")" -eq 0 ]
    [ "$(grep -c ' in all$' messages)" -eq 2 ]
    on_stack 2 MPI_ADAPTER_TRACE=two-%a.%r MPI_ADAPTER_STATS=two-counts-%a.%r -- ./calls "$PWD/mpi-file" > output 2> messages
    [ "$(cat output)" = worked ]
    [ "$(printf '%s\n' two-* | sort | tr '\n' ' ')" = "$(printf '%s\n' two-{,counts-}{"$pair","$inner_pair"}.{0,1} | sort | tr '\n' ' ')" ]
    for name in "$pair" "$inner_pair"; do
        grep -q "^# ./calls: process [0-9]*, rank 0, of ${name%-to-*}, on /" "two-$name.0"
        grep -qE 'MPI_Sendrecv\(.*dest=MPI_PROC_NULL, .*source=MPI_PROC_NULL, ' "two-$name.0"
        grep -q ' calls .* MPI_Waitall$' "two-counts-$name.1"
    done
}

@test "one adapter writes traces and counts, or each its own" {
    for_each_chain traces
}

# counted TOOL: both ranks' lines are those of the work.
counted() {
    [ "$(cat output)" = 'worked 2' ] || { cat output messages; return 1; }
    grep -qF "$1 of rank 0: 1 init, 3 sends of 12 bytes, 0 receives, 1 sums, 1 barriers," messages
    grep -qF "$1 of rank 1: 1 init, 0 sends of 0 bytes, 3 receives, 1 sums, 1 barriers," messages
    [ "$(grep -c "^$1 of .* 0 wrong\$" messages)" -eq 2 ]
}

takes_tools() {
    on_stack 2 LD_PRELOAD="$PWD/tool.so" -- ./counting > output 2> messages
    counted tool
    on_stack 2 MPI_ADAPTER_HOST_TOOLS="$PWD/host-tool.so" -- ./counting > output 2> messages
    counted host
    on_stack 2 LD_PRELOAD="$PWD/tool.so" MPI_ADAPTER_HOST_TOOLS="$PWD/host-tool.so" -- ./counting > output 2> messages
    counted tool
    counted host
    refused env LD_PRELOAD="$PWD/host-tool.so" LD_LIBRARY_PATH="$path" ./counting
    [[ $stderr == *"host-tool.so is made for $host but comes before the adapter"* ]]
    refused env MPI_ADAPTER_HOST_TOOLS=/nonexistent/tool.so LD_LIBRARY_PATH="$path" ./counting
}

@test "tools of the program's MPI, and of the innermost host's" {
    for_each_chain takes_tools
}

spawns() {
    local how
    # Some hosts do not spawn on this machine.
    [ "$(CHILDREN_ADAPTED=0 natively_spawned)" = right ] || { echo "# $host does not spawn here" >&3; return 0; }
    for how in '' multiple; do
        # Open MPI 5's launcher crashes.
        [ "$(CHILDREN_ADAPTED=0 natively_spawned $how)" = right ] || { echo "# $host does not spawn $how here" >&3; continue; }
        # shellcheck disable=SC2086  # no word, or one
        [ "$(on_stack 2 -- ./spawn $how ./spawn)" = right ]
    done
    # The same with variables that the ranks have and the launcher does not.
    [ "$(timeout "$TEST_TIMEOUT" "$launcher" -n 2 env LD_LIBRARY_PATH="$path" ./spawn ./spawn)" = right ]
    [ "$(timeout "$TEST_TIMEOUT" "$launcher" -n 2 env LD_LIBRARY_PATH="$folder" \
        MPI_ADAPTER_HOST_LIBRARY="$inner:$(host_path)" ./spawn ./spawn)" = right ]
}

natively_spawned() {
    [ -e native-spawn ] || host_program native-spawn "$top/tests/processes/spawn.c"
    TEST_TIMEOUT=30 start_ranks "$host" 2 -- ./native-spawn "$@" ./native-spawn 2> /dev/null
}

@test "children that a program spawns have both adapters" {
    for_each_chain spawns
}

tells_version() {
    [ "$(MPI_ADAPTER_MPI_VERSION=3.1 stacked ./late "$soname")" = 'right 3' ]
    [ "$(MPI_ADAPTER_MPI_VERSION=4.0 stacked ./late "$soname")" = 'right 4' ]
}

@test "the program is told the version that MPI_ADAPTER_MPI_VERSION says" {
    for_each_chain tells_version
}

wrong_launcher() {
    refused env SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=4 LD_LIBRARY_PATH="$path" ./hello
    [[ $stderr == *"runs on $host but was started by srun, so each of its 4 processes"*"start it with $launcher"* ]]
    [ "$(env MPI_ADAPTER_SINGLETONS=1 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=4 LD_LIBRARY_PATH="$path" ./hello)" = 'hello 1' ]
}

@test "the wrong launcher is named once, with the innermost host's" {
    for_each_chain wrong_launcher
}

runs_by_command() {
    local mine=${pair#*-to-}
    LD_LIBRARY_PATH=$inner_folder timeout "$TEST_TIMEOUT" "$command" run --to "$mine" -n 2 ./hello > output
    [ "$(cat output)" = 'hello 2' ]
}

@test "mpi-adapter run finds a pair in LD_LIBRARY_PATH for a host" {
    for_each_chain runs_by_command
}

@test "HPC Challenge of Debian verifies itself through both adapters" {
    need_commands hpcc
    use_chain openmpi-to-mpiabi-to-mpich
    is_native "$host" || skip "no $host"
    run "$top/tests/demo/check-hpcc" -n 2 "$launcher" -genv LD_LIBRARY_PATH "$path" -n 2
    echo "$output"
    [ "$status" -eq 0 ] && [[ $output == 'hpcc on 2 ranks: verified'* ]]
}

@test "NetPIPE of Debian finds no byte wrong through both adapters" {
    need_commands NPmpich2
    use_chain mpich-to-mpiabi-to-openmpi
    is_native "$host" || skip "no $host"
    cd "$BATS_TEST_TMPDIR"
    # Two processes that answer each other: each turn is long where they share a core.
    TEST_TIMEOUT=600 on_stack 2 -- NPmpich2 -i -u 20000 -n 20 -o np.out > output 2>&1
    [ "$(grep -c 'Integrity check passed' output)" -eq 25 ]
    [ "$(grep -ci 'integrity check failed' output)" -eq 0 ]
}

places() {
    local rank name
    case $application in
        openmpi) name=OMPI_COMM_WORLD_LOCAL_RANK ;;
        mpich) name=MPI_LOCALRANKID ;;
        *) return 0 ;;
    esac
    on_stack 2 -- ./place > output
    cat output
    for rank in 0 1; do
        grep "^$rank/2 .*$name=$rank" output
    done
}

@test "ranks have the variables of the launcher of their own MPI" {
    for_each_chain places
}
