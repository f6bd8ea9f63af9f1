# SPDX-License-Identifier: BSD-3-Clause
# doctor TREE: whether a tree that 'mpi-adapter splice' adapted is as it was left, and its programs will start.

# examine_tree TREE: reports on a spliced tree, for doctor, whatever other checks have found.
examine_tree() {
    local before=$doctor_status
    doctor_status=0
    examine_splice "$1"
    [[ $before -eq 0 ]] || doctor_status=1
}

examine_splice() {
    local i answers=()
    open_tree "$1" || { report_failure "$1 is not a folder${then}give the prefix of a tree"; return; }
    ask_tree examine || { report_failure "$problem"; return; }
    if [[ ${#answers[@]} -eq 0 ]]; then
        report_note "$splice_tree is not spliced"
        return
    fi
    take_splice
    [[ $splice_form == manifest ]] ||
        report_failure "$splice_tree: its splice was interrupted${then}run 'mpi-adapter splice $splice_tree' again, or with --undo"
    [[ -r $splice_host ]] || report_failure "$splice_tree: its host's MPI $splice_host is gone${then}run 'mpi-adapter splice $splice_tree' again"
    for i in "${!splice_paths[@]}"; do
        if [[ ${splice_states[i]} != put ]]; then
            report_failure "$splice_tree/${splice_paths[i]} was replaced since${then}run 'mpi-adapter splice $splice_tree' again"
        elif [[ ! -r ${splice_targets[i]} ]]; then
            report_failure "${splice_targets[i]}, to which $splice_tree/${splice_paths[i]} leads, is gone${then}run 'mpi-adapter splice $splice_tree' again"
        fi
    done
    examine_copy
    examine_tree_conflicts
    [[ $doctor_status -ne 0 ]] || report_ok "$splice_tree: ${#splice_paths[@]} files lead to $splice_pair and ${splice_host}"
}

# examine_copy: reports which programs of the tree have changed since a copy of links was made of it.
examine_copy() {
    local key tree='' answers=()
    ask_tree compare || { report_failure "$problem"; return; }
    set -- "${answers[@]}"
    while [[ $# -gt 1 ]]; do
        key=$1
        case $key in
        tree) tree=$2 ;;
        changed)
            report_failure "$tree/$2 has changed since $splice_tree was made of it${then}remove $splice_tree, and run 'mpi-adapter splice --copy $splice_tree $tree' again"
            ;;
        esac
        shift 2
    done
}

# is_spliced_name NAME: whether a library of this name is still as the splice left it, in any folder.
is_spliced_name() {
    local i
    for i in "${!splice_paths[@]}"; do
        [[ ${splice_paths[i]##*/} != "$1" || ${splice_states[i]} != put ]] || return 0
    done
    return 1
}

# loads_spliced FILE: whether it loads a library that the splice put into the tree.
loads_spliced() {
    local path
    trace "$1" "${LD_LIBRARY_PATH-}" "${LD_PRELOAD-}"
    for path in "${splice_paths[@]}"; do
        ! traced_file "${path##*/}" || [[ ! $REPLY -ef $splice_tree/$path ]] || return 0
    done
    return 1
}

# examine_conflicts_of FILE: of libraries that it and the host's MPI both bring. told has what was reported before.
examine_conflicts_of() {
    local kind host text
    while IFS=$'\t' read -r kind host text; do
        ! is_spliced_name "${text%%: *}" && [[ $told != *$'\n'"$text"$'\n'* ]] || continue
        told+=$text$'\n'
        case $kind:$text in
        refused:*) report_failure "$1 and the host's MPI both bring ${text/; /, and }${then}give the tree a newer one" ;;
        preload:*' serves both')
            report_failure "$1 and the host's MPI both bring ${text/; /, and }${then}run 'mpi-adapter splice $splice_tree' again, or put that into LD_PRELOAD"
            ;;
        *) report_note "$1 and the host's MPI both bring $text" ;;
        esac
    done < <("$elf_facts" --conflicts "${LD_LIBRARY_PATH-}" "${LD_PRELOAD-}" "$splice_pair" "$splice_host" "$1" 2> /dev/null)
}

# The tree's other libraries may have been updated since it was spliced.
examine_tree_conflicts() {
    local file told=$'\n' found
    find_in_tree programs
    for file in "${found[@]}"; do
        file=$splice_tree/$file
        read_facts "$file" && [[ ${facts[linkage]-} == dynamic ]] && loads_spliced "$file" || continue
        examine_conflicts_of "$file"
    done
}
