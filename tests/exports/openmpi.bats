#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The library's symbols, and that its hot paths call nothing but the host.

load ../pair
use_pair openmpi-to-mpich

setup() {
    cd "$BATS_TEST_TMPDIR"
    nm -D --defined-only "$adapter" | sed '/MPI_ADAPTER_PRIVATE/d; s/@.*//' | awk '{ print $NF, $(NF - 1) }' | LC_ALL=C sort > exported
    # Symbols of Open MPI's own that are exported for its C++ bindings have their own list.
    awk '!/^#/ && NF { print "^" $2 " " }' "$top/abi-tables/private-exports" > private
}

# Lines "RELEASE TYPE BINDING-OR-SIZE NAME" of what each release's libmpi.so.40 exports.
releases_export() {
    local table
    for table in "$top"/abi-tables/openmpi-*/exports; do
        awk -v release="$(basename "${table%/*}")" \
            '$1 == "libmpi.so.40" && ($2 == "function" || $2 == "object") { print release, $2, $3, $4 }' "$table"
    done
}

# The data objects and functions whose addresses any release's mpi.h uses for constants.
header_symbols() {
    awk '$3 == "address" || $3 == "variable" { sub(/\+.*/, "", $4); print $2, $4 }' \
        "$top"/abi-tables/openmpi-*/constants | sort -u
}

@test "exported symbols are those of the reviewed list" {
    grep -v '^#' "$here/$pair.symbols" > listed
    LC_ALL=C sort -c listed
    grep -vf private exported > public
    grep -vf private listed > listed-public
    [ "$(wc -l < public)" -gt 1600 ]
    diff listed-public public
}

@test "every MPI_ procedure of every Open MPI release is there, weak, and its PMPI_ twin, strong" {
    releases_export | awk '$2 == "function" && $4 ~ /^P?MPI[A-Z]*_/ { print $4 }' | LC_ALL=C sort -u > theirs
    [ "$(wc -l < theirs)" -gt 1400 ]
    awk '{ print $1 }' exported | LC_ALL=C comm -23 theirs - > absent
    grep -v '^#' "$here/left-out.symbols" | awk '{ print $1 }' | LC_ALL=C sort > left-out
    diff left-out absent
    awk '/^MPI[A-Z]*_[A-Z][a-z]/ && $2 ~ /[TtWw]/ && $2 != "W" { print; bad = 1 }
         /^PMPI[A-Z]*_/ && $2 != "T" { print; bad = 1 } END { exit bad }' exported
    awk '/^MPI[A-Z]*_/ && $2 == "W" { print "P" $1 }' exported |
        LC_ALL=C comm -23 - <(awk '/^PMPI/ { print $1 }' exported) > without-twin
    # Some have none natively.
    awk '$1 == "unprofiled" { print "P" $2 }' "$top"/abi-tables/openmpi-*/procedures | LC_ALL=C sort -u |
        LC_ALL=C comm -23 without-twin - | diff /dev/null -
}

@test "what Open MPI's bindings for other languages need of its own is there, also what companions have natively" {
    awk '$1 == "openmpi" { print $2 }' "$top/abi-tables/private-exports" | LC_ALL=C sort -u > theirs
    [ -s theirs ]
    awk '{ print $1 }' exported | LC_ALL=C comm -23 theirs - > absent
    diff /dev/null absent
}

@test "every object and function that an mpi.h refers to is there" {
    header_symbols | awk '{ print $2 }' | LC_ALL=C sort -u > theirs
    [ "$(wc -l < theirs)" -gt 120 ]
    awk '{ print $1 }' exported | LC_ALL=C comm -23 theirs - > absent
    diff /dev/null absent
}

@test "objects that stand for predefined handles are 8 bytes long" {
    header_symbols | awk '$1 ~ /^MPI_/ && $2 != "" { print $2 }' | sort -u > handles
    [ "$(wc -l < handles)" -gt 100 ]
    nm -D -S --defined-only "$adapter" | sed 's/@.*//' |
        awk 'NR == FNR { handle[$1]; next }
             $4 in handle { seen++; if ($2 !~ /^0+8$/) { print; bad = 1 } }
             END { for (name in handle) all++; exit bad || seen != all }' handles -
}

