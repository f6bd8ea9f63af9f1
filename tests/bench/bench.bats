#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Instructions spent inside the adapter do not grow unnoticed, and the benchmark works.

bats_require_minimum_version 1.5.0

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
PYTHON=${PYTHON:-/usr/bin/python3}

compare() { "$top/bench/instructions.py" compare a-to-b table; }

# The table with one row: KIND, EXPECTED, CEILING.
table() {
    printf '# compiler: %s\n' "gcc $("${CC:-gcc}" -dumpversion | cut -d. -f1)"
    printf 'kind\ta-to-b\ta-to-b ceiling\twhat\n%s\t%s\t%s\tMPI_X of it\n' "$@"
}

# counts PAIR: nowhere more than the table says.
counts() {
    [ "$(uname -m)" = x86_64 ] || skip "the table is for x86-64"
    "$top/bench/profile" compare "$1"
}

@test "docs/performance.md and its figure have the counts of the table" {
    "$PYTHON" -B "$top/bench/page.py" check
}

@test "a count that the page does not have is found, and written" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p copy/bench copy/docs
    cp "$top/bench/page.py" copy/bench
    cp "$top"/docs/performance.{md,svg} copy/docs
    sed 's/^sendrecv\t[0-9.]*/sendrecv\t998.0/' "$top/bench/instructions.tsv" > copy/bench/instructions.tsv
    run "$PYTHON" -B copy/bench/page.py check
    [ "$status" -eq 1 ]
    [[ $output == *'performance.md: error: '*'; run bench/page.py' ]]
    "$PYTHON" -B copy/bench/page.py
    grep '^| `MPI_Sendrecv` | 998 |' copy/docs/performance.md
    grep '>998<' copy/docs/performance.svg
}

@test "instructions per call are what the table says, openmpi-to-mpich" {
    counts openmpi-to-mpich
}

@test "instructions per call are what the table says, mpich-to-openmpi" {
    counts mpich-to-openmpi
}

# bats test_tags=long
@test "instructions per call are what the table says, mpiabi-to-mpich" {
    counts mpiabi-to-mpich
}

# bats test_tags=long
@test "instructions per call are what the table says, mpiabi-to-openmpi" {
    counts mpiabi-to-openmpi
}

# bats test_tags=long
@test "instructions per call are what the table says, openmpi-to-mpiabi" {
    counts openmpi-to-mpiabi
}

# bats test_tags=long
@test "instructions per call are what the table says, mpich-to-mpiabi" {
    counts mpich-to-mpiabi
}

# stepped WHOLE: a program whose block calls a library of its own, which calls another one and is called back; prints
# what was counted in the first library.
stepped() {
    cat > main.c <<'END'
#include <stdlib.h>
#include "counted.h"
int PMPI_X(int (*)(int), int), PMPI_Y(int);
static int twice(int x) { return PMPI_Y(2 * x); }
int main(int argc, char **argv)
{
    volatile int sum = 0;
    counted_callbacks(argc > 1 && atoi(argv[1]));
    COUNT("one", "MPI_X", 10, sum += PMPI_X(twice, i));
    COUNT("many", "MPI_Y", 1000, sum += PMPI_Y(i));
    return sum == 0;
}
END
    cat > library.c <<'END'
int there(int (*function)(int), int x);
__attribute__((noinline)) static int helper(int x) { __asm__ volatile("nop; nop; nop" : "+r"(x)); return x + 1; }
int PMPI_X(int (*function)(int), int x) { return there(function, x) + helper(x); }
int PMPI_Y(int x) { __asm__ volatile("nop; nop"); return x; }
END
    echo 'int there(int (*function)(int), int x) { for (volatile int i = 0; i < 20; i++); return function(x); }' > other.c
    cc -O1 -shared -fPIC -Wl,-soname,"$PWD/libother.so" -o libother.so other.c
    cc -O1 -fcf-protection=none -shared -fPIC -o library.so library.c "$PWD/libother.so"
    cc -O1 -I"$top/bench" -o main main.c "$top/bench/counted.c" "$PWD/library.so"
    cc -O1 -o steps "$top/bench/steps.c"
    rm -f counts
    ./steps counts library.so ./main "$1"
    "$top/bench/instructions.py" functions counts
}

