# SPDX-License-Identifier: BSD-3-Clause
# A look into an image: what this command knows of programs is asked where the program is, with the libraries,
# folders and variables that it has there. The image need not have a shell: inside.bash runs by this machine's bash,
# which, like elf-facts and the tools that parts use, brings its own libraries and dynamic loader. They are mounted for
# the look alone; ranks do not see them. Nothing of the image runs: look.c is the first process.

look_tools=(head readlink sed sort stat tr)
image_variables=()      # names of those that the image sets
image_needs=()          # names by which the program needs its MPI and which makers, earlier releases or nobody known have
looking=no              # whether a container is for a look, not for a rank
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
    mount_at "$home/look" "$container_top/look/look"
    mount_at "$home/inside.bash" "$container_top/look/inside.bash"
    mount_at "$home/command" "$container_top/look/command"
    for name in departures families implementations launcher-lines launchers pairs refused; do
        mount_at "$home/$name" "$container_top/look/$name"
    done
}

# mount_nothing_to_preload: the loader that is mounted reads /etc/ld.so.preload, whatever it is told, and the image's may be
# anything.
mount_nothing_to_preload() { mount_at "$home/ld.so.preload" /etc/ld.so.preload; }

# valid_answer QUESTION NAME VALUE: whether a look says such a thing.
valid_answer() {
    [[ ${3//$'\n'} != *[[:cntrl:]]* ]] || return
    case $1:$2 in
    *:inside) [[ $3 == yes ]] ;;
    program:program) [[ $3 == */* && $3 != -* && $3 != *$'\n'* ]] ;;
    program:abi) is_abi_name "$3" ;;
    program:variables) [[ $3 =~ ^[A-Za-z0-9_\ ]*$ ]] ;;
    program:names) [[ $3 =~ ^[A-Za-z0-9_.+\ -]*$ ]] ;;
    environment:leave) [[ $3 == /* ]] ;;
    environment:LD_LIBRARY_PATH | environment:LD_PRELOAD) ;;
    environment:MPI_ADAPTER_HOST_LIBRARY | environment:MPI_ADAPTER_LIBRARY_PATH | environment:MPI_ADAPTER_MPI_RELEASE | environment:MPI_ADAPTER_MPI_VERSION | environment:MPI_ADAPTER_NAMES | \
        environment:MPI_ADAPTER_PRELOAD) ;;
    *) return 1 ;;
    esac
}

# check_answer QUESTION: ends unless answer has names with values that are right. The tool runs what others made, so that it may
# have written anything.
check_answer() {
    local i said=''
    for ((i = 0; i < ${#answer[@]}; i += 2)); do
        [[ $i -lt $((${#answer[@]} - 1)) ]] || break
        valid_answer "$1" "${answer[i]}" "${answer[i + 1]}" || break
        said+=" ${answer[i]}"
    done
    [[ $i -ne ${#answer[@]} || $said != ' inside'* || ( $1 == program && $said != ' inside program abi variables names' ) ]] || return 0
    die "$image_name gives an unexpected answer by $tool" "don't use that image, or see with -v what the tool itself writes"
}

# look WORD...: asks inside.bash. Sets answer; what is wrong is said there. The answer is the image's to spoil, so that the exit
# status has a way of its own, and of an answer without end no more is read than any answer has.
look() {
    local words status shares=() place=$container_top/look kept=("${mounts[@]}")
    mount_look
    mount_nothing_to_preload
    looking=yes
    tool_line "$place/look" "$place/loader" --library-path "$place" "$place/bash" --noprofile --norc "$place/inside.bash" "$place" $# "$@"
    looking=no
    mounts=("${kept[@]}")
    note "looking into $image_name with $(printf '%q ' "${words[@]}")"
    begin_step "looking into $image_name with $tool"
    mapfile -d '' -t answer < <(start_program "${words[@]}" < /dev/null | head -c 4194304; exit "${PIPESTATUS[0]}")
    wait "$!"
    status=$?
    stop_ticking
    if [[ $status -eq 0 ]]; then
        check_answer "$1"
        return
    fi
    # It has said why.
    [[ ${answer[0]-} != inside ]] || exit 1
    [[ $image_kind != name || ! -e $image_name ]] ||
        die "$tool cannot start an image called $image_name" "for the file or folder of this name, give ./$image_name"
    die "$tool cannot start anything in $image_name" 'see what it says, or try it without mpi-adapter'
}
