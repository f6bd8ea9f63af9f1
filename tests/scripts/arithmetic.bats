# SPDX-License-Identifier: BSD-3-Clause
# bash runs commands that stand in what it evaluates as arithmetic, or takes for a name. Nothing of the command's does that with
# a value from outside: arithmetic.py finds the places, arithmetic.tsv has those that are right.

bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_DIRNAME/../.."; }

# check FILE...
check() { "${PYTHON:-/usr/bin/python3}" tests/scripts/arithmetic.py "$@"; }

@test "no value from outside is evaluated" {
    check tests/scripts/arithmetic.tsv command/completion/mpi-adapter.bash scripts/demo scripts/install-packages
}

@test "each way to evaluate a value is found" {
    local line lines=('[[ $x -ne 0 ]]' '[[ 0 -lt ${x} ]]' '[ 3 -gt 2 ] && (( x > 2 ))' 'echo $((x + 1))' 'echo "${text:x}"' 'echo "${@:x:2}"'
        'echo "${list[x]}"' 'echo "${list[$x]}"' 'list[x]=2' 'printf -v "$x" %s 1' 'declare "$x=1"' 'local "$x"' 'eval "$x"' 'local -n y=$x'
        'echo "${!x}"' 'echo "${!x-}"' 'unset "$x"' 'read -r "$x"' '[[ -v $x ]]' 'for ((i = x; i < 2; i++)); do' 'mapfile -t "$x"')
    for line in "${lines[@]}"; do
        printf 'f() {\n    local x=$1\n    %s\n}\n' "$line" > "$BATS_TEST_TMPDIR/source"
        run check /dev/null "$BATS_TEST_TMPDIR/source"
        echo "$line: $output"
        [ "$status" -eq 1 ]
        [[ $output == *':3: f: '* ]]
    done
}
