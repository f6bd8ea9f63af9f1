# SPDX-License-Identifier: BSD-3-Clause
# Libraries to preload with a host's MPI, from the setting host_preload: a transport for device memory, for one.

host_preload=''         # files, with colons between

# host_preload_key INDEX: sets REPLY to the setting that counts for the pair's host: the environment's, that of the MPI for which
# the pair was made, that of the host's ABI, or that of all hosts.
host_preload_key() {
    REPLY=host_preload
    [[ ${setting_origin[$REPLY]-} != "${setting_variable[$REPLY]}" ]] || return 0
    for REPLY in "host_preload.${conf[$1.host]}@${conf[$1.name]-}" "host_preload.${conf[$1.host]}" host_preload; do
        [[ -z ${setting[$REPLY]-} ]] || return 0
    done
}

# preloaded_file NAME PATH: sets REPLY to the file that the loader takes for a library to preload.
preloaded_file() {
    REPLY=$1
    if [[ $1 == */* ]]; then [[ -f $1 && -r $1 ]]; else trace "$elf_facts" "$2" "$1" && traced_file "$1"; fi
}

# check_host_preload INDEX: sets host_preload to what the host of the pair has to have preloaded, or problem. The loader itself passes
# over what it cannot preload, and the program would go wrong later.
check_host_preload() {
    local name key place path items
    local -A facts=()
    host_preload=''
    host_preload_key "$1"
    key=$REPLY
    place=${setting_origin[$key]-}
    split_colons "${setting[$key]-}"
    library_path_of "$1"
    path=$REPLY
    for name in "${items[@]}"; do
        check_preloaded "$place" "$key" "$name" || return
        if ! preloaded_file "$name" "$path"; then
            problem="$name, which $key ($place) has preloaded, is not found${then}correct the setting, or install it"
            return 1
        fi
        name=$REPLY
        if ! read_facts "$name" || [[ ${facts[linkage]} != library ]] || ! is_own_machine; then
            problem="$name, which $key ($place) has preloaded, is not a library for this machine${then}correct the setting"
            return 1
        fi
        if trace "$name" "$path" '' && traced_missing; then
            problem="$name, which $key ($place) has preloaded, needs $REPLY${then}install that or add its folder to LD_LIBRARY_PATH"
            return 1
        fi
        host_preload+=${host_preload:+:}$name
    done
}

# with_host_preload LIST: sets REPLY to LIST, which is an LD_PRELOAD, with what the host has to have preloaded behind, each once.
with_host_preload() {
    local file items
    REPLY=$1
    split_colons "$host_preload"
    for file in "${items[@]}"; do
        [[ ":${REPLY//[[:space:]]/:}:" == *":$file:"* ]] || REPLY+=${REPLY:+:}$file
    done
}

# Processes that ranks start are no MPI programs: the adapter removes from their LD_PRELOAD the libraries in MPI_ADAPTER_PRELOAD. It
# also tells by that variable whether it is needed itself, so its own libraries are added.
note_host_preload() {
    local list
    [[ -n $host_preload && ${pair_folders[$chosen]} != *[[:space:]]* ]] || return 0
    list=${rank_environment[MPI_ADAPTER_PRELOAD]-}
    [[ -n $list ]] || { preload_list "${conf[$chosen.preload]}"; list=$REPLY; }
    set_for_ranks MPI_ADAPTER_PRELOAD "$list:$host_preload"
}
