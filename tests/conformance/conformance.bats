# SPDX-License-Identifier: BSD-3-Clause
#
# Programs observe through a pair what they observe on one of the native MPIs; with KEEP_NATIVE=yes, what they did in an earlier run.

setup() {
    . "$BATS_TEST_DIRNAME/../families.bash"
    [ "$(release_here openmpi) $(release_here mpich)" = '4.1.4 4.0.2' ] || skip "make check-conformance does this on other releases"
    : "${BUILD:=$BATS_TEST_DIRNAME/../../build}"
    export BUILD results=$BUILD/tests/conformance CASES=part PROGRAMS=
}

compare() { "${PYTHON:-python3}" -B "$BATS_TEST_DIRNAME/compare.py" "$@" openmpi=4.1.4 mpich=4.0.2; }

@test "programs observe the same through a pair as on one of the native MPIs" {
    local pairs=() pair natives=(openmpi mpich)
    for pair in openmpi-to-mpich mpich-to-openmpi ${LONG:+mpiabi-to-mpich mpiabi-to-openmpi}; do
        ! is_wanted "$pair" || pairs+=("$pair")
    done
    [ ${#pairs[@]} -gt 0 ] || skip "MODES has none of these pairs"
    [[ -z ${KEEP_NATIVE-} || ! -e $results/openmpi || ! -e $results/mpich ]] || natives=()
    "$BATS_TEST_DIRNAME/run.sh" "${natives[@]}" "${pairs[@]}"
    for pair in "${pairs[@]}"; do
        compare "$pair" "$results"
    done
}

@test "what a program observes on no native MPI is complained of, and what it does not observe any more" {
    cp -r "$results"/{openmpi,mpich,mpich-to-openmpi} "$BATS_TEST_TMPDIR"
    sed -i 's/comm duplicate: MPI_ERR_TAG/comm WORLD: MPI_ERR_TAG/; /^file_close\t/d' "$BATS_TEST_TMPDIR/mpich-to-openmpi/errors"
    sed -i 's/^\(1: write_at\t.* bytes\) 4 /\1 5 cancelled /' "$BATS_TEST_TMPDIR/mpich-to-openmpi/files"
    sed -i 's/^\(1: mprobe of any\t.* tag\) 10 /\1 11 /' "$BATS_TEST_TMPDIR/mpich-to-openmpi/messages"
    run compare mpich-to-openmpi "$BATS_TEST_TMPDIR"
    [ "$status" -ne 0 ]
    [[ $output == *"send with a negative tag: MPI_ERR_TAG comm WORLD: MPI_ERR_TAG; natively MPI_ERR_TAG comm duplicate: MPI_ERR_TAG (openmpi)"* ]]
    [[ $output == *"files: 1: write_at: "*" bytes 5 "* ]]
    [[ $output == *"messages: 1: mprobe of any: "*" tag 11 "* ]]
    [[ $output == *"file_close: is not printed; natively MPI_SUCCESS null (openmpi)"* ]]
}

@test "two lines with one label are complained of, and a known difference that is another by now" {
    mkdir "$BATS_TEST_TMPDIR/tests"
    mkdir "$BATS_TEST_TMPDIR"/{releases,a,b,a-to-b}
    cp "$BATS_TEST_DIRNAME/compare.py" "$BATS_TEST_TMPDIR/tests"
    cp "$BATS_TEST_DIRNAME/../releases/faults.py" "$BATS_TEST_TMPDIR/releases"
    cp "$BATS_TEST_DIRNAME/../exceptions.py" "$BATS_TEST_TMPDIR"
    printf 'a-to-b\t2.1-2.3\tprogram\tcall\thost\ta reason\tMPI_ERR_ARG*\n' > "$BATS_TEST_TMPDIR/tests/differences.tsv"
    printf 'call\tMPI_SUCCESS\n' | tee "$BATS_TEST_TMPDIR/a/program" > "$BATS_TEST_TMPDIR/b/program"
    judge() { "${PYTHON:-python3}" -B "$BATS_TEST_TMPDIR/tests/compare.py" a-to-b "$BATS_TEST_TMPDIR" a=1.0 "b=${1-2.2}"; }
    printf 'call\tMPI_ERR_ARG null\n' > "$BATS_TEST_TMPDIR/a-to-b/program"
    judge
    run judge 2.4
    [ "$status" -ne 0 ]
    [[ $output == *"call: MPI_ERR_ARG null; natively MPI_SUCCESS (a)"* ]]
    printf 'call\tMPI_ERR_OTHER null\n' > "$BATS_TEST_TMPDIR/a-to-b/program"
    run judge
    [ "$status" -ne 0 ]
    [[ $output == *"call: MPI_ERR_OTHER null; natively MPI_SUCCESS (a)"* ]]
    printf 'call\tMPI_SUCCESS\ncall\tMPI_SUCCESS\n' > "$BATS_TEST_TMPDIR/a-to-b/program"
    run judge
    [ "$status" -ne 0 ]
    [[ $output == *"two lines are labelled 'call'"* ]]
    # A line of the host's own program that is not printed through the pair is lost; one of the other MPI's is not.
    printf 'call\tMPI_ERR_ARG null\n' > "$BATS_TEST_TMPDIR/a-to-b/program"
    printf 'one more\tMPI_SUCCESS\n' >> "$BATS_TEST_TMPDIR/a/program"
    judge
    printf 'one more\tMPI_SUCCESS\n' >> "$BATS_TEST_TMPDIR/b/program"
    run judge
    [ "$status" -ne 0 ]
    [[ $output == *"one more: is not printed; natively MPI_SUCCESS (a)"* ]]
}

# A folder of programs, without any, in a tree that is otherwise this one.
make_work() {
    work=$BATS_TEST_TMPDIR/tests/conformance
    mkdir -p "$work"
    cp "$BATS_TEST_DIRNAME"/{run.sh,observe.h} "$work"
    for each in "$BATS_TEST_DIRNAME"/../../* "$BATS_TEST_DIRNAME"/../*; do
        case $each in
        */../tests | */../conformance) ;;
        "$BATS_TEST_DIRNAME"/../../*) ln -s "$each" "$BATS_TEST_TMPDIR" ;;
        *) ln -s "$each" "$BATS_TEST_TMPDIR/tests" ;;
        esac
    done
}

@test "what a host cannot do is left out there, and what a program expects of a message is looked for in it" {
    make_work
    printf 'mpich\t%s\t%s\t%s\tcrashes\n' 4.0.2 program second 4.0.2 other '*' 4.1 program first > "$work/left-out.tsv"
    cp "$BATS_TEST_DIRNAME/sessions.c" "$work/other.c"
    cat > "$work/program.c" << 'EOF'
/* ranks: 1 */
/* cases: one two */
#include "observe.h"
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    observe_ranks();
    SEE("first", MPI_SUCCESS, note(" %s", argv[1]));
    SEE("second", MPI_SUCCESS);
    fputs("procedure\tMPI_Send\nobject\tMPI_COMM_SELF\n", fopen("words", "w"));
    fputs("an error of mpi_send\n", stderr);
    MPI_Finalize();
    return 0;
}
EOF
    RESULTS=$work/results CASES='one' "$work/run.sh" mpich
    [ ! -e "$work/results/mpich/other" ]
    diff "$work/results/mpich/program" <(printf '%s\t%s\n' '0: first' 'MPI_SUCCESS one' 'one: ends' 'in time' \
        'one: message has the procedure' MPI_Send 'one: message has the object' no)
}

