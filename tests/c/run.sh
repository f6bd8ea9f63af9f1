#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Run the C test programs in one mode.
#
#   run.sh MODE [PROGRAM...]              MODE is a family, a pair or a chain of them (tests/families.bash)
#   run.sh MODE --by-turns [PROGRAM...]   of these, the programs whose turn it is (has_turn there)
#   run.sh MODE --known [PROGRAM...]      runs each check that is listed as a known fault, which has to fail
#
# With FAULTS_OF=MODE, the checks are left out that are listed for that mode.
#
# A family: compiled for and run on that MPI.  A pair: the very binary of its
# application's family, run on its host through the adapter.  Programs are
# named by their source, without folder and suffix; without names, all of them
# run, or with UNTIL_FAILED=yes, up to the first that fails.  Prints one line
# for each run; a failure also prints its stderr.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
BUILD=$(cd "$top" && realpath -ms "${BUILD:-build}")
programs=$BUILD/tests/c
. "$top/tests/components.bash"
: "${TEST_TIMEOUT:=120}"

choose_windows
choose_messages
yield_while_waiting || exit

# Finds the host's known faults, by its release: checks for the programs' known_fault(), and programs that it cannot run.
know_host() {
    local mode=$1 release
    release=$(release_here "$(host_of "$mode")")
    faults=$("$top/tests/releases/faults.py" here "$here/known-faults.tsv" "${FAULTS_OF:-$mode}" "$release" c) || return
    gaps=$("$top/tests/releases/faults.py" programs "$top/tests/releases/gaps.tsv" "$mode" \
        "$(release_here "$(family_of "$mode")")" "$release" c)
}
# But not the one that is judged.
known_faults() {
    local program check
    while read -r program check _; do
        [ "$program" != "$1" ] || [ "$check" = "$judged" ] || printf '%s ' "$check"
    done <<< "$faults"
}
known_gap() {
    local program why
    while read -r program why; do
        [ "$program" != "$1" ] || { echo "$why"; return; }
    done <<< "$gaps"
}

# The machine may have no MPI of the family, or one without MPI-4. Releases of Open MPI up to now have no MPI-4 for all that is tried: programs of that are for the adapter.
has_mpi4() { [ "$1" != openmpi ]; }

# The compiler command for a family, and what the end of it needs; FAMILY.tables stands for the header that the
# tables give, and the library of the family's first pair.
compiler() {
    case $1 in
        *.tables) echo "${CC:-cc} -I $BUILD/include/${1%.tables}" ;;
        *) tool "$1" CC mpicc ;;
    esac
}
libraries() {
    case $1 in
        *.tables) echo "-L $BUILD/lib/mpi-adapter/$(pair_modes | grep "^${1%.tables}-to-" | sed -n 1p) -l:$(family_fact "${1%.tables}" soname)" ;;
    esac
}

# compile FAMILY SOURCE BINARY FLAGS...: unless the binary is newer.
compile() {
    local family=$1 source=$2 binary=$3
    shift 3
    if [ "$binary" -nt "$source" ] && [ "$binary" -nt "$here/check.h" ]; then
        return 0
    fi
    mkdir -p "$(dirname "$binary")"
    # shellcheck disable=SC2046,SC2086  # commands and directives are lists of words
    $(compiler "$family") -std=gnu11 -O0 -g1 -Wall -Wextra -Wno-deprecated-declarations \
        -Wno-unused-parameter -Wno-cast-function-type -Wno-stringop-overflow -Wno-stringop-overread \
        -I "$here" "$@" "$source" -o "$binary.new" \
        $(libraries "$family") $(directive "$source" libs) && mv "$binary.new" "$binary"
}

# The same program as C++, without the removed C++ bindings.
compile_cxx() {
    local family=${1%.tables} source=$2 binary=$3
    if [ "$binary" -nt "$source" ] && [ "$binary" -nt "$here/check.h" ]; then
        return 0
    fi
    # shellcheck disable=SC2046  # a command and a directive are lists of words
    $(tool "$family" CXX mpicxx) -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -O0 -g1 -Wno-deprecated-declarations \
        -I "$here" -x c++ "$source" -o "$binary.new" $(directive "$source" libs) &&
        mv "$binary.new" "$binary"
}

