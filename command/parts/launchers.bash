# SPDX-License-Identifier: BSD-3-Clause
# The command lines of launchers: the table of kinds of launchers.

launcher_kinds_known=()
declare -A line_facts=()        # "KIND.KEY" -> values

# line_fact KIND KEY: sets REPLY.
line_fact() { REPLY=${line_facts[$1.$2]-}; }

# is_batch KIND: whether it is a batch system's, which starts every MPI.
is_batch() { [[ -n ${line_facts[$1.batch]-} ]]; }

# is_called FILE KIND: whether a launcher of this kind has such a name.
is_called() {
    local words word
    read -r -a words <<< "${line_facts[$2.commands]-}"
    for word in "${words[@]}"; do
        # shellcheck disable=SC2053  # a pattern
        [[ ${1##*/} != $word ]] || return 0
    done
    return 1
}

# batch_of_name FILE: sets REPLY to the kind of a batch system's launcher, or fails.
batch_of_name() {
    for REPLY in "${launcher_kinds_known[@]}"; do
        is_batch "$REPLY" && is_called "$1" "$REPLY" && return
    done
    return 1
}

# is_launcher_name FILE: whether any launcher is called so.
is_launcher_name() {
    local kind
    for kind in "${launcher_kinds_known[@]}"; do
        ! is_called "$1" "$kind" || return 0
    done
    return 1
}

# single_dash WORD: sets REPLY to an option as the table spells it, without its value.
single_dash() {
    REPLY=${1%%=*}
    [[ $REPLY != --?* ]] || REPLY=${REPLY#-}
}

# value_words KIND OPTION: sets REPLY to how many words after it are its value; fails for an option that the table
# does not have.
value_words() {
    local word option
    single_dash "$2"
    option=$REPLY
    for word in ${line_facts[$1.values]-}; do
        [[ ${word%%=*} == "$option" ]] || continue
        REPLY=1
        [[ $word != *=* ]] || REPLY=${word#*=}
        [[ $2 != *=* && $REPLY =~ ^[0-9]$ ]] || REPLY=0
        return 0
    done
    REPLY=0
    return 1
}

# instead_of KIND OPTION: sets REPLY to what the launcher has for another one's option; empty where none is needed.
# Fails where the table does not say.
instead_of() {
    local word option
    single_dash "$2"
    option=$REPLY
    for word in ${line_facts[$1.instead]-}; do
        REPLY=${word#*=}
        [[ ${word%%=*} != "$option" ]] || return 0
    done
    return 1
}

# is_launcher_option OPTION: whether the table knows it, of whatever launcher.
is_launcher_option() {
    local kind
    for kind in "${launcher_kinds_known[@]}"; do
        ! value_words "$kind" "$1" && ! instead_of "$kind" "$1" || return 0
    done
    return 1
}

# append_settings ARRAY PATTERN: adds to ARRAY the words by which a launcher is told the environment of ranks, as the
# pattern's NAME and VALUE show.
append_settings() {
    local -n list=$1
    local name word words
    read -r -a words <<< "$2"
    for name in "${rank_names[@]}"; do
        for word in "${words[@]}"; do
            word=${word/NAME/"$name"}
            list+=("${word/VALUE/"${rank_environment[$name]}"}")
        done
    done
}

# Sets REPLY to the launchers whose variables the program looks for, or nothing.
told_launchers() {
    REPLY=''
    [[ $native == no && -n $chosen ]] && ! is_shared "$abi" || return 0
    REPLY=${implementation_facts[${family_facts[$abi.implementations]-}.told]-}
    REPLY=${REPLY// /,}
}

# append_starter ARRAY SETTINGS: adds to ARRAY what stands between the launcher and the program, if anything must: start-rank, which
# sets the variables of the program's own MPI, and the environment of ranks if SETTINGS is yes.
append_starter() {
    local -n starter_list=$1
    local told file=$start_rank
    told_launchers
    told=$REPLY
    [[ -n $told || ( $2 == yes && ${#rank_names[@]} -gt 0 ) ]] || return 0
    [[ -z $chosen || ! -x ${pair_folders[$chosen]-}/start-rank ]] || file=${pair_folders[$chosen]}/start-rank
    [[ -x $file ]] || die "$file is missing" 'install mpi-adapter again'
    starter_list+=("$file" "${told:--}" "${launcher_kind:--}")
    [[ $2 == no ]] || append_settings "$1" NAME=VALUE
    starter_list+=(--)
}

launcher_library_path=keep      # none: the launcher is started without LD_LIBRARY_PATH

# is_in_library_path FILE: whether LD_LIBRARY_PATH leads to that library.
is_in_library_path() {
    local folder items
    split_colons "${LD_LIBRARY_PATH-}"
    for folder in "${items[@]}"; do
        [[ ! $folder/${1##*/} -ef $1 ]] || return 0
    done
    return 1
}

# Keeps libraries of the program's from the host's launcher, which LD_LIBRARY_PATH would give it: if that has some that the launcher or
# its MPI needs, does not lead to that MPI, and the launcher finds all without. Ranks are told theirs.
spare_launcher() {
    local file own
    [[ $native == no && -n ${LD_LIBRARY_PATH-} && -n ${rank_environment[LD_LIBRARY_PATH]-} && -z $host_folders ]] && ! is_batch "$launcher_kind" &&
        ! is_in_library_path "$host_library" && trace "$launcher" '' '' && ! traced_missing || return 0
    for file in "$launcher" "$host_library"; do
        trace "$file" '' ''
        own=${trace_paths[*]}
        trace "$file" "$LD_LIBRARY_PATH" ''
        [[ ${trace_paths[*]} != "$own" ]] || continue
        note "$launcher is started without LD_LIBRARY_PATH, which has other libraries than its own"
        launcher_library_path=none
        return
    done
}
