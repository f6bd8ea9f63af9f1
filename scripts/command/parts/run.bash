# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter run: starts a program with the launcher of the host MPI.

help_run() {
    joined ' or ' "${family_names[@]}"
    cat <<END
Usage: mpi-adapter run [OPTION]... [--] PROGRAM [ARGUMENT]...

  -n N                number of ranks (default: 1)
  --from ABI          ABI that PROGRAM was compiled against (default: found
                      from the libraries that PROGRAM needs)
  --to ABI            ABI of the MPI to run on (default: PROGRAM's own if that
                      is shared by several MPIs and one is there; or else of
                      the first pair whose MPI library and launcher are both
                      present)
  --launcher PATH     launcher to use (default: \$MPI_ADAPTER_LAUNCHER, or the
                      first one of the right implementation in PATH)
  --launcher-arg X    give X to the launcher; may be repeated
  --preload           preload the adapter even if PROGRAM does not need it
  -v, --verbose       say on stderr what was found and what is started
  -h, --help          print this text

ABI is $REPLY.
END
}

# Slurm starts each rank alone unless it is told what the host MPI speaks.
# Sets REPLY to the option, where neither the user nor the site has said it.
srun_option() {
    local text
    REPLY=''
    [[ -z ${SLURM_MPI_TYPE-} && " ${arguments[*]}" != *' --mpi'* ]] || return
    text=$(timeout 20 scontrol show config 2> /dev/null) || return
    [[ $text =~ MpiDefault\ *=\ *none ]] || return
    pmi_of_library "$host_library" "${conf[$chosen.host]}"
    REPLY=--mpi=$REPLY
}

# Sets arguments to what the launcher needs ahead of the program.
launcher_command() {
    local name words word
    read -r -a arguments <<< "${setting[launcher_arguments]-}"
    arguments+=("${launcher_arguments[@]}")
    launcher_fact "$launcher_kind" gives
    read -r -a words <<< "$REPLY"
    for name in "${rank_names[@]}"; do
        for word in "${words[@]}"; do
            word=${word/NAME/"$name"}
            arguments+=("${word/VALUE/"${rank_environment[$name]}"}")
        done
    done
    arguments+=(-n "$ranks")
    [[ $launcher_kind == slurm ]] || return 0
    ! srun_option || arguments+=("$REPLY")
    # The job has the name of the program, not of env.  Slurm's own --export
    # would divide a value at each comma.
    arguments=("--job-name=${program##*/}" "${arguments[@]}" env)
    for name in "${rank_names[@]}"; do
        arguments+=("$name=${rank_environment[$name]}")
    done
}

# Replaces this process, so that exit status, standard streams and signals
# are the launcher's.  Only the ranks get the environment.
start() {
    local arguments
    launcher_command
    arguments+=("$program" "${operands[@]:1}")
    note "starting $(printf '%q ' "$launcher" "${arguments[@]}")"
    shopt -s execfail
    # shellcheck disable=SC2093
    exec -- "$launcher" "${arguments[@]}"
    die "the launcher $launcher cannot be started" 'correct --launcher'
}

command_run() {
    parse_options '--from --to --launcher --launcher-arg -n -np' --preload "$@"
    [[ ${#operands[@]} -gt 0 ]] || usage_error 'no program is given'
    require_pairs
    check_abi_options
    examine_program "${operands[0]}"
    chosen_launcher
    choose_host yes "$REPLY"
    start
}
