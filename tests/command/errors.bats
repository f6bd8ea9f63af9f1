# SPDX-License-Identifier: BSD-3-Clause
# Every refusal: one line of what and what to do, and its exit status.

load false_mpis

setup_file() { make_fixtures; }
setup() { make_installation; }

fails() {
    run --separate-stderr "$adapter" run "${@:3}"
    fails_with "$1" "$2"
}

# patch_bytes FILE OFFSET BYTES
patch_bytes() { printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }

@test "a missing program" {
    fails 1 'no such program' no-such-program
    fails 1 'no such program' ./no-such-program
}

@test "a program that is not executable" {
    cp "$fixtures/bin/app" "$BATS_TEST_TMPDIR/app"
    chmod -x "$BATS_TEST_TMPDIR/app"
    fails 1 'chmod +x' "$BATS_TEST_TMPDIR/app"
}

@test "a folder or a device instead of a program" {
    fails 1 'is a folder' "$BATS_TEST_TMPDIR"
    fails 1 'not a regular file' /dev/null
}

@test "a static program" {
    echo 'int main(void) { return 0; }' > "$BATS_TEST_TMPDIR/s.c"
    $cc -static -o "$BATS_TEST_TMPDIR/static" "$BATS_TEST_TMPDIR/s.c"
    fails 1 'statically linked' "$BATS_TEST_TMPDIR/static"
    $cc -static-pie -o "$BATS_TEST_TMPDIR/static-pie" "$BATS_TEST_TMPDIR/s.c"
    fails 1 'statically linked' "$BATS_TEST_TMPDIR/static-pie"
}

@test "a shared library or an object file instead of a program" {
    fails 1 'is a library and no program' "$fixtures/real/libmpi.so.40"
    echo 'int x;' | "${CC:-cc}" -c -o "$BATS_TEST_TMPDIR/object" -x c -
    chmod +x "$BATS_TEST_TMPDIR/object"
    fails 1 'another kind of ELF file' "$BATS_TEST_TMPDIR/object"
}

@test "a program that uses no MPI" {
    echo 'int main(void) { return 0; }' | compile "$BATS_TEST_TMPDIR/plain"
    fails 1 'uses no MPI' "$BATS_TEST_TMPDIR/plain"
    run "$adapter" run --from openmpi "$BATS_TEST_TMPDIR/plain"
    [ "$status" -eq 0 ]
}

@test "neither an ELF file nor a script" {
    local text
    for text in 'just text' '' '\0\0\0\0'; do
        printf "$text" > "$BATS_TEST_TMPDIR/text"
        chmod +x "$BATS_TEST_TMPDIR/text"
        fails 1 'neither an ELF program nor a script' "$BATS_TEST_TMPDIR/text"
    done
}

@test "a script whose interpreter is missing" {
    printf '#!/no/such/interpreter\n' > "$BATS_TEST_TMPDIR/script"
    chmod +x "$BATS_TEST_TMPDIR/script"
    fails 1 "interpreter '/no/such/interpreter' is missing" "$BATS_TEST_TMPDIR/script"
    printf '#!\n' > "$BATS_TEST_TMPDIR/script"
    fails 1 "interpreter '' is missing" "$BATS_TEST_TMPDIR/script"
}

@test "a script whose interpreter is a launcher" {
    local line
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\nexit 3\n' > "$BATS_TEST_TMPDIR/bin/mpiexec"
    chmod +x "$BATS_TEST_TMPDIR/bin/mpiexec"
    for line in "$BATS_TEST_TMPDIR/bin/mpiexec" '/usr/bin/env -S mpiexec -n 2 ./program'; do
        printf '#!%s\n' "$line" > "$BATS_TEST_TMPDIR/script"
        chmod +x "$BATS_TEST_TMPDIR/script"
        PATH=$BATS_TEST_TMPDIR/bin:$PATH fails 1 "script is a script for the launcher $BATS_TEST_TMPDIR/bin/mpiexec, which starts ranks itself" \
            "$BATS_TEST_TMPDIR/script"
    done
}

@test "scripts that interpret each other without end" {
    printf '#!%s\n' "$BATS_TEST_TMPDIR/script" > "$BATS_TEST_TMPDIR/script"
    chmod +x "$BATS_TEST_TMPDIR/script"
    fails 1 'interpret each other' "$BATS_TEST_TMPDIR/script"
}

