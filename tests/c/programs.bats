# SPDX-License-Identifier: BSD-3-Clause
#
# The C test programs in each of MODES, by default all families, pairs and chains.  Where
# both native modes pass, the adapted one must; checks that a host itself fails
# are in known-faults.tsv.

setup() {
    here=$(cd "$(dirname "$BATS_TEST_FILENAME")" && pwd)
    . "$here/../families.bash"
    : "${MODES=$(native_modes) $(pair_modes) $(chain_modes)}" "${PROGRAMS=}"
}

# Programs are compiled by what the tables give where their own MPI is not here.
can_run() {
    is_native "$(host_of "$1")"
}

@test "programs pass natively" {
    # shellcheck disable=SC2046  # modes are words
    each_of can_run $(native_modes)
}

@test "programs of each family pass on the other MPIs through the adapter" {
    # shellcheck disable=SC2046
    each_of can_run $(pair_modes)
}

@test "programs pass through one adapter that is the host of another" {
    # shellcheck disable=SC2046
    each_of can_run $(chain_modes)
}

@test "every known host fault names a check that exists" {
    while IFS=$'\t' read -r host program check reason; do
        case $host in '#'*|'') continue ;; esac
        [ -n "$reason" ]
        grep -q "known_fault(\"$check\")" "$here/$program.c" "$here/mpi4/$program.c" || {
            echo "known-faults.tsv: no check $check in $program"
            return 1
        }
    done 2>/dev/null < "$here/known-faults.tsv"
}
