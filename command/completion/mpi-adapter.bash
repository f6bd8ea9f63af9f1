# SPDX-License-Identifier: BSD-3-Clause
# bash completion for mpi-adapter.  What follows the program belongs to it.

# The options of a command: those that take a value, then the others.
_mpi_adapter_options() {
    case $1 in
    run) echo '-n --from --to --launcher --launcher-arg : --preload' ;;
    exec) echo '--from --to --program --launcher --as --ignore-options : --print --preload' ;;
    shell) echo '--from --to --ignore-options : --path' ;;
    container) echo '-n --tool --tool-arg --from --to --launcher --launcher-arg : --print --preload' ;;
    env) echo '--from --to : --preload' ;;
    list) echo ': --abis --json' ;;
    check) echo '--from --to : --json' ;;
    explain) echo '--from : --json' ;;
    doctor) echo '--timeout --report : --json' ;;
    splice) echo '--from --to --copy : --dry-run --undo' ;;
    build) echo '--remove --host --host-abi --to-abi --prefix --name --launcher --log : --all --prebuilt --compile --no-test' ;;
    *) echo ':' ;;
    esac
}

# ABIs, and for --to the names of pairs that were built for one MPI.
_mpi_adapter_abis() {
    local names
    # compgen expands the words that it gets.
    names=$("$2" list --abis 2> /dev/null < /dev/null | LC_ALL=C grep '^[A-Za-z0-9_+.@-]*$')
    if [[ $1 == --to ]]; then printf '%s\n' "$names"; else grep -v @ <<< "$names"; fi
}

_mpi_adapter_value() {
    case $1 in
    --from | --to | --host-abi | --to-abi) mapfile -t COMPREPLY < <(compgen -W "$(_mpi_adapter_abis "$1" "$3")" -- "$2") ;;
    --launcher) mapfile -t COMPREPLY < <(compgen -c -- "$2" | grep '^\(mpi\|orterun\|prterun\|srun\)' | sort -u
        compgen -f -- "$2") ;;
    --tool) mapfile -t COMPREPLY < <(compgen -c -- "$2" | grep '^\(apptainer\|singularity\|podman\|docker\)$' | sort -u
        compgen -f -- "$2") ;;
    --host) mapfile -t COMPREPLY < <(compgen -d -- "$2"; compgen -c -- "$2" | grep '^mpi.*cc' | sort -u) ;;
    --prefix | --report) mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    --log | --program) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    *) COMPREPLY=() ;;
    esac
}

# _mpi_adapter_command WORD: files, and commands once there is something of a name.
_mpi_adapter_command() {
    mapfile -t COMPREPLY < <(compgen -f -- "$1"; [[ -z $1 || $1 == */* ]] || compgen -c -- "$1" | sort -u)
}

# _mpi_adapter_operand COMMAND WORD: the program, the launcher or the image.
_mpi_adapter_operand() {
    case $1 in
    container | shell) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    doctor | splice) mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    run | exec | env | check | explain) _mpi_adapter_command "$2" ;;
    esac
}

_mpi_adapter() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} with_value options i
    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 ]]; then
        mapfile -t COMPREPLY < <(compgen -W 'run exec shell container env list check explain doctor build splice help version --help --version' -- "$word")
        return
    fi
    if [[ $command == help && $COMP_CWORD -eq 2 ]]; then
        mapfile -t COMPREPLY < <(compgen -W 'run exec shell container env list check explain doctor build splice' -- "$word")
        return
    fi
    options=$(_mpi_adapter_options "$command")
    with_value=" ${options%%:*} "
    for ((i = 2; i < COMP_CWORD; i++)); do
        if [[ $with_value == *" ${COMP_WORDS[i]} "* ]]; then
            i=$((i + 1))
            [[ $i -ne $COMP_CWORD ]] || { _mpi_adapter_value "${COMP_WORDS[i - 1]}" "$word" "${COMP_WORDS[0]}"; return; }
        elif [[ ${COMP_WORDS[i]} == -- ]]; then
            [[ $((i + 1)) -ne $COMP_CWORD ]] || { _mpi_adapter_operand "$command" "$word"; return; }
        elif [[ ${COMP_WORDS[i]} != -?* && $command == exec ]]; then
            # Any word of a launch line may be a program.
            _mpi_adapter_command "$word"
            return
        elif [[ ${COMP_WORDS[i]} != -?* ]]; then
            # The program, or an image, stands here: its arguments are files as far as one can tell.
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
        fi
    done
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${options/:/} --verbose --help" -- "$word")
    else
        _mpi_adapter_operand "$command" "$word"
    fi
}

complete -o filenames -F _mpi_adapter mpi-adapter
