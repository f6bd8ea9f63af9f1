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
    $cc -o "$fixtures/bin/starts" "$BATS_TEST_DIRNAME/guard_starts.c"
    sed 's/return 0;$/return leave(argc > 2 ? argv[2] : "");/; s/argc < 3/argc < 4/
        s/^int main/#include <stdlib.h>\n#include <string.h>\n#include <sys\/wait.h>\n#include <unistd.h>\n&/' "$fixtures/opener.c" |
        sed '/^int main/i static int leave(const char *how)\
{\
    fflush(stdout);\
    if (!strcmp(how, "_exit")) _exit(0);\
    if (!strcmp(how, "_Exit")) _Exit(0);\
    if (!strcmp(how, "quick_exit")) quick_exit(0);\
    if (!strcmp(how, "exec")) execlp("true", "true", (char *)NULL);\
    if (!strcmp(how, "fork") && fork() == 0) _exit(0);\
    if (!strcmp(how, "fork")) wait(NULL);\
    return 0;\
}' > "$fixtures/leaver.c"
    $cc -o "$fixtures/bin/leaver" "$fixtures/leaver.c" -ldl
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

@test "another MPI that was used says so where the process skips its destructors, and once" {
    local how
    for how in _exit _Exit quick_exit exec fork; do
        refused leaver "$fixtures/native/libmpi.so.40" "$how"
        [ "$output" = real ]
    done
}

@test "another MPI that a child of fork uses says so" {
    cat > "$BATS_TEST_TMPDIR/forks.c" <<'END'
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int status = 0;
    if (fork() == 0) {
        void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
        if (library)
            ((const char *(*)(void))dlsym(library, "MPI_Whose"))();
        _exit(0);
    }
    wait(&status);
    return WEXITSTATUS(status);
}
END
    $cc -o "$BATS_TEST_TMPDIR/forks" "$BATS_TEST_TMPDIR/forks.c" -ldl
    refused "$BATS_TEST_TMPDIR/forks" "$fixtures/native/libmpi.so.40"
}

# lone MESSAGE PROGRAM...: the rank of a job of two by the host's launcher ends with this message, or runs as it would alone.
lone() {
    local message=$1; shift
    run --separate-stderr "$adapter" run --from openmpi "$@"
    echo "status $status, stdout: $output, stderr: $stderr"
    if [ -z "$message" ]; then
        [ "$status" -eq 0 ] || return
        [ -z "$stderr" ]
        return
    fi
    [ "$status" -eq 1 ] && [ "$(wc -l <<< "$stderr")" -eq 1 ] && [[ $stderr == "mpi-adapter: "*"$message"* ]]
}

@test "an MPI of another family, whose own launcher did not start the rank, says so and fails" {
    local lone=$BATS_TEST_TMPDIR/libmpi_other.so.7
    make_library "$lone" libmpi_other.so.7 '#include <string.h>
        static int used; const char *MPI_Whose(void) { used = 1; return "lone"; }
        int MPI_Initialized(int *flag) { *flag = used; return 0; }
        char version[] = "Open MPI v4";
        int MPI_Get_library_version(char *text, int *length) { strcpy(text, version); *length = 11; return 0; }'
    export PMI_RANK=0 PMI_SIZE=2
    lone "runs on $lone, which is not adapted, so each rank is alone; give 'mpi-adapter run --from'" opener "$lone"
    lone '' opener "$lone" unused
    # Natively it is not alone, or everybody is.
    OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 lone '' opener "$lone"
    PMI_SIZE=1 lone '' opener "$lone"
    # The host's own MPI is no other.
    sed -i 's/Open MPI v4/MPICH Ver/' "$lone"
    lone '' opener "$lone"
}

