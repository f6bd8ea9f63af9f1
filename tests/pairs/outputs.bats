#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# After a failed call, a handle's variable holds what the host leaves there natively.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    choose_windows
    choose_messages
}

# Without calls in which the host's own program ends.
leaves() {
    local left_out=()
    app_program adapted -w "$here/outputs.c"
    host_program natively -w "$here/outputs.c"
    until timeout 120 ./natively "${left_out[@]}" > native; do
        [ "${#left_out[@]}" -lt 3 ]
        left_out+=("$(tail -n 1 native | sed 's/: $//')")
        echo "# left out $pair: ${left_out[-1]}, in which the host ends natively" >&3
    done
    adapted ./adapted "${left_out[@]}" > ours
    [ "$(wc -l < ours)" -ge 90 ]
    diff native ours
}

@test "what calls that fail leave in variables for handles" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair leaves
}
