# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter exec, several programs in a line, and options of launchers, with false launchers.

load false_mpis

setup_file() { make_fixtures; }

setup() {
    make_installation
    make_own_launchers
    cd "$fixtures/bin"
}

# fake_batch NAME INNER FLAGS VALUES: a batch system's launcher, which takes options by lists of its own, notes what it
# inherited, and runs its command.
fake_batch() {
    cat > "$bin/$1" <<END
#!/bin/bash
env > "\$LAUNCHER_LOG.environment"
printf 'argument %s\n' "\$@" > "\$LAUNCHER_LOG"
for word in $2; do
    [[ \$1 == "\$word" ]] || { echo "no \$word, but \$1" >&2; exit 64; }
    shift
done
while [[ \$1 == -* ]]; do
    if [[ ' $3 ' == *" \$1 "* || \$1 == --*=* ]]; then shift
    elif [[ ' $4 ' == *" \$1 "* ]]; then shift 2
    else echo "an unknown option \$1" >&2; exit 64; fi
done
exec "\$@"
END
    chmod +x "$bin/$1"
}

# make_mpich_program FILE: one that was compiled against MPICH.
make_mpich_program() {
    make_library "$BATS_TEST_TMPDIR/libmpich.so.12" libmpich.so.12 'int x;'
    echo 'int main(void) { return 0; }' | compile "$1" \
        -Wl,--no-as-needed "$BATS_TEST_TMPDIR/libmpich.so.12" -Wl,-rpath,"$BATS_TEST_TMPDIR"
}

# launches LINE...: it runs, its rank is adapted, and the launcher has nothing of it.
launches() {
    run --separate-stderr "$adapter" exec -- "$@"
    echo "status $status, stdout $output, stderr $stderr"
    [ "$status" -eq 0 ] && [ "$output" = "LD_LIBRARY_PATH=$pair:$fixtures/host" ] || return
    grep -x "LD_LIBRARY_PATH=$fixtures/host" "$LAUNCHER_LOG.environment" > /dev/null || return
    ! grep -F "$pair" "$LAUNCHER_LOG.environment"
}

@test "the words of a line of srun stay as they are" {
    fake_batch srun '' '--label -l' '-n -N --nodes -J --mpi'
    launches srun -n 4 ./app env LD_LIBRARY_PATH
    [ "$(cat "$LAUNCHER_LOG")" = "$(printf 'argument %s\n' -n 4 "$starter" openmpi slurm "LD_LIBRARY_PATH=$pair:$fixtures/host" -- \
        ./app env LD_LIBRARY_PATH)" ]
    # An option's value may be called like a command.
    launches srun -l --nodes 2 -J test --mpi pmi2 --ntasks=4 app env LD_LIBRARY_PATH
    launches srun -l --mpi=pmi2 nice ./app env LD_LIBRARY_PATH
}

@test "each program of several of srun's is adapted" {
    fake_batch srun '' '' '-n --mpi'
    run "$adapter" exec -- srun --mpi pmi2 -n 2 ./app args : -n 1 nice ./rpath-app args
    guard=$prefix/lib/mpi-adapter/guard.so
    [ "$(cat "$LAUNCHER_LOG")" = "$(printf 'argument %s\n' --mpi pmi2 -n 2 "$starter" openmpi slurm \
        "LD_LIBRARY_PATH=$pair:$fixtures/host" -- ./app args : -n 1 "$starter" openmpi slurm "LD_LIBRARY_PATH=$pair:$fixtures/host" \
        "LD_PRELOAD=$pair/libmpi.so.40:$guard" "MPI_ADAPTER_PRELOAD=$guard:$pair/libmpi.so.40" \
        "MPI_ADAPTER_LIBRARY_PATH=$pair:$fixtures/host" -- nice ./rpath-app args)" ]
}

@test "the launchers of other batch systems, too" {
    fake_batch flux run -x '-n -N -o'
    launches flux run -n 4 -x -o pmi=pmix ./app env LD_LIBRARY_PATH
    fake_batch flux 'mini run' -x '-n -N -o'
    launches flux mini run -n 4 ./app env LD_LIBRARY_PATH
    fake_batch jsrun '' '' '-n -a --bind'
    launches jsrun -n 4 -a 1 --bind none ./app env LD_LIBRARY_PATH
    fake_batch aprun '' -q '-n -N -cc'
    launches aprun -q -n 4 -cc cpu ./app env LD_LIBRARY_PATH
    fake_batch ibrun '' '' '-n -o'
    launches ibrun -n 4 -o 0 ./app env LD_LIBRARY_PATH
    fake_batch srun '' '' '-n'
    launches timeout 60 nice srun -n 4 ./app env LD_LIBRARY_PATH
}