@test "steps count what one library executes for the calls that are meant, wherever it lies" {
    [ "$(uname -m)" = x86_64 ] || skip "what is expected is for x86-64"
    cd "$BATS_TEST_TMPDIR"
    stepped 1 > whole
    cat whole
    # mov lea nop nop nop lea ret, or so: its own instructions and no other's, in each call.
    grep -qx ' *helper [567].0' whole
    grep -qx ' *PMPI_Y [34].0' whole
    run ! grep main whole
    # The library is called back: only who says so is stepped throughout. PMPI_Y is not what "one" means.
    [ "$(sed -n '/^many/q; /PMPI_Y/p' whole)" = "" ]
    [ "$(grep -c . counts)" -gt 10 ]
    grep -q '^block many 16 MPI_Y$' counts
    for _ in 1 2 3; do
        stepped 1 | cmp - whole
    done
}

@test "steps say what they cannot do, and end as the program ends" {
    cd "$BATS_TEST_TMPDIR"
    cc -O1 -o steps "$top/bench/steps.c"
    run ./steps counts
    [ "$status" -eq 1 ]
    [[ $output == usage:* ]]
    run ./steps counts /bin/sh /no/such/program
    [ "$status" -eq 1 ]
    [[ $output == *"/no/such/program: No such file"* ]]
    run ./steps counts /bin/sh sh -c 'exit 7'
    [ "$status" -eq 7 ]
    run ./steps counts /bin/sh sh -c 'kill -TERM $$'
    [ "$status" -eq 143 ]
}

@test "of several runs the costliest counts, without the entry points that are not meant" {
    cd "$BATS_TEST_TMPDIR"
    printf 'int PMPI_X(int x) { return x; }\nint PMPI_Y(int x) { return x + 1; }\n' > both.c
    cc -shared -fPIC -o both.so both.c
    address() { nm both.so | sed -n "s/^0*\([0-9a-f]*\) T $1\$/\1/p"; }
    printf 'block kind/7 10 MPI_X\nboth.so\t%s\t30\nboth.so\t%s\t500\n' "$(address PMPI_X)" "$(address PMPI_Y)" > one
    printf 'block kind/7 10 MPI_X\nboth.so\t%s\t50\n' "$(address PMPI_X)" > two
    [ "$("$top/bench/instructions.py" list one)" = "$(printf 'kind/7\t3.00')" ]
    [ "$("$top/bench/instructions.py" list one two)" = "$(printf 'kind/7\t5.00')" ]
    [ "$("$top/bench/instructions.py" list two one)" = "$(printf 'kind/7\t5.00')" ]
}

@test "a count above what is expected is a failure that names the procedure" {
    cd "$BATS_TEST_TMPDIR"
    table one 8 9 > table
    printf 'one\t8.00\n' | compare | grep -qE '^ +8\.0 +9  MPI_X of it$'
    printf 'one\t7.00\n' | compare
    for count in 'one\t8.60' 'one\t9.10' 'other\t8.00'; do
        run compare < <(printf "$count\n")
        [ "$status" -eq 1 ]
        [[ $output == *"MPI_X of it: "* ]]
    done
    table one-other 8 9 > table
    printf 'one\t10\nother\t2\n' | compare
    run compare < <(printf 'one\t12\nother\t2\n')
    [ "$status" -eq 1 ]
}

@test "another compiler than the table's is held to the ceilings only" {
    cd "$BATS_TEST_TMPDIR"
    table one 5 10 | sed 's/^# compiler.*/# compiler: cc 0/' > table
    printf 'one\t12.00\n' | compare
    run compare < <(printf 'one\t12.10\n')
    [ "$status" -eq 1 ]
    # No compiler may break the ceilings that are promised.
    table sendrecv 5 10 | sed 's/^# compiler.*/# compiler: cc 0/' > table
    printf 'sendrecv\t10.00\n' | compare
    run compare < <(printf 'sendrecv\t10.10\n')
    [ "$status" -eq 1 ]
}

@test "a compiler's counts make a row of the page" {
    cd "$BATS_TEST_TMPDIR"
    {
        printf 'kind\ta-to-b\ta-to-b ceiling\twhat\n'
        printf '%s\t10\t12\tMPI_X\n' comm_rank sendrecv allreduce window
    } > table
    printf '#!/bin/sh\n[ "$1" = --version ] && echo "Some clang version 9.1" || echo 9.1.0\n' > cc
    chmod +x cc
    printf 'comm_rank\t10\nsendrecv\t12\nallreduce\t10\nwindow\t13.6\n' |
        CC=$PWD/cc "$top/bench/instructions.py" record a-to-b table > row
    cat row
    grep -qxE 'clang 9	a-to-b	4	1	113 %	10	12	10	14	20[0-9-]{8}' row
}

