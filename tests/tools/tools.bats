#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Profiling tools of either ABI, and the host's own bindings for Fortran, in adapted programs of both
# directions.

bats_require_minimum_version 1.5.0

common() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    here=$top/tests/tools
    build=$(cd "${BUILD:-$top/build}" && pwd)
    CC=${CC:-gcc}
    pairs=(openmpi-to-mpich mpich-to-openmpi)
    unset MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_HOST_TOOLS MPI_ADAPTER_VERBOSE MPI_ADAPTER_TRACE LD_PRELOAD LD_LIBRARY_PATH
    . "$top/tests/components.bash"
    : "${TEST_TIMEOUT:=60}"
}

# compile FAMILY OUTPUT ARGUMENT...
compile() {
    local family=$1 output=$2
    shift 2
    OMPI_CC=$CC MPICH_CC=$CC "mpicc.$family" -O1 -g -Wall -Wno-stringop-overflow -o "$output" "$@"
}

setup_file() {
    common
    cd "$BATS_FILE_TMPDIR"
    for family in openmpi mpich; do
        compile $family work.$family "$here/work.c"
        compile $family lib$family-tool.so -shared -fPIC "$here/counting.c"
        compile $family lib$family-second.so -shared -fPIC -DTOOL='"second"' "$here/counting.c"
        compile $family native.$family "$here/native.c" -I"$top/gotswap" -L"$build/gotswap" -lgotswap \
            -Wl,-rpath,"$build/gotswap" -ldl
        # A tool that finds what it wraps by dlsym().
        compile $family lib$family-next.so -shared -fPIC "$here/next.c" -ldl
    done
}

setup() {
    common
    cd "$BATS_FILE_TMPDIR"
}

application() { echo "${1%-to-*}"; }
host() { echo "${1#*-to-}"; }

# on_ranks PAIR RANKS VARIABLE=VALUE... COMMAND...: adapted, the variables only for the ranks.
on_ranks() {
    local folder=$build/lib/mpi-adapter/$1 ranks=$2 host settings=() option=-x
    host=$(host "$1")
    shift 2
    set -- LD_LIBRARY_PATH="$folder" "$@"
    while [[ $1 == *=* ]]; do
        if [ "$host" = mpich ]; then settings+=(-genv "${1%%=*}" "${1#*=}"); else settings+=(-x "$1"); fi
        shift
    done
    timeout 60 "mpiexec.$host" "${settings[@]}" -n "$ranks" "$@" > output 2> messages
}

# counted TOOL: both ranks' lines are those of the work; a tool of the host's sees what the adapter asks too.
counted() {
    [ "$(cat output)" = 'worked 2' ] || { cat output messages; return 1; }
    for line in "0: 1 init, 3 sends of 12 bytes, 0 receives, 1 sums, 1 barriers, 4 ranks, 0 wrong" \
        "1: 1 init, 0 sends of 0 bytes, 3 receives, 1 sums, 1 barriers, 1 ranks, 0 wrong"; do
        grep -qxF "$1 of rank $line" messages || { echo "no line of rank $line in:"; cat messages; return 1; }
    done
}

@test "a preloaded tool of the application's ABI counts the program's calls" {
    for pair in "${pairs[@]}"; do
        on_ranks $pair 2 LD_PRELOAD="$PWD/lib$(application $pair)-tool.so" ./work.$(application $pair)
        counted tool
    done
}

@test "a tool of the host's ABI counts the calls that the host gets" {
    for pair in "${pairs[@]}"; do
        on_ranks $pair 2 MPI_ADAPTER_HOST_TOOLS="$PWD/lib$(host $pair)-tool.so" ./work.$(application $pair)
        counted tool
    done
}

@test "both at once, and with a trace" {
    for pair in "${pairs[@]}"; do
        rm -f trace.*
        on_ranks $pair 2 MPI_ADAPTER_HOST_TOOLS="$PWD/lib$(host $pair)-second.so" MPI_ADAPTER_TRACE=trace.%r \
            LD_PRELOAD="$PWD/lib$(application $pair)-tool.so" ./work.$(application $pair)
        grep -q '^tool of rank 0: 1 init, 3 sends of 12 bytes, .* 0 wrong$' messages
        grep -q '^second of rank 0: 1 init, 3 sends of 12 bytes, .* 0 wrong$' messages
        [ "$(grep -c ' MPI_Send(' trace.0)" -eq 3 ]
    done
}

