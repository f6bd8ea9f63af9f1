# SPDX-License-Identifier: BSD-3-Clause
# Programs whose own MPI is here, whole, with its launcher: `run` starts them on that one, unless something says that they are to run on
# another. `check` and `explain` say the same.

own_serves=yes          # no: programs of one line do not all run on the first one's MPI
own_is_preferred=no     # whether the command chose the own MPI itself

# own_file ABI: sets REPLY to the file that loads the program's MPI: the program, or what its interpreter will load; or to nothing if
# that is not known.
own_file() {
    REPLY=$subject
    trace "$subject" "${LD_LIBRARY_PATH-}" '' && knows_mpi "$subject" && return
    [[ -n ${late_files[$1]-} ]] || find_late_abis
    REPLY=${late_files[$1]-}
}

# is_named: whether a setting names the library that was found. Ranks get it, whatever the loader finds.
is_named() { [[ -n ${setting[host_library]-}$host_prefix ]]; }

# loads_library FILE ABI: whether the dynamic loader takes host_library for what FILE needs, and not another file of that MPI.
loads_library() {
    local i REPLY any=1
    ! is_named || return 0
    own_library_path "$2"
    trace "$1" "$REPLY" "${LD_PRELOAD-}" || return
    for i in "${!trace_names[@]}"; do
        has_word "${trace_names[i]}" "${family_facts[$2.libraries]}" || continue
        [[ ${trace_paths[i]} -ef $host_library ]] || return
        any=0
    done
    return $any
}

# misses_procedures FILE ABI: whether FILE, or a library of its own, calls procedures of MPI that this one does not have, as that of an
# earlier release may not.
misses_procedures() {
    local missing preload=${LD_PRELOAD-}
    ! is_named || preload=$host_library${preload:+:$preload}
    own_library_path "$2"
    missing=$("$elf_facts" --unbound "$REPLY" "$preload" "MPI_ PMPI_ MPIX_ PMPIX_ mpi_ pmpi_ ${family_facts[$2.objects]-}" "$1" 2> /dev/null)
    [[ -n $missing ]]
}

# find_own FILE ABI: whether an MPI of the ABI is here, one that the site's host_prefixes name if they name any, and has all that FILE, if
# known, needs of it.
find_own() {
    local subject=${1:-$subject}
    check_native "$2" no '' && [[ -z ${setting[host_prefixes]-} || -n $host_prefix ]] || return
    [[ -z $1 ]] || { loads_library "$1" "$2" && ! misses_procedures "$1" "$2"; }
}

# is_in_prefix FILE LAUNCHER: whether a library is of the installation that a launcher is of.
is_in_prefix() {
    local top=${2%/*/*}
    [[ $2 == */*/* && -n $top && $1 == "$top"/* ]] && [[ $top != /usr || $1 != /usr/local/* ]]
}

# starts_library FILE: whether the launcher that was found, by whatever link, is of the installation that a library is of. A batch
# system's starts every MPI.
starts_library() {
    local file launcher_file=$launcher
    ! is_batch "$launcher_kind" || return 0
    for file in "$1" "$(readlink -e -- "$1")"; do
        is_in_prefix "$file" "$launcher_file" || is_in_prefix "$file" "$(readlink -e -- "$launcher_file")" && return
    done
    return 1
}

# find_own_launcher LAUNCHER: that of the library's installation, or the one that the user wants.
find_own_launcher() {
    local name prefix=${host_library%/*}
    prefix=${prefix%/lib*}
    for name in ${conf[$chosen.launchers]}; do
        [[ -x $prefix/bin/$name && $prefix != /usr && $prefix != "$host_prefix" ]] || continue
        host_prefix=$prefix
    done
    check_launcher "$chosen" "$1" && { [[ -n $1 ]] || starts_library "$host_library"; }
}

# meets_other_mpi ABI: whether LD_LIBRARY_PATH, in which a module puts the MPI that it stands for, has one that a pair runs programs of
# this ABI on, and not their own.
meets_other_mpi() {
    local index folder items names
    ! is_named || return
    split_colons "${LD_LIBRARY_PATH-}"
    for folder in "${items[@]}"; do
        [[ ! $folder -ef ${host_library%/*} ]] || return
    done
    for index in "${!pair_folders[@]}"; do
        [[ ${conf[$index.application]} == "$1" ]] || continue
        read -r -a names <<< "${conf[$index.host_libraries]}"
        library_in_path "$index" "${names[@]}" && return
    done
    return 1
}

# is_left_to_command ABI TO: whether the command chooses the MPI: no option, variable or setting does, and files tell the ABI. The
# launch line chooses for `exec`, and `env` is asked for what adapts.
is_left_to_command() {
    [[ $command == run || $command == check || $command == explain ]] && [[ $own_serves == yes && -z $2 && $abi_is_guess == no ]] &&
        [[ ${given[--preload]-no} == no && -n ${family_facts[$1.libraries]-} ]]
}

# tell_unheeded: names the variables that ask for what a pair does, as none runs the program.
tell_unheeded() {
    local name names=()
    for name in MPI_ADAPTER_HOST_TOOLS MPI_ADAPTER_REPORT MPI_ADAPTER_STATS MPI_ADAPTER_TRACE MPI_ADAPTER_VERBOSE; do
        [[ -z ${!name-} ]] || names+=("$name")
    done
    [[ ${#names[@]} -gt 0 ]] || return 0
    joined ' and ' "${names[@]}"
    say "$REPLY: no effect, as $program runs on its own MPI without a pair${then}give --to ABI for another MPI"
}

# prefers_own ABI TO LAUNCHER: whether the program's own MPI runs it. Another one is meant by what the user or the site says: an option, a
# setting, a launcher, or a module. problem stays as it was.
prefers_own() {
    local kept=$problem
    is_left_to_command "$1" "$2" || return
    own_file "$1"
    find_own "$REPLY" "$1" && ! meets_other_mpi "$1" && find_own_launcher "$3" &&
        native=yes own_is_preferred=yes problem=$kept && return
    chosen='' launcher='' launcher_kind='' host_library='' problem=$kept
    return 1
}