@test "the floor forwards every procedure of a library" {
    command -v readelf nm > /dev/null || skip "no readelf"
    cd "$BATS_TEST_TMPDIR"
    printf 'int MPI_One(int x) { return x + 1; }\nint PMPI_Two(void) { return 2; }\nint other = 3;\n' > real.c
    printf 'int MPI_One(int), PMPI_Two(void);\nextern int other;\nint main(void) { return MPI_One(1) + PMPI_Two() + other; }\n' > main.c
    mkdir real
    cc -shared -fPIC -Wl,-soname,libreal.so.1 -o real/libreal.so.1 real.c
    cc -o main main.c real/libreal.so.1
    "$top/bench/forward" real/libreal.so.1 floor
    run env LD_LIBRARY_PATH=floor ./main
    [ "$status" -eq 7 ]
    LD_LIBRARY_PATH=floor LD_TRACE_LOADED_OBJECTS=1 ./main | grep -q 'floor/libreal.so.1'
}

# A BUILD of its own, in an empty folder: tests/apps may be using the kernels in that of all.
own_build() {
    cd "$BATS_TEST_TMPDIR"
    mkdir build
    ln -s "$(realpath "${BUILD:-$top/build}")"/{bin,lib,include} build
    export BUILD=$PWD/build
}

# marked: processes that have MARK in their environment. Others that end meanwhile cannot be read.
marked() {
    grep -lzx "MARK=$MARK" /proc/[0-9]*/environ 2> /dev/null || true
}

# is_stopped_by SIGNAL: with the ranks of its first run.
is_stopped_by() {
    local status=0 run tries
    MARK=$BATS_TEST_TMPDIR.$1
    MARK=$MARK BENCH_QUICK=1 BENCH_OUTPUT=$PWD "$top/scripts/bench" > output 2> errors 3>&- &
    run=$!
    until grep -q '^bench: 1/' errors; do
        kill -0 $run
        sleep 0.1
    done
    [ -n "$(marked)" ]
    kill "-$1" $run
    wait $run || status=$?
    # Ranks that were told to end may take a moment on a busy machine.
    for ((tries = 0; tries < 600; tries++)); do
        [ -n "$(marked)" ] || break
        sleep 0.1
    done
    [ -z "$(marked)" ] && [ "$status" -eq $((128 + $(kill -l "$1"))) ] || { echo "$1: $status"; marked; cat errors; return 1; }
}

# bats test_tags=long
@test "the short benchmark prints a table for each pair, counts, and leaves nothing when it is stopped" {
    own_build
    for signal in INT TERM HUP; do
        is_stopped_by $signal
    done
    BENCH_ALSO="ours@openmpi-to-mpich=env LD_LIBRARY_PATH=$BUILD/lib/mpi-adapter/openmpi-to-mpich; none@openmpi-to-mpich=false" \
        BENCH_QUICK=1 BENCH_OUTPUT=$PWD "$top/scripts/bench" > output 2> errors || { cat output errors; return 1; }
    cat output errors
    grep -qE '^bench: 1/56, [0-9]+ s: startup on MPICH, native$' errors
    grep -q '^bench: none is left out of kernel ft: ' errors
    [ "$(grep -cE '^\| .*( [0-9.]+ \|){3} [+-][0-9.]+ % \|$' output)" -eq 9 ]
    [ "$(grep -cE '^\| .*( [0-9.]+ \|){4} no time \| [+-][0-9.]+ % \|$' output)" -eq 9 ]
    [ "$(sed -n '/^#/,/^All that/p' output | sed '$d')" = "$(cat table.md; echo)" ] || diff output table.md
    tail -n 1 output | grep -q '^All that can be measured, .*: make bench WHOLE=yes$'
    "$PYTHON" -c 'import json; rows = json.load(open("table.json"))["pairs"]["mpich-to-openmpi"]; assert len(rows) == 9, rows
assert all(set(row["values"]) == {"native", "again", "adapted"} for row in rows)
assert all(ms > 0 for ms in json.load(open("table.json"))["command"].values())'
    [ "$(grep -cE '^\| `mpi-adapter (version|run|env|check|explain).*`.* \| [0-9.]+ \|' output)" -eq 6 ]
    # A measurement that has no time left is not begun, and says so.
    PYTHONPATH=$top/bench "$PYTHON" -c 'import sys, table; table.SECONDS = -1; table.main(sys.argv[1])' "$PWD" > none
    [ "$(grep -c '^| .*| no time | no time | no time |  |$' none)" -eq 18 ]
}

