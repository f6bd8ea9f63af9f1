# SPDX-License-Identifier: BSD-3-Clause
# The MPIs and the launchers of this machine.

mpi_libraries=()            # each file once
mpi_families=()             # '': an ABI that is not known
declare -A mpi_seen=()
launcher_paths=()
launcher_kinds=()           # '': not known

# The names that MPI libraries for C have.
mpi_names=()

find_names() {
    all_families libraries
    read -r -a mpi_names <<< "$REPLY"
}

# family_of_library FILE: sets REPLY, to nothing for an ABI that is not known; fails for what is no MPI library.
family_of_library() {
    has_names "$1" PMPI_Init || return
    soname_of "$1"
    if abi_of_soname "$REPLY" && library_serves "$1" "$REPLY"; then
        return
    fi
    for REPLY in "${family_names[@]}"; do
        ! library_serves "$1" "$REPLY" || return 0
    done
    REPLY=''
}

note_mpi_library() {
    local file
    file=$(readlink -e -- "$1") || return
    [[ -z ${mpi_seen[$file]-} ]] || return
    mpi_seen[$file]=yes
    ! belongs_to_pair "$file" || return
    family_of_library "$file" || return
    # By its folder's own name, as launchers find their installation by it.
    mpi_libraries+=("$(cd -- "${1%/*}" && pwd -P)/${1##*/}")
    mpi_families+=("$REPLY")
}

note_mpi_folder() {
    local name items
    for name in "${mpi_names[@]}"; do
        [[ ! -f $1/$name ]] || note_mpi_library "$1/$name"
    done
    other_libraries "$1" "${mpi_names[@]}"
    for name in "${items[@]}"; do
        note_mpi_library "$name"
    done
}

note_mpi_prefix() {
    local place
    for place in lib lib64 lib/release; do
        note_mpi_folder "$1/$place"
    done
}

# The folders that the loader searches by default.
note_loader_libraries() {
    local name path
    while read -r name path; do
        { has_word "$name" "${mpi_names[*]}" || [[ $name == libmpi*.so* ]]; } && note_mpi_library "$path"
    done < <(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2> /dev/null | sed -n 's/^[[:space:]]*\([^ ]*\) .* => \(.*\)$/\1 \2/p')
}

# The variables of the environment by which an implementation's folder is known.
installed_variables() {
    local name
    for name in "${implementation_names[@]}"; do
        printf '%s\n' "${implementation_facts[$name.installed]-}"
    done
}

find_mpis() {
    local items folder index name
    find_names
    [[ ${setting[host_library]-} != /* ]] || note_mpi_library "${setting[host_library]}"
    split_colons "${setting[host_prefixes]-}"
    for folder in "${items[@]}"; do
        note_mpi_prefix "$folder"
    done
    for index in "${!pair_folders[@]}"; do
        [[ -z ${conf[$index.host_library]-} ]] || note_mpi_library "${conf[$index.host_library]}"
    done
    split_colons "${LD_LIBRARY_PATH-}"
    for folder in "${items[@]}"; do
        note_mpi_folder "$folder"
    done
    for name in MPI_HOME MPI_ROOT MPI_DIR $(installed_variables); do
        [[ $name =~ ^[A-Za-z_0-9]+$ ]] || continue
        [[ ${!name-} != /* ]] || note_mpi_prefix "${!name}"
    done
    for name in mpicc mpiexec mpirun; do
        find_in_path "$name" && folder=$(readlink -e -- "$REPLY") && note_mpi_prefix "${folder%/bin/*}"
    done
    note_loader_libraries
    for folder in /usr/lib64/*mpi* /opt/*mpi* /opt/*mpi*/* /opt/intel/oneapi/mpi/latest /usr/local; do
        [[ ! -d $folder ]] || note_mpi_prefix "$folder"
    done
}

# Every launcher in PATH, each file once.
find_launchers() {
    local items folder file path
    local -A seen=()
    split_colons "${setting[launcher]-}:$PATH"
    for folder in "${items[@]}"; do
        for file in "$folder"/mpiexec{,.*} "$folder"/mpirun{,.*} "$folder"/{orterun,prterun,srun} "$folder"; do
            [[ -f $file && -x $file ]] || continue
            path=$(readlink -e -- "$file") || continue
            [[ -z ${seen[$path]-} ]] || continue
            seen[$path]=yes
            kind_of_launcher "$file"
            launcher_paths+=("$file")
            launcher_kinds+=("$REPLY")
        done
    done
}

# prefix_of_library FILE: sets REPLY.
prefix_of_library() {
    REPLY=${1%/*}
    [[ ${REPLY##*/} != release ]] || REPLY=${REPLY%/*}
    [[ ${REPLY##*/} != *-linux-gnu ]] || REPLY=${REPLY%/*}
    REPLY=${REPLY%/*}
}

# launcher_of_library FILE FAMILY: the one of its prefix, or of its kind in
# PATH; sets REPLY.
launcher_of_library() {
    local kind i folder name names
    whose_library "$1" "$2"
    [[ -n $REPLY ]] || return
    kind=${implementation_facts[$REPLY.launcher]}
    read -r -a names <<< "${implementation_facts[$REPLY.launchers]} mpirun"
    prefix_of_library "$1"
    folder=$REPLY/bin
    for name in "${names[@]}"; do
        launcher=$folder/$name
        [[ -x $launcher ]] || continue
        kind_of_launcher "$launcher"
        [[ $REPLY == "$kind" ]] && REPLY=$launcher && return
    done
    for i in "${!launcher_paths[@]}"; do
        REPLY=${launcher_paths[i]}
        [[ ${launcher_kinds[i]} == "$kind" ]] && return
    done
    return 1
}
