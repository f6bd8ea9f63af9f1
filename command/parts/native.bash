# SPDX-License-Identifier: BSD-3-Clause
# Programs that need no pair: those of an ABI that several implementations have, MPI's standard ABI, where one of them is there;
# and those whose own MPI is there, unless something says that they are to run on another one (own.bash).

native=no               # whether the program runs so

# is_shared ABI: whether it is no single implementation's own.
is_shared() { [[ ${family_facts[$1.implementations]-} == *' '* ]]; }

# may_be_native ABI: whether what was found of the program leaves it to this command on which MPI of its own ABI it runs, and how.
may_be_native() { is_shared "$1" || [[ ${#other_names[@]} -gt 0 ]]; }

# named_first ABI: sets REPLY to the names of its library, those that the program needs first.
named_first() {
    local name named='' others=''
    [[ -z $subject ]] || trace "$subject" "${LD_LIBRARY_PATH-}" '' || trace_names=()
    for name in ${family_facts[$1.libraries]}; do
        if [[ -n $subject ]] && has_word "$name" "${trace_names[*]}"; then named+="$name "; else others+="$name "; fi
    done
    REPLY=$named$others
    REPLY=${REPLY% }
}

# Fills conf with what would stand in a pair's description; it has no folder. Sets chosen to its index.
describe_native() {
    local name
    chosen=${#pair_folders[@]}
    conf[$chosen.host]=$1
    named_first "$1"
    conf[$chosen.host_libraries]=$REPLY
    conf[$chosen.implementations]=${family_facts[$1.implementations]}
    name=${family_facts[$1.implementations]%% *}
    conf[$chosen.launchers]=${implementation_facts[$name.launchers]}
    conf[$chosen.launcher_kind]=${implementation_facts[$name.launcher]}
    for name in ${family_facts[$1.implementations]}; do
        conf[$chosen.${name}_launchers]=${implementation_facts[$name.launchers]}
        conf[$chosen.${name}_launcher_kind]=${implementation_facts[$name.launcher]}
    done
}

# check_native ABI CHECK LAUNCHER: whether an MPI of this ABI is there and, unless CHECK is no, its launcher, which
# is the one that the user wants, if any. Sets chosen, or problem.
check_native() {
    describe_native "$1"
    check_host_library "$chosen" || return
    if belongs_to_pair "$host_library"; then
        problem="$host_library belongs to a pair and is not an MPI of the ABI $1${then}leave out --to"
        host_library=''
        return 1
    fi
    has_its_numbers "$1" && has_its_variables "$1" && has_own_libraries "$1" || return
    [[ $2 == no ]] || check_launcher "$chosen" "$3"
}

# earlier_fortran ABI: sets REPLY to a library for Fortran that the program needs by an earlier release's name, or fails. Such a program
# numbers datatypes as that release did.
earlier_fortran() {
    local name fortran=${family_facts[$1.fortran_library]-}
    for name in "${other_names[@]}"; do
        is_earlier_name "$name" "$1" || continue
        library_of_today "$name" "$1"
        has_word "$REPLY" "${fortran//,/ }" || continue
        REPLY=$name
        return
    done
    return 1
}

# has_variables ABI: whether the program's mpi_f08 has variables for handles, as earlier releases have them.
has_variables() {
    local word words
    read -r -a words <<< "${family_facts[$1.fortran_constants]-}"
    [[ -n $subject && ${#words[@]} -gt 0 ]] && refers_by "$subject" "${words[@]%%\{*}"
}

# lacks_variables ABI: whether the program needs such a variable, and no library has it that the loader finds.
lacks_variables() {
    local path symbol defined='' word words
    has_variables "$1" || return
    read -r -a words <<< "${family_facts[$1.fortran_constants]-}"
    trace "$subject" "${LD_LIBRARY_PATH-}" "${LD_PRELOAD-}"
    for path in "${trace_paths[@]}"; do
        [[ -z $path ]] || defined+=$'\n'$("$elf_facts" --defines "$path" 2> /dev/null)
    done
    while read -r _ symbol; do
        for word in "${words[@]%%\{*}"; do
            [[ $symbol != "$word"* || $defined$'\n' == *" $symbol"$'\n'* ]] || return 0
        done
    done < <(symbols_of "$subject")
    return 1
}

# early_library ABI NAME: sets REPLY to a library of that name that programs of earlier releases need, or fails.
early_library() {
    pair_of_stand_ins "$1" || return
    REPLY=${pair_folders[$REPLY]}/stand-ins/$2.so
    [[ -e $REPLY && $REPLY != *[[:space:]:]* ]]
}

# Programs of earlier releases may need their numbers, or variables, on an MPI of their own ABI. Sets REPLY to a library to preload, or
# fails.
for_earlier_release() {
    if earlier_fortran "$abi"; then early_library "$abi" earlier_numbers; else has_variables "$abi" && early_library "$abi" f08_variables; fi
}

# has_its_numbers ABI: whether the program's numbers of datatypes in Fortran are those of releases of today, or can be. Sets problem.
has_its_numbers() {
    local name family=${family_facts[$1.called]-$1} REPLY
    earlier_fortran "$1" || return 0
    name=$REPLY
    early_library "$1" earlier_numbers && return
    problem="$program needs $name of an earlier $family, which numbers datatypes in Fortran otherwise than that of $host_library${then}run it on another MPI"
    host_library=''
    return 1
}

# has_its_variables ABI: whether the program refers to no data of an earlier release's mpi_f08 that no release of today has. Sets problem.
has_its_variables() {
    local word family=${family_facts[$1.called]-$1} names
    [[ -n $subject && -n ${family_facts[$1.lost]-} ]] && has_word "${family_facts[$1.lost_by]}" "${other_names[*]}" || return 0
    names=$'\n'$(symbols_of "$subject")$'\n'
    for word in ${family_facts[$1.lost]}; do
        [[ $names == *" ${word#*=}"$'\n'* ]] || continue
        problem="$program refers to ${word#*=} of an earlier $family's mpi_f08, which no $family of today has${then}run it on another MPI"
        host_library=''
        return 1
    done
}

# pair_of_stand_ins ABI: sets REPLY to the index of an installed pair that has stand-ins for what programs of this ABI need besides their
# MPI, or fails.
pair_of_stand_ins() {
    for REPLY in "${!pair_folders[@]}"; do
        [[ ${conf[$REPLY.application]} != "$1" || -z ${conf[$REPLY.stand_ins]-} ]] || return 0
    done
    return 1
}

# own_library_path ABI: sets REPLY to the LD_LIBRARY_PATH of the program on an MPI of its own ABI: with stand-ins for what that one does
# not have, or has by another name.
own_library_path() {
    local path
    library_path_of "$chosen"
    path=$REPLY
    if [[ -n $subject ]] && pair_of_stand_ins "$1"; then with_stand_ins "$REPLY" "$path"; else REPLY=$path; fi
}

# has_own_libraries ABI: whether the loader finds each library that the program needs of its MPI, or a link will lead to it, which a
# DT_RPATH may hide. Sets problem.
has_own_libraries() {
    local i name REPLY
    [[ -n $subject ]] || return 0
    own_library_path "$1"
    trace "$subject" "$REPLY" ''
    for i in "${!trace_names[@]}"; do
        name=${trace_names[i]}
        if has_word "$name" "${other_names[*]}" && [[ -n ${trace_paths[i]} ]] && ! library_serves "${trace_paths[i]}" "$1"; then
            problem="$program loads ${trace_paths[i]}, which is no library of ${family_facts[$1.called]-$1}${then}remove the path to it with patchelf"
            host_library=''
            return 1
        fi
        has_word "$name" "${family_facts[$1.needs]-}" && [[ -z ${trace_paths[i]} ]] || continue
        has_word "$name" "${other_names[*]} ${family_facts[$1.libraries]} ${family_facts[$1.fortran_made]-}" && continue
        problem="$program needs $name, which the ${family_facts[$1.called]-$1} of $host_library does not have${then}run it on another MPI"
        host_library=''
        return 1
    done
}

# has_procedures ABI: whether the MPI that was found has the procedures and the data in C that the program needs, by whatever name the
# program needs its library. Sets problem.
has_procedures() {
    local missing REPLY
    [[ -n $subject ]] || return 0
    own_library_path "$1"
    missing=$("$elf_facts" --unbound "$REPLY" "$host_library${LD_PRELOAD:+:$LD_PRELOAD}" 'MPI_ PMPI_' "$subject" 2> /dev/null)
    [[ -n $missing ]] || return 0
    missing=${missing%%$'\n'*}
    problem="$host_library lacks ${missing##*$'\t'}, which $program needs${then}run it on another MPI"
    return 1
}

# chosen_natively ABI TO CHECK LAUNCHER: whether the program needs no pair. One that is wanted on its own ABI
# must not need one. Sets problem to what keeps an MPI that is there from running it.
chosen_natively() {
    problem=''
    [[ $2 == "$1" ]] || { [[ -z $2 ]] && may_be_native "$1"; } || return
    [[ -n ${family_facts[$1.libraries]-} ]] || return
    check_native "$1" "$3" "$4" && { [[ -n $2 ]] || has_procedures "$1"; } && native=yes && return
    [[ -z $2 ]] || die_of_problem "$problem"
    chosen=''
    # The launcher of a line says which MPI is meant.
    [[ -n $host_library ]] || { [[ $command == exec ]] && starts_abi "$1"; } || problem=''
    return 1
}

# runs_itself ABI TO CHECK LAUNCHER: whether a program is run by its own MPI, as no pair has one here. If not, problem is left.
runs_itself() {
    local kept=$problem
    [[ -z $has_host && -z $2 && -n ${family_facts[$1.libraries]-} ]] && check_native "$1" "$3" "$4" && native=yes && return
    chosen=''
    problem=$kept
    return 1
}

# choose_host CHECK LAUNCHER: what the program runs on, and the environment that its ranks need for that.
choose_host() {
    local host
    reject_refused
    chosen_host
    host=$REPLY
    if chosen_natively "$abi" "$host" "$@" || prefers_own "$abi" "$host" "$2"; then
        native_environment
        check_versions_of_program || die_of_problem "$problem"
        [[ $own_is_preferred == no ]] || tell_unheeded
    elif choose_pair "$abi" "$host" "$@" "$problem"; then
        make_environment "${given[--preload]-no}"
        check_versions_of_program && check_tools_of_program || die_of_problem "$problem"
    elif runs_itself "$abi" "$host" "$@"; then
        note "no pair runs $program here, so its own MPI does"
        native_environment
    else
        die_of_problem "$problem"
    fi
    let_sanitizer_follow
    note_kind "$native"
    [[ -z $chosen_module ]] || set_for_ranks "${chosen_module%%=*}" "${chosen_module#*=}"
    tell_bundles
    explain_choice
}

# lacks_fortran LIBRARY_PATH: whether the program needs the library for Fortran that MPI-Adapter has for its ABI, and the loader
# finds none by this path.
lacks_fortran() {
    local i
    trace "$subject" "$1" ''
    for i in "${!trace_names[@]}"; do
        [[ ${trace_names[i]} != "${family_facts[$abi.fortran_made]-}" ]] || { [[ -z ${trace_paths[i]} ]]; return; }
    done
    return 1
}

# tell_native_stand_ins PATH
tell_native_stand_ins() {
    [[ -n $subject ]] && pair_of_stand_ins "$abi" || return 0
    trace "$subject" "$1" ''
    tell_stand_ins "$REPLY"
}

# The environment in which ranks find the chosen library, if the loader would take another one.
native_environment() {
    local path links leading preload
    check_host_preload "$chosen" || die_of_problem "$problem"
    with_host_preload "${LD_PRELOAD-}"
    preload=$REPLY
    ! for_earlier_release || preload+=${preload:+:}$REPLY
    [[ $preload == "${LD_PRELOAD-}" ]] || set_for_ranks LD_PRELOAD "$preload"
    own_library_path "$abi"
    path=$REPLY
    host_links
    [[ -z $links ]] || { prepended "$links" "$path"; path=$REPLY; }
    ! lacks_fortran "$path" || path+=${path:+:}$home/fortran
    [[ $path == "${LD_LIBRARY_PATH-}" ]] || set_for_ranks LD_LIBRARY_PATH "$path"
    tell_native_stand_ins "$path"
    # Another module than the one that was found may be the one that is loaded.
    if [[ $abi_is_late == yes ]] && can_be_guarded; then
        preload+=${preload:+:}$guard
        set_for_ranks LD_PRELOAD "$preload"
        set_for_ranks MPI_ADAPTER_PRELOAD "$guard"
    fi
    # Links lead to the very file.
    if [[ ${#other_names[@]} -gt 0 ]]; then
        [[ -z $leading ]] || set_for_ranks LD_PRELOAD "$preload${preload:+:}$leading"
        return
    fi
    # By the name that programs ask for, which the file need not have.
    find_library "$chosen" "${conf[$chosen.host_libraries]%% *}" && [[ $REPLY -ef $host_library ]] && return
    [[ $host_library != *[[:space:]:]* ]] ||
        die "LD_PRELOAD cannot hold $host_library, as its name has a space or a colon" \
            'put its folder ahead in LD_LIBRARY_PATH instead'
    set_for_ranks LD_PRELOAD "$preload${preload:+:}$host_library"
}