# bats test_tags=long
@test "jobs of any number of ranks have a table for each pair" {
    own_build
    BENCH_JOBS='1 3' BENCH_QUICK=1 BENCH_OUTPUT=$PWD "$top/scripts/bench" > output 2> errors || { cat output errors; return 1; }
    cat output errors
    for ranks in 1 3; do
        [ "$(grep -cE "^\| $ranks \|( [0-9.]+, [0-9.]+ → [0-9.]+ \([-+][0-9.]+ %\) \|){3}$" jobs.md)" -eq 2 ]
    done
    diff output jobs.md
    # A size that fails natively ends its table, and says why.
    PYTHONPATH=$top/bench BENCH_QUICK=1 "$PYTHON" -c 'import sys, jobs, pairs
pairs.launcher = lambda family: "false"
jobs.main(sys.argv[1], "2", "4")' "$PWD" > none
    [ "$(grep -c "^No more than that: .*'false -n 2 .*' failed$" none)" -eq 2 ]
}

@test "a command that is contained leaves nothing behind, and has its own status" {
    cd "$BATS_TEST_TMPDIR"
    export MARK=$BATS_TEST_TMPDIR
    printf '%s\n' '#!/bin/bash' "setsid bash -c 'trap \"\" TERM; while true; do sleep 1; done' &" 'timeout 100 sleep 90 &' 'exit 7' > tree
    chmod +x tree
    run env MARK="$MARK.in" "$PYTHON" "$top/bench/contain.py" ./tree 3>&-
    [ "$status" -eq 7 ]
    MARK=$MARK.in
    [ -z "$(marked)" ]
}

# bats test_tags=long
@test "the benchmark writes a table, figures and data" {
    [ "$(uname -m)" = x86_64 ] || skip "the floor is for x86-64"
    command -v gnuplot > /dev/null || skip "gnuplot is not installed"
    own_build
    # Another layer beside: the adapter once more, found as another one would be; and one that runs nothing.
    BENCH_ALSO="ours@openmpi-to-mpich=env LD_LIBRARY_PATH=$BUILD/lib/mpi-adapter/openmpi-to-mpich; none@openmpi-to-mpich=false" \
        WHOLE=yes BENCH_QUICK=1 BENCH_OUTPUT=$PWD timeout 1800 "$top/scripts/bench" > output 2> errors || { tail -n 30 output errors; return 1; }
    grep -q '^### mpich-to-openmpi' report.md
    # Every row has as many cells as its header, and every figure that is shown is there.
    awk -F'|' '/^\|/ { if (!in_table) width = NF; in_table = 1; if (NF != width) { print; bad = 1 } } !/^\|/ { in_table = 0 } END { exit bad }' report.md
    [ "$(grep -c '\.svg)$' report.md)" -gt 15 ]
    # One run has no quartiles, and what one call took longer than another is chance.
    [ -z "$(grep -E '^\|.*[0-9]–[0-9]' report.md)" ]
    grep -q '^| MPI_Comm_rank |.*|  |$' report.md
    # The other layers have columns, and figures what there is of them; the one that failed is named.
    grep -q '^| *| instructions |.*adapted, ns | ours, ns | none, ns | added, ns |$' report.md
    grep -qE '^[*]ours[*] is the same program as [*]adapted[*], started by `env LD_LIBRARY_PATH=.*`' report.md
    grep -qE '^\| MPI_Comm_rank \|.*\| [0-9.]+ \| [0-9.]+ \|  \|  \|$' report.md
    grep -q '>ours<' calls-openmpi-to-mpich.svg
    grep -q '>ours<' startup-time-openmpi-to-mpich.svg
    [ "$(grep -c '>ours<' calls-mpich-to-openmpi.svg)" -eq 0 ]
    grep -q '^bench: none is left out of calls: ' errors
    # A call's name stands once; ranks are whole numbers.
    [ "$(grep -o '>comm_split<' calls-openmpi-to-mpich.svg | wc -l)" -eq 1 ]
    [ "$(grep -o '>1[.][0-9]<' startup-time-openmpi-to-mpich.svg | wc -l)" -eq 0 ]
    sed -n 's/.*(\(.*\.svg\))$/\1/p' report.md | while read -r figure; do
        "$PYTHON" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$figure"
    done
    "$PYTHON" - <<'END'
import json
results = json.load(open("results.json"))
assert results["releases"]["MPICH"] != "unknown" and results["releases"]["Open MPI"] != "unknown"
for figure in results["figures"]:
    assert {"native", "again", "adapted"} <= figure["values"].keys(), figure
    if figure["pair"] == "openmpi-to-mpich":
        assert "ours" in figure["values"] and "none" not in figure["values"], figure
    assert all(set(found) == {"median", "low", "high", "runs"} for found in figure["summary"].values())
kinds = {figure["key"] for figure in results["figures"] if figure["experiment"] == "calls"}
assert len(kinds) >= 30, kinds
END
}

