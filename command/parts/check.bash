# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter check: whether programs run here, on what, and what to do if not.

help_check() {
    joined ' or ' "${family_names[@]}"
    cat <<END
Usage: mpi-adapter check [OPTION]... [--] PROGRAM|FOLDER...

Says of each program whether it runs here, on which MPI and by which pair,
what may differ there, what is missing, and what to do.  Nothing of a program
runs.  Of a folder, those programs are checked that need an MPI library.

  --from ABI          ABI that the programs were compiled against
  --to ABI            ABI of the MPI to run on
  --json              print JSON; docs/json.md has its form
  -h, --help          print this text

The exit status is 0 if all of them run here, 1 if one does not, and 2 if no
library tells the MPI of one.  ABI is $REPLY.
END
}

check_status=0
checked=()      # objects of JSON
declare -A finding=()     # what is known of one program

# calls_on_pair: tells what becomes of the program's calls there, of those that need more than conversion. Ends where data that the
# program refers to is missing, as the loader ends the program.
calls_on_pair() {
    local name outcome sonames folder=${pair_folders[$chosen]}
    [[ -x $home/explain && -r $folder/procedures.conf ]] || return 0
    known_sonames
    sonames=$REPLY
    while IFS= read -r -d '' outcome && IFS= read -r -d '' name; do
        [[ $outcome != 'missing objects' ]] ||
            die "the pair ${folder##*/} has no $name, which $program refers to" 'run it on the MPI that it was compiled with'
        put_record "$outcome" "$name"
    done < <(all_families symbols && "$home/explain" --records --program "$program" --file "$subject" --abi "$abi" --sonames "$sonames" \
        --symbols "$REPLY" --left "${family_facts[$abi.left]-}" --library-path "${LD_LIBRARY_PATH-}" --preload "${LD_PRELOAD-}" \
        --pair "$folder" --host "${conf[$chosen.host]}" --library "$host_library" --library-path "$rank_path" \
        --preload "${rank_environment[LD_PRELOAD]-${LD_PRELOAD-}}" 2> /dev/null)
}

# buffers_may_be_small: whether the program attaches buffers, and its libraries' names do not tell whose MPI_BSEND_OVERHEAD it was
# compiled with. Sets REPLY to what to say.
buffers_may_be_small() {
    local overhead
    read -r -a overhead <<< "${family_facts[$abi.overhead]-}"
    [[ ${#overhead[@]} -eq 2 && ${#other_names[@]} -gt 0 && -n $subject ]] || return
    refers_by "$subject" MPI_Buffer_attach PMPI_Buffer_attach mpi_buffer_attach || return
    REPLY="MPI_BSEND_OVERHEAD is ${overhead[0]} in some headers of ${family_facts[$abi.called]} and ${overhead[1]} in others, so attached \
buffers may be too small without a pair"
}

# examine_for_check FILE: puts records of what is found, as far as that goes, and of what is said.
examine_for_check() {
    local rank_path
    examine_program "$1"
    put_record program "$program"
    put_record abi "$abi"
    chosen_launcher
    choose_host yes "$REPLY"
    named_mpi
    put_record called "$REPLY"
    put_record host "${conf[$chosen.host]}"
    put_record library "$host_library"
    put_record launcher "$launcher"
    if [[ $native == no ]]; then
        pair_name "$chosen"
        put_record pair "$REPLY"
        library_path_of "$chosen"
        with_stand_ins "$chosen" "$REPLY"
        rank_path=$REPLY
        calls_on_pair
    elif buffers_may_be_small; then
        put_record differs "$REPLY"
    fi
    tell_others
    put_record runs yes
}

# named_mpi: sets REPLY to the name of the MPI that was chosen, and its release if its library tells that.
named_mpi() { mpi_of_file "$host_library" "${conf[$chosen.host]}"; }

# tell_others: on what else the program runs here, if --to says so.
tell_others() {
    local index to seen=${conf[$chosen.host]} hosts=("$abi")
    [[ -z ${given[--to]-} ]] || return 0
    for index in "${!pair_folders[@]}"; do
        [[ ${conf[$index.application]} != "$abi" ]] || hosts+=("${conf[$index.host]}${conf[$index.name]+@${conf[$index.name]}}")
    done
    for to in "${hosts[@]}"; do
        ! has_word "$to" "$seen" || continue
        seen+=" $to"
        tell_other "$to"
    done
}

# serves_natively: whether the MPI that was chosen has the procedures that the program calls, as far as is known.
serves_natively() {
    local REPLY
    own_file "$abi"
    [[ -z $REPLY ]] || ! misses_procedures "$REPLY" "$abi"
}

# find_other TO: prints the MPI there, or ends. What it chooses counts in a subshell alone.
find_other() {
    given[--to]=$1 native=no chosen='' rank_names=()
    rank_environment=()
    chosen_launcher
    choose_host yes "$REPLY"
    [[ $native == no ]] || serves_natively || exit
    named_mpi
    printf '%s\n' "$1 $REPLY"
}

# tell_other TO: if the program runs there.
tell_other() {
    local text
    ! text=$(record_fd=''; find_other "$1" 2> /dev/null) || put_record other "$text"
}

# find_out FILE: fills finding.
find_out() {
    local key value what advice last='' work=$1
    finding=([runs]=no [missing]='' [built]='' [said]='' [differs]='' [others]='' [program]=$work)
    while IFS= read -r -d '' key && IFS= read -r -d '' value; do
        case $key in
        said)
            [[ -z $last ]] || { shown_message "$last"; finding[said]+=${finding[said]:+$'\n'}$REPLY; }
            last=$value
            ;;
        missing | built) finding[$key]+=" $value" ;;
        other) finding[others]+=${finding[others]:+$'\n'}$value ;;
        abi | called | differs | host | launcher | library | pair | program | runs) finding[$key]=$value ;;
        esac
    done < <(exec {record_fd}>&1; examine_for_check "$work" 2> /dev/null)
    # Why it does not run is the last thing that is said.
    if [[ ${finding[runs]} == no ]]; then
        split_message "$last"
        finding[problem]=$what finding[advice]=$advice
    elif [[ -n $last ]]; then
        shown_message "$last"
        finding[said]+=${finding[said]:+$'\n'}$REPLY
    fi
}