@test "of two tools of the host's ABI the first is called" {
    for pair in "${pairs[@]}"; do
        on_ranks $pair 2 MPI_ADAPTER_HOST_TOOLS="$PWD/lib$(host $pair)-second.so::$PWD/lib$(host $pair)-tool.so" \
            ./work.$(application $pair)
        counted second
        [ "$(grep -c '^tool of' messages)" -eq 0 ]
    done
}

@test "a tool that finds what it wraps by dlsym()" {
    for pair in "${pairs[@]}"; do
        on_ranks $pair 2 MPI_ADAPTER_HOST_TOOLS="$PWD/lib$(host $pair)-next.so" ./work.$(application $pair)
        [ "$(cat output)" = 'worked 2' ]
        [ "$(grep -c '^next: 3 sends$' messages)" -eq 1 ]
        [ "$(grep -c '^next: 0 sends$' messages)" -eq 1 ]
    done
}

# refused PAIR VARIABLE=VALUE...: the program stops before it does anything, with one line.
refused() {
    local pair=$1
    shift
    run --separate-stderr env "$@" LD_LIBRARY_PATH="$build/lib/mpi-adapter/$pair" ./work.$(application $pair)
    [ "$status" -eq 1 ] && [ -z "$output" ] || { echo "status $status, output $output $stderr"; return 1; }
    [[ $stderr != *$'\n'* && $stderr == 'mpi-adapter: '*'; '* ]] || { echo "$stderr"; return 1; }
}

@test "what is preloaded for the host and would be called in its place is refused" {
    for pair in "${pairs[@]}"; do
        refused $pair LD_PRELOAD="$PWD/lib$(host $pair)-tool.so"
        [[ $stderr == *"lib$(host $pair)-tool.so is made for $(host $pair) but comes before the adapter"* ]]
        library=libmpi.so.40
        [ "$(host $pair)" = openmpi ] || library=libmpich.so.12
        refused $pair LD_PRELOAD=$library
        [[ $stderr == *"$library is made for $(host $pair) but comes before the adapter"* ]]
    done
}

@test "preloaded behind the adapter, a tool of the host's ABI is taken for one" {
    for pair in "${pairs[@]}"; do
        adapter=$build/lib/mpi-adapter/$pair/libmpi.so.40
        [ -e "$adapter" ] || adapter=$build/lib/mpi-adapter/$pair/libmpich.so.12
        on_ranks $pair 2 LD_PRELOAD="$adapter:$PWD/lib$(host $pair)-tool.so" ./work.$(application $pair)
        counted tool
    done
}

# A copy of MPICH's library that calls itself otherwise, as vendors' do, and a tool that needs it by that name.
@test "the same where the host's library has a vendor's name" {
    mkdir -p vendor
    library=$(ldconfig -p | awk '$1 == "libmpich.so.12" && !seen { print $NF; seen = 1 }')
    sed 's/libmpich[.]so[.]12/libmpivn.so.12/g' "$library" > vendor/libmpivn.so.12
    sed 's/libmpich[.]so[.]12/libmpivn.so.12/g' libmpich-tool.so > libvendor-tool.so
    pair=openmpi-to-mpich
    folder=$build/lib/mpi-adapter/$pair
    on_ranks $pair 2 LD_LIBRARY_PATH="$folder:$PWD/vendor" MPI_ADAPTER_HOST_LIBRARY="$PWD/vendor/libmpivn.so.12" \
        LD_PRELOAD="$folder/libmpi.so.40:$PWD/libvendor-tool.so" ./work.openmpi
    counted tool
}

@test "tools that cannot be loaded, or are the application's, are refused" {
    for pair in "${pairs[@]}"; do
        refused $pair MPI_ADAPTER_HOST_TOOLS=/nonexistent/tool.so
        [[ $stderr == *MPI_ADAPTER_HOST_TOOLS*/nonexistent/tool.so* ]]
        refused $pair MPI_ADAPTER_HOST_TOOLS="$PWD/lib$(application $pair)-tool.so"
        [[ $stderr == *"is made for $(application $pair), not for $(host $pair); preload it instead" ]]
    done
}

