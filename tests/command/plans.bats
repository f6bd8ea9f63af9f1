# SPDX-License-Identifier: BSD-3-Clause
# --print and --print=json: the plan of a start is what is started, and nothing is.

load false_mpis

setup_file() { make_fixtures; }

setup() {
    make_installation
    cd "$fixtures/bin"
}

# member WHAT: an expression of Python over the plan in $output; each of a list on a line.
member() {
    "${PYTHON:-python3}" -c 'import json, os, sys
plan = json.loads(sys.argv[1])
found = eval(sys.argv[2])
for item in found if isinstance(found, list) else [found]:
    sys.stdout.buffer.write(os.fsencode(str(item)) + b"\n")' "$output" "$1"
}

# follows_plan VERB WORD...: what the launcher gets is the line of the plan, in JSON and for a shell.
follows_plan() {
    local verb=$1
    shift
    rm -f "$LAUNCHER_LOG"
    run --separate-stderr "$adapter" "$verb" --print=json "$@"
    echo "$verb $*: status $status, $output, $stderr"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ ! -e "$LAUNCHER_LOG" ]
    member 'plan["line"][plan["line"].index("mpiexec.fakempich") + 1:]' > planned
    run --separate-stderr "$adapter" "$verb" --print "$@"
    [ "$status" -eq 0 ]
    [ ! -e "$LAUNCHER_LOG" ]
    eval "$output" > by-shell
    sed -n 's/^argument //p' "$LAUNCHER_LOG" | cmp planned -
    rm "$LAUNCHER_LOG"
    "$adapter" "$verb" "$@" > by-command
    sed -n 's/^argument //p' "$LAUNCHER_LOG" | cmp planned -
    cmp by-shell by-command
}

@test "what the plan says is what the launcher gets" {
    follows_plan run ./app
    follows_plan run -n 2 ./app args 'a b' "c'd" '"' '\'
    follows_plan run -n 2 ./app : -n 1 ./app exit 0
    follows_plan exec -- mpiexec.fakempich -n 2 ./app args '' x
    follows_plan exec -- timeout 100 mpiexec.fakempich -n 2 ./app
    follows_plan exec --to mpich -- mpiexec.fakeopenmpi -np 2 --bind-to none -x A=1 ./app one
}

@test "each program has what was chosen for it" {
    run "$adapter" run --print=json -n 2 ./app : ./app
    [ "$(member '[len(plan["programs"]), plan["programs"][0], 1][0]')" = 2 ]
    [ "$(member 'plan["programs"][1]["program"]')" = ./app ]
    [ "$(member '[plan["programs"][0][name] for name in ("abi", "pair", "host")]')" = $'openmpi\nopenmpi-to-mpich\nmpich' ]
    [ "$(member 'plan["programs"][0]["library"]')" = "$fixtures/host/libfakempich.so.12" ]
    [[ $(member 'plan["programs"][0]["environment"]["LD_LIBRARY_PATH"]') == "$pair"* ]]
    [ "$(member '[plan["launcher"], plan["dialect"], plan["mpi_adapter"]]')" = "$fixtures/bin/mpiexec.fakempich"$'\n'"hydra"$'\n'"$("$adapter" version | cut -d ' ' -f 2)" ]
    # As env says it.
    run "$adapter" env --json ./app
    [ "$(member 'plan["environment"]["LD_LIBRARY_PATH"]')" = "$(eval "$("$adapter" env ./app)"; echo "$LD_LIBRARY_PATH")" ]
    [ "$(member 'plan["pair"]')" = openmpi-to-mpich ]
}

@test "a shell's plan has its PATH and what its launchers are told" {
    printf '#!/bin/sh\necho "$MPI_ADAPTER_HOST $1"\n' > script
    chmod +x script
    run "$adapter" shell --print=json --to mpich --ignore-options a,b ./script 1
    [ "$(member 'plan["line"]')" = $'./script\n1' ]
    [[ $(member 'plan["environment"]["PATH"]') == *"/shims:$PATH" ]]
    [ "$(member '[plan["environment"][name] for name in ("MPI_ADAPTER_HOST", "MPI_ADAPTER_IGNORE_OPTIONS")]')" = $'mpich\na,b' ]
    run "$adapter" shell --print --to mpich ./script one
    [ "$(eval "$output")" = 'mpich one' ]
}

@test "what the command changes in its own environment is in the plan" {
    # As in a rank of another run, and in a shell of mpi-adapter's.
    export MPI_ADAPTER_FROM=openmpi MPI_ADAPTER_PRELOAD=/a.so LD_PRELOAD=/a.so
    run --separate-stderr "$adapter" run --print=json ./app
    [ "$(member 'sorted(plan["without"])')" = $'LD_PRELOAD\nMPI_ADAPTER_FROM\nMPI_ADAPTER_PRELOAD' ]
    run --separate-stderr "$adapter" run --print ./app
    [[ $output == 'env -u '*' mpiexec.fakempich '* ]]
    # A launcher that the folder of shims alone has.
    unset MPI_ADAPTER_FROM MPI_ADAPTER_PRELOAD LD_PRELOAD
    run --separate-stderr "$adapter" shell --print=json srun -n 1 ./app
    [ "$(member 'plan["line"]')" = $'srun\n-n\n1\n./app' ]
}

@test "words keep their characters in JSON, but for bytes that are no text" {
    run "$adapter" run --print=json ./app args $'a\nb\tc' '"\' $'\e[2J' ü $'\xff'
    [ "$(member 'json.dumps(plan["line"][-5:])')" = '["a\nb\tc", "\"\\", "\u001b[2J", "\u00fc", "?"]' ]
}

@test "what is refused has no plan" {
    for words in 'run --print=json ./missing' 'exec --print=json -- mpiexec.fakempich -n 1' 'run --print=yaml ./app' 'env --json ./missing' 'shell --print ./missing'; do
        # shellcheck disable=SC2086  # words are wanted
        run --separate-stderr "$adapter" $words
        [ "$status" -ne 0 ] && [ -z "$output" ] && [[ $stderr == 'mpi-adapter: '* ]] || { echo "$words: $status $output"; return 1; }
    done
}
