# SPDX-License-Identifier: BSD-3-Clause
# The command does the same in every environment, and what it starts has the user's own.

load false_mpis

setup_file() {
    make_fixtures
    [ -e /usr/share/i18n/locales/tr_TR ] || return 0
    local name
    mkdir "$fixtures/locales"
    for name in tr_TR ar_SA de_DE; do
        localedef -i "$name" -f UTF-8 "$fixtures/locales/$name.UTF-8"
    done
}

setup() {
    make_installation
    : > "$pair/procedures.conf"
    cd "$BATS_TEST_TMPDIR"
    printf 'host = mpich\nlauncher_arguments = --own\n' > settings
    export MPI_ADAPTER_CONFIG=$PWD/settings
    cp "$fixtures/bin/app" ./program
    # An unusual name, which bash would write in another way in the C locale.
    cp "$fixtures/bin/app" "./Çınar ığü"
}

# answer WORD...: what the command says, and its exit status, in the environment of `settings`.
answer() {
    local status=0
    timeout 60 env "${settings[@]}" "$adapter" "$@" 2>&1 < /dev/null || status=$?
    echo "$*: $status"
}

# answers [NAME=VALUE]...: the answers of each subcommand in such an environment.
answers() {
    local settings=("$@")
    local words
    answer 'run exec'
    answer run './Çınar ığü' whose
    for words in list 'list --abis' 'env ./program' 'env --from openmpi' 'explain ./program' 'explain --json ./program' \
        'run -n 2 ./program args a ığü' 'exec mpiexec.fakempich --own -n 2 ./program args b' 'run -v ./nothing' 'run ./settings' \
        'doctor --timeout x' 'build --host /nowhere' 'container name' help 'help run' 'exec --nothing' "run exec"; do
        # shellcheck disable=SC2086  # words are wanted
        answer $words
    done
}

# same_in NAME=VALUE...: the answers are those of an environment where nothing is set.
same_in() {
    [ -e plain ] || answers > plain
    grep -qx 'run -n 2 ./program args a ığü: 0' plain
    grep -qx 'run ./Çınar ığü whose: 0' plain
    answers "$@" > other
    diff plain other || { echo "with $*"; return 1; }
}

# ranks_see NAME VALUE: what the user has set is what a rank finds.
ranks_see() {
    run env "$1=$2" "$adapter" run ./program env "$1"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = "$1=$2" ]
}

@test "in Turkish, Arabic and German as in English" {
    local setting name
    for setting in LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 LC_ALL=ar_SA.UTF-8 LANG=de_DE.UTF-8; do
        name=${setting#*=}
        [ -d "$fixtures/locales/$name" ] || skip "the sources of locales are not installed: install locales"
        export LOCPATH=$fixtures/locales
        [ "$(LC_ALL=$name locale charmap)" = UTF-8 ]
        same_in "$setting"
        ranks_see "${setting%%=*}" "$name"
    done
    run env -u LC_ALL LANG=C "$adapter" run ./program env LC_ALL
    [ "$output" = 'LC_ALL=(unset)' ]
}

@test "whatever shells and tools are told by variables" {
    local line words word
    echo 'echo from BASH_ENV; set -o noglob; cd() { exit 3; }' > startup
    # Those that stand together do not change what another of them does.
    for line in "POSIXLY_CORRECT=1 CDPATH=/tmp:/usr GREP_OPTIONS=-v GREP_COLORS=mt=01 GLOBIGNORE=* ENV=$PWD/startup BASH_COMPAT=3.1" \
        'TMPDIR=/nowhere HOME=/nowhere XDG_CONFIG_HOME=/nowhere TERM= EDITOR=x UID_=x MAILCHECK=0' 'IFS=o OPTIND=x COLUMNS=1 LINES=x RANDOM=x' \
        'PS4=$(touch${IFS}canary) SHELLOPTS=noglob SECONDS=a[$(touch${IFS}canary)]' \
        'SHELLOPTS=nounset:pipefail BASHOPTS=nullglob:failglob:dotglob:nocasematch:xpg_echo'; do
        read -ra words <<< "$line"
        same_in "${words[@]}"
        [ ! -e canary ]
        for word in "${words[@]}"; do
            # bash itself, as which the launcher runs here, changes these.
            case $word in PS4=* | OPTIND=* | SECONDS=* | RANDOM=* | LINES=* | COLUMNS=* | IFS=* | BASHOPTS=* | SHELLOPTS=*) continue ;; esac
            echo "$word"
        done > given
        # shellcheck disable=SC2046  # words
        [ ! -s given ] || env "${words[@]}" "$adapter" run ./program env $(cut -d= -f1 given) | tail -n "$(wc -l < given)" | diff given -
    done
    # bash itself adds what it does by default.
    run env SHELLOPTS=noglob BASHOPTS=nullglob "$adapter" run ./program env SHELLOPTS BASHOPTS
    [[ $output == *SHELLOPTS=*noglob*BASHOPTS=*nullglob* ]]
    # The file is the user's to be read, by the first shell.
    run env BASH_ENV="$PWD/startup" "$adapter" run ./program env BASH_ENV
    [ "${lines[-1]}" = "BASH_ENV=$PWD/startup" ]
}

