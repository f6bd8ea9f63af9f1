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
    sed -i "s|^configuration .*|configuration $system|" "$prefix/lib/mpi-adapter/installation"
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

@test "the command reads the system's file that it was built for, and says the version" {
    local installation=$prefix/lib/mpi-adapter/installation version
    for version in 1.2.3 1.2.4; do
        make -s -C "$BATS_TEST_DIRNAME/../.." -f command/command.mk "BUILD=$BATS_TEST_TMPDIR/build" SYSCONFDIR=/some/etc VERSION=$version \
            "$BATS_TEST_TMPDIR/build/lib/mpi-adapter/installation"
        cp --remove-destination "$BATS_TEST_TMPDIR/build/lib/mpi-adapter/installation" "$installation"
        grep -qx 'configuration /some/etc/mpi-adapter.conf' "$installation"
        [ "$("$adapter" --version)" = "mpi-adapter $version" ]
    done
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

# make_transport NAME...: libraries that say of each process that they are loaded into it.
make_transport() {
    local name
    for name; do
        make_library "$BATS_TEST_TMPDIR/$name" "$name" \
            "#include <unistd.h>
            __attribute__((constructor)) static void here(void) { if (write(2, \"$name\\n\", sizeof \"$name\")) {} }"
    done
}

# ranks_preload LIST ARGUMENT...: what the ranks of `run ARGUMENT... app` have preloaded.
ranks_preload() {
    local wanted=$1
    shift
    run --separate-stderr "$adapter" run "$@" app env LD_PRELOAD
    echo "status $status, stdout $output, stderr $stderr"
    [ "$status" -eq 0 ] && [ "$output" = "LD_PRELOAD=$wanted" ]
}

@test "host_preload: of the host's MPI by its name, of its ABI, or of any, and the environment's" {
    local own_pair=openmpi-to-mpich@one here=$BATS_TEST_TMPDIR
    make_transport any.so mpich.so one.so two.so other.so mine.so
    add_pair "$prefix/lib/mpi-adapter/$own_pair" openmpi mpich
    echo 'name = one' >> "$prefix/lib/mpi-adapter/$own_pair/pair.conf"
    echo "host_preload = $here/any.so" > "$own"
    ranks_preload "$here/any.so" --to mpich
    echo "host_preload.openmpi = $here/other.so" >> "$own"
    ranks_preload "$here/any.so" --to mpich
    [[ $stderr == *any.so* && $stderr != *other.so* ]]
    echo "host_preload.mpich = $here/mpich.so" >> "$own"
    ranks_preload "$here/mpich.so" --to mpich
    echo "host_preload.mpich@one = $here/one.so:$here/two.so" >> "$own"
    ranks_preload "$here/mpich.so" --to mpich
    ranks_preload "$here/one.so:$here/two.so" --to mpich@one
    # The user's file hides a setting of the same name.
    mkdir -p "$HOME/lib"
    cp "$here/mine.so" "$HOME/lib/"
    echo 'host_preload.mpich = ~/lib/mine.so' > "$user"
    ranks_preload "$HOME/lib/mine.so" --to mpich
    MPI_ADAPTER_HOST_PRELOAD=$here/two.so ranks_preload "$here/two.so" --to mpich@one
    shows host_preload "$here/any.so" "$own:1"
    shows host_preload.openmpi "$here/other.so" "$own:2"
    shows host_preload.mpich "$HOME/lib/mine.so" "$user:1"
}

@test "host_preload: behind the user's, ahead of the adapter's, each once, and away with the adapter" {
    local here=$BATS_TEST_TMPDIR
    make_transport tool.so transport.so
    export MPI_ADAPTER_HOST_PRELOAD=$here/transport.so
    LD_PRELOAD=$here/tool.so ranks_preload "$here/tool.so:$here/transport.so"
    LD_PRELOAD=$here/tool.so ranks_preload "$here/tool.so:$here/transport.so:$pair/libmpi.so.40" --preload
    LD_PRELOAD="$here/transport.so $here/tool.so" ranks_preload "$here/transport.so $here/tool.so"
    run "$adapter" run --preload app env MPI_ADAPTER_PRELOAD
    [ "${lines[-1]}" = "MPI_ADAPTER_PRELOAD=$pair/libmpi.so.40:$here/transport.so" ]
    run "$adapter" run app env MPI_ADAPTER_PRELOAD
    [ "${lines[-1]}" = "MPI_ADAPTER_PRELOAD=$pair/libmpi.so.40:$here/transport.so" ]
    # A script's guard, and a run within a rank, where what the outer one preloads is not the user's.
    printf '#!/bin/bash\nMPI_ADAPTER_HOST_PRELOAD= exec %q run %q env LD_PRELOAD\n' "$adapter" "$fixtures/bin/app" > "$here/script"
    chmod +x "$here/script"
    run --separate-stderr "$adapter" run "$here/script"
    [ "$output" = 'LD_PRELOAD=(unset)' ]
    [[ $stderr == *transport.so* ]]
}

@test "host_preload: a name is looked for as the loader does" {
    make_transport libtransport.so.1
    mkdir "$BATS_TEST_TMPDIR/folder"
    mv "$BATS_TEST_TMPDIR/libtransport.so.1" "$BATS_TEST_TMPDIR/folder/"
    echo 'host_preload = libtransport.so.1' > "$own"
    LD_LIBRARY_PATH+=:$BATS_TEST_TMPDIR/folder ranks_preload "$BATS_TEST_TMPDIR/folder/libtransport.so.1"
    run --separate-stderr "$adapter" run app
    fails_with 1 "libtransport.so.1, which host_preload ($own:1) has preloaded, is not found" 'correct the setting'
}

@test "host_preload: run, exec, env, shell and a program on its own MPI" {
    local transport=$BATS_TEST_TMPDIR/transport.so
    make_transport transport.so
    echo "host_preload.mpich = $transport" > "$own"
    run "$adapter" exec mpiexec.fakempich -n 1 app env LD_PRELOAD
    [ "${lines[-1]}" = "LD_PRELOAD=$transport" ]
    run "$adapter" env app
    [[ $output == *"export LD_PRELOAD='$transport'"* ]]
    printf '#!/bin/sh\nmpirun -np 1 %s env LD_PRELOAD\n' "$fixtures/bin/app" > "$BATS_TEST_TMPDIR/job"
    chmod +x "$BATS_TEST_TMPDIR/job"
    cp "$fixtures/bin/mpiexec.fakempich" "$BATS_TEST_TMPDIR/mpiexec.mpich"
    PATH=$BATS_TEST_TMPDIR:$PATH run "$adapter" shell --to mpich "$BATS_TEST_TMPDIR/job"
    [ "${lines[-1]}" = "LD_PRELOAD=$transport" ]
    echo "host_preload.openmpi = $transport" > "$own"
    LD_LIBRARY_PATH=$fixtures/real run "$adapter" env --to openmpi app
    [ "$output" = "export LD_PRELOAD='$transport'" ]
    run "$adapter" env app
    [[ $output != *LD_PRELOAD* ]]
}

@test "host_preload: what cannot be preloaded is named, and nothing starts" {
    local here=$BATS_TEST_TMPDIR
    # refuses VALUE TEXT...: the same by run, exec and env.
    refuses() {
        local value=$1
        shift
        echo "host_preload.mpich = $value" > "$own"
        for start in run 'exec mpiexec.fakempich -n 1' env; do
            # shellcheck disable=SC2086  # words are wanted
            run --separate-stderr "$adapter" $start app
            fails_with 1 "$@" || return 1
        done
        [ ! -e "$LAUNCHER_LOG" ]
    }
    refuses /no/such.so '/no/such.so, which host_preload.mpich' "($own:1) has preloaded, is not found; correct the setting, or install it"
    mkdir "$here/folder.so"
    refuses "$here/folder.so" 'is not found'
    echo text > "$here/text.so"
    refuses "$here/text.so" "$here/text.so, which host_preload.mpich" 'is not a library for this machine'
    refuses "$fixtures/bin/app" 'is not a library for this machine'
    make_transport needed.so
    make_library "$here/needs.so" needs.so 'int x;' -Wl,--no-as-needed "$here/needed.so"
    printf '\267' | dd of="$here/needed.so" bs=1 seek=18 conv=notrunc status=none
    refuses "$here/needed.so" 'is not a library for this machine'
    rm "$here/needed.so"
    refuses "$here/needs.so" 'needs needed.so; install that or add its folder to LD_LIBRARY_PATH'
    refuses 'two words.so' "$own:1: host_preload.mpich has 'two words.so', which LD_PRELOAD cannot hold"
    refuses ./relative.so "$own:1: host_preload.mpich has './relative.so', which is not an absolute path"
    rm "$own"
    MPI_ADAPTER_HOST_PRELOAD=./relative.so run --separate-stderr "$adapter" run app
    fails_with 1 "MPI_ADAPTER_HOST_PRELOAD: host_preload has './relative.so', which is not an absolute path"
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
    expect 'host.mpich = 1' 2 "there is no setting 'host.mpich'"
    expect 'host_preload.mpihc = /a.so' 2 "there is no setting 'host_preload.mpihc'; did you mean 'host_preload.mpich'?"
    expect 'host_preload. = /a.so' 2 "not of the form 'key = value'"
    expect $'host_preload.mpich = /a.so\nhost_preload.mpich = /b.so' 3 'host_preload.mpich is given twice'
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
    [ "$(grep -c '^(.fBMPI_ADAPTER_' "$page")" -eq 11 ]
}
