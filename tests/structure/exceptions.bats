# SPDX-License-Identifier: BSD-3-Clause
# Lists of exceptions are read by tests/exceptions.py, and have the form that it asks for.

bats_require_minimum_version 1.5.0

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR"
}

exceptions() { "${PYTHON:-/usr/bin/python3}" "$top/tests/exceptions.py" "$@"; }

# list LINE...: a list whose lines have the columns of known faults, | for a tab.
list() {
    printf '# a list\n# host\tcheck\treleases\thow\treason\n' > list
    printf '%s\n' "$@" | tr '|' '\t' >> list
}

# refused LINE MESSAGE: as the second line of a list.
refused() {
    list 'mpich|one|4.0.2|fails|so it is' "$1"
    run exceptions check list
    echo "$1: $output"
    [ "$status" -eq 1 ]
    [[ $output == "list:4: $2"* ]]
    run ! exceptions rows list ""
}

@test "each list of exceptions has the form of one" {
    local lists=()
    mapfile -t lists < <(cd "$top" && find tests -name '*.tsv' -exec grep -lP '^#.*\treason(\t|$)' {} + | sort)
    [ "${#lists[@]}" -ge 12 ]
    (cd "$top" && exceptions check "${lists[@]}")
}

@test "a line without a reason or a release, of another form, or twice, is refused" {
    refused 'mpich|two|4.0.2|fails|' 'no reason; '
    refused 'mpich|two|4.0.2|fails|  ' 'no reason; '
    refused 'mpich|two|4.0.2|fails' '4 columns; '
    refused 'mpich|two|4.0.2|fails|so it is|and more' '6 columns; '
    refused '|two|4.0.2|fails|so it is' 'the first column is empty; '
    refused 'mpich|two||fails|so it is' 'no releases; '
    refused 'mpich|two|all|fails|so it is' "'all' is no list of releases; "
    refused 'mpich|two|4.0.2-|fails|so it is' "'4.0.2-' is no list of releases; "
    refused 'mpich|two|4.2.1-4.0.2|fails|so it is' "'4.2.1-4.0.2' is no list of releases; "
    refused 'mpich|two|4.0.2|falls|so it is' "'falls' is no way to fail; "
    refused 'mpich|one|4.0.2|fails|so it may be' 'the same as line 3; '
    printf 'mpich\tone\tso it is\n' > list
    run exceptions check list
    [ "$status" -eq 1 ]
    [[ $output == 'list:1: no comment names the columns, reason among them; '* ]]
}
