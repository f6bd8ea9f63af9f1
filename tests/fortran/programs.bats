# SPDX-License-Identifier: BSD-3-Clause
#
# The Fortran test programs in each of MODES, by default all families, pairs and chains; then they take turns over the
# standard ABI. They check what they see, and what they print beside is compared with a native run: the other native runs tell of the
# MPIs alone, and are long. Checks that a host itself fails are in known-faults.tsv, and are run to see that they still do.

setup() {
    here=$(cd "$(dirname "$BATS_TEST_FILENAME")" && pwd)
    . "$here/../families.bash"
    BUILD=$(cd "$here/../.." && realpath -ms "${BUILD:-build}")
    [ -n "${MODES+given}${PROGRAMS:+given}" ] || by_turns=--by-turns
    : "${MODES=$(native_modes) $(pair_modes) $(chain_modes)}" "${PROGRAMS=}"
}

# Programs are compiled by what the tables give where their own MPI is not here.
can_run() { type -P "$(tool "$(family_of "$1")" FORT mpifort)" > /dev/null && is_native "$(host_of "$1")"; }

# bats test_tags=long
@test "Fortran programs pass natively" {
    # shellcheck disable=SC2046  # modes are words
    each_of can_run $(native_modes)
}

@test "Fortran programs of each family pass on the other MPIs through the adapter, and print the same" {
    PROGRAMS="${by_turns-} $PROGRAMS"
    # shellcheck disable=SC2046
    each_of can_run $(pair_modes)
}

# bats test_tags=long
@test "Fortran programs pass through one adapter that is the host of another, and print the same" {
    PROGRAMS="${by_turns-} $PROGRAMS"
    # shellcheck disable=SC2046
    each_of can_run $(chain_modes)
}

# bats test_tags=long
@test "checks that are listed as known faults of Fortran fail" {
    PROGRAMS="--known $PROGRAMS"
    # shellcheck disable=SC2046
    each_of can_run $(native_modes)
}

@test "every known host fault names a check of a Fortran program" {
    local host program check
    while IFS=$'\t' read -r host program check _; do
        native_modes | grep -xF -- "${host%-fortran}" > /dev/null
        grep -q "known_fault('$check')" "$here/${program%.*}.F90" || {
            echo "known-faults.tsv: no check $check in $program"
            return 1
        }
    done < <("$here/../exceptions.py" rows "$here/known-faults.tsv" "host program check releases how reason")
}
