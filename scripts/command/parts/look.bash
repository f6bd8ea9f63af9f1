# SPDX-License-Identifier: BSD-3-Clause
# A look into an image: what this command knows of programs is asked where the program is, with the libraries,
# folders and variables that it has there. The image need not have a shell: inside.bash runs by this machine's bash,
# which, like elf-facts and the tools that parts use, brings its own libraries and dynamic loader. They are mounted for
# the look alone; ranks do not see them.

look_tools=(readlink sed sort)
image_variables=()      # names of those that the image sets
answer=()               # what the look says: NAME, VALUE, NAME, VALUE...

# mount_look_tool NAME FILE: with the libraries that it needs.
mount_look_tool() {
    local i
    mount_at "$(readlink -e -- "$2")" "$container_top/look/$1"
    trace "$2" "${LD_LIBRARY_PATH-}" ''
    for i in "${!trace_names[@]}"; do
        [[ -z ${trace_paths[i]} ]] || mount_at "$(readlink -e -- "${trace_paths[i]}")" "$container_top/look/${trace_names[i]}"
    done
}

mount_look() {
    local name
    for name in "${look_tools[@]}"; do
        find_in_path "$name" || die "$name is missing" 'install it'
        mount_look_tool "$name" "$REPLY"
    done
    mount_look_tool bash "$BASH"
    mount_look_tool elf-facts "$elf_facts"
    read_facts "$elf_facts"
    mount_at "$(readlink -e -- "${facts[interpreter]}")" "$container_top/look/loader"
    mount_at "$home/inside.bash" "$container_top/look/inside.bash"
    mount_at "$home/command" "$container_top/look/command"
    for name in families implementations launchers pairs; do
        mount_at "$home/$name" "$container_top/look/$name"
    done
}

# look WORD...: asks inside.bash. Sets answer; what is wrong is said there.
look() {
    local words status shares=() place=$container_top/look kept=("${mounts[@]}")
    mount_look
    tool_line "$place/loader" --library-path "$place" "$place/bash" --noprofile --norc "$place/inside.bash" "$place" "$@"
    mounts=("${kept[@]}")
    note "looking into $image_name with $(printf '%q ' "${words[@]}")"
    mapfile -d '' -t answer < <("${words[@]}" < /dev/null; printf '%s\0' $?)
    status=${answer[-1]}
    unset 'answer[-1]'
    [[ $status -ne 0 ]] || return 0
    # It has said why.
    [[ ${answer[0]-} != inside ]] || exit 1
    die "$tool starts nothing in $image_name" 'see what it says, or try it without mpi-adapter'
}
