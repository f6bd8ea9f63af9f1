#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# contained.bash VARIABLES TOOL run WORD...: starts the container of one rank by Podman or Docker. `mpi-adapter
# container` puts it between the launcher and the tool, for what only a rank's own process can do.
# VARIABLES: names of those that are not to be handed on.

set -u

left_out=$1 tool=$2 run=$3
shift 3

# By name, as a value may be secret. HOME may be nothing that the image has.
names=()
for name in $(compgen -e); do
    [[ " $left_out HOME " == *" $name "* ]] || names+=(--env "$name")
done

# remove_when_gone NAME: a launcher may kill the tool, of which the container knows nothing, so what is left then is
# removed. $$ is the tool's number, too. Who does this is not killed with it, and keeps none of its files open: by
# their end launchers see the rank's.
remove_when_gone() {
    local file
    for file in "/proc/$BASHPID/fd"/*; do
        file=${file##*/}
        [[ ! $file =~ ^[0-9]+$ || $file -le 2 ]] || eval "exec $file>&-"
    done
    # shellcheck disable=SC2016
    exec setsid bash -c 'trap "" HUP INT TERM; tail --pid="$1" -f /dev/null; exec "$2" rm --force "$3"' bash $$ "$tool" "$1"
}

container=mpi-adapter-$$-$RANDOM
remove_when_gone "$container" < /dev/null > /dev/null 2>&1 &
exec "$tool" "$run" --name "$container" "${names[@]}" "$@"
