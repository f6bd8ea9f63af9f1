#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter shell: scripts whose launch lines are for the program's own MPI run as they are, with launchers that only look like
# MPI's.

load false_mpis

setup_file() { make_fixtures; }

setup() {
    make_installation
    make_own_launchers
    cd "$BATS_TEST_TMPDIR"
    cp "$fixtures/bin/app" program
}

# script LINE...: job.sh, and runs it.
script() {
    printf '%s\n' '#!/bin/bash' "$@" > job.sh
    chmod +x job.sh
    run --separate-stderr "$adapter" shell --to mpich ./job.sh
    echo "status $status, stdout $output, stderr $stderr"
}

@test "a script's lines start adapted ranks, with options of the program's MPI" {
    script 'mpirun -np 2 -x SHOWN="a b" --report-bindings ./program env SHOWN'
    [ "$output" = 'SHOWN=a b' ]
    launcher_got 'argument -env'
    launcher_got 'argument SHOWN'
    script 'mpiexec -n 1 ./program whose : -n 1 ./program'
    [ "$output" = adapter ]
    launcher_got 'argument :'
}

@test "in functions, subshells, other scripts and behind other commands, and with an absent launcher" {
    # shellcheck disable=SC2016  # for the script
    printf '%s\n' '#!/bin/sh' 'orterun -n 1 "$@"' > inner
    chmod +x inner
    script 'start() { mpirun -np 1 "$@"; }' 'start ./program' '(start ./program args "a  b")' './inner ./program' \
        'timeout 20 mpiexec ./program' 'aprun -n 1 ./program'
    [ "$output" = $'adapter\n<a  b>\nadapter\nadapter\nadapter' ]
}

@test "its exit status and its input are the script's" {
    script 'mpirun -np 1 ./program exit 7'
    [ "$status" -eq 7 ]
    script 'mpirun -np 1 ./program cat < input'
    echo typed > input
    script 'mpirun -np 1 ./program cat < input'
    [ "$output" = typed ]
}

@test "--version begins as the program's MPI would, and --path gives the folder" {
    script 'mpirun --version'
    [[ $output == 'mpirun (Open MPI) '* ]]
    run "$adapter" shell --path
    [ "$output" = "$prefix/lib/mpi-adapter/shims" ]
    PATH=$output:$PATH MPI_ADAPTER_HOST=mpich run mpirun -np 1 ./program
    [ "$output" = adapter ]
}

@test "what has no counterpart is named, and nothing starts" {
    script 'mpirun -np 1 --rankfile ranks ./program'
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == *"'--rankfile ranks'"*'has no counterpart'*'--host'* ]]
    run "$adapter" shell --to mpich --ignore-options rankfile ./job.sh
    [ "$output" = adapter ]
}

@test "the site's ignore_options are left out, too" {
    echo 'ignore_options = rankfile,no-such-option' > settings
    export MPI_ADAPTER_CONFIG=$PWD/settings
    script 'mpirun -np 1 --rankfile ranks ./program'
    [ "$output" = adapter ]
    run "$adapter" list
    [[ $output == *'ignore_options:'*'rankfile,no-such-option ('* ]]
}

@test "settings of the program's MPI have the counterpart that there is, and the others are named once" {
    # shellcheck disable=SC2016  # for the script
    script 'export OMPI_MCA_btl_tcp_if_include=eth7 OMPI_MCA_btl=self OMPI_MCA_rmaps_base_oversubscribe=1' 'mpirun -np 1 ./program'
    [ "$output" = adapter ]
    launcher_got 'argument -iface'
    launcher_got 'argument eth7'
    [ "$(grep -c 'without effect' <<< "$stderr")" -eq 1 ]
    [[ $stderr == *'mpi-adapter: without effect on '*'OMPI_MCA_btl'* && $stderr != *OMPI_MCA_rmaps* && $stderr != *if_include* ]]
    # The line's own word counts.
    script 'OMPI_MCA_btl_tcp_if_include=eth7 mpirun -np 1 --mca btl_tcp_if_include eth8 ./program'
    launcher_got 'argument eth8'
    run ! grep 'argument eth7' "$LAUNCHER_LOG"
}

@test "launchers and ranks have none of the shell's launchers in PATH" {
    script 'mpirun -np 1 ./program env PATH'
    [[ $output == PATH=* && $output != *"$prefix/lib/mpi-adapter/shims"* ]]
}

@test "a link to one of the shell's launchers starts adapted ranks from any place, a copy with mpi-adapter in PATH" {
    local place=$BATS_TEST_TMPDIR/opt/openmpi/bin shims
    shims=$("$adapter" shell --path)
    mkdir -p "$place"
    export MPI_ADAPTER_HOST=mpich
    ln -s "$shims/mpirun" "$place/mpirun"
    ln -s "$place/mpirun" "$place/mpiexec"
    [ "$("$place/mpirun" -np 1 ./program)" = adapter ]
    [ "$("$place/mpiexec" -np 1 ./program)" = adapter ]
    PATH=$place:$PATH run mpirun -np 1 ./program
    [ "$output" = adapter ]
    rm "$place/mpirun"
    cp "$shims/mpirun" "$place/mpirun"
    run -127 --separate-stderr env PATH=/usr/bin:/bin "$place/mpirun" -np 1 ./program
    fails_with 127 "$place/mpirun is a copy" 'put a link'
    ln -s "$adapter" "$bin/mpi-adapter"
    [ "$("$place/mpirun" -np 1 ./program)" = adapter ]
}

@test "a script that is called as a launcher and starts the shell's, or the command, does not start itself" {
    local place=$BATS_TEST_TMPDIR/place text
    mkdir "$place"
    write_launcher "$bin/mpirun" openmpi 'mpirun (Open MPI) 5.0.7'
    ln -s "$("$adapter" shell --path)" shims
    ln -s "$adapter" "$bin/mpi-adapter"
    PATH=$place:$PATH
    for text in "exec $PWD/shims/mpirun \"\$@\"" "$PWD/shims/mpirun \"\$@\"" "MPI_ADAPTER_HOST=mpich exec $PWD/shims/mpirun \"\$@\"" \
        'exec mpi-adapter exec --to mpich -- mpirun "$@"' 'exec mpi-adapter exec -- timeout 60 mpirun "$@"'; do
        printf '#!/bin/sh\n%s\n' "$text" > "$place/mpirun"
        chmod +x "$place/mpirun"
        LD_LIBRARY_PATH=$fixtures/real:$LD_LIBRARY_PATH run --separate-stderr timeout 60 mpirun -n 1 ./program
        echo "$text: status $status, stdout $output, stderr $stderr"
        [ "$status" -eq 0 ]
        if [[ $text == *mpich* ]]; then [ "$output" = adapter ]; else [ "$output" = real ]; fi
    done
    printf '#!/bin/sh\nexec %s/shims/mpirun "$@"\n' "$PWD" > "$place/mpirun"
    run timeout 60 mpirun --version
    [[ $output == 'mpirun (Open MPI) '* ]]
}

@test "a misspelt variable is told of once, by the shell" {
    export MPI_ADAPTER_TRCE=x
    script 'mpirun -n 1 ./program whose' 'mpirun -n 1 ./program whose'
    [ "$output" = $'adapter\nadapter' ]
    [ "$stderr" = "mpi-adapter: nothing reads the variable MPI_ADAPTER_TRCE; did you mean 'MPI_ADAPTER_TRACE'?" ]
}