# Run a binary on N ranks in one mode; PRELOAD reaches only the ranks. RUNNER stands ahead of each: valgrind.
launch() {
    local mode=$1 ranks=$2 binary=$3 preload=${4:-} settings=()
    mapfile -t settings < <(paths_of "$mode")
    [ -z "$preload" ] || settings+=("LD_PRELOAD=$preload")
    # shellcheck disable=SC2086  # a list of words
    start_ranks "$(host_of "$mode")" "$ranks" "${settings[@]}" -- ${RUNNER-} "$binary"
}

# run_binary MODE LABEL BINARY SOURCE [PRELOAD]: on every number of ranks it asks for.
run_binary() {
    local mode=$1 label=$2 binary=$3 source=$4 preload=${5:-} name ranks code output work
    local want_code want_output
    name=${source##*/} name=${name%.c}
    want_code=$(directive "$source" exit) want_output="ok $name"
    [ -z "$want_code" ] || want_output=
    has_ranks "$source" || return
    work=$(mktemp -d)
    export MPI_TEST_DIR=$work
    [ -z "$(directive "$source" components)" ] || local -x OMPI_MCA_pml= UCX_TLS=all
    for ranks in $(directive "$source" ranks); do
        while_losing "$want_code" while_hanging "$(directive "$source" hangs)" "$(host_of "$mode")" \
            within "$work" launch "$mode" "$ranks" "$binary" "$preload"
        code=$? output=$(cat "$work/stdout")
        # A program that aborts leaves the launcher's farewell on stdout.
        [ -z "$want_code" ] || output=
        if [ "$code" -ne "${want_code:-0}" ] || [ "$output" != "$want_output" ]; then
            echo "FAIL $mode $label on $ranks ranks: exit code $code, stdout '$output'"
            head -n 60 "$work/stderr"
            rm -rf "$work"
            return 1
        fi
        echo "ok   $mode $label on $ranks ranks${MPI_TEST_SKIP:+ (known host faults not checked: $MPI_TEST_SKIP)}"
    done
    rm -rf "$work"
}

# The variants of a program: the same source, compiled with other flags.
run_variants() {
    local mode=$1 family=$2 source=$3 binary=$4 name=$5 variants flags number=0 failed=0
    IFS='|' read -ra variants < <(directive "$source" variants)
    for flags in "${variants[@]}"; do
        number=$((number + 1))
        # shellcheck disable=SC2086
        compile "$family" "$source" "$binary.$number" $flags &&
            run_binary "$mode" "$name ($flags)" "$binary.$number" "$source" || failed=1
    done
    if [ $number -gt 0 ]; then
        compile_cxx "$family" "$source" "$binary.cxx" &&
            run_binary "$mode" "$name (C++)" "$binary.cxx" "$source" || failed=1
    fi
    return $failed
}

# One program in one mode, with its variants and what it wants preloaded.
run_program() {
    local mode=$1 source=$2 name family binary tool preload=
    name=${source##*/} family=$(family_of "$mode")
    name=${name%.c}
    case " $(directive "$source" families) " in
        "  " | *" $family "*) ;;
        *) echo "ok   $mode $name: not for programs of $family"; return ;;
    esac
    if [ -n "$(known_gap "$name")" ]; then
        echo "left out $mode $name: $(known_gap "$name")"
        return
    fi
    case $source in */mpi4/*) has_mpi4 "$family" || family=$family.tables ;; esac
    has_compiler "${family%.tables}" || family=${family%.tables}.tables
    binary=$programs/$family/$name
    # shellcheck disable=SC2046
    compile "$family" "$source" "$binary" $(directive "$source" cflags) ||
        { echo "FAIL $mode $name: does not compile"; return 1; }
    tool=$(directive "$source" preload)
    if [ -n "$tool" ]; then
        preload=$programs/$family/lib$tool.so
        compile "$family" "$here/preload/$tool.c" "$preload" -shared -fPIC || return 1
    fi
    MPI_TEST_PLUGIN=$(directive "$source" plugin)
    if [ -n "$MPI_TEST_PLUGIN" ]; then
        compile "$family" "$here/plugin/$MPI_TEST_PLUGIN.c" "$programs/$family/$MPI_TEST_PLUGIN.so" -shared -fPIC || return 1
        MPI_TEST_PLUGIN=$programs/$family/$MPI_TEST_PLUGIN.so
    fi
    MPI_TEST_SKIP=$(known_faults "$name")
    export MPI_TEST_SKIP MPI_TEST_PLUGIN
    run_binary "$mode" "$name" "$binary" "$source" "$preload" && [ -z "$judged" ] || return
    run_variants "$mode" "$family" "$source" "$binary" "$name"
}

source_of() { if [ -f "$here/$1.c" ]; then echo "$here/$1.c"; else echo "$here/mpi4/$1.c"; fi; }

# is_judged_natively HOST PROGRAM CHECK: does the host's own program make the check?
is_judged_natively() {
    local source families
    source=$(source_of "$2") families=" $(directive "$(source_of "$2")" families) "
    case $source in */mpi4/*) has_mpi4 "$1" || return 1 ;; esac
    [[ $families == '  ' || $families == *" $1 "* ]] && grep -q "^$2 $3 " <<< "$native_faults"
}

# judge MODE PROGRAM CHECK HOW: a check that is listed fails, or the list is wrong. A program that hangs says nothing.
judge() {
    local mode=$1 name=$2 judged=$3 what="$1 $2: $3" said
    [ "$4" = fails ] || { echo "not run $what ($4)"; return; }
    said=$(run_program "$mode" "$(source_of "$name")")
    case $said in
    *"FAIL $mode $name on "*" ranks: exit code 124,"*) echo "no verdict $what, which took too long" ;;
    *"FAIL $mode $name on "*) echo "fails $what, as it is listed" ;;
    *FAIL*) echo "$said"; return 1 ;;
    'left out '*) echo "left out $what, with all of the program" ;;
    *': not for programs of '*) echo "not run $what, which is not for such programs" ;;
    *) echo "FAIL $what passes; take $(release_here "$(host_of "$mode")") from its releases in known-faults.tsv"; return 1 ;;
    esac
}

# judge_all MODE [PROGRAM...]: what no native mode can judge is judged through each pair.
judge_all() {
    local mode=$1 host program check how failed=0
    host=$(host_of "$mode")
    native_faults=$("$top/tests/releases/faults.py" here "$here/known-faults.tsv" "$host" "$(release_here "$host")" c)
    while read -r program check how; do
        [[ -n $program && ( $# -eq 1 || " ${*:2} " == *" $program "* ) ]] || continue
        [ "$mode" = "$host" ] || ! is_judged_natively "$host" "$program" "$check" || continue
        judge "$mode" "$program" "$check" "$how" < /dev/null || failed=1
    done <<< "$faults"
    return $failed
}

main() {
    local mode=$1 number=0 turns=() failed=() sources source name judged=
    shift
    is_mode "$mode" || { echo "run.sh: no mode '$mode'" >&2; return 2; }
    know_host "$mode" || return 2
    if [ "${1-}" = --known ]; then
        judge_all "$mode" "${@:2}"
        return
    fi
    if [ "${1-}" = --by-turns ]; then
        read -ra turns < <(turns_of "$mode")
        shift
    fi
    if [ $# -gt 0 ]; then
        sources=()
        for name in "$@"; do sources+=("$(source_of "$name")"); done
    else
        sources=("$here"/*.c)
        [ "$mode" = "$(family_of "$mode")" ] && ! has_mpi4 "$mode" || sources+=("$here"/mpi4/*.c)
    fi
    echo "left out $mode: $(grep -c . <<< "$faults") checks, as known faults of this release"
    for source in "${sources[@]}"; do
        number=$((number + 1))
        has_turn "$mode" "$number" "$(directive "$source" families)" "${turns[@]}" || continue
        run_program "$mode" "$source" || failed+=("$(basename "$source" .c)")
        [ ${#failed[@]} -eq 0 ] || [ -z "${UNTIL_FAILED-}" ] || break
    done
    conclude "$mode" ${#sources[@]} "${failed[@]}"
}

main "$@"
