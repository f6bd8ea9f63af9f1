# SPDX-License-Identifier: BSD-3-Clause
# Shared by the Bats files of gotswap: folders, and how fixtures are built.

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
here=$top/tests/gotswap
built=${BUILD:-$top/build}/gotswap
CC=${CC:-gcc}

compile() { # compile ARGUMENT...
    "$CC" ${GOTSWAP_TEST_CFLAGS:-} -O1 -g -I"$top/gotswap" -I"$here" "$@"
}

library() { # library OUTPUT ARGUMENT...
    local output=$1
    shift
    compile -shared -fPIC -o "$output" "$@"
}

program() { # program OUTPUT ARGUMENT...: linked with libgotswap.so.1
    local output=$1
    shift
    compile -o "$output" "$@" -L"$built" -lgotswap -Wl,-rpath,"$built"
}

# run_tool PROGRAM ARGUMENT...: under GOTSWAP_TEST_RUN, if that is set: an emulator, for which libraries are in
# GOTSWAP_TEST_ROOT.
run_tool() {
    ${GOTSWAP_TEST_RUN:-} "$@"
}

# Prints an object's slots by readelf, in the form of "tool list".
readelf_slots() {
    LC_ALL=C readelf -rW "$1" |
        awk '$3 ~ /^R_X86_64_(JUMP_SLO|GLOB_DAT|64$)|^R_AARCH64_(JUMP_SLO|GLOB_DAT|ABS64$)/ &&
             NF >= 5 { type = $3 ~ /JUMP/ ? 1 : $3 ~ /GLOB/ ? 2 : 3
                       sub(/@.*/, "", $5); sub(/^0+/, "", $1); print $1, type, $5 }' |
        sort
}