@test "run starts ranks by such launchers, too" {
    local name
    fake_batch flux run '' -n
    fake_batch aprun '' '' -n
    for name in flux aprun; do
        run "$adapter" run --launcher "$name" -n 3 ./app env LD_LIBRARY_PATH
        [ "$output" = "LD_LIBRARY_PATH=$pair:$fixtures/host" ]
        launcher_got 'argument 3'
    done
}

@test "an MPI's launcher is told the environment by its own options" {
    local name=mpiexec.fakempich
    ln -s "$fixtures/bin/$name" "$bin/mpiexec"
    sed -i 's/^launchers = .*/launchers = mpiexec/' "$pair/pair.conf"
    run "$adapter" exec -- mpiexec -n 2 ./app args one
    [ "$(grep ^argument "$LAUNCHER_LOG")" = "$(printf 'argument %s\n' -env LD_LIBRARY_PATH "$pair:$fixtures/host" -n 2 \
        "$starter" openmpi hydra -- ./app args one)" ]
    launcher_got "LD_LIBRARY_PATH=$fixtures/host"
}

@test "what the line says of the same variable is kept behind the pair" {
    run "$adapter" exec -v -- mpiexec.fakempich -genv LD_LIBRARY_PATH "$fixtures/host:/of/mine" -n 2 ./app env LD_LIBRARY_PATH
    echo "$output"
    [ "${lines[-1]}" = "LD_LIBRARY_PATH=$pair:$fixtures/host:/of/mine" ]
    launcher_got "LD_LIBRARY_PATH=$fixtures/host"
}

@test "a program of the launcher's own MPI runs as it is" {
    make_mpich_program "$BATS_TEST_TMPDIR/native"
    run "$adapter" exec -- mpiexec.fakempich -n 2 "$BATS_TEST_TMPDIR/native"
    [ "$status" -eq 0 ]
    [ "$(grep ^argument "$LAUNCHER_LOG")" = "$(printf 'argument %s\n' -n 2 "$BATS_TEST_TMPDIR/native")" ]
}

@test "the MPI of the launcher's installation is the host" {
    local site=$BATS_TEST_TMPDIR/site
    mkdir -p "$site/bin" "$site/lib"
    cp "$fixtures/bin/mpiexec.fakempich" "$site/bin/mpiexec.fakempich"
    cp "$fixtures/host/libfakempich.so.12" "$site/lib/"
    run "$adapter" exec -v -- "$site/bin/mpiexec.fakempich" -n 1 ./app
    [[ $output == *"host library $site/lib/libfakempich.so.12"* ]]
    # A pair that was made for it comes before others.
    add_pair "$prefix/lib/mpi-adapter/openmpi-to-mpich@2" openmpi mpich
    printf '%s\n' 'name = 2' "launcher = $site/bin/mpiexec.fakempich" >> "$prefix/lib/mpi-adapter/openmpi-to-mpich@2/pair.conf"
    run "$adapter" exec -v -- "$site/bin/mpiexec.fakempich" -n 1 ./app
    [[ $output == *"pair openmpi-to-mpich@2 in"* ]]
    run "$adapter" exec -v -- mpiexec.fakempich -n 1 ./app
    [[ $output == *"pair openmpi-to-mpich in"* ]]
}

@test "the launcher's MPI is the host, whatever a setting or --to says" {
    local native=$BATS_TEST_TMPDIR/native
    add_pair "$prefix/lib/mpi-adapter/mpich-to-openmpi" mpich openmpi
    make_mpich_program "$native"
    export MPI_ADAPTER_HOST
    for MPI_ADAPTER_HOST in openmpi mpich; do
        run "$adapter" exec -- mpiexec.fakempich -n 2 ./app
        echo "$output"
        [ "$status" -eq 0 ]
        [ "$output" = adapter ]
        run "$adapter" exec -- mpiexec.fakempich -n 2 "$native"
        [ "$status" -eq 0 ]
        [ "$(grep ^argument "$LAUNCHER_LOG")" = "$(printf 'argument %s\n' -n 2 "$native")" ]
        run "$adapter" exec -- mpiexec.fakeopenmpi -n 2 ./rpath-app
        [ "$output" = real ]
    done
    unset MPI_ADAPTER_HOST
    # Its options are those of its own MPI, and become those of the other one's.
    run "$adapter" exec --to mpich --print -- mpiexec.fakeopenmpi -np 2 -x A=1 --bind-to none ./app one
    [ "$output" = "mpiexec.fakempich -env LD_LIBRARY_PATH $pair:$fixtures/host -n 2 -env A 1 $starter openmpi hydra -- ./app one" ]
    run "$adapter" exec --to mpich -- mpiexec.fakempich -n 2 ./app
    [ "$output" = adapter ]
    # A batch system's launcher starts any, and the site's word counts.
    fake_batch srun '' '' -n
    MPI_ADAPTER_HOST=openmpi run "$adapter" exec -- srun -n 2 ./rpath-app
    [ "$output" = real ]
    run "$adapter" exec -- srun -n 2 ./app env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$pair:$fixtures/host" ]
}

