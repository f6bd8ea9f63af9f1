#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The commands that README.md and docs/ show: each is run by a test, here or where the text says.

bats_require_minimum_version 1.5.0

setup_file() {
    export top build here=$BATS_TEST_DIRNAME
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    build=$(cd "${BUILD:-$top/build}" && pwd)
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    prefix=$PWD/opt/mpi-adapter installed=$BATS_FILE_TMPDIR/opt/mpi-adapter
    unset LD_LIBRARY_PATH LD_PRELOAD MPI_ADAPTER_PATH MPI_ADAPTER_LAUNCHER MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_VERBOSE
}

blocks() { "${PYTHON:-/usr/bin/python3}" "$here/blocks.py" "$@"; }

# run_commands FILE [installed]: the commands of FILE, in a folder like the checkout, with an installation in a temporary place. Pages
# that change nothing of it share one.
run_commands() {
    ln -s "$top"/* .
    rm -f build
    mkdir build
    if [ "${2-}" = installed ]; then
        prefix=$installed
        [ -e "$prefix/share/mpi-adapter/manifest" ] || make -C "$top" --no-print-directory BUILD="$build" PREFIX="$prefix" install > log 2>&1 ||
            { cat log; return 1; }
    fi
    {
        # In the checkout itself: in a folder of links what is there would be made again, while other tests run it.
        echo 'make() { command make -C "$top" "$@"; }'
        (cd "$top" && blocks script "$1" ${commands_for-}) | sed "s|/opt/mpi-adapter|$prefix|g"
    } > commands.bash
    export BUILD=$build
    . "$top/tests/components.bash"
    start_by_defaults
    timeout 1800 bash commands.bash
}

# In a file with these lines.
text() { printf '%s\n' "$@" > text.md; }

@test "every block of commands is run by a test, or says why not" {
    cd "$top"
    shopt -s nullglob
    blocks check ./*.md docs/*.md
}

@test "README.md: everything that a newcomer types" {
    run run_commands README.md
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *'demo: all verified'* ]]
    [[ $output == *'ring on 4 ranks, MPICH Version'*': verified'* ]]
    [[ $output == *'ring on 2 ranks, Open MPI v'*': verified'* ]]
    [[ $output == *openmpi-to-mpich*'host library:'*mpich* ]]
}

@test "docs/using.md" {
    run run_commands docs/using.md installed
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c 'ring on 2 ranks, MPICH Version.*: verified' <<< "$output")" -ge 4 ]
    [[ $output == *'ring on 2 ranks, Open MPI v'*': verified'* ]]
    [[ $output == *'mpi4py on 2 ranks, MPICH Version'*': verified'* ]]
}

@test "docs/compile.md" {
    run run_commands docs/compile.md installed
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c 'ring on [24] ranks.*: verified' <<< "$output")" -eq 6 ]
    [[ $output == *'ring on 4 ranks, MPICH Version'*'ring on 2 ranks, Open MPI v'* ]]
}

@test "docs/debugging.md" {
    run run_commands docs/debugging.md installed
    echo "$output"
    [ "$status" -eq 0 ]
}

# run_marked FILE: the commands of FILE that are for tests/docs, as run_commands does.
run_marked() { commands_for=tests/docs run_commands "$1" installed; }

@test "docs/debuggers.md" {
    type -P gdb > /dev/null && type -P valgrind > /dev/null || skip "gdb or valgrind is not installed"
    run run_marked docs/debuggers.md
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c 'ring on 2 ranks, MPICH Version.*: verified' <<< "$output")" -eq 2 ]
}

@test "docs/mixing.md" {
    run run_marked docs/mixing.md
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output != *'mpi-adapter: '* ]]
}

@test "docs/site.md" {
    run run_marked docs/site.md
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c 'runs here:' <<< "$output")" -eq 2 ]
}

@test "docs/administration.md" {
    run run_commands docs/administration.md
    echo "$output"
    [ "$status" -eq 0 ]
    [ -e "build/root$prefix/lib/mpi-adapter/openmpi-to-mpich/pair.conf" ]
    [ ! -e "build/root$prefix/lib/mpi-adapter/mpich-to-openmpi" ]
    [ ! -e "$prefix/bin" ]
    [[ $output == *"mpi-adapter $(sed -n 's/^VERSION := //p' "$top/Makefile")"* ]]
}

@test "check-stranger types every page that has commands for it" {
    local page pages
    pages=$(sed -n 's/^pages=(\(.*\))$/\1/p' "$top/tests/stranger/check")
    [ -n "$pages" ]
    cd "$top"
    for page in README.md docs/*.md; do
        mkdir -p "$BATS_TEST_TMPDIR/$page"
        blocks parts "$BATS_TEST_TMPDIR/$page" tests/stranger "$page"
        [[ -z $(compgen -G "$BATS_TEST_TMPDIR/$page/*") || " $pages " == *" $page "* ]] || { echo "nobody types $page"; return 1; }
    done
}

@test "commands are run in order, and the first that fails is named" {
    text '```sh' 'x=1' '```' 'words' '```sh' 'echo "x is $x"' 'false # on purpose' 'echo after' '```'
    run bash <(blocks script text.md)
    [ "$status" -ne 0 ]
    [ "${lines[0]}" = 'x is 1' ]
    [ "${lines[1]}" = 'text.md:5: this failed: false' ]
    [ "${#lines[@]}" -eq 2 ]
}

@test "what a console block shows is compared, but for what is left out" {
    text '```console' '$ echo "one 2 three"' 'one ... three' '$ printf "%s\n" a b \' '> c' 'a' '...' 'c' '```'
    bash <(blocks script text.md)
    text '```console' '$ echo two' 'one' '```'
    run bash <(blocks script text.md)
    [ "$status" -eq 1 ]
    [[ $output == 'text.md:1: echo two'*one*two* ]]
    text '```console' '$ false' '```'
    run bash <(blocks script text.md)
    [ "$status" -eq 1 ]
}

@test "links of all pages lead to files of this checkout, and to headings in them" {
    "$top/scripts/documents" check
    for page in CHANGELOG.md HACKING.md abi-tables/FORMAT.md docs/README.md docs/man/mpicc_abi.1 gotswap/gotswap.h LICENSE; do
        "$top/scripts/documents" list | grep -x "$page"
    done
}

@test "make docs makes a site of all pages and manuals, whose links lead somewhere and which needs no network" {
    local file
    "${PYTHON:-/usr/bin/python3}" -c 'import furo, myst_parser, sphinx' 2> /dev/null && type -P mandoc > /dev/null ||
        skip "Sphinx, MyST, furo or mandoc is not installed"
    # A checkout with the pages and what makes the site of them.
    (cd "$top" && scripts/documents list && find Makefile docs scripts -maxdepth 1 -type f) | sort -u | while read -r file; do
        install -D "$top/$file" "pages/$file"
    done
    make -C pages BUILD="$PWD/site" docs EDIT='https://git.example/edit/main/{filename}'
    grep -q 'href="https://git.example/edit/main/docs/using.md"' site/docs/html/docs/using.html
    find site/docs/html -name '*.html' -exec grep -ohE '<link[^>]*>|src="[^"]*"' {} + > fetched
    [ "$(wc -l < fetched)" -gt 20 ]
    run ! grep -E '(href|src)="([a-z]+:)?//' fetched
    for page in $("$top/scripts/documents" list | grep -E '\.md$|^docs/man/'); do
        [ -s "site/docs/html/${page%.*}.html" ]
    done
    # The start page has the commands of a newcomer, and the site the picture.
    run sed 's/<[^>]*>//g' site/docs/html/index.html
    [[ $output == *'make demo'*'make install'*'make check'* ]]
    [ -s site/docs/html/_images/how-it-works.svg ]
    grep -q 'href="docs/man/mpi-adapter.html".*mpi-adapter(1)' site/docs/html/index.html
    grep -q 'href="mpicc_abi.html"' site/docs/html/docs/man/mpi-adapter.html
    # The script that switches schemes is no module, which no browser would run as it is loaded.
    run ! grep -E '^(import|export) ' site/docs/html/_static/scripts/furo.js
    grep -q 'root.Gumshoe = ' site/docs/html/_static/scripts/furo.js
    # Tables sort and filter by a script of the site, and days are not parted.
    grep -q 'src="[^":]*_static/site.js' site/docs/html/docs/releases.html
    [ -s site/docs/html/_static/site.js ]
    grep -q '<td class="day[^>]*><p>2026-' site/docs/html/docs/foreign-suites.html
    # Pages have a dark background for the system's scheme, as the pictures do.
    sed -n '/@media (prefers-color-scheme: dark)/,/<\/style>/p' site/docs/html/index.html > dark
    grep -qE -e '--color-background-primary: #[01]' dark
}

@test "messages that a page quotes are those of the program" {
    cd "$top"
    # Each part of a quoted message between "..." is in a source file; conversions stand for "...".
    rows=$(sed -n '/^| message | cause |/,/^$/s/^| `\([^`]*\)` |.*/\1/p' docs/using.md)
    [ "$(wc -l <<< "$rows")" -ge 5 ]
    while IFS= read -r row; do
        while IFS= read -r part; do
            [ -z "$part" ] || grep -rqF -- "$part" adapter-c command scripts || { echo "nothing says: $part"; return 1; }
        done < <(sed 's/ *\.\.\.,* */\n/g' <<< "$row")
    done <<< "$rows"
}