@test "a program cut short" {
    head -c 100 "$fixtures/bin/app" > "$BATS_TEST_TMPDIR/cut"
    chmod +x "$BATS_TEST_TMPDIR/cut"
    fails 1 'damaged ELF file' "$BATS_TEST_TMPDIR/cut"
}

@test "a program for another architecture" {
    cp "$fixtures/bin/app" "$BATS_TEST_TMPDIR/sparc"
    patch_bytes "$BATS_TEST_TMPDIR/sparc" 18 '\053\000'
    fails 1 'is a 64-bit 43 program, the adapter is for 64-bit' "$BATS_TEST_TMPDIR/sparc"
    # The one of the two that this machine is not.
    machine='\267\000' name=aarch64
    [ "$(uname -m)" != aarch64 ] || machine='\076\000' name=x86_64
    patch_bytes "$BATS_TEST_TMPDIR/sparc" 18 "$machine"
    for command in run env explain; do
        run -1 --separate-stderr "$adapter" "$command" "$BATS_TEST_TMPDIR/sparc"
        [[ $stderr == *"is a 64-bit $name program, the adapter is for 64-bit $(uname -m); give a program of this architecture" ]]
        [ -z "$output" ]
    done
}

@test "a 32-bit program" {
    head -c 52 /dev/zero > "$BATS_TEST_TMPDIR/small"
    patch_bytes "$BATS_TEST_TMPDIR/small" 0 '\177ELF\001\001\001'
    patch_bytes "$BATS_TEST_TMPDIR/small" 16 '\002\000\003\000\001'
    chmod +x "$BATS_TEST_TMPDIR/small"
    fails 1 'is a 32-bit i386 program' "$BATS_TEST_TMPDIR/small"
}

@test "a set-user-ID or set-group-ID program" {
    cp "$fixtures/bin/app" "$BATS_TEST_TMPDIR/app"
    chmod u+s "$BATS_TEST_TMPDIR/app"
    fails 1 'set-user-ID' "$BATS_TEST_TMPDIR/app"
    chmod u-s,g+s "$BATS_TEST_TMPDIR/app"
    fails 1 'set-group-ID' "$BATS_TEST_TMPDIR/app"
}

@test "a program whose dynamic loader is missing" {
    make_program "$BATS_TEST_TMPDIR/app" -Wl,--dynamic-linker=/no/loader
    fails 1 "dynamic loader '/no/loader' is missing" "$BATS_TEST_TMPDIR/app"
}

@test "an MPI library of no known ABI" {
    make_library "$BATS_TEST_TMPDIR/libmpi.so.30" libmpi.so.30 'int old;'
    echo 'int main(void) { return 0; }' | compile "$BATS_TEST_TMPDIR/old" \
        -Wl,--no-as-needed "$BATS_TEST_TMPDIR/libmpi.so.30"
    fails 1 'needs libmpi.so.30' "$BATS_TEST_TMPDIR/old"
}

@test "no pair at all" {
    rm -r "$pair"
    fails 1 'no pair is installed' app
    run --separate-stderr "$adapter" env
    fails_with 1 'no pair is installed'
    run --separate-stderr "$adapter" list
    fails_with 1 'no pair is installed'
}

@test "no pair for the ABIs that are asked for" {
    fails 1 'no installed pair runs programs of openmpi on mpiabi' --to mpiabi app
    fails 1 'install openmpi-to-mpiabi, or give --to one of: mpich' --to mpiabi app
    run --separate-stderr "$adapter" env --from mpiabi
    fails_with 1 'no installed pair runs programs of mpiabi; install mpiabi-to-mpich or mpiabi-to-openmpi'
}

@test "an unknown ABI" {
    fails 1 "unknown ABI 'lam'" --from lam app
    fails 1 'mpiabi mpich openmpi' --to lam app
}

@test "an ABI that the program contradicts" {
    fails 1 'was compiled against openmpi, not mpich' --from mpich app
}

@test "a host library that is missing" {
    # On a machine that has the program's own MPI, that one would run it.
    export LD_LIBRARY_PATH= MPI_ADAPTER_HOST=mpich
    fails 1 'MPI library of mpich (libfakempich.so.12 libothermpich.so.12) is not found' app
    run --separate-stderr "$adapter" env app
    fails_with 1 'is not found'
}

