#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# adapter-c/layers/layers.c alone stores into the table of the host's procedures: who else did would be lost, or lose a layer.

setup() {
    cd "$BATS_TEST_DIRNAME/../.."
}

# stores FILE...: lines that write into the table, or take it for an array, which may be written.
stores() {
    grep -nE '(^|[^_a-zA-Z.>])host\.[a-zA-Z]+_[A-Za-z_]+ = [^=]|atomic_[a-z_]+\(&host\.|\(mpi_function \*\*\)(\(void \*\))?&host\b|= host;' "$@"
}

@test "nobody but the room of layers stores into the table" {
    mapfile -t files < <(find adapter-c adapter-f77 gen/emitter templates -type f ! -path 'adapter-c/layers/*' ! -name '*.pyc')
    run stores "${files[@]}"
    echo "$output"
    [ "$status" -eq 1 ]
    run stores adapter-c/layers/*
    [ "$status" -eq 0 ]
}

@test "every layer is installed somewhere, and its line says why it lies where it does" {
    local layer
    for layer in $(sed -n '/^enum layer {/,/^};/s/^    \(LAYER_[A-Z_]*\),.*/\1/p' adapter-c/layers/layers.h); do
        [ "$layer" != LAYER_HOST ] || continue
        grep -rqE "(LAYER_INSTALL|layer_install)\($layer,|\"$layer\"" adapter-c/*/ gen/emitter || { echo "$layer"; return 1; }
        grep -qE "^    $layer, +/\* .+" adapter-c/layers/layers.h || { echo "$layer: why?"; return 1; }
    done
}
