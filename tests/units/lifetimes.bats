#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Parts of the adapter on their own.

load ../pair
use_pair openmpi-to-mpich

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# right_in_adapter NAME: the program of this name prints "right", linked from the library's objects, whose constructor finds the real host.
right_in_adapter() {
    compile_adapter_source "$1.o" "$here/programs/$1.c"
    mapfile -t own < <(adapter_objects)
    "$CC" -pthread -rdynamic -o "$1" "$1.o" "${own[@]}" "$build/gotswap/libgotswap.a" -lelf -ldl
    [ "$(timeout 60 "./$1")" = right ]
}

@test "trampolines: one for each of 100000 functions, from eight threads, never writable code" {
    compile_adapter_source closure.o "$top/adapter-c/callbacks/closure.c"
    compile_adapter_source index.o "$top/adapter-c/convert/index.c"
    compile_adapter_source closures.o "$here/programs/closures.c"
    "$CC" -pthread -o closures closures.o closure.o index.o
    [ "$(./closures)" = right ]
}

@test "trampolines where the file cannot be mapped again: those of one block, a message, no crash" {
    compile_adapter_source closure.o "$top/adapter-c/callbacks/closure.c"
    compile_adapter_source index.o "$top/adapter-c/convert/index.c"
    compile_adapter_source closures.o "$here/programs/closures.c"
    for what in refused deleted replaced shortened; do
        "$CC" -pthread -o closures closures.o closure.o index.o
        one_line "mpi-adapter: $(./closures $what)"
    done
}

@test "predefined handles are found by the host's, and nothing else is" {
    right_in_adapter maps
}

@test "what requests retain is freed once, when they are released" {
    compile_variant variant requests/retained_array.c free=counted_free
    compile_adapter_source retained.o "$here/programs/retained.c"
    mapfile -t own < <(objects_without variant; find variant -name '*.o')
    "$CC" -pthread -rdynamic -o retained retained.o "${own[@]}" "$build/gotswap/libgotswap.a" -lelf -ldl
    [ "$(./retained)" = right ]
}

@test "a handle that the host gives again while it frees an object is the new object's" {
    right_in_adapter handles_again
}

@test "requests of our own that lack memory leave nothing behind" {
    for name in requests/adapter_request requests/held_handle.each convert/index stand_ins/request; do
        compile_variant variant "$name.c" malloc=scarce_malloc calloc=scarce_calloc free=counted_free
    done
    compile_adapter_source scarce.o "$here/programs/scarce.c"
    mapfile -t own < <(objects_without variant; find variant -name '*.o')
    "$CC" -pthread -rdynamic -o scarce scarce.o "${own[@]}" "$build/gotswap/libgotswap.a" -lelf -ldl
    [ "$(./scarce)" = right ]
}

# owner_table: each step of the table in owner.h, as owners.c prints it.
owner_table() {
    awk -F '  +' '
        function binding(owner) { return owner == "INNER" ? "BOUND" : "UNBOUND" }
        function step(owner, from, to, next_binding) { print owner, from, $3, to == "=" ? owner : to, next_binding }
        /^ \*   .* FOUND_/ {
            split($4, to, " ")
            next_binding = to[2] ? to[2] : "UNBOUND"
            is_any = sub(/^all but ADAPTER$/, "UNDECIDED, PROGRAM, HOST, TOOL, ARRIVED, INNER", $2)
            from = match($2, / (UNBOUND|BOUND)$/) ? substr($2, RSTART + 1) : ""
            sub(/ (UNBOUND|BOUND)$/, "", $2)
            count = split($2, owners, ", ")
            for (i = 1; i <= count; i++) {
                step(owners[i], from ? from : binding(owners[i]), to[1], next_binding)
                if (is_any && owners[i] ~ /HOST|TOOL|ARRIVED/) {
                    step(owners[i], "BOUND", to[1], next_binding)
                    step(owners[i], "NO_SLOTS", to[1], next_binding)
                }
            }
        }' "$top/adapter-c/isolate/owner.h"
}

@test "an object goes from owner to owner as the table says, and all other steps are refused" {
    compile_adapter_source owner.o "$top/adapter-c/isolate/owner.c"
    compile_adapter_source owners.o "$here/programs/owners.c"
    "$CC" -o owners owners.o owner.o
    owner_table | sort > table
    [ "$(wc -l < table)" -eq 39 ]
    ./owners | sort | diff table -
}

@test "a code that a host gives again in another life has no class, text or codes of those before" {
    for source in added_code index text; do
        compile_adapter_source $source.o "$top/adapter-c/convert/$source.c"
    done
    compile_adapter_source codes.o "$here/programs/codes_of_lives.c"
    "$CC" -pthread -o codes codes.o added_code.o index.o text.o
    [ "$(./codes)" = right ]
    [ "$(./codes shared)" = right ]
}

@test "children that a launcher takes no environment for are started by a command that sets it, if each setting fits" {
    right_in_adapter spawned
}