# verdict: sets REPLY to the first line, and raises the exit status.
verdict() {
    local status=0
    if [[ ${finding[runs]} == yes ]]; then
        REPLY="yes, on ${finding[called]}${finding[pair]+ by ${finding[pair]}}"
        [[ -n ${finding[pair]-} ]] || REPLY+=', without a pair'
    else
        REPLY="no, ${finding[problem]}"
        status=$([[ -n ${finding[abi]-} ]] && echo 1 || echo 2)
    fi
    [[ $status -le $check_status ]] || check_status=$status
}

# other_mpis: sets items to the other MPIs here on which it runs: what --to takes for each, a space, and what it is called.
other_mpis() {
    items=()
    [[ -z ${finding[others]} ]] || mapfile -t items <<< "${finding[others]}"
}

# other_verdict MPI: sets REPLY to how it runs on one of these.
other_verdict() { REPLY="on ${1#* } with --to ${1%% *}"; }

# some_of WORD...: sets REPLY to the first of them, and how many more there are.
some_of() {
    local words=("$@")
    joined ' and ' "${words[@]:0:4}"
    [[ $# -le 4 ]] || REPLY="${words[*]:0:4} and $(($# - 4)) more"
}

# what_differs: sets items to what a user may notice there.
what_differs() {
    local words line
    items=()
    read -r -a words <<< "${finding[built]}"
    if [[ ${#words[@]} -gt 0 ]]; then
        some_of "${words[@]}"
        items+=("the MPI lacks $REPLY, and others do the work")
    fi
    while read -r line; do
        [[ -z $line ]] || items+=("$line")
    done <<< "${finding[differs]}"$'\n'"${finding[said]}"
}

# what_to_do: sets REPLY.
what_to_do() {
    if [[ ${finding[runs]} == yes ]]; then
        shell_word "${finding[program]}"
        REPLY="mpi-adapter run -n N${given[--to]+ --to ${given[--to]}}${given[--from]+ --from ${given[--from]}} $REPLY"
    else
        REPLY=${finding[advice]}
    fi
}

put_verdict() {
    local items words text
    put_plain '%s\n' "${finding[program]}"
    verdict
    put_plain '  %-13s %s\n' 'runs here:' "$REPLY"
    other_mpis
    for text in "${items[@]}"; do
        other_verdict "$text"
        put_plain '  %-13s %s\n' or: "$REPLY"
    done
    [[ -z ${finding[abi]-} ]] || put_plain '  %-13s %s\n' 'built for:' "${finding[abi]}"
    [[ -z ${finding[library]-} ]] || put_plain '  %-13s %s\n' library: "${finding[library]}" launcher: "${finding[launcher]}"
    what_differs
    for text in "${items[@]}"; do
        put_plain '  %-13s %s\n' 'may differ:' "$text"
    done
    read -r -a words <<< "${finding[missing]}"
    if [[ ${#words[@]} -gt 0 ]]; then
        some_of "${words[@]}"
        put_plain '  %-13s %s\n' missing: "$REPLY: calls of these fail"
    fi
    what_to_do
    put_plain '  %-13s %s\n' 'to do:' "$REPLY"
}

note_verdict() {
    local items words values=() key text=${finding[problem]-}
    verdict
    what_differs
    json_text "${finding[program]}"
    values+=(program "$REPLY" runs "$([[ ${finding[runs]} == yes ]] && echo true || echo false)")
    for key in abi pair host library launcher; do
        json_value "${finding[$key]-}"
        values+=("$key" "$REPLY")
    done
    json_list "${items[@]}"
    values+=(may_differ "$REPLY")
    other_mpis
    json_list "${items[@]%% *}"
    values+=(also_on "$REPLY")
    read -r -a words <<< "${finding[missing]}"
    json_list "${words[@]}"
    values+=(missing "$REPLY")
    json_value "$text"
    values+=(problem "$REPLY")
    what_to_do
    json_text "$REPLY"
    values+=(to_do "$REPLY")
    json_object "${values[@]}"
    checked+=("$REPLY")
}

check_one() {
    find_out "$1"
    if [[ -n ${given[--json]-} ]]; then note_verdict; else put_verdict; fi
}

# check_folder FOLDER: the programs in it that need MPI.
check_folder() {
    local file any=no
    for file in "${1%/}"/*; do
        [[ -f $file && -x $file ]] && uses_mpi "$file" || continue
        any=yes
        check_one "$file"
    done
    [[ $any == yes ]] || die "no file in $1 is a program that uses MPI" 'give programs, or another folder'
}

command_check() {
    local operand
    parse_options '--from --to' --json "$@"
    [[ ${#operands[@]} -gt 0 ]] || usage_error 'no program is given'
    require_pairs
    check_abi_options
    for operand in "${operands[@]}"; do
        if [[ -d $operand ]]; then check_folder "$operand"; else check_one "$operand"; fi
    done
    [[ -z ${given[--json]-} ]] || put_json programs '' "${checked[@]}"
    exit "$check_status"
}
