#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Instructions spent inside the adapter of this direction do not grow unnoticed.

load common

@test "instructions per call are what the table says" {
    local ceilings=()
    [ "$(uname -m)" = x86_64 ] || skip "the table is for x86-64"
    need_commands valgrind
    cd "$BATS_TEST_TMPDIR"
    mpich_program calls "$here/programs/calls.c" -Wno-stringop-overflow
    OMPI_MCA_btl=self,vader LD_LIBRARY_PATH=$folder timeout 200 valgrind --tool=callgrind --instr-atstart=no \
        --callgrind-out-file="$PWD/profile" ./calls > output 2>&1 || { cat output; return 1; }
    grep -qx "# compiler: gcc $("$CC" -dumpversion | cut -d. -f1)" "$here/instructions.tsv" || ceilings=(--ceilings)
    "${PYTHON:-/usr/bin/python3}" "$top/tests/bench/instructions.py" "${ceilings[@]}" "$adapter" \
        "$here/instructions.tsv" profile.*
}
