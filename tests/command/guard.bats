# SPDX-License-Identifier: BSD-3-Clause
# Whatever stands between the launcher and MPI, a rank is adapted or fails.

load false_mpis

setup_file() {
    make_fixtures
    # An MPI that can tell whether it was used.
    make_library "$fixtures/native/libmpi.so.40" libmpi.so.40 \
        "$fake_openmpi static int used; const char *MPI_Whose(void) { used = 1; return \"real\"; }
         int MPI_Initialized(int *flag) { *flag = used; return 0; }"
    cat > "$fixtures/opener.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    void *l = dlopen(argv[1], RTLD_NOW);
    const char *(*whose)(void) = l && argc < 3 ? (const char *(*)(void))dlsym(l, "MPI_Whose") : 0;
    puts(whose ? whose() : dlsym(RTLD_DEFAULT, "MPI_Whose") ? "global" : "none");
    return 0;
}
END
    $cc -o "$fixtures/bin/opener" "$fixtures/opener.c" -ldl
    $cc -o "$fixtures/bin/rpath-opener" "$fixtures/opener.c" -ldl \
        -Wl,--disable-new-dtags,-rpath,"$fixtures/native"
    ln -s libmpi.so.40 "$fixtures/native/libmpi.so"
}

setup() {
    make_installation
    ln -s libmpi.so.40 "$pair/libmpi.so"
    export MPI_ADAPTER_HOST_LIBRARY=$fixtures/host/libfakempich.so.12
}

# script TEXT: a program of a shell, in $script.
script() {
    script=$BATS_TEST_TMPDIR/script
    printf '#!/bin/sh\n%s\n' "$1" > "$script"
    chmod +x "$script"
}

adapted() {
    run --separate-stderr "$adapter" run --from openmpi "$@"
    echo "status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq 0 ] && [ "$output" = adapter ] && [ -z "$stderr" ]
}

refused() {
    run --separate-stderr "$adapter" run --from openmpi "$@"
    echo "status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq 1 ] && [ "$(wc -l <<< "$stderr")" -eq 1 ] && [[ $stderr == 'mpi-adapter: '*"runs on $fixtures/native/libmpi.so.40 instead of $pair/libmpi.so.40, so it was not adapted; "* ]]
}

@test "a wrapper that puts a folder ahead in LD_LIBRARY_PATH, or clears it" {
    local program change
    for program in app 'opener libmpi.so.40' rpath-app 'rpath-opener libmpi.so.40' 'opener libmpi.so'; do
        for change in "export LD_LIBRARY_PATH=$fixtures/native:\$LD_LIBRARY_PATH" \
            "export LD_LIBRARY_PATH=$fixtures/native" 'unset LD_LIBRARY_PATH' true; do
            script "$change; exec $program"
            [ "$program/$change" = 'app/unset LD_LIBRARY_PATH' ] || adapted "$script"
        done
    done
}

@test "wrappers in wrappers" {
    script "LD_LIBRARY_PATH=$fixtures/native; export LD_LIBRARY_PATH; sh -c 'LD_LIBRARY_PATH=$fixtures/native:\$LD_LIBRARY_PATH; env opener libmpi.so.40'"
    adapted "$script"
}

@test "a shell that has an environment of its own before it starts" {
    local shell
    shell=$(type -P bash)
    script "LD_LIBRARY_PATH=$fixtures/native; export LD_LIBRARY_PATH
        exec timeout 300 $shell -c 'opener libmpi.so.40; exit \$?'"
    sed -i "1s|.*|#!$shell|" "$script"
    adapted "$script"
}

@test "a wrapper that clears LD_PRELOAD" {
    local program
    for program in app 'opener libmpi.so.40'; do
        script "unset LD_PRELOAD; exec $program"
        adapted "$script"
    done
}

@test "a program that starts another one, without a script" {
    echo '#include <unistd.h>
        int main(int c, char **v) { (void)c; execvp(v[1], v + 1); return 1; }' | compile "$BATS_TEST_TMPDIR/starter"
    LD_LIBRARY_PATH=$fixtures/native:$LD_LIBRARY_PATH adapted "$BATS_TEST_TMPDIR/starter" app
    adapted "$BATS_TEST_TMPDIR/starter" env LD_LIBRARY_PATH="$fixtures/native" opener libmpi.so.40
}

