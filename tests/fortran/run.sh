#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Run the Fortran test programs in one mode.
#
#   run.sh MODE [PROGRAM[.INTERFACE]...]      MODE is openmpi, mpich, adapted, reversed or a chain
#
# openmpi, mpich: compiled for and run on that implementation.  adapted: the very binaries of
# "openmpi", run on MPICH through the adapter.  reversed: the very binaries of "mpich", run on Open
# MPI through the adapter.  A chain of families, such as openmpi-to-mpiabi-to-mpich: the binaries of the
# first, run on the last through one adapter after the other.  INTERFACE is 77 (mpif.h), 90 (use mpi) or
# 2008 (use mpi_f08); without it a program runs in all that it serves.  What a program prints through
# the adapter must be what it prints natively; lines that start with "host" what the host's own program
# prints.  JOBS programs run at a time.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
BUILD=$(cd "$top" && realpath -m "${BUILD:-build}")
modes="openmpi mpich adapted reversed openmpi-to-mpiabi-to-mpich mpich-to-mpiabi-to-openmpi"
programs=$BUILD/tests/fortran
pairs=$BUILD/lib/mpi-adapter
: "${OPENMPI_FORT:=mpifort.openmpi}" "${OPENMPI_CC:=mpicc.openmpi}" "${OPENMPI_EXEC:=mpiexec.openmpi}"
: "${MPICH_FORT:=mpifort.mpich}" "${MPICH_CC:=mpicc.mpich}" "${MPICH_EXEC:=mpiexec.mpich}"
: "${TEST_TIMEOUT:=60}" "${JOBS:=2}"
export BUILD

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_tcp_if_include=lo
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_osc=sm,pt2pt

# The value of "! KEY: VALUE" in a source; a program says so how it wants to be compiled and run.
directive() { sed -n "s|^! $2: \(.*\)\$|\1|p" "$1" | head -n 1; }

# Where a mode's programs come from, and what they run on.
chain_of() { case $1 in adapted) echo openmpi-to-mpich ;; reversed) echo mpich-to-openmpi ;; *) echo "$1" ;; esac; }
family_of() { chain_of "$1" | sed 's/-to-.*//'; }
host_of() { chain_of "$1" | sed 's/.*-to-//'; }

# The LD_LIBRARY_PATH of a mode's programs; none natively.
path_of() {
    local chain path= rest
    chain=$(chain_of "$1")
    while [[ $chain == *-to-* ]]; do
        rest=${chain#*-to-}
        path+=$pairs/${chain%%-to-*}-to-${rest%%-to-*}:
        chain=$rest
    done
    [ -z "$path" ] || echo "${path%:}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}

# Faults of the host's C library everywhere, those of its Fortran libraries where they are used.
known_faults() {
    awk -F '\t' -v host="$(host_of "$1")" -v native="$1" -v program="$2" -v interface="$3" \
        '!/^#/ && ($1 == host || $1 == native "-fortran") && ($2 == program || $2 == program "." interface) {
            printf "%s ", $3 }' "$here/known-faults.tsv"
}

# compile FAMILY PROGRAM INTERFACE FOLDER: unless what is there is newer.
compile() {
    local family=$1 source=$here/$2.F90 interface=$3 folder=$4 fort=$OPENMPI_FORT cc=$OPENMPI_CC with objects=() define=()
    fresh "$folder/program" "$source" && return 0
    with=$(directive "$source" with)
    [ "$family" = openmpi ] || { fort=$MPICH_FORT cc=$MPICH_CC define=(-DMPICH); }
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
    local path
    path=$(path_of "$1")
    if [ "$(host_of "$1")" = openmpi ]; then
        timeout "$TEST_TIMEOUT" "$OPENMPI_EXEC" --oversubscribe ${path:+-x LD_LIBRARY_PATH="$path"} -n "$2" "$3"
    else
        timeout "$TEST_TIMEOUT" "$MPICH_EXEC" ${path:+-genv LD_LIBRARY_PATH "$path"} -n "$2" "$3"
    fi
}

# Launches once; up to three times if it hangs where the source says that this host does so natively
# now and then.
attempt() {
    local mode=$1 ranks=$2 binary=$3 source=$4 work=$5 tries=1 code TEST_TIMEOUT=$TEST_TIMEOUT
    case " $(directive "$source" hangs) " in *" $(host_of "$mode") "*) tries=3 TEST_TIMEOUT=20 ;; esac
    while :; do
        (cd "$work" && launch "$mode" "$ranks" "$binary" >"$work/stdout" 2>"$work/stderr")
        code=$? tries=$((tries - 1))
        [ "$code" -eq 124 ] && [ "$tries" -gt 0 ] || return "$code"
        echo "hung $mode $(basename "$source" .F90) on $ranks ranks, as $(host_of "$mode") does natively now and then; once more"
    done
}

