#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Instructions spent inside the adapter do not grow unnoticed, and the benchmark works.

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

@test "instructions per call are what the table says, openmpi-to-mpich" {
    counts openmpi-to-mpich
}

@test "instructions per call are what the table says, mpich-to-openmpi" {
    counts mpich-to-openmpi
}

@test "instructions per call are what the table says, mpiabi-to-mpich" {
    counts mpiabi-to-mpich
}

@test "instructions per call are what the table says, mpiabi-to-openmpi" {
    counts mpiabi-to-openmpi
}

@test "instructions per call are what the table says, openmpi-to-mpiabi" {
    counts openmpi-to-mpiabi
}

@test "instructions per call are what the table says, mpich-to-mpiabi" {
    counts mpich-to-mpiabi
}

@test "profiles are read line by line: own costs of one library, without other entry points" {
    cd "$BATS_TEST_TMPDIR"
    cat > profile.1 <<'END'
desc: Trigger: Client Request: kind/7 10 MPI_X
events: Ir

ob=(1) /lib/libmpi.so.40
fl=(1) a.c
fn=(1) PMPI_X
1 20
+2 10
cob=(2) /lib/libhost.so
cfn=(2) PMPI_X
calls=5 0
* 1000
-1 5

fn=(3) helper
7 15

fn=(4) PMPI_Y
7 700

ob=(2)
fn=(2)
0 1000

ob=(1)
fn=(1)
9 30
END
    printf 'desc: Trigger: Program termination\n' > profile.2
    [ "$("$top/bench/instructions.py" list libmpi.so.40 profile.*)" = "$(printf 'kind/7\t8.00')" ]
    "$top/bench/instructions.py" functions libmpi.so.40 profile.* | grep -qx ' *helper 1.5'
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
    table one 5 9 | sed 's/^# compiler.*/# compiler: cc 0/' > table
    printf 'one\t8.00\n' | compare
    run compare < <(printf 'one\t9.10\n')
    [ "$status" -eq 1 ]
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

@test "the benchmark writes a table, figures and data" {
    [ "$(uname -m)" = x86_64 ] || skip "the floor is for x86-64"
    command -v gnuplot > /dev/null || skip "gnuplot is not installed"
    cd "$BATS_TEST_TMPDIR"
    BENCH_QUICK=1 BENCH_OUTPUT=$PWD timeout 1800 "$top/scripts/bench" > output 2> errors || { tail -n 30 output errors; return 1; }
    grep -q '^### mpich-to-openmpi' report.md
    # Every row has as many cells as its header, and every figure that is shown is there.
    awk -F'|' '/^\|/ { if (!in_table) width = NF; in_table = 1; if (NF != width) { print; bad = 1 } } !/^\|/ { in_table = 0 } END { exit bad }' report.md
    [ "$(grep -c '\.svg)$' report.md)" -gt 15 ]
    sed -n 's/.*(\(.*\.svg\))$/\1/p' report.md | while read -r figure; do
        "$PYTHON" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$figure"
    done
    "$PYTHON" - <<'END'
import json
results = json.load(open("results.json"))
assert results["releases"]["MPICH"] != "unknown" and results["releases"]["Open MPI"] != "unknown"
for figure in results["figures"]:
    assert {"native", "again", "adapted"} <= figure["values"].keys(), figure
    assert all(set(found) == {"median", "low", "high", "runs"} for found in figure["summary"].values())
kinds = {figure["key"] for figure in results["figures"] if figure["experiment"] == "calls"}
assert len(kinds) >= 30, kinds
END
}