@test "a host library that is another MPI" {
    make_library "$BATS_TEST_TMPDIR/libfakempich.so.12" libfakempich.so.12 "$fake_openmpi"
    export LD_LIBRARY_PATH=$BATS_TEST_TMPDIR
    fails 1 "$BATS_TEST_TMPDIR/libfakempich.so.12 is not an MPI library of the ABI mpich" app
    make_library "$BATS_TEST_TMPDIR/libfakempich.so.12" libfakempich.so.12 'int no_mpi;'
    fails 1 'is not an MPI library of the ABI mpich' app
}

@test "an MPICH where Open MPI should be the host" {
    change_pair 's/^host =.*/host = openmpi/; s/^application =.*/application = mpich/'
    fails 1 'is not an MPI library of the ABI openmpi' --from mpich --to openmpi /bin/sh
}

@test "a wrong host library is passed over for a right one" {
    make_library "$BATS_TEST_TMPDIR/libfakempich.so.12" libfakempich.so.12 'int no_mpi;'
    make_library "$BATS_TEST_TMPDIR/libothermpich.so.12" libothermpich.so.12 "$fake_host"
    export LD_LIBRARY_PATH=$BATS_TEST_TMPDIR
    run "$adapter" run app env MPI_ADAPTER_HOST_LIBRARY
    [ "$output" = "MPI_ADAPTER_HOST_LIBRARY=$BATS_TEST_TMPDIR/libothermpich.so.12" ]
    rm "$BATS_TEST_TMPDIR/libfakempich.so.12"
    run "$adapter" run app env MPI_ADAPTER_HOST_LIBRARY
    [ "$output" = 'MPI_ADAPTER_HOST_LIBRARY=(unset)' ]
}

@test "MPI_ADAPTER_HOST_LIBRARY is the host library, and is checked" {
    make_library "$BATS_TEST_TMPDIR/a b/mine.so" mine.so "$fake_host"
    export LD_LIBRARY_PATH= MPI_ADAPTER_HOST_LIBRARY="$BATS_TEST_TMPDIR/a b/mine.so"
    run "$adapter" run app
    [ "$output" = adapter ]
    make_library "$BATS_TEST_TMPDIR/a b/mine.so" mine.so "$fake_openmpi"
    fails 1 'mine.so is not an MPI library of the ABI mpich; correct MPI_ADAPTER_HOST_LIBRARY, which names it' app
    rm "$BATS_TEST_TMPDIR/a b/mine.so"
    fails 1 'mine.so) is not found; correct MPI_ADAPTER_HOST_LIBRARY, which names it' app
}

@test "a host library that lacks a library of its own" {
    make_library "$BATS_TEST_TMPDIR/gone/libneeded.so" libneeded.so 'int needed;'
    make_library "$BATS_TEST_TMPDIR/libfakempich.so.12" libfakempich.so.12 "$fake_host" \
        -Wl,--no-as-needed "$BATS_TEST_TMPDIR/gone/libneeded.so"
    export LD_LIBRARY_PATH=$BATS_TEST_TMPDIR
    fails 1 'as it needs libneeded.so' app
}

@test "a launcher that is missing" {
    change_pair 's/^launchers.*/launchers = absent-one absent-two/'
    fails 1 'no launcher of mpich (absent-one absent-two) is in PATH' app
    fails 1 '/no/launcher is missing' --launcher /no/launcher app
    export MPI_ADAPTER_LAUNCHER=/no/launcher
    fails 1 'MPI_ADAPTER_LAUNCHER' app
}

@test "a launcher of another implementation" {
    fails 1 'mpiexec.fakeopenmpi is not one of mpich' --launcher mpiexec.fakeopenmpi app
    fails 1 '/bin/true is not one of mpich' --launcher /bin/true app
    [ ! -e "$LAUNCHER_LOG" ]
}

@test "a number of ranks that is none" {
    local n
    for n in 0 -1 two 1.5 '1 2' 1e3 99999999999999999999; do
        fails 2 "-n '$n' is not a positive number" -n "$n" app
    done
    fails 2 'empty value' -n '' app
}

@test "an option without its value" {
    local option
    for option in -n --from --to --launcher --launcher-arg; do
        fails 2 "$option needs a value" "$option"
    done
    fails 2 '--from has an empty value' --from= app
}

