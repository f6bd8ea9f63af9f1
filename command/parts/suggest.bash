# SPDX-License-Identifier: BSD-3-Clause
# Which name somebody meant who mistyped one.

# is_within EDITS WORD NAME: whether at most 0, 1 or 2 edits make NAME of WORD. An edit adds, drops or replaces a letter, or
# exchanges two neighbours.
is_within() {
    local fewer=0 word=$2 name=$3
    while [[ -n $word && ${word:0:1} == "${name:0:1}" ]]; do
        word=${word:1} name=${name:1}
    done
    [[ $word != "$name" ]] || return 0
    [[ $1 != 0 ]] || return
    [[ $1 != 2 ]] || fewer=1
    is_within $fewer "$word" "${name:1}" || is_within $fewer "${word:1}" "$name" || is_within $fewer "${word:1}" "${name:1}" ||
        { [[ ${word:0:2} == "${name:1:1}${name:0:1}" ]] && is_within $fewer "${word:2}" "${name:2}"; }
}

# compared_part WORD: sets REPLY to what is compared: neither dashes nor the prefix of our variables.
compared_part() {
    REPLY=${1#"${1%%[!-]*}"}
    REPLY=${REPLY#MPI_ADAPTER_}
    REPLY=${REPLY,,}
}

# did_you_mean WORD NAMES: sets REPLY to a question for the name that WORD is a slip of, or for two that are as near. Fails, with
# REPLY empty, if none is near or more than two are. Leading dashes, capitals and the prefix of variables do not count, and fewer
# than half of the letters may differ.
did_you_mean() {
    local word edits name names near=() allowed='0 1 2'
    compared_part "$1"
    word=$REPLY
    case ${#word} in
    0 | 1) allowed='' ;;
    2) allowed=0 ;;
    3 | 4) allowed='0 1' ;;
    esac
    read -r -d '' -a names <<< "$2"
    for edits in $allowed; do
        for name in "${names[@]}"; do
            compared_part "$name"
            is_within "$edits" "$word" "$REPLY" || continue
            has_word "'$name'" "${near[*]}" || near+=("'$name'")
        done
        [[ ${#near[@]} -eq 0 ]] || break
    done
    REPLY=''
    [[ ${#near[@]} -eq 1 || ${#near[@]} -eq 2 ]] || return
    joined ' or ' "${near[@]}"
    REPLY="did you mean $REPLY?"
}
