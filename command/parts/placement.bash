# SPDX-License-Identifier: BSD-3-Clause
# The hosts that a translated line names, and on which of them its own launcher would start each rank.

hosts=()                # names, in the order in which ranks go to them
host_slots=()           # how many ranks each takes, by its index
declare -A used_slots=()    # by name: those of the programs before
placed=()               # the host of each rank
part_ranks=()           # how many ranks each program has
sequences=()            # "N<<< TEXT": the files that list hosts, by the numbers by which they are open

# ---------------------------------------------------------------- reading

# has_slots LAUNCHER: whether it starts a rank in each slot unless it is told how many.
has_slots() { [[ ${line_defaults[$1.ranks]-} == slots ]]; }

# is_own_host NAME: whether it is the machine on which this runs.
is_own_host() {
    local name=${HOSTNAME:-localhost}
    [[ $1 == localhost || $1 == 127.* || ${1%%.*} == "${name%%.*}" ]]
}

# add_host DIALECT NAME SLOTS. One that is named again has more slots, where there are slots.
add_host() {
    local i
    [[ $2 =~ ^[A-Za-z0-9._-]+$ ]] || die "'$2' is not the name of a host" 'correct the list of hosts'
    is_number "$3" || die "the number of slots of the host $2 is '$3'" 'correct the list of hosts'
    for i in "${!hosts[@]}"; do
        [[ ${hosts[i]} == "$2" ]] && has_slots "$1" || continue
        host_slots[i]=$((host_slots[i] + $3))
        return
    done
    hosts+=("$2")
    host_slots+=("$3")
}

