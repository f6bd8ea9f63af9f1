#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The emitter: golden texts of some wrappers of the real families, what only made-up ones have, what it
# refuses, and that an error leaves everything as it was. Everything else that it emits is proved by what
# runs it: each constant of each pair (test_conversions), the symbols (tests/exports), programs (tests/c, tests/fortran).
#   make check-gen
# After a wanted change of what is emitted: UPDATE_GOLDEN=1 make check-gen, then review the difference.

bats_require_minimum_version 1.5.0

setup()
{
    load common
    ROOT=$TESTS/../..
    FAKE=$TESTS/emit/tables
}

# emit TABLES APPLICATION HOST OUTPUT: of a pair; without a name, what depends on the other side alone, or on neither.
emit()
{
    "$PYTHON" -B "$GEN/emit.py" --tables "$1" --templates "$ROOT/templates" \
        ${2:+--application "$2"} ${3:+--host "$3"} --output "$4"
}

# golden NAME OUTPUT: the file or folder equals the golden one.
golden()
{
    if [ -n "$UPDATE_GOLDEN" ]; then
        mkdir -p "$TESTS/emit/golden"
        rm -rf "$TESTS/emit/golden/$1"
        cp -r "$2" "$TESTS/emit/golden/$1"
    fi
    diff -ru "$TESTS/emit/golden/$1" "$2"
}

# selected_wrappers FILE...: the texts of the selected wrappers, in the order of the files.
selected_wrappers()
{
    awk 'NR == FNR { if ($0 !~ /^#/) wanted[$1] = wanted[$1 "_c"] = 1; next }
         /^PROCEDURE\(/ { split($0, words, /, |\)/); on = words[2] in wanted }
         on { print }
         /^}/ { if (on) print ""; on = 0 }' "$TESTS/emit/selected" "$@"
}

# A pair, emitted from the made-up tables, in the test's folder `pair`.
earlier_pair()
{
    emit "$FAKE" alpha beta "$BATS_TEST_TMPDIR/pair"
    cp -rp "$BATS_TEST_TMPDIR/pair" "$BATS_TEST_TMPDIR/earlier"
}

as_it_was()
{
    diff -r "$BATS_TEST_TMPDIR/earlier" "$BATS_TEST_TMPDIR/pair"
    [ -z "$(find "$BATS_TEST_TMPDIR" -name '.emit-*')" ]
}

