# SPDX-License-Identifier: BSD-3-Clause
# Settings: where they come from, which one counts, and what they do.

load false_mpis

setup_file() { make_fixtures; }

setup() {
    make_installation
    unset MPI_ADAPTER_CONFIG
    export HOME=$BATS_TEST_TMPDIR/home XDG_CONFIG_HOME=
    user=$HOME/.config/mpi-adapter/mpi-adapter.conf
    own=$prefix/etc/mpi-adapter.conf
    system=$BATS_TEST_TMPDIR/etc/mpi-adapter.conf
    mkdir -p "${user%/*}" "${own%/*}" "${system%/*}"
    # The machine's own file is no business of the tests.
    sed -i "s|^system_configuration=.*|system_configuration='$system'|" "$adapter"
}

# shows NAME VALUE ORIGIN
shows() {
    run --separate-stderr "$adapter" list
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ "$(sed -n "/^settings/,\$ s/^  $1: *//p" <<< "$output")" = "$2${3:+ ($3)}" ]
}

@test "the environment beats the user's file, the installation's and the system's" {
    shows launcher 'not set'
    printf '\n# comment\nlauncher = system-launcher  \n' > "$system"
    shows launcher system-launcher "$system:3"
    echo 'launcher=own-launcher' > "$own"
    shows launcher own-launcher "$own:1"
    printf 'launcher = user launcher' > "$user"
    shows launcher 'user launcher' "$user:1"
    MPI_ADAPTER_LAUNCHER=variable shows launcher variable MPI_ADAPTER_LAUNCHER
    MPI_ADAPTER_LAUNCHER='' shows launcher 'user launcher' "$user:1"
    mkdir -p "$BATS_TEST_TMPDIR/xdg/mpi-adapter"
    echo 'launcher = xdg' > "$BATS_TEST_TMPDIR/xdg/mpi-adapter/mpi-adapter.conf"
    XDG_CONFIG_HOME=$BATS_TEST_TMPDIR/xdg shows launcher xdg "$BATS_TEST_TMPDIR/xdg/mpi-adapter/mpi-adapter.conf:1"
    MPI_ADAPTER_CONFIG=$own:$system shows launcher own-launcher "$own:1"
    MPI_ADAPTER_CONFIG=/dev/null shows launcher 'not set'
}

@test "the command reads the system's file that it was built for" {
    make -s -C "$BATS_TEST_DIRNAME/../.." -f command/command.mk "BUILD=$BATS_TEST_TMPDIR/build" command SYSCONFDIR=/some/etc
    grep -qx "system_configuration='/some/etc/mpi-adapter.conf'" "$BATS_TEST_TMPDIR/build/bin/mpi-adapter"
}

@test "host chooses the pair, and --to beats it" {
    add_pair "$prefix/lib/mpi-adapter/openmpi-to-openmpi" openmpi openmpi
    sed -i 's/^host = .*/host = other/' "$prefix/lib/mpi-adapter/openmpi-to-openmpi/pair.conf"
    echo 'host = other' > "$own"
    run "$adapter" env app
    [[ $output == *"/openmpi-to-openmpi:"* ]]
    run "$adapter" env --to mpich app
    [[ $output == *"/openmpi-to-mpich:"* ]]
    run env MPI_ADAPTER_HOST=mpich "$adapter" env app
    [[ $output == *"/openmpi-to-mpich:"* ]]
}

@test "host and --to choose a pair by its name" {
    add_pair "$prefix/lib/mpi-adapter/openmpi-to-mpich@one" openmpi mpich
    add_pair "$prefix/lib/mpi-adapter/openmpi-to-mpich@two" openmpi mpich
    echo 'name = one' >> "$prefix/lib/mpi-adapter/openmpi-to-mpich@one/pair.conf"
    echo 'name = two' >> "$prefix/lib/mpi-adapter/openmpi-to-mpich@two/pair.conf"
    echo 'host = mpich@two' > "$user"
    run "$adapter" env app
    [[ $output == *"/openmpi-to-mpich@two:"* ]]
    run "$adapter" env --to mpich@one app
    [[ $output == *"/openmpi-to-mpich@one:"* ]]
    run "$adapter" env --to mpich app
    [[ $output == *"/openmpi-to-mpich:"* ]]
    run --separate-stderr "$adapter" env --to mpich@three app
    fails_with 1 'no installed pair runs programs of openmpi on mpich@three' 'mpi-adapter build --host PREFIX --name three'
    run --separate-stderr "$adapter" env --to lam@three app
    fails_with 1 "unknown ABI 'lam'"
}

