# SPDX-License-Identifier: BSD-3-Clause
# The families of MPI ABIs, the implementations that may be behind them, launchers, and the pairs of families: what
# the tables of these names say, which are installed as they are. No other part names a family or an implementation.

family_names=()
implementation_names=()
departing_lines=()      # of the table departures
pair_names=()           # of those that come with mpi-adapter, the preferred ones first
declare -A family_facts=()       # "NAME.KEY" -> values
declare -A implementation_facts=()

# read_table NAME ARRAY NAMES: of lines "NAME KEY VALUE...".
read_table() {
    local -n table=$2 table_names=$3
    local name key values
    while read -r name key values; do
        [[ -n $name && $name != '#'* ]] || continue
        has_word "$name" "${table_names[*]}" || table_names+=("$name")
        table[$name.$key]+=${table[$name.$key]+ }$values
    done 2> /dev/null < "$1"
}

load_families() {
    local name
    for name in departures families implementations launcher-lines launchers pairs refused; do
        [[ -r $home/$name ]] || die "$home/$name is missing" 'install mpi-adapter again'
    done
    read_table "$home/families" family_facts family_names
    read_table "$home/implementations" implementation_facts implementation_names
    read_table "$home/launcher-lines" line_facts launcher_kinds_known
    while read -r name; do
        [[ -z $name || $name == '#'* ]] || pair_names+=("$name")
    done < "$home/pairs"
    while read -r name; do
        [[ -z $name || $name == '#'* ]] || departing_lines+=("$name")
    done < "$home/departures"
}

# unbundled NAME: sets REPLY to the name that a library had before a Python wheel took it in, and fails, with REPLY as NAME, if none did.
# auditwheel puts eight digits of a checksum ahead of the first dot, and may keep the whole version: libmpi-617ed1d0.so.40,
# libmpi-d26c8c51.so.12.3.1.
unbundled() {
    REPLY=$1
    [[ $1 =~ ^(lib[^./]*)-[0-9a-f]{8}(\.so(\.[0-9]+)?)(\.[0-9]+)*$ ]] && REPLY=${BASH_REMATCH[1]}${BASH_REMATCH[2]}
}