@test "the program may be given apart, and say what it was built for" {
    printf '#!/bin/sh\nexec "${APP-app}" "$@"\n' > "$bin/script"
    chmod +x "$bin/script"
    add_pair "$prefix/lib/mpi-adapter/other-to-mpich" other mpich
    run --separate-stderr "$adapter" exec -- mpiexec.fakempich -n 1 script
    fails_with 1 'names no MPI library' '--from'
    run "$adapter" exec --from openmpi -- mpiexec.fakempich -n 1 script
    echo "$output"
    [ "$output" = adapter ]
    run "$adapter" exec --program ./app -- mpiexec.fakempich -n 1 script
    [ "$output" = adapter ]
}

# cannot_be_told PROGRAM LINE...: the launcher has no way to hand the environment to its ranks.
cannot_be_told() {
    run --separate-stderr "$adapter" exec --program "$1" -- "${@:2}"
    fails_with 1 'cannot give the adapter to the programs' "use 'mpi-adapter env'"
    [ ! -e "$LAUNCHER_LOG" ]
}

@test "programs in a file of the launcher's" {
    # An executable file is no program, either.
    cp app "$bin/list"
    fake_batch srun '' --multi-prog -n
    cannot_be_told ./app srun -n 2 --multi-prog list
    add_pair "$prefix/lib/mpi-adapter/mpich-to-openmpi" mpich openmpi
    make_mpich_program "$BATS_TEST_TMPDIR/native"
    cannot_be_told "$BATS_TEST_TMPDIR/native" mpiexec.fakeopenmpi --app list
    cannot_be_told ./app srun -n 2 no-such-program
    run --separate-stderr "$adapter" exec -- mpiexec.fakempich -configfile list
    fails_with 1 'lists its programs in a file' --program
    run --separate-stderr "$adapter" exec -- srun -n 2 --multi-prog list
    fails_with 1 "use 'mpi-adapter env'"
    run -127 "$adapter" exec --program ./app -- mpiexec.fakempich -genv LD_LIBRARY_PATH "$fixtures/host:/of/mine" -configfile list
    [ "$(grep ^argument "$LAUNCHER_LOG")" = "$(printf 'argument %s\n' -genv LD_LIBRARY_PATH "$fixtures/host:/of/mine" \
        -configfile list -genv LD_LIBRARY_PATH "$pair:$fixtures/host:/of/mine")" ]
    # A line that needs nothing runs unchanged.
    run -127 "$adapter" exec --program ./rpath-app --to openmpi -- srun -n 2 --multi-prog list
    [ "$(cat "$LAUNCHER_LOG")" = "$(printf 'argument %s\n' -n 2 --multi-prog list)" ]
}

@test "programs are taken from the folder in which the line starts them" {
    local name
    cp mpiexec.fakempich mpiexec.fakeopenmpi "$bin/"
    sed -i 's/^    \*--own)/    *-wdir | *-wd) cd "$2"; shift 2 ;;\n&/' "$bin"/mpiexec.*
    mkdir "$BATS_TEST_TMPDIR/empty"
    cd "$BATS_TEST_TMPDIR/empty"
    for name in '-wdir' '--wdir'; do
        run "$adapter" exec -- mpiexec.fakempich "$name" "$fixtures/bin" -n 2 ./app
        echo "$output"
        [ "$output" = adapter ]
    done
    # One of the same name here is another one.
    printf '#!/bin/sh\n' > app
    chmod +x app
    run "$adapter" exec -- mpiexec.fakeopenmpi --wd "$fixtures/bin" -n 2 nice ./rpath-app
    [ "$output" = real ]
    run "$adapter" exec -- mpiexec.fakempich -n 2 -wdir "$fixtures/bin" ./app
    [ "$output" = adapter ]
    cat > "$bin/srun" <<'END'
#!/bin/bash
cd "${1#*=}" && shift && exec "$@"
END
    chmod +x "$bin/srun"
    run "$adapter" exec -- srun --chdir="$fixtures/bin" ./app
    [ "$output" = adapter ]
    # Each program of a line has its own.
    rm app
    run "$adapter" exec -- mpiexec.fakempich -wdir "$fixtures/bin" ./app : -n 1 ./app
    [ "$status" -eq 1 ]
    run "$adapter" exec -- mpiexec.fakempich -wdir "$fixtures/bin" ./app : -n 1 "$fixtures/bin/app"
    [ "$status" -eq 0 ]
    run -127 "$adapter" exec --program "$fixtures/bin/app" -- mpiexec.fakempich -n 2 ./no-such-program
    launcher_got "argument $pair:$fixtures/host"
}

