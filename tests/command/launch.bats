#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Launch lines that were written for one launcher start the same ranks under another: as many, bound as they would be, with their
# variables, folder and input. Some lines of the table run natively and translated; tests/cluster runs all, on three hosts.

load ../pair
load launch/lines

setup_file() {
    load ../pair
    load launch/lines
    cd "$BATS_FILE_TMPDIR"
    local family
    for family in $(awk -F '\t' '!/^#/ { print $2 }' "$lines_table" | sort -u); do
        is_native "$family" || continue
        make_files "$family" "$(local_rank_of "$family")"
        compile_for "$family" "$family/show" "$here/launch/show.c"
    done
}

setup() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
}

# With LINES_TRIED=all, all that need no cluster.
all_lines() {
    local marks='<*>'
    [ "${LINES_TRIED-}" != all ] || marks='<*><>'
    is_native "$application" && grep -P "^[^\t]*\t$application\t" "$lines_table" > /dev/null || return 0
    cd "$BATS_FILE_TMPDIR/$application"
    try_lines "$application" "$host" "$marks"
}

@test "each line of the table starts the same ranks under another launcher" {
    cd "$BATS_TEST_TMPDIR"
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair all_lines
}

# options.py: of each option of the table, and of each line of rows.tsv, what is written for each other launcher.
@test "each option, and lines with several, are written for every launcher as the tables of tests say" {
    cd "$BATS_TEST_TMPDIR"
    run -0 "${PYTHON:-/usr/bin/python3}" -B "$here/launch/options.py" check "$build/tools/launch" "$top/abi-tables/launchers" .
    echo "$output"
}
