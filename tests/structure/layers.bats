#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# adapter-c/layers on its own: the order of layers, removal, and calls while layers come and go.

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR"
    CC=${CC:-gcc}
}

@test "layers lie in their order, come and go" {
    "$CC" -std=gnu11 -O2 -g -Wall -fno-strict-aliasing -pthread -I"$BATS_TEST_DIRNAME/layers" -I"$top/adapter-c" -o layers \
        "$BATS_TEST_DIRNAME/layers/layers.c" "$top/adapter-c/layers/layers.c"
    [ "$(./layers)" = right ]
}

@test "each layer has a name" {
    [ "$(sed -n '/^enum layer {/,/^};/s/^    LAYER_\([A-Z_]*\), .*/\1/p' "$top/adapter-c/layers/layers.h" | wc -l)" -eq \
        "$(sed -n '/layer_names\[\]/,/;/p' "$top/adapter-c/layers/layers.c" | grep -o '[a-z ]*\\0\|refusal' | wc -l)" ]
}
