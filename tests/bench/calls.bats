#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Hot paths call nothing but the host.

load ../pair
use_pair openmpi-to-mpich

# calls_of PROCEDURE: what its instructions outside the cold section call or jump to elsewhere.
# A call through the host's table is named "host". A procedure that the library does not have calls "not in the library".
calls_of() {
    objdump -d --no-show-raw-insn --disassemble="$1" "$adapter" |
        awk -v own="$1" '
            $2 ~ /^<.*>:$/ { inside = $2 == "<" own ">:"; found += inside }
            !inside || !/\t(call|j[a-z]+) / && !/%fs:/ && !/\tlock / { next }
            /%fs:/ { print "thread-local storage"; next }
            /\tlock / { print "atomic instruction"; next }
            /call +\*(0x[0-9a-f]+\(%rip\) +# [0-9a-f]+ <host|%r)/ { print "host"; next }
            match($0, /<[^>+]+/) { target = substr($0, RSTART + 1, RLENGTH - 1); sub(/@.*/, "", target)
                                   if (target != own) print target; next }
            { print }
            END { if (!found) print "not in the library" }' | sort -u
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
        calls=$(calls_of "PMPI_$procedure" | sed -E "/^(PMPI_$procedure\.cold|$cold)\$/d")
        [ "$calls" = host ] || { echo "PMPI_$procedure: $calls"; return 1; }
    done
    # One jump, to the host's while MPI runs.
    [ "$(calls_of PMPI_Wtime)" = timer ]
}

# only_calls PROCEDURE CALLS [PATTERN]: nothing else but its own cold part and what the pattern matches.
only_calls() {
    calls=$(calls_of "$1" | sed -E "/^($1\.cold|${3:-none})\$/d")
    [ "$calls" = "$2" ] || { echo "$1: $calls"; return 1; }
}

@test "MPI_Waitall and MPI_Startall call the host, and ask the heap for what is too large for a small stack" {
    local cold
    [ "$(uname -m)" = x86_64 ] || skip "reads x86-64 instructions"
    cold=$(what_fails)
    only_calls PMPI_Waitall host "wait_all|$cold"
    only_calls PMPI_Startall host "start_all|$cold"
    only_calls wait_all host "malloc|free|encode_failed|raise_error_as|$cold"
    only_calls start_all host "malloc|free|$cold"
}
