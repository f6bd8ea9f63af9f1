# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter exec: runs a launch line of the user's own.

help_exec() {
    joined ' or ' "${family_names[@]}"
    cat <<END
Usage: mpi-adapter exec [OPTION]... [--] LAUNCHER [WORD]...

Runs a launch line as it is, with its programs adapted to the MPI of the
launcher:
  mpi-adapter exec -- mpiexec -n 2 ./a : -n 2 ./b
  mpi-adapter exec -- srun -n 4 ./program
Finds the programs in the line and gives their ranks what they need; the
launcher does not get it.  A program that needs nothing runs as it is.

A line for a launcher that is not there, or with --to not the host's, is
translated: its options become those of the host's launcher, which starts as
many ranks, binds them and gives them variables as the line's own would.

  --from ABI          ABI that programs were compiled against that do not tell
  --to ABI            ABI of the MPI to run on, where the launcher starts any
  --program FILE      the program, where it does not stand in the line
  --launcher PATH     the host's launcher, for a line that is translated
  --as KIND           the launcher that the line was written for: $(known_dialects)
  --ignore-options LIST
                      leave out these options, with commas between
  --print             print the line that would be run, and run nothing
  --preload           preload the adapter even if programs do not need it
  -v, --verbose       say on stderr what was found and what is started
  -h, --help          print this text

ABI is $REPLY.
END
}

launcher_at=''
as_written=no           # yes: the line is of a script that was written for the MPI of its programs

# Sets launcher_at, launcher and launcher_kind; the last two are empty if the launcher is not there. Words ahead of it (timeout, env)
# start the launcher.
find_line_launcher() {
    local missing=''
    for launcher_at in "${!line[@]}"; do
        is_launcher_name "${line[launcher_at]}" || continue
        { find_launcher "${line[launcher_at]}" && [[ -f $REPLY && -x $REPLY ]]; } || { missing=${missing:-$launcher_at}; continue; }
        launcher=$REPLY
        # By its name, the line would start what leads back here.
        find_in_path "${line[launcher_at]}" && [[ $REPLY -ef $launcher ]] || line[launcher_at]=$launcher
        kind_of_launcher "$launcher"
        launcher_kind=$REPLY
        [[ -n $launcher_kind ]] ||
            die "don't know which MPI $launcher belongs to" "use 'mpi-adapter env' and start the line yourself"
        return
    done
    [[ -n $missing ]] || die "'${line[*]}' starts no launcher" "put one in it, such as 'mpiexec -n 2 PROGRAM', or use 'mpi-adapter run'"
    launcher_at=$missing
    [[ ${line[launcher_at]} != */* ]] || cannot_be_started "${line[launcher_at]}"
}

# starts_abi ABI: whether the launcher starts programs that run on an MPI of this ABI.
starts_abi() {
    local name index
    for name in ${family_facts[$1.implementations]-}; do
        [[ ${implementation_facts[$name.launcher]} != "$launcher_kind" ]] || return 0
    done
    for index in "${!pair_folders[@]}"; do
        [[ ${conf[$index.host]} != "$1" || ${conf[$index.launcher_kind]} != "$launcher_kind" ]] || return 0
    done
    return 1
}

# The host is the MPI that the launcher belongs to, whatever the site prefers for other lines.
settle_line_host() {
    ! is_batch "$launcher_kind" || return 0
    [[ -z ${setting[host]-} ]] || starts_abi "${setting[host]%%@*}" || unset 'setting[host]'
}

# The MPI of an installation of its own is meant by its launcher.
prefer_installation() {
    local folder
    folder=$(readlink -e -- "$launcher")
    folder=${folder%/*}
    [[ ${folder##*/} == bin && $folder != /bin && $folder != /usr/bin ]] || return 0
    setting[host_prefixes]=${folder%/bin}${setting[host_prefixes]:+:}${setting[host_prefixes]-}
}

