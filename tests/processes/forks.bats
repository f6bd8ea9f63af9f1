#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# A process forks while another of its threads is inside the adapter. MPI is not for the child, but what it opens and looks up
# goes through the adapter's hooks.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    echo 'int answer(void) { return 42; }' | "$CC" -shared -fPIC -o module.so -xc -
}

children_end() {
    app_program forks "$here/forks.c" -pthread
    [ "$(adapted ./forks ../module.so 200)" = "200 children" ]
}

@test "a child opens libraries and looks symbols up, whatever another thread was doing when it was forked" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair children_end
}
