# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter explain: what a program was built against, and what would become
# of its calls on each host.

help_explain() {
    cat <<'TEXT'
Usage: mpi-adapter explain [OPTION]... [--] PROGRAM|LIBRARY

Says which MPI PROGRAM was compiled against, by which interfaces it calls it,
where its libraries are found now, on what it runs here and, for each installed pair and its host
MPI, what becomes of every MPI procedure that PROGRAM or its libraries import:
  direct     the arguments pass as they are
  converted  the adapter converts arguments
  built      the host has no such procedure; others do its work
  missing    calls fail, or the program cannot start
Nothing of it runs.  A shared library is explained in the same way, an MPI's
own by the pairs that run on it.

  --from ABI  ABI that PROGRAM was compiled against, if it cannot be found
  --json      print JSON
  -h, --help  print this text
TEXT
}

# Like require_runnable_elf, but a library is welcome.
prepare_subject() {
    if [[ ${facts[linkage]} == library ]]; then require_own_machine library; else require_runnable_elf; fi
}

# Sets REPLY to where the loader finds a library that is given by its name, or fails.
library_by_name() {
    [[ $1 == lib*.so* ]] && trace "$elf_facts" "${LD_LIBRARY_PATH-}" "$1" && traced_file "$1"
}

# explain_mpi FAMILY: what can be said of an MPI's own library; nothing in it calls MPI.
explain_mpi() {
    local index values pairs=()
    for index in "${!pair_folders[@]}"; do
        pair_name "$index"
        [[ ${conf[$index.host]} != "$1" ]] || pairs+=("$REPLY")
    done
    if [[ -n ${given[--json]-} ]]; then
        json_list "${pairs[@]}"
        values=(pairs "$REPLY")
        json_text "$1"
        values=(mpi "$REPLY" "${values[@]}")
        json_text "$program"
        json_object library "$REPLY" "${values[@]}"
        put '%s\n' "$REPLY"
    else
        put_plain '%-15s %s\n' library "$program" is "an MPI library of the ABI $1" \
            'pairs on it' "${pairs[*]:-none}"
    fi
    exit 0
}

# A file need not be in PATH, nor may it be started, to be explained.
find_explained() {
    local file=$1 is_library
    if [[ $file != */* ]] && ! type -P -- "$file" > /dev/null; then
        if [[ -f $file ]]; then file=./$file; elif library_by_name "$file"; then file=$REPLY; fi
    fi
    if [[ -f $file && ! -x $file ]]; then
        program=$file
        subject=$file
    else
        find_program "$file"
    fi
    find_subject
    # Some libraries are programs, too.
    is_library=no
    [[ ${facts[linkage]} != library && -z ${facts[soname]-} ]] || is_library=yes
    prepare_subject
    if [[ $is_library == yes ]]; then
        ! family_of_library "$subject" || [[ -z $REPLY ]] || explain_mpi "$REPLY"
        trace "$subject" "${LD_LIBRARY_PATH-}" ''
        knows_mpi "$subject" || [[ -n ${given[--from]-} ]] ||
            die "$subject uses no MPI" 'give a program or a library that does'
    fi
    settle_abi "${given[--from]-}"
    reject_refused
}

# Sets hosts to the options that describe the pairs for the program's ABI.
describe_hosts() {
    local index list links leading unknown
    hosts=()
    for index in "${!pair_folders[@]}"; do
        [[ ${conf[$index.application]} == "$abi" ]] || continue
        hosts+=(--pair "${pair_folders[$index]}" --host "${conf[$index.host]}")
        list=${pair_folders[$index]}/procedures.conf
        if [[ ! -r $list ]]; then
            hosts+=(--problem "$list is missing; install the pair again")
        elif check_pair_files "$index" && check_host_library "$index" && check_host_preload "$index"; then
            library_path_of "$index"
            with_stand_ins "$index" "$REPLY"
            pair_links "$index"
            [[ -z $links ]] || REPLY+=:$links
            hosts+=(--library "$host_library" --library-path "$REPLY")
            with_host_preload "${LD_PRELOAD-}"
            [[ -z $host_preload ]] || hosts+=(--host-preload "$host_preload" --preload "$REPLY")
        else
            shown_message "$problem"
            hosts+=(--problem "$REPLY")
        fi
    done
}

# verdict_here PROGRAM: sets REPLY to what `check` says of it, in one line, or to nothing for what does not run by itself.
verdict_here() {
    local items text other
    REPLY=''
    [[ ${facts[linkage]} != library && -x $program ]] || return 0
    find_out "$1"
    verdict
    text=$REPLY
    other_mpis
    for other in "${items[@]}"; do
        other_verdict "$other"
        text+="; or $REPLY"
    done
    REPLY=$text
}

command_explain() {
    local named hosts sonames here brings=() names=()
    parse_options --from --json "$@"
    [[ ${#operands[@]} -gt 0 ]] || usage_error 'no program or library is given'
    named=${operands[0]}
    [[ ${#operands[@]} -eq 1 ]] || usage_error 'more than one program is given'
    [[ -x $home/explain ]] || die "$home/explain is missing" 'install mpi-adapter again'
    load_settings die_of_problem
    load_pairs say
    check_abi_options
    find_explained "$named"
    verdict_here "$named"
    here=$REPLY
    for named in "${!bundles[@]}"; do
        mpi_of_file "$named" "$abi"
        brings+=(--brings "$REPLY in $named")
    done
    describe_hosts
    ! launcher_of_abi "$abi" || idle_variables "$REPLY"
    known_sonames
    sonames=$REPLY
    all_families symbols
    "$home/explain" ${given[--json]+--json} --program "$program" --file "$subject" --abi "$abi" --sonames "$sonames" \
        --symbols "$REPLY" --left "${family_facts[$abi.left]-}" --library-path "${LD_LIBRARY_PATH-}" --preload "${LD_PRELOAD-}" \
        --idle "${names[*]}" ${here:+--here "$here"} "${brings[@]}" "${hosts[@]}" || exit
    [[ -n ${given[--json]-} || -z ${finding[differs]-} ]] || put '%-15s %s\n' 'may differ' "${finding[differs]}"
}
