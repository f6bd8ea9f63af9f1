# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter run: starts a program with the launcher of the host MPI.

help_run() {
    joined ' or ' "${family_names[@]}"
    cat <<END
Usage: mpi-adapter run [OPTION]... [--] PROGRAM [ARGUMENT]...
       mpi-adapter run [OPTION]... PROGRAM [ARGUMENT]... : [-n N] PROGRAM...

  -n N                number of ranks (default: 1)
  --from ABI          ABI that PROGRAM was compiled against (default: found
                      from the libraries that PROGRAM needs)
  --to ABI            ABI of the MPI to run on (default: PROGRAM's own if its
                      MPI and that one's launcher are here, and no setting
                      says another; or else of the first pair whose MPI
                      library and launcher are both present)
  --launcher PATH     launcher to use (default: \$MPI_ADAPTER_LAUNCHER, or the
                      first one of the right implementation in PATH); options
                      after it that are none of these are the launcher's
  --launcher-arg X    give X to the launcher; may be repeated
  --preload           preload the adapter even if PROGRAM does not need it
  -v, --verbose       say on stderr what was found and what is started
  -h, --help          print this text

Of several programs, with ':' between, each has its own -n and --launcher-arg.
ABI is $REPLY.
END
}

# Slurm starts each rank alone unless it is told what the host MPI speaks.
# Sets REPLY to the option, where neither the user nor the site has said it.
srun_option() {
    local text
    REPLY=''
    [[ -z ${SLURM_MPI_TYPE-} && " ${arguments[*]}" != *' --mpi'* ]] || return
    text=$(start_program timeout 20 scontrol show config 2> /dev/null) || return
    [[ $text =~ MpiDefault\ *=\ *(none|'(null)')([[:space:]]|$) ]] || return
    pmi_of_library "$host_library" "${conf[$chosen.host]}"
    offered_type "$launcher" "$REPLY"
    REPLY=--mpi=$REPLY
}