@test "lines in which something is missing" {
    run --separate-stderr "$adapter" exec
    fails_with 2 'no launch line is given'
    run --separate-stderr "$adapter" exec -- ./app
    fails_with 1 "'./app' starts no launcher"
    local name
    # A launcher that is not there is no reason to fail: the host's takes its line.
    for name in aprun 'flux run' mpiexec.none; do
        # shellcheck disable=SC2086  # words are wanted
        run --separate-stderr "$adapter" exec -- nice $name -n 2 ./app
        echo "$name: $stderr"
        [ "$status" -eq 0 ]
        [ "$output" = adapter ]
    done
    run --separate-stderr "$adapter" exec -- no-such-launcher -n 2 ./app
    fails_with 1 'starts no launcher'
    run --separate-stderr "$adapter" exec -- ./no/srun -n 2 ./app
    fails_with 1 './no/srun is missing'
    run --separate-stderr "$adapter" exec -- no-such-wrapper mpiexec.fakempich -n 2 ./app
    fails_with 1 'no-such-wrapper is not in PATH'
    run --separate-stderr "$adapter" exec -- mpiexec.fakempich -n 2 no-such-program
    fails_with 1 'has no program that can be found' --program
    printf '#!/bin/sh\necho something\n' > "$bin/mpiexec"
    chmod +x "$bin/mpiexec"
    run --separate-stderr "$adapter" exec -- mpiexec -n 2 ./app
    fails_with 1 "don't know which MPI $bin/mpiexec belongs to"
}

@test "a program of this folder alone is no command to most launchers" {
    add_pair "$prefix/lib/mpi-adapter/mpich-to-openmpi" mpich openmpi
    cp app "$BATS_TEST_TMPDIR/own"
    make_mpich_program "$BATS_TEST_TMPDIR/native"
    cd "$BATS_TEST_TMPDIR"
    run --separate-stderr "$adapter" exec -- mpiexec.fakempich -n 2 own
    fails_with 1 'own: no such program in PATH' 'to run the one in this folder, give ./own'
    fake_batch srun '' '' -n
    run --separate-stderr "$adapter" exec -- srun -n 2 own
    fails_with 1 'to run the one in this folder, give ./own'
    # Open MPI's starts it, and so does what stands between, which is told where it is.
    run -0 "$adapter" exec -- mpiexec.fakeopenmpi -n 2 native
    launcher_got 'argument ./native'
    launcher_got "argument LD_LIBRARY_PATH=$prefix/lib/mpi-adapter/mpich-to-openmpi:$fixtures/host"
    run --separate-stderr "$adapter" exec -- mpiexec.fakeopenmpi -x LD_LIBRARY_PATH -n 2 native
    fails_with 1 'to run the one in this folder, give ./native'
}

@test "several programs of a line: each gets what it needs" {
    run "$adapter" run -n 2 ./app one : -n 3 ./rpath-app two
    echo "$output"
    [ "$(grep ^argument "$LAUNCHER_LOG")" = "$(printf 'argument %s\n' -env LD_LIBRARY_PATH "$pair:$fixtures/host" -n 2 \
        "$starter" openmpi hydra -- "./app" one : -env LD_LIBRARY_PATH "$pair:$fixtures/host" -env LD_PRELOAD "$pair/libmpi.so.40" \
        -env MPI_ADAPTER_PRELOAD "$pair/libmpi.so.40" -n 3 "$starter" openmpi hydra -- ./rpath-app two)" ]
    run "$adapter" exec -- mpiexec.fakempich -n 2 ./app one : -n 3 ./rpath-app two
    [ "$(grep -c '^argument -env$' "$LAUNCHER_LOG")" -eq 4 ]
    launcher_got 'argument :'
}