@test "with functions that are called like tools and builtins" {
    local name functions=()
    for name in sed sort cd read mapfile test stat head tr timeout readlink type die main; do
        functions+=("BASH_FUNC_$name%%=() { echo $name of the user; return 3; }")
    done
    same_in "${functions[@]}"
    run env "${functions[@]}" "$adapter" run ./program env 'BASH_FUNC_sed%%'
    [[ $output == 'BASH_FUNC_sed%%=() {'*'sed of the user'* ]]
}

@test "with variables of any name and value" {
    local name poison=()
    for name in line launcher program home prefix site IFS OPTIND PS4 POSIXLY_CORRECT GLOBIGNORE CDPATH A.b 'a b' 1x 'x%%' 'ü'; do
        poison+=("$name=a__[\$(touch $PWD/canary)]")
    done
    same_in "${poison[@]}"
    [ ! -e canary ]
    # Ranks have them as they are. The launcher here is a script, so some are its shell's.
    env "${poison[@]}" "$adapter" run ./program env "${poison[@]%%=*}" > ranks
    printf '%s\n' "${poison[@]}" | grep -vE '^(IFS|OPTIND|PS4)=' | sort > given
    sort -u ranks | comm -13 - given > lost
    diff lost /dev/null
}

@test "with standard streams that are closed or full" {
    local words
    for words in list help 'env ./program' 'explain ./program' 'doctor'; do
        # shellcheck disable=SC2086  # words are wanted
        run --separate-stderr timeout 60 bash -c '"$0" "$@" >&-' "$adapter" $words
        fails_with 1 'the answer cannot be written'
        # shellcheck disable=SC2086  # words are wanted
        run --separate-stderr timeout 60 bash -c '"$0" "$@" > /dev/full' "$adapter" $words
        fails_with 1 'the answer cannot be written'
    done
    for words in list 'env ./program' 'run ./program whose'; do
        # shellcheck disable=SC2086  # words are wanted
        run --separate-stderr timeout 60 bash -c '"$0" "$@" <&-' "$adapter" $words
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
        # shellcheck disable=SC2086  # words are wanted
        run --separate-stderr timeout 60 bash -c '"$0" "$@" 2>&-' "$adapter" $words
        [ "$status" -eq 0 ]
    done
}

@test "with a umask of 077, in a folder that is gone" {
    (umask 077 && same_in)
    mkdir gone
    cd gone
    rmdir ../gone
    run --separate-stderr "$adapter" run "$BATS_TEST_TMPDIR/program" whose
    [ "$status" -eq 0 ]
    [ "$output" = adapter ]
}

@test "started by what ignores the end of children, or interrupts" {
    run --separate-stderr env --ignore-signal=CHLD "$adapter" explain ./program
    [ "$status" -eq 0 ]
    [[ $output == *'built against'* ]]
    same_in --ignore-signal=INT --ignore-signal=HUP
}

# bats test_tags=long
@test "by a command that sanitizers watch" {
    local flags='-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all'
    answers > plain
    make -s -C "$BATS_TEST_DIRNAME/../.." -f command/command.mk BUILD="$BATS_TEST_TMPDIR/build" CFLAGS="$flags" "$BATS_TEST_TMPDIR/build/bin/mpi-adapter"
    cp "$BATS_TEST_TMPDIR/build/bin/mpi-adapter" "$adapter"
    # Memory that it does not give back goes with the process.
    same_in ASAN_OPTIONS=detect_leaks=0
}
