# SPDX-License-Identifier: BSD-3-Clause
# Collects the files of a host's MPI, for an image that has none of them: libraries, what these open, and its installation.
# Each file is mounted from where it is, so that nothing is copied, nor left to be cleaned up, and what is on every
# machine is found on every machine.

declare -A gathered=()  # a library's name -> its file
gathered_names=()       # in the order in which they were found
host_mounts=()          # folders of libraries that have their own path in the image
host_plugins=()         # libraries that are opened later, by their own paths
declare -A is_plugin=()
installation=''         # the prefix of an MPI that has one of its own
left_out=''             # names of libraries of which the image has newer ones

# The C library starts with the program, and is the image's; its parts fit one another only.
is_c_library() {
    case $1 in
    ld-linux*.so.* | ld64.so.* | libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libresolv.so.* | libutil.so.* | libmvec.so.* | \
        libanl.so.* | libBrokenLocale.so.* | libthread_db.so.* | libnss_*.so.2 | libnsl.so.1) ;;
    *) return 1 ;;
    esac
}

# is_in FOLDER FILE
is_in() { [[ -n $1 && $2 == "$1"/* ]]; }

# take_library NAME FILE: notes it for the image, and for gather what it opens.
take_library() {
    [[ -z ${gathered[$1]-} ]] && ! is_c_library "$1" && ! has_word "$1" "$left_out" || return 0
    is_in "${pair_folders[$chosen]-}" "$2" && return
    gathered[$1]=$2
    gathered_names+=("$1")
    queue+=("$1")
}

# take_closure FILE PRELOAD: the libraries that the loader finds for FILE, and for others.
take_closure() {
    local i path
    library_path_of "$chosen"
    path=$REPLY
    trace "$1" "$path" "$2"
    for i in "${!trace_names[@]}"; do
        [[ -n ${trace_paths[i]} && -z ${is_plugin[${trace_paths[i]}]-} ]] || continue
        take_library "${trace_names[i]}" "${trace_paths[i]}"
    done
}

# take_place PATH: what a library opens, under its own path.
take_place() {
    local file list=''
    is_in "$installation" "$1" || mount_at "$1" "$1"
    for file in "$1"/*.so* "$1"/*/*.so* "$1"/*/*/*.so*; do
        [[ -f $file && ! -L $file && -z ${is_plugin[$file]-} ]] || continue
        is_plugin[$file]=yes
        host_plugins+=("$file")
        # LD_PRELOAD cannot hold any path.
        if [[ $file == *[[:space:]:]* ]]; then take_closure "$file" ''; else list+=:$file; fi
    done
    [[ -z $list ]] || take_closure "$host_library" "$list"
}

# take_opened NAME: what the table says that a library opens.
take_opened() {
    local stem words word folder place
    folder=$(readlink -e -- "${gathered[$1]}")
    folder=${folder%/*}
    for stem in "${opening_names[@]}"; do
        [[ $1 == "$stem"* ]] || continue
        read -r -a words <<< "${opening_facts[$stem.opens]}"
        for word in "${words[@]}"; do
            [[ $word == /* ]] || word=${folder// /\\ }/$word
            while IFS= read -r place; do
                place=$(readlink -e -- "$place") && take_place "$place"
            done < <(compgen -G "$word")
        done
    done
}

# The folder of an MPI that shares its place with nothing: all of it.
find_installation() {
    prefix_of_library "$host_library"
    case $REPLY in
    '' | /usr | /usr/local | /lib*) installation='' ;;
    *) installation=$REPLY; mount_at "$REPLY" "$REPLY" ;;
    esac
}

# Mounts the noted libraries. Those of the installation have their paths already.
mount_libraries() {
    local name file
    local -A noted=()
    host_mounts=("$container_top/host")
    for name in "${gathered_names[@]}"; do
        file=${gathered[$name]}
        if is_in "$installation" "$file"; then
            [[ -n ${noted[${file%/*}]-} ]] || host_mounts+=("${file%/*}")
            noted[${file%/*}]=yes
        else
            mount_at "$(readlink -e -- "$file")" "$container_top/host/$name"
        fi
    done
}

# image_path FILE: sets REPLY to the path that a library of the host's has in the image.
image_path() {
    REPLY=$1
    is_in "$installation" "$1" || REPLY=$container_top/host/${1##*/}
}

# Gathers the libraries of host_preload. Sets inner_preload to their paths in the image, with colons between.
gather_preloaded() {
    local file items
    check_host_preload "$chosen" || die_of_problem "$problem"
    inner_preload=''
    split_colons "$host_preload"
    for file in "${items[@]}"; do
        take_closure "$file" ''
        take_library "${file##*/}" "$file"
        image_path "$file"
        inner_preload+=${inner_preload:+:}$REPLY
    done
}

# Mounts the pair's libraries by the names by which the program needs them and which the pair has not, too.
mount_names() {
    local name file folder=${pair_folders[$chosen]}
    for name in "${image_needs[@]}"; do
        [[ ! -e $folder/$name ]] || continue
        pair_file "$chosen" "$name"
        file=$(readlink -e -- "$folder/$REPLY")
        names_in_image
        mount_at "$file" "$REPLY/$name"
    done
}

# Gathers the host's MPI that was chosen, what that has to have preloaded, and the pair. Sets inner_host_library and inner_pair to
# their paths in the image.
gather() {
    local queue=() opening_names=() file
    local -A opening_facts=()
    [[ -r $home/opened ]] || die "$home/opened is missing" 'install mpi-adapter again'
    read_table "$home/opened" opening_facts opening_names
    mounts=() gathered=() gathered_names=() host_plugins=() is_plugin=()
    find_installation
    take_closure "$host_library" ''
    take_library "${host_library##*/}" "$host_library"
    gather_preloaded
    inner_pair=''
    if [[ $native == no ]]; then
        for file in "${pair_folders[$chosen]}"/*.so*; do
            take_closure "$file" ''
        done
        pair_name "$chosen"
        inner_pair=$container_top/lib/mpi-adapter/$REPLY
        mount_at "${pair_folders[$chosen]}" "$inner_pair"
        mount_names
        [[ ! -r $guard ]] || mount_at "$guard" "$container_top/lib/mpi-adapter/guard.so"
    fi
    while [[ ${#queue[@]} -gt 0 ]]; do
        file=${queue[0]}
        queue=("${queue[@]:1}")
        take_opened "$file"
    done
    mount_libraries
    image_path "$host_library"
    inner_host_library=$REPLY
}