@test "several programs where something is wrong" {
    local name
    run --separate-stderr "$adapter" run ./app :
    fails_with 2 "no program follows the ':'"
    run --separate-stderr "$adapter" run : ./app
    fails_with 2 "no program stands ahead of the ':'"
    run --separate-stderr "$adapter" run ./app : : ./app
    fails_with 2 "no program stands between two ':'"
    for name in '' '--launcher mpiexec.fakempich'; do
        # shellcheck disable=SC2086  # words are wanted
        run --separate-stderr "$adapter" run $name ./app : --to mpich ./app
        fails_with 2 "unknown option '--to'" 'ahead of the first one'
    done
    run --separate-stderr "$adapter" run ./app : -x VALUE ./app
    fails_with 2 'has -genv' 'by --launcher-arg'
    run --separate-stderr "$adapter" run ./app : ./no-such-app
    fails_with 1 'no such program'
    fake_batch ibrun '' '' -n
    run --separate-stderr "$adapter" run --launcher ibrun ./app : ./app
    fails_with 1 'can start only one program'
    fake_batch srun '' '' -n
    run --separate-stderr "$adapter" run --launcher srun ./app : ./app
    fails_with 1 'can start only one program'
}

@test "options after --launcher are the launcher's, with their values" {
    local log=$LAUNCHER_LOG
    sed 's/^    \*) break/    *-f | *-known) shift 2 ;;\n    *) break/' "$fixtures/bin/mpiexec.fakempich" > "$bin/mpiexec.fakempich"
    chmod +x "$bin/mpiexec.fakempich"
    run "$adapter" run --launcher mpiexec.fakempich --own -f hosts -n 2 ./app args
    [ "$(grep -m 3 ^argument "$log")" = "$(printf 'argument %s\n' --own -f hosts)" ]
    # A value that the table does not know is told from the program.
    run "$adapter" run --launcher mpiexec.fakempich --known value -n 2 ./app args
    [ "$(grep -m 2 ^argument "$log")" = "$(printf 'argument %s\n' --known value)" ]
    run "$adapter" run --launcher mpiexec.fakempich --own ./app args
    [ "$(grep -m 1 ^argument "$log")" = "$(printf 'argument %s\n' --own)" ]
    run --separate-stderr "$adapter" run --launcher mpiexec.fakempich -genv A
    fails_with 2 '-genv needs a value'
    run --separate-stderr "$adapter" run --launcher mpiexec.fakempich --own
    fails_with 2 'no program is given'
}

@test "an option of some launcher's names the way to give it" {
    local word
    for word in '--np 2' --np=2 --n=2 -n=2 -np=2 '--launcher mpiexec.fakempich -np=2'; do
        # shellcheck disable=SC2086  # words are wanted
        run --separate-stderr "$adapter" run $word ./app
        fails_with 2 'unknown option' 'give the number of ranks by -n N'
    done
    for word in -x --oversubscribe; do
        run --separate-stderr "$adapter" container "$word" ./image -- ./app
        fails_with 2 "unknown option '$word'" 'after --launcher PATH'
    done
    run --separate-stderr "$adapter" exec -n 2 ./app
    fails_with 2 "unknown option '-n'" 'the launcher ahead of it' "'mpi-adapter run'"
    run --separate-stderr "$adapter" run --oversubscribe -n 2 ./app
    fails_with 2 "$fixtures/bin/mpiexec.fakempich doesn't need it" 'leave it out'
    run --separate-stderr "$adapter" run -x VALUE -n 2 ./app
    fails_with 2 'has -genv' '--launcher mpiexec.fakempich'
    run --separate-stderr "$adapter" run -f hosts -n 2 ./app
    fails_with 2 "unknown option '-f'" 'after --launcher mpiexec.fakempich'
    run --separate-stderr "$adapter" run --nonsense ./app
    fails_with 2 "unknown option '--nonsense'" '--launcher mpiexec.fakempich'
    run --separate-stderr "$adapter" run --nonsense no-such-program
    fails_with 2 "unknown option '--nonsense'" 'after --launcher PATH'
}

@test "a number in a line is refused or passed on, and nothing in it is evaluated" {
    local evil='line[$(touch evaluated)]' option value
    while read -r option value; do
        run "$adapter" exec --print --from openmpi --to mpich -- mpiexec.openmpi "$option" "${value/N/$evil}" --host a:9 ./app
        echo "$option: $output"
        [ ! -e evaluated ]
        [[ $status -eq 1 && $output == *"'line["* ]]
    done <<'TEXT'
--npernode N
--map-by ppr:N:node
-n N
--host b:N
TEXT
}
