# SPDX-License-Identifier: BSD-3-Clause
# The launch lines of lines.tsv, natively and translated: on this machine, or where the words of `there` run them. Sourced.

lines_table=$(dirname "${BASH_SOURCE[0]}")/lines.tsv
there=()            # what runs a command elsewhere
patience=1          # how often a line is tried whose ranks have said all, and do not end

# make_files FOLDER VARIABLE: what lines name, and a wrapper script, which reads a rank's place from the variable of the launcher.
make_files() {
    mkdir -p "$1/sub"
    echo 'localhost slots=2' > "$1/slots"
    echo 'localhost:2' > "$1/colons"
    printf '%s\n' '# a comment' '-np 1 ./show' '-np 1 -x SHOWN=2 ./show' > "$1/app"
    printf '%s\n' '-n 1 ./show' '-n 1 -env SHOWN 2 ./show' > "$1/config"
    printf '%s\n' 'node1 slots=1' 'node2 slots=2' '# and' 'node3 slots=1 max_slots=2' > "$1/nodes.slots"
    printf '%s\n' '# the nodes' 'node1:1' 'node2:2' 'node3' > "$1/nodes.colons"
    printf '%s\n' node3 node2 node1 > "$1/nodes"
    printf '%s\n' '-np 1 --host node2 ./show' '-np 1 --host node3 -x SHOWN=2 ./show' > "$1/nodes.app"
    printf '%s\n' '#!/bin/sh' "SHOWN=wrapped-\$$2 exec \"\$@\"" > "$1/wrapper"
    chmod +x "$1/wrapper"
}

# local_rank_of FAMILY: the variable in which a wrapper script for this family's launcher finds its place on the node.
local_rank_of() { sed -n "s/^$(implementation_fact "$1" launcher) local_rank //p" "$tables/rank-variables" | sed -n 1p; }

# ranks_of WORD...: what the ranks of a line print, in their order; NAME=VALUE may stand ahead. The input is of rank 0.
ranks_of() {
    local try code
    for ((try = 1; try <= patience; try++)); do
        code=0
        echo typed | "${there[@]}" timeout -k 2 "${limit:-120}" env "$@" > output 2> messages || code=$?
        [ "$code" -eq 124 ] || break
    done
    [ "$code" -eq 0 ] || { echo "status $code"; cat output messages; return 1; }
    sed -n -e 's/^\(rank [0-9]* of .*\)/\1/p' -e 's/^.*[^ ] *\(rank [0-9]* of .*\)/\1, tagged/p' output | sort -n -k2
}

launcher_here() { tool "$1" RUN mpiexec; }

# is_refused TEXT WORD...: the line is, in one message with the text.
is_refused() {
    run --separate-stderr "${there[@]}" env "${@:2}"
    echo "$stderr"
    [ "$status" -ne 0 ] || return
    [ -z "$output" ] || return
    [[ $stderr == *"$1"* ]] || return
    one_line "$stderr"
}

# answers TEXT WORD...: the launcher is asked what it is, which starts nothing, and the answer has the text.
answers() {
    "${there[@]}" timeout -k 2 120 env "${@:2}" > output 2> messages < /dev/null || { echo "status $?"; cat output messages; return 1; }
    grep -F -- "$1" output > /dev/null || { echo "no '$1'"; cat output; return 1; }
}

# without FIELD TEXT: what ranks print, but for a variable.
without() { sed "s/ $1=[^,]*//" <<< "$2"; }

# compare NATIVE TRANSLATED [FIELD]: they are equal; or differ in that field, and in no other.
compare() {
    local native=$1 translated=$2
    [ -n "$native" ] || { echo 'natively, no rank says anything'; return 1; }
    if [ -n "${3-}" ]; then
        [ "$native" != "$translated" ] || { echo "they do not differ in $3"; return 1; }
        native=$(without "$3" "$native") translated=$(without "$3" "$translated")
    fi
    [ "$native" = "$translated" ] || { diff <(echo "$native") <(echo "$translated"); return 1; }
}

# tries FAMILY OTHER LINE WHAT [TEXT], in the folder with the family's files.
tries() {
    local words settings=() field native translated
    read -r -a words <<< "$3"
    echo "$1: ${words[*]}"
    while [[ ${words[0]} =~ ^[A-Z_a-z]+= ]]; do
        settings+=("${words[0]}")
        words=("${words[@]:1}")
    done
    words=("$(launcher_here "$1")" "${words[@]}")
    if [ "$4" = refused ]; then
        is_refused "$5" "${settings[@]}" "$command" exec --to "$2" -- "${words[@]}"
        return
    fi
    if [ "$4" = answers ]; then
        answers "$5" "${settings[@]}" "$command" exec --to "$2" -- "${words[@]}"
        return
    fi
    translated=$(ranks_of "${settings[@]}" "$command" exec --to "$2" -- "${words[@]}") || { echo "translated: $translated"; return 1; }
    if [[ $4 == as* ]]; then
        settings=()
        read -r -a words <<< "$(launcher_here "$1") $5"
    fi
    native=$(ranks_of "${settings[@]}" "${words[@]}") || { echo "natively: $native"; return 1; }
    read -r _ field <<< "$4"
    compare "$native" "$translated" "$field"
}

# lines_of FAMILY MARKS: LINE, WHAT and TEXT of its lines with one of the marks, or that are refused.
lines_of() {
    grep -v '^#' "$lines_table" | awk -F '\t' -v family="$1" -v marks="$2" \
        '$2 == family && (index(marks, "<" $1 ">") || $4 == "refused") { print $3 "\t" $4 "\t" $5 }'
}

# try_lines FAMILY OTHER MARKS: each of them; says how many, and which fail.
try_lines() {
    local text what said failed=0 count=0
    while IFS=$'\t' read -r text what said; do
        count=$((count + 1))
        ( tries "$1" "$2" "$text" "$what" "$said" ) > tried 2>&1 < /dev/null || { cat tried; failed=$((failed + 1)); }
        [ -z "${PROGRESS-}" ] || { echo "$SECONDS $failed $text"; cat tried; } >> $PROGRESS
    done < <(lines_of "$1" "$3")
    echo "$count lines of $1 on $2, $failed failed"
    [ "$failed" -eq 0 ] && [ "$count" -gt 0 ]
}