@test "an MPI of a maker's name is known by its ABI" {
    local lone=$BATS_TEST_TMPDIR/libmpi_other.so.7 symbol message
    export PMI_RANK=0 PMI_SIZE=2
    for symbol in ompi_mpi_comm_world MPIR_Dup_fn other_symbol; do
        make_library "$lone" libmpi_other.so.7 "#include <string.h>
            static int used; int $symbol; const char *MPI_Whose(void) { used = 1; return \"lone\"; }
            int MPI_Initialized(int *flag) { *flag = used; return 0; }
            int MPI_Get_library_version(char *text, int *length) { strcpy(text, \"A Maker's\"); *length = 9; return 0; }"
        message=''
        [ $symbol != ompi_mpi_comm_world ] || message="runs on $lone, which is not adapted, so each rank is alone"
        lone "$message" opener "$lone"
        # The library's hash table may be either kind.
        make_library "$lone" libmpi_other.so.7 "$(sed -n 's/^/ /p' <<< "int $symbol;
            static int used; const char *MPI_Whose(void) { used = 1; return \"lone\"; }
            int MPI_Initialized(int *flag) { *flag = used; return 0; }")" -Wl,--hash-style=sysv
        lone "$message" opener "$lone"
    done
}

@test "the program's own MPI in LD_PRELOAD, by its path" {
    local preload=$fixtures/native/libmpi.so.40 program
    for program in app 'opener libmpi.so.40' 'rpath-app'; do
        LD_PRELOAD=$preload adapted $program
        script "export LD_PRELOAD=$preload:\$LD_PRELOAD; exec $program"
        adapted "$script"
        script "export LD_PRELOAD=$preload; exec $program"
        adapted "$script"
        script "LD_PRELOAD=$preload $program"
        adapted "$script"
        adapted env LD_PRELOAD="$preload" $program
    done
}

@test "the program's own MPI in LD_PRELOAD, by a name that says more than its soname" {
    local program folder=$BATS_TEST_TMPDIR/versions
    mkdir "$folder"
    cp "$fixtures/native/libmpi.so.40" "$folder/libmpi.so.40.9.9"
    export LD_LIBRARY_PATH=$folder
    for program in app 'opener libmpi.so.40' 'rpath-app'; do
        # shellcheck disable=SC2086  # words
        LD_PRELOAD=libmpi.so.40.9.9 adapted $program
        script "LD_PRELOAD=libmpi.so.40.9.9 exec $program"
        adapted "$script"
        # shellcheck disable=SC2086
        LD_PRELOAD=$folder/libmpi.so.40.9.9 adapted $program
    done
}

@test "programs of the address sanitizer run where a library is preloaded, with its options or their own" {
    local name options='const char *__asan_default_options(void) { return "detect_leaks=0"; }'
    export ASAN_OPTIONS=detect_leaks=0
    $cc -fsanitize=address -x c -o "$BATS_TEST_TMPDIR/empty" - <<< 'int main(void) { return 0; }' && "$BATS_TEST_TMPDIR/empty" ||
        skip 'no run time of the address sanitizer'
    cd "$BATS_TEST_TMPDIR"
    echo "$options" > options.c
    make_program ./plain -fsanitize=address
    make_program ./rpath -fsanitize=address -Wl,--disable-new-dtags,-rpath,"$fixtures/real"
    make_program ./options -fsanitize=address options.c -Wl,--disable-new-dtags,-rpath,"$fixtures/real"
    $cc -fsanitize=address -o opener "$fixtures/opener.c" -ldl
    adapted ./rpath
    adapted ./options
    adapted ./opener libmpi.so.40
    for name in ./plain ./rpath './opener libmpi.so.40'; do
        script "ASAN_OPTIONS=detect_leaks=0:strict_init_order=1 exec $name"
        adapted "$script"
    done
    # Options of the user count, too.
    ASAN_OPTIONS=detect_leaks=0:help=1 run --separate-stderr "$adapter" run ./options
    [[ $stderr == *'Available flags for AddressSanitizer'* ]]
}

@test "whichever function starts a program, a wrapper that replaces LD_PRELOAD does not lead to another MPI" {
    local function functions='execve execv execvp execvpe execl execlp execle fexecve vfork posix_spawn posix_spawnp system popen'
    local preload=$fixtures/native/libmpi.so.40
    export APP_FOLDER=$fixtures/bin
    printf '#include <features.h>\n#if __GLIBC_PREREQ(2, 34)\nexecveat\n#endif\n' | $cc -E -P - | grep -qx execveat && functions+=' execveat'
    for function in $functions; do
        adapted starts $function "$preload"
        # One that clears all paths, too.
        LD_LIBRARY_PATH='' adapted env -u LD_LIBRARY_PATH starts $function
    done
}

@test "a wrapper that clears LD_PRELOAD and LD_LIBRARY_PATH" {
    script "unset LD_PRELOAD; LD_LIBRARY_PATH=$fixtures/native; export LD_LIBRARY_PATH; exec app"
    adapted "$script"
    script 'unset LD_PRELOAD LD_LIBRARY_PATH; exec rpath-app'
    adapted "$script"
    script 'exec env -u LD_PRELOAD -u LD_LIBRARY_PATH opener libmpi.so.40'
    adapted "$script"
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

@test "a rank that uses no MPI ends well, whatever a library of its own holds" {
    make_library "$BATS_TEST_TMPDIR/holds.so" holds.so \
        'const char *text(void) { return "Attempting to use an MPI routine before initializing or after finalizing MPICH"; }' -s
    PMI_RANK=0 PMI_SIZE=2 run "$adapter" env --from openmpi opener
    eval "$(grep export <<< "$output")"
    PMI_RANK=0 PMI_SIZE=2 run "$fixtures/bin/opener" "$BATS_TEST_TMPDIR/holds.so" no
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$output" = none ]
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
