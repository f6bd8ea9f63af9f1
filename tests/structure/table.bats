#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The table of the host's procedures changes at run time by convert/take_over.h alone, in files that take its lock:
# a thread that read a place which another one writes would put back what that one replaced.

setup() {
    cd "$BATS_TEST_DIRNAME/../.."
}

# stores FILE...: lines that write a place. Those of the room `start` run before the program can call MPI.
stores() {
    grep -nE '(^|[^_a-zA-Z])host\.[a-zA-Z]+_[A-Za-z_]+ = [^=]|atomic_[a-z_]+\(&host\.' "$@"
}

@test "places of the host's table are taken by the macros" {
    printf 'host.MPI_Finalize = ours;\n__atomic_store_n(&host.MPI_Init, ours, 3);\nok = host.MPI_Init == ours;\n' > "$BATS_TEST_TMPDIR/bad.c"
    [ "$(stores "$BATS_TEST_TMPDIR/bad.c" | wc -l)" -eq 2 ]
    mapfile -t files < <(find adapter-c gen/emitter templates -type f ! -path 'adapter-c/start/*' ! -name take_over.h ! -name '*.pyc')
    run stores "${files[@]}"
    echo "$output"
    [ "$status" -eq 1 ]
}

@test "who takes places at run time holds the lock of the table" {
    local file
    mapfile -t files < <(grep -rlE '(TAKE_OVER|PUT_IN_PLACE)\(' adapter-c --include='*.c')
    [ "${#files[@]}" -gt 5 ]
    for file in "${files[@]}"; do
        # What AT_START functions do is over before the program can call MPI.
        awk '/^[a-zA-Z].*\)$/ { start = /^AT_START/; held = 0 } /table_lock\(\)/ { held = 1 } /table_unlock\(\)/ { held = 0 }
            /^ .*(TAKE_OVER|PUT_IN_PLACE|OURS\(TAKE|TAKE\(MPI|TAKE_CLASS)\(?.*/ && !/\\$/ && !in_macro && !start && !held {
                print FILENAME ": " $0; bad = 1 } { in_macro = /\\$/ } END { exit bad }' "$file"
    done
}
