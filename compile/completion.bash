# SPDX-License-Identifier: BSD-3-Clause
# bash completion for mpicc_abi, mpicxx_abi and mpifort_abi: what they know themselves; the rest is the compiler's.

_mpicc_abi() {
    local word=${COMP_WORDS[COMP_CWORD]} option=-cc=
    case ${COMP_WORDS[0]} in
    *mpicxx_abi) option=-cxx= ;;
    *mpifort_abi) option='-fc= -install-modules' ;;
    esac
    COMPREPLY=()
    # A colon parts words, and only what follows is replaced.
    if [[ $word == : || ${COMP_WORDS[COMP_CWORD - 1]} == : ]]; then
        mapfile -t COMPREPLY < <(compgen -W 'command compile link incdirs libdirs libs version help' -- "${word#:}")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "-c -o -show -showme -showme: -compile-info -link-info $option" -- "$word")
    fi
}

complete -o bashdefault -o default -F _mpicc_abi mpicc_abi mpicxx_abi mpifort_abi
