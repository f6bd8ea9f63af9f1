# SPDX-License-Identifier: BSD-3-Clause
#
# The C test programs in each of MODES, by default all families, pairs and chains; then they take turns over the standard
# ABI. They check what they see, so their native runs tell of the MPIs alone: those are long. Checks that a host itself fails are
# in known-faults.tsv, and are run to see that they still do.

setup() {
    here=$(cd "$(dirname "$BATS_TEST_FILENAME")" && pwd)
    . "$here/../families.bash"
    everywhere=${MODES+no}${PROGRAMS:+no}
    [ -n "$everywhere" ] || by_turns=--by-turns
    : "${MODES=$(native_modes) $(pair_modes) $(chain_modes)}" "${PROGRAMS=}"
}

# Programs are compiled by what the tables give where their own MPI is not here.
can_run() {
    is_native "$(host_of "$1")"
}

# bats test_tags=long
@test "programs pass natively" {
    # shellcheck disable=SC2046  # modes are words
    each_of can_run $(native_modes)
}

@test "programs of each family pass on the other MPIs through the adapter" {
    PROGRAMS="${by_turns-} $PROGRAMS"
    # shellcheck disable=SC2046
    each_of can_run $(pair_modes)
}

# bats test_tags=long
@test "programs pass through one adapter that is the host of another" {
    PROGRAMS="${by_turns-} $PROGRAMS"
    # shellcheck disable=SC2046
    each_of can_run $(chain_modes)
}

# listed: "PROGRAM: CHECK" of each known fault of the MPIs here whose check can be run.
listed() {
    local mode
    for mode in $(native_modes) $(pair_modes); do
        ! can_run "$mode" || "$here/../releases/faults.py" here "$here/known-faults.tsv" "$mode" "$(release_here "$(host_of "$mode")")" c
    done | awk '$3 == "fails" { print $1 ": " $2 }' | sort -u
}

# bats test_tags=long
@test "checks that are listed as known faults fail, and none of them is never made" {
    PROGRAMS="--known $PROGRAMS"
    # shellcheck disable=SC2046
    each_of can_run $(native_modes) $(pair_modes)
    [ -z "$everywhere" ] || return 0
    cat "$BATS_TEST_TMPDIR"/* | sed -nE 's/^(fails|no verdict|left out) [^ ]+ (.*), .*/\2/p' | sort -u |
        comm -13 - <(listed) > "$BATS_TEST_TMPDIR/never"
    sed 's/$/ is listed, and made nowhere/' "$BATS_TEST_TMPDIR/never"
    [ ! -s "$BATS_TEST_TMPDIR/never" ]
}

@test "every known host fault names a check that exists, and a host" {
    local host program check hosts
    hosts=" $(native_modes | sed 'p; h; s/$/-native/p; g; s/$/-own/' | paste -sd ' ') $(pair_modes | paste -sd ' ') "
    while IFS=$'\t' read -r host program check _; do
        [[ $hosts == *" $host "* ]] || { echo "known-faults.tsv: no host $host"; return 1; }
        grep -qs "known_fault(\"$check\")" "$here/$program.c" "$here/mpi4/$program.c" || {
            echo "known-faults.tsv: no check $check in $program"
            return 1
        }
    done < <("$here/../exceptions.py" rows "$here/known-faults.tsv" "host program check releases how reason")
}

# judged LINE...: what run.sh says of a program of two checks, the first of which fails, with these lines; | for a tab.
judged() {
    local work=$BATS_TEST_TMPDIR/tests/c each
    if [ ! -e "$work" ]; then
        mkdir -p "$work"
        cp "$here"/{run.sh,check.h} "$work"
        for each in "$here"/../*; do [ "${each##*/}" = c ] || ln -s "$each" "$BATS_TEST_TMPDIR/tests"; done
        ln -s "$here/../../abi-tables" "$BATS_TEST_TMPDIR"
        printf '%s\n' '/* ranks: 1 */' '#include "check.h"' 'int main(int argc, char **argv)' '{' '    check_begin(&argc, &argv);' \
            '    CHECK(known_fault("broken"));' '    known_fault("mended");' '    return check_end();' '}' > "$work/two.c"
    fi
    printf '%s\n' "$@" | tr '|' '\t' > "$work/known-faults.tsv"
    BUILD=$BATS_TEST_TMPDIR/build run "$work/run.sh" "$host" --known
    echo "$output"
}

@test "a listed check that passes is told, and what cannot be run is not" {
    host=$(for each in $(native_modes); do ! is_native "$each" || echo "$each"; done | sed -n 1p)
    [ -n "$host" ] || skip "there is no MPI"
    release=$(release_here "$host")
    judged "$host|two|broken|$release|fails|so it is"
    [ "$status" -eq 0 ]
    [ "$output" = "fails $host two: broken, as it is listed" ]
    judged "$host-native|two|broken|$release|fails|so it is" "$host|two|mended|0.0.1,$release|fails|so it was"
    [ "$status" -eq 1 ]
    [ "${lines[1]}" = "FAIL $host two: mended passes; take $release from its releases in known-faults.tsv" ]
    for how in ends hangs spoils sometimes; do
        judged "$host|two|mended|$release|$how|so it is"
        [ "$status" -eq 0 ]
        [ "$output" = "not run $host two: mended ($how)" ]
    done
    # Of another release, and what is not listed: the program fails as ever.
    judged "$host|two|mended|0.0.1|fails|so it was"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    run "$BATS_TEST_TMPDIR/tests/c/run.sh" "$host" two
    [ "$status" -eq 1 ]
    [[ $output == *"FAIL $host two on 1 ranks: exit code 1"* ]]
    # A list that cannot be read fails all.
    judged "$host|two|broken|$release|fails|"
    [ "$status" -eq 2 ]
    [[ $output == *'no reason; say why the exception remains'* ]]
}
