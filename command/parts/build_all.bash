# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter build --all: finds the MPIs of a site, and makes pairs for each.

# Sets module_tool to the program that module systems call for a shell, or fails.
find_module_tool() {
    module_tool=${LMOD_CMD:-${MODULES_CMD-}}
    [[ -n $module_tool ]] || module_tool=$(type -P modulecmd)
    [[ -x $module_tool ]]
}

# The prefixes that the modules of MPIs put into search paths.
note_modules() {
    local module_tool name path
    find_module_tool || return 0
    while read -r name; do
        name=${name%%(*}
        [[ ${name,,} == *mpi* || ${name,,} == *mvapich* ]] || continue
        [[ $name != */ && $name != *: && $name != mpi-adapter/* ]] || continue
        while read -r path; do
            note_mpi_prefix "${path%/*}"
        done < <("$module_tool" bash show "$name" 2>&1 | grep -o '/[^"'"'"' :;,()]*' | grep '/\(bin\|lib\|lib64\)$' | sort -u)
    done < <("$module_tool" bash -t avail 2>&1)
}

# note_tree FOLDER: every MPI beneath it.
note_tree() {
    local name names=() file folder=$1
    # find would take some names for an option or a test of its own.
    [[ $1 == /* ]] || folder=./$1
    for name in "${mpi_names[@]}"; do
        names+=(-o -name "$name")
    done
    while IFS= read -r -d '' file; do
        note_mpi_library "$file"
    done < <(find -L "$folder" -maxdepth 7 \( "${names[@]:1}" \) -type f -print0 2> /dev/null | sort -z)
}

spack_trees() {
    local folder
    for folder in "${SPACK_ROOT-}" "${HOME-}/spack" /opt/spack; do
        [[ -z $folder || ! -d $folder/opt/spack ]] || printf '%s\n' "$folder/opt/spack"
    done
}

# starts_programs PREFIX: whether a launcher is there.
starts_programs() {
    local file
    for file in "$1"/bin/mpi{exec,run}*; do
        [[ ! -f $file || ! -x $file ]] || return 0
    done
    return 1
}

# host_of_library FILE FAMILY: sets REPLY to what --host takes for the MPI that a library belongs to: the compiler of its
# own name among the system's, where several share a prefix or one is without a launcher, or the prefix.
host_of_library() {
    local maker
    whose_library "$1" "$2"
    maker=$REPLY
    prefix_of_library "$1"
    [[ ${REPLY:-/} != / && $REPLY != /usr ]] && starts_programs "$REPLY" || { find_in_path "mpicc.$maker" || REPLY=${REPLY:-/}; }
}

# build_all: as many runs of the same command; ends with 1 if one fails.
build_all() {
    local folder i name hosts=() seen='' failed=0 arguments=()
    trap stop_ticking EXIT
    begin_step 'looking for MPIs'
    find_mpis
    note_modules
    while IFS= read -r folder; do
        note_tree "$folder"
    done < <(spack_trees)
    for folder in "${operands[@]}"; do
        [[ -d $folder ]] || die "$folder is not a folder" 'give folders with MPIs beneath them'
        note_tree "$folder"
    done
    for i in "${!mpi_libraries[@]}"; do
        [[ -n ${mpi_families[i]} ]] || continue
        host_of_library "${mpi_libraries[i]}" "${mpi_families[i]}"
        [[ $seen == *:"$REPLY":* ]] || hosts+=("$REPLY")
        seen+=:$REPLY:
    done
    stop_ticking
    [[ ${#hosts[@]} -gt 0 ]] || die 'no MPI is found' 'give a folder with one beneath it'
    for name in --prefix --host-abi --to-abi; do
        [[ -z ${given[$name]-} ]] || arguments+=("$name" "${given[$name]}")
    done
    for name in --prebuilt --compile --no-test --verbose; do
        [[ -z ${given[$name]-} ]] || arguments+=("$name")
    done
    for i in "${!hosts[@]}"; do
        put_plain '%s\n' "MPI $((i + 1)) of ${#hosts[@]}: ${hosts[i]}"
        MPI_ADAPTER_ONE_OF_ALL=yes "$prefix/bin/mpi-adapter" build --host "${hosts[i]}" "${arguments[@]}" || failed=$((failed + 1))
    done
    [[ $failed -eq 0 ]] || die "$failed of ${#hosts[@]} MPIs got no pairs" 'correct what is said above, or give the MPIs that matter with --host'
    exit 0
}
