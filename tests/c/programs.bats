# SPDX-License-Identifier: BSD-3-Clause
#
# The C test programs in each of MODES.  Where both native modes pass, the
# adapted one must; checks that a host itself fails are in known-faults.tsv.

setup() {
    here=$(cd "$(dirname "$BATS_TEST_FILENAME")" && pwd)
    : "${MODES=openmpi mpich adapted reversed mpiabi-to-mpich mpiabi-to-openmpi}" "${PROGRAMS=}"
}

in_mode() {
    case " $MODES " in *" $1 "*) ;; *) skip "not in MODES" ;; esac
    case $1 in adapted) host=mpich ;; reversed) host=openmpi ;; *) host=${1#*-to-} ;; esac
    echo "# $1: $(grep -c "^$host$(printf '\t')" "$here/known-faults.tsv") checks left out as known faults of $host" >&3
    # shellcheck disable=SC2086  # PROGRAMS is a list of words
    "$here/run.sh" "$1" $PROGRAMS
}

@test "programs pass natively on Open MPI" {
    in_mode openmpi
}

@test "programs pass natively on MPICH" {
    in_mode mpich
}

@test "Open MPI programs pass on MPICH through the adapter" {
    in_mode adapted
}

@test "MPICH programs pass on Open MPI through the adapter" {
    in_mode reversed
}

@test "programs of the standard ABI pass on MPICH through the adapter" {
    in_mode mpiabi-to-mpich
}

@test "programs of the standard ABI pass on Open MPI through the adapter" {
    in_mode mpiabi-to-openmpi
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
