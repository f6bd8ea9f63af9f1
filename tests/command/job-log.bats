#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The setting job_log: a line to syslog's socket for each job of `run`, off by default. The job's own status, streams and signals stay.

load false_mpis

setup_file() { make_fixtures; }

setup() {
    make_installation
    cd "$BATS_TEST_TMPDIR"
    # Takes the lines at ./log while a command runs, and writes what it ended with: "status -15" for signal 15.
    cat > listen.py <<'END_OF_PROGRAM'
import socket, subprocess, sys
log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
log.bind("log")
print("status", subprocess.run(sys.argv[1:]).returncode, flush=True)
log.setblocking(False)
try:
    while True:
        print("line", log.recv(4096).decode(), flush=True)
except BlockingIOError:
    pass
END_OF_PROGRAM
}

listen() {
    rm -f log
    run --separate-stderr python3 listen.py "$@"
    echo "status $status, stdout: $output, stderr: $stderr"
}

@test "a job has one line, with families, pair, MPI, ranks and status, and nothing of its name" {
    export MPI_ADAPTER_JOB_LOG=$PWD/log
    listen "$adapter" run -n 3 app exit 42
    [ "${#lines[@]}" -eq 2 ]
    [ "${lines[0]}" = 'status 42' ]
    [[ ${lines[1]} =~ ^'line <14>'[A-Z][a-z]{2}\ [\ 0-9][0-9]\ [0-9:]{8}\ mpi-adapter\[[0-9]+\]:\ (.*)$ ]]
    [ "${BASH_REMATCH[1]}" = "family=openmpi pair=openmpi-to-mpich host=\"MPICH\" ranks=3 status=42 adapter=$("$adapter" version | sed 's/.* //')" ]
    [[ ${lines[1]} != *app* ]]
    listen "$adapter" run -n 2 app args one
    [[ ${lines[-1]} == *'ranks=2 status=0 '* ]]
    [[ $output == *'<one>'* ]]
}

@test "without the setting nothing is sent, and the launcher takes the command's place" {
    listen "$adapter" run -n 2 app exit 42
    [ "$output" = 'status 42' ]
    # Nor is anything sent of what starts no job.
    export MPI_ADAPTER_JOB_LOG=$PWD/log
    for verb in 'run --print app' 'check app' 'run ./none'; do
        # shellcheck disable=SC2086  # words
        listen "$adapter" $verb
        [[ $output != *line* ]]
    done
}

@test "a signal to the command reaches the job, and one that ends the job ends the command" {
    export MPI_ADAPTER_JOB_LOG=$PWD/log
    "$adapter" run app wait > out 2> messages 3>&- &
    local pid=$! status=0
    for _ in $(seq 1000); do
        grep -q ready out && break
        sleep 0.05
    done
    kill -TERM "$pid"
    wait "$pid" || status=$?
    [ "$status" -eq 9 ]
    grep 'got TERM' out
    printf '%s\n' '#!/bin/sh' '[ "$1" != --version ] || { echo "HYDRA build details:"; exit; }' 'kill -KILL $$' > launcher
    chmod +x launcher
    listen "$adapter" run --launcher "$PWD/launcher" app
    [ "${lines[0]}" = 'status -9' ]
    [[ ${lines[1]} == *' status=137 '* ]]
}

@test "a socket that nobody has is told of, and the job's status stays" {
    export MPI_ADAPTER_JOB_LOG=$PWD/nobody
    run --separate-stderr "$adapter" run app exit 42
    [ "$status" -eq 42 ]
    [ "$stderr" = "mpi-adapter: the job is not logged, as nothing takes lines at $PWD/nobody; correct MPI_ADAPTER_JOB_LOG, which names it" ]
    echo 'job_log = log' > conf
    MPI_ADAPTER_CONFIG=$PWD/conf run --separate-stderr env -u MPI_ADAPTER_JOB_LOG "$adapter" run app
    [ "$status" -eq 1 ]
    [[ $stderr == *"conf:1: job_log has 'log', which is not an absolute path; correct it" ]]
}
