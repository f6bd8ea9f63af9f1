# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter container: starts a program of a container image on the MPI of this machine.

help_container() {
    joined ' or ' "${family_names[@]}"
    cat <<END
Usage: mpi-adapter container [OPTION]... IMAGE -- PROGRAM [ARGUMENT]...

Starts PROGRAM of a container image with the launcher of this machine's MPI,
a container for each rank, by Apptainer, Singularity, Podman or Docker:
  mpi-adapter container -n 4 program.sif -- /app/program
Mounts into the image the MPI, what that needs, and the adapter; the image's C
library must be as new as they need.  IMAGE is a file or a folder with a '/' in
its name, a .sif file, an address (docker://...), or the name of an image.

  -n N                number of ranks (default: 1)
  --tool PATH         tool that starts containers (default: the first in PATH
                      of those that take such an image)
  --tool-arg X        give X to the tool; may be repeated
  --print             print the command, and start nothing but a look into the
                      image
  --from ABI          ABI that PROGRAM was compiled against
  --to ABI            ABI of the MPI to run on
  --launcher PATH     launcher to use; options after it that are none of these
                      are the launcher's
  --launcher-arg X    give X to the launcher; may be repeated
  --preload           preload the adapter even if PROGRAM does not need it
  -v, --verbose       say on stderr what was found and what is started
  -h, --help          print this text

ABI is $REPLY.
END
}

# Sets program, abi and image_variables to what the image says.
examine_in_image() {
    local index pairs=()
    for index in "${!pair_folders[@]}"; do
        pairs+=("${conf[$index.application]}" "${conf[$index.application_sonames]}")
    done
    look program "${given[--from]-}" "$1" "${pairs[@]}"
    program=${answer[3]}
    abi=${answer[5]}
    read -r -a image_variables <<< "${answer[7]}"
    read -r -a image_needs <<< "${answer[9]}"
    note "$image_name has the program $program, compiled against $abi"
}

# The MPI of this machine, as for a program of this machine's.
choose_for_image() {
    local host wanted
    chosen_launcher
    wanted=$REPLY
    chosen_host
    host=$REPLY
    chosen_natively "$abi" "$host" yes "$wanted" || choose_pair "$abi" "$host" yes "$wanted" "$problem" || die_of_problem "$problem"
    [[ -z $host_library_behind ]] ||
        die 'a container cannot use a pair on another pair' "name the library of one MPI in MPI_ADAPTER_HOST_LIBRARY"
    explain_choice
}

# leave_out FILE: one of the host's that is too old for the image, which is to take its own. Fails if it cannot.
leave_out() {
    local name=${1##*/}
    if [[ $1 != "$container_top/host/$name" ]] || has_word "$name" "$left_out"; then
        die "$1, which is this machine's, is older than $program needs" 'use an older image, or a newer MPI'
    fi
    left_out+=" $name"
    note "$name is the image's own, as it is newer"
}

# Gathers until what is mounted and what the image has fit each other; sets the environment of ranks.
fit_host() {
    local i path again=yes
    while [[ $again == yes ]]; do
        again=no
        begin_step 'looking for what the MPI needs'
        gather
        stop_ticking
        printf -v path '%s:' "${host_mounts[@]}"
        look environment "$image_name" "$abi" "$program" "${given[--preload]-no}" "${conf[$chosen.host]}" "$inner_host_library" \
            "${path%:}" "$(IFS=:; printf %s "${host_plugins[*]}")" "$inner_preload" "${image_needs[*]}" ${inner_pair:+"$inner_pair"}
        for ((i = 2; i < ${#answer[@]}; i += 2)); do
            [[ ${answer[i]} == leave ]] || continue
            again=yes
            leave_out "${answer[i + 1]}"
        done
    done
    for ((i = 2; i < ${#answer[@]}; i += 2)); do
        set_for_ranks "${answer[i]}" "${answer[i + 1]}"
        note "ranks get ${answer[i]}=${answer[i + 1]}"
    done
}

# A tool that closes open files cuts the ranks off that meet by them, unless the launcher has another way.
meet_without_files() {
    local words
    closes_files || return 0
    line_fact "$launcher_kind" closed
    [[ -n $REPLY ]] ||
        die "$tool closes the open files by which $launcher connects its ranks" \
            "use Apptainer, or an MPI's own launcher with --launcher PATH"
    [[ $REPLY != - ]] || return 0
    read -r -a words <<< "${REPLY/RANKS/$ranks}"
    launcher_arguments=("${words[@]}" "${launcher_arguments[@]}")
}

# line_of_ranks WORD...: sets arguments to the launcher's, with these words for each rank.
line_of_ranks() {
    # The tool has told the ranks all.
    rank_names=()
    launcher_command
    # shellcheck disable=SC2086  # words are wanted
    share_cores "$ranks" ${setting[launcher_arguments]-} "${launcher_arguments[@]}"
    arguments+=("${lead[@]}" "$@")
}

# print_line WORD...: for a shell, an option of the tool's with its value on a line.
print_line() {
    local word text='' end=$' \\\n    '
    for word; do
        if [[ $word == "$mount_option" || $word == --env || $word == --entrypoint || $word == --rootfs ]]; then
            text+=$end
        elif [[ -n $text ]]; then
            text+=' '
        fi
        shell_word "$word"
        text+=$REPLY
    done
    put '%s\n' "$text"
}

command_container() {
    local words arguments inner_host_library inner_pair inner_preload
    trap stop_ticking EXIT
    parse_options '--tool --tool-arg --from --to --launcher --launcher-arg -n -np' '--print --preload' "$@"
    [[ ${#operands[@]} -gt 0 ]] || usage_error 'no image is given'
    find_image "${operands[0]}"
    operands=("${operands[@]:1}")
    [[ ${operands[0]-} != -- ]] || operands=("${operands[@]:1}")
    [[ ${#operands[@]} -gt 0 ]] || usage_error 'no program is given'
    require_pairs
    check_abi_options
    find_tool
    examine_in_image "${operands[0]}"
    choose_for_image
    fit_host
    meet_without_files
    rank_words
    tool_line "$program" "${operands[@]:1}"
    line_of_ranks "${words[@]}"
    if [[ -n ${given[--print]-} ]]; then
        print_line "$launcher" "${arguments[@]}"
    else
        start_line "$launcher" "${arguments[@]}"
    fi
}