@test "pair_path is searched ahead of the installation, ~ is the home" {
    mkdir -p "$HOME/pairs"
    add_pair "$HOME/pairs/mine" openmpi mpich
    echo "pair_path = /no/such/folder:~/pairs" > "$user"
    run "$adapter" env app
    [ "$output" = "export LD_LIBRARY_PATH='$HOME/pairs/mine:$fixtures/host'" ]
}

@test "host_prefixes: the library and the launcher of the first prefix that has one" {
    mkdir -p "$BATS_TEST_TMPDIR/mpi/lib64" "$BATS_TEST_TMPDIR/mpi/bin" "$BATS_TEST_TMPDIR/wrong/lib"
    cp "$fixtures/host/libfakempich.so.12" "$BATS_TEST_TMPDIR/mpi/lib64/"
    cp "$fixtures/host/libfakeopenmpi.so.12" "$BATS_TEST_TMPDIR/wrong/lib/libfakempich.so.12"
    cp "$fixtures/bin/mpiexec.fakempich" "$BATS_TEST_TMPDIR/mpi/bin/"
    echo "host_prefixes = $BATS_TEST_TMPDIR/none:$BATS_TEST_TMPDIR/wrong:$BATS_TEST_TMPDIR/mpi" > "$own"
    run --separate-stderr "$adapter" run -v app env MPI_ADAPTER_HOST_LIBRARY
    [ "$output" = "MPI_ADAPTER_HOST_LIBRARY=$BATS_TEST_TMPDIR/mpi/lib64/libfakempich.so.12" ]
    [[ $stderr == *"launcher $BATS_TEST_TMPDIR/mpi/bin/mpiexec.fakempich"* ]]
    shows host_prefixes "$BATS_TEST_TMPDIR/none:$BATS_TEST_TMPDIR/wrong:$BATS_TEST_TMPDIR/mpi" "$own:1"
    [[ $output == *"host library: $BATS_TEST_TMPDIR/mpi/lib64/libfakempich.so.12"* ]]
}

@test "what the host's library needs is found beside it, and its folder is given only then" {
    make_library "$BATS_TEST_TMPDIR/mpi/lib/libbeside.so" libbeside.so 'int beside;'
    make_library "$BATS_TEST_TMPDIR/mpi/lib/libfakempich.so.12" libfakempich.so.12 "$fake_host" \
        -Wl,--no-as-needed "$BATS_TEST_TMPDIR/mpi/lib/libbeside.so"
    export MPI_ADAPTER_HOST_PREFIXES=$BATS_TEST_TMPDIR/mpi
    run "$adapter" run app env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$pair:$BATS_TEST_TMPDIR/mpi/lib:$fixtures/host" ]
    cp "$fixtures/host/libfakempich.so.12" "$BATS_TEST_TMPDIR/mpi/lib/"
    run "$adapter" run app env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$pair:$fixtures/host" ]
}

@test "a host library and launcher that the pair remembers" {
    cp "$fixtures/host/libfakempich.so.12" "$BATS_TEST_TMPDIR/libmine.so"
    cp "$fixtures/bin/mpiexec.fakempich" "$BATS_TEST_TMPDIR/mine"
    printf 'host_library = %s\nlauncher = %s\n' "$BATS_TEST_TMPDIR/libmine.so" "$BATS_TEST_TMPDIR/mine" >> "$pair/pair.conf"
    run --separate-stderr "$adapter" run -v app env MPI_ADAPTER_HOST_LIBRARY
    [ "$output" = "MPI_ADAPTER_HOST_LIBRARY=$BATS_TEST_TMPDIR/libmine.so" ]
    [[ $stderr == *"launcher $BATS_TEST_TMPDIR/mine"* ]]
    run --separate-stderr "$adapter" run -v --launcher mpiexec.fakempich app
    [[ $stderr == *"launcher $fixtures/bin/mpiexec.fakempich"* ]]
    rm "$BATS_TEST_TMPDIR/libmine.so"
    run --separate-stderr "$adapter" run app
    fails_with 1 "($BATS_TEST_TMPDIR/libmine.so) is not found"
    sed -i 's|^host_library = .*|host_library = relative.so|' "$pair/pair.conf"
    run --separate-stderr "$adapter" run app
    fails_with 1 "host_library cannot be 'relative.so'"
}

