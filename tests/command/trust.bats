# SPDX-License-Identifier: BSD-3-Clause
# A file that is examined does not run, nor does anything that it names.

load false_mpis

setup_file() {
    make_fixtures
    # Whatever runs of these leaves a mark.
    evil='#include <fcntl.h>
        #include <unistd.h>
        static void mark(void) { close(open("'$BATS_FILE_TMPDIR/mark'", O_CREAT | O_WRONLY, 0600)); }
        __attribute__((constructor)) static void start(void) { mark(); }
        unsigned la_version(unsigned v) { mark(); return v; }
        void *picked(void) { mark(); return 0; }
        void *chosen(void) __attribute__((ifunc("picked")));'
    make_library "$fixtures/evil/libevil.so" libevil.so "$evil"
    compile "$fixtures/evil/loader" -static <<< "$evil int main(void) { mark(); return 0; }"
}

setup() {
    make_installation
    rm -f "$BATS_FILE_TMPDIR/mark"
    cd "$BATS_TEST_TMPDIR"
    export LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$fixtures/evil
    : > "$pair/procedures.conf"
}

# No command but run itself starts it, and that one only by the launcher.
nothing_runs() {
    local command
    for command in explain 'explain --json' env 'run --launcher /no/launcher' ; do
        # shellcheck disable=SC2086
        "$adapter" $command "$@" > output 2>&1 || grep -q '^mpi-adapter: ' output
        [ ! -e "$BATS_FILE_TMPDIR/mark" ] || { echo "'$command' ran something"; return 1; }
    done
    "$adapter" explain "$@"
}

@test "the mark is made where something runs" {
    "$fixtures/evil/loader"
    rm "$BATS_FILE_TMPDIR/mark"
    make_program "$PWD/audited" -Wl,--audit="$fixtures/evil/libevil.so"
    LD_TRACE_LOADED_OBJECTS=1 ./audited
    [ -e "$BATS_FILE_TMPDIR/mark" ]
}

@test "its interpreter" {
    make_program "$PWD/app" -Wl,--dynamic-linker="$fixtures/evil/loader"
    nothing_runs ./app
}

@test "audit libraries" {
    make_program "$PWD/app" -Wl,--audit="$fixtures/evil/libevil.so"
    nothing_runs ./app
    make_program "$PWD/app" -Wl,--depaudit="$fixtures/evil/libevil.so"
    nothing_runs ./app
}

@test "filters, needs, and audit libraries of a library" {
    make_library "$PWD/libfilter.so" libfilter.so 'int filter;' -Wl,--filter="$fixtures/evil/libevil.so"
    make_library "$PWD/libauxiliary.so" libauxiliary.so 'int auxiliary;' -Wl,--auxiliary="$fixtures/evil/libevil.so"
    make_library "$PWD/libaudited.so" libaudited.so 'int audited;' -Wl,--audit="$fixtures/evil/libevil.so"
    make_program "$PWD/app" -Wl,--no-as-needed ./libfilter.so ./libauxiliary.so ./libaudited.so "$fixtures/evil/libevil.so" \
        -Wl,-rpath,"$PWD"
    nothing_runs ./app
    nothing_runs --from openmpi ./libaudited.so
    nothing_runs --from openmpi "$fixtures/evil/libevil.so"
}

@test "what a host library names does not run either" {
    make_library "$BATS_TEST_TMPDIR/host/libfakempich.so.12" libfakempich.so.12 "$fake_host" \
        -Wl,--no-as-needed "$fixtures/evil/libevil.so" -Wl,--audit="$fixtures/evil/libevil.so"
    LD_LIBRARY_PATH=$BATS_TEST_TMPDIR/host:$LD_LIBRARY_PATH "$adapter" list
    [ ! -e "$BATS_FILE_TMPDIR/mark" ]
}