@test "the tests that the pages of tests/ name are there" {
    local names
    mapfile -t names < <(grep -oE '[a-z0-9_-]+(/[a-z0-9_-]+)+\.bats' -h "$top"/tests/{,*/}README.md | sed 's|^tests/||' | sort -u)
    [ ${#names[@]} -gt 10 ]
    (cd "$top/tests" && ls "${names[@]}")
}

# A dash says that there is none.
@test "the tests that SECURITY.md names are there" {
    local row item file name rows=0
    while IFS= read -r row; do
        rows=$((rows + 1))
        row=${row%' |'}
        row=${row##*' | '}
        [ "$row" != - ] || continue
        while IFS= read -r item; do
            file=${item#*\`} name=${item#*\`: }
            file=${file%%\`*}
            [[ $item == '`'*'.bats`: '?* ]] && grep -qF "@test \"$name" "$top/tests/$file" || { echo "there is no $item"; return 1; }
        done <<< "${row//; /$'\n'}"
    done < <(sed -n '/^## Who can do what/,/^## [^W]/{/^| who /d;/^|--/d;/^|/p}' "$top/SECURITY.md")
    [ "$rows" -gt 12 ]
}

@test "no reader leaves a pipe early where that would fail who writes into it" {
    local files
    cd "$top"
    mapfile -t files < <(grep -rlE 'set -[a-z]*o pipefail' scripts command bench packaging tests --include='*' | grep -v '\.bats$'; ls README.md HACKING.md docs/*.md)
    run grep -nE '^[^|].*\| *(awk .*\bexit\b|head\b|grep -[a-zA-Z]*[qm]|sed .*[0-9}; ]q\b|read\b)' "${files[@]}"
    echo "$output"
    [ "$status" -eq 1 ]
}
