# SPDX-License-Identifier: BSD-3-Clause
#
# The Fortran test programs in each of MODES, by default all families, pairs and chains. Where both native
# modes pass, the adapted one must, and print the same; checks that a host itself fails are in
# known-faults.tsv.

setup() {
    here=$(cd "$(dirname "$BATS_TEST_FILENAME")" && pwd)
    . "$here/../families.bash"
    : "${MODES=$(native_modes) $(pair_modes) $(chain_modes)}" "${PROGRAMS=}"
}

# each_of MODE...: those that are wanted.
each_of() {
    local mode failed=0 wanted=0
    for mode; do
        case " ${MODES//[[:space:]]/ } " in *" $mode "*) ;; *) continue ;; esac
        if ! is_native "$(family_of "$mode")" || ! is_native "$(host_of "$mode")"; then
            echo "# $mode: left out, as not both MPIs are on this machine" >&3
            continue
        fi
        wanted=1
        # shellcheck disable=SC2086  # PROGRAMS is a list of words
        "$here/run.sh" "$mode" $PROGRAMS || failed=1
    done
    [ "$wanted" -eq 1 ] || skip "not in MODES, or not on this machine"
    [ "$failed" -eq 0 ]
}

@test "Fortran programs pass natively" {
    # shellcheck disable=SC2046  # modes are words
    each_of $(native_modes)
}

@test "Fortran programs of each family pass on the other MPIs through the adapter, and print the same" {
    # shellcheck disable=SC2046
    each_of $(pair_modes)
}

@test "Fortran programs pass through one adapter that is the host of another, and print the same" {
    # shellcheck disable=SC2046
    each_of $(chain_modes)
}

@test "every known host fault names a check of a Fortran program" {
    while IFS=$'\t' read -r host program check reason; do
        case $host in '#'*|'') continue ;; esac
        native_modes | grep -xF -- "${host%-fortran}" > /dev/null
        [ -n "$reason" ]
        grep -q "known_fault('$check')" "$here/${program%.*}.F90" || {
            echo "known-faults.tsv: no check $check in $program"
            return 1
        }
    done < "$here/known-faults.tsv"
}