@test "what no real family has is emitted" {
    cd "$BATS_TEST_TMPDIR"
    emit "$FAKE" beta alpha pair
    emit "$FAKE" beta '' app
    emit "$FAKE" '' alpha host
    # A handle of fewer bits is converted by way of a variable; names of the same length are not copied.
    diff - <(sed -n '/^PROCEDURE(.* MPI_Isend,/,/^}/p' pair/wrappers.c) <<'TEXT'
PROCEDURE(app_code, MPI_Isend, const void *buf, int count, app_datatype datatype, int dest, int tag, app_comm comm, app_request *request)
{
    if (unlikely(request == 0)) return raise_comm(comm_to_host(comm), HOST_MPI_ERR_ARG);
    host_datatype its_datatype = datatype_to_host(datatype);
    int its_dest = rank_to_host(dest);
    host_comm its_comm = comm_to_host(comm);
    host_request its_request;
    host_code rc = host.MPI_Isend(buf, count, its_datatype, its_dest, tag, its_comm, &its_request);
    if (likely(rc == 0)) {
        *request = request_at(&its_request);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}
TEXT
    grep -qx '    host_code rc = host.MPI_Comm_get_name(its_comm, comm_name, resultlen);' pair/wrappers.c
    # A procedure that a release of alpha lacks, and all of beta have, sets its results all the same.
    grep -qx '    if (resultlen) \*resultlen = 0;' host/stand_ins.c
    grep -qx '    if (request) \*request = HOST_NULL_request;' host/stand_ins.c
    # Profiled names and sentinels of modules that only beta has.
    grep -qF '.globl pmpir_isend_f08ts_\n.set pmpir_isend_f08ts_, entry_mpi_isend_f08ts\n' app/fortran.c
    grep -qx '    pmpir_isend_f08ts_;' app/libbetaf.so.1.map
    grep -qx '    .bottom = beta_f08_bottom,' app/fortran_data.c
}

@test "the real families give their golden wrappers" {
    emit "$ROOT/abi-tables" openmpi mpich "$BATS_TEST_TMPDIR/pair"
    selected_wrappers "$BATS_TEST_TMPDIR"/pair/wrappers.c > "$BATS_TEST_TMPDIR/wrappers.c"
    golden openmpi-to-mpich.c "$BATS_TEST_TMPDIR/wrappers.c"
}

@test "the same input gives the same bytes" {
    for pair in openmpi:mpich openmpi: :mpich :; do
        for seed in 1 2; do
            PYTHONHASHSEED=$seed emit "$ROOT/abi-tables" "${pair%:*}" "${pair#*:}" "$BATS_TEST_TMPDIR/$seed"
        done
        diff -r "$BATS_TEST_TMPDIR/1" "$BATS_TEST_TMPDIR/2"
    done
}

@test "an earlier pair is replaced as a whole" {
    earlier_pair
    touch "$BATS_TEST_TMPDIR/pair/stale.c"
    emit "$FAKE" alpha beta "$BATS_TEST_TMPDIR/pair"
    as_it_was
}

# In the place of a number that only they have, and of those below that none has, the array has a host's own handle.
@test "handles of releases whose libraries had other names have room, wherever these number them" {
    cd "$BATS_TEST_TMPDIR"
    cp -r "$FAKE" tables
    sed -i 's/^MPI_COMM_SELF int 2$/MPI_COMM_SELF int 6/' tables/alpha-0.9/fortran
    emit tables alpha '' pair
    grep -x '    { &fortran_comm_handles\[6\], (intptr_t)&alpha_comm_own },' pair/fortran_handles.c
    grep -x 'const struct fortran_handles fortran_comm = { 7, -1 };' pair/fortran_handles.c
    [ "$(sed -n '/fortran_comm_handles\[\] = {/,/^};/p' pair/fortran_handles.c | grep -c '^ ')" -eq 7 ]
}

@test "bad input is refused at its line, and nothing is written" {
    "$PYTHON" -B "$TESTS/test_refused.py"
}

@test "an error leaves an earlier pair as it was, and status 1" {
    earlier_pair
    cp -r "$FAKE" "$BATS_TEST_TMPDIR/tables"
    echo "MPI_X" >> "$BATS_TEST_TMPDIR/tables/procedures"
    run -1 --separate-stderr emit "$BATS_TEST_TMPDIR/tables" alpha beta "$BATS_TEST_TMPDIR/pair"
    [ -z "$output" ]
    [[ $stderr == "$BATS_TEST_TMPDIR/tables/procedures:"*": error: a procedure needs an MPI_ name and flags" ]]
    as_it_was
}

@test "missing tables and templates are refused" {
    run -1 --separate-stderr emit "$BATS_TEST_TMPDIR/none" alpha beta "$BATS_TEST_TMPDIR/pair"
    [ "$stderr" = "$BATS_TEST_TMPDIR/none/rules: error: cannot read: No such file or directory" ]
    ROOT=$BATS_TEST_TMPDIR run -1 --separate-stderr emit "$FAKE" alpha beta "$BATS_TEST_TMPDIR/pair"
    [[ $stderr == "$BATS_TEST_TMPDIR/templates/codec-"*".c: error: cannot read: No such file or directory" ]]
    [ ! -e "$BATS_TEST_TMPDIR/pair" ]
}

@test "a folder that cannot be written is one line of error" {
    touch "$BATS_TEST_TMPDIR/file"
    run -1 --separate-stderr emit "$FAKE" alpha beta "$BATS_TEST_TMPDIR/file/pair"
    [ "$stderr" = "$BATS_TEST_TMPDIR/file/pair: error: cannot write: File exists" ]
    run -1 --separate-stderr emit "$FAKE" alpha beta "$BATS_TEST_TMPDIR/file"
    [ "$stderr" = "$BATS_TEST_TMPDIR/file: error: cannot write: Not a directory" ]
    run -1 --separate-stderr emit "$FAKE" alpha beta /proc/none/pair
    [ "$stderr" = "/proc/none/pair: error: cannot write: No such file or directory" ]
    [ -z "$(find "$BATS_TEST_TMPDIR" -name '.emit-*')" ]
}

@test "a full disk leaves an earlier pair as it was" {
    earlier_pair
    run -1 --separate-stderr bash -c "ulimit -f 1; trap '' XFSZ; exec \"\$@\"" bash "$PYTHON" -B "$GEN/emit.py" \
        --tables "$FAKE" --templates "$ROOT/templates" --application alpha --host beta \
        --output "$BATS_TEST_TMPDIR/pair"
    [ "$stderr" = "$BATS_TEST_TMPDIR/pair: error: cannot write: File too large" ]
    as_it_was
}

@test "a pair that cannot be put in place leaves the earlier one as it was" {
    earlier_pair
    run -1 --separate-stderr "$PYTHON" -B "$TESTS/emit/rename-fails.py" "$BATS_TEST_TMPDIR/pair"
    [ "$stderr" = "$BATS_TEST_TMPDIR/pair: error: cannot write: Input/output error" ]
    as_it_was
}

@test "procedures and rules cover every committed table" {
    "$PYTHON" -B "$TESTS/test_coverage.py"
}

@test "conversions lead from constant to constant, and back" {
    "$PYTHON" -B "$TESTS/test_conversions.py"
}

@test "which implementation a library is shows when it runs" {
    "$PYTHON" -B "$TESTS/test_implementation.py"
}
