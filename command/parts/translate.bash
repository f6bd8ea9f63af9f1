# SPDX-License-Identifier: BSD-3-Clause
# Launch lines that were written for another launcher than the host's: options are read by the table launch-options, and
# written for the launcher that there is, with what the line's own launcher does without being told.

ignored_options=''
all_items=()            # of all programs: "MEANING=VALUE"
all_texts=()
part_items=()           # the items of one program after another; the numbers below say where each one's begin
part_texts=()
part_begins=()
part_words_at=()        # where each program's words begin in the line
part_ends=()
option_words=()         # what was written so far
launcher_variables=()   # NAME=VALUE, for the launcher's own environment

# has_item MEANING ITEM...: whether one of the items is of this meaning, or one value of it; sets REPLY to its value.
has_item() {
    local item
    for item in "${@:2}"; do
        [[ ${item%%=*} == "$1" || ${item%%=*} == "$1":* ]] || continue
        REPLY=${item#*=}
        [[ ${item%%=*} == "$1" ]] || { REPLY=${item%%=*}; REPLY=${REPLY#*:}; }
        return 0
    done
    return 1
}

is_number() { [[ $1 =~ ^[1-9][0-9]{0,8}$ ]]; }

# ---------------------------------------------------------------- reading

# words_of_file FILE: replaces the line's words behind its launcher by the programs of a file, a line each.
words_of_file() {
    local lines text words made=() problem
    read_lines "$1" 'give a file of programs, a line each' || die_of_problem "$problem"
    for text in "${lines[@]}"; do
        [[ ! $text =~ ^[[:space:]]*(#.*)?$ ]] || continue
        [[ $text != *[\"\'\\\$]* ]] || die "$1 has quotes or variables" 'write the programs into the line, with : between'
        read -r -a words <<< "$text"
        [[ ${#made[@]} -eq 0 || ${made[-1]} == : ]] || made+=(:)
        made+=("${words[@]}")
        [[ ${made[-1]} != : ]] || unset 'made[-1]'
    done
    [[ ${#made[@]} -gt 0 ]] || die "$1 names no program" 'give a file of programs, a line each'
    line=("${line[@]:0:launcher_at + 1}" "${made[@]}")
}

# read_part DIALECT FROM TO: reads the options of one program, and where its words begin.
read_part() {
    local i=$2 own word n
    items=() item_texts=()
    while [[ $i -lt $3 && ${line[i]} == -?* ]]; do
        if [[ ${line[i]} == -- ]]; then
            i=$((i + 1))
            break
        fi
        take_option "$1" "$i"
        i=$((i + taken))
    done
    line_default "$1" programs
    own=$REPLY
    part_begins+=("${#part_items[@]}")
    for n in "${!items[@]}"; do
        word=${items[n]%%=*}
        if [[ $own == all ]] || has_word "${word%%:*}" "$own"; then
            part_items+=("${items[n]}")
            part_texts+=("${item_texts[n]}")
        else
            all_items+=("${items[n]}")
            all_texts+=("${item_texts[n]}")
        fi
    done
    part_words_at+=("$i")
    part_ends+=("$3")
}

# read_line DIALECT: reads all programs of the line.
read_line() {
    local from to
    all_items=() all_texts=() part_items=() part_texts=() part_begins=() part_words_at=() part_ends=()
    from=$((launcher_at + 1))
    line_fact "$1" inner
    while has_word "${line[from]-}" "$REPLY"; do
        from=$((from + 1))
    done
    for ((to = from; to <= ${#line[@]}; to++)); do
        [[ $to -eq ${#line[@]} || ${line[to]} == : ]] || continue
        read_part "$1" "$from" "$to"
        from=$((to + 1))
    done
    if has_item file "${part_items[@]}" "${all_items[@]}"; then
        words_of_file "$REPLY"
        read_line "$1"
    fi
}

# items_of PART: sets items and item_texts to those of one program.
items_of() {
    local from=${part_begins[$1]} to=${part_begins[$1 + 1]-${#part_items[@]}}
    items=("${part_items[@]:from:to - from}")
    item_texts=("${part_texts[@]:from:to - from}")
}

# is_said MEANING: whether the line says anything of this kind itself.
is_said() { has_item "${1%%:*}" "${all_items[@]}" "${part_items[@]}"; }

# read_environment DIALECT: what variables say to the line's own launcher, unless the line does. One without a counterpart has no effect.
read_environment() {
    local i meaning name items=() item_texts=() names
    find_variables "$1"
    for i in "${!items[@]}"; do
        meaning=${items[i]%%=*}
        ! is_said "$meaning" && ! { [[ $meaning == hostfile ]] && is_said hosts; } || continue
        if [[ -n ${written_forms[$launcher_kind.$meaning]+set} ]]; then
            all_items+=("${items[i]}") all_texts+=("${item_texts[i]}")
        else
            without_effect+="${without_effect:+, }${item_texts[i]}"
        fi
    done
    idle_variables "$1"
    for name in "${names[@]}"; do
        without_effect+="${without_effect:+, }$name"
    done
}

# ---------------------------------------------------------------- what is so unless the line says otherwise

# add_default MEANING VALUE: to items of one program.
add_default() {
    items+=("$1=$2")
    item_texts+=("$1")
}

# default_ranks DIALECT ITEM...: sets REPLY to how many ranks the line's own launcher starts.
default_ranks() {
    local each='' nodes=${#hosts[@]} slots
    [[ $nodes -gt 0 ]] || nodes=1
    if has_item per_node "${@:2}" && is_number "$REPLY"; then
        each=$REPLY
        if has_item nodes "${@:2}" && is_number "$REPLY"; then
            nodes=$REPLY
        fi
    fi
    if [[ -n $each ]] && { has_slots "$1" || [[ ${#hosts[@]} -gt 0 ]] || has_item nodes "${@:2}"; }; then
        REPLY=$((each * nodes))
    elif [[ ${line_defaults[$1.ranks]-} == one ]]; then
        REPLY=1
    elif [[ ${#hosts[@]} -gt 0 ]]; then
        REPLY=0
        for slots in "${host_slots[@]}"; do
            REPLY=$((REPLY + slots))
        done
    elif is_number "${SLURM_NTASKS-}"; then
        REPLY=$SLURM_NTASKS
    elif has_slots "$1"; then
        count_cores
    else
        REPLY=1
    fi
}

# settle_ranks DIALECT COUNT: gives the items of one program of so many a number of ranks, counts these, and places them.
settle_ranks() {
    if ! has_item ranks "${items[@]}" "${all_items[@]}"; then
        [[ $2 -eq 1 ]] || ! has_slots "$1" || die "a program of '${line[*]}' has no number of ranks" 'give each program its -n'
        default_ranks "$1" "${items[@]}" "${all_items[@]}"
        add_default ranks "$REPLY"
    fi
    is_number "$REPLY" || die "the number of ranks is '$REPLY'" 'give a positive number'
    line_ranks=$((line_ranks + REPLY))
    part_ranks+=("$REPLY")
    place_ranks "$1" "$REPLY" "${items[@]}" "${all_items[@]}"
}

# settle_parts COUNT: the numbers of ranks of all programs.
settle_parts() {
    local part made=() texts=() begins=()
    for ((part = 0; part < $1; part++)); do
        items_of "$part"
        read_hosts "$dialect" "${items[@]}" "${all_items[@]}"
        settle_ranks "$dialect" "$1"
        begins+=("${#made[@]}")
        made+=("${items[@]}") texts+=("${item_texts[@]}")
    done
    part_items=("${made[@]}") part_texts=("${texts[@]}") part_begins=("${begins[@]}")
}

# shares_cores: whether the line has more ranks than this machine has cores, and names no hosts.
shares_cores() {
    [[ ${#hosts[@]} -eq 0 ]] || return
    count_cores
    [[ $line_ranks -gt $REPLY ]]
}

# default_binding DIALECT ITEM...: sets REPLY to what the line's own launcher binds ranks to, and mapped to what it maps them by, or nothing.
default_binding() {
    local few many name
    mapped=''
    read -r few many <<< "${line_defaults[$1.bind]-none}"
    for name in ${line_defaults[$1.bind_variables]-}; do
        # Variables that the line's own launcher reads.
        [[ ! ${!name-} =~ ^[a-z0-9]+$ ]] || { REPLY=${!name}; return; }
    done
    if [[ $few == none ]] || has_item cores "${@:2}" || shares_cores; then
        REPLY=none
    elif has_item map "${@:2}" && [[ -n ${written_forms[$1.bind:$REPLY]+set} ]]; then
        return
    elif [[ $line_ranks -le 2 ]]; then
        REPLY=$few
    else
        REPLY=$many
        mapped=$many
    fi
}

# settle_binding DIALECT: adds to the items of all what the host's launcher would do otherwise.
settle_binding() {
    local bound mapped
    ! has_item bind "${all_items[@]}" "${part_items[@]}" || return 0
    ! has_item cores "${all_items[@]}" "${part_items[@]}" || return 0
    default_binding "$1" "${all_items[@]}" "${part_items[@]}"
    bound=$REPLY
    [[ ${line_defaults[$1.bind]-none} != "${line_defaults[$launcher_kind.bind]-none}" ]] || return 0
    [[ -n ${written_forms[$launcher_kind.bind:$bound]+set} ]] || return 0
    all_items+=("bind:$bound=") all_texts+=("bind:$bound")
    [[ -n $mapped && -n ${written_forms[$launcher_kind.map:$mapped]+set} ]] || return 0
    ! has_item map "${all_items[@]}" "${part_items[@]}" || return 0
    all_items+=("map:$mapped=") all_texts+=("map:$mapped")
}

# is_of_one_host NAME: whether a variable is a launcher's, the adapter's or this host's own.
is_of_one_host() {
    local pattern
    for pattern in ${line_defaults[all.kept]-}; do
        # shellcheck disable=SC2053  # a pattern
        [[ $1 != $pattern ]] || return 0
    done
    return 1
}

# settle_environment DIALECT: ranks of other hosts have all variables where the line's own launcher gives them all.
settle_environment() {
    local name
    [[ ${line_defaults[$1.environment]-} == all && ${line_defaults[$launcher_kind.environment]-} == named ]] || return 0
    ! has_item no_variables "${all_items[@]}" "${part_items[@]}" || return 0
    ! has_item variables "${all_items[@]}" "${part_items[@]}" || return 0
    [[ ${#hosts[@]} -gt 0 ]] || return 0
    while IFS= read -r name; do
        [[ $name != LC_ALL || -n ${set_aside[LC_ALL]+set} ]] || continue
        ! is_of_one_host "$name" || continue
        all_items+=("named_variable=$name") all_texts+=("$name")
    done < <(compgen -e)
}

# settle_defaults DIALECT: makes the line say what its own launcher does without being told.
settle_defaults() {
    settle_hosts
    settle_environment "$1"
    settle_binding "$1"
    if [[ ${line_defaults[$1.share]-} == yes && ${line_defaults[$launcher_kind.share]-} != yes ]]; then
        add_for_all share '' share
        # Ranks that are bound to one core share it, then.
        ! can_be_written overload || ! has_item bind "${all_items[@]}" "${part_items[@]}" || [[ $REPLY == none ]] || add_for_all overload '' share
    fi
}

# ---------------------------------------------------------------- writing

# put_option WORD...: adds the words of an option to option_words. Of one whose value begins with ':', the value goes to the one that is there.
put_option() {
    local i
    [[ $# -gt 0 ]] || return 0
    if [[ $1 == %* ]]; then
        launcher_variables+=("${1#%}")
        return
    fi
    for i in "${!option_words[@]}"; do
        [[ $# -eq 2 && ${option_words[i]} == "$1" ]] || continue
        if [[ $2 == :* ]]; then
            option_words[i + 1]+=$2
            return
        elif [[ ${option_words[i + 1]} == :* ]]; then
            option_words[i + 1]=$2${option_words[i + 1]}
            return
        fi
    done
    option_words+=("$@")
}

# pair_of_words WORD...: sets words to those of an option whose value is two words, for which the table has NAME=VALUE.
pair_of_words() {
    local forms
    [[ $# -eq 2 && $2 == *=* ]] || return 0
    single_dash "$1"
    forms=${option_forms[$launcher_kind.$REPLY]-}
    values_of "$forms"
    [[ $REPLY -ne 2 ]] || words=("$1" "${2%%=*}" "${2#*=}")
}

# variable_words VALUE: sets REPLY to NAME=VALUE of what may be a name alone, which stands for the value that is here; fails if it has none.
variable_words() {
    REPLY=$1
    [[ $1 != *=* ]] || return 0
    [[ $1 =~ ^[A-Za-z_][A-Za-z0-9_]*$ && -n ${!1+set} ]] || return
    REPLY=$1=${!1}
}

# put_item MEANING VALUE TEXT: writes one item for the host's launcher.
put_item() {
    local form=${written_forms[$launcher_kind.$1]-} word words=() value=$2
    if [[ ${1#shared_} == variable && $value != *=* ]]; then
        variable_words "$value" || { note "$value is not set, and no rank gets it"; return 0; }
        value=$REPLY
    fi
    for word in $form; do
        word=${word/NAME/"${value%%=*}"}
        [[ $form != *NAME* ]] || word=${word/VALUE/"${value#*=}"}
        words+=("${word/VALUE/"$value"}")
    done
    pair_of_words "${words[@]}"
    put_option "${words[@]}"
}

# put_variables LIST: of NAME and NAME=VALUE with commas between.
put_variables() {
    local word kind=shared_variable
    [[ -n ${written_forms[$launcher_kind.$kind]+set} ]] || kind=variable
    for word in ${1//,/ }; do
        case $word in
        ALL) ;;
        NONE) put_item no_variables '' "$word" ;;
        *) put_item "$kind" "$word" "$word" ;;
        esac
    done
}

# write_item ITEM TEXT: as put_item, where the host's launcher has it.
write_item() {
    local meaning=${1%%=*} value=${1#*=}
    [[ -n ${written_forms[$launcher_kind.$meaning]+set} ]] || meaning=${meaning#shared_}
    if [[ $meaning == settled ]]; then
        return
    elif [[ $meaning == own_setting ]]; then
        without_effect+="${without_effect:+, }$2"
    elif has_word "${meaning%%:*}" "$dispensable"; then
        note "the option $2 is left out, as $launcher doesn't need it"
    elif [[ $meaning == bind:core ]] && has_item cores "${items[@]}" "${all_items[@]}"; then
        return
    elif [[ -n ${written_forms[$launcher_kind.$meaning]+set} ]]; then
        put_item "$meaning" "$value" "$2"
    elif [[ $meaning == variables ]]; then
        put_variables "$value"
    elif [[ $meaning == all_variables || $meaning == no_share ]]; then
        return
    else
        refuse_option "$dialect" "$2" "${meaning_advice[$meaning]-${meaning_advice[${meaning%%:*}]-}}"
    fi
}

# find_part_program PART: sets command_at and program_at to where they stand among the program's words.
find_part_program() {
    local i
    command_at=${part_words_at[$1]} program_at='' file_at='' line_folder=''
    ! has_item folder "${items[@]}" "${all_items[@]}" || line_folder=$REPLY
    [[ $command_at -lt ${part_ends[$1]} ]] || die "no program is in '${line[*]}'" 'name one after the options'
    for ((i = command_at; i < part_ends[$1]; i++)); do
        is_command "${line[i]}" && uses_mpi "$REPLY" || continue
        program_at=$i
        return
    done
}

# examine_part_of PART: what the program is, and the environment of its ranks. The first one settles the host and its launcher.
examine_part_of() {
    local file=${given[--program]-}
    forget_program
    find_part_program "$1"
    [[ -z $program_at || $command_at == "$program_at" ]] || started_by_other=yes
    if [[ -z $file ]]; then
        is_command "${line[${program_at:-$command_at}]}" || die "${line[command_at]}: no such program" 'correct its name'
        file=$REPLY
    fi
    examine_program "$file"
    choose_for_line "${given[--launcher]-${setting[launcher]-}}"
}

# is_of_line MEANING: whether the host's launcher takes this for all programs at once.
is_of_line() {
    line_default "$launcher_kind" programs
    [[ $REPLY != all ]] && ! has_word "${1%%:*}" "$REPLY"
}

# share_item ITEM TEXT: makes an item of one program one of all, where the host's launcher has it for all alone.
share_item() {
    local item meaning=${1%%=*}
    for item in "${all_items[@]}"; do
        [[ $item != "$1" ]] || return 0
        [[ ${item%%=*} != "$meaning" ]] ||
            die "the programs of '${line[*]}' differ in $2" "$launcher has that for all programs; give it once"
    done
    all_items+=("$1") all_texts+=("$2")
}

# share_items: of all programs.
share_items() {
    local i
    for i in "${!part_items[@]}"; do
        [[ ${part_items[i]} != settled= ]] || continue
        ! is_of_line "${part_items[i]%%=*}" || share_item "${part_items[i]}" "${part_texts[i]}"
    done
}

# write_line_items: the options of all programs, to arguments, where the host's launcher takes them ahead of the first.
write_line_items() {
    local i
    option_words=()
    for i in "${!all_items[@]}"; do
        ! is_of_line "${all_items[i]%%=*}" || write_item "${all_items[i]}" "${all_texts[i]}"
    done
    arguments+=("${option_words[@]}")
}

# write_part PART: the options of one program and its words, to arguments.
write_part() {
    local i pattern settings=yes
    option_words=()
    for i in "${!all_items[@]}"; do
        is_of_line "${all_items[i]%%=*}" || write_item "${all_items[i]}" "${all_texts[i]}"
    done
    for i in "${!items[@]}"; do
        is_of_line "${items[i]%%=*}" || write_item "${items[i]}" "${item_texts[i]}"
    done
    line_fact "$launcher_kind" one
    pattern=$REPLY
    if [[ -n $pattern ]]; then
        settings=no
        append_settings arguments "$pattern"
    fi
    arguments+=("${option_words[@]}")
    append_command "${part_ends[$1]}" "$settings"
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

# refuse_dialect NAME: for one whose options are not known.
refuse_dialect() {
    local names
    list_dialects
    did_you_mean "$1" "${names[*]}" || REPLY='start the line by the launcher of the host'
    die "the options of $1 are not known" "$REPLY"
}

# translate_line DIALECT: sets arguments to the line of the host's launcher, with its launcher ahead.
translate_line() {
    local dialect=$1 line_ranks=0 without_effect='' count part apart items item_texts
    load_launch_options
    [[ -n ${line_defaults[$dialect.ranks]-} ]] || refuse_dialect "$dialect"
    # The host's is not known yet.
    launcher='' launcher_kind=''
    read_line "$dialect"
    count=${#part_begins[@]}
    [[ -n ${given[--from]-} ]] || ! family_of_launcher "$dialect" || given[--from]=$REPLY
    items_of 0
    examine_part_of 0
    if [[ $launcher_kind == "$dialect" ]]; then
        adapt_own_line
        return
    fi
    read_environment "$dialect"
    settle_parts "$count"
    settle_defaults "$dialect"
    share_items
    line_fact "$launcher_kind" leads
    read -r -a arguments <<< "$REPLY ${setting[launcher_arguments]-}"
    arguments=("$launcher" "${arguments[@]}")
    write_line_items
    line_fact "$launcher_kind" apart
    apart=$REPLY
    [[ $count -eq 1 || -n $apart ]] || die "$launcher can start only one program" 'give an MPI'"'"'s own launcher by --to'
    for ((part = 0; part < count; part++)); do
        [[ $part -eq 0 ]] || arguments+=("$apart")
        items_of "$part"
        examine_part_of "$part"
        write_part "$part"
    done
    [[ -z $without_effect ]] || say "without effect on $launcher: $without_effect"
}