@test "an MPI that people name instead of its family is understood" {
    local name
    run --separate-stderr "$adapter" run --to mpich app
    [ "$output" = adapter ]
    [ -z "$stderr" ]
    for name in cray intel mvapich; do
        run --separate-stderr "$adapter" run --to $name app
        [ "$output" = adapter ]
        [ "$stderr" = "mpi-adapter: $name is of the ABI mpich, and any MPI of that may serve; if it must be $name, name its folder in MPI_ADAPTER_HOST_PREFIXES" ]
        MPI_ADAPTER_HOST=$name run --separate-stderr "$adapter" run app
        [ "$output" = adapter ]
        [ -z "$stderr" ]
    done
    [ "$("$adapter" run --from ompi app)" = adapter ]
    run -1 --separate-stderr "$adapter" run --to cray@2.0 app
    [[ $stderr == *'no installed pair runs programs of openmpi on mpich@2.0; '* ]]
}

@test "a setting that names no ABI, or a launcher that is missing, is found by its place" {
    printf '# of this site\nhost = nonsense\n' > "$BATS_TEST_TMPDIR/conf"
    MPI_ADAPTER_CONFIG=$BATS_TEST_TMPDIR/conf fails 1 "unknown ABI 'nonsense', which $BATS_TEST_TMPDIR/conf:2 names; give it one of: " app
    MPI_ADAPTER_HOST=nonsense fails 1 "unknown ABI 'nonsense', which MPI_ADAPTER_HOST names; " app
    printf 'launcher = /no/launcher\n' > "$BATS_TEST_TMPDIR/conf"
    MPI_ADAPTER_CONFIG=$BATS_TEST_TMPDIR/conf fails 1 "the launcher /no/launcher is missing or not executable; correct $BATS_TEST_TMPDIR/conf:1" app
    MPI_ADAPTER_LAUNCHER=/no/launcher fails 1 'correct MPI_ADAPTER_LAUNCHER' app
    MPI_ADAPTER_LAUNCHER=/no/launcher fails 1 'correct --launcher' --launcher /no/other app
}

@test "options may follow operands where no program is started" {
    [ "$("$adapter" env "$fixtures/bin/app" --to mpich)" = "$("$adapter" env --to mpich "$fixtures/bin/app")" ]
    [ "$("$adapter" explain "$fixtures/bin/app" --json)" = "$("$adapter" explain --json "$fixtures/bin/app")" ]
    [ "$("$adapter" check "$fixtures/bin/app" --to=mpich --json)" = "$("$adapter" check --to=mpich --json "$fixtures/bin/app")" ]
    [[ $("$adapter" splice "$fixtures" --help) == 'Usage: mpi-adapter splice '* ]]
    run --separate-stderr "$adapter" splice "$BATS_TEST_TMPDIR" --to nonsense
    fails_with 1 "unknown ABI 'nonsense'"
    run --separate-stderr "$adapter" build --all "$BATS_TEST_TMPDIR" --nonsense
    fails_with 2 "unknown option '--nonsense'"
    run --separate-stderr "$adapter" env -- "$fixtures/bin/app" --to
    fails_with 2 'more than one program'
    # These start one, whose options they are.
    [ "$("$adapter" run "$fixtures/bin/app" args --to mpich)" = "$(printf '<--to>\n<mpich>')" ]
}

@test "an unknown option, command or missing program" {
    fails 2 "unknown option '--nonsense'" --nonsense app
    fails 2 'no program is given'
    fails 2 'no program is given' --
    run --separate-stderr "$adapter" nonsense
    fails_with 2 "unknown command 'nonsense'"
    run --separate-stderr "$adapter"
    fails_with 2 'no command is given'
    run --separate-stderr "$adapter" --nonsense
    fails_with 2 "unknown option '--nonsense'"
    run --separate-stderr "$adapter" env a b
    fails_with 2 'more than one program'
    run --separate-stderr "$adapter" env -n 2 a
    fails_with 2 "unknown option '-n'"
    run --separate-stderr "$adapter" list a
    fails_with 2 "unexpected argument 'a'"
}

# asks WORDS QUESTION: the command's only message ends with the question.
asks() {
    # shellcheck disable=SC2086  # words are wanted
    run --separate-stderr "$adapter" $1
    fails_with "${3-2}" || return
    [[ $stderr == *"; did you mean $2?" ]]
}

# asks_nothing WORDS [STATUS]
asks_nothing() {
    # shellcheck disable=SC2086
    run --separate-stderr "$adapter" $1
    fails_with "${2-2}" || return
    [[ $stderr != *'did you mean'* ]]
}