# alias_of NAME FAMILY: sets REPLY to the library that NAME is another name of, a maker's, an earlier release's or a wheel's, or fails.
alias_of() {
    local word words
    read -r -a words <<< "${family_facts[$2.alias]-} ${family_facts[$2.contested]-} ${family_facts[$2.renamed]-}"
    for word in "${words[@]}"; do
        # shellcheck disable=SC2053  # a pattern
        [[ $1 == ${word%%=*} ]] || continue
        REPLY=${word#*=}
        return
    done
    unbundled "$1" && { has_word "$REPLY" "${family_facts[$2.needs]-}" || alias_of "$REPLY" "$2"; }
}

# library_of_today NAME FAMILY: sets REPLY to what releases of today call a library of the family's.
library_of_today() {
    REPLY=$1
    while alias_of "$REPLY" "$2"; do :; done
}

# is_earlier_name NAME FAMILY: whether a library is called so by an earlier release of this ABI.
is_earlier_name() {
    local REPLY=$1 renamed=${family_facts[$2.renamed]-}
    until has_word "$REPLY" "${renamed//=/ }"; do
        alias_of "$REPLY" "$2" || return
    done
    alias_of "$REPLY" "$2"
}

# refused_library NAME: sets REPLY to why programs that need such a library cannot be served, and what to do, and family to whose
# launcher starts them natively, or -; fails for others.
refused_library() {
    local library name
    unbundled "$1" || true
    name=$REPLY
    while read -r library family REPLY; do
        # shellcheck disable=SC2053  # a pattern
        [[ $library != '#'* && $name == $library ]] && return
    done < "$home/refused"
    return 1
}

# all_families KEY: sets REPLY to what all of them have under a key.
all_families() {
    local name
    REPLY=''
    for name in "${family_names[@]}"; do
        REPLY+=" ${family_facts[$name.$1]-}"
    done
}

# joined LAST TEXT...: sets REPLY to the texts, with commas between and LAST ahead of the last one.
joined() {
    local last=$1 i
    shift
    REPLY=${1-}
    for ((i = 2; i < $#; i++)); do
        REPLY+=", ${!i}"
    done
    [[ $# -lt 2 ]] || REPLY+="$last${!#}"
}

# called_families: sets REPLY to what people call them: A, B or C.
called_families() {
    local name texts=()
    for name in "${family_names[@]}"; do
        texts+=("${family_facts[$name.called]-$name}")
    done
    joined ' or ' "${texts[@]}"
}

# has_stem FILE: whether a library has the name of a known one but for its version.
has_stem() {
    local name REPLY
    all_families libraries
    for name in $REPLY; do
        [[ $1 == "${name%.so.*}".so* ]] && return
    done
    return 1
}

# ---------------------------------------------------------------- whose a library is

declare -A text_of_file=()      # what elf-facts says of it
declare -A facts_status=()      # and its exit status
declare -A owner_of_file=()     # the implementation whose marks it has, or -
declare -A departure_of_file=()  # how it departs from the ABI that its name tells, or -

# note_text FILE: once, as each question is a process.
note_text() {
    [[ -z ${text_of_file[$1]+set} ]] || return 0
    text_of_file[$1]=$'\n'$("$elf_facts" "$1" 2> /dev/null)
    facts_status[$1]=$?
}

# is_damaged FILE: whether it is an ELF file that ends early or contradicts itself.
is_damaged() {
    note_text "$1"
    [[ ${facts_status[$1]} == 5 ]]
}

# machine_of FILE: sets REPLY to its class and machine: 64 x86_64.
machine_of() {
    note_text "$1"
    REPLY=${text_of_file[$1]#*$'\nclass '}
    REPLY=${REPLY%%$'\n'*}
    [[ ${text_of_file[$1]} != *$'\nmachine '* ]] || REPLY+=" ${text_of_file[$1]#*$'\nmachine '}"
    REPLY=${REPLY%%$'\n'*}
}

# foreign_machine FILE: sets REPLY to another machine that a library is for, or fails.
foreign_machine() {
    local own
    machine_of "$elf_facts"
    own=$REPLY
    machine_of "$1"
    [[ $REPLY == *' '* && $REPLY != "$own" ]] && REPLY=${REPLY#* }
}

# has_mark FILE MARK: see the table.
has_mark() {
    if [[ $2 == *.so* ]]; then
        note_text "$1"
        [[ ${text_of_file[$1]} == *$'\nneeded '"$2"* ]]
    else
        "$elf_facts" --defines "$2" "$1" 2> /dev/null || "$elf_facts" --imports "$2" "$1" 2> /dev/null
    fi
}

# has_marks_of FILE IMPLEMENTATION
has_marks_of() {
    local mark
    for mark in ${implementation_facts[$2.marks]-}; do
        ! has_mark "$1" "$mark" || return 0
    done
    return 1
}

# marked_implementation FILE: sets REPLY to the implementation whose marks a library has; fails where it has
# nobody's.
marked_implementation() {
    local name
    if [[ -z ${owner_of_file[$1]-} ]]; then
        owner_of_file[$1]=-
        for name in "${implementation_names[@]}"; do
            ! has_marks_of "$1" "$name" || { owner_of_file[$1]=$name; break; }
        done
    fi
    REPLY=${owner_of_file[$1]}
    [[ $REPLY != - ]]
}

# likely_implementation FILE FAMILY: sets REPLY to the one of the family's that made FILE, or fails.
likely_implementation() {
    if marked_implementation "$1"; then
        has_word "$REPLY" "${family_facts[$2.implementations]}"
        return
    fi
    for REPLY in ${family_facts[$2.implementations]}; do
        [[ -n ${implementation_facts[$REPLY.marks]-} ]] || return 0
    done
    return 1
}

# belongs_to_pair FILE: a pair stands in for an MPI, and is none.
belongs_to_pair() {
    local file
    file=$(readlink -e -- "$1") && [[ -e ${file%/*}/pair.conf ]]
}

# told_in_pair FOLDER KEY: prints what a pair's description says, which need not be in order.
told_in_pair() {
    local lines line problem
    read_lines "$1/pair.conf" '' || return
    for line in "${lines[@]}"; do
        [[ $line != "$2 = "* ]] || printf '%s\n' "${line#"$2 = "}"
    done
}

# whose_library FILE FAMILY: sets REPLY to the implementation whose launcher starts FILE's programs; empty for a
# family that the tables do not have.
whose_library() {
    local file=$1 host=''
    REPLY=''
    [[ -n ${family_facts[$2.implementations]-} ]] || return 0
    # A pair stands in for an MPI, and its programs run on another one.
    [[ ! -L $file ]] || file=$(readlink -e -- "$file")
    [[ ! -r ${file%/*}/pair.conf ]] || host=$(told_in_pair "${file%/*}" host)
    if [[ -n $host && -n ${family_facts[$host.implementations]-} ]]; then
        REPLY=${family_facts[$host.implementations]%% *}
    else
        likely_implementation "$1" "$2" || REPLY=${family_facts[$2.implementations]%% *}
    fi
}

# mpi_of_file FILE FAMILY: sets REPLY to the name of the MPI that a library is of, and its release if the library tells that. By symbols
# a maker's library tells the release of the implementation that it began as.
mpi_of_file() {
    local name symbol maker release='' start
    whose_library "$1" "$2"
    maker=${implementation_facts[$REPLY.maker]-} start=${implementation_facts[$REPLY.maker_release]-}
    if [[ -n $maker ]] && "$elf_facts" --contains "${maker%=*}" "$1" 2> /dev/null; then
        [[ -z $start ]] || release=$("$elf_facts" --release "$start" "$1" 2> /dev/null)
        REPLY=${maker##*=}${release:+ $release}
        return
    fi
    name=${implementation_facts[$REPLY.version]-$2}
    all_families release_symbol
    for symbol in $REPLY; do
        release=${release:-$("$elf_facts" --text "$symbol" "$1" 2> /dev/null)}
    done
    REPLY=$name${release:+ $release}
}

# soname_of FILE: sets REPLY to what a library calls itself, or nothing.
soname_of() {
    note_text "$1"
    REPLY=${text_of_file[$1]#*$'\nsoname '}
    REPLY=${REPLY%%$'\n'*}
}

# has_names FILE NAME...: whether a library defines all of them.
has_names() {
    local file=$1 name
    shift
    for name; do
        "$elf_facts" --defines "$name" "$file" 2> /dev/null || return
    done
}

# departs FILE FAMILY: whether a library with the family's name numbers constants otherwise, as the table says of who made it. Sets REPLY
# to how, and what to use instead: a message.
departs() {
    local line family instead text key="$2 $1"
    if [[ -z ${departure_of_file[$key]-} ]]; then
        departure_of_file[$key]=-
        for line in "${departing_lines[@]}"; do
            read -r family instead text <<< "$line"
            [[ $family == "$2" ]] && "$elf_facts" --contains "${text%%=*}" "$1" 2> /dev/null && ! belongs_to_pair "$1" || continue
            soname_of "$1"
            has_word "$REPLY" "${family_facts[$2.needs]-}" || continue
            text=${text#*=}
            departure_of_file[$key]="$1 is ${text%%; *}'s, which numbers ${text#*; } otherwise than ${family_facts[$2.called]-$2}${then}\
use its library of the ABI $instead, with --to $instead"
        done
    fi
    REPLY=${departure_of_file[$key]}
    [[ $REPLY != - ]]
}

# library_serves FILE FAMILY: whether FILE is an MPI library of that ABI, by what it exports and calls itself; what
# the file is called says nothing. Of an implementation that has this ABI, and not with the name of another family's;
# with a name that is nobody's, of a vendor's say, it must have all that tells the family's libraries from others.
library_serves() {
    local soname REPLY
    ! foreign_machine "$1" || return
    has_names "$1" PMPI_Init || return
    [[ -n ${family_facts[$2.implementations]-} ]] || return 0
    soname_of "$1"
    unbundled "$REPLY" || true
    soname=$REPLY
    all_families needs
    if ! has_word "$soname" "${family_facts[$2.needs]}"; then
        ! has_word "$soname" "$REPLY" && [[ -n ${family_facts[$2.has]-} ]] || return
        alias_of "$soname" "$2" || ! earlier_release "$2" "$soname" || return
        # shellcheck disable=SC2086  # words are wanted
        has_names "$1" ${family_facts[$2.has]} || return
    fi
    likely_implementation "$1" "$2" && ! departs "$1" "$2"
}

# other_libraries FOLDER NAME...: sets items to the libraries for C of the folder, by what they export, that have
# none of the names.
other_libraries() {
    local folder=$1 file
    items=()
    shift
    for file in "$folder"/libmpi*.so*; do
        [[ -f $file ]] && ! has_word "${file##*/}" "$*" && has_names "$file" PMPI_Init || continue
        items+=("$file")
    done
}

# ---------------------------------------------------------------- releases with an ABI that is not served

# earlier_release FAMILY NAMES: sets REPLY to what people call the releases whose library for C had one of these
# names and another ABI than the family, or fails.
earlier_release() {
    local word
    for word in ${family_facts[$1.earlier]-}; do
        has_word "${word%%=*}" "$2" || continue
        REPLY=${word#*=}
        REPLY="${family_facts[$1.called]-$1} ${REPLY/-/ to }"
        return
    done
    return 1
}

# earlier_library FILE: the same for a library, by the marks of who made it and the name that it calls itself.
earlier_library() {
    local family made soname
    marked_implementation "$1" || return
    made=$REPLY
    soname_of "$1"
    unbundled "$REPLY" || true
    soname=$REPLY
    for family in "${family_names[@]}"; do
        has_word "$made" "${family_facts[$family.implementations]-}" && earlier_release "$family" "$soname" || continue
        ! library_serves "$1" "$family" || return
        earlier_release "$family" "$soname"
        return
    done
    return 1
}

# described_library FILE: sets REPLY to a file and, of one that is known and not served, whose it is.
described_library() {
    local family
    for family in "${family_names[@]}"; do
        departs "$1" "$family" || continue
        REPLY=${REPLY%%"$then"*}
        REPLY="$1 (${REPLY#"$1 is "})"
        return
    done
    if earlier_library "$1"; then REPLY="$1 ($REPLY)"; elif foreign_machine "$1"; then REPLY="$1 (for $REPLY)"; else REPLY=$1; fi
}

# package_of_family FAMILY: sets REPLY to a remark on the package of this system that has an MPI of it, with its launcher, or to
# nothing where the table does not say.
package_of_family() {
    local lines=() line words problem name word package=''
    read_lines /etc/os-release '' || true
    for line in "${lines[@]}"; do
        [[ $line =~ ^(ID|ID_LIKE)=\"?([a-z0-9._ -]+)\"?$ ]] && words+=" ${BASH_REMATCH[2]}"
    done
    for name in ${family_facts[$1.implementations]-}; do
        for word in ${implementation_facts[$name.packages]-}; do
            ! has_word "${word%%=*}" "${words-}" || package=${package:-${word#*=}}
        done
    done
    REPLY=${package:+, as package $package,}
}

# ---------------------------------------------------------------- launchers

# is_launcher_kind KIND
is_launcher_kind() {
    local name
    for name in "${implementation_names[@]}"; do
        [[ ${implementation_facts[$name.launcher]} != "$1" ]] || return 0
    done
    return 1
}

# launcher_of_abi ABI: sets REPLY to the kind of launcher that the MPI of this ABI has; fails for an ABI that several MPIs share.
launcher_of_abi() {
    local name=${family_facts[$1.implementations]-}
    [[ -n $name ]] && ! is_shared "$1" || return
    REPLY=${implementation_facts[$name.launcher]}
}

# launcher_fact KIND KEY: sets REPLY to what the first implementation that has such a launcher says of it.
launcher_fact() {
    local name
    for name in "${implementation_names[@]}"; do
        [[ ${implementation_facts[$name.launcher]} == "$1" ]] || continue
        REPLY=${implementation_facts[$name.$2]-}
        return
    done
    REPLY=''
}

# kind_of_text TEXT: sets REPLY to the kind of launcher that says this of itself, or fails.
kind_of_text() {
    local name texts text
    for name in "${implementation_names[@]}"; do
        IFS=, read -r -a texts <<< "${implementation_facts[$name.says]-}"
        for text in "${texts[@]}"; do
            [[ $1 != *"$text"* ]] || { REPLY=${implementation_facts[$name.launcher]}; return; }
        done
    done
    return 1
}

# trial_variables: sets items to the variables with which launchers start a trial anywhere.
trial_variables() {
    local name
    items=()
    for name in "${implementation_names[@]}"; do
        # shellcheck disable=SC2206  # words are wanted
        items+=(${implementation_facts[$name.anywhere]-})
    done
}
