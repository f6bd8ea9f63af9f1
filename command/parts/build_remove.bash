# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter build --remove: takes away pairs that build made.

# stays_in_use INDEX: whether another pair that stays runs on a library of this one. Sets problem.
stays_in_use() {
    local other
    for other in "${!pair_folders[@]}"; do
        [[ ${conf[$other.host_library]-} == "${pair_folders[$1]}"/* ]] && ! has_word "$other" "${removed[*]}" || continue
        problem="${pair_folders[$other]} runs on ${pair_folders[$1]}${then}remove that first"
        return
    done
    return 1
}

# find_removed NAME: sets removed to the indices of pairs that build made, by PAIR@NAME or by HOST@NAME as --to takes it.
find_removed() {
    local index made=() folder
    removed=()
    for index in "${!pair_folders[@]}"; do
        folder=${pair_folders[$index]}
        [[ -n ${conf[$index.made]-} ]] || continue
        [[ -z ${given[--prefix]-} || ${folder%/*} -ef ${given[--prefix]}/lib/mpi-adapter ]] || continue
        made+=("${folder##*/}" "${conf[$index.host]}@${conf[$index.name]}")
        [[ $1 != "${made[-1]}" && $1 != "${made[-2]}" ]] || removed+=("$index")
    done
    [[ ${#removed[@]} -eq 0 ]] || return 0
    did_you_mean "$1" "${made[*]}" || REPLY="'mpi-adapter list' shows them"
    die "no pair that 'mpi-adapter build' made is called '$1'" "$REPLY"
}

# remove_pair FOLDER: it is gone at once, and its files then.
remove_pair() {
    local stage
    trap '' INT TERM HUP
    if ! { stage=$(mktemp -d -- "${1%/*}/.build-XXXXXX") && mv -T -- "$1" "$stage/removed"; } 2> /dev/null; then
        [[ -z $stage ]] || rmdir -- "$stage"
        die "$1 cannot be removed" 'ask for permission to write there'
    fi
    rm -rf -- "$stage"
    trap - INT TERM HUP
    plain "$1"
    put '%-10s %s\n' remove "$REPLY"
}

# remove_pairs NAME
remove_pairs() {
    local index removed place
    find_removed "$1"
    for index in "${removed[@]}"; do
        ! stays_in_use "$index" || die_of_problem "$problem"
    done
    for index in "${removed[@]}"; do
        remove_pair "${pair_folders[$index]}"
    done
    place=${setting_origin[host]-}
    [[ ${setting[host]-} != "$1" ]] || say "host ($place) still names $1${then}correct the setting"
}
