#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The host is isolated although a tool rewrites its slots after they were bound, or hides from the adapter what was loaded.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# worked COMMAND...: the work is right. Open MPI loads ROMIO for it, a plugin that calls MPI.
worked() {
    choose_windows
    OMPI_MCA_io=romio321 adapted "$@" > output 2> messages || { cat output messages; return 1; }
    cat output messages
    [ "$(cat output)" = right ]
}

# wrapped COMMAND...: the tool sees the program's calls alone, and those that the host makes of itself go to the host.
wrapped() {
    worked "$@"
    grep -qx 'wraps: 1 0 1 0 1, P 0 0 0 0 0' messages
}

wraps_all() {
    compile_wraps
    wrapped env LD_PRELOAD="$PWD/wraps.so" MPI_ADAPTER_VERBOSE=1 ./work "$PWD/file"
    wrapped ./work "$PWD/file" "$PWD/wraps.so"
    wrapped env LD_PRELOAD="$PWD/wraps.so" WRAPS_LATE=1 ./work "$PWD/file" late
    wrapped env LD_PRELOAD="$PWD/wraps.so" WRAPS_LATE=1 ./work "$PWD/file" later
}

compile_wraps() {
    app_program work "$here/programs/work.c" -ldl
    app_program wraps.so -shared -fPIC "$here/programs/wraps.c" -I"$top/gotswap" -L"$build/gotswap" -lgotswap \
        -Wl,-rpath,"$build/gotswap" -ldl
}

@test "a tool that rewrites slots of MPI_ and PMPI_ names in every object wraps the program's calls alone" {
    for_each_pair wraps_all
}

refuses_last_word() {
    compile_wraps
    choose_windows
    OMPI_MCA_io=romio321 run adapted env LD_PRELOAD="$PWD/wraps.so" WRAPS_BACK=1 ./work "$PWD/file"
    echo "$output"
    [ "$status" -ne 0 ]
    grep -qE "^mpi-adapter: P?MPI_[A-Za-z_]+ of /[^ ]+ still leads to $PWD/wraps.so; run the program without the adapter" <<< "$output"
    [[ $output != *right* ]]
}

@test "a tool that rewrites slots whoever binds them is refused by its name" {
    # The host's half of a pair refuses: one pair for each host is enough.
    PAIRS=$(native_pairs) for_each_pair refuses_last_word
}

sees_loaded() {
    app_program work "$here/programs/work.c" -ldl
    "$CC" -shared -fPIC -o old_list.so "$here/programs/old_list.c" -ldl
    worked env LD_PRELOAD="$PWD/old_list.so" ./work "$PWD/file"
}

@test "what is loaded is isolated although the program's dl_iterate_phdr shows an old list" {
    for_each_pair sees_loaded
}

refuses_wrappers() {
    app_program rank "$here/programs/work.c" -ldl
    run adapted env LD_PRELOAD="$BATS_TEST_TMPDIR/libmpiwrap-test.so:$BATS_TEST_TMPDIR/vgpreload_core-test.so" ./rank "$PWD/file"
    echo "$output"
    [ "$status" -ne 0 ]
    [[ $output == *"valgrind's wrappers of MPI ($BATS_TEST_TMPDIR/libmpiwrap-test.so) would wrap the host's procedures, too; run valgrind without them"* ]]
    # By themselves they wrap nothing.
    worked env LD_PRELOAD="$BATS_TEST_TMPDIR/libmpiwrap-test.so" ./rank "$PWD/file"
}

@test "valgrind's wrappers of MPI are refused in one line" {
    "$CC" -shared -fPIC -o libmpiwrap-test.so -x c /dev/null
    cp libmpiwrap-test.so vgpreload_core-test.so
    for_each_pair refuses_wrappers
}