@test "host_library of a file reaches the ranks" {
    cp "$fixtures/host/libfakempich.so.12" "$BATS_TEST_TMPDIR/libmine.so"
    echo "host_library = $BATS_TEST_TMPDIR/libmine.so" > "$user"
    run "$adapter" run app env MPI_ADAPTER_HOST_LIBRARY
    [ "$output" = "MPI_ADAPTER_HOST_LIBRARY=$BATS_TEST_TMPDIR/libmine.so" ]
}

@test "mpi_version of a file reaches the ranks" {
    echo 'mpi_version = 4.0' > "$user"
    run "$adapter" run app env MPI_ADAPTER_MPI_VERSION
    [ "$output" = 'MPI_ADAPTER_MPI_VERSION=4.0' ]
    MPI_ADAPTER_MPI_VERSION=4.1 run "$adapter" run app env MPI_ADAPTER_MPI_VERSION
    [ "$output" = 'MPI_ADAPTER_MPI_VERSION=4.1' ]
    echo 'mpi_version = new' > "$user"
    run --separate-stderr "$adapter" run app
    fails_with 1 "mpi_version is 'new'"
}

@test "launcher and launcher_arguments, ahead of the command line's" {
    printf 'launcher = %s\nlauncher_arguments = --one--own  --two--own\n' "$fixtures/bin/mpiexec.fakempich" > "$own"
    run "$adapter" run --launcher-arg --three--own app
    [ "$status" -eq 0 ]
    [ "$(grep -m 3 '^argument' "$LAUNCHER_LOG" | paste -sd ' ')" = 'argument --one--own argument --two--own argument --three--own' ]
}

@test "Slurm's launcher starts any host; ranks get their environment by what starts them" {
    cat > "$BATS_TEST_TMPDIR/srun" <<'TEXT'
#!/bin/bash
[ "$1" = --version ] && { echo 'slurm 22.05.8'; exit; }
echo "srun: ${LD_LIBRARY_PATH-}"
[[ " $* " == *' -n 3 '* ]] || exit 1
while [[ $1 != */start-rank ]]; do shift; done
exec "$@"
TEXT
    chmod +x "$BATS_TEST_TMPDIR/srun"
    LD_LIBRARY_PATH="$fixtures/host:/with,comma" run "$adapter" run -n 3 --launcher "$BATS_TEST_TMPDIR/srun" app env LD_LIBRARY_PATH
    [ "${lines[0]}" = "srun: $fixtures/host:/with,comma" ]
    [ "${lines[1]}" = "LD_LIBRARY_PATH=$pair:$fixtures/host:/with,comma" ]
}

@test "a damaged file names its line and stops the command; list shows the rest" {
    expect() {
        local text
        printf '# first\n%s\n' "$1" > "$own"
        run --separate-stderr "$adapter" run app
        fails_with 1 "$own:$2: $3" || return 1
    }
    expect nonsense 2 "not of the form 'key = value'"
    expect 'host =' 2 'host has no value'
    expect 'hots = mpich' 2 "there is no setting 'hots'; did you mean 'host'?"
    expect 'nonsense = mpich' 2 "there is no setting 'nonsense'; correct it, see mpi-adapter.conf(5)"
    expect $'host = mpich\nhost = openmpi' 3 'host is given twice'
    expect 'pair_path = relative' 2 "pair_path has 'relative', which is not an absolute path"
    expect 'host_prefixes = /one:two' 2 "host_prefixes has 'two', which is not an absolute path"
    printf 'nonsense\nhost = mpich\n' > "$own"
    run --separate-stderr "$adapter" list
    [ "$status" -eq 1 ]
    [[ $stderr == *"$own:1: not of the form"* ]]
    [[ $output == *"mpich ($own:2)"* ]]
    rm "$own"
    mkdir "$own"
    run --separate-stderr "$adapter" run app
    fails_with 1 "$own is not a regular file"
}

@test "every setting is explained in the manual page" {
    local name page=$BATS_TEST_DIRNAME/../../docs/man/mpi-adapter.conf.5
    run "$adapter" list
    for name in $(sed -n '/^settings/,$ s/^  \([a-z_]*\):.*/\1/p' <<< "$output"); do
        grep -qx ".B $name" "$page" || { echo "$name is missing"; return 1; }
    done
    [ "$(grep -c '^(.fBMPI_ADAPTER_' "$page")" -eq 8 ]
}