@test "mpi-adapter run hands a tool of the host's on" {
    MPI_ADAPTER_HOST_TOOLS=$PWD/libmpich-tool.so timeout 60 "$build/bin/mpi-adapter" run -n 2 --to mpich ./work.openmpi > output 2> messages
    counted tool
}

@test "a tool for a third MPI is refused by mpi-adapter run" {
    local tool
    "$build/bin/mpicc_abi" -O1 -w -o work.mpiabi "$here/work.c"
    for tool in "$PWD/libmpich-tool.so" libmpich-tool.so; do
        run --separate-stderr timeout 60 env LD_LIBRARY_PATH="$PWD" LD_PRELOAD="$tool" "$build/bin/mpi-adapter" run -n 2 --to openmpi ./work.mpiabi
        [ "$status" -eq 1 ] || { echo "$tool: $status $output $stderr"; return 1; }
        [ -z "$output" ]
        [[ $stderr == "mpi-adapter: $PWD/libmpich-tool.so, which is preloaded, was compiled for MPICH, and would take calls of "*"work.mpiabi, which was compiled for the MPI-5.0 standard ABI; preload one that was compiled for the MPI-5.0 standard ABI" ]] ||
            { echo "$stderr"; return 1; }
    done
    # One for the program's MPI.
    timeout 60 env LD_PRELOAD="$PWD/libopenmpi-tool.so" "$build/bin/mpi-adapter" run -n 2 --to mpich ./work.openmpi > output 2> messages
    counted tool
}

@test "MPI_ADAPTER_VERBOSE names the tools" {
    on_ranks openmpi-to-mpich 2 MPI_ADAPTER_HOST_TOOLS="$PWD/libmpich-tool.so" MPI_ADAPTER_VERBOSE=1 ./work.openmpi
    [ "$(grep -c "^mpi-adapter: process [0-9]*:   calls go through the tool $PWD/libmpich-tool.so$" messages)" -eq 2 ]
}

@test "the host's bindings for Fortran call the host, however they come" {
    local folder=$build/lib/mpi-adapter
    for how in loaded late; do
        [ "$(LD_LIBRARY_PATH=$folder/openmpi-to-mpich ./native.openmpi libmpich.so $((0x44000000)) $how libmpichfort.so.12)" = right ]
        [ "$(LD_LIBRARY_PATH=$folder/mpich-to-openmpi ./native.mpich libmpi.so.40 0 $how libmpi_mpifh.so.40)" = right ]
    done
    [ "$(LD_PRELOAD=libmpichfort.so.12 LD_LIBRARY_PATH=$folder/openmpi-to-mpich \
        ./native.openmpi libmpich.so $((0x44000000)) preloaded)" = right ]
    [ "$(LD_PRELOAD=libmpi_mpifh.so.40 LD_LIBRARY_PATH=$folder/mpich-to-openmpi ./native.mpich libmpi.so.40 0 preloaded)" = right ]
}

@test "a packaged tool: EZTrace, for either ABI" {
    command -v otf2-print > /dev/null && [ -e "$("$CC" -print-file-name=libeztrace-mpich.so)" ] || skip "no eztrace, or no otf2-print"
    for family in openmpi mpich; do
        start_ranks $family 2 LD_PRELOAD=libeztrace-$family.so EZTRACE_TRACE_DIR="$PWD/natively" -- ./work.$family > native 2>&1 ||
            skip "EZTrace aborts natively: $(grep -a -m 1 -i eztrace native)"
    done
    for pair in "${pairs[@]}"; do
        for how in "LD_PRELOAD=libeztrace-$(application $pair).so" "MPI_ADAPTER_HOST_TOOLS=libeztrace-$(host $pair).so"; do
            rm -rf traces
            on_ranks $pair 2 "$how" EZTRACE_TRACE_DIR="$PWD/traces" ./work.$(application $pair)
            grep -qx 'worked 2' output
            otf2-print "$(find traces -name eztrace_log.otf2)" > events
            for event in '3 MPI_SEND' '3 MPI_RECV' '2 ENTER.*Region: "MPI_Barrier"' '2 ENTER.*Region: "MPI_Allreduce"'; do
                [ "$(grep -cE "^${event#* }" events)" -eq "${event%% *}" ] || { echo "$how: not $event"; cat events; return 1; }
            done
        done
    done
}
