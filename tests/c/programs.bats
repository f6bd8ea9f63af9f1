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

# each_of MODE...: those that are wanted.
each_of() {
    local mode host failed=0 wanted=0
    for mode; do
        case " ${MODES//[[:space:]]/ } " in *" $mode "*) ;; *) continue ;; esac
        host=$(host_of "$mode")
        if ! is_native "$host"; then
            echo "# $mode: left out, as $host is not on this machine" >&3
            continue
        fi
        wanted=1
        echo "# $mode: $(grep -c "^$host$(printf '\t')" "$here/known-faults.tsv") checks left out as known faults of $host" >&3
        # shellcheck disable=SC2086  # PROGRAMS is a list of words
        "$here/run.sh" "$mode" $PROGRAMS || failed=1
    done
    [ "$wanted" -eq 1 ] || skip "not in MODES, or not on this machine"
    [ "$failed" -eq 0 ]
}

@test "programs pass natively" {
    # shellcheck disable=SC2046  # modes are words
    each_of $(native_modes)
}

@test "programs of each family pass on the other MPIs through the adapter" {
    # shellcheck disable=SC2046
    each_of $(pair_modes)
}

@test "programs pass through one adapter that is the host of another" {
    # shellcheck disable=SC2046
    each_of $(chain_modes)
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
