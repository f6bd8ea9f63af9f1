# SPDX-License-Identifier: BSD-3-Clause
#
# Debian's programs with Fortran MPI: the testers of ScaLAPACK and its BLACS, built for each MPI, and
# MUMPS, built for Open MPI. Through the adapter they come to the verdicts that they come to natively;
# so they do by way of the standard ABI, through two.

bats_require_minimum_version 1.5.0

setup_file() {
    here=$(cd "$(dirname "$BATS_TEST_FILENAME")" && pwd)
    top=$(cd "$here/../.." && pwd)
    BUILD=$(cd "$top" && realpath -ms "${BUILD:-build}")
    export BUILD
    . "$top/tests/components.bash"
    testers=$(echo /usr/lib/*/scalapack)
    export testers
    cd "$BATS_FILE_TMPDIR" || exit
    # The testers read their input from where they are started: smaller problems than Debian's, for 2
    # processes.
    cat > LU.dat <<'EOF'
'ScaLAPACK, LU factorization input file'
'MPI Machine'
'LU.out'		output file name (if any)
6			device out
2			number of problems sizes
10 17			values of M
12 13			values of N
2			number of NB's
2 3			values of NB
1			number of NRHS's
3			values of NRHS
1			Number of NBRHS's
3			values of NBRHS
2			number of process grids (ordered pairs of P & Q)
2 1			values of P
1 2			values of Q
1.0			threshold
T			(T or F) Test Cond. Est. and Iter. Ref. Routines
EOF
    cat > QR.dat <<'EOF'
'ScaLAPACK, Orthogonal factorizations input file'
'MPI Machine'
'QR.out'                      output file name (if any)
6                             device out
6                             number of factorizations
'QR' 'QL' 'LQ' 'RQ' 'QP' 'TZ' factorization: QR, QL, LQ, RQ, QP, TZ
2                             number of problems sizes
2 13                          values of M
2 17                          values of N
1                             number of blocking sizes
2                             values of MB
3                             values of NB
2                             number of process grids (ordered pairs P & Q)
2 1                           values of P
1 2                           values of Q
3.0                           threshold
EOF
    cat > bt.dat <<'EOF'
'Sample BLACS tester run'       Comment line
6                               device out
'blacstest.out'                 output fname
'T'                             Run SDRV?
'F'                             Run BSBR?
'T'                             Run COMB?
'T'                             Run AUX?
2                               Number of precisions
'I' 'Z'                         Values for precision
0                               Verbosity level
EOF
    cat > sdrv.dat <<'EOF'
2                       Number of shapes
'G' 'U'                 UPLO
'E' 'N'                 DIAG
3                       Number of matrices
2 1 25                  M
2 7 19                  N
2 3 25                  LDASRC
3 2 25                  LDADEST
3                       Number of src/dest pairs
0 1 0                   RSRC
0 0 1                   CSRC
0 0 0                   RDEST
1 0 0                   CDEST
2                       Number of grids
2 1                     NPROW
1 2                     NPCOL
EOF
    cat > comb.dat <<'EOF'
3                       Number of OPs
'+' '>' '<'             Combine operations to perform
3                       Number of scopes
'R' 'C' 'A'             values for scopes
0                       Repeatability flag (0=no-rep, 1=rep, 2=both)
0                       Coherence flag (0=no-coh, 1=coh, 2=both)
2                       Number of topologies
' ' 'T'                 TOP
2                       Number of matrices
3 25                    M
5 32                    N
5 25                    LDASRC
9 25                    LDADEST
4 25                    LDI
2                       Number of dests
0 -1                    RDEST
0 -1                    CDEST
2                       Number of grids
2 1                     NPROW
1 2                     NPCOL
EOF
}

setup() { cd "$BATS_FILE_TMPDIR" || exit; }

# run_on HOST RANKS PROGRAM [LD_LIBRARY_PATH]
run_on() {
    if [ "$1" = openmpi ]; then
        timeout 100 mpiexec.openmpi ${4:+-x LD_LIBRARY_PATH="$4" -x MPI_ADAPTER_VERBOSE} -n "$2" "$3"
    else
        timeout 100 mpiexec.mpich ${4:+-genv LD_LIBRARY_PATH "$4"} -n "$2" "$3"
    fi
}

# Prints a tester's findings without its times.
verdicts() { grep -aE 'TESTS;|tests (completed|skipped)|AUXILIARY|Solution is' "$1" | tr -s ' '; }

# A failure is shown; the BLACS tester ends in MPI_ABORT, on purpose.
ended() {
    case $1 in *.xFbtest.*) return 0 ;; esac
    tail -n 30 "$1"
    return 1
}

# same_verdicts FAMILY RANKS PROGRAM [INPUT]: natively, and on the other MPI through the adapter.
same_verdicts() {
    local family=$1 ranks=$2 program=$3 input=${4:-/dev/null} name other=mpich pairs=$BUILD/lib/mpi-adapter
    [ "$family" = openmpi ] || other=openmpi
    [ -x "$program" ] || skip "$program is not installed"
    name=$family.$(basename "$program")
    run_on "$family" "$ranks" "$program" > "$name.native" < "$input" 2>&1 || ended "$name.native"
    verdicts "$name.native" > "$name.wanted"
    [ "$(wc -l < "$name.wanted")" -ge 1 ]
    run ! grep -E '[1-9][0-9]* (FAILED|tests completed and failed)' "$name.wanted"
    come_to_the_same "$pairs/$family-to-$other"
    come_to_the_same "$pairs/$family-to-mpiabi:$pairs/mpiabi-to-$other"
}

# come_to_the_same LD_LIBRARY_PATH: what same_verdicts is at.
come_to_the_same() {
    MPI_ADAPTER_VERBOSE=1 run_on "$other" "$ranks" "$program" "$1" > "$name.adapted" < "$input" 2>&1 || ended "$name.adapted"
    grep -a '^mpi-adapter: ' "$name.adapted" > /dev/null
    verdicts "$name.adapted" > "$name.got"
    diff "$name.wanted" "$name.got"
}

@test "BLACS tester of Open MPI" { same_verdicts openmpi 2 "$testers/openmpi-tests/xFbtest"; }
@test "BLACS tester of MPICH" { same_verdicts mpich 2 "$testers/mpich-tests/xFbtest"; }
@test "ScaLAPACK of Open MPI factorizes to LU" { same_verdicts openmpi 2 "$testers/openmpi-tests/xdlu"; }
@test "ScaLAPACK of MPICH factorizes to LU" { same_verdicts mpich 2 "$testers/mpich-tests/xzlu"; }
@test "ScaLAPACK of Open MPI factorizes to QR" { same_verdicts openmpi 2 "$testers/openmpi-tests/xzqr"; }
@test "ScaLAPACK of MPICH factorizes to QR" { same_verdicts mpich 2 "$testers/mpich-tests/xdqr"; }

@test "MUMPS of Open MPI solves a system" {
    same_verdicts openmpi 2 /usr/lib/mumps/dsimpletest /usr/lib/mumps/input_simpletest_real
    same_verdicts openmpi 2 /usr/lib/mumps/zsimpletest /usr/lib/mumps/input_simpletest_cmplx
}
