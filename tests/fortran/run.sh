#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Run the Fortran test programs in one mode.
#
#   run.sh MODE [PROGRAM[.INTERFACE]...]              MODE is a family, a pair or a chain of them (tests/families.bash)
#   run.sh MODE --by-turns [PROGRAM[.INTERFACE]...]   of these, those whose turn it is (has_turn there)
#   run.sh FAMILY --known [PROGRAM...]                runs each check that is listed as a known fault, which has to fail
#
# With FAULTS_OF=MODE, the checks are left out that are listed for that mode. With HOST_LINES=no, lines that start with "host" are
# not compared: where the host's own programs cannot run.
#
# A family: compiled for and run on that MPI.  A pair: the very binaries of its application's family,
# run on its host through the adapter.  INTERFACE is 77 (mpif.h), 90 (use mpi) or 2008 (use mpi_f08);
# without it a program runs in all that it serves.  What a program prints through the adapter beside its verdict must be
# what it prints natively; lines that start with "host" what the host's own program prints.  JOBS
# programs run at a time; with UNTIL_FAILED=yes, none begins after one that fails.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
BUILD=$(cd "$top" && realpath -ms "${BUILD:-build}")
programs=$BUILD/tests/fortran
. "$top/tests/components.bash"
: "${TEST_TIMEOUT:=120}" "${JOBS:=2}"
export BUILD

choose_windows
choose_messages
yield_while_waiting || exit

# know MODE: writes the known faults of its host for each interface, by the releases that are here: checks for known_fault(), those of
# its C library everywhere and those of its Fortran libraries if they are used; and programs that it cannot run.
know() {
    local mode=$1 own host interface folder=$programs/known/$1
    own=$(release_here "$(family_of "$mode")") host=$(release_here "$(host_of "$mode")")
    mkdir -p "$folder" && for interface in 77 90 2008; do
        "$top/tests/releases/faults.py" here "$here/known-faults.tsv" "${FAULTS_OF:-$mode}" "$host" $interface > "$folder/$interface.faults.$$" &&
            "$top/tests/releases/faults.py" programs "$top/tests/releases/gaps.tsv" "$mode" "$own" "$host" $interface > "$folder/$interface.gaps.$$" &&
            mv "$folder/$interface.faults.$$" "$folder/$interface.faults" && mv "$folder/$interface.gaps.$$" "$folder/$interface.gaps" || return
    done
}

# Both print what know has written, of a MODE, PROGRAM and INTERFACE: checks, but for the one that is judged, and why a program is left out.
known_faults() {
    awk -v program="$2" -v judged="${judged-}" '$1 == program && $2 != judged { printf "%s ", $2 }' "$programs/known/$1/$3.faults"
}
known_gap() {
    awk -v program="$2" '$1 == program && !found { found = 1; sub(/^[^ ]+ /, ""); print }' "$programs/known/$1/$3.gaps"
}

# know_compiler FAMILY: writes what the compiler of its programs with mpi_f08 has to be given.
know_compiler() {
    local file=$programs/$1/without_sync_reg
    without_sync_reg "$(tool "$1" FORT mpifort)" > "$file.$$" && mv "$file.$$" "$file"
}

# compile FAMILY PROGRAM INTERFACE FOLDER: unless what is there is newer.
compile() {
    local family=$1 source=$here/$2.F90 interface=$3 folder=$4 fort cc with objects=() define=()
    fresh "$folder/program" "$source" && return 0
    with=$(directive "$source" with)
    fort=$(tool "$family" FORT mpifort) cc=$(tool "$family" CC mpicc) define=("-D${family^^}")
    [ "$interface" != 2008 ] || define+=($(< "$programs/$family/without_sync_reg"))
    mkdir -p "$folder"
    if [ -n "$with" ]; then
        $cc -O1 -g -Wall -DINTERFACE="$interface" "${define[@]}" -c "$here/$with" -o "$folder/with.o" || return 1
        objects=("$folder/with.o")
    fi
    # One type's buffers after another's are passed to the procedures of mpif.h; nested procedures
    # are passed as callbacks, which takes an executable stack.
    $fort -cpp -O0 -g -w -ffree-line-length-none -fallow-argument-mismatch -fcray-pointer -DINTERFACE="$interface" \
        "${define[@]}" -I "$here" -J "$folder" "$source" "${objects[@]}" -o "$folder/program.new" -Wl,--no-warn-execstack &&
        mv "$folder/program.new" "$folder/program"
}

