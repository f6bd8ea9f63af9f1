#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# docs/promises.md lists what stays as it is. Each list has what the code has, and nothing else.

bats_require_minimum_version 1.5.0

setup() {
    here=$BATS_TEST_DIRNAME
    top=$(cd "$here/../.." && pwd)
    build=$(cd "${BUILD:-$top/build}" && pwd)
    adapter=$build/bin/mpi-adapter
    cd "$BATS_TEST_TMPDIR"
    export MPI_ADAPTER_CONFIG=/dev/null
}

promises() { "${PYTHON:-/usr/bin/python3}" -B "$here/promises.py" "$@"; }

# options SUBCOMMAND: its options, as its help lists them.
options() { "$adapter" help "$1" | sed -nE 's/^  (-[a-z]), (--[a-z-]+).*/\1\n\2/p; s/^  (-[a-z]|--[a-z=-]+)( .*|$)/\1/p'; }

# subcommands: those of the summary, with help and version.
subcommands() { "$adapter" help | sed -nE '/^(Usage:|      ) mpi-adapter/{s/ \| ([a-z]+)$/\n\1/; s/^.* mpi-adapter ([a-z]+)[^\n]*/\1/; p}' | sort -u; }

# variables PAGE...: the adapter's variables that manual pages have.
variables() { grep -ohE 'MPI_ADAPTER_[A-Z_]+' "$@" | sort -u; }

@test "subcommands and options" {
    local name
    for name in $(subcommands); do
        case $name in
        help | version) echo "$name" ;;
        *) options "$name" | sed "/^-h$/d; /^--help$/d; s/^/$name /" ;;
        esac
    done > found
    [ "$(wc -l < found)" -gt 50 ]
    promises Options found
}

@test "each subcommand takes -h and --help" {
    local name word
    for name in $(subcommands); do
        [[ $name != help && $name != version ]] || continue
        for word in -h --help; do
            run "$adapter" "$name" $word
            [ "$status" -eq 0 ]
            [[ $output == 'Usage: mpi-adapter '"$name"* ]]
        done
    done
}

@test "exit statuses and messages" {
    "$adapter" version > said 2> errors
    [ ! -s errors ]
    echo 'int main(void) { return 0; }' > none.c
    gcc -o none none.c
    run --separate-stderr "$adapter" check ./none
    [ "$status" -eq 2 ]
    run --separate-stderr "$adapter" run ./missing
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == 'mpi-adapter: '*'; '* && $stderr != *$'\n'* ]]
    run --separate-stderr "$adapter" run --no-such-option ./none
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [[ $stderr == 'mpi-adapter: '*'; '* && $stderr != *$'\n'* ]]
}

@test "each key of json.md is in the answer" {
    mpicc.openmpi -o program "$top/tests/demo/ring.c"
    "$adapter" list --json > list.json
    "$adapter" check --json "$adapter" > check.json || [ "$?" -eq 2 ]
    "$adapter" run --to mpich --print=json "$BATS_TEST_TMPDIR/program" > run.json
    "$adapter" env --to mpich --json "$BATS_TEST_TMPDIR/program" > env.json
    "${PYTHON:-/usr/bin/python3}" - "$top/docs/json.md" <<'END'
import json, re, sys
rows = {row[0].strip(): re.findall(r"`([a-z_]+)`", row[1]) for row in
        (line.strip("|").split("|") for line in open(sys.argv[1]) if line.startswith("|"))}
listed, checked, plan, env = (json.load(open(f"{name}.json")) for name in ("list", "check", "run", "env"))
planned = plan["programs"][0]
assert planned == env, (planned, env)
for row, answer in (("`list`", listed), ("`pairs` of `list`", listed["pairs"][0]), ("`check`", checked), ("`programs`", checked["programs"][0]),
                    ("a plan, of `run`, `exec`, `shell` and `container`", plan), ("`programs` of a plan", planned)):
    missing = set(rows[row]) - set(answer) - {"value", "from", "list", "check"}
    assert rows[row] and not missing, f"{row} has no {missing}"
END
}

@test "settings, each with its variable" {
    # A tag has the name in bold; the last line of its paragraphs has the variable.
    sed -n '/^\.SH SETTINGS/,/^\.SH PAIR/p' "$top/docs/man/mpi-adapter.conf.5" |
        awk '$1 == ".B" && tagged || $1 == ".BI" && $2 == "host_preload." { setting[++count] = $1 == ".B" ? $2 : $2 "HOST" }
            { tagged = $1 == ".TP" }
            match($0, /^\(\\fBMPI_ADAPTER_[A-Z_]+\\fR\)$/) { for (i in setting) print setting[i], substr($0, 5, length($0) - 8); delete setting; count = 0 }' > found
    promises Settings found
    # The command knows each.
    while read -r setting _; do
        case $setting in
        host_preload.HOST) echo 'host_preload.mpich = /lib' ;;
        host_library | *_prefixes | *_path | host_preload) echo "$setting = /lib" ;;
        mpi_*) echo "$setting = 4.0" ;;
        host) echo 'host = mpich' ;;
        *) echo "$setting = x" ;;
        esac
    done < found > settings
    run env MPI_ADAPTER_CONFIG="$PWD/settings" "$adapter" list
    echo "$output"
    [[ $output != *unknown* ]]
    echo 'no_such_setting = x' >> settings
    run env MPI_ADAPTER_CONFIG="$PWD/settings" "$adapter" list
    [[ $output == *no_such_setting* ]]
}

@test "variables of the environment" {
    local page=$top/docs/promises.md
    sed -n '/^The adapter sets others for itself/,/^$/p' "$page" > own
    variables own > its
    [ "$(wc -l < its)" -gt 3 ]
    sed -n '/^<!-- Settings/,/^$/p' "$page" > settings
    variables "$top"/docs/man/mpi-adapter.1 "$top"/docs/man/mpi-adapter.conf.5 "$top"/docs/man/mpicc_abi.1 | comm -23 - <(variables own settings) > found
    promises Variables found
}

@test "folders of pairs and their modules" {
    sed '/^#/d' "$top/abi-tables/pairs" | while read -r pair; do
        [ -e "$build/lib/mpi-adapter/$pair/pair.conf" ] || [ "${MODES-}" ] || { echo "no $pair was built" >&2; exit 1; }
        printf '%s\n' "$pair" "PREFIX/lib/mpi-adapter/$pair" "mpi-adapter/$pair" "mpi-adapter/$pair-jobs"
    done > found
    promises Pairs found
}

@test "functions of gotswap, and the versions of symbols" {
    sed '/^#/d' "$top/gotswap/gotswap.symbols" > found
    promises Functions found
    nm -D --defined-only "$build/gotswap/libgotswap.so.1" | awk '$2 == "T" { print $3 }' | sort > exported
    diff <(sed 's/$/@@GOTSWAP_1/' found) exported
    library=$build/lib/mpi-adapter/fortran/libmpi_adapter_fortran.so.1
    readelf -d "$library" | grep -F '[libmpi_adapter_fortran.so.1]'
    nm -D --defined-only "$library" | awk '$2 != "A" { sub(/.*@@/, "", $3); print $3 }' | sort -u > versions
    [ "$(cat versions)" = MPI_ADAPTER_FORTRAN_1 ]
}

@test "a promise that is gone, and a name that is new, fail" {
    sed '/^#/d; /^gotswap_base$/d' "$top/gotswap/gotswap.symbols" > found
    echo gotswap_new >> found
    run promises Functions found
    [ "$status" -eq 1 ]
    [[ $output == *"'gotswap_base' is promised and gone; "*"'gotswap_new' is new and not promised; "* ]]
}
