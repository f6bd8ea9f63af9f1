#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Hooks of the dynamic linker's functions end by a jump, whatever flags they are compiled with: it takes the function that
# calls it last for the caller, and searches on behalf of that.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    use_pair "$(hosted_pairs | sed -n 1p)"
}

# jumps SOURCE FLAG...: the hooks of the source that end by a jump to what a pointer leads to.
jumps() {
    local source=$1 hook
    shift
    compile_adapter_source hooks.o "$source" "$@"
    for hook in host_dlopen host_dlmopen host_dlsym program_dlopen program_dlmopen program_dlsym; do
        objdump -d --no-show-raw-insn --disassemble="$hook" hooks.o > code
        ! grep -qE '\b(jmp +\*|br\s+x)' code || echo "$hook"
    done
}

@test "hooks end by a jump whatever the flags" {
    local flags
    [[ $(uname -m) == x86_64 || $(uname -m) == aarch64 ]] || skip "how this architecture jumps is not known here"
    for flags in -O0 -Og -O2 -Os "-O2 -fno-optimize-sibling-calls" "-O2 -fstack-protector-all" "-O2 -fsanitize=thread" \
        "-O1 -fsanitize=address" "-O2 -finstrument-functions" "-O2 -fno-plt"; do
        echo "$flags"
        # shellcheck disable=SC2086  # words
        [ "$(jumps "$top/adapter-c/isolate/dlopen_hooks.c" $flags | wc -l)" -eq 6 ]
    done
}

@test "a hook that calls instead is found" {
    sed 's/^ENDS_BY_JUMP static/static/; s/JUMP_TO loader/return loader/' "$top/adapter-c/isolate/dlopen_hooks.c" > plain.c
    [ -z "$(jumps plain.c -O0)" ]
}
