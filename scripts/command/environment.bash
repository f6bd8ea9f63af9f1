# SPDX-License-Identifier: BSD-3-Clause
# The environment that ranks need.

declare -A rank_environment=()
rank_names=()

set_for_ranks() {
    rank_names+=("$1")
    rank_environment[$1]=$2
}

# The libraries of the pair that the loader would take from elsewhere,
# because a DT_RPATH beats LD_LIBRARY_PATH.
shadowed_libraries() {
    local i ours
    REPLY=''
    for i in "${!trace_names[@]}"; do
        ours=${pair_folders[$chosen]}/${trace_names[i]}
        [[ -e $ours ]] || continue
        [[ ${trace_paths[i]} -ef $ours ]] || REPLY+=" ${trace_names[i]}"
    done
    [[ -n $REPLY ]]
}

# Open MPI's launcher puts the library folder of its own installation ahead of
# the LD_LIBRARY_PATH that it is told to give.  Sets REPLY to the libraries of
# the pair that it thereby hides.
hidden_by_launcher() {
    local file name base
    REPLY=''
    [[ -n $launcher && $launcher_kind == openmpi ]] || return
    base=$(readlink -f -- "$launcher")
    base=${base%/*}/..
    for file in "${pair_folders[$chosen]}"/*.so*; do
        name=${file##*/}
        [[ -e $base/lib/$name || -e $base/lib64/$name ]] && REPLY+=" $name"
    done
    [[ -n $REPLY ]]
}

# preload_list NAMES: their paths, as LD_PRELOAD wants them, each once.
preload_list() {
    local name list=''
    [[ ${pair_folders[$chosen]} != *[[:space:]]* ]] ||
        die "LD_PRELOAD, which $program needs, cannot hold ${pair_folders[$chosen]}, as its name has a space" \
            'install into another folder'
    for name in $1; do
        [[ :$list: == *":${pair_folders[$chosen]}/$name:"* ]] ||
            list+=${list:+:}${pair_folders[$chosen]}/$name
    done
    REPLY=$list
}

# The environment of the ranks.  $1: yes, to preload whatever the trace says.
make_environment() {
    local path list shadowed=''
    library_path_of "$chosen"
    path=$REPLY
    set_for_ranks LD_LIBRARY_PATH "$path"
    [[ $host_library_is_named == no ]] ||
        set_for_ranks MPI_ADAPTER_HOST_LIBRARY "$host_library"
    [[ ${setting_origin[mpi_version]-MPI_ADAPTER_MPI_VERSION} == MPI_ADAPTER_MPI_VERSION ]] ||
        set_for_ranks MPI_ADAPTER_MPI_VERSION "${setting[mpi_version]}"
    if [[ -n $subject ]]; then
        trace "$subject" "$path" "${LD_PRELOAD-}"
        shadowed_libraries && shadowed=$REPLY
    fi
    hidden_by_launcher && shadowed+=$REPLY
    [[ $1 == yes || -n $shadowed ]] || return 0
    preload_list "${conf[$chosen.preload]}$shadowed"
    list=$REPLY
    # Behind what the user preloads: a tool that defines MPI_X and calls
    # PMPI_X must stay ahead of the adapter, which defines both.
    set_for_ranks LD_PRELOAD "${LD_PRELOAD-}${LD_PRELOAD:+:}$list"
    set_for_ranks MPI_ADAPTER_PRELOAD "$list"
    [[ -n $subject ]] || return 0
    trace "$subject" "$path" "${rank_environment[LD_PRELOAD]}"
    shadowed_libraries &&
        die "$program loads${REPLY} from a fixed place that nothing overrides" \
            'link it again, or remove the path with patchelf'
    return 0
}

explain_choice() {
    pair_name "$chosen"
    note "pair $REPLY in ${pair_folders[$chosen]}"
    note "host library $host_library"
    [[ -n $launcher ]] && note "launcher $launcher"
    local name
    for name in "${rank_names[@]}"; do
        note "ranks get $name=${rank_environment[$name]}"
    done
}
