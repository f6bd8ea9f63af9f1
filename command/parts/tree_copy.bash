# SPDX-License-Identifier: BSD-3-Clause
# A copy of links beside a tree that cannot be changed. Its folders are folders, and its files links to the tree's, but for:
#   programs   the dynamic loader takes the folder of the real file for $ORIGIN, so these are copied
#   scripts    whose first line names an interpreter of the tree: copied, with the copy's interpreter
#   links      are as in the tree; those that lead into it by its whole path lead into the copy
# COPY/.mpi-adapter/copy has the tree, and the checksum of each file that was copied, for doctor.

# begin_copy TREE COPY: makes a folder beside COPY for the copy, in place of what an interrupted one left, and sets copy_new to it.
begin_copy() {
    copy_new=$2.mpi-adapter-new
    [[ ! -e $2 && ! -L $2 ]] ||
        die "$2 is there already" "name one that is not; a copy that was made before is adapted again by 'mpi-adapter splice $2'"
    [[ ! -e $copy_new/.mpi-adapter/copy ]] || rm -rf -- "$copy_new"
    mkdir -- "$copy_new" "$copy_new/.mpi-adapter" 2> /dev/null && printf '%s\n' "$1" > "$copy_new/.mpi-adapter/copy" ||
        die "$copy_new cannot be made" 'see the permissions there and the room, and remove what lies there'
}

copy_failed() { die "$1 cannot be copied" "see the room and the permissions, and remove $copy_new"; }

# link_files TREE COPY: folders, links to files, and links as they are.
link_files() {
    local link target
    cp -RT --symbolic-link -- "$1" "$copy_new" && find "$copy_new" -type d ! -perm -u+rwx -exec chmod u+rwx {} + || copy_failed "$1"
    (cd -- "$1" && find . -type l -print0 | xargs -0 -r cp -P --parents --remove-destination -t "$copy_new" --) || copy_failed "$1"
    while IFS= read -r -d '' link; do
        target=$(readlink -- "$1/$link")
        ln -sfn -- "$2${target#"$1"}" "$copy_new/$link" || copy_failed "$1/$link"
    done < <(cd -- "$1" && find . -type l -lname "$1/*" -print0)
    wait "$!" || copy_failed "$1"
}

# note_copied TREE PATH: with the checksum of what it was made of.
note_copied() {
    local sum
    sum=$(sha256sum < "$1/$2") && printf '%s\t%s\n' "${sum%% *}" "$2" >> "$copy_new/.mpi-adapter/copy" || copy_failed "$1/$2"
}

# interpreter_in TREE FILE: sets REPLY to the interpreter that the script names, and rest to what is behind, if that is in TREE.
interpreter_in() {
    local line folder
    IFS= read -r -n 1024 line < <(head -c 1024 -- "$2" | tr -d '\0') && [[ $line == '#!'* ]] || return
    line=${line#'#!'}
    line=${line#"${line%%[![:space:]]*}"}
    rest=${line#"${line%%[[:space:]]*}"}
    line=${line%%[[:space:]]*}
    folder=$(cd -- "${line%/*}" 2> /dev/null && pwd -P) && REPLY=$folder/${line##*/} && is_in "$1" "$REPLY"
}

# programs_and_scripts TREE: each with a null byte behind.
programs_and_scripts() {
    cd -- "$1" && find . -type f -perm /111 ! -name '*.so' ! -name '*.so.*' -printf '%P\0'
}

# check_scripts TREE COPY: in the first line of a script a space ends the interpreter's name.
check_scripts() {
    local file rest
    [[ $2 == *[[:space:]]* ]] || return 0
    while IFS= read -r -d '' file; do
        ! interpreter_in "$1" "$1/$file" ||
            die "$1/$file starts an interpreter of the tree, and the first line of a script cannot name $2" 'give --copy a folder without spaces in its path'
    done < <(programs_and_scripts "$1")
}

# copy_script TREE COPY PATH: with the copy's interpreter.
copy_script() {
    local new=$copy_new/$3
    rm -f -- "$new" && { printf '#!%s%s\n' "$2${REPLY#"$1"}" "$rest"; tail -n +2 -- "$1/$3"; } > "$new" && chmod --reference="$1/$3" -- "$new" &&
        chmod u+w -- "$new" || copy_failed "$1/$3"
}

# copy_programs TREE COPY
copy_programs() {
    local file rest
    while IFS= read -r -d '' file; do
        if read_facts "$1/$file"; then
            [[ ${facts[linkage]-} == dynamic ]] || continue
            cp --remove-destination -- "$1/$file" "$copy_new/$file" && chmod u+w -- "$copy_new/$file" || copy_failed "$1/$file"
        elif interpreter_in "$1" "$1/$file"; then
            copy_script "$1" "$2" "$file"
        else
            continue
        fi
        note_copied "$1" "$file"
    done < <(programs_and_scripts "$1")
    wait "$!" || copy_failed "$1"
}

# copy_tree TREE COPY: COPY is complete, or not there.
copy_tree() {
    local copy_new
    check_scripts "$1" "$2"
    begin_copy "$1" "$2"
    link_files "$1" "$2"
    copy_programs "$1" "$2"
    mv -T -- "$copy_new" "$2" || copy_failed "$1"
}

# examine_copy COPY: for doctor, whether programs of the tree have changed since.
examine_copy() {
    local line lines sum tree
    [[ -r $1/.mpi-adapter/copy ]] || return 0
    mapfile -t lines < "$1/.mpi-adapter/copy"
    tree=${lines[0]-}
    for line in "${lines[@]:1}"; do
        sum=$(sha256sum 2> /dev/null < "$tree/${line#*$'\t'}")
        [[ ${sum%% *} == "${line%%$'\t'*}" ]] ||
            report_failure "$tree/${line#*$'\t'} has changed since $1 was made of it; remove $1, and run 'mpi-adapter splice --copy $1 $tree' again"
    done
}
