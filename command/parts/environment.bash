# SPDX-License-Identifier: BSD-3-Clause
# The environment that ranks need.

declare -A rank_environment=()
rank_names=()

set_for_ranks() {
    [[ -n ${rank_environment[$1]+set} ]] || rank_names+=("$1")
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

# is_in_folders NAME BASE FOLDERS
is_in_folders() {
    local folder
    for folder in $3; do
        [[ ! -e $2/$folder/$1 ]] || return 0
    done
    return 1
}

# Some launchers put library folders of their own installation ahead of the
# LD_LIBRARY_PATH that they are told to give.  Sets REPLY to the libraries of
# the pair that are thereby hidden; those for Fortran only if they are needed.
hidden_by_launcher() {
    local file name base ahead
    launcher_fact "$launcher_kind" ahead
    ahead=$REPLY
    REPLY=''
    [[ -n $launcher && -n $ahead ]] || return
    base=$(readlink -f -- "$launcher")
    base=${base%/*}/..
    for file in "${pair_folders[$chosen]}"/*.so*; do
        [[ ! -L $file ]] || continue
        name=${file##*/}
        is_in_folders "$name" "$base" "$ahead" || continue
        ! has_word "$name" "${conf[$chosen.fortran]-}" || has_word "$name" "${trace_names[*]}" || continue
        REPLY+=" $name"
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

# Within a rank of another run, what that one preloads is not the user's.
forget_outer_run() {
    local part items kept=''
    [[ -n ${MPI_ADAPTER_PRELOAD-} ]] || return 0
    split_colons "${LD_PRELOAD-}"
    for part in "${items[@]}"; do
        [[ :$MPI_ADAPTER_PRELOAD: == *":$part:"* ]] || kept+=${kept:+:}$part
    done
    LD_PRELOAD=$kept
    [[ -n $kept ]] || unset LD_PRELOAD
    unset MPI_ADAPTER_PRELOAD MPI_ADAPTER_LIBRARY_PATH
}

# Whether the loader finds none of the pair's libraries among the needs of the
# program that is started first: it is a script, starts another or opens one.
loads_mpi_late() {
    local name
    [[ -n $subject ]] || return
    [[ $subject_is_script == no && $started_by_other == no ]] || return 0
    for name in "${trace_names[@]}"; do
        [[ ! -e ${pair_folders[$chosen]}/$name && ( -z ${links-} || ! -e $links/$name ) ]] || return
    done
}

# can_be_guarded: whether ranks can have guard.so preloaded; says why not.
can_be_guarded() {
    [[ -r $guard ]] || die "$guard is missing" 'install mpi-adapter again'
    [[ $guard == *[[:space:]]* ]] || return 0
    say "LD_PRELOAD cannot hold $guard, as its name has a space, so another MPI that $program finds by a path of its own goes unnoticed${then}install into another folder"
    return 1
}

# Preloads guard.so: a wrapper between the launcher and MPI may change the environment, and a module may open its MPI by a path.
guard_ranks() {
    local file list=$guard
    can_be_guarded || return 0
    for file in ${conf[$chosen.preload]}; do
        list+=:${pair_folders[$chosen]}/$file
    done
    for file in "${pair_folders[$chosen]}"/*.so*; do
        [[ -L $file || :$list: == *":$file:"* ]] || list+=:$file
    done
    list+=${host_preload:+:}$host_preload
    file=${rank_environment[LD_PRELOAD]-${LD_PRELOAD-}}
    set_for_ranks LD_PRELOAD "$file${file:+:}$guard"
    set_for_ranks MPI_ADAPTER_PRELOAD "$list"
    set_for_ranks MPI_ADAPTER_LIBRARY_PATH "${rank_environment[LD_LIBRARY_PATH]}"
}

# The run time of the address sanitizer ends a program where anything is preloaded ahead of it. The guard has it go on; a variable does
# where the program has options of its own, which the guard's would replace.
let_sanitizer_follow() {
    local list=${rank_environment[LD_PRELOAD]-}
    [[ -n $subject && -n $list ]] || return 0
    trace "$subject" "${rank_environment[LD_LIBRARY_PATH]-${LD_LIBRARY_PATH-}}" "$list"
    [[ " ${trace_names[*]}" == *[\ /]lib@(asan|clang_rt.asan)* ]] || return 0
    if [[ $("$elf_facts" --defines "$subject" 2> /dev/null)$'\n' == *' __asan_default_options'$'\n'* ]]; then
        set_for_ranks ASAN_OPTIONS "verify_asan_link_order=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
    elif [[ :$list: == *":$guard:"* ]]; then
        return
    elif [[ $native == no ]]; then
        guard_ranks
    elif can_be_guarded; then
        set_for_ranks LD_PRELOAD "$list:$guard"
    fi
}

# adapted_preload LIST: sets REPLY to LIST, which is an LD_PRELOAD, with the pair's libraries in place of those of their names. People preload
# their MPI for modules that need its symbols.
adapted_preload() {
    local file folder=${pair_folders[$chosen]} items list='' changed=no
    REPLY=$1
    [[ $1 == */* && $folder != *[[:space:]]* ]] || return 0
    split_colons "${1//[[:space:]]/:}"
    for file in "${items[@]}"; do
        [[ $file != */* || ! -e $folder/${file##*/} ]] || { file=$folder/${file##*/} changed=yes; }
        list+=${list:+:}$file
    done
    [[ $changed == no ]] || REPLY=$list
}

# stand_in_folder INDEX PATH NAME: sets REPLY to the folder of the pair's stand-in for NAME: the one that leads to the bindings
# by another name, if the loader finds them by PATH.
stand_in_folder() {
    local other folder=${pair_folders[$1]}/stand-ins/$3
    for other in ${conf[$1.stand_ins]}; do
        [[ $other != "$3" ]] && trace "$elf_facts" "$2" "$other" && traced_file "$other" || continue
        folder+=/by-$other
        break
    done
    REPLY=$folder
}

# with_stand_ins INDEX PATH: sets REPLY to PATH with the folders of the pair's stand-ins for what the subject needs and the
# loader does not find by PATH. Only then, and last: what it finds behind LD_LIBRARY_PATH is the program's own.
with_stand_ins() {
    local i name path=$2 missing=''
    REPLY=$2
    [[ -n ${conf[$1.stand_ins]-}${conf[$1.runtime]-} ]] || return 0
    trace "$subject" "$2" "${LD_PRELOAD-}"
    for i in "${!trace_names[@]}"; do
        [[ -n ${trace_paths[i]} ]] || missing+=" ${trace_names[i]}"
    done
    for name in ${conf[$1.stand_ins]-}; do
        has_word "$name" "$missing" && stand_in_folder "$1" "$2" "$name" && path+=${path:+:}$REPLY
    done
    # If the loader finds one of these, launchers and compilers need it, and ours does not fit them.
    for name in ${conf[$1.runtime]-}; do
        ! has_word "$name" "$missing" || path+=${path:+:}${pair_folders[$1]}/stand-ins/$name
    done
    REPLY=$path
}

# Sets REPLY to a name of MPI's classes for C++ to which the program refers and that nothing has that it loads, or fails.
missing_class_member() {
    local path symbol defined=''
    for path in "$subject" "${trace_paths[@]}"; do
        [[ -z $path ]] || defined+=$'\n'$("$elf_facts" --defines "$path" 2> /dev/null)
    done
    while read -r _ symbol; do
        [[ $symbol != _Z*N3MPI* && $symbol != _ZNK3MPI* || $defined$'\n' == *" $symbol"$'\n'* ]] && continue
        REPLY=$symbol
        return
    done < <("$elf_facts" --imports "$subject" 2> /dev/null)
    return 1
}

# tell_stand_ins INDEX: says which of the libraries that the trace has are the pair's stand-ins, and whose program cannot do with one.
tell_stand_ins() {
    local i name served=''
    for i in "${!trace_names[@]}"; do
        name=${trace_names[i]}
        has_word "$name" "${conf[$1.stand_ins]-}" && [[ -n ${trace_paths[i]} ]] || continue
        if [[ ${trace_paths[i]} == "${pair_folders[$1]}/stand-ins/"* ]]; then
            note "$name is not found; the stand-in ${trace_paths[i]} serves"
            served=$name
        else
            note "bindings for C++ ${trace_paths[i]}"
        fi
    done
    [[ -n $served ]] && missing_class_member || return 0
    say "$program uses MPI's classes for C++, as $REPLY, and $served, which has them, is not found${then}install it or add its folder to LD_LIBRARY_PATH"
}

# unmet_versions PATH PRELOAD: prints what is loaded for the subject and needs a version that another file lacks, that file and the
# version, the newest first.
unmet_versions() { "$elf_facts" --unmet "$1" "$2" "$subject" 2> /dev/null | sort -s -t $'\t' -k 3rV; }

# newest_version FILE VERSION: sets REPLY to words for the highest that FILE has of VERSION's kind.
newest_version() {
    local lines line kind=${2%%_[0-9]*}_
    REPLY=''
    mapfile -t lines < <("$elf_facts" --versions "$1" | sort -V)
    for line in "${lines[@]}"; do
        [[ $line != "defined $kind"[0-9]* ]] || REPLY=${line#defined }
    done
    REPLY=${REPLY:-none}${REPLY:+ at most}
}

# Whether the loader will start the subject in the environment of the ranks. Sets problem.
check_versions_of_program() {
    local by library version
    [[ -n $subject ]] || return 0
    IFS=$'\t' read -r by library version < <(unmet_versions "${rank_environment[LD_LIBRARY_PATH]-${LD_LIBRARY_PATH-}}" "${rank_environment[LD_PRELOAD]-${LD_PRELOAD-}}") &&
        [[ -n $by ]] || return 0
    newest_version "$library" "$version"
    problem="$by needs $version of $library, and that has $REPLY${then}use a system as new as the program's, or a program that was built on an older one"
    return 1
}

# Whether no tool that the ranks load looks behind handles that are another MPI's. Sets problem.
check_tools_of_program() {
    local word name file tool procedure called
    [[ -n $subject && -n ${family_facts[$abi.reads]-} ]] || return 0
    trace "$subject" "${rank_environment[LD_LIBRARY_PATH]-${LD_LIBRARY_PATH-}}" "${rank_environment[LD_PRELOAD]-${LD_PRELOAD-}}" || return 0
    for word in ${family_facts[$abi.reads]}; do
        tool='' procedure=${word#*=}
        for name in "${trace_names[@]}"; do
            # shellcheck disable=SC2053  # a pattern
            [[ ${name##*/} != ${word%%=*} ]] || tool=${name##*/}
        done
        [[ -n $tool ]] || continue
        for file in "$subject" "${trace_paths[@]}"; do
            [[ -n $file && $file != "${pair_folders[$chosen]}"/* ]] && "$elf_facts" --imports "$procedure" "$file" 2> /dev/null || continue
            called=${family_facts[$abi.called]-$abi}
            problem="$program loads $tool, which looks into what $procedure makes, as only $called makes it${then}run it on $called with --to $abi, or without the library"
            return 1
        done
    done
}

# find_conflicts PATH PRELOAD: of libraries that the subject and the host's MPI both bring, sets REPLY to those of the host's that serve both
# if they are there first, as a list for LD_PRELOAD; or problem, where nothing serves both. Each gets its own of all others.
find_conflicts() {
    local kind file text list=''
    REPLY=''
    [[ -n $subject && -n $host_library ]] || return 0
    while IFS=$'\t' read -r kind file text; do
        case $kind in
        refused)
            problem="$text${then}give the program a newer one"
            return 1
            ;;
        preload)
            [[ $file != *[[:space:]:]* ]] || continue
            list+=${list:+:}$file
            ;&
        *) note "both bring $text" ;;
        esac
    done < <("$elf_facts" --conflicts "$1" "$2" "${pair_folders[$chosen]}" "$host_library" "$subject" 2> /dev/null)
    REPLY=$list
}

# The environment of the ranks.  $1: yes, to preload whatever the trace says.
make_environment() {
    local name path list late=no shadowed='' links leading unknown preload
    pair_links "$chosen"
    library_path_of "$chosen"
    [[ -z $subject ]] || with_stand_ins "$chosen" "$REPLY"
    path=$REPLY
    [[ -z $links ]] || path+=:$links
    set_for_ranks LD_LIBRARY_PATH "$path"
    check_host_preload "$chosen" || die_of_problem "$problem"
    adapted_preload "${LD_PRELOAD-}"
    with_host_preload "$REPLY"
    preload=$REPLY
    find_conflicts "$path" "$preload" || die_of_problem "$problem"
    preload+=${REPLY:+${preload:+:}}$REPLY
    [[ $preload == "${LD_PRELOAD-}" ]] || set_for_ranks LD_PRELOAD "$preload"
    [[ $host_library_is_named == no ]] ||
        set_for_ranks MPI_ADAPTER_HOST_LIBRARY "$host_library$host_library_behind"
    for name in mpi_release mpi_version; do
        [[ ${setting_origin[$name]-${setting_variable[$name]}} == "${setting_variable[$name]}" ]] ||
            set_for_ranks "${setting_variable[$name]}" "${setting[$name]}"
    done
    [[ -z $unknown ]] || set_for_ranks MPI_ADAPTER_NAMES "$unknown"
    if [[ -n $subject ]]; then
        trace "$subject" "$path" "$preload"
        tell_stand_ins "$chosen"
        shadowed_libraries && shadowed=$REPLY
        # A library that the program's RPATH hides is preloaded. Who starts the program may replace what is preloaded.
        [[ -n $shadowed && $subject_is_script == no && $started_by_other == no ]] || ! loads_mpi_late || late=yes
    fi
    hidden_by_launcher && shadowed+=$REPLY
    # By their own names they are in the pair's folder, where the adapter looks for its parts.
    shadowed+=$leading
    if [[ $1 != yes && -z $shadowed ]]; then
        if [[ $late == yes ]]; then guard_ranks; else note_host_preload; fi
        return
    fi
    preload_list "${conf[$chosen.preload]}$shadowed"
    list=$REPLY
    # Behind what the user preloads: a tool that defines MPI_X and calls
    # PMPI_X must stay ahead of the adapter, which defines both.
    set_for_ranks LD_PRELOAD "$preload${preload:+:}$list"
    set_for_ranks MPI_ADAPTER_PRELOAD "$list"
    note_host_preload
    [[ -n $subject ]] || return 0
    trace "$subject" "$path" "${rank_environment[LD_PRELOAD]}"
    shadowed_libraries &&
        die "$program loads${REPLY} from a fixed place that nothing overrides" \
            'link it again, or remove the path with patchelf'
    # Libraries for Fortran, whose names C programs may not see, are the guard's to load.
    [[ $late == no ]] || guard_ranks
}

explain_choice() {
    if [[ $native == yes ]]; then
        note "no pair is needed, as an MPI of the ABI $abi is here"
    else
        pair_name "$chosen"
        note "pair $REPLY in ${pair_folders[$chosen]}"
        tell_idle_variables
    fi
    note "host library $host_library"
    [[ -n $launcher ]] && note "launcher $launcher"
    local name
    for name in "${rank_names[@]}"; do
        note "ranks get $name=${rank_environment[$name]}"
    done
}
