# SPDX-License-Identifier: BSD-3-Clause
#
# The Fortran test programs in each of MODES. Where both native modes pass, the adapted one must, and
# print the same; checks that a host itself fails are in known-faults.tsv.

setup() {
    here=$(cd "$(dirname "$BATS_TEST_FILENAME")" && pwd)
    : "${MODES=openmpi mpich adapted reversed openmpi-to-mpiabi-to-mpich mpich-to-mpiabi-to-openmpi}" "${PROGRAMS=}"
}

in_mode() {
    case " $MODES " in *" $1 "*) ;; *) skip "not in MODES" ;; esac
    # shellcheck disable=SC2086  # PROGRAMS is a list of words
    "$here/run.sh" "$1" $PROGRAMS
}

@test "Fortran programs pass natively on Open MPI" {
    in_mode openmpi
}

@test "Fortran programs pass natively on MPICH" {
    in_mode mpich
}

@test "Fortran programs of Open MPI pass on MPICH through the adapter, and print the same" {
    in_mode adapted
}

@test "Fortran programs of MPICH pass on Open MPI through the adapter, and print the same" {
    in_mode reversed
}

@test "Fortran programs of Open MPI pass on MPICH through the standard ABI, and print the same" {
    in_mode openmpi-to-mpiabi-to-mpich
}

@test "Fortran programs of MPICH pass on Open MPI through the standard ABI, and print the same" {
    in_mode mpich-to-mpiabi-to-openmpi
}

@test "every known host fault names a check of a Fortran program" {
    while IFS=$'\t' read -r host program check reason; do
        case $host in '#'*|'') continue ;; openmpi|mpich|openmpi-fortran|mpich-fortran) ;; *) false ;; esac
        [ -n "$reason" ]
        grep -q "known_fault('$check')" "$here/${program%.*}.F90" || {
            echo "known-faults.tsv: no check $check in $program"
            return 1
        }
    done < "$here/known-faults.tsv"
}