@test "companions have their sonames and lead to the adapter" {
    local companion
    for companion in "$folder"/*.so.*; do
        readelf -d "$companion" > dynamic
        grep -q "SONAME.*\[${companion##*/}\]" dynamic
        [ "$companion" = "$adapter" ] || grep -q 'NEEDED.*\[libmpi.so.40\]' dynamic
        run ! grep -E 'RPATH|RUNPATH|TEXTREL' dynamic
    done
}

@test "the library is never unloaded, binds at once and keeps its stack not executable" {
    readelf -dW "$adapter" | grep -q 'FLAGS_1.*NOW.*NODELETE'
    readelf -lW "$adapter" | grep -qE 'GNU_STACK .* RW '
    run ! grep -E 'LOAD .* RWE ' <(readelf -lW "$adapter")
    readelf -lW "$adapter" | grep -q 'GNU_RELRO'
}

# calls_of PROCEDURE: what its instructions outside the cold section call or jump to elsewhere.
# A call through the host's table is named "host".
calls_of() {
    objdump -d --no-show-raw-insn --disassemble="$1" "$adapter" |
        awk -v own="$1" '
            $2 ~ /^<.*>:$/ { inside = $2 == "<" own ">:" }
            !inside || !/\t(call|j[a-z]+) / && !/%fs:/ && !/\tlock / { next }
            /%fs:/ { print "thread-local storage"; next }
            /\tlock / { print "atomic instruction"; next }
            /call +\*(0x[0-9a-f]+\(%rip\) +# [0-9a-f]+ <host|%r)/ { print "host"; next }
            match($0, /<[^>+]+/) { target = substr($0, RSTART + 1, RLENGTH - 1); sub(/@.*/, "", target)
                                   if (target != own) print target; next }
            { print }' | sort -u
}

# Other compilers than that of the counts may leave a jump to what fails in the hot section.
what_fails() {
    grep -qx "# compiler: gcc $("$CC" -dumpversion | cut -d. -f1)" "$top/bench/instructions.tsv" && echo none ||
        echo error_to_app
}

@test "hot paths call only the host" {
    local procedure calls cold
    [ "$(uname -m)" = x86_64 ] || skip "reads x86-64 instructions"
    cold=$(what_fails)
    for procedure in Comm_rank Comm_size Type_size Allreduce Bcast Barrier Reduce Alltoall Send Recv \
        Isend Irecv Sendrecv Iprobe Wait Test Get_count Put Get; do
        calls=$(calls_of "PMPI_$procedure" | grep -vxE "PMPI_$procedure\.cold|$cold")
        [ "$calls" = host ] || { echo "PMPI_$procedure: $calls"; return 1; }
    done
    # One jump, to the host's while MPI runs.
    [ "$(calls_of PMPI_Wtime)" = timer ]
}

# only_calls PROCEDURE CALLS [PATTERN]: nothing else but its own cold part and what the pattern matches.
only_calls() {
    calls=$(calls_of "$1" | grep -vxE "$1\.cold|${3:-none}" || true)
    [ "$calls" = "$2" ] || { echo "$1: $calls"; return 1; }
}

@test "MPI_Waitall and MPI_Startall call the host, and for more than 64 requests or 16 statuses little else" {
    local all count cold
    [ "$(uname -m)" = x86_64 ] || skip "reads x86-64 instructions"
    cold=$(what_fails)
    only_calls PMPI_Waitall "" 'wait_all(_[123]|_few|_statuses)?'
    only_calls PMPI_Startall "" 'start_all(_[123]|_few)?'
    for all in wait start; do
        for count in 1 2 3; do
            only_calls ${all}_all_$count host "$cold"
        done
        only_calls ${all}_all_few host "(de|en)code_requests|$cold"
        only_calls ${all}_all host "(de|en)code_requests|malloc|free|return_statuses.*|$cold"
    done
    only_calls wait_all_statuses host "(de|en)code_requests|encode_failed|status_to_app.*|$cold"
}