@test "a module's own path does not lead to another MPI" {
    adapted rpath-opener libmpi.so.40
    adapted rpath-opener libmpi.so
    [ "$(rpath-opener libmpi.so.40)" = real ]
}

@test "another MPI that was used says so and fails" {
    refused opener "$fixtures/native/libmpi.so.40"
    script "opener $fixtures/native/libmpi.so.40"
    refused "$script"
    # One that is only there does no harm.
    run --separate-stderr "$adapter" run --from openmpi opener "$fixtures/native/libmpi.so.40" unused
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "a program that a fixed place leads elsewhere fails before it starts" {
    mkdir "$BATS_TEST_TMPDIR/fixed"
    echo 'const char *MPI_Whose(void) { return "real"; }' |
        compile "$BATS_TEST_TMPDIR/fixed/libmpi.so.40" -shared -fPIC
    $cc -o "$BATS_TEST_TMPDIR/fixed-app" "$fixtures/program.c" "$BATS_TEST_TMPDIR/fixed/libmpi.so.40"
    [ "$("$BATS_TEST_TMPDIR/fixed-app")" = real ]
    script "exec $BATS_TEST_TMPDIR/fixed-app"
    run --separate-stderr "$adapter" run "$script"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == 'mpi-adapter: '*"runs on $BATS_TEST_TMPDIR/fixed/libmpi.so.40 instead of"* ]]
}

@test "the name, arguments and environment survive a new start" {
    script "LD_LIBRARY_PATH=$fixtures/native; export LD_LIBRARY_PATH; exec app args 'a b' '' '*'"
    run "$adapter" run "$script"
    [ "$output" = $'<a b>\n<>\n<*>' ]
    script "LD_LIBRARY_PATH=$fixtures/native; export LD_LIBRARY_PATH; exec app env LD_LIBRARY_PATH MPI_ADAPTER_RESTARTED"
    run "$adapter" run "$script"
    [ "${lines[0]}" = "LD_LIBRARY_PATH=$pair:$fixtures/native:$fixtures/host" ]
    [ "${lines[1]}" = 'MPI_ADAPTER_RESTARTED=(unset)' ]
}

@test "processes that load nothing late get no MPI" {
    script 'cat /proc/self/maps'
    run "$adapter" run "$script"
    [ "$status" -eq 0 ]
    [[ $output == *guard.so* ]]
    [[ $output != *libmpi* ]]
}

@test "what a late program loads of the adapter is seen by nobody who does not ask" {
    run "$adapter" run --from openmpi opener libc.so.6 no
    [ "$output" = none ]
}

@test "env prints the guard for a script, a program with MPI needs none" {
    script 'exec opener libmpi.so.40'
    run "$adapter" env --from openmpi "$script"
    [[ $output == *"export LD_PRELOAD='$prefix/lib/mpi-adapter/guard.so'"* ]]
    eval "$output"
    LD_LIBRARY_PATH=$fixtures/native run "$script"
    [ "$output" = adapter ]
    unset LD_PRELOAD MPI_ADAPTER_PRELOAD MPI_ADAPTER_LIBRARY_PATH
    run "$adapter" run app env LD_PRELOAD
    [ "$output" = 'LD_PRELOAD=(unset)' ]
}

@test "a run within a run starts anew" {
    script "exec $adapter run app env LD_PRELOAD MPI_ADAPTER_PRELOAD MPI_ADAPTER_LIBRARY_PATH"
    run "$adapter" run "$script"
    [ "$output" = $'LD_PRELOAD=(unset)\nMPI_ADAPTER_PRELOAD=(unset)\nMPI_ADAPTER_LIBRARY_PATH=(unset)' ]
    make_library "$BATS_TEST_TMPDIR/tool.so" tool.so 'int tool;'
    LD_PRELOAD=$BATS_TEST_TMPDIR/tool.so run "$adapter" run "$script"
    [ "${lines[0]}" = "LD_PRELOAD=$BATS_TEST_TMPDIR/tool.so" ]
}

@test "an installation whose name LD_PRELOAD cannot hold says what it cannot see" {
    make_installation 'pre fix'
    script 'exec app'
    run --separate-stderr "$adapter" run "$script"
    [ "$output" = adapter ]
    [[ $stderr == *'goes unnoticed; install into another folder' ]]
}

@test "an installation without the guard" {
    rm "$prefix/lib/mpi-adapter/guard.so"
    script 'exec app'
    run --separate-stderr "$adapter" run "$script"
    fails_with 1 'guard.so is missing'
}
