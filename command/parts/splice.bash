# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter splice: adapts a tree of programs that brings its own MPI, in place.
#
# Only files that RPATH leads to are changed: each library of the tree's MPI for which the pair has one is set aside, into a folder
# .mpi-adapter beside it, and a link to the pair's takes its name. So are launchers, whose names start the host's. A file in that
# folder, host, has the path of the host's MPI for the pair to read, and of what has to be loaded ahead of it. Nothing is written into a
# file of the tree.
#
# With --copy nothing of the tree is touched: what is adapted is a folder of links to its files.
#
# This decides what is done, and the program `trees` (command/tree) does it: that alone lists, reads and changes what a tree has. The
# tree is opened once, and the program has it by that descriptor.

splice_tree=''
splice_folder=''        # the number of the tree's descriptor
splice_paths=()         # below the tree
splice_targets=()       # what the link in its place leads to; for a launcher, the host's
splice_states=()        # of a spliced tree: whether what is in its place is what the splice put there
splice_pair=''
splice_host=''

help_splice() {
    cat <<'TEXT'
Usage: mpi-adapter splice [OPTION]... [--] TREE
       mpi-adapter splice --copy COPY [OPTION]... [--] TREE
       mpi-adapter splice --undo [--] TREE

Adapts a tree of programs that brings its own MPI (a conda environment, a
Spack prefix, a vendor's folder) in place: its programs then run on this
machine's MPI however they are started.  Each library of the tree's MPI is set
aside into a folder .mpi-adapter beside it, and a link to the pair's takes its
name; the tree's mpiexec and its like start the host's.

  --from ABI       which of the tree's MPIs, if it has several
  --to ABI[@NAME]  ABI of the MPI to run on, and which one of a site's
  --copy COPY      leave TREE as it is, which may be another user's or on a
                   read-only file system: make the folder COPY, with links to
                   the files of TREE, and adapt that
  --dry-run        show what would be done
  --undo           put back all that was set aside
  -v, --verbose    say on stderr what is done
  -h, --help       print this text

Run it again after the tree's MPI was updated: doctor TREE tells when.
TEXT
}

# ---------------------------------------------------------------- the tree's program

# open_tree FOLDER: fails unless it is one that can be read. Sets splice_tree and splice_folder.
open_tree() {
    real_folder "$1" || return
    splice_tree=$REPLY
    { exec {splice_folder}< "$splice_tree/."; } 2> /dev/null
}

# is_named_by_link FOLDER: whether a link in its name leads to the tree.
is_named_by_link() { [[ $(realpath -ms -- "$1" && echo /) != "$splice_tree"$'\n/' ]]; }

# ask_tree VERB [WORD]...: sets answers, with words on the standard input where the verb needs these.
ask_tree() {
    ask "$tree_program" "$1" "$splice_folder" "$splice_tree" "${@:2}" || [[ -n $problem ]] ||
        problem="the work on $splice_tree ended early${then}run 'mpi-adapter splice --undo $splice_tree'"
    [[ -z $problem ]]
}

# require_tree VERB [WORD]...: the same; a problem ends the command.
require_tree() { ask_tree "$@" || die_of_problem "$problem"; }

# find_in_tree VERB [WORD]...: sets found to paths below the tree.
find_in_tree() {
    local answers=() key
    require_tree "$@"
    found=()
    set -- "${answers[@]}"
    while [[ $# -gt 1 ]]; do
        key=$1
        [[ $key != found ]] || found+=("$2")
        shift 2
    done
}

# take_splice: sets the variables of a spliced tree to what the program answered.
take_splice() {
    local key
    splice_paths=() splice_targets=() splice_states=() splice_form=''
    set -- "${answers[@]}"
    while [[ $# -gt 1 ]]; do
        key=$1
        case $key in
        form) splice_form=$2 ;;
        pair) splice_pair=$2 ;;
        host) splice_host=$2 ;;
        path) splice_paths+=("$2") ;;
        target) splice_targets+=("$2") ;;
        state) splice_states+=("$2") ;;
        esac
        shift 2
    done
}

# ---------------------------------------------------------------- launchers

is_launcher_target() { [[ $1 != *.so && $1 != *.so.* ]]; }