# hosts_of_list DIALECT LIST SLOTS: of NAME or NAME:N, with commas between; those without a number have SLOTS.
hosts_of_list() {
    local name number
    for name in ${2//,/ }; do
        number=$3
        [[ $name != *:* ]] || number=${name#*:}
        add_host "$1" "${name%%:*}" "$number"
    done
}

# hosts_of_file DIALECT FILE SLOTS: of lines NAME, NAME:N or NAME slots=N.
hosts_of_file() {
    local lines text words word number problem
    read_lines "$2" 'give a file of hosts' || die_of_problem "$problem"
    for text in "${lines[@]}"; do
        read -r -a words <<< "${text%%#*}"
        [[ ${#words[@]} -gt 0 ]] || continue
        number=$3
        [[ ${words[0]} != *:* ]] || number=${words[0]#*:}
        for word in "${words[@]:1}"; do
            [[ $word != slots=* ]] || number=${word#slots=}
        done
        add_host "$1" "${words[0]%%:*}" "$number"
    done
    [[ ${#hosts[@]} -gt 0 ]] || die "$2 names no host" 'write a name into each line'
}

# own_host_first: for launchers that begin on their own host, wherever that is named.
own_host_first() {
    local i own_slots
    for i in "${!hosts[@]}"; do
        is_own_host "${hosts[i]}" || continue
        own_slots=${host_slots[i]}
        hosts=("${hosts[i]}" "${hosts[@]:0:i}" "${hosts[@]:i + 1}")
        host_slots=("$own_slots" "${host_slots[@]:0:i}" "${host_slots[@]:i + 1}")
        return
    done
}

# check_per_node: REPLY is a number of ranks per node.
check_per_node() { is_number "$REPLY" || die "'$REPLY' is not a number of ranks per node" 'give a positive number'; }

# read_hosts DIALECT ITEM...: sets hosts and host_slots, by what the line's own launcher takes for a host's slots.
read_hosts() {
    local each=1 i
    hosts=() host_slots=()
    if has_item hosts "${@:2}"; then
        hosts_of_list "$1" "$REPLY" "$each"
    elif has_item hostfile "${@:2}"; then
        # Without a number, a launcher with slots has as many as there are cores.
        if has_slots "$1"; then
            count_cores
            each=$REPLY
        fi
        has_item hostfile "${@:2}"
        hosts_of_file "$1" "$REPLY" "$each"
    fi
    if ! has_slots "$1" && has_item per_node "${@:2}"; then
        check_per_node
        for i in "${!hosts[@]}"; do
            host_slots[i]=$REPLY
        done
    fi
    [[ ${line_defaults[$1.first]-} != own ]] || has_item map:seq "${@:2}" || own_host_first
}

# ---------------------------------------------------------------- placing

# place_on HOST COUNT
place_on() {
    local n
    for ((n = 0; n < $2; n++)); do
        placed+=("$1")
    done
    used_slots[$1]=$((${used_slots[$1]-0} + $2))
}

# free_slots INDEX: sets REPLY.
free_slots() {
    REPLY=$((host_slots[$1] - ${used_slots[${hosts[$1]}]-0}))
    [[ $REPLY -gt 0 ]] || REPLY=0
}

# need_sharing ITEM...: ends unless ranks may be more than slots.
need_sharing() {
    has_item share "$@" || die "'${line[*]}' has more ranks than its hosts have slots" 'give hosts more slots by NAME:N, or add --oversubscribe'
}

# place_evenly COUNT [MORE...]: adds COUNT ranks to those numbers of each host, and places them host by host.
place_evenly() {
    local i count=${#hosts[@]}
    for i in "${!hosts[@]}"; do
        place_on "${hosts[i]}" $((${@:i + 2:1} + $1 / count + (i < $1 % count)))
    done
}

# place_by_slots COUNT ITEM...: fills one host after another; what is left is spread over all.
place_by_slots() {
    local i rest=$1 counts=()
    for i in "${!hosts[@]}"; do
        free_slots "$i"
        [[ $REPLY -le $rest ]] || REPLY=$rest
        counts+=("$REPLY")
        rest=$((rest - REPLY))
    done
    [[ $rest -eq 0 ]] || need_sharing "${@:2}"
    place_evenly "$rest" "${counts[@]}"
}

# place_in_turn COUNT EACH: so many on a host, then the next, and round again, from where the programs before ended.
place_in_turn() {
    local end=$((${#placed[@]} + $1)) turn=0 i n
    while [[ $turn -lt $end ]]; do
        for i in "${!hosts[@]}"; do
            for ((n = 0; n < host_slots[i] && turn < end; n++, turn++)); do
                [[ $turn -lt ${#placed[@]} ]] || place_on "${hosts[i]}" 1
            done
        done
    done
}

# place_by_nodes DIALECT COUNT ITEM...: one on each host that has a slot left, round and round.
place_by_nodes() {
    local i rest=$2 before sharing=no
    has_slots "$1" || sharing=yes
    while [[ $rest -gt 0 ]]; do
        before=$rest
        for i in "${!hosts[@]}"; do
            free_slots "$i"
            [[ $rest -gt 0 && ( $REPLY -gt 0 || $sharing == yes ) ]] || continue
            place_on "${hosts[i]}" 1
            rest=$((rest - 1))
        done
        [[ $rest -eq $before ]] || continue
        need_sharing "${@:3}"
        sharing=yes
    done
}

# place_by_count COUNT EACH: so many on each host.
place_by_count() {
    local name rest=$1 each
    for name in "${hosts[@]}"; do
        each=$2
        [[ $each -le $rest ]] || each=$rest
        place_on "$name" "$each"
        rest=$((rest - each))
    done
    [[ $rest -eq 0 ]] || die "'${line[*]}' has more ranks than $2 for each of its hosts" 'name more hosts, or give more ranks to each'
}

# place_ranks DIALECT COUNT ITEM...: where the line's own launcher starts the ranks of one program.
place_ranks() {
    [[ ${#hosts[@]} -gt 0 ]] || return 0
    if has_item map:seq "${@:3}"; then
        [[ $2 -le ${#hosts[@]} ]] || die "'${line[*]}' has more ranks than its list has hosts" 'name a host for each rank'
        placed+=("${hosts[@]:0:$2}")
    elif has_item map:node "${@:3}"; then
        place_by_nodes "$@"
    elif [[ ${line_defaults[$1.places]-} == turn ]]; then
        place_in_turn "$2"
    elif has_item per_node "${@:3}"; then
        check_per_node
        place_by_count "$2" "$REPLY"
    elif has_slots "$1"; then
        place_by_slots "$2" "${@:3}"
    else
        place_evenly "$2" "${hosts[@]/*/0}"
    fi
}

# ---------------------------------------------------------------- writing

# can_be_written MEANING: whether the host's launcher has it.
can_be_written() { [[ -n ${written_forms[$launcher_kind.$1]+set} ]]; }

# find_runs: sets run_names and run_counts to the hosts of ranks that follow each other.
find_runs() {
    local name last=''
    run_names=() run_counts=()
    for name in "${placed[@]}"; do
        if [[ $name != "$last" ]]; then
            run_names+=("$name")
            run_counts+=(0)
        fi
        last=$name
        run_counts[-1]=$((run_counts[-1] + 1))
    done
}

# begins_rightly NAME...: whether the host's launcher starts in this order.
begins_rightly() {
    local name
    [[ ${line_defaults[$launcher_kind.first]-} == own ]] || return 0
    for name in "${@:2}"; do
        ! is_own_host "$name" || return 1
    done
}

has_doubles() { [[ $(printf '%s\n' "$@" | sort | uniq -d) ]]; }

# Sets REPLY to the hosts of all ranks, host by host, each with its number; fails if ranks of one do not follow each other.
as_blocks() {
    local i
    ! has_doubles "${run_names[@]}" && begins_rightly "${run_names[@]}" || return
    REPLY=''
    for i in "${!run_names[@]}"; do
        REPLY+=${REPLY:+,}${run_names[i]}:${run_counts[i]}
    done
}

# Sets REPLY to the hosts among which ranks go round, or fails.
as_rounds() {
    local i count names=()
    for i in "${placed[@]}"; do
        [[ " ${names[*]} " != *" $i "* ]] || break
        names+=("$i")
    done
    count=${#names[@]}
    for i in "${!placed[@]}"; do
        [[ ${placed[i]} == "${names[i % count]}" ]] || return
    done
    begins_rightly "${names[@]}" || return
    REPLY=''
    for i in "${!names[@]}"; do
        REPLY+=${REPLY:+,}${names[i]}:$((${#placed[@]} / count + (i < ${#placed[@]} % count)))
    done
}

# as_plain_list LIST: sets REPLY to it without numbers, and each to the number that all hosts have, or fails.
as_plain_list() {
    each=${1##*:}
    REPLY=,$1
    REPLY=${REPLY//":$each"/}
    [[ $REPLY != *:* ]] || return
    REPLY=${REPLY#,}
}

# write_list LIST: where the launcher's lists have no numbers, as ranks of a node.
write_list() {
    local each
    if [[ ${line_defaults[$launcher_kind.counts]-} == yes ]]; then
        add_for_all hosts "$1" hosts
    elif as_plain_list "$1"; then
        add_for_all hosts "$REPLY" hosts
        [[ $each -eq 1 ]] || add_for_all per_node "$each" per_node
    else
        return 1
    fi
}

# open_list LINE...: sets REPLY to a file with these, which the launcher inherits open, and which has no name any more.
open_list() {
    local file number
    file=$(mktemp) || die "no file can be created in ${TMPDIR:-/tmp}" 'free space there or set TMPDIR to another folder'
    printf '%s\n' "$@" > "$file"
    exec {number}< "$file"
    rm -f -- "$file"
    printf -v file '%s\n' "$@"
    shell_word "${file%?}"
    sequences+=("$number<<< $REPLY")
    REPLY=/dev/fd/$number
}

# write_sequences: for each program, a file with the hosts of its ranks, one by one.
write_sequences() {
    local part first=0 begins=() made=() texts=() items item_texts
    can_be_written map:seq && ! is_of_line hostfile || return
    for part in "${!part_ranks[@]}"; do
        items_of "$part"
        open_list "${placed[@]:first:part_ranks[part]}"
        first=$((first + part_ranks[part]))
        begins+=("${#made[@]}")
        made+=("${items[@]}" map:seq= "hostfile=$REPLY") texts+=("${item_texts[@]}" map:seq hosts)
    done
    part_items=("${made[@]}") part_texts=("${texts[@]}") part_begins=("${begins[@]}")
}

# add_for_all MEANING VALUE TEXT: an item of all programs.
add_for_all() { all_items+=("$1=$2") all_texts+=("$3"); }

# forget_placing: the items that said where ranks go.
forget_placing() {
    local i kept=() texts=()
    for i in "${!all_items[@]}"; do
        is_placing "${all_items[i]%%=*}" || { kept+=("${all_items[i]}") texts+=("${all_texts[i]}"); }
    done
    all_items=("${kept[@]}") all_texts=("${texts[@]}")
    for i in "${!part_items[@]}"; do
        ! is_placing "${part_items[i]%%=*}" || part_items[i]=settled=
    done
}

is_placing() { has_word "$1" 'hosts hostfile per_node nodes map:node map:slot map:seq'; }

# goes_on_round: whether the second program's ranks follow on the host behind that of the last rank of the first.
goes_on_round() { [[ ${#part_ranks[@]} -eq 1 ]] || is_of_line hosts; }

# settle_hosts: writes where the ranks go, for the host's launcher.
settle_hosts() {
    local run_names run_counts
    [[ ${#placed[@]} -gt 0 ]] || return 0
    forget_placing
    find_runs
    if as_blocks && write_list "$REPLY"; then
        return
    elif goes_on_round && as_rounds && can_be_written map:node && write_list "$REPLY"; then
        add_for_all map:node '' map:node
    else
        write_sequences || die "$launcher cannot start ranks on ${placed[*]} in this order" \
            'let the ranks of each host follow each other, or give all hosts as many slots'
    fi
}
