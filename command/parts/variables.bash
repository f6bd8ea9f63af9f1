# SPDX-License-Identifier: BSD-3-Clause
# Variables of the environment whose names are slips of the adapter's.

# The variables that users set, and those by which the adapter's parts speak to each other; tests compare them with those that are
# read.
user_variables="${setting_variable[*]} MPI_ADAPTER_BUFFER_IFLUSH MPI_ADAPTER_CACHE MPI_ADAPTER_CC MPI_ADAPTER_CONFIG
    MPI_ADAPTER_CXX MPI_ADAPTER_FC MPI_ADAPTER_FORTRAN MPI_ADAPTER_HOST_TOOLS MPI_ADAPTER_PARTITIONED MPI_ADAPTER_REPORT
    MPI_ADAPTER_SINGLETONS MPI_ADAPTER_STATS MPI_ADAPTER_TRACE MPI_ADAPTER_VERBOSE"
inner_variables='MPI_ADAPTER_ASKED MPI_ADAPTER_COMPILES MPI_ADAPTER_FROM MPI_ADAPTER_IGNORE_OPTIONS MPI_ADAPTER_LIBRARY_PATH MPI_ADAPTER_NAMES
    MPI_ADAPTER_ONE_OF_ALL MPI_ADAPTER_PRELOAD MPI_ADAPTER_RANK_VARIABLES MPI_ADAPTER_RESTARTED MPI_ADAPTER_SHELL_VERBOSE
    MPI_ADAPTER_TICK'

# is_exported NAME
is_exported() { [[ $(declare -p "$1" 2> /dev/null) =~ ^declare\ -[A-Za-z]*x ]]; }

# without_prefix NAME: sets REPLY to what follows the prefix of our variables, also where that is misspelt.
without_prefix() {
    local head='' rest=${1,,}_
    while [[ $rest == *_* ]]; do
        head+=${head:+_}${rest%%_*}
        rest=${rest#*_}
        REPLY=${rest%_}
        ! is_within 2 "$head" mpi_adapter || return 0
    done
    return 1
}

# tell_misspelt NAME: asks for the one that was meant. A name that is near none may be somebody else's, as a site's MPI_ADAPTER_HOME.
tell_misspelt() {
    without_prefix "$1" && did_you_mean "MPI_ADAPTER_$REPLY" "$user_variables" || return 0
    say "nothing reads the variable $1${then}$REPLY"
}

# is_within_other: whether another of our commands has started this one, and said what there is to say.
is_within_other() {
    local name
    [[ $command != shim ]] || return 0
    for name in $inner_variables; do
        [[ -z ${!name-} ]] || return 0
    done
    return 1
}

# tell_misspelt_variables: of the environment, once.
tell_misspelt_variables() {
    local name
    ! is_within_other || return 0
    for name in "${!MPI@}" "${!Mpi@}"; do
        has_word "$name" "$user_variables" || ! is_exported "$name" || tell_misspelt "$name"
    done
    for name in "${!set_aside[@]}"; do
        [[ $name != mpi* ]] || tell_misspelt "$name"
    done
}
