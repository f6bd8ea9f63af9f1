# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter splice: adapts a tree of programs that brings its own MPI, in place.
#
# Only files that RPATH leads to are changed: each library of the tree's MPI for which the pair has one is set aside, into a folder
# .mpi-adapter beside it, and a link to the pair's takes its name. So are launchers, whose names start the host's. A file in that
# folder, host, has the path of the host's MPI for the pair to read, and of what has to be loaded ahead of it. Nothing is written into a
# file of the tree.
#
# With --copy nothing of the tree is touched: what is adapted is a folder of links to its files (parts/tree_copy.bash).
#
# TREE/.mpi-adapter/journal lists all that is going to be changed before anything is. It becomes the manifest when everything is done.
# Each step can be taken or undone again from either state of its file, so that an interruption leaves nothing that cannot be undone.

splice_form='mpi-adapter splice 1'
splice_tree=''
splice_kinds=()         # file: a file of the tree's with the checksum splice_marks; link: a link that leads there; none: nothing
splice_marks=()
splice_paths=()         # below the tree
splice_targets=()       # what the link in its place leads to; for a launcher, the host's
splice_pair=''
splice_host=''
splice_copy=''          # the copy of links that is to be made, if the tree is left as it is

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

# ---------------------------------------------------------------- one file

# aside_of PATH: sets REPLY to where the tree's own is set aside.
aside_of() {
    REPLY=$splice_tree/$1
    REPLY=${REPLY%/*}/.mpi-adapter/${REPLY##*/}
}

is_there() { [[ -e $1 || -L $1 ]]; }

# identify FILE: sets kind and mark, as in the lists.
identify() {
    kind=none mark=-
    if [[ -L $1 ]]; then
        kind=link
        mark=$(readlink -- "$1")
    elif [[ -e $1 ]]; then
        kind=file
        mark=$(sha256sum < "$1") && mark=${mark%% *}
    fi
}

# is_same_thing ONE OTHER: two names of one file or link.
is_same_thing() { [[ $(stat -c %d:%i -- "$1" 2> /dev/null) == "$(stat -c %d:%i -- "$2" 2> /dev/null)" ]] && is_there "$1"; }

is_launcher_target() { [[ $1 != *.so && $1 != *.so.* ]]; }

launcher_remark="# Put here by mpi-adapter splice: this machine's launcher, with the options of the tree's own, which is in .mpi-adapter beside it."

# launcher_end TARGET: the last line of what is put in the place of the tree's launcher, for where the command is gone.
launcher_end() {
    quoted "$1"
    printf '%s' "exec $REPLY \"\$@\""
}

# launcher_text TARGET: what is put in the place of the tree's launcher.
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
    launcher_end "$1"
    echo
}

# is_our_launcher FILE TARGET
is_our_launcher() {
    [[ -f $1 && ! -L $1 && $(sed -n 2p -- "$1" | tr -d '\0') == "$launcher_remark" &&
        $(tail -n 1 -- "$1" | tr -d '\0') == "$(launcher_end "$2")" ]]
}

# is_spliced INDEX: whether what is in its place is ours.
is_spliced() {
    local place=$splice_tree/${splice_paths[$1]} target=${splice_targets[$1]}
    if is_launcher_target "$target"; then
        is_our_launcher "$place" "$target"
    else
        [[ -L $place && $(readlink -- "$place") == "$target" ]]
    fi
}

splice_failed() {
    die "$1 cannot be $2" "see its permissions and the room, and run 'mpi-adapter splice --undo $splice_tree'"
}