launcher_remark="# Put here by mpi-adapter splice: this machine's launcher, with the options of the tree's own, which is in .mpi-adapter beside it."

# launcher_text TARGET: prints the script that replaces the tree's launcher. It starts TARGET, the host's, if the command is gone.
launcher_text() {
    local command launcher kind words
    quoted "$prefix/bin/mpi-adapter"
    command=$REPLY
    quoted "$1"
    launcher=$REPLY
    printf '%s\n' '#!/bin/sh' "$launcher_remark"
    if launcher_of_abi "$abi"; then
        kind=$REPLY
        words="--from $abi --to ${conf[$chosen.host]}${conf[$chosen.name]+@${conf[$chosen.name]}} --as $kind --launcher $launcher"
        printf '%s\n' "[ ! -x $command ] || exec $command exec $words -- mpiexec.of-tree \"\$@\""
    fi
    printf '%s\n' "exec $launcher \"\$@\""
}

# ---------------------------------------------------------------- all of it

# Two at once would undo each other's steps. The lock ends with the process, and what that started; a file system without locks goes without.
lock_tree() {
    local status=0
    flock -w 10 -E 75 "$splice_folder" 2> /dev/null || status=$?
    [[ $status -ne 75 ]] || die "another splice of $splice_tree is running" 'wait for its end'
}

undo_splice() {
    local answers=()
    require_tree undo
    [[ -z ${given[--undo]-} ]] || put_plain '%s is as it was: %s files put back\n' "$splice_tree" "${answers[1]-}"
}

# splice_words: the words that the program needs to splice the tree.
splice_words() {
    local i items script
    split_colons "$host_preload"
    printf '%s\0' "$splice_pair" "$splice_host" "${#items[@]}" "${items[@]}"
    for i in "${!splice_paths[@]}"; do
        script=''
        ! is_launcher_target "${splice_targets[i]}" || script=$(launcher_text "${splice_targets[i]}"; echo .)
        printf '%s\0' "${splice_paths[i]}" "${splice_targets[i]}" "${script%.}"
    done
}