@test "did you mean: commands" {
    asks rnu "'run'"
    [ "$stderr" = "mpi-adapter: unknown command 'rnu'; did you mean 'run'?" ]
    asks 'help rnu' "'run'"
    asks verison "'version'"
    asks hepl "'help'"
    asks contaner "'container'"
    asks CHECK "'check'"
    asks --hepl "'--help'"
    asks --run "'run'"
    # Half of the letters is no slip.
    for word in x ls app xy-zzy mpirun ''; do asks_nothing "$word"; done
}

@test "did you mean: options of each command" {
    asks 'run --form openmpi app' "'--from'"
    asks 'run --lancher=x app' "'--launcher'"
    asks 'run -from openmpi app' "'--from'"
    asks 'run -np4 app' "'-np'"
    asks 'exec --pritn mpirun app' "'--print'"
    asks 'shell --ignore-option x' "'--ignore-options'"
    asks 'container --tool-agr x name -- app' "'--tool-arg'"
    asks 'container --tol x name -- app' "'--tool' or '--to'"
    asks 'env --preloda app' "'--preload'"
    asks 'list --jsno' "'--json'"
    asks 'list --abi' "'--abis'"
    asks 'check --fromm openmpi app' "'--from'"
    asks 'explain --JSON app' "'--json'"
    asks 'doctor --time-out 2' "'--timeout'"
    asks 'build --hots x' "'--host'"
    asks 'build --hostabi x' "'--host-abi'"
    asks 'splice --dryrun x' "'--dry-run'"
    asks_nothing 'env --nonsense app'
    # Another command's.
    asks_nothing 'list --from openmpi'
    asks_nothing 'env -V'
}

@test "did you mean: never where an option may be the launcher's or the program's" {
    # MPICH's launcher has -launcher, Slurm's -N.
    asks_nothing 'run -launcher ssh app'
    [[ $stderr == *"if it is the launcher's"* || $stderr == *"give the launcher's options"* ]]
    asks_nothing 'exec -launcher ssh mpiexec.fakempich app'
    asks_nothing 'run -N 2 app'
    run "$adapter" run app args --form --lancher rnu
    [ "$output" = $'<--form>\n<--lancher>\n<rnu>' ]
    run "$adapter" run -- app args --form
    [ "$output" = '<--form>' ]
    run --separate-stderr "$adapter" run --launcher mpiexec.fakempich --form app
    [[ $stderr != *'did you mean'* ]]
    grep -qx 'argument --form' "$LAUNCHER_LOG"
    run "$adapter" exec mpiexec.fakempich --own app args --pritn
    [ "$output" = '<--pritn>' ]
}

@test "did you mean: ABIs, pairs, launchers and settings" {
    local option
    asks 'run --from opnmpi app' "'openmpi'" 1
    [ "$stderr" = "mpi-adapter: unknown ABI 'opnmpi'; did you mean 'openmpi'?" ]
    asks 'env --to mpihc app' "'mpich'" 1
    asks 'env --to MPICH@mine app' "'mpich'" 1
    asks 'build --host /nowhere --host-abi mpiab' "'mpiabi'" 1
    asks 'exec --as hydrra -- mpirun app' "'hydra'" 1
    asks_nothing 'env --from lam app' 1
    cp -r "$pair" "$pair@mine-4.1"
    echo 'name = mine-4.1' >> "$pair@mine-4.1/pair.conf"
    asks 'env --to mpich@mien-4.1 app' "'mpich@mine-4.1'" 1
    # Another release is no slip.
    asks_nothing 'env --to mpich@mine-4.2 app' 1
    [[ $stderr == *"make one with 'mpi-adapter build"* ]]
    echo 'lancher = x' > "$BATS_TEST_TMPDIR/conf"
    export MPI_ADAPTER_CONFIG=$BATS_TEST_TMPDIR/conf
    asks 'run app' "'launcher'" 1
    [ "$stderr" = "mpi-adapter: $BATS_TEST_TMPDIR/conf:1: there is no setting 'lancher'; did you mean 'launcher'?" ]
    echo 'nonsense = x' > "$BATS_TEST_TMPDIR/conf"
    asks_nothing 'run app' 1
}

