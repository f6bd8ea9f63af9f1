#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Launch lines that were written for one launcher start the same ranks under another: as many, bound as they would be, with their
# variables, folder and input. Each line of the table runs natively and translated.

load ../pair

setup_file() {
    load ../pair
    cd "$BATS_FILE_TMPDIR"
    local family
    for family in $(sed -n 's/^\*\?\t\(\w*\)\t.*/\1/p' "$here/launch/lines.tsv" | sort -u); do
        is_native "$family" || continue
        mkdir -p "$family/sub"
        compile_for "$family" "$family/show" "$here/launch/show.c"
        make_files "$family"
    done
}

make_files() {
    echo 'localhost slots=2' > "$1/slots"
    echo 'localhost:2' > "$1/colons"
    printf '%s\n' '# a comment' '-np 1 ./show' '-np 1 -x SHOWN=2 ./show' > "$1/app"
    printf '%s\n' '-n 1 ./show' '-n 1 -env SHOWN 2 ./show' > "$1/config"
    # shellcheck disable=SC2016  # for the script
    printf '%s\n' '#!/bin/sh' 'SHOWN=wrapped exec "$@"' > "$1/wrapper"
    chmod +x "$1/wrapper"
}

setup() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 SHOWN=here
}

# ranks_of COMMAND...: what its ranks print, in their order. The input is of rank 0.
ranks_of() {
    echo typed | timeout 120 "$@" > output 2> messages || { echo "status $?"; cat output messages; return 1; }
    sed -n 's/^.*\(rank [0-9]* of .*\)/\1/p' output | sort -n -k2
}

# tries FAMILY OTHER LINE WHAT [TEXT]
tries() {
    local words native translated
    read -r -a words <<< "$3"
    cd "$BATS_FILE_TMPDIR/$1"
    echo "$1: ${words[*]}"
    if [ "$4" = refused ]; then
        run --separate-stderr "$command" exec --to "$2" -- "$(launcher_here "$1")" "${words[@]}"
        echo "$stderr"
        [ "$status" -ne 0 ] || return
        [ -z "$output" ] || return
        [[ $stderr == *"$5"* ]] || return
        one_line "$stderr"
        return
    fi
    native=$(ranks_of "$(launcher_here "$1")" "${words[@]}") || { echo "natively: $native"; return 1; }
    translated=$(ranks_of "$command" exec --to "$2" -- "$(launcher_here "$1")" "${words[@]}") || { echo "translated: $translated"; return 1; }
    [ -n "$native" ]
    [ "$native" = "$translated" ] || { diff <(echo "$native") <(echo "$translated"); return 1; }
}

launcher_here() { tool "$1" RUN mpiexec; }

# lines_of FAMILY: those of make check, or with LINES_TRIED=all, all of them.
lines_of() {
    grep -v '^#' "$here/launch/lines.tsv" | awk -F '\t' -v family="$1" -v tried="${LINES_TRIED:-some}" \
        '$2 == family && (tried == "all" || $1 == "*" || $4 == "refused") { print $3 "\t" $4 "\t" $5 }'
}

all_lines() {
    local text what said failed=0
    is_native "$application" || return 0
    while IFS=$'\t' read -r text what said; do
        ( tries "$application" "$host" "$text" "$what" "$said" ) > tried 2>&1 < /dev/null || { cat tried; failed=$((failed + 1)); }
    done < <(lines_of "$application")
    [ "$failed" -eq 0 ]
}

@test "each line of the table starts the same ranks under another launcher" {
    cd "$BATS_TEST_TMPDIR"
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair all_lines
}
