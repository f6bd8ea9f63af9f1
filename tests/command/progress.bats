# SPDX-License-Identifier: BSD-3-Clause
# The command reports work that takes long: on a terminal alone, and until it ends.

load false_mpis

setup_file() {
    make_fixtures
    make_machine
}

setup() {
    make_installation
    make_own_launchers
    PATH=$bin:$fixtures/bin:$BATS_FILE_TMPDIR/machine
    said=$BATS_TEST_TMPDIR/said
    # So that a test need not wait for two seconds.
    export MPI_ADAPTER_TICK=0.1
}

# make_podman: a tool that says something of its own, and starts nothing; the body of the function is what it does before.
make_podman() {
    { printf '#!/bin/bash\n[ "$1" != --version ] || { echo "podman version 4.3.1"; exit; }\n'; cat; echo 'echo no; exit 125'; } > "$bin/podman"
    chmod +x "$bin/podman"
}

# on_terminal WORD...: as a terminal's shell starts it. What the terminal shows goes to $said.
on_terminal() {
    type -P script > /dev/null || skip 'script is not installed'
    SHELL=/bin/bash run timeout 120 script -qefc "${*@Q}" "$said" < /dev/null
}

# wait_for TEXT: for scripts that may end when the terminal shows it.
wait_for() { printf 'for ((i = 0; i < 900; i++)); do ! grep -q %q %q || break; sleep 0.1; done\n' "$1" "$said"; }

# with_parts SCRIPT: runs it by a shell that has read these parts of the command.
with_parts() {
    run timeout 120 bash -c '. "$0/messages.bash"; . "$0/progress.bash"; eval "$1"' "$prefix/lib/mpi-adapter/command" "$1"
}

@test "a look into an image that takes long" {
    make_podman < <(wait_for 'looking into')
    on_terminal "$adapter" container name -- /app
    [ "$status" -eq 1 ]
    grep -q "^mpi-adapter: looking into name with $bin/podman, [0-9]* s" "$said"
    grep -q 'cannot start anything in name' "$said"
}

@test "nothing is coloured, whoever asks" {
    local sources=("$BATS_TEST_DIRNAME"/../../{command,scripts,compile,Makefile}) colour='\\(033|e|x1[bB])\[[0-9;]*m'
    run ! grep -rnE "$colour" "${sources[@]}"
    grep -qE "$colour" <<< "printf '\\033[1;31mred'"
}

@test "what is no terminal is told nothing" {
    make_podman <<< 'sleep 1'
    run --separate-stderr "$adapter" container name -- /app
    fails_with 1 "$bin/podman cannot start anything in name"
}

@test "build --all tells on a terminal that it looks for MPIs" {
    mkdir "$BATS_TEST_TMPDIR/tree"
    printf '#!/bin/bash\n%s\nexec /usr/bin/find "$@"\n' "$(wait_for 'looking for MPIs')" > "$bin/find"
    chmod +x "$bin/find"
    on_terminal "$adapter" build --all --prebuilt --prefix "$BATS_TEST_TMPDIR/made" --to-abi none "$BATS_TEST_TMPDIR/tree"
    grep -q '^mpi-adapter: looking for MPIs, [0-9]* s' "$said"
}

@test "it ends when the step does, however soon that is" {
    with_parts 'trap "exit 3" INT TERM HUP; for ((i = 0; i < 200; i++)); do start_ticking 60 60 echo late; stop_ticking; done; echo ended'
    [ "$status" -eq 0 ]
    [ "$output" = ended ]
    with_parts 'start_ticking 0.01 0.01 echo on; sleep 0.5; one=$ticker; stop_ticking; ! kill -0 "$one" 2> /dev/null && echo ended'
    [ "${lines[0]}" = on ]
    [ "${lines[-1]}" = ended ]
}

@test "it ends when nobody reads it, or the command is gone" {
    with_parts 'start_ticking 0.01 0.01 false; wait "$ticker"; echo ended'
    [ "$output" = ended ]
    with_parts 'start_ticking 0.01 0.01 true > /dev/null 2>&1; echo "$ticker"; kill -KILL "$$"'
    for ((i = 0; i < 600; i++)); do
        kill -0 "$output" 2> /dev/null || return 0
        sleep 0.1
    done
    kill -KILL "$output"
    false
}
