# SPDX-License-Identifier: BSD-3-Clause
# The tools that start containers, and what their command lines are made of.

tool=''                 # the command
tool_kind=''            # apptainer, podman or docker
tool_arguments=()       # the user's words for it
image=''                # as the tool gets it
image_name=''           # as it was given
image_kind=''           # file, folder, address or name
shares=()               # its options that are for ranks alone
lead=()                 # what starts it
mount_option=--volume
mounts=()               # FROM, TO, FROM, TO...
container_top=/opt/mpi-adapter  # where in the image all is mounted that is not known by its own path

# kind_of_tool FILE: sets REPLY to its kind, or fails. A tool called docker may be podman.
kind_of_tool() {
    local text
    ! begins_with_null "$1" || return
    text=$(said_by "$1" --version 2> /dev/null)
    case ${text,,} in
    *apptainer* | *singularity*) REPLY=apptainer ;;
    *podman*) REPLY=podman ;;
    *docker*) REPLY=docker ;;
    *) return 1 ;;
    esac
}

# A folder or a file is given with a slash, or as a .sif, as what lies here may be called like a registry's image.
find_image() {
    image=$1
    image_name=$1
    case $1 in
    -*) usage_error "the image cannot be '$1'" ;;
    *://*) image_kind=address; return ;;
    */* | *.sif) ;;
    *) image_kind=name; return ;;
    esac
    if [[ -d $1 ]]; then
        image_kind=folder
        real_folder "$1" || die "$1 cannot be entered" 'check its permissions'
        image=$REPLY
    elif [[ -e $1 ]]; then
        image_kind='file'
    elif [[ $1 == /* || $1 == ./* || $1 == ../* || $1 == *.sif ]]; then
        die "$1: no such image" 'check its name'
    else
        image_kind=name
    fi
}

# tool_takes_image KIND
tool_takes_image() {
    case $1:$image_kind in
    apptainer:* | podman:folder | podman:name | podman:address | docker:name) ;;
    *) return 1 ;;
    esac
}

# The tool that is wanted, or the first that is there and takes the image.
find_tool() {
    local name wanted=${given[--tool]-} names=(apptainer singularity podman docker)
    case $image_kind in
    folder) names=(apptainer singularity podman) ;;
    file | address) names=(apptainer singularity) ;;
    name) names=(podman docker) ;;
    esac
    [[ -z $wanted ]] || names=("$wanted")
    for name in "${names[@]}"; do
        { find_in_path "$name" && [[ -f $REPLY && -x $REPLY ]]; } || continue
        tool=$REPLY
        kind_of_tool "$tool" || die "don't know how to drive $tool" 'give Apptainer, Singularity, Podman or Docker with --tool'
        tool_kind=$REPLY
        [[ $tool_kind != apptainer ]] || mount_option=--bind
        tool_takes_image "$tool_kind" || die "$tool starts no ${image_kind/address/address of an image} such as $image_name" \
            'leave out --tool, or give the name of an image that the tool has'
        return
    done
    [[ -z $wanted ]] || die "the tool $wanted is missing or not executable" 'correct --tool'
    joined ' nor ' "${names[@]}"
    die "no tool for $image_name is in PATH, neither $REPLY" 'install one, or give one with --tool PATH'
}

# Apptainer hands on what ranks inherit; the others start a container's processes elsewhere, without open files.
closes_files() { [[ $tool_kind != apptainer ]]; }

# mount FROM TO: read-only, each place once.
mount_at() {
    local i
    for ((i = 1; i < ${#mounts[@]}; i += 2)); do
        [[ ${mounts[i]} != "$2" ]] || return 0
    done
    [[ $1$2 != *[:,]* ]] || die "$1 cannot be mounted, as its name has a ':' or ','" 'rename it or install into another folder'
    mounts+=("$1" "$2")
}

# The user whose files those are that ranks share.
container_user() {
    if [[ $tool_kind == podman ]] && ! is_root; then
        REPLY=--userns=keep-id
    else
        REPLY=--user=$(id -u):$(id -g)
    fi
}

# Folders in which the launcher's processes and the ranks meet, besides /dev/shm: sets items. The host's /tmp is
# Apptainer's of itself.
meeting_folders() {
    local name folder
    items=()
    line_fact "$launcher_kind" meets
    for name in $REPLY; do
        [[ $name =~ ^[A-Z_]+$ ]] || continue
        folder=${!name:-/tmp}
        [[ $tool_kind == apptainer && $folder == /tmp ]] || items+=("$folder")
    done
}

# Sets lead to what starts the tool, and shares to what ranks need of it besides mounts: where they meet. Variables
# that the launcher gives a rank are known when it starts only; where the image sets one, the image's counts.
rank_words() {
    local folder items
    lead=() shares=()
    [[ $tool_kind == apptainer ]] || lead=("$home/contained.bash" "${image_variables[*]} ${rank_names[*]}")
    meeting_folders
    for folder in "${items[@]}"; do
        shares+=("$mount_option" "$folder:$folder")
    done
}

# tool_line PROGRAM WORD...: sets words to the line by which the tool starts PROGRAM in the image, with the mounts and
# rank_environment.
tool_line() {
    local i name
    if [[ $tool_kind == apptainer ]]; then
        words=("$tool" exec)
    else
        container_user
        words=("$tool" run --rm --interactive "$REPLY")
        # An image may name a command that is to find out whether it is well.
        if [[ $looking == yes ]]; then
            words+=(--net=none --no-healthcheck)
        else
            words+=(--net=host --pid=host --ipc=host)
        fi
    fi
    words+=("${shares[@]}")
    for ((i = 0; i < ${#mounts[@]}; i += 2)); do
        words+=("$mount_option" "${mounts[i]}:${mounts[i + 1]}:ro")
    done
    for name in "${rank_names[@]}"; do
        words+=(--env "$name=${rank_environment[$name]}")
    done
    words+=("${tool_arguments[@]}")
    # The image's entry point would take the program for an argument.
    case $tool_kind:$image_kind in
    apptainer:*) words+=("$image" "$@") ;;
    # The folder stays as it is: what is made for the mounts goes elsewhere.
    podman:folder) words+=(--rootfs "$image:O" "$@") ;;
    *) words+=(--entrypoint "$1" "$image" "${@:2}") ;;
    esac
}
