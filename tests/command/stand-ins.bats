# SPDX-License-Identifier: BSD-3-Clause
# The libraries of C++ bindings that compilers link programs with whether these use them or not: where the loader finds
# none, the pair's stand-ins serve.

load false_mpis

setup_file() {
    make_fixtures
    make_library "$fixtures/cxx/libfakecxx.so.40" libfakecxx.so.40 'int fake_cxx(void) { return 0; }'
    make_library "$fixtures/other/libothercxx.so.40" libothercxx.so.40 'int fake_cxx(void) { return 0; }'
    make_library "$fixtures/cxx/libabsent.so.1" libabsent.so.1 'int absent;'
    make_library "$fixtures/bin/libthrough.so" libthrough.so 'int through;' -Wl,--no-as-needed "$fixtures/cxx/libfakecxx.so.40"
    make_program "$fixtures/bin/cxx-app" -Wl,--no-as-needed "$fixtures/cxx/libfakecxx.so.40"
    make_program "$fixtures/bin/owner" -Wl,--no-as-needed "$fixtures/cxx/libfakecxx.so.40" -Wl,--enable-new-dtags,-rpath,"$fixtures/cxx"
    make_program "$fixtures/bin/through" -Wl,--no-as-needed "$fixtures/bin/libthrough.so" -Wl,-rpath,"$fixtures/bin" -Wl,-rpath-link,"$fixtures/cxx"
    make_program "$fixtures/bin/lacks-more" -Wl,--no-as-needed "$fixtures/cxx/libabsent.so.1"
    make_classes
}

# A program that uses classes, which refers to what the bindings have; it is called, as not all loaders bind it at once.
make_classes() {
    make_library "$fixtures/cxx/libclasses.so" libfakecxx.so.40 'void _ZN3MPI4InitEv(void) {}'
    sed 's/argc > 1/(_ZN3MPI4InitEv(), argc > 1)/; 1i void _ZN3MPI4InitEv(void);' "$fixtures/program.c" > "$fixtures/classes.c"
    $cc -o "$fixtures/bin/classes" "$fixtures/classes.c" "$fixtures/real/libmpi.so.40" "$fixtures/cxx/libclasses.so"
}

setup() {
    make_installation
    change_pair '/^application_sonames/s/$/ libfakecxx.so.40 libothercxx.so.40/'
    echo 'stand_ins = libfakecxx.so.40 libothercxx.so.40' >> "$pair/pair.conf"
    stand_in=$pair/stand-ins/libfakecxx.so.40
    make_stand_in libfakecxx.so.40 libothercxx.so.40
    make_stand_in libothercxx.so.40 libfakecxx.so.40
}

# make_stand_in NAME OTHER
make_stand_in() {
    local other=$BATS_TEST_TMPDIR/link/$2
    make_library "$other" "$2" ''
    make_library "$pair/stand-ins/$1/$1" "$1" ''
    make_library "$pair/stand-ins/$1/by-$2/$1" "$1" '' -Wl,--no-as-needed "$other"
}

@test "a stand-in serves a program that needs bindings that are not there" {
    run --separate-stderr "$adapter" run cxx-app
    [ "$status" -eq 0 ]
    [ "$output" = adapter ]
    [ -z "$stderr" ]
    run "$adapter" run cxx-app env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$pair:$fixtures/host:$stand_in" ]
    run --separate-stderr "$adapter" run -v cxx-app
    [[ $stderr == *"libfakecxx.so.40 is not found; the stand-in $stand_in/libfakecxx.so.40 serves"* ]]
}

@test "a program whose bindings are found keeps them" {
    run "$adapter" run owner env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$pair:$fixtures/host" ]
    run --separate-stderr "$adapter" run -v owner
    [[ $stderr == *"bindings for C++ $fixtures/cxx/libfakecxx.so.40"* ]]
    LD_LIBRARY_PATH+=:$fixtures/cxx
    run "$adapter" run cxx-app env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$pair:$LD_LIBRARY_PATH" ]
}

@test "a library of the program may need them, and exec and env give the same" {
    run "$adapter" run through
    [ "$output" = adapter ]
    run "$adapter" exec -- mpiexec.fakempich -n 1 cxx-app
    [ "$output" = adapter ]
    run "$adapter" env cxx-app
    [[ $output == "export LD_LIBRARY_PATH="*"$pair:$fixtures/host:$stand_in"* ]]
}

@test "bindings that are there by another name serve in the stand-in's place" {
    LD_LIBRARY_PATH+=:$fixtures/other
    run --separate-stderr "$adapter" run -v cxx-app
    [ "$output" = adapter ]
    [[ $stderr == *"bindings for C++ $fixtures/other/libothercxx.so.40"* ]]
    make_library "$BATS_TEST_TMPDIR/libothercxx.so.40" libothercxx.so.40 'void _ZN3MPI4InitEv(void) {}'
    LD_LIBRARY_PATH=$fixtures/host:$BATS_TEST_TMPDIR
    run --separate-stderr "$adapter" run classes
    [ "$output" = adapter ]
    [ -z "$stderr" ]
}

@test "a program may need them by all their names, and one that runs another that needs them by another name" {
    make_program "$fixtures/bin/both" -Wl,--no-as-needed "$fixtures/cxx/libfakecxx.so.40" "$fixtures/other/libothercxx.so.40"
    run "$adapter" run both
    [ "$output" = adapter ]
    run "$adapter" run both env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$pair:$fixtures/host:$stand_in:$pair/stand-ins/libothercxx.so.40" ]
    LD_LIBRARY_PATH+=:$pair/stand-ins/libothercxx.so.40
    run "$adapter" run cxx-app
    [ "$output" = adapter ]
}

@test "nothing stands in for other libraries" {
    run -127 --separate-stderr "$adapter" run lacks-more
    [[ $stderr == *libabsent.so.1:*'cannot open shared object file'* ]]
}

@test "a program that uses the classes is told what is missing, and so says explain" {
    run -127 --separate-stderr "$adapter" run classes
    [ "${stderr_lines[0]}" = "mpi-adapter: $fixtures/bin/classes uses MPI's classes for C++, as _ZN3MPI4InitEv, and libfakecxx.so.40, which has them, is not found; install it or add its folder to LD_LIBRARY_PATH" ]
    [[ $stderr == *'undefined symbol: _ZN3MPI4InitEv'* ]]
    printf 'MPI_Init direct MPI_Init - 1\n' > "$pair/procedures.conf"
    run "$adapter" explain classes
    [[ $output == *$'\n    not found, so stand-ins serve, but for what is missing: libfakecxx.so.40\n'* ]]
    grep -qE '^  _ZN3MPI4InitEv +missing$' <<< "$output"
    run "$adapter" explain --json classes
    [[ $output == *'"stand_ins": ["libfakecxx.so.40"]'*'"_ZN3MPI4InitEv": "missing"'* ]]
    # By the other name they are there.
    make_library "$BATS_TEST_TMPDIR/libothercxx.so.40" libothercxx.so.40 'void _ZN3MPI4InitEv(void) {}'
    LD_LIBRARY_PATH+=:$BATS_TEST_TMPDIR
    run "$adapter" explain classes
    grep -qE '^  _ZN3MPI4InitEv +converted$' <<< "$output"
    run "$adapter" explain owner
    [[ $output != *stand-ins* ]]
}
