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
    for command in explain 'explain --json' check 'check --json' env 'run --launcher /no/launcher' ; do
        # shellcheck disable=SC2086
        "$adapter" $command "$@" > output 2>&1 || grep -q '^mpi-adapter: \|runs here:\|"runs":' output
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

@test "launchers and compilers that lie beside an MPI of its own" {
    local name
    unset LD_LIBRARY_PATH
    mkdir -p tree/bin
    make_library "$PWD/tree/lib/libmpi.so.40" libmpi.so.40 "$fake_openmpi const char *MPI_Whose(void) { return \"tree\"; }"
    make_program "$PWD/tree/bin/app" -Wl,-rpath,'$ORIGIN/../lib'
    for name in mpiexec mpiexec.openmpi mpirun orterun mpicc; do
        printf '#!/bin/sh\n: > %s/mark\necho "mpiexec (Open MPI) 5.0.7"\n' "$BATS_FILE_TMPDIR" > "tree/bin/$name"
        chmod +x "tree/bin/$name"
    done
    nothing_runs ./tree/bin/app
    "$adapter" check ./tree/bin
    "$adapter" doctor "$PWD/tree"
    LD_LIBRARY_PATH=$fixtures/host "$adapter" splice --dry-run "$PWD/tree"
    [ ! -e "$BATS_FILE_TMPDIR/mark" ]
    # It is the launcher by which the program would be started.
    "$adapter" check ./tree/bin/app | grep 'launcher: .*/tree/bin/.*mpiexec'
    "$adapter" run ./tree/bin/app whose
    [ -e "$BATS_FILE_TMPDIR/mark" ]
}

# executed COMMAND...: prints each program that the command and its children executed, a line each.
executed() {
    strace -f --seccomp-bpf -qq -e trace=execve,execveat -e signal=none -s 4096 -o calls "$@" > output 2>&1 || [ "$?" -le 2 ]
    sed -nE 's/^[0-9 ]*execve(at)?\([^"]*"([^"]*)".* = 0$/\2/p' calls | sort -u
}

# executes_nothing_of_tree COMMAND [NAME=VALUE]
executes_nothing_of_tree() {
    local list
    # shellcheck disable=SC2086
    list=$(executed env ${2:+"$2"} "$adapter" $1)
    if [[ $list != *bin/mpi-adapter* || $list$'\n' == *"$PWD"/@(tree|elsewhere)/* || $list == *@(mpiexec|mpirun|orterun|srun)* || -e $BATS_FILE_TMPDIR/mark ]]; then
        echo "with '${2-}' '$1' executed $list"
        return 1
    fi
}

@test "check, explain, list, env and splice execute nothing of a tree, by whatever way its launchers are found" {
    local name command list
    command -v strace > /dev/null || skip "no strace"
    unset LD_LIBRARY_PATH
    mkdir -p tree/bin elsewhere
    make_library "$PWD/tree/lib/libmpi.so.40" libmpi.so.40 "$fake_openmpi const char *MPI_Whose(void) { return \"tree\"; }"
    make_library "$PWD/tree/lib/libfakempich.so.12" libfakempich.so.12 "$fake_host"
    make_program "$PWD/tree/bin/app" -Wl,-rpath,'$ORIGIN/../lib'
    printf '#!/bin/sh\nexec "${0%%/*}/app"\n' > tree/bin/script
    for name in mpiexec mpiexec.openmpi mpiexec.fakempich mpiexec.otherfakempich mpirun orterun mpicc srun; do
        printf '#!/bin/sh\n: > %s/mark\n' "$BATS_FILE_TMPDIR" > "tree/bin/$name"
    done
    chmod +x tree/bin/*
    ln -s "$PWD/tree/bin/mpiexec" elsewhere/mpiexec.fakempich
    for command in 'check tree/bin/script' 'check --json --to mpich tree/bin/app' 'explain tree/lib/libmpi.so.40' 'list --json' \
        'env --to mpich tree/bin/app' "splice $PWD/tree" "doctor $PWD/tree" "splice --undo $PWD/tree"; do
        executes_nothing_of_tree "$command"
    done
    export LD_LIBRARY_PATH=$fixtures/host
    for name in "PATH=$PWD/elsewhere:$PATH" "MPI_ADAPTER_LAUNCHER=$PWD/tree/bin/mpiexec" "MPI_ADAPTER_HOST_PREFIXES=$PWD/tree"; do
        executes_nothing_of_tree 'check --to mpich tree/bin/app' "$name"
        executes_nothing_of_tree list "$name"
    done
    executes_nothing_of_tree "splice --dry-run $PWD/tree" "LD_LIBRARY_PATH=$PWD/tree/lib"
    executes_nothing_of_tree 'explain tree/bin/app' "PATH=$PWD/tree/bin:$PATH"
    # The list has what is executed.
    list=$(executed "$adapter" run --launcher "$PWD/tree/bin/mpiexec.fakempich" --to mpich ./tree/bin/app)
    [[ $list == *"$PWD/tree/bin/mpiexec.fakempich"* ]] || { cat output; false; }
}

@test "an examined launcher is known by its file, and one that tells nothing is taken for what it is called" {
    unset MPI_ADAPTER_LAUNCHER
    mkdir other
    printf '#!/bin/sh\n: > mark\nexec /opt/mpiexec.hydra "$@"\n' > other/mpiexec.fakempich
    chmod +x other/mpiexec.fakempich
    make_program "$PWD/app"
    PATH=$PWD/other:$PATH "$adapter" check --to mpich ./app | grep "launcher: *$PWD/other/mpiexec.fakempich"
    [ ! -e mark ]
    printf '#!/bin/sh\n# Open MPI\n: > mark\n' > other/mpiexec.fakempich
    PATH=$PWD/other:$PATH MPI_ADAPTER_LAUNCHER=$PWD/other/mpiexec.fakempich run "$adapter" check --to mpich ./app
    [ "$status" -eq 1 ]
    [[ $output == *"the launcher $PWD/other/mpiexec.fakempich is not one of mpich"* ]]
    [ ! -e mark ]
}

@test "a launcher whose file tells what it is is started once, and one that tells nothing is asked for its version before" {
    local command
    export MPI_ADAPTER_LAUNCHER=$PWD/mpiexec PATH=$PWD:$PATH
    make_program "$PWD/app"
    printf '#!/bin/sh\nmpiexec ./app\n' > script
    chmod +x script
    for command in 'run --to mpich -- ./app' "exec --to mpich -- $PWD/mpiexec ./app" 'shell --to mpich ./script'; do
        rm -f calls
        printf '#!/bin/sh\necho "$*" >> %s/calls\n# HYDRA\n' "$PWD" > mpiexec
        chmod +x mpiexec
        # shellcheck disable=SC2086
        "$adapter" $command
        echo "$command: $(cat calls)"
        [ "$(wc -l < calls)" -eq 1 ]
        if grep -e --version calls; then false; fi
        printf '#!/bin/sh\necho "$*" >> %s/calls\necho HY"DRA"\n' "$PWD" > mpiexec
        # shellcheck disable=SC2086
        "$adapter" $command
        grep -e '^--version$' calls
    done
}
