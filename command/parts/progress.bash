# SPDX-License-Identifier: BSD-3-Clause
# Tells the user of a step that takes long.

ticker=''           # the process that does

# start_ticking FIRST NEXT COMMAND...: runs COMMAND after FIRST seconds and then each NEXT, until stop_ticking or until it fails.
start_ticking() {
    local pause=$1 next=$2 nap=''
    shift 2
    (
        # Nothing is left of it that holds the terminal. The shell forgets a signal that it catches if that comes before a new
        # process has reset its traps; it catches no SIGUSR1.
        trap '[[ -z $nap ]] || kill "$nap" 2> /dev/null; exit' USR1
        while
            sleep "$pause" > /dev/null 2>&1 &
            nap=$!
            wait "$nap" && kill -0 "$$" 2> /dev/null && "$@"
        do
            pause=$next
        done
    ) &
    ticker=$!
}

stop_ticking() {
    [[ -z $ticker ]] || { kill -USR1 "$ticker" && wait "$ticker"; } 2> /dev/null
    ticker=''
}

# tell_step SINCE WHAT
tell_step() { say "$2, $((SECONDS - $1)) s"; }

# begin_step WHAT: tells on a terminal that the step takes more than two seconds, until stop_ticking.
begin_step() {
    [[ -t 2 ]] || return 0
    start_ticking "${MPI_ADAPTER_TICK:-2}" "${MPI_ADAPTER_TICK:-10}" tell_step "$SECONDS" "$1" > /dev/null
}
