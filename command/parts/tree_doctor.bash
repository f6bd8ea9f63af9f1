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
    local i
    splice_tree=$(cd -- "$1" 2> /dev/null && pwd -P) || { report_failure "$1 is not a folder; give the prefix of a tree"; return; }
    if ! read_journal; then
        report_note "$splice_tree is not spliced"
        return
    fi
    [[ $journal_name == manifest ]] ||
        report_failure "$splice_tree: its splice was interrupted; run 'mpi-adapter splice $splice_tree' again, or with --undo"
    [[ -r $splice_host ]] || report_failure "$splice_tree: its host's MPI $splice_host is gone; run 'mpi-adapter splice $splice_tree' again"
    for i in "${!splice_paths[@]}"; do
        if ! is_spliced "$i"; then
            report_failure "$splice_tree/${splice_paths[i]} was replaced since; run 'mpi-adapter splice $splice_tree' again"
        elif [[ ! -r ${splice_targets[i]} ]]; then
            report_failure "${splice_targets[i]}, to which $splice_tree/${splice_paths[i]} leads, is gone; run 'mpi-adapter splice $splice_tree' again"
        fi
    done
    examine_copy "$splice_tree"
    examine_tree_conflicts
    [[ $doctor_status -ne 0 ]] || report_ok "$splice_tree: ${#splice_paths[@]} files lead to $splice_pair and ${splice_host}"
}

# is_spliced_name NAME: whether a library of this name is still as the splice left it, in any folder.
is_spliced_name() {
    local i
    for i in "${!splice_paths[@]}"; do
        [[ ${splice_paths[i]##*/} != "$1" ]] || ! is_spliced "$i" || return 0
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
        refused:*) report_failure "$1 and the host's MPI both bring ${text/; /, and }; give the tree a newer one" ;;
        preload:*' serves both')
            report_failure "$1 and the host's MPI both bring ${text/; /, and }; run 'mpi-adapter splice $splice_tree' again, or put that into LD_PRELOAD"
            ;;
        *) report_note "$1 and the host's MPI both bring $text" ;;
        esac
    done < <("$elf_facts" --conflicts "${LD_LIBRARY_PATH-}" "${LD_PRELOAD-}" "$splice_pair" "$splice_host" "$1" 2> /dev/null)
}

# The tree's other libraries may have been updated since it was spliced.
examine_tree_conflicts() {
    local file told=$'\n'
    while IFS= read -r -d '' file; do
        [[ $file != */.mpi-adapter/* ]] && read_facts "$file" && [[ ${facts[linkage]-} == dynamic ]] && loads_spliced "$file" || continue
        examine_conflicts_of "$file"
    done < <(search_tree -type f -perm -u+x -path '*/bin/*')
    wait "$!" || report_failure "$splice_tree cannot be searched as a whole; see the permissions of its folders"
}
