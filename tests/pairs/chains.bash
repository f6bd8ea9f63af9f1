# SPDX-License-Identifier: BSD-3-Clause
# Shared by the tests of adapters that are each other's host. Every chain is tried whose first family has a compiler here, and
# whose last one is on this machine.
# shellcheck disable=SC2034,SC2154  # used where this is loaded; set by ../pair

load ../pair
: "${TEST_TIMEOUT:=120}"
choose_windows
choose_messages

chains() {
    local chain
    while read -r chain; do
        if is_wanted "$chain" && is_native "$(family_of "$chain")" && is_native "$(host_of "$chain")"; then echo "$chain"; fi
    done < <(chain_modes)
}

# use_chain CHAIN: what follows is about it. The pair in use is the outer one, the program's; host is the
# innermost's.
use_chain() {
    chain=$1
    use_pair "$(pairs_of "$chain" | tail -n 1)"
    inner_pair=$pair inner=$adapter inner_folder=$folder
    use_pair "$(pairs_of "$chain" | sed -n 1p)"
    host=$(host_of "$chain")
    path=$folder:$inner_folder
    launcher=$(tool "$host" EXEC mpiexec)
}

# for_each_chain FUNCTION ARGUMENT...: calls it for every chain, in the folder of its own that setup_file() made.
for_each_chain() {
    local name folders=$PWD
    for name in $(chains); do
        echo "$name:"
        use_chain "$name"
        mkdir -p "$folders/$name"
        cd "$folders/$name" || return
        "$@"
        cd "$folders" || return
    done
}

# stacked COMMAND...: one process.
stacked() {
    LD_LIBRARY_PATH=$path timeout "$TEST_TIMEOUT" "$@"
}

# on_stack RANKS [NAME=VALUE]... -- COMMAND...
on_stack() {
    local ranks=$1
    shift
    start_ranks "$host" "$ranks" "LD_LIBRARY_PATH=$path" "$@"
}

# refused COMMAND...: the program stops before it does anything, with one line on stderr.
refused() {
    run --separate-stderr "$@"
    [ "$status" -eq 1 ] && [ -z "$output" ] || { echo "status $status, output $output $stderr"; return 1; }
    one_line "$stderr"
}

# host_path: the innermost host's library.
host_path() {
    LD_LIBRARY_PATH='' "$CC" -print-file-name="$(family_fact "$host" soname)"
}
