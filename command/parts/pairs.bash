# SPDX-License-Identifier: BSD-3-Clause
# The installed pairs, and the ABIs they serve.

declare -A conf=()      # "INDEX.KEY" -> value
pair_folders=()

# store_line INDEX PLACE LINE
store_line() {
    local key value
    split_setting "$2" "$3" 'install the pair again' || return
    [[ -n $key ]] || return 0
    if [[ -n ${conf[$1.$key]+set} ]]; then
        problem="$2: $key is given twice${then}install the pair again"
        return 1
    fi
    case $key in
    application | host | name) is_word "$value" ;;
    host_library | launcher) [[ $value == /* ]] ;;
    launcher_kind | *_launcher_kind) is_launcher_kind "$value" ;;
    *) true ;;
    esac || {
        problem="$2: $key cannot be '$value'${then}install the pair again"
        return 1
    }
    conf[$1.$key]=$value
}

# read_pair INDEX FOLDER
read_pair() {
    local file=$2/pair.conf lines line number=0 key
    read_lines "$file" 'install the pair again' || return
    for line in "${lines[@]}"; do
        number=$((number + 1))
        store_line "$1" "$file:$number" "$line" || return
    done
    for key in application host application_sonames host_libraries launchers \
        launcher_kind preload; do
        if [[ -z ${conf[$1.$key]-} ]]; then
            problem="$file:$number: $key is missing${then}install the pair again"
            return 1
        fi
    done
}

pair_name() { REPLY=${pair_folders[$1]##*/}; }

# The folder of a site's own pairs, if the command came in a package: they must outlive the package.
site_home=$site_prefix_of_all/lib/mpi-adapter

search_folders() {
    local items
    split_colons "${setting[pair_path]-}"
    folders=("${items[@]}" "$home")
    # Others that somebody installed there are another installation's.
    if [[ ! $site_home -ef $home ]] && compgen -G "$site_home/*@*/pair.conf" > /dev/null; then
        folders+=("$site_home")
    fi
}

# pairs_in FOLDER: sets found to the folders of its pairs: those of the table in its order, each ahead of those
# that were made of it for one MPI, and then any others.
pairs_in() {
    local name pair
    local -A seen=()
    found=()
    for name in "${pair_names[@]}" '*'; do
        # shellcheck disable=SC2231  # a pattern
        for pair in "$1"/$name "$1"/$name@*; do
            [[ $1 != "$site_home" || $1 == "$home" || $pair == *@* ]] || continue
            [[ -e $pair/pair.conf && -z ${seen[$pair]-} ]] || continue
            seen[$pair]=yes
            found+=("$pair")
        done
    done
}

# Fills pair_folders and conf.  $1 is what to do with a damaged pair: a
# function that is called with the problem.
load_pairs() {
    local folder found pair index=0
    search_folders
    for folder in "${folders[@]}"; do
        pairs_in "$folder"
        for pair in "${found[@]}"; do
            pair=$(cd -- "$pair" && pwd -P) || continue
            if read_pair "$index" "$pair"; then
                pair_folders[index]=$pair
                index=$((index + 1))
            else
                "$1" "$problem"
                forget_pair "$index"
            fi
        done
    done
}

forget_pair() {
    local key
    for key in "${!conf[@]}"; do
        [[ $key == "$1".* ]] && unset 'conf[$key]'
    done
}

require_pairs() {
    load_settings die_of_problem
    load_pairs die_of_problem
    [[ ${#pair_folders[@]} -gt 0 ]] ||
        die "no pair is installed in ${folders[*]}" \
            'install one, or name its folder in MPI_ADAPTER_PATH'
}

# abi_of_soname NAME: sets REPLY to its ABI, or fails.
abi_of_soname() {
    local index
    ! unbundled "$1" || set -- "$REPLY"
    for index in "${!pair_folders[@]}"; do
        REPLY=${conf[$index.application]}
        has_word "$1" "${conf[$index.application_sonames]}" && return
    done
    for REPLY in "${family_names[@]}"; do
        has_word "$1" "${family_facts[$REPLY.needs]}" && return
    done
    for index in "${family_names[@]}"; do
        alias_of "$1" "$index" && REPLY=$index && return
    done
    return 1
}

# Sets REPLY to the names that the libraries of every known ABI have.
known_sonames() {
    local index
    all_families needs
    REPLY+=" ${other_names[*]}"
    for index in "${!pair_folders[@]}"; do
        REPLY+=" ${conf[$index.application_sonames]}"
    done
}

# Sets known to the names of all ABIs.
known_abis() {
    local index
    known="${family_names[*]}"
    for index in "${!pair_folders[@]}"; do
        known+=" ${conf[$index.application]} ${conf[$index.host]}"
    done
}

is_abi_name() {
    local known
    known_abis
    has_word "$1" "$known"
}

# check_abi_name OPTION NAME [ORIGIN]: sets REPLY to the NAME of an ABI, or of a host that build gave one, or ends. Of an MPI that people
# name instead of its family, that is the family's. ORIGIN is the place of a setting.
check_abi_name() {
    local known family name=${2%%@*}
    known_abis
    REPLY=$2
    ! has_word "$name" "$known" || return 0
    for family in "${family_names[@]}"; do
        has_word "$name" "${family_facts[$family.meant]-}" || continue
        [[ $1 != --to || -n ${3-} ]] ||
            say "$name is of the ABI $family, and any MPI of that may serve${then}if it must be $name, name its folder in MPI_ADAPTER_HOST_PREFIXES"
        REPLY=$family${2#"$name"}
        return
    done
    known=$(tr ' ' '\n' <<< "$known" | sort -u | paste -sd ' ')
    did_you_mean "$name" "$known" || REPLY="give $1 one of: $known"
    [[ -z ${3-} ]] || die "unknown ABI '$name', which $3 names" "${REPLY/give $1/give it}"
    die "unknown ABI '$name'" "$REPLY"
}

# The ABI of which every installed pair is, if there is just one.
only_application() {
    local index
    REPLY=${conf[0.application]}
    for index in "${!pair_folders[@]}"; do
        [[ ${conf[$index.application]} == "$REPLY" ]] || return
    done
}