# splice_file INDEX: the tree's own has two names for a moment, and its place is never empty.
splice_file() {
    local place=$splice_tree/${splice_paths[$1]} target=${splice_targets[$1]} aside new
    ! is_spliced "$1" || return 0
    aside_of "${splice_paths[$1]}"
    aside=$REPLY new=${REPLY%/*}/new
    mkdir -p -- "${aside%/*}" || splice_failed "${aside%/*}" made
    [[ ${splice_kinds[$1]} == none ]] || is_there "$aside" || ln -P -- "$place" "$aside" 2> /dev/null || cp -a -- "$place" "$aside" || splice_failed "$place" 'set aside'
    rm -f -- "$new"
    if is_launcher_target "$target"; then
        { launcher_text "$target" > "$new" && chmod 755 -- "$new"; } || splice_failed "$place" replaced
    else
        ln -s -- "$target" "$new" || splice_failed "$place" replaced
    fi
    mv -fT -- "$new" "$place" || splice_failed "$place" replaced
    note "$place leads to $target"
}

# unsplice_file INDEX: one that was replaced since is left, and what was set aside for it is of no use any more.
unsplice_file() {
    local place=$splice_tree/${splice_paths[$1]} aside kind mark
    aside_of "${splice_paths[$1]}"
    aside=$REPLY
    if [[ ${splice_kinds[$1]} == none ]]; then
        ! is_spliced "$1" || rm -f -- "$place" || splice_failed "$place" removed
        return
    fi
    is_there "$aside" || return 0
    if is_same_thing "$aside" "$place"; then
        rm -f -- "$aside" || splice_failed "$place" 'put back'
    elif is_spliced "$1" || ! is_there "$place"; then
        is_there "$place" || say "$place was removed since it was spliced; it is put back"
        identify "$aside"
        [[ $kind == "${splice_kinds[$1]}" && $mark == "${splice_marks[$1]}" ]] ||
            die "$aside is not what was set aside" "put the tree's own $place back from where it came, and remove $aside"
        mv -fT -- "$aside" "$place" || splice_failed "$place" 'put back'
        note "$place is put back"
    else
        say "$place was replaced since it was spliced; it is left as it is"
        rm -f -- "$aside" || splice_failed "$place" 'put back'
    fi
}

# ---------------------------------------------------------------- the journal

splice_folders() {
    local path
    for path in "${splice_paths[@]}"; do
        path=$splice_tree/$path
        printf '%s\n' "${path%/*}/.mpi-adapter"
    done | sort -u
}

journal_lines() {
    local i
    printf '%s\n' "$splice_form" "pair"$'\t'"$splice_pair" "host"$'\t'"$splice_host"
    for i in "${!splice_paths[@]}"; do
        printf '%s\t%s\t%s\t%s\n' "${splice_kinds[i]}" "${splice_marks[i]}" "${splice_paths[i]}" "${splice_targets[i]}"
    done
    echo end
}

write_journal() {
    local file=$splice_tree/.mpi-adapter/journal
    { mkdir -p -- "$splice_tree/.mpi-adapter" && journal_lines > "$file.new" && sync -- "$file.new" && mv -fT -- "$file.new" "$file"; } 2> /dev/null ||
        die "$splice_tree/.mpi-adapter cannot be written" "be the owner of the tree, or adapt a copy of links with 'mpi-adapter splice --copy COPY $splice_tree'"
}

# read_journal: of what was done to the tree, or was to be; fails if that is nothing. Sets journal_name.
read_journal() {
    local file kind mark path target lines
    splice_kinds=() splice_marks=() splice_paths=() splice_targets=()
    for journal_name in journal manifest; do
        file=$splice_tree/.mpi-adapter/$journal_name
        [[ -e $file ]] && break
    done
    [[ -e $file ]] || return
    read_lines "$file" "put the tree back from where it came" || die_of_problem "$problem"
    [[ ${lines[0]-} == "$splice_form" && ${lines[-1]} == end && ${lines[1]} == pair$'\t'* && ${lines[2]} == host$'\t'* ]] ||
        die "$file is damaged" 'put the tree back from where it came'
    splice_pair=${lines[1]#*$'\t'} splice_host=${lines[2]#*$'\t'}
    for file in "${lines[@]:3:${#lines[@]} - 4}"; do
        IFS=$'\t' read -r kind mark path target <<< "$file"
        [[ $kind == file || $kind == link || $kind == none ]] && [[ -n $target && $path != /* && /$path/ != */../* ]] ||
            die "$splice_tree/.mpi-adapter/$journal_name is damaged" 'put the tree back from where it came'
        splice_kinds+=("$kind") splice_marks+=("$mark") splice_paths+=("$path") splice_targets+=("$target")
    done
}

# ---------------------------------------------------------------- all of it

# Two at once would undo each other's steps. The lock ends with the process, and what that started; a file system without locks goes without.
lock_tree() {
    local folder status=0
    exec {folder}< "$splice_tree" && flock -w 10 -E 75 "$folder" 2> /dev/null || status=$?
    [[ $status -ne 75 ]] || die "another splice of $splice_tree is running" 'wait for its end'
}

undo_splice() {
    local i folder
    for i in "${!splice_paths[@]}"; do
        unsplice_file "$i"
    done
    while IFS= read -r folder; do
        rm -f -- "$folder/host" "$folder/new"
        [[ $folder == "$splice_tree/.mpi-adapter" ]] || rmdir -- "$folder" 2> /dev/null
    done < <(splice_folders)
    rm -f -- "$splice_tree/.mpi-adapter/"{journal.new,host,manifest}
    # Last, as it says that there is something to undo.
    rm -f -- "$splice_tree/.mpi-adapter/journal"
    rmdir -- "$splice_tree/.mpi-adapter" 2> /dev/null
    return 0
}

# The host's library, and what has to be loaded with it, a line each.
write_host_record() {
    local file items
    split_colons "$host_preload"
    printf '%s\n' "$splice_host"
    for file in "${items[@]}"; do printf 'preload %s\n' "$file"; done
}

do_splice() {
    local i folder
    write_journal
    while IFS= read -r folder; do
        mkdir -p -- "$folder" && write_host_record > "$folder/host" || splice_failed "$folder/host" written
    done < <(splice_folders)
    for i in "${!splice_paths[@]}"; do
        splice_file "$i"
    done
    mv -fT -- "$splice_tree/.mpi-adapter/journal" "$splice_tree/.mpi-adapter/manifest" || splice_failed "$splice_tree" finished
}

# ---------------------------------------------------------------- what is to be done

# add_splice FILE TARGET
add_splice() {
    local kind mark path=${1#"$splice_tree"/}
    [[ $path$2 != *[[:cntrl:]]* ]] || die "$path has a control character in its name" 'rename it'
    ! has_splice_path "$path" || return 0
    [[ -n $splice_copy || -w ${1%/*} ]] || die "${1%/*} cannot be written" "be the owner of the tree, or adapt a copy of links with 'mpi-adapter splice --copy COPY $splice_tree'"
    identify "$1"
    splice_kinds+=("$kind") splice_marks+=("$mark") splice_paths+=("$path") splice_targets+=("$2")
}

has_splice_path() {
    local path
    for path in "${splice_paths[@]}"; do
        [[ $path != "$1" ]] || return 0
    done
    return 1
}

# search_tree CONDITION...: prints what find finds in the tree, each with a null byte behind.
search_tree() {
    set -o pipefail
    find "$splice_tree" -xdev "$@" -print0 | sort -z
}

die_of_search() { die "$splice_tree cannot be searched as a whole" 'see the permissions of its folders'; }

# note_tree_mpi FILE: its folder and family, each once.
note_tree_mpi() {
    local i
    [[ $1 != */.mpi-adapter/* ]] && ! belongs_to_pair "$(readlink -f -- "$1")" && family_of_library "$1" && [[ -n $REPLY ]] || return 0
    for i in "${!mpi_folders[@]}"; do
        [[ ${mpi_folders[i]} != "${1%/*}" || ${mpi_abis[i]} != "$REPLY" ]] || return 0
    done
    mpi_folders+=("${1%/*}")
    mpi_abis+=("$REPLY")
}

# Sets mpi_folders and mpi_abis: each folder of the tree with an MPI's libraries, and whose.
find_tree_mpis() {
    local file index names=()
    mpi_folders=() mpi_abis=()
    for index in "${!pair_folders[@]}"; do
        for file in ${conf[$index.application_sonames]}; do
            names+=(-o -name "$file")
        done
    done
    while IFS= read -r -d '' file; do
        note_tree_mpi "$file"
    done < <(search_tree \( "${names[@]:1}" \))
    wait "$!" || die_of_search
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
    local name names
    add_splice "$1/${2##*/}" "$2"
    mapfile -t names < <("$elf_facts" "$2" | sed -n 's/^needed //p')
    for name in "${names[@]}"; do
        [[ ! -e ${2%/*}/$name ]] || has_splice_path "${1#"$splice_tree"/}/$name" || plan_library "$1" "${2%/*}/$name"
    done
}

# Adds each library of the tree's MPI that the pair has.
plan_libraries() {
    local i file
    for i in "${!mpi_folders[@]}"; do
        [[ ${mpi_abis[i]} == "$abi" ]] || continue
        for file in "${pair_folders[$chosen]}"/*.so*; do
            ! is_there "${mpi_folders[i]}/${file##*/}" || plan_library "${mpi_folders[i]}" "$file"
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
    local file folder launcher_folders
    find_launcher_folders
    for folder in "${launcher_folders[@]}"; do
        for file in "$folder"/*; do
            [[ -x $file && ! -d $file ]] && is_own_launcher "$file" || continue
            is_in "$splice_tree" "$file" && add_splice "$file" "$launcher"
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
        REPLY=$(cd -- "${REPLY%/*}" && pwd -P)/$name
        return
    done
    return 1
}

# Sets tree_programs to the files in folders called bin that load an MPI of this ABI. One whose DT_RPATH leads out of the tree keeps
# the MPI that it finds there.
find_tree_programs() {
    local file
    tree_programs=()
    while IFS= read -r -d '' file; do
        [[ $file != */.mpi-adapter/* ]] && read_facts "$file" && [[ ${facts[linkage]-} == dynamic ]] && trace_tree "$file" || continue
        tree_programs+=("$file")
        has_splice_path "${REPLY#"$splice_tree"/}" ||
            say "$file loads $REPLY, which is not in the tree, and keeps that; link it again, or change its DT_RPATH with patchelf"
    done < <(search_tree -type f -perm -u+x -path '*/bin/*')
    wait "$!" || die_of_search
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
        traced_file "$name" && REPLY=$(cd -- "${REPLY%/*}" && pwd -P)/$name && is_in "$splice_tree" "$REPLY" && add_splice "$REPLY" "$item"
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

# Root would follow links that somebody else may put into the tree.
require_own_tree() {
    local folder
    [[ -z $splice_copy && $(id -u) -eq 0 ]] || return 0
    for folder in "$splice_tree" "${mpi_folders[@]}"; do
        [[ $(stat -c %u -- "$folder") -eq 0 ]] ||
            die "$folder is not root's" "be its owner, or adapt a copy of links with 'mpi-adapter splice --copy COPY $splice_tree'"
    done
}

# Sets chosen to the pair.
choose_for_tree() {
    find_tree_mpis
    require_own_tree
    settle_tree_abi
    choose_pair "$abi" "${given[--to]-}" yes '' '' || die_of_problem "$problem"
    [[ -z $host_folders ]] ||
        die "$host_library is loaded only with $host_folders in LD_LIBRARY_PATH" 'make the loader find what it needs, by ldconfig or a DT_RUNPATH'
    check_host_preload "$chosen" || die_of_problem "$problem"
}

plan_splice() {
    local tree_programs
    splice_kinds=() splice_marks=() splice_paths=() splice_targets=()
    choose_for_tree
    splice_pair=${pair_folders[$chosen]} splice_host=$host_library
    plan_libraries
    plan_launchers
    find_tree_programs
    plan_conflicts
}

show_splice() {
    local i
    put 'pair %s\nhost %s\n' "$splice_pair" "$splice_host"
    for i in "${!splice_paths[@]}"; do
        put '%s -> %s\n' "${splice_paths[i]}" "${splice_targets[i]}"
    done
}

# begin_on_copy: makes the copy, unless the tree has nothing to adapt, and goes on with that.
begin_on_copy() {
    local parent=.
    [[ ${given[--copy]} != */* ]] || parent=${given[--copy]%/*}
    splice_copy=$(cd -- "${parent:-/}" 2> /dev/null && pwd -P) || die "$parent is not a folder" 'give --copy a folder that can be made'
    splice_copy=${splice_copy%/}/${given[--copy]##*/}
    ! is_in "$splice_tree" "$splice_copy" && [[ ${splice_copy##*/} != '' && ${splice_copy##*/} != .* ]] ||
        die "$splice_copy cannot be a copy of $splice_tree" 'give --copy a folder outside of the tree'
    [[ ! -e $splice_tree/.mpi-adapter ]] ||
        die "$splice_tree is adapted, or a copy of links itself" 'use it, or give the tree that it was made of'
    choose_for_tree
    [[ -z ${given[--dry-run]-} ]] || return 0
    copy_tree "$splice_tree" "$splice_copy"
    splice_tree=$splice_copy splice_copy=''
}

command_splice() {
    parse_options '--from --to --copy' '--dry-run --undo' "$@"
    [[ ${#operands[@]} -gt 0 ]] || usage_error 'no tree is given'
    [[ ${#operands[@]} -eq 1 ]] || usage_error 'more than one tree is given'
    splice_tree=$(cd -- "${operands[0]}" 2> /dev/null && pwd -P) || die "${operands[0]} is not a folder" 'give the prefix of a tree'
    [[ $splice_tree != / ]] || die '/ is the whole system' 'give the prefix of a tree that brings its MPI'
    if [[ -n ${given[--undo]-} ]]; then
        [[ -z ${given[--copy]-} ]] || usage_error '--copy and --undo exclude each other'
        lock_tree
        read_journal || die "$splice_tree is not spliced" 'give a tree that is'
        if [[ -n ${given[--dry-run]-} ]]; then show_splice; else undo_splice; fi
        return
    fi
    require_pairs
    check_abi_options
    [[ -z ${given[--copy]-} ]] || begin_on_copy
    lock_tree
    [[ -z ${given[--dry-run]-} ]] || ! read_journal ||
        die "$splice_tree is spliced already" "see what leads where with 'mpi-adapter splice --undo --dry-run $splice_tree'"
    # Undo an earlier run, or half of one, first: the tree may have been updated since.
    ! read_journal || undo_splice
    plan_splice
    if [[ -n ${given[--dry-run]-} ]]; then show_splice; else do_splice; fi
}
