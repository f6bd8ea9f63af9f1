#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Run the programs that use the C++ bindings in one mode.
#
#   run.sh MODE [PROGRAM...]      MODE is a family, a pair or a chain for its programs (tests/families.bash)
#
# A family: compiled for and run on its MPI.  A pair: the same binaries, run on
# its host through the adapter.  By turns each is built as position-independent
# code or not, with LONG=yes or a name both ways: the second way executables hold
# copies of the library's objects, and functions have addresses in the executable's PLT.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
BUILD=$(cd "$top" && realpath -ms "${BUILD:-build}")
. "$top/tests/components.bash"
family=$(family_of "$1")
programs=$BUILD/tests/cxx/$family
: "${TEST_TIMEOUT:=120}"

choose_windows
choose_messages
yield_while_waiting || exit

# compile SOURCE BINARY FLAGS...: unless the binary is newer.
compile() {
    local source=$1 binary=$2 command
    command=$(tool "$family" CXX mpicxx)
    shift 2
    case $source in *.c) command=$(tool "$family" CC mpicc) ;; esac
    if [ "$binary" -nt "$source" ] && [ "$binary" -nt "$here/check.h" ]; then
        return 0
    fi
    mkdir -p "$(dirname "$binary")"
    # shellcheck disable=SC2046
    $command -Wall -Wno-cast-function-type -Wno-deprecated-declarations -g \
        -DTEST_NAME="\"$(basename "${source%.*}")\"" "$@" "$source" -o "$binary.new" $(directive "$source" libs) &&
        mv "$binary.new" "$binary"
}

launch() {
    local settings
    mapfile -t settings < <(paths_of "$1")
    start_ranks "$(host_of "$1")" "$2" "${settings[@]}" -- "$3"
}

# run_binary MODE SOURCE BINARY: on every number of ranks it asks for.
run_binary() {
    local mode=$1 source=$2 ranks output code work
    export TEST_PROGRAM=$3
    has_ranks "$source" || return
    work=$(mktemp -d)
    for ranks in $(directive "$source" ranks); do
        output=$(cd "$work" && launch "$mode" "$ranks" "$3" 2> "$work/stderr")
        code=$?
        if [ $code -ne 0 ] || [ "$(grep -c '^ok ' <<< "$output")" = 0 ]; then
            echo "FAIL $mode ${3#"$programs"/} on $ranks ranks: exit code $code, stdout '$output'"
            head -n 60 "$work/stderr"
            rm -rf "$work"
            return 1
        fi
        echo "ok   $mode ${3#"$programs"/} on $ranks ranks"
    done
    rm -rf "$work"
}

# run_program MODE SOURCE WAY...
declare -A flags=([pie]='-O0 -fPIE -pie' [fixed]='-O0 -fno-pie -no-pie')
run_program() {
    local mode=$1 source=$2 ways=("${@:3}") way name binary plugin
    name=${source##*/} name=${name%.*}
    case " $(directive "$source" modes) " in "  " | *" $mode "*) ;; *) return 0 ;; esac
    plugin=$(directive "$source" plugin)
    binary=$programs/$name
    [ -z "$plugin" ] || compile "$here/plugin/$plugin.cc" "$programs/$plugin.so" -shared -fPIC || return 1
    export TEST_PLUGIN=$programs/$plugin.so
    for way in "${ways[@]}"; do
        # shellcheck disable=SC2086  # flags are words
        compile "$source" "$binary.$way" ${flags[$way]} || { echo "FAIL $mode $name: does not compile"; return 1; }
        run_binary "$mode" "$source" "$binary.$way" || return
    done
}

main() {
    local mode=$1 failed=() number=0 turns=(pie fixed) ways source name sources=()
    shift
    [ $# -eq 0 ] && [ -z "${LONG-}" ] || turns=('pie fixed')
    for name in "$@"; do sources+=("$here/$name".c*); done
    [ $# -gt 0 ] || sources=("$here"/*.c "$here"/*.cc)
    for source in "${sources[@]}"; do
        # By turns, unless programs are named or LONG=yes wants all.
        read -ra ways <<< "${turns[number++ % ${#turns[@]}]}"
        run_program "$mode" "$source" "${ways[@]}" || failed+=("$(basename "${source%.*}")")
    done
    conclude "$mode" ${#sources[@]} "${failed[@]}"
}

main "$@"