# launch MODE RANKS BINARY
launch() {
    local settings
    mapfile -t settings < <(paths_of "$1")
    start_ranks "$(host_of "$1")" "$2" "${settings[@]}" -- "$3"
}

# Lines that all implementations print alike, and lines that only the host prints.
common() { grep -v '^host ' "$1" | sed 's/: [0-9]* checks$//'; }
own() { grep '^host ' "$1"; }

# fresh FILE SOURCE: was it made after the last change of what it was made from?
fresh() {
    local with source
    with=$(directive "$2" with)
    for source in "$2" "$here/check.h" ${with:+"$here/$with"}; do
        [ "$1" -nt "$source" ] || return 1
    done
}

# Prints the output that a mode's is compared with: the native program's, or the host's if the program's own MPI is not here.
native_of() {
    local family
    family=$(family_of "$1")
    is_native "$family" && echo "$family" || host_of "$1"
}

# like_native FILTER FAMILY MODE LABEL: what FILTER leaves of the mode's output is what it leaves of the native one's,
# unless the program does not run there.
like_native() {
    [ -z "$(known_gap "$2" "${4%.*}" "${4##*.}")" ] || return 0
    fresh "$programs/output/$2/$4" "$here/${4%.*}.F90" || one "$2" "${4%.*}" "${4##*.}" || return 1
    diff <("$1" "$programs/output/$2/$4") <("$1" "$programs/output/$3/$4")
}

# one MODE PROGRAM INTERFACE: compiles, runs, compares; says what became of it in one line.
one() {
    local mode=$1 program=$2 interface=$3 label=$2.$3 folder work output code ranks difference gap
    gap=$(known_gap "$mode" "$program" "$interface")
    [ -z "$gap" ] || { echo "left out $mode $label: $gap"; return; }
    folder=$programs/$(family_of "$mode")/$label
    compile "$(family_of "$mode")" "$program" "$interface" "$folder" >"$folder.log" 2>&1 || {
        echo "FAIL $mode $label: does not compile"
        head -n 20 "$folder.log"
        return 1
    }
    work=$(mktemp -d)
    output=$programs/output/$mode/$label
    ranks=$(directive "$here/$program.F90" ranks)
    MPI_TEST_SKIP=$(known_faults "$mode" "$program" "$interface")
    export MPI_TEST_SKIP MPI_TEST_DIR=$work
    rm -f "$output"
    while_hanging "$(directive "$here/$program.F90" hangs)" "$(host_of "$mode")" \
        within "$work" launch "$mode" "$ranks" "$folder/program"
    code=$?
    if [ $code -ne 0 ] || ! grep -q "^ok $program: [1-9][0-9]* checks\$" "$work/stdout"; then
        echo "FAIL $mode $label on $ranks ranks: exit code $code, stdout '$(head -c 400 "$work/stdout")'"
        head -n 40 "$work/stderr"
        rm -rf "$work"
        return 1
    fi
    cp "$work/stdout" "$output"
    rm -rf "$work"
    if [ "$(family_of "$mode")" != "$(host_of "$mode")" ] && [ "$(wc -l < "$output")" -gt 1 ] && ! difference=$(
        like_native common "$(native_of "$mode")" "$mode" "$label" 2>&1 &&
            { [ "${HOST_LINES-}" = no ] || like_native own "$(host_of "$mode")" "$mode" "$label" 2>&1; }); then
        echo "FAIL $mode $label prints something else than natively:"
        echo "$difference"
        return 1
    fi
    echo "ok   $mode $label on $ranks ranks, $(sed -n 's/^ok .*: //p' "$output")${MPI_TEST_SKIP:+ (known host faults not checked: $MPI_TEST_SKIP)}"
}

# Prints the programs to run, a "PROGRAM INTERFACE" a line. mpif.h and the module mpi lead to the same procedures: where no program is
# named, those that serve both do it by turns, unless LONG=yes wants all.
chosen() {
    local source program interface number=0 turns=('77 90 2008') all
    if [ $# -eq 0 ]; then
        [ -n "${LONG-}" ] || turns=('77 2008' '90 2008')
        set -- "$here"/*.F90
        set -- "${@##*/}"
        set -- "${@%.F90}"
    fi
    for program in "$@"; do
        source=$here/${program%%.*}.F90
        [ -f "$source" ] || { echo "run.sh: there is no program ${program%%.*}" >&2; exit 2; }
        case $program in
            *.*) echo "${program%.*} ${program##*.}" ;;
            *)
                all=$(directive "$source" interfaces)
                for interface in ${all:-${turns[number++ % ${#turns[@]}]}}; do echo "$program $interface"; done ;;
        esac
    done
}

# in_turn MODE: of such lines, those whose turn it is.
in_turn() {
    local turns number=0 line
    read -ra turns < <(turns_of "$1")
    while read -r line; do
        number=$((number + 1))
        ! has_turn "$1" "$number" '' "${turns[@]}" || echo "$line"
    done
}

# judge MODE PROGRAM[.INTERFACE] CHECK HOW: a check that is listed fails in an interface, or the list is wrong. A program that
# hangs says nothing.
judge() {
    local mode=$1 judged=$3 what="$1 $2: $3" program interface said tried=
    [ "$4" = fails ] || { echo "not run $what ($4)"; return; }
    while read -r program interface; do
        said=$(one "$mode" "$program" "$interface")
        case $said in
        *"FAIL $mode $program.$interface on "*" ranks: exit code 124,"*) echo "no verdict $what, which took too long"; return ;;
        *"FAIL $mode $program.$interface on "*) echo "fails $what, as it is listed"; return ;;
        *FAIL*) echo "$said"; return 1 ;;
        'left out '*) ;;
        *) tried=1 ;;
        esac
    done < <(chosen "$2")
    [ -n "$tried" ] || { echo "left out $what, with all of the program"; return; }
    echo "FAIL $what passes; take $(release_here "$(host_of "$mode")") from its releases in known-faults.tsv"
    return 1
}

