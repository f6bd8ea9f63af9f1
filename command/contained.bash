#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# contained.bash VARIABLES TOOL run WORD...: starts the container of one rank by Podman or Docker. `mpi-adapter
# container` puts it between the launcher and the tool, for what only a rank's own process can do.
# VARIABLES: names of those that are not to be handed on.

set -u

# The user's variables go on to the container, so the names of this script's own are nobody's.
_tool=$2 _run=$3 _arguments=()

# By name, as a value may be secret. HOME may be nothing that the image has.
for _name in $(compgen -e); do
    [[ " $1 HOME " == *" $_name "* ]] || _arguments+=(--env "$_name")
done
shift 3

# remove_when_gone NAME: a launcher may kill the tool, of which the container knows nothing, so what is left then is
# removed. $$ is the tool's number, too. Who does this is not killed with it, and keeps none of its files open: by
# their end launchers see the rank's.
remove_when_gone() {
    local _file
    for _file in "/proc/$BASHPID/fd"/*; do
        _file=${_file##*/}
        [[ ! $_file =~ ^[0-9]+$ || $_file -le 2 ]] || eval "exec $_file>&-"
    done
    # shellcheck disable=SC2016
    exec setsid bash -c 'trap "" HUP INT TERM; tail --pid="$1" -f /dev/null; exec "$2" rm --force "$3"' bash $$ "$_tool" "$1"
}

_container=mpi-adapter-$$-$RANDOM
remove_when_gone "$_container" < /dev/null > /dev/null 2>&1 &
exec "$_tool" "$_run" --name "$_container" "${_arguments[@]}" "$@"
