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

# is_gone: no process of this test's command is left, or will be in a minute.
is_gone() {
    for ((i = 0; i < 600; i++)); do
        pgrep -f "^$prefix/bin/mpi-adapter " > /dev/null || return 0
        sleep 0.1
    done
    return 1
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
    printf '#!/bin/bash\n%s\n' "$(wait_for 'looking for MPIs')" > "$bin/ldconfig"
    chmod +x "$bin/ldconfig"
    on_terminal "$adapter" build --all --prebuilt --prefix "$BATS_TEST_TMPDIR/made" --to-abi none "$BATS_TEST_TMPDIR/tree"
    grep -q '^mpi-adapter: looking for MPIs, [0-9]* s' "$said"
}

@test "it ends when the step does" {
    make_podman < <(wait_for 'looking into')
    on_terminal "$adapter" container name -- /app
    grep -q 'cannot start anything in name' "$said"
    is_gone
}

@test "it ends when the command is gone" {
    local command
    make_podman <<< "echo \$PPID > '$BATS_TEST_TMPDIR/command'; sleep 60"
    type -P script > /dev/null || skip 'script is not installed'
    script -qec "$(printf '%q ' "$adapter" container name -- /app)" "$said" < /dev/null > /dev/null 3>&- &
    for ((i = 0; i < 600; i++)); do
        [ ! -s "$BATS_TEST_TMPDIR/command" ] || ! grep -q 'looking into' "$said" || break
        sleep 0.1
    done
    kill -KILL "$(cat "$BATS_TEST_TMPDIR/command")"
    is_gone
}