# complains MODE TEXT: run.sh fails and says so. Hydra loses the code of a rank now and then (while_losing), so it is asked three times.
complains() {
    local tries=3
    while [ "$tries" -gt 0 ]; do
        run "$work/run.sh" "$1"
        echo "$output"
        [ "$status" -eq 0 ] || [[ $output != *"$2"* ]] || return 0
        tries=$((tries - 1))
    done
    return 1
}

@test "a program that does not start is complained of unless it is known, natively and through a pair" {
    make_work
    # The status by which the loader ends what it cannot start.
    echo 'int main(void) { return 127; }' > "$work/alone.c"
    { echo '/* ranks: 1 */'; cat "$work/alone.c"; } > "$work/ranks.c"
    export RESULTS=$work/results CASES=
    : > "$work/left-out.tsv"
    for each in mpich openmpi mpich-to-openmpi openmpi-to-mpich; do
        complains "$each" "$each: ranks ends with 127"
        [[ $output == *"$each: alone ends with 127"* ]]
    done
    printf 'mpich natively\t4.0.2\tranks\t*\tlacks it\nmpich\t4.0.2\talone\t*\tlacks it\n' > "$work/left-out.tsv"
    "$work/run.sh" mpich
    [ ! -e "$work/results/mpich/alone" ]
    [ ! -e "$work/results/mpich/ranks" ]
    complains openmpi-to-mpich 'openmpi-to-mpich: ranks ends with 127'
    [[ $output != *alone* ]]
}