# first_of_many WORD...: sets REPLY to how many there are, and the first of them.
first_of_many() {
    local words=("$@")
    [[ $# -le 20 ]] || words=("${@:1:20}" ...)
    printf -v REPLY '%s, ' "${words[@]}"
    REPLY="$# (${REPLY%, })"
    [[ $# -gt 0 ]] || REPLY=0
}

# tell_splice: says what was done.
tell_splice() {
    put_plain '%s is adapted to %s\n' "$splice_tree" "$splice_host"
    first_of_many "${tree_programs[@]#"$splice_tree"/}"
    put_plain 'programs: %s\n' "$REPLY"
    first_of_many "${splice_paths[@]}"
    put_plain 'files set aside: %s\n' "$REPLY"
    shell_word "$splice_tree"
    put_plain 'undo this by: mpi-adapter splice --undo %s\n' "$REPLY"
}

do_splice() {
    require_tree splice < <(splice_words)
    tell_splice
}

# ---------------------------------------------------------------- what is to be done

# add_splice FILE TARGET
add_splice() {
    local path=${1#"$splice_tree"/}
    [[ $path$2 != *[[:cntrl:]]* ]] || die "$path has a control character in its name" 'rename it'
    ! has_splice_path "$path" || return 0
    splice_paths+=("$path") splice_targets+=("$2")
}

has_splice_path() {
    local path
    for path in "${splice_paths[@]}"; do
        [[ $path != "$1" ]] || return 0
    done
    return 1
}

# note_tree_mpi FILE: its folder and family, each once.
note_tree_mpi() {
    local i
    ! belongs_to_pair "$1" && family_of_library "$1" && [[ -n $REPLY ]] || return 0
    for i in "${!mpi_folders[@]}"; do
        [[ ${mpi_folders[i]} != "${1%/*}" || ${mpi_abis[i]} != "$REPLY" ]] || return 0
    done
    mpi_folders+=("${1%/*}")
    mpi_abis+=("$REPLY")
}

# Sets mpi_folders and mpi_abis: each folder of the tree with an MPI's libraries, and whose.
find_tree_mpis() {
    local file index found names=()
    mpi_folders=() mpi_abis=()
    for index in "${!pair_folders[@]}"; do
        for file in ${conf[$index.application_sonames]}; do
            names+=("$file")
        done
    done
    # A wheel's: the family is looked for in what they hold.
    find_in_tree names "${names[@]}" 'lib*mpi*-????????.so*'
    for file in "${found[@]}"; do
        note_tree_mpi "$splice_tree/$file"
    done
}

# Sets abi to that of the tree's MPI.
settle_tree_abi() {
    local found
    found=$(printf '%s\n' "${mpi_abis[@]}" | sort -u | paste -sd ' ')
    [[ ${#mpi_abis[@]} -gt 0 ]] || die "$splice_tree has no MPI library that a pair could stand for" 'give the prefix of a tree that brings its MPI'
    abi=${given[--from]-$found}
    [[ $abi != *' '* ]] || die "$splice_tree has several MPIs" "give --from one of: $found"
    has_word "$abi" "$found" || die "$splice_tree has no MPI of $abi" "give --from one of: $found"
}

# plan_library FOLDER FILE: a link to a pair's library in a folder of the tree, and to those that it needs there: the loader takes the
# folder of the link for its $ORIGIN.
plan_library() {
    add_splice "$1/${2##*/}" "$2"
    plan_needed "$1" "$2"
}

# plan_needed FOLDER FILE: links to what FILE needs of the pair.
plan_needed() {
    local name names
    mapfile -t names < <("$elf_facts" "$2" | sed -n 's/^needed //p')
    for name in "${names[@]}"; do
        [[ ! -e ${2%/*}/$name ]] || has_splice_path "${1#"$splice_tree"/}/$name" || plan_library "$1" "${2%/*}/$name"
    done
}

# plan_bundled FOLDER: the same for libraries by a wheel's names, among those that were found.
plan_bundled() {
    local file
    for file in "${found[@]}"; do
        file=$splice_tree/$file
        [[ ${file%/*} == "$1" ]] && unbundled "${file##*/}" && library_of_today "$REPLY" "$abi" && REPLY=${pair_folders[$chosen]}/$REPLY && [[ -e $REPLY ]] || continue
        add_splice "$file" "$REPLY"
        plan_needed "$1" "$REPLY"
    done
}

# Adds each library of the tree's MPI that the pair has.
plan_libraries() {
    local i file found names=()
    for file in "${pair_folders[$chosen]}"/*.so*; do
        names+=("${file##*/}")
    done
    find_in_tree names "${names[@]}" 'lib*-????????.so*'
    for i in "${!mpi_folders[@]}"; do
        [[ ${mpi_abis[i]} == "$abi" ]] || continue
        plan_bundled "${mpi_folders[i]}"
        for file in "${found[@]}"; do
            file=$splice_tree/$file
            [[ ${file%/*} != "${mpi_folders[i]}" || ! -e ${pair_folders[$chosen]}/${file##*/} ]] || plan_library "${mpi_folders[i]}" "${pair_folders[$chosen]}/${file##*/}"
        done
    done
}

# is_own_launcher FILE: whether the tree's MPI may have a launcher of such a name.
is_own_launcher() {
    local name words
    read -r -a words <<< "${family_facts[$abi.implementations]}"
    for name in "${words[@]}"; do
        ! is_called "$1" "${implementation_facts[$name.launcher]}" || return 0
    done
    return 1
}

# Sets launcher_folders to those whose launchers are of the tree's MPI: those beside its libraries, and TREE/bin unless that is beside
# another MPI's.
find_launcher_folders() {
    local i folder own='' others=''
    for i in "${!mpi_folders[@]}"; do
        folder=${mpi_folders[i]%/*}/bin
        if [[ ${mpi_abis[i]} == "$abi" ]]; then own+=$'\n'$folder; else others+=$'\n'$folder; fi
    done
    folder=$splice_tree/bin
    [[ $others$'\n' == *$'\n'"$folder"$'\n'* ]] || own+=$'\n'$folder
    mapfile -t launcher_folders < <(sort -u <<< "${own#$'\n'}")
}

plan_launchers() {
    local file folder found launcher_folders
    find_launcher_folders
    for folder in "${launcher_folders[@]}"; do
        # A folder of that name may be a link to another one of the tree.
        real_folder "$folder" && is_in "$splice_tree" "$REPLY" || continue
        find_in_tree runnable "${REPLY#"$splice_tree"/}"
        for file in "${found[@]}"; do
            ! is_own_launcher "$file" || add_splice "$splice_tree/$file" "$launcher"
        done
    done
}

# trace_tree FILE: traces what it loads in the tree. Fails unless that has a library of the MPI for which the pair has one; sets REPLY to
# its path.
trace_tree() {
    local name
    trace "$1" "${LD_LIBRARY_PATH-}" ''
    for name in ${conf[$chosen.application_sonames]}; do
        [[ -e ${pair_folders[$chosen]}/$name ]] && traced_file "$name" || continue
        REPLY=$(cd -- "${REPLY%/*}" 2> /dev/null && pwd -P)/$name
        return
    done
    return 1
}

# Sets tree_programs to the files in folders called bin that load an MPI of this ABI. One whose DT_RPATH leads out of the tree keeps
# the MPI that it finds there.
find_tree_programs() {
    local file found
    tree_programs=()
    find_in_tree programs
    for file in "${found[@]}"; do
        file=$splice_tree/$file
        read_facts "$file" && [[ ${facts[linkage]-} == dynamic ]] && trace_tree "$file" || continue
        tree_programs+=("$file")
        has_splice_path "${REPLY#"$splice_tree"/}" ||
            say "$file loads $REPLY, which is not in the tree, and keeps that${then}link it again, or change its DT_RPATH with patchelf"
    done
}

# plan_conflicts_of FILE: links to what has to be the host's for FILE.
plan_conflicts_of() {
    local items item name
    trace "$1" "${LD_LIBRARY_PATH-}" ''
    subject=$1
    library_path_of "$chosen"
    # Then the pair is in the place of the tree's MPI, and of what that needs.
    find_conflicts "$REPLY" "${pair_folders[$chosen]}/${conf[$chosen.preload]%% *}" || die_of_problem "$problem"
    split_colons "$REPLY"
    for item in "${items[@]}"; do
        name=${item##*/}
        traced_file "$name" && REPLY=$(cd -- "${REPLY%/*}" 2> /dev/null && pwd -P)/$name && is_in "$splice_tree" "$REPLY" && add_splice "$REPLY" "$item"
    done
}

# Libraries with versions of which the host's serves both sides, and has to be the one: of programs, and of the tree's MPI itself, which
# what opens modules may load late.
plan_conflicts() {
    local i file
    for file in "${tree_programs[@]}"; do
        plan_conflicts_of "$file"
    done
    for i in "${!mpi_folders[@]}"; do
        [[ ${mpi_abis[i]} == "$abi" ]] || continue
        for file in ${conf[$chosen.application_sonames]}; do
            [[ ! -e ${mpi_folders[i]}/$file ]] || plan_conflicts_of "${mpi_folders[i]}/$file"
        done
    done
}

# settle_rights: root acts in a tree only where nobody else may change it, and takes the rights of a user for that user's tree. Sets
# owner to that user, if there is one.
settle_rights() {
    local answers=() key
    owner='' is_adapted=no
    require_tree judge
    set -- "${answers[@]}"
    while [[ $# -gt 1 ]]; do
        key=$1
        case $key in
        owner) owner=$2 ;;
        adapted) is_adapted=yes ;;
        esac
        shift 2
    done
    ! is_root || [[ -n $owner ]] || require_tree require-root
}

# Does all of it as the owner of the tree.
go_on_as_owner() {
    local option words=()
    note "$splice_tree belongs to user $owner, with whose rights this is done"
    for option in --from --to; do
        [[ -z ${given[$option]-} ]] || words+=("$option" "${given[$option]}")
    done
    for option in --dry-run --undo; do
        [[ -z ${given[$option]-} ]] || words+=("$option")
    done
    [[ $verbose == no ]] || words+=(--verbose)
    exec "$tree_program" as-owner "$splice_folder" "$splice_tree" "$BASH" -p -- "$self" splice "${words[@]}" -- "$splice_tree"
}

# Sets chosen to the pair.
choose_for_tree() {
    find_tree_mpis
    settle_tree_abi
    choose_pair "$abi" "${given[--to]-}" yes '' '' || die_of_problem "$problem"
    [[ -z $host_folders ]] ||
        die "$host_library is loaded only with $host_folders in LD_LIBRARY_PATH" 'make the loader find what it needs, by ldconfig or a DT_RUNPATH'
    check_host_preload "$chosen" || die_of_problem "$problem"
}

plan_splice() {
    splice_paths=() splice_targets=()
    choose_for_tree
    splice_pair=${pair_folders[$chosen]} splice_host=$host_library
    plan_libraries
    plan_launchers
    find_tree_programs
    plan_conflicts
}

show_splice() {
    local i
    put_plain 'pair %s\nhost %s\n' "$splice_pair" "$splice_host"
    for i in "${!splice_paths[@]}"; do
        put_plain '%s -> %s\n' "${splice_paths[i]}" "${splice_targets[i]}"
    done
}

show_spliced() {
    local answers=()
    require_tree show
    take_splice
    show_splice
}

# begin_on_copy: makes the copy, unless the tree has nothing to adapt, and goes on with that.
begin_on_copy() {
    local parent=. copy
    [[ ${given[--copy]} != */* ]] || parent=${given[--copy]%/*}
    real_folder "${parent:-/}" || die "$parent is not a folder" 'give --copy a folder that can be made'
    copy=${REPLY%/}/${given[--copy]##*/}
    ! is_in "$splice_tree" "$copy" && [[ ${copy##*/} != '' && ${copy##*/} != .* ]] ||
        die "$copy cannot be a copy of $splice_tree" 'give --copy a folder outside of the tree'
    [[ $is_adapted == no ]] || die "$splice_tree is adapted, or a copy of links itself" 'use it, or give the tree that it was made of'
    choose_for_tree
    [[ -z ${given[--dry-run]-} ]] || return 0
    require_tree copy "$copy"
    exec {splice_folder}<&-
    open_tree "$copy" || die "$copy is not a folder" 'make it again'
}

command_splice() {
    local owner is_adapted answers=() tree_programs=()
    parse_options '--from --to --copy' '--dry-run --undo' "$@"
    [[ ${#operands[@]} -gt 0 ]] || usage_error 'no tree is given'
    [[ ${#operands[@]} -eq 1 ]] || usage_error 'more than one tree is given'
    open_tree "${operands[0]}" || die "${operands[0]} is not a folder" 'give the prefix of a tree'
    [[ $splice_tree != / ]] || die '/ is the whole system' 'give the prefix of a tree that brings its MPI'
    # A link of somebody's would choose the tree that root changes.
    ! is_root || ! is_named_by_link "${operands[0]}" || die "${operands[0]} leads to $splice_tree by a link" "give $splice_tree itself"
    [[ -z ${given[--copy]-} || -z ${given[--undo]-} ]] || usage_error '--copy and --undo exclude each other'
    settle_rights
    [[ -z $owner || -n ${given[--copy]-} ]] || go_on_as_owner
    if [[ -n ${given[--undo]-} ]]; then
        lock_tree
        if [[ -n ${given[--dry-run]-} ]]; then show_spliced; else undo_splice; fi
        return
    fi
    # No journal holds such a path.
    [[ $splice_tree != *[[:cntrl:]]* ]] || die "$splice_tree has a control character in its name" 'rename it'
    require_pairs
    check_abi_options
    [[ -z ${given[--copy]-} ]] || begin_on_copy
    lock_tree
    # Undo an earlier run, or half of one, first: the tree may have been updated since.
    require_tree examine
    if [[ ${#answers[@]} -gt 0 ]]; then
        [[ -z ${given[--dry-run]-} ]] ||
            die "$splice_tree is spliced already" "see what leads where with 'mpi-adapter splice --undo --dry-run $splice_tree'"
        undo_splice
    fi
    plan_splice
    if [[ -n ${given[--dry-run]-} ]]; then show_splice; else do_splice; fi
}