# A pair that build made for the MPI of this launcher comes first.
prefer_recorded() {
    local index
    [[ -z ${given[--to]-} && -z $line_host ]] || return 0
    for index in "${!pair_folders[@]}"; do
        [[ ${conf[$index.application]} == "$abi" && -n ${conf[$index.name]-} &&
            ${conf[$index.launcher]-} -ef $launcher ]] || continue
        given[--to]=${conf[$index.host]}@${conf[$index.name]}
        return
    done
}

# told_in FROM TO NAME: whether the launcher is told this variable between; sets REPLY to its value.
told_in() {
    local i
    for ((i = $1 + 1; i < $2; i++)); do
        if [[ ${line[i]} == "$3"=* ]]; then
            REPLY=${line[i]#*=}
            return
        elif [[ ${line[i]} == "$3" && ${line[i - 1]} == -* ]]; then
            value_words "$launcher_kind" "${line[i - 1]}"
            # A name alone stands for the value that is here.
            if [[ $REPLY -eq 2 ]]; then REPLY=${line[i + 1]}; else REPLY=${!3-}; fi
            return
        fi
    done
    return 1
}

# Ends where the launcher cannot give ranks what they need.
cannot_be_told() {
    die "$launcher cannot give the adapter to the programs of '${line[*]}'" "use 'mpi-adapter env' and start the line yourself"
}

# Ends where the program is no command to what would start it: a NAME of the working folder that is not in PATH.
require_command() {
    local name=${line[program_at]-}
    [[ -z $command_at || $command_at != "$program_at" ]] || ! stands_bare "$name" ||
        die "$name: no such program in PATH" "to run the one in ${line_folder:-this folder}, give ./$name"
}

# Ends where no program stands in the part.
lacks_program() {
    if [[ -n $file_at ]]; then
        line_fact "$launcher_kind" every
        [[ -n $REPLY ]] || cannot_be_told
        die "'${line[*]}' lists its programs in a file" "give one of them with --program FILE"
    fi
    die "'${line[*]}' has no program that can be found" "correct the program's name, or give the program with --program FILE"
}

# The program of the part that was looked through, its host, and the environment of its ranks.
examine_part() {
    local file=${given[--program]-}
    if [[ -n $command_at ]]; then
        [[ $command_at == "${program_at:-$command_at}" ]] || started_by_other=yes
        is_command "${line[${program_at:-$command_at}]}"
        file=${file:-$REPLY}
    fi
    [[ -n $file ]] || lacks_program
    examine_program "$file"
    prefer_recorded
    choose_for_line "$launcher"
}

# as_told COMMAND...: runs it in the environment that the line gives to ranks, as told_values has it.
as_told() {
    local name
    local -A kept=()
    for name in "${!told_values[@]}"; do
        kept[$name]=${!name-}
        printf -v "$name" %s "${told_values[$name]}"
    done
    "$@"
    for name in "${!kept[@]}"; do
        printf -v "$name" %s "${kept[$name]}"
        [[ -n ${!name} ]] || unset "$name"
    done
}

# examine_as_told FROM TO: examines the part in the environment that the line gives to its ranks. Sets told if it does.
examine_as_told() {
    local name
    local -A told_values=()
    for name in LD_LIBRARY_PATH LD_PRELOAD; do
        told_in "$1" "$2" "$name" || continue
        told=yes
        told_values[$name]=$REPLY
    done
    as_told examine_part
}

# append_command TO SETTINGS: adds the words from the part's first command on, with what must stand ahead of it. A NAME that only
# the working folder has is none to what starts it.
append_command() {
    local words=("${line[@]:command_at:$1 - command_at}")
    local before=${#arguments[@]}
    append_starter arguments "$2"
    [[ ${#arguments[@]} -eq $before ]] || ! stands_bare "${words[0]}" || words[0]=./${words[0]}
    arguments+=("${words[@]}")
}

# renew_meeting FROM TO: the line of a script says to a batch system how ranks of the program's own MPI meet. Says how the host's do instead.
renew_meeting() {
    local i option wanted
    line_fact "$launcher_kind" meeting
    option=$REPLY
    [[ $as_written == yes && ${#rank_names[@]} -gt 0 && -n $option ]] || return 0
    pmi_of_library "$host_library" "${conf[$chosen.host]}"
    wanted=$REPLY
    for ((i = $1; i < $2; i++)); do
        option_of meeting "$i" && [[ $REPLY != "$wanted"* ]] || continue
        note "$launcher gets $wanted instead of $REPLY, as ${conf[$chosen.host]} connects its ranks by that"
        if [[ ${line[i]} == *=* ]]; then line[i]=${line[i]%%=*}=$wanted; else line[i + 1]=$wanted; fi
    done
}

# adapt_part FROM TO: adds the words between to arguments, with what gives the ranks their environment: options of the
# launcher's, or where the line has such ones for a variable of ours, the starter of ranks.
adapt_part() {
    local told=no one every bare words
    forget_program
    find_program_in "$1" "$2"
    late_words=()
    [[ -z $command_at ]] || late_words=("${line[@]:command_at + 1:$2 - command_at - 1}")
    examine_as_told "$1" "${command_at:-$2}"
    renew_meeting "$1" "${command_at:-$2}"
    words=("${line[@]:$1:$2 - $1}")
    line_fact "$launcher_kind" one
    one=$REPLY
    line_fact "$launcher_kind" every
    every=$REPLY
    line_fact "$launcher_kind" bare
    bare=$REPLY
    if [[ ${#rank_names[@]} -eq 0 ]]; then
        arguments+=("${words[@]}")
    elif [[ -n $file_at && -n $every ]]; then
        # Behind what the line says of the same variable, as the last word counts.
        arguments+=("${words[@]}")
        append_settings arguments "$every"
    elif [[ -z $file_at && -n $one && $told == no ]]; then
        [[ -n $bare ]] || require_command
        append_settings arguments "$one"
        if [[ -n $command_at ]]; then
            arguments+=("${line[@]:$1:command_at - $1}")
            append_command "$2" no
        else
            arguments+=("${words[@]}")
        fi
    elif [[ -n $command_at ]]; then
        require_command
        arguments+=("${line[@]:$1:command_at - $1}")
        append_command "$2" yes
    else
        cannot_be_told
    fi
}

# Sets arguments to the line with all its programs adapted.
adapt_line() {
    local from=$((launcher_at + 1)) to apart inner
    line_fact "$launcher_kind" inner
    inner=$REPLY
    line_fact "$launcher_kind" apart
    apart=$REPLY
    while has_word "${line[from]-}" "$inner"; do
        from=$((from + 1))
    done
    arguments=("${line[@]:0:from}")
    for ((to = from; to <= ${#line[@]}; to++)); do
        [[ $to -eq ${#line[@]} || ( -n $apart && ${line[to]} == "$apart" ) ]] || continue
        adapt_part "$from" "$to"
        [[ $to -eq ${#line[@]} ]] || arguments+=("$apart")
        from=$((to + 1))
    done
}

# kind_of_name NAME: sets REPLY to the one kind of launchers that is called so, or fails where there are several.
kind_of_name() {
    local kind name kinds=()
    for kind in "${launcher_kinds_known[@]}"; do
        ! is_called "$1" "$kind" || kinds+=("$kind")
    done
    for name in "${implementation_names[@]}"; do
        REPLY=${implementation_facts[$name.launcher]}
        [[ ${1##*/} != *.* ]] || ! has_word "mpiexec.${1##*.}" "${implementation_facts[$name.launchers]}" || return 0
    done
    REPLY=${kinds[0]-}
    [[ ${#kinds[@]} -eq 1 ]]
}

# kind_of_program: sets REPLY to the kind of launcher that the program of the line was built for, or fails: it is looked for as each
# launcher of that name would.
kind_of_program() {
    local launcher_kind file
    for launcher_kind in "${launcher_kinds_known[@]}"; do
        is_called "${line[launcher_at]}" "$launcher_kind" || continue
        find_program_in "$((launcher_at + 1))" "${#line[@]}"
        [[ -n $program_at ]] && is_command "${line[program_at]}" || continue
        file=$REPLY
        forget_program
        examine_program "$file"
        launcher_of_abi "$abi"
        return
    done
    return 1
}

# kind_of_late_program: the same of a program that opens its MPI late, by what it will load.
kind_of_late_program() {
    REPLY=$(
        exec 2> /dev/null
        for launcher_kind in "${launcher_kinds_known[@]}"; do
            is_called "${line[launcher_at]}" "$launcher_kind" || continue
            find_program_in "$((launcher_at + 1))" "${#line[@]}"
            [[ -n $command_at ]] && is_command "${line[command_at]}" || continue
            late_words=("${line[@]:command_at + 1}")
            file=$REPLY
            forget_program
            examine_program "$file"
            [[ $abi_is_guess == no && $abi_is_usual == no ]] && launcher_of_abi "$abi" && printf %s "$REPLY"
            exit
        done
    )
    [[ -n $REPLY ]]
}

# Sets REPLY to the kind of launcher that the line was written for: that of the launcher here which has its name, if nothing else tells.
find_dialect() {
    REPLY=${given[--as]-}
    [[ -z $REPLY ]] || return 0
    ! kind_of_name "${line[launcher_at]}" || return 0
    ! shown_dialect || return 0
    ! kind_of_program || return 0
    [[ -z ${given[--from]-} ]] || ! launcher_of_abi "${given[--from]}" || return 0
    ! kind_of_late_program || return 0
    REPLY=$launcher_kind
    [[ -z $REPLY ]] || return 0
    die "don't know which MPI's launcher '${line[launcher_at]}' stands for" 'give --as KIND, or --from ABI'
}

# must_translate: whether the line's launcher is not there, is not one of the MPI that is wanted, or is not what the line was written for,
# as --as or the options say.
must_translate() {
    local host=${given[--to]-}
    [[ -n $launcher ]] || return 0
    [[ -z ${given[--as]-} || ${given[--as]} == "$launcher_kind" ]] || return 0
    ! has_foreign_options || return 0
    [[ -n $host ]] && ! is_batch "$launcher_kind" && ! starts_abi "${host%%@*}"
}

# has_foreign_options: whether the launcher has a name that several MPIs' have, and the line the options of another one. It starts ranks of
# its own MPI all the same, by options of its own.
has_foreign_options() {
    [[ -z ${given[--as]-} ]] && ! kind_of_name "${line[launcher_at]}" && shown_dialect && [[ $REPLY != "$launcher_kind" ]] || return
    note "the options of '${line[*]}' are for $REPLY, and $launcher gets its own instead"
    [[ -n ${given[--to]-} ]] || ! family_of_launcher "$launcher_kind" || given[--to]=$REPLY
}

# run_or_print WORD...: what is to be started.
run_or_print() {
    local word text=''
    if [[ ${given[--print]-no} == no ]]; then
        for word in "${launcher_variables[@]}"; do
            export "${word?}"
        done
        [[ " $* " == *' : '* ]] || spare_launcher
        start_line "$@"
    fi
    for word in "${launcher_variables[@]}" "$@"; do
        shell_word "$word"
        text+=${text:+ }$REPLY
    done
    put '%s\n' "$text${sequences[*]/#/ }"
}

# exec_line: starts the launch line that operands is.
exec_line() {
    local arguments before
    line=("${operands[@]}")
    [[ ${#pair_folders[@]} -gt 0 ]] || require_pairs
    ignored_options=${given[--ignore-options]-},${setting[ignore_options]-}
    check_abi_options
    find_line_launcher
    if must_translate; then
        before=("${line[@]:0:launcher_at}")
        find_dialect
        ! is_question "${line[@]:launcher_at + 1}" || ! family_of_launcher "$REPLY" || { answer_as "$REPLY"; return; }
        translate_line "$REPLY"
        arguments=("${before[@]}" "${arguments[@]}")
    else
        settle_line_host
        prefer_installation
        adapt_line
    fi
    run_or_print "${arguments[@]}"
}

command_exec() {
    parse_options '--from --to --program --launcher --as --ignore-options' '--preload --print' "$@"
    [[ ${#operands[@]} -gt 0 ]] || usage_error 'no launch line is given'
    exec_line
}
