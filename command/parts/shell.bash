# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter shell: scripts as they are. Launchers are found in a folder of shims, each of which is mpi-adapter shim.

shims=$home/shims

help_shell() {
    joined ' or ' "${family_names[@]}"
    cat <<END
Usage: mpi-adapter shell [OPTION]... [--] [SCRIPT [ARGUMENT]...]

Runs a script, or a shell, in which launchers start adapted ranks:
  mpi-adapter shell --to ABI ./job.sh
The script stays as it is.  mpirun, mpiexec, srun and other launchers in it
take the options that the MPI of each program has, and start what the host has.
Programs of the host's own MPI run natively.  A launcher that is called by its
whole path is not caught: put the folder of its links first in PATH instead.

  --from ABI          ABI that programs were compiled against that do not tell
  --to ABI            ABI of the MPI to run on
  --ignore-options LIST
                      leave out these options of launch lines
  --path              print the folder that is put first in PATH, for a
                      modulefile or a batch system's prolog
  -v, --verbose       say on stderr what was found and what is started
  -h, --help          print this text

ABI is $REPLY.
END
}

command_shell() {
    local name
    parse_options '--from --to --ignore-options' --path "$@"
    check_abi_options
    [[ -x $shims/mpirun ]] || die "$shims is missing" 'install mpi-adapter again'
    if [[ ${given[--path]-no} == yes ]]; then
        put '%s\n' "$shims"
        return
    fi
    [[ -z ${given[--to]-} ]] || export MPI_ADAPTER_HOST=${given[--to]}
    [[ -z ${given[--from]-} ]] || export MPI_ADAPTER_FROM=${given[--from]}
    [[ -z ${given[--ignore-options]-} ]] || export MPI_ADAPTER_IGNORE_OPTIONS=${given[--ignore-options]}
    [[ $verbose == no ]] || export MPI_ADAPTER_SHELL_VERBOSE=1
    without_shims
    PATH=$shims:$REPLY
    [[ ${#operands[@]} -gt 0 ]] || operands=("${SHELL:-/bin/sh}")
    start_line "${operands[@]}"
}

# Sets REPLY to PATH without the folder of shims.
without_shims() {
    local folder kept='' rest=${PATH-}:
    while [[ -n $rest ]]; do
        folder=${rest%%:*}
        rest=${rest#*:}
        [[ -n $folder && $folder -ef $shims ]] || kept+=:$folder
    done
    REPLY=${kept#:}
}

# is_question WORD...: whether a launcher is asked what it is.
is_question() { [[ $# -eq 1 && ( $1 == --version || $1 == -version || $1 == -V || $1 == --help || $1 == -h ) ]]; }

# Sets REPLY to the ABI that programs of the shell are of if they do not tell: the one that was said, or the only one that pairs serve
# besides the host's.
shell_family() {
    local index name host=${setting[host]-} found=''
    REPLY=${MPI_ADAPTER_FROM-}
    [[ -z $REPLY ]] || return 0
    for index in "${!pair_folders[@]}"; do
        name=${conf[$index.application]}
        [[ -z $host || ( ${conf[$index.host]} == "${host%%@*}" && $name != "${host%%@*}" ) ]] || continue
        ! is_shared "$name" || continue
        [[ -z $found || $found == "$name" ]] || return
        found=$name
    done
    REPLY=$found
    [[ -n $found ]]
}

# answer_as FAMILY: what a launcher of the family's own would say of its version, by which build systems tell it.
answer_as() {
    local name=${family_facts[$1.implementations]%% *}
    put '%s\n' "${implementation_facts[$name.answers]}"
}

# native_launcher ABI: sets REPLY to a launcher of the ABI's own MPI, the one that was called if it is one; or fails.
native_launcher() {
    local name kind
    launcher_of_abi "$1" || return
    kind=$REPLY
    for name in "${line[launcher_at]}" ${implementation_facts[${family_facts[$1.implementations]%% *}.launchers]}; do
        find_launcher "$name" && [[ -x $REPLY ]] || continue
        name=$REPLY
        kind_of_launcher "$name"
        [[ $REPLY == "$kind" ]] || continue
        REPLY=$name
        return
    done
    return 1
}

# start_natively: the line as it is, by the launcher of its name, or fails if there is none.
start_natively() {
    find_launcher "${line[0]}" && [[ -f $REPLY && -x $REPLY ]] || cannot_be_started "${line[0]}"
    start_line "$REPLY" "${line[@]:1}"
}

# The program's MPI is the one that is wanted, or nobody has said which: a launcher of it starts the line.
stays_native() {
    local wanted=${setting[host]-}
    [[ -z $wanted || ${wanted%%@*} == "$abi" ]] || return
    native_launcher "$abi"
}

command_shim() {
    local called=${1-} dialect=''
    [[ $called == */* ]] || usage_error 'this command is for the links of mpi-adapter shell'
    shift
    command=exec
    without_shims
    PATH=$REPLY
    line=("${called##*/}" "$@")
    launcher_at=0
    verbose=${MPI_ADAPTER_SHELL_VERBOSE:+yes}
    verbose=${verbose:-no}
    require_pairs
    if is_question "$@"; then
        ! shell_family || ! kind_of_shell_answers || { answer_as "$REPLY"; exit 0; }
        start_natively
    fi
    if ! kind_of_program; then
        ! shell_family || given[--from]=$REPLY
        [[ -n ${given[--from]-} && $# -gt 0 ]] || start_natively
        abi=${given[--from]}
    else
        dialect=$REPLY
    fi
    if stays_native; then
        start_line "$REPLY" "$@"
    fi
    shim_exec "$dialect"
}

# kind_of_shell_answers: whether the launcher that was called is one that the family's MPI has.
kind_of_shell_answers() {
    local family=$REPLY
    launcher_of_abi "$family" && is_called "${line[0]}" "$REPLY" && REPLY=$family
}

# shim_exec DIALECT: as mpi-adapter exec, for a line that was written for a launcher of that kind, or the one of its name.
shim_exec() {
    local options=()
    [[ -z ${setting[host]-} ]] || options+=(--to "${setting[host]}")
    [[ -z ${given[--from]-} ]] || options+=(--from "${given[--from]}")
    [[ $verbose == no ]] || options+=(-v)
    # A batch system's launcher that is there starts programs of every MPI.
    if [[ -n $1 ]] && ! kind_of_name "${line[0]}"; then
        options+=(--as "$1")
    fi
    forget_program
    launcher='' launcher_kind='' as_written=yes
    given=()
    command_exec "${options[@]}" -- "${line[@]}"
}
