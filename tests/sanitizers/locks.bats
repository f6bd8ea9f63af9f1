#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Locks are taken in the order of adapter-c/layers/lock.h. A build with -DCHECK_LOCKS aborts where they are not.

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR"
    : "${CC:=gcc}"
}

# taken BODY: what a program prints on stderr whose main() has this body.
taken() {
    printf '#include "layers/lock.h"\nLOCK(sessions);\nLOCK(regions);\nLOCK(closures);\nint main(void) { %s return 0; }\n' "$1" > main.c
    "$CC" -std=gnu11 -DCHECK_LOCKS -Wno-unused-variable -pthread -I"$top/adapter-c" -o main main.c "$top/adapter-c/layers/lock.c"
    ./main 2>&1
}

@test "locks that are taken in order are not complained of, however often" {
    [ "$(taken 'for (int i = 0; i < 100; i++) { take_lock(sessions); take_lock(closures); take_lock(regions);
        release_lock(closures); release_lock(regions); release_lock(sessions); take_lock(regions); release_lock(regions); }')" = "" ]
}

@test "a lock that is taken out of order, or twice, ends the process, which names both" {
    local fault
    for fault in 'take_lock(regions); take_lock(sessions);' 'take_lock(sessions); take_lock(regions); take_lock(closures);' \
        'take_lock(regions); take_lock(closures); release_lock(regions);' 'take_lock(regions); take_lock(regions);'; do
        run taken "$fault"
        [ "$status" -eq 134 ]
    done
    run taken 'take_lock(regions); take_lock(sessions);'
    [[ $output == *"mpi-adapter: lock 'sessions' is taken while 'regions' is held; "* ]]
}

@test "every lock is taken by its name" {
    run grep -rnE 'pthread_mutex_(un)?lock\(' "$top"/adapter-c "$top"/adapter-f77 --exclude=lock.h
    echo "$output"
    [ "$status" -eq 1 ]
}

# bats test_tags=long
@test "programs with threads take no lock out of order" {
    . "$top/tests/components.bash"
    is_native openmpi && is_native mpich || skip "the machine lacks one of the MPIs"
    PROGRAMS="threads everything_at_once sessions_threads partitioned_threads" "$top/tests/sanitizers/check" locks
}