@test "did you mean: variables, once, and only if they are near" {
    local name
    misspells() { run --separate-stderr env "$1=x" "$adapter" list --abis; }
    for name in MPI_ADAPTER_VERBSE MPI_ADAPTOR_VERBOSE mpi_adapter_verbose MPIADAPTER_VERBOSE MPI_ADATPER__VERBOSE; do
        misspells $name
        echo "$name: $stderr"
        [ "$status" -eq 0 ]
        [ "$stderr" = "mpi-adapter: nothing reads the variable $name; did you mean 'MPI_ADAPTER_VERBOSE'?" ]
        [[ $output != *mpi-adapter:* ]]
    done
    for name in MPI_ADAPTER_HOME MPI_ADAPTER_ROOT MPI_ADAPTER_DIR MPI_ADAPTER_VERSION MPI_ADAPTER MPI_HOST MPI_ADAPTIVE_TRACE MPICH_TRACE; do
        misspells $name
        echo "$name: $stderr"
        [ -z "$stderr" ]
    done
    export MPI_ADAPTER_TRCE=x
    run --separate-stderr "$adapter" run app
    [ "$output" = adapter ]
    [ "$stderr" = "mpi-adapter: nothing reads the variable MPI_ADAPTER_TRCE; did you mean 'MPI_ADAPTER_TRACE'?" ]
    for name in MPI_ADAPTER_RANK_VARIABLES MPI_ADAPTER_ONE_OF_ALL MPI_ADAPTER_LIBRARY_PATH; do
        run --separate-stderr env $name=x "$adapter" run app
        [ "$output" = adapter ]
        [ -z "$stderr" ]
    done
}

@test "did you mean: variables that are read, and those of the manuals, are known" {
    local root=$BATS_TEST_DIRNAME/../.. known name sources
    known=$(sed -n '/^static const char \(USER\|INNER\)_VARIABLES/,/;$/p' "$root/command/main.c" | grep -o 'MPI_ADAPTER_[A-Z_]*')
    is_known() { [[ " ${known//[[:space:]]/ } " == *" $1 "* ]] || { echo "$1 is not known"; return 1; }; }
    sources=$(cd "$root"; find command compile adapter-c adapter-f77 -type f ! -path command/main.c -exec sed 's/^ *# .*//' {} +
        sed '/^static const char \(USER\|INNER\)_VARIABLES/,/;$/d' command/main.c)
    while read -r name; do
        is_known "$name"
    done < <(grep -oE '"MPI_ADAPTER_[A-Z_]+"|\$\{?MPI_ADAPTER_[A-Z_]+' <<< "$sources" | tr -d '"${' | grep -vx MPI_ADAPTER_PRIVATE | sort -u)
    while read -r name; do
        is_known "$name"
    done < <(sed -n '/^\.SH ENVIRONMENT/,/^\.SH FILES/ s/\\-/-/gp' "$root"/docs/man/mpi*.1 | grep -o 'MPI_ADAPTER_[A-Z_]*')
    for name in $known; do
        [[ $sources == *"$name"* ]] || [[ $name == MPI_ADAPTER_@(CC|CXX|FC) ]] || { echo "$name is never read"; return 1; }
    done
}

@test "did you mean: what is near" {
    local word command=$BATS_TEST_DIRNAME/../../command
    cat > "$BATS_TEST_TMPDIR/near.c" <<'END'
#include <stdio.h>
#include "site/suggest.h"
#include "texts.h"
int main(int count, char **words)
{
    struct list names = words_of(count > 2 ? words[2] : "");
    const char *question = did_you_mean(words[1], &names);
    puts(question ? question : "");
}
END
    ${CC:-cc} -w -D_GNU_SOURCE -I"$command" -I"$command/base" -o "$BATS_TEST_TMPDIR/near" "$BATS_TEST_TMPDIR/near.c" \
        "$command"/site/suggest.c "$command"/base/{arena,list,memory,problem,texts,words}.c "$command/elf/text.c"
    near() {
        run "$BATS_TEST_TMPDIR/near" "$1" "$2"
        [ "$output" = "${3:+did you mean $3?}" ] || { echo "$1: $output"; return 1; }
    }
    # A letter too many, too few, another one, and two in the wrong order.
    for word in launncher launcer lauxcher lanucher launchre auncher xlauncher launcherx; do near "$word" "from launcher" "'launcher'"; done
    # Two of these, not three; an exchange is one.
    for word in lanuchre luncer lauxcxer; do near "$word" launcher "'launcher'"; done
    for word in lanuchrx_ lncer xxxncher; do near "$word" launcher ''; done
    # Fewer than half of the letters.
    near run run "'run'"
    near rnu run "'run'"
    near nur run ''
    near to ot ''
    near lits list "'list'"
    near liat_ list "'list'"
    near lsit 'list lint' "'list'"
    # The nearest alone, or two that are as near.
    near lisst 'list lisstt list' "'list' or 'lisstt'"
    near lisst 'list lisstt lissp' ''
    near '' 'run' ''
    near '*' 'run *' ''
    near -- '--from' ''
}

