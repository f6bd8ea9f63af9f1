# SPDX-License-Identifier: BSD-3-Clause
# Launch lines that were written for another launcher than the host's. The program `launch` (command/launch) reads what their options mean
# and writes them for the launcher that there is; this finds out what the programs of the line need.

ignored_options=''
part_begins=()          # where each program's words begin in the line
part_ends=()
part_folders=()         # the working folder that the line gives it, or nothing
declare -A part_told=() # "PART.NAME" -> what the line tells its ranks of a variable by which the dynamic linker searches
launcher_variables=()   # NAME=VALUE, for the launcher's own environment
sequences=()            # "N<<< TEXT": the files that list hosts, by the numbers by which they are open

# run_launch VERB [LAUNCHER]: in the environment that the user has, but for variables that were set aside.
run_launch() {
    unset -v LC_ALL
    exec "$launch_program" "$home/launchers" "$@"
}

# ask_launch VERB [LAUNCHER [KEY VALUE]...]: sets answers, or ends with the problem.
ask_launch() {
    ask run_launch "${@:1:2}" < <([[ $# -lt 3 ]] || printf '%s\0' "${@:3}") || die_of_problem "${problem:-$launch_program failed${then}install mpi-adapter again}"
}

# Sets names to the launchers whose options are known.
list_dialects() {
    local answers i
    ask_launch dialects
    names=()
    for ((i = 1; i < ${#answers[@]}; i += 2)); do
        names+=("${answers[i]}")
    done
}

# known_dialects: prints them for people.
known_dialects() {
    local names
    list_dialects
    joined ' or ' "${names[@]}"
    printf %s "$REPLY"
}

# idle_variables LAUNCHER: sets names to the variables of the environment that are settings of this launcher's MPI alone: no other one
# heeds them.
idle_variables() {
    local answers i
    ask_launch idle "$1"
    names=()
    for ((i = 1; i < ${#answers[@]}; i += 2)); do
        names+=("${answers[i]}")
    done
}

# tell_idle_variables: says with -v which settings of the program's own MPI no host heeds.
tell_idle_variables() {
    local names
    [[ $verbose == yes ]] && launcher_of_abi "$abi" || return 0
    idle_variables "$REPLY"
    [[ ${#names[@]} -gt 0 ]] || return 0
    joined ', ' "${names[@]}"
    note "without effect on ${conf[$chosen.host]}: $REPLY"
}

# shown_dialect: sets REPLY to the kind of launcher that alone, of those with the name in the line, has the line's options; or fails.
shown_dialect() {
    local answers request=(launcher_at "$launcher_at") word
    for word in "${line[@]}"; do
        request+=(word "$word")
    done
    ask_launch shown '' "${request[@]}"
    REPLY=${answers[1]-}
    [[ ${#answers[@]} -eq 2 ]]
}

# refuse_dialect NAME: for one whose options are not known.
refuse_dialect() {
    did_you_mean "$1" "${names[*]}" || REPLY='start the line by the launcher of the host'
    die "the options of $1 are not known" "$REPLY"
}

# read_line DIALECT: finds the programs of the line, which may stand in a file that the line names. Sets request to what is known of the line.
read_line() {
    local answers word
    request=(launcher_at "$launcher_at" ignored "$ignored_options")
    for word in "${line[@]}"; do
        request+=(word "$word")
    done
    ask_launch programs "$1" "${request[@]}"
    line=() part_begins=() part_ends=() part_folders=() part_told=()
    set -- "${answers[@]}"
    while [[ $# -gt 0 ]]; do
        case $1 in
        word) line+=("$2") ;;
        begin) part_begins+=("$2") ;;
        end) part_ends+=("$2") ;;
        folder) part_folders+=("$2") ;;
        told) part_told[$((${#part_begins[@]} - 1)).${2%%=*}]=${2#*=} ;;
        esac
        shift 2
    done
}

# find_part_program PART: sets command_at and program_at to where they stand among the program's words.
find_part_program() {
    local i
    command_at=${part_begins[$1]} program_at='' file_at='' line_folder=${part_folders[$1]}
    [[ $command_at -lt ${part_ends[$1]} ]] || die "no program is in '${line[*]}'" 'name one after the options'
    for ((i = command_at; i < part_ends[$1]; i++)); do
        is_command "${line[i]}" && uses_mpi "$REPLY" || continue
        program_at=$i
        return
    done
}

# examine_part_of PART: what the program is, and the environment of its ranks. The first one settles the host and its launcher.
examine_part_of() {
    local file=${given[--program]-} name
    local -A told_values=()
    forget_program
    find_part_program "$1"
    for name in LD_LIBRARY_PATH LD_PRELOAD; do
        [[ -z ${part_told[$1.$name]+set} ]] || told_values[$name]=${part_told[$1.$name]}
    done
    [[ -z $program_at || $command_at == "$program_at" ]] || started_by_other=yes
    if [[ -z $file ]]; then
        is_command "${line[${program_at:-$command_at}]}" || die "${line[command_at]}: no such program" 'correct its name'
        file=$REPLY
    fi
    as_told examine_file "$file"
}

# examine_file FILE: the program, and its host by the launcher that is wanted.
examine_file() {
    examine_program "$1"
    choose_for_line "${given[--launcher]-${setting[launcher]-}}"
    [[ -z $launcher ]] && native_launcher "$abi" || return 0
    launcher=$REPLY
    launcher_of_abi "$abi"
    launcher_kind=$REPLY
}

# request_part PART: adds to request what the ranks of a program are told, and the words that start it.
request_part() {
    local arguments=() name settings=yes
    request+=(part "$1")
    line_fact "$launcher_kind" one
    if [[ -n $REPLY ]]; then
        settings=no
        for name in "${rank_names[@]}"; do
            request+=(setting "$name=${rank_environment[$name]}")
        done
    fi
    append_command "${part_ends[$1]}" "$settings"
    for name in "${arguments[@]}"; do
        request+=(command "$name")
    done
}

# open_list TEXT: sets REPLY to a file with these lines, which the launcher inherits open, and which has no name any more.
open_list() {
    local file number
    file=$(mktemp) || die "no file can be created in ${TMPDIR:-/tmp}" 'free space there or set TMPDIR to another folder'
    printf '%s\n' "$1" > "$file"
    exec {number}< "$file"
    rm -f -- "$file"
    shell_word "$1"
    sequences+=("$number<<< $REPLY")
    REPLY=/dev/fd/$number
}

# write_line DIALECT: adds the line to arguments.
write_line() {
    local answers idle=()
    ask_launch write "$1" "${request[@]}"
    set -- "${answers[@]}"
    while [[ $# -gt 0 ]]; do
        case $1 in
        word) arguments+=("$2") ;;
        list) open_list "$2"; arguments+=("$REPLY") ;;
        variable) launcher_variables+=("$2") ;;
        idle) idle+=("$2") ;;
        esac
        shift 2
    done
    [[ ${#idle[@]} -gt 0 ]] || return 0
    joined ', ' "${idle[@]}"
    say "without effect on $launcher: $REPLY"
}

# family_of_launcher KIND: sets REPLY to the family whose programs a launcher of this kind starts, or fails.
family_of_launcher() {
    local name
    for REPLY in "${family_names[@]}"; do
        name=${family_facts[$REPLY.implementations]-}
        is_shared "$REPLY" || [[ ${implementation_facts[$name.launcher]-} != "$1" ]] || return 0
    done
    return 1
}

# The line was written for the host's launcher, which has another name here.
adapt_own_line() {
    line=("$launcher" "${line[@]:launcher_at + 1}")
    launcher_at=0
    line_host=''
    line_library=''
    adapt_line
}

# translate_line DIALECT: sets arguments to the line of the host's launcher, with its launcher ahead.
translate_line() {
    local dialect=$1 names request name part
    list_dialects
    has_word "$dialect" "${names[*]}" || refuse_dialect "$dialect"
    # The host's is not known yet.
    launcher='' launcher_kind=''
    read_line "$dialect"
    [[ -n ${given[--from]-} ]] || ! family_of_launcher "$dialect" || given[--from]=$REPLY from_is_assumed=yes
    examine_part_of 0
    if [[ $launcher_kind == "$dialect" ]]; then
        adapt_own_line
        return
    fi
    for name in "${!set_aside[@]}"; do
        request+=(own "$name=${set_aside[$name]}")
    done
    request+=(host "$launcher_kind" path "$launcher")
    request_part 0
    for ((part = 1; part < ${#part_begins[@]}; part++)); do
        examine_part_of "$part"
        request_part "$part"
    done
    line_fact "$launcher_kind" leads
    read -r -a arguments <<< "$REPLY ${setting[launcher_arguments]-}"
    arguments=("$launcher" "${arguments[@]}")
    write_line "$dialect"
}