# refused VALUE WHAT: BENCH_ALSO is refused with this message.
refused() {
    BENCH_ALSO=$1 run "$top/bench/also.py"
    [ "$status" -eq 1 ]
    # shellcheck disable=SC2053  # it is a pattern
    [[ $output == "mpi-adapter: BENCH_ALSO: "$2 ]] || { echo "$output"; return 1; }
}

# bats test_tags=long
@test "what BENCH_ALSO, BENCH_RANKS and BENCH_ROUNDS may not say is refused before anything runs" {
    form="write 'NAME=COMMAND PREFIX' or 'NAME@PAIR=COMMAND PREFIX', and ';' between several"
    refused 'theirs' "'theirs' is no layer; $form"
    refused ' ; ' "' ; ' is no layer; $form"
    refused 'theirs= ' "'theirs' has no command prefix; $form"
    refused 'a b=env' "'a b=env' is no layer; $form"
    refused '*=env' "'[*]' is no name; use letters, *"
    refused 'adapted=env' "'adapted' is a column already; choose another name"
    refused 'a@here=env' "there is no pair 'here' to measure 'a' on; give any of: openmpi-to-mpich mpich-to-openmpi"
    refused 'a=env "A=1' "the command prefix of 'a' cannot be read: No closing quotation; close its quotes"
    refused 'a=env;b=env;a=env' "'a' is there twice; give each layer a name of its own"
    refused 'a=/no/such' "there is no command '/no/such', which 'a' is to be run by; install it or give its path"
    refused 'a=LD_PRELOAD=x' "there is no command *; variables go to programs by 'env VARIABLE=VALUE'"
    export WHOLE=yes
    for ranks in 3 2, 2,x "2 4" 0 08 -2 -2,4; do
        BENCH_RANKS=$ranks run "$top/scripts/bench"
        [ "$status" -eq 1 ]
        [ "$output" = "mpi-adapter: BENCH_RANKS is '$ranks'; give powers of two, with commas between them" ]
    done
    for rounds in 5 x -6 6.5; do
        BENCH_RANKS=2,64 BENCH_ROUNDS=$rounds run "$top/scripts/bench"
        [ "$status" -eq 1 ]
        [ "$output" = "mpi-adapter: BENCH_ROUNDS is '$rounds'; give 6 or more" ]
    done
    WHOLE=1 run "$top/scripts/bench"
    [ "$output" = "mpi-adapter: WHOLE is '1'; give yes, or leave it out" ]
    WHOLE='' BENCH_ROUNDS=6 run "$top/scripts/bench"
    [ "$output" = "mpi-adapter: BENCH_RANKS and BENCH_ROUNDS are for the whole benchmark; give WHOLE=yes, too" ]
    WHOLE=yes BENCH_JOBS=2 run "$top/scripts/bench"
    [ "$output" = "mpi-adapter: WHOLE and BENCH_JOBS measure different things; give one of them" ]
    unset WHOLE
    BENCH_ALSO='a=env A=1' BENCH_JOBS=2 run "$top/scripts/bench"
    [ "$output" = "mpi-adapter: BENCH_JOBS measures no other layers; leave BENCH_ALSO out" ]
    for ranks in 0 -2 2,4 x '4 08'; do
        BENCH_JOBS=$ranks run "$top/scripts/bench"
        [ "$status" -eq 1 ]
        [ "$output" = "mpi-adapter: BENCH_JOBS is '$ranks'; give numbers of ranks" ]
    done
    BENCH_ALSO=theirs run make -C "$top" bench
    [ "$status" -ne 0 ]
    [[ $output == *"mpi-adapter: BENCH_ALSO: 'theirs' is no layer"* ]]
    [[ $output != *install-packages* ]]
    /usr/bin/python3 - "$top/bench" <<'PY'
import sys
sys.path.insert(0, sys.argv[1])
import also
text = "a=env 'A=1;2' x; b@openmpi-to-mpich=sh -c \"y\";a@mpich-to-openmpi = true"
try:
    also.read(text)
except also.Wrong:
    pass
text = text.replace(" = ", "=")
assert also.layers_of("openmpi-to-mpich", text) == {"a": ["env", "A=1;2", "x"], "b": ["sh", "-c", "y"]}
assert also.layers_of("mpich-to-openmpi", text) == {"a": ["true"]}
assert also.layers_of("mpich-to-openmpi", "") == {}
PY
}