# What all implementations print alike, and what is the host's own.
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

# Output of a mode through the adapter against that of both native ones.
compare() {
    local mode=$1 label=$2 native
    for native in openmpi mpich; do
        fresh "$programs/output/$native/$label" "$here/${label%.*}.F90" || one "$native" "${label%.*}" "${label##*.}" || return 1
    done
    diff <(common "$programs/output/$(family_of "$mode")/$label") <(common "$programs/output/$mode/$label") &&
        diff <(own "$programs/output/$(host_of "$mode")/$label") <(own "$programs/output/$mode/$label")
}

# one MODE PROGRAM INTERFACE: compiles, runs, compares; says what became of it in one line.
one() {
    local mode=$1 program=$2 interface=$3 label=$2.$3 folder work output code ranks difference
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
    attempt "$mode" "$ranks" "$folder/program" "$here/$program.F90" "$work"
    code=$?
    if [ $code -ne 0 ] || ! grep -q "^ok $program: [1-9][0-9]* checks\$" "$work/stdout"; then
        echo "FAIL $mode $label on $ranks ranks: exit code $code, stdout '$(head -c 400 "$work/stdout")'"
        head -n 40 "$work/stderr"
        rm -rf "$work"
        return 1
    fi
    cp "$work/stdout" "$output"
    rm -rf "$work"
    if [ "$(family_of "$mode")" != "$(host_of "$mode")" ] && ! difference=$(compare "$mode" "$label" 2>&1); then
        echo "FAIL $mode $label prints something else than natively:"
        echo "$difference"
        return 1
    fi
    echo "ok   $mode $label on $ranks ranks, $(sed -n 's/^ok .*: //p' "$output")${MPI_TEST_SKIP:+ (known host faults not checked: $MPI_TEST_SKIP)}"
}

# What to run, a "PROGRAM INTERFACE" a line.
chosen() {
    local source program interface
    if [ $# -eq 0 ]; then
        set -- "$here"/*.F90
        set -- "${@##*/}"
        set -- "${@%.F90}"
    fi
    for program in "$@"; do
        source=$here/${program%%.*}.F90
        [ -f "$source" ] || { echo "run.sh: there is no program ${program%%.*}" >&2; exit 2; }
        case $program in
            *.*) echo "${program%.*} ${program##*.}" ;;
            *) for interface in $(directive "$source" interfaces | grep . || echo 77 90 2008); do echo "$program $interface"; done ;;
        esac
    done
}

main() {
    local mode=$1 list failed
    shift
    if [ "$mode" = --one ]; then
        one "$@"
        return
    fi
    case " $modes " in *" $mode "*) ;; *) echo "run.sh: no mode '$mode'" >&2; return 2 ;; esac
    list=$(chosen "$@") || return
    mkdir -p "$programs"/{openmpi,mpich} "$programs"/output/{openmpi,mpich,"$mode"} "$programs/report"
    # Each one's words are kept together.
    # shellcheck disable=SC2016  # expanded by the inner shell
    xargs -P "$JOBS" -L 1 sh -c '"$0" --one "$@" > "$REPORTS/$1.$2.$3" 2>&1 || echo "$2.$3"' "$0" "$mode" <<< "$list" > "$programs/failed.$mode"
    while read -r program interface; do cat "$programs/report/$mode.$program.$interface"; done <<< "$list"
    failed=$(wc -l < "$programs/failed.$mode")
    [ "$failed" -eq 0 ] || echo "$failed of $(wc -l <<< "$list") programs failed in mode $mode"
    [ "$failed" -eq 0 ]
}

export REPORTS=$programs/report
main "$@"