# judge_all FAMILY [PROGRAM...]
judge_all() {
    local mode=$1 faults program check how failed=0
    faults=$("$top/tests/releases/faults.py" here "$here/known-faults.tsv" "$mode" "$(release_here "$mode")") || return
    while read -r program check how; do
        [[ -n $program && ( $# -eq 1 || " ${*:2} " == *" ${program%%.*} "* ) ]] || continue
        judge "$mode" "$program" "$check" "$how" < /dev/null || failed=1
    done <<< "$faults"
    return $failed
}

main() {
    local mode=$1 turns= list failed=() each program interface report
    shift
    if [ "$mode" = --one ]; then
        one "$@"
        return
    fi
    is_mode "$mode" || { echo "run.sh: no mode '$mode'" >&2; return 2; }
    while read -r each; do
        mkdir -p "$programs/$(family_of "$each")" "$programs/output/$each"
        know "$each" || return
        [ "$each" != "$mode" ] && [ -e "$programs/$(family_of "$each")/without_sync_reg" ] || know_compiler "$(family_of "$each")" || return
    done < <(printf '%s\n' "$mode" "$(native_of "$mode")" "$(host_of "$mode")" | sort -u)
    if [ "${1-}" = --known ]; then
        judge_all "$mode" "${@:2}"
        return
    fi
    [ "${1-}" != --by-turns ] || { turns=yes; shift; }
    list=$(chosen "$@") || return
    [ -z "$turns" ] || list=$(in_turn "$mode" <<< "$list")
    mkdir -p "$programs/report"
    rm -f "$programs/report/$mode".*
    # Each one's words are kept together.
    # shellcheck disable=SC2016  # expanded by the inner shell
    xargs -P "$JOBS" -L 1 sh -c '"$0" --one "$@" > "$REPORTS/$1.$2.$3" 2>&1 ||
        { echo "$2.$3"; exit ${UNTIL_FAILED:+255}; }' "$0" "$mode" <<< "$list" > "$programs/failed.$mode"
    while read -r program interface; do
        report=$programs/report/$mode.$program.$interface
        [ ! -e "$report" ] || cat "$report"
    done <<< "$list"
    mapfile -t failed < "$programs/failed.$mode"
    conclude "$mode" "$(wc -l <<< "$list")" "${failed[@]}"
}

export REPORTS=$programs/report
main "$@"
