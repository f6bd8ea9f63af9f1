# SPDX-License-Identifier: BSD-3-Clause
# bash completion for mpi-adapter, which tells by "mpi-adapter completions" what it takes: a line NAME|KIND|HELP for each option, and first
# one without a name for operands. What follows the program belongs to it.

# _mpi_adapter_rows COMMAND [SUBCOMMAND]
_mpi_adapter_rows() { "$1" completions "${@:2}" 2> /dev/null < /dev/null; }

# _mpi_adapter_kind ROWS NAME: the kind of an option's value, or of operands; empty if there is none.
_mpi_adapter_kind() {
    local name kind
    while IFS='|' read -r name kind _; do
        [[ $name != "$2" ]] || printf '%s' "$kind"
    done <<< "$1"
}

# ABIs, and for a host the names of pairs that were built for one MPI.
_mpi_adapter_abis() {
    local names
    # compgen expands the words that it gets.
    names=$("$2" list --abis 2> /dev/null < /dev/null | LC_ALL=C grep '^[A-Za-z0-9_+.@-]*$')
    if [[ $1 == host ]]; then printf '%s\n' "$names"; else grep -v @ <<< "$names"; fi
}

# _mpi_adapter_value KIND WORD COMMAND
_mpi_adapter_value() {
    case $1 in
    abi | host) mapfile -t COMPREPLY < <(compgen -W "$(_mpi_adapter_abis "$1" "$3")" -- "$2") ;;
    launcher) mapfile -t COMPREPLY < <(compgen -c -- "$2" | grep '^\(mpi\|orterun\|prterun\|srun\)' | sort -u
        compgen -f -- "$2") ;;
    tool) mapfile -t COMPREPLY < <(compgen -c -- "$2" | grep '^\(apptainer\|singularity\|podman\|docker\)$' | sort -u
        compgen -f -- "$2") ;;
    mpi) mapfile -t COMPREPLY < <(compgen -d -- "$2"; compgen -c -- "$2" | grep '^mpi.*cc' | sort -u) ;;
    folder) mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    file) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    # Files, and commands once there is something of a name.
    command | line) mapfile -t COMPREPLY < <(compgen -f -- "$2"; [[ -z $2 || $2 == */* ]] || compgen -c -- "$2" | sort -u) ;;
    *) COMPREPLY=() ;;
    esac
}

# _mpi_adapter_given ROWS OPTION WORD COMMAND: what may stand behind OPTION=.
_mpi_adapter_given() {
    local kind
    kind=$(_mpi_adapter_kind "$1" "$2")
    if [[ -n $kind ]]; then
        _mpi_adapter_value "$kind" "$3" "$4"
    else
        mapfile -t COMPREPLY < <(compgen -W "$(sed -n "s/^$2=\([a-z]*\)|.*/\1/p" <<< "$1")" -- "$3")
    fi
}

_mpi_adapter() {
    local word=${COMP_WORDS[COMP_CWORD]} own=${COMP_WORDS[0]} rows operand i
    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 || ( ${COMP_WORDS[1]} == help && $COMP_CWORD -eq 2 ) ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_mpi_adapter_rows "$own" | cut -d '|' -f 1) --help --version" -- "$word")
        return
    fi
    rows=$(_mpi_adapter_rows "$own" "${COMP_WORDS[1]}")
    operand=$(_mpi_adapter_kind "$rows" '')
    for ((i = 2; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            [[ $((i + 1)) -ne $COMP_CWORD ]] || { _mpi_adapter_value "$operand" "$word" "$own"; return; }
        elif [[ ${COMP_WORDS[i]} == = ]]; then
            # bash takes it for a word of its own, and what is behind it for another one.
            i=$((i + 1))
            [[ $i -ne $COMP_CWORD ]] || { _mpi_adapter_given "$rows" "${COMP_WORDS[i - 2]}" "$word" "$own"; return; }
        elif [[ ${COMP_WORDS[i]} != -?* ]]; then
            # Any word of a launch line may be a program. Arguments of a program are files as far as one can tell.
            [[ $operand == line ]] || operand=file
            _mpi_adapter_value "$operand" "$word" "$own"
            return
        elif [[ -n $(_mpi_adapter_kind "$rows" "${COMP_WORDS[i]}") ]]; then
            [[ ${COMP_WORDS[i + 1]} != = ]] || continue
            i=$((i + 1))
            [[ $i -ne $COMP_CWORD ]] || { _mpi_adapter_value "$(_mpi_adapter_kind "$rows" "${COMP_WORDS[i - 1]}")" "$word" "$own"; return; }
        fi
    done
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(cut -d '|' -f 1 <<< "$rows")" -- "$word")
    else
        _mpi_adapter_value "$operand" "$word" "$own"
    fi
}

complete -o filenames -F _mpi_adapter mpi-adapter
