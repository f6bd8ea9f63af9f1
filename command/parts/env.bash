# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter env: prints the environment that ranks need.

help_env() {
    joined ' or ' "${family_names[@]}"
    cat <<END
Usage: mpi-adapter env [OPTION]... [--] [PROGRAM]

Prints shell commands that export the environment of PROGRAM's ranks:
  eval "\$(mpi-adapter env ./program)"

  --from ABI          ABI that PROGRAM was compiled against
  --to ABI            ABI of the MPI to run on
  --preload           preload the adapter even if PROGRAM does not need it
  -v, --verbose       say on stderr what was found
  -h, --help          print this text

ABI is $REPLY.
END
}

# lead_in_r: R's own script puts folders ahead in LD_LIBRARY_PATH, unless a variable names what is to be there.
lead_in_r() {
    local line home='' lines=() problem
    [[ $native == no ]] && find_in_path R && starts_as_script "$REPLY" && read_lines "$REPLY" '' || return 0
    for line in "${lines[@]}"; do
        [[ -n $home || $line != R_HOME_DIR=/* ]] || home=${line#*=}
    done
    [[ -z $home ]] || set_for_ranks R_LD_LIBRARY_PATH "${pair_folders[$chosen]}:${R_LD_LIBRARY_PATH:-$home/lib}"
}

command_env() {
    local name
    parse_options '--from --to' --preload "$@"
    [[ ${#operands[@]} -le 1 ]] ||
        usage_error 'more than one program is given'
    require_pairs
    check_abi_options
    if [[ ${#operands[@]} -eq 1 ]]; then
        examine_program "${operands[0]}"
    elif [[ -n ${given[--from]-} ]]; then
        abi=${given[--from]}
    else
        only_application ||
            die 'the installed pairs serve several ABIs' 'give the program or --from ABI'
        abi=$REPLY
    fi
    choose_host no ''
    # The guard sees to R where a program is given that needs it.
    [[ ${#operands[@]} -eq 1 ]] || lead_in_r
    for name in "${rank_names[@]}"; do
        quoted "${rank_environment[$name]}"
        put 'export %s=%s\n' "$name" "$REPLY"
    done
}