@test "a damaged pair.conf names the line" {
    local good
    good=$(cat "$pair/pair.conf")
    expect() {
        fails 1 "$pair/pair.conf:$1: $2" app
        printf '%s\n' "$good" > "$pair/pair.conf"
    }
    change_pair '3s/.*/nonsense/'; expect 3 'not of the form'
    change_pair '3s/.*/host =/'; expect 3 'host has no value'
    change_pair '3s/.*/host = a b/'; expect 3 "host cannot be 'a b'"
    change_pair '4s/.*/host = x/'; expect 4 'host is given twice'
    change_pair '7s/.*/launcher_kind = slurm/'; expect 7 "launcher_kind cannot be 'slurm'"
    change_pair 8d; expect 8 'preload is missing'
    : > "$pair/pair.conf"; expect 0 'application is missing'
}

@test "unknown keys, comments and missing final newlines in pair.conf are fine" {
    printf '\n  # more\nfuture_key = 1\n  spaced   =  value  ' >> "$pair/pair.conf"
    run "$adapter" run app
    [ "$output" = adapter ]
}

@test "a pair whose library is missing" {
    rm "$pair/libmpi.so.40"
    fails 1 "$pair/libmpi.so.40 is missing" app
}

@test "an installation folder that LD_LIBRARY_PATH cannot hold" {
    make_installation 'pre:fix'
    fails 1 "has a ':' or ';'" app
}

@test "an installation folder that LD_PRELOAD cannot hold, when it must" {
    make_installation 'pre fix'
    fails 1 'has a space' rpath-app
    run "$adapter" run app
    [ "$output" = adapter ]
}

@test "a program that names its MPI library by path" {
    echo 'const char *MPI_Whose(void) { return "real"; }' |
        compile "$BATS_TEST_TMPDIR/libmpi.so.40" -shared -fPIC
    $cc -o "$BATS_TEST_TMPDIR/fixed" "$fixtures/program.c" "$BATS_TEST_TMPDIR/libmpi.so.40"
    fails 1 'from a fixed place' "$BATS_TEST_TMPDIR/fixed"
}

@test "an installation without its helpers" {
    rm "$prefix/lib/mpi-adapter/explain"
    run --separate-stderr "$adapter" explain app
    fails_with 1 'explain is missing'
    rm "$prefix/lib/mpi-adapter/families"
    fails 1 'families is missing' app
}

@test "an explanation that cannot be written" {
    run --separate-stderr bash -c '"$0" explain app > /dev/full' "$adapter"
    fails_with 1 'cannot be written'
}

@test "a message stays one line whatever a name holds" {
    fails 1 'no such program' $'bad\nname'
}

@test "a program that may be run but not read" {
    local shared as=()
    shared=$(mktemp -d)
    if [ "$(id -u)" -eq 0 ]; then
        command -v setpriv > /dev/null || skip 'setpriv is not installed'
        as=(setpriv --reuid 65534 --clear-groups)
    fi
    cp -r "$prefix" "$shared/prefix"
    cp "$fixtures/bin/app" "$shared/app"
    chmod 755 "$shared"
    chmod 111 "$shared/app"
    run --separate-stderr "${as[@]}" "$shared/prefix/bin/mpi-adapter" run "$shared/app"
    rm -rf "$shared"
    fails_with 1 'cannot be read'
}

@test "pairs that were made for several releases come in the order of their names" {
    local name
    for name in 4.1.2 4.1 4.1-debug; do
        cp -r "$pair" "$pair@$name"
        echo "name = $name" >> "$pair@$name/pair.conf"
    done
    run "$adapter" list
    [ "$(grep -o '^openmpi-to-mpich.*' <<< "$output" | tr '\n' ' ')" = 'openmpi-to-mpich openmpi-to-mpich@4.1 openmpi-to-mpich@4.1-debug openmpi-to-mpich@4.1.2 ' ]
}