# offered_type SRUN TYPE: sets REPLY to that type of MPI as this srun calls it.
offered_type() {
    local types
    mpi_types "$1" || REPLY=''
    read -r -a types <<< "$REPLY"
    REPLY=$2
    [[ ${#types[@]} -gt 0 && " ${types[*]} " != *" $2 "* ]] || return 0
    for REPLY in "${types[@]}"; do
        [[ $REPLY != "$2"_* ]] || return 0
    done
    die "$1 offers '${types[*]}', but $host_library connects its ranks by $2" \
        "ask for Slurm's $2 plugin, or start it by its own launcher in an allocation"
}

# program_words: adds to arguments what the launcher needs ahead of one of several programs, or of the only one.
program_words() {
    local pattern='' settings=yes
    if ! is_batch "$launcher_kind"; then
        launcher_fact "$launcher_kind" gives
        pattern=$REPLY
        [[ $several == no ]] || { line_fact "$launcher_kind" one; pattern=$REPLY; }
        append_settings arguments "$pattern"
    fi
    arguments+=(-n "$ranks")
    [[ $launcher_kind != slurm ]] || ! srun_option || arguments+=("$REPLY")
    [[ -z $pattern ]] || settings=no
    append_starter arguments "$settings"
}

# Sets arguments to what the launcher needs ahead of the first program.
launcher_command() {
    local several=${1-no}
    line_fact "$launcher_kind" leads
    read -r -a arguments <<< "$REPLY ${setting[launcher_arguments]-}"
    # The job has the name of the program, not of what starts it.
    [[ $launcher_kind != slurm ]] || arguments=("--job-name=${program##*/}" "${arguments[@]}")
    arguments+=("${launcher_arguments[@]}")
    program_words
}

# has_lines FILE: whether it has one that is no comment.
has_lines() {
    local lines line problem
    [[ -f $1 ]] && read_lines "$1" '' || return
    for line in "${lines[@]}"; do
        [[ $line =~ ^[[:space:]]*(#.*)?$ ]] || return 0
    done
    return 1
}

# are_placed WORD...: whether it is said where ranks go: by these words for the launcher, or as the table tells.
are_placed() {
    local word name folder
    line_fact "$launcher_kind" placed
    folder=$(readlink -e -- "$launcher")
    folder=${folder%/*/*}
    for name in $REPLY; do
        case $name in
        -*) for word; do single_dash "$word"; [[ $REPLY != "$name" ]] || return 0; done ;;
        /*) ! has_lines "$name" || return 0 ;;
        */*) ! has_lines "$folder/$name" || return 0 ;;
        *) ! printenv -- "$name" > /dev/null || return 0 ;;
        esac
    done
    return 1
}

# Sets REPLY to the number of cores that this process may use.
count_cores() {
    local file=/sys/devices/system/cpu/cpu0/topology/thread_siblings_list siblings=''
    REPLY=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc 2> /dev/null)
    [[ $REPLY =~ ^[0-9]{1,6}$ ]] || REPLY=1
    [[ ! -r $file ]] || read -r siblings < "$file"
    [[ ! $siblings =~ ^[0-9]+[,-][0-9]+$ || $REPLY -lt 2 ]] || REPLY=$((REPLY / 2))
}

# share_cores RANKS WORD...: lets ranks share this machine's cores where the launcher would refuse more of them, as others do by
# themselves. If a user, a site or a batch system says where ranks go, that is left alone; the words are
# those that the launcher is given.
share_cores() {
    local words text own=("${@:2}")
    line_fact "$launcher_kind" shares
    read -r -a words <<< "$REPLY"
    [[ ${#words[@]} -gt 0 && $1 -gt 1 ]] || return 0
    count_cores
    [[ $1 -gt $REPLY ]] || return 0
    text="$1 ranks share $REPLY core$([[ $REPLY == 1 ]] || echo s), by ${words[*]}; give fewer with -n, or tell the launcher where they go"
    ! are_placed "${own[@]}" || return 0
    say "$text"
    arguments=("${words[@]}" "${arguments[@]}")
}

# The launcher of some MPIs starts nothing as root unless it is told that this is meant: says how, ahead of what the
# launcher says.
explain_root() {
    local word words missing='' option=''
    is_root || return 0
    line_fact "$launcher_kind" root
    read -r -a words <<< "$REPLY"
    for word in "${words[@]}"; do
        if [[ $word == -* ]]; then
            option=$word
        else
            REPLY=${word%%=*}
            [[ $REPLY =~ ^[A-Za-z_0-9]+$ ]] || continue
            [[ ${!REPLY-} == "${word#*=}" ]] || missing+="${missing:+ and }$word"
        fi
    done
    [[ -z $missing || " $* " == *" $option "* ]] ||
        say "$launcher does not run as root${then}run as another user, or set $missing"
}

# Ends as a command is not there, or is no command.
cannot_be_started() {
    [[ $1 != */* ]] || die "$1 is missing or not executable" 'correct its name'
    die "$1 is not in PATH" 'correct its name, or PATH'
}

# Gives what is started the environment that the user has: sets starter to what sets the variables that were set aside. bash does not,
# as some would change it.
restore_environment() {
    local key
    unset LC_ALL
    starter=(env)
    for key in "${!set_aside[@]}"; do
        starter+=("$key=${set_aside[$key]}")
    done
    [[ ${#starter[@]} -gt 1 ]] || starter=()
}

# name_launcher: has words start the launcher by its name, where PATH leads to it by that and nobody gave a path: one that is started by
# a path may put its own folders ahead in the PATH and LD_LIBRARY_PATH of ranks.
name_launcher() {
    local i name=${launcher##*/}
    chosen_launcher
    [[ $REPLY != */* ]] || return 0
    [[ $launcher == */* && $(type -P -- "$name") -ef $launcher ]] || return 0
    for i in "${!words[@]}"; do
        [[ ${words[i]} == "$launcher" ]] || continue
        words[i]=$name
        return
    done
}

# start_line WORD...: replaces this process, so that exit status, standard streams and signals are the launcher's.
start_line() {
    local starter words=("$@")
    { find_in_path "$1" && [[ -f $REPLY && -x $REPLY ]]; } || cannot_be_started "$1"
    note "starting $(printf '%q ' "$@")"
    explain_root "$@"
    shopt -s execfail
    restore_environment
    [[ $launcher_library_path == keep ]] || unset LD_LIBRARY_PATH
    name_launcher
    # shellcheck disable=SC2093
    start_program exec -- "${starter[@]}" "${words[@]}"
    die "$1 cannot be started" "correct the launcher's name"
}

# next_program: takes what stands ahead of the next : from operands, which keeps what follows that. Sets words.
next_program() {
    local i
    for i in "${!operands[@]}"; do
        [[ ${operands[i]} == : ]] || continue
        words=("${operands[@]:0:i}")
        operands=("${operands[@]:i + 1}")
        [[ ${#operands[@]} -gt 0 ]] || usage_error "no program follows the ':'"
        return
    done
    words=("${operands[@]}")
    operands=()
}

# The programs after the first: adds them to arguments.
other_programs() {
    local words apart
    [[ ${#operands[@]} -gt 0 ]] || return 0
    line_fact "$launcher_kind" apart
    apart=$REPLY
    # The user must say what the second program of a srun line needs of srun_option and of --job-name.
    [[ -n $apart && $launcher_kind != slurm ]] ||
        die "run can start only one program by $launcher" "give an MPI's own launcher with --launcher PATH"
    while [[ ${#operands[@]} -gt 0 ]]; do
        forget_program
        ranks=1
        launcher_arguments=()
        parse_options '--launcher-arg -n -np' '' "${operands[@]}"
        all_ranks=$((all_ranks + ranks))
        own_words+=("${launcher_arguments[@]}")
        next_program
        [[ ${#words[@]} -gt 0 ]] || usage_error "no program stands between two ':'"
        examine_started "${words[@]}"
        choose_for_line "$launcher"
        arguments+=("$apart" "${launcher_arguments[@]}")
        program_words
        arguments+=("$program" "${words[@]:1}")
    done
}

# rest_runs: whether the programs behind the first one run on its MPI, too.
rest_runs() {
    local all_ranks=0 own_words=()
    (launcher_command yes && other_programs) 2> /dev/null
}

# choose_for_all: what the first program runs on, its own MPI only if the others run there.
choose_for_all() {
    chosen_launcher
    choose_host yes "$REPLY"
    line_host=${conf[$chosen.host]}
    line_library=$host_library
    [[ $own_is_preferred == no || $several == no ]] || rest_runs && return
    own_serves=no own_is_preferred=no native=no chosen='' line_host='' line_library='' line_native='' rank_names=()
    rank_environment=()
    choose_for_all
}

# refuse_ranks: where a launcher started this as one of several ranks, each of them would start a job of its own.
refuse_ranks() {
    local kind told name
    name=$(readlink -- "/proc/$PPID/exe")
    for kind in "${launcher_kinds_known[@]}"; do
        line_fact "$kind" told
        [[ $REPLY == +([A-Z0-9_]) && ${!REPLY-} =~ ^[0-9]{1,9}$ && ${!REPLY} -gt 1 ]] || continue
        told=${!REPLY}
        line_fact "$kind" daemons
        has_word "${name##*/}" "$REPLY" || is_called "$name" "$kind" || continue
        die "${name##*/} started 'mpi-adapter run' in each of $told ranks, and each would start a job of its own" \
            "type 'mpi-adapter exec -- LAUNCHER -n $told ${operands[*]}', or 'mpi-adapter run -n $told ${operands[*]}'"
    done
}

# run_launch_line: the program is a launcher, with its own words: `exec` is meant.
run_launch_line() {
    [[ $ranks -eq 1 ]] || usage_error "${operands[0]} starts ranks itself" 'leave -n out, or the launcher'
    command=exec
    exec_line
}

command_run() {
    local words arguments several=no all_ranks own_words
    parse_options '--from --to --launcher --launcher-arg -n -np' --preload "$@"
    [[ ${#operands[@]} -gt 0 ]] || usage_error 'no program is given'
    refuse_ranks
    if is_launcher_name "${operands[0]}" && find_in_path "${operands[0]}"; then
        run_launch_line
        return
    fi
    require_pairs
    check_abi_options
    next_program
    [[ ${#words[@]} -gt 0 ]] || usage_error "no program stands ahead of the ':'"
    [[ ${#operands[@]} -eq 0 ]] || several=yes
    examine_started "${words[@]}"
    choose_for_all
    launcher_command "$several"
    arguments+=("$program" "${words[@]:1}")
    all_ranks=$ranks
    read -r -a own_words <<< "${setting[launcher_arguments]-}"
    own_words+=("${launcher_arguments[@]}")
    other_programs
    share_cores "$all_ranks" "${own_words[@]}"
    [[ $several == yes ]] || spare_launcher
    start_line "$launcher" "${arguments[@]}"
}
