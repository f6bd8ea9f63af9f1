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

# say_fact KEY VALUE...: one line, for who reads what a check found.
say_fact() { printf '%s\t%s\n' "$1" "${*:2}"; }

# calls_on_pair: tells what becomes of the program's calls there, of those that need more than conversion.
calls_on_pair() {
    local name outcome sonames symbols=no folder=${pair_folders[$chosen]}
    [[ -x $home/explain && -r $folder/procedures.conf ]] || return 0
    known_sonames
    sonames=$REPLY
    while read -r name outcome; do
        [[ $name != procedures ]] || symbols=yes
        [[ $symbols == no || ( $outcome != missing && $outcome != built ) ]] || say_fact "$outcome" "$name"
    done < <(all_families symbols && "$home/explain" --program "$program" --file "$subject" --abi "$abi" --sonames "$sonames" \
        --symbols "$REPLY" --left "${family_facts[$abi.left]-}" --library-path "${LD_LIBRARY_PATH-}" --preload "${LD_PRELOAD-}" \
        --pair "$folder" --host "${conf[$chosen.host]}" --library "$host_library" --library-path "$rank_path" \
        --preload "${rank_environment[LD_PRELOAD]-${LD_PRELOAD-}}" 2> /dev/null)
}

# examine_for_check FILE: tells what is found, as far as that goes; what is wrong is said on stderr.
examine_for_check() {
    local rank_path
    examine_program "$1"
    say_fact program "$program"
    say_fact abi "$abi"
    chosen_launcher
    choose_host yes "$REPLY"
    named_mpi
    say_fact called "$REPLY"
    say_fact host "${conf[$chosen.host]}"
    say_fact library "$host_library"
    say_fact launcher "$launcher"
    if [[ $native == no ]]; then
        pair_name "$chosen"
        say_fact pair "$REPLY"
        library_path_of "$chosen"
        with_stand_ins "$chosen" "$REPLY"
        rank_path=$REPLY
        [[ $command != check ]] || calls_on_pair
    fi
    tell_others
    say_fact runs yes
}

# named_mpi: sets REPLY to the name of the MPI that was chosen, and its release if its library tells that.
named_mpi() {
    local name symbol release='' host=${conf[$chosen.host]}
    whose_library "$host_library" "$host"
    name=${implementation_facts[$REPLY.version]-$host}
    all_families release_symbol
    for symbol in $REPLY; do
        release=${release:-$("$elf_facts" --text "$symbol" "$host_library" 2> /dev/null)}
    done
    REPLY=$name${release:+ $release}
}

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

# find_other TO: tells of the MPI there, or ends. What it chooses counts in a subshell alone.
find_other() {
    given[--to]=$1 native=no chosen='' rank_names=()
    rank_environment=()
    chosen_launcher
    choose_host yes "$REPLY"
    [[ $native == no ]] || serves_natively || exit
    named_mpi
    say_fact other "$1 $REPLY"
}

# tell_other TO: if the program runs there.
tell_other() {
    local text
    ! text=$(find_other "$1" 2> /dev/null) || put '%s\n' "$text"
}

# find_out FILE: fills finding.
find_out() {
    local key value work=$1
    finding=([runs]=no [missing]='' [built]='' [said]='' [others]='' [program]=$work)
    while IFS=$'\t' read -r key value; do
        case $key in
        'mpi-adapter: '*) finding[said]+=${finding[said]:+$'\n'}${key#mpi-adapter: } ;;
        missing | built) finding[$key]+=" $value" ;;
        other) finding[others]+=${finding[others]:+$'\n'}$value ;;
        abi | called | host | launcher | library | pair | program | runs) finding[$key]=$value ;;
        esac
    done < <(examine_for_check "$work" 2>&1)
    [[ ${finding[runs]} == no ]] || return 0
    # Why is the last thing that is said.
    finding[problem]=${finding[said]##*$'\n'}
    finding[said]=${finding[said]%"${finding[problem]}"}
}

# verdict: sets REPLY to the first line, and raises the exit status.
verdict() {
    local status=0
    if [[ ${finding[runs]} == yes ]]; then
        REPLY="yes, on ${finding[called]}${finding[pair]+ by ${finding[pair]}}"
        [[ -n ${finding[pair]-} ]] || REPLY+=', without a pair'
    else
        REPLY="no, ${finding[problem]%%; *}"
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
    done <<< "${finding[said]}"
}

# what_to_do: sets REPLY.
what_to_do() {
    if [[ ${finding[runs]} == yes ]]; then
        shell_word "${finding[program]}"
        REPLY="mpi-adapter run -n N${given[--to]+ --to ${given[--to]}}${given[--from]+ --from ${given[--from]}} $REPLY"
    else
        REPLY=${finding[problem]#*; }
    fi
}

put_verdict() {
    local items words text
    put '%s\n' "${finding[program]//[[:cntrl:]]/?}"
    verdict
    put '  %-13s %s\n' 'runs here:' "$REPLY"
    other_mpis
    for text in "${items[@]}"; do
        other_verdict "$text"
        put '  %-13s %s\n' or: "$REPLY"
    done
    [[ -z ${finding[abi]-} ]] || put '  %-13s %s\n' 'built for:' "${finding[abi]}"
    [[ -z ${finding[library]-} ]] || put '  %-13s %s\n' library: "${finding[library]}" launcher: "${finding[launcher]}"
    what_differs
    for text in "${items[@]}"; do
        put '  %-13s %s\n' 'may differ:' "$text"
    done
    read -r -a words <<< "${finding[missing]}"
    if [[ ${#words[@]} -gt 0 ]]; then
        some_of "${words[@]}"
        put '  %-13s %s\n' missing: "$REPLY: calls of these fail"
    fi
    what_to_do
    put '  %-13s %s\n' 'to do:' "$REPLY"
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
    json_value "${text%%; *}"
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
