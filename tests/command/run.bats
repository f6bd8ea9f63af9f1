# SPDX-License-Identifier: BSD-3-Clause
# Programs and environments that "mpi-adapter run" starts.

load false_mpis

setup_file() { make_fixtures; }
setup() { make_installation; }

@test "a program gets the adapter instead of its MPI" {
    run --separate-stderr "$adapter" run app
    [ "$status" -eq 0 ]
    [ "$output" = adapter ]
    [ -z "$stderr" ]
}

@test "the exit status is the program's" {
    run "$adapter" run app exit 42
    [ "$status" -eq 42 ]
}

@test "standard input reaches the program untouched" {
    head -c 100000 /dev/urandom > "$BATS_TEST_TMPDIR/in"
    "$adapter" run app cat < "$BATS_TEST_TMPDIR/in" > "$BATS_TEST_TMPDIR/out"
    cmp "$BATS_TEST_TMPDIR/in" "$BATS_TEST_TMPDIR/out"
}

@test "standard error is the program's" {
    run --separate-stderr "$adapter" run app stderr
    [ "$stderr" = 'to stderr' ]
    [ -z "$output" ]
}

@test "arguments keep spaces, newlines, wildcards, quotes and emptiness" {
    cd "$fixtures"
    run "$adapter" run app args 'a b' '' '*' $'x\ny' "it's" '$HOME' '\' -n --from --
    [ "$output" = $'<a b>\n<>\n<*>\n<x\ny>\n<it\'s>\n<$HOME>\n<\\>\n<-n>\n<--from>\n<-->' ]
}

@test "SIGTERM to mpi-adapter reaches the program" {
    "$adapter" run app wait > "$BATS_TEST_TMPDIR/out" 3>&- &
    local pid=$! status=0
    for _ in $(seq 1000); do
        grep -q ready "$BATS_TEST_TMPDIR/out" && break
        sleep 0.05
    done
    kill -TERM "$pid"
    wait "$pid" || status=$?
    [ "$status" -eq 9 ]
    grep -q 'got TERM' "$BATS_TEST_TMPDIR/out"
}

@test "ranks get the environment, the launcher does not (Hydra)" {
    run "$adapter" run app env LD_LIBRARY_PATH LD_PRELOAD MPI_ADAPTER_PRELOAD
    [ "${lines[0]}" = "LD_LIBRARY_PATH=$pair:$fixtures/host" ]
    [ "${lines[1]}" = 'LD_PRELOAD=(unset)' ]
    [ "${lines[2]}" = 'MPI_ADAPTER_PRELOAD=(unset)' ]
    launcher_got "LD_LIBRARY_PATH=$fixtures/host"
    launcher_got 'argument -genv'
}

@test "ranks get the environment, the launcher does not (Open MPI)" {
    local folder=$BATS_TEST_TMPDIR/pairs/fake-to-openmpi
    add_pair "$folder" openmpi fakeopenmpi
    sed -i 's/fakefakeopenmpi/fakeopenmpi/' "$folder/pair.conf"
    export MPI_ADAPTER_PATH=${folder%/*}
    run "$adapter" run --to fakeopenmpi rpath-app env LD_LIBRARY_PATH MPI_ADAPTER_PRELOAD
    [ "${lines[0]}" = "LD_LIBRARY_PATH=$folder:$fixtures/host" ]
    [ "${lines[1]}" = "MPI_ADAPTER_PRELOAD=$folder/libmpi.so.40" ]
    launcher_got 'argument -x'
    launcher_got "LD_LIBRARY_PATH=$fixtures/host"
    launcher_got 'LD_PRELOAD=(unset)'
    launcher_got 'MPI_ADAPTER_PRELOAD=(unset)'
}

@test "without an LD_LIBRARY_PATH, the ranks' has no empty entry" {
    unset LD_LIBRARY_PATH
    make_library "$pair/libfakempich.so.12" libfakempich.so.12 "$fake_host"
    run "$adapter" run app env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$pair" ]
}

@test "a program inside a run does not collect the same folder twice" {
    export LD_LIBRARY_PATH=$pair:$fixtures/host
    run "$adapter" run app env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$pair:$fixtures/host" ]
}

@test "DT_RPATH does not keep the adapter out" {
    [ "$(rpath-app)" = real ]
    run "$adapter" run rpath-app
    [ "$output" = adapter ]
}

@test "DT_RPATH of a library that needs MPI does not keep the adapter out" {
    make_library "$BATS_TEST_TMPDIR/libmiddle.so" libmiddle.so \
        'const char *MPI_Whose(void); const char *middle(void) { return MPI_Whose(); }' \
        "$fixtures/real/libmpi.so.40" -Wl,--disable-new-dtags,-rpath,"$fixtures/real"
    echo '#include <stdio.h>
        const char *middle(void); int main(void) { puts(middle()); return 0; }' |
        compile "$BATS_TEST_TMPDIR/outer" "$BATS_TEST_TMPDIR/libmiddle.so" \
            -Wl,-rpath,"$BATS_TEST_TMPDIR",-rpath-link,"$fixtures/real"
    [ "$("$BATS_TEST_TMPDIR/outer")" = real ]
    run "$adapter" run "$BATS_TEST_TMPDIR/outer"
    [ "$output" = adapter ]
}

@test "a program with DT_RPATH gets LD_PRELOAD, behind the user's own" {
    make_library "$BATS_TEST_TMPDIR/tool.so" tool.so \
        'const char *MPI_Whose(void) { return "tool"; }'
    export LD_PRELOAD=$BATS_TEST_TMPDIR/tool.so
    run "$adapter" run rpath-app env LD_PRELOAD MPI_ADAPTER_PRELOAD
    [ "${lines[0]}" = "LD_PRELOAD=$LD_PRELOAD:$pair/libmpi.so.40" ]
    [ "${lines[1]}" = "MPI_ADAPTER_PRELOAD=$pair/libmpi.so.40" ]
    run "$adapter" run rpath-app
    [ "$output" = tool ]
}

@test "every library of the pair that DT_RPATH hides is preloaded" {
    make_library "$BATS_TEST_TMPDIR/real/libfakefort.so.40" libfakefort.so.40 'int fort;'
    make_library "$pair/libfakefort.so.40" libfakefort.so.40 'int fort;'
    make_program "$BATS_TEST_TMPDIR/fort" \
        -Wl,--no-as-needed "$BATS_TEST_TMPDIR/real/libfakefort.so.40" \
        -Wl,--disable-new-dtags,-rpath,"$fixtures/real:$BATS_TEST_TMPDIR/real"
    run "$adapter" run "$BATS_TEST_TMPDIR/fort" env MPI_ADAPTER_PRELOAD
    [ "$output" = "MPI_ADAPTER_PRELOAD=$pair/libmpi.so.40:$pair/libfakefort.so.40" ]
}

@test "DT_RUNPATH needs no LD_PRELOAD" {
    [ "$(LD_LIBRARY_PATH='' runpath-app)" = real ]
    run "$adapter" run runpath-app
    [ "$output" = adapter ]
    run "$adapter" run runpath-app env LD_PRELOAD
    [ "$output" = 'LD_PRELOAD=(unset)' ]
}

@test "--preload preloads without need" {
    run "$adapter" run --preload app env LD_PRELOAD
    [ "$output" = "LD_PRELOAD=$pair/libmpi.so.40" ]
}

@test "Open MPI's launcher, which puts its own folder ahead, does not hide the adapter" {
    local folder=$BATS_TEST_TMPDIR/pairs/fake-to-openmpi
    add_pair "$folder" openmpi fakeopenmpi
    sed -i 's/fakefakeopenmpi/fakeopenmpi/' "$folder/pair.conf"
    export MPI_ADAPTER_PATH=${folder%/*}
    local other=$BATS_TEST_TMPDIR/other
    write_launcher "$other/bin/launch" openmpi 'mpiexec (Open MPI) 5.0.7'
    sed -i "s|^exec .*|exec /usr/bin/env \"\${settings[@]}\" sh -c 'LD_LIBRARY_PATH=$other/lib:\$LD_LIBRARY_PATH exec \"\$@\"' sh \"\$@\"|" "$other/bin/launch"
    run "$adapter" run --to fakeopenmpi --launcher "$other/bin/launch" app env LD_PRELOAD
    [ "$output" = 'LD_PRELOAD=(unset)' ]
    mkdir "$other/lib"
    cp "$fixtures/real/libmpi.so.40" "$other/lib"
    run "$adapter" run --to fakeopenmpi --launcher "$other/bin/launch" app
    [ "$output" = adapter ]
}

@test "what is for Fortran is preloaded only for programs that need it" {
    local folder=$BATS_TEST_TMPDIR/pairs/fake-to-openmpi other=$BATS_TEST_TMPDIR/other
    add_pair "$folder" openmpi fakeopenmpi
    sed -i 's/fakefakeopenmpi/fakeopenmpi/' "$folder/pair.conf"
    echo 'fortran = libfakefort.so.40' >> "$folder/pair.conf"
    make_library "$folder/libfakefort.so.40" libfakefort.so.40 'int fort;'
    export MPI_ADAPTER_PATH=${folder%/*}
    write_launcher "$other/bin/launch" openmpi 'mpiexec (Open MPI) 5.0.7'
    mkdir "$other/lib"
    cp "$fixtures/real/libmpi.so.40" "$folder/libfakefort.so.40" "$other/lib"
    run "$adapter" run --to fakeopenmpi --launcher "$other/bin/launch" app env LD_PRELOAD
    [ "$output" = "LD_PRELOAD=$folder/libmpi.so.40" ]
    make_program "$BATS_TEST_TMPDIR/fort" -Wl,--no-as-needed "$folder/libfakefort.so.40"
    run "$adapter" run --to fakeopenmpi --launcher "$other/bin/launch" "$BATS_TEST_TMPDIR/fort" env LD_PRELOAD
    [ "$output" = "LD_PRELOAD=$folder/libmpi.so.40:$folder/libfakefort.so.40" ]
}

@test "a program that needs MPI only through another library is recognized" {
    make_library "$BATS_TEST_TMPDIR/libmiddle.so" libmiddle.so 'int middle;' \
        -Wl,--no-as-needed "$fixtures/real/libmpi.so.40"
    echo 'int main(void) { return 7; }' | compile "$BATS_TEST_TMPDIR/outer" \
        -Wl,--no-as-needed,--allow-shlib-undefined "$BATS_TEST_TMPDIR/libmiddle.so" \
        -Wl,-rpath,"$BATS_TEST_TMPDIR",-rpath-link,"$fixtures/real"
    run "$adapter" run "$BATS_TEST_TMPDIR/outer"
    [ "$status" -eq 7 ]
}

@test "the launcher starts one rank, or as many as -n says" {
    "$adapter" run app
    launcher_got 'argument 1'
    "$adapter" run -n 12 app
    launcher_got 'argument 12'
    "$adapter" run -np 013 app
    launcher_got 'argument 13'
    "$adapter" run -n14 app
    launcher_got 'argument 14'
}

@test "launcher arguments come first, in order, unchanged" {
    run "$adapter" run --launcher-arg --own --launcher-arg=--own app
    [ "$status" -eq 0 ]
    [ "$(grep -c '^argument --own$' "$LAUNCHER_LOG")" -eq 2 ]
    [ "$(grep -m1 ^argument "$LAUNCHER_LOG")" = 'argument --own' ]
}

@test "--launcher beats MPI_ADAPTER_LAUNCHER beats PATH" {
    local name
    for name in one two; do
        write_launcher "$BATS_TEST_TMPDIR/$name" hydra 'HYDRA'
        sed -i "s/^kind=.*/&; [ \"\$1\" = --version ] || echo $name/" "$BATS_TEST_TMPDIR/$name"
    done
    export MPI_ADAPTER_LAUNCHER=$BATS_TEST_TMPDIR/one
    run "$adapter" run app
    [ "${lines[0]}" = one ]
    run "$adapter" run --launcher "$BATS_TEST_TMPDIR/two" app
    [ "${lines[0]}" = two ]
}

@test "a launcher of another implementation is passed over" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    write_launcher "$BATS_TEST_TMPDIR/bin/mpiexec.fakempich" openmpi 'mpiexec (OpenRTE) 4.1.4'
    write_launcher "$BATS_TEST_TMPDIR/bin/mpiexec.othermpich" hydra 'HYDRA'
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run "$adapter" run -v app
    [ "$status" -eq 0 ]
    [[ $output == *"launcher $BATS_TEST_TMPDIR/bin/mpiexec.othermpich"* ]]
}

@test "a script runs by its interpreter's ABI" {
    printf '#!%s cat\n' "$fixtures/bin/app" > "$BATS_TEST_TMPDIR/script"
    chmod +x "$BATS_TEST_TMPDIR/script"
    echo 'from stdin' | "$adapter" run "$BATS_TEST_TMPDIR/script" > "$BATS_TEST_TMPDIR/out"
    [ "$(cat "$BATS_TEST_TMPDIR/out")" = 'from stdin' ]
}

@test "a script's interpreter is found through env" {
    printf '#!/usr/bin/env -S app whose\n' > "$BATS_TEST_TMPDIR/script"
    chmod +x "$BATS_TEST_TMPDIR/script"
    run "$adapter" run -v "$BATS_TEST_TMPDIR/script"
    [ "$status" -eq 0 ]
    [[ $output == *"compiled against openmpi"* ]]
    [[ $output == *adapter ]]
}

@test "a script without MPI is taken for the only ABI that a pair supports" {
    printf '#!/bin/sh\nexec "${APP-app}" "$@"\n' > "$BATS_TEST_TMPDIR/script"
    chmod +x "$BATS_TEST_TMPDIR/script"
    run "$adapter" run "$BATS_TEST_TMPDIR/script"
    [ "$output" = adapter ]
}

@test "a script without MPI needs --from when several ABIs are served" {
    add_pair "$prefix/lib/mpi-adapter/other-to-mpich" other mpich
    printf '#!/bin/sh\nexec "${APP-app}" "$@"\n' > "$BATS_TEST_TMPDIR/script"
    chmod +x "$BATS_TEST_TMPDIR/script"
    run --separate-stderr "$adapter" run "$BATS_TEST_TMPDIR/script"
    fails_with 1 'names no MPI library' --from
    run "$adapter" run --from openmpi "$BATS_TEST_TMPDIR/script"
    [ "$output" = adapter ]
}

@test "a program that opens libraries at run time is taken for the only ABI" {
    printf '#include <dlfcn.h>\n#include <stdio.h>\nint main(void) {
        void *l = dlopen("libmpi.so.40", RTLD_NOW);
        const char *(*whose)(void) = (const char *(*)(void))dlsym(l, "MPI_Whose");
        puts(whose()); return 0; }' |
        compile "$BATS_TEST_TMPDIR/opener" -ldl
    run "$adapter" run "$BATS_TEST_TMPDIR/opener"
    [ "$output" = adapter ]
}

@test "the command works through a chain of symbolic links" {
    ln -s "$adapter" "$BATS_TEST_TMPDIR/first"
    ln -s first "$BATS_TEST_TMPDIR/second"
    cd /
    run "$BATS_TEST_TMPDIR/second" run app
    [ "$output" = adapter ]
}

@test "the command works when it is found in PATH" {
    cd /
    PATH=$prefix/bin:$PATH run mpi-adapter run app
    [ "$output" = adapter ]
}

@test "an installation folder may have spaces, quotes and wildcards" {
    make_installation "pre fix's [a-z] *"
    run "$adapter" run app
    [ "$output" = adapter ]
}

@test "a moved installation still works" {
    mv "$prefix" "$BATS_TEST_TMPDIR/moved"
    run "$BATS_TEST_TMPDIR/moved/bin/mpi-adapter" run app
    [ "$output" = adapter ]
}

@test "a program's name may have spaces, and be relative" {
    mkdir "$BATS_TEST_TMPDIR/a folder"
    cp "$fixtures/bin/app" "$BATS_TEST_TMPDIR/a folder/-a program"
    cd "$BATS_TEST_TMPDIR/a folder"
    run "$adapter" run './-a program'
    [ "$output" = adapter ]
    PATH=.:$PATH run "$adapter" run -- '-a program'
    [ "$output" = adapter ]
}

@test "MPI_ADAPTER_PATH is searched ahead of the installation, in order" {
    local first=$BATS_TEST_TMPDIR/first/openmpi-to-mpich
    local second=$BATS_TEST_TMPDIR/second/openmpi-to-mpich
    add_pair "$first" openmpi mpich
    add_pair "$second" openmpi mpich
    export MPI_ADAPTER_PATH=/nowhere::${second%/*}:${first%/*}
    run "$adapter" run app env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$second:$fixtures/host" ]
}

@test "the first pair whose library and launcher are present is taken" {
    local earlier=$BATS_TEST_TMPDIR/earlier/openmpi-to-mpich
    add_pair "$earlier" openmpi mpich
    export MPI_ADAPTER_PATH=${earlier%/*}
    sed -i 's/^host_libraries.*/host_libraries = libabsent.so.12/' "$earlier/pair.conf"
    run "$adapter" run app env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$pair:$fixtures/host" ]
    write_pair "$earlier" openmpi mpich
    sed -i 's/^launchers.*/launchers = absent/' "$earlier/pair.conf"
    run "$adapter" run app env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$pair:$fixtures/host" ]
}

@test "--to chooses among several hosts" {
    local folder=$prefix/lib/mpi-adapter/a-first
    add_pair "$folder" openmpi fakeopenmpi
    sed -i 's/fakefakeopenmpi/fakeopenmpi/' "$folder/pair.conf"
    run "$adapter" run --to fakeopenmpi app env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$folder:$fixtures/host" ]
    run "$adapter" run --to mpich app env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$pair:$fixtures/host" ]
}

@test "without --to, pairs have the order of the table, then that of their names" {
    local name
    for name in a-first openmpi-to-mpich@1.0 openmpi-to-mpich@2.0 openmpi-to-mpiabi; do
        add_pair "$prefix/lib/mpi-adapter/$name" openmpi mpich
    done
    for name in openmpi-to-mpich openmpi-to-mpich@1.0 openmpi-to-mpich@2.0 openmpi-to-mpiabi a-first; do
        run "$adapter" run app env LD_LIBRARY_PATH
        [ "$output" = "LD_LIBRARY_PATH=$prefix/lib/mpi-adapter/$name:$fixtures/host" ]
        rm -r "$prefix/lib/mpi-adapter/$name"
    done
}

@test "the adapter's own need decides which host library is meant" {
    make_library "$BATS_TEST_TMPDIR/own/libfakempich.so.12" libfakempich.so.12 "$fake_host"
    make_library "$pair/libmpi.so.40" libmpi.so.40 "$fake_openmpi" -Wl,--no-as-needed \
        "$BATS_TEST_TMPDIR/own/libfakempich.so.12" -Wl,--disable-new-dtags,-rpath,"$BATS_TEST_TMPDIR/own"
    run "$adapter" list
    [[ $output == *"host library: $BATS_TEST_TMPDIR/own/libfakempich.so.12"* ]]
}

@test "-v tells on stderr what happens, and nothing on stdout" {
    run --separate-stderr "$adapter" run -v app
    [ "$output" = adapter ]
    [[ $stderr == *"host library $fixtures/host/libfakempich.so.12"* ]]
    [[ $stderr == *"launcher $fixtures/bin/mpiexec.fakempich"* ]]
    [[ $stderr == *"pair openmpi-to-mpich in $pair"* ]]
}

@test "a Hydra launcher may be Intel's" {
    write_launcher "$BATS_TEST_TMPDIR/impi" hydra 'Intel(R) MPI Library for Linux* OS, Version 2021.10'
    run "$adapter" run --launcher "$BATS_TEST_TMPDIR/impi" app
    [ "$output" = adapter ]
}

# shared WORD...: whether `run` of more ranks than any machine has cores lets them share these.
shared() {
    rm -f "$LAUNCHER_LOG"
    run --separate-stderr "$adapter" run --to fakeopenmpi -n 99999 "$@" app whose
    echo "$*: $status, $output, $stderr"
    [ -e "$LAUNCHER_LOG" ]
    if grep -qx 'argument :OVERSUBSCRIBE' "$LAUNCHER_LOG"; then
        [[ $stderr == 'mpi-adapter: 99999 ranks share '*' core'*', by --map-by :OVERSUBSCRIBE; '* ]]
    else
        [ -z "$stderr" ]
        return 1
    fi
}

@test "ranks may share cores where nobody says where they go" {
    local folder=$prefix/lib/mpi-adapter/openmpi-to-fakeopenmpi word
    add_pair "$folder" openmpi fakeopenmpi
    sed -i 's/fakefakeopenmpi/fakeopenmpi/' "$folder/pair.conf"
    # As the launcher that stands in does not know these words.
    printf '#!/bin/bash\n[ "$1" != --version ] || { echo "mpiexec (Open MPI) 5.0.7"; exit; }\nprintf "argument %%s\\n" "$@" > "$LAUNCHER_LOG"\n' \
        > "$BATS_TEST_TMPDIR/launch"
    chmod +x "$BATS_TEST_TMPDIR/launch"
    export MPI_ADAPTER_LAUNCHER=$BATS_TEST_TMPDIR/launch
    ! grep -qs '^[^#]' /etc/openmpi/openmpi-default-hostfile || skip 'this machine has a file of hosts for Open MPI'
    unset OMPI_MCA_rmaps_base_oversubscribe SLURM_JOB_ID PBS_JOBID LSB_JOBID PE_HOSTFILE COBALT_JOBID FLUX_URI
    shared
    for word in OMPI_MCA_rmaps_base_oversubscribe=0 SLURM_JOB_ID=7 PRTE_MCA_mapby=core MPI_ADAPTER_LAUNCHER_ARGUMENTS='--hostfile hosts'; do
        # shellcheck disable=SC2163  # what it holds
        (export "$word" && run ! shared)
    done
    for word in --host=node2 --oversubscribe --nooversubscribe --map-by=core; do
        run ! shared --launcher-arg "$word"
    done
    mkdir -p etc "$BATS_TEST_TMPDIR/etc" "$BATS_TEST_TMPDIR/bin"
    mv "$BATS_TEST_TMPDIR/launch" "$BATS_TEST_TMPDIR/bin/"
    export MPI_ADAPTER_LAUNCHER=$BATS_TEST_TMPDIR/bin/launch
    echo '# none' > "$BATS_TEST_TMPDIR/etc/openmpi-default-hostfile"
    shared
    echo 'node2 slots=100' >> "$BATS_TEST_TMPDIR/etc/openmpi-default-hostfile"
    run ! shared
    # Only more ranks than cores share any.
    rm -r "$BATS_TEST_TMPDIR/etc"
    run --separate-stderr "$adapter" run --to fakeopenmpi -n 1 app whose
    [ -z "$stderr" ]
}

# on_other_host REMOVED: the launcher starts a rank, by a shim that sets its environment, on a host where this file is missing.
on_other_host() {
    printf '%s\n' '#!/bin/bash' '[ "$1" != --version ] || { echo "slurm 22.05.8"; exit; }' 'while [[ $1 != */start-rank ]]; do shift; done' \
        "rm $(printf %q "$1")" 'exec "$@"' > "$BATS_TEST_TMPDIR/srun"
    chmod +x "$BATS_TEST_TMPDIR/srun"
    run -127 --separate-stderr "$adapter" run -n 1 --preload --launcher "$BATS_TEST_TMPDIR/srun" "$BATS_TEST_TMPDIR/program" whose
    echo "$output$stderr"
    [ -z "$output" ]
}

@test "a rank names what is missing on its host, and the host" {
    cp "$fixtures/bin/app" "$BATS_TEST_TMPDIR/program"
    on_other_host "$BATS_TEST_TMPDIR/program"
    [ "$stderr" = "mpi-adapter: $BATS_TEST_TMPDIR/program is not there on $(uname -n); correct its name" ]
    cp "$fixtures/bin/app" "$BATS_TEST_TMPDIR/program"
    on_other_host "$pair/libmpi.so.40"
    [ "$stderr" = "mpi-adapter: $pair/libmpi.so.40 is not there on $(uname -n); install the pair there, too, in the same folder" ]
}

# installation NAME: a folder with an MPI and its launcher.
installation() {
    mkdir -p "$BATS_TEST_TMPDIR/$1/lib" "$BATS_TEST_TMPDIR/$1/bin"
    cp "$fixtures/host/libfakempich.so.12" "$BATS_TEST_TMPDIR/$1/lib"
    write_launcher "$BATS_TEST_TMPDIR/$1/bin/$2" hydra 'HYDRA build details:'
}

@test "the launcher is that of the installation that has the library, and never another's" {
    installation one mpiexec.othermpich
    installation two mpiexec.fakempich
    local one=$BATS_TEST_TMPDIR/one two=$BATS_TEST_TMPDIR/two
    # By the first name, PATH leads to another MPI's.
    LD_LIBRARY_PATH=$one/lib PATH=$two/bin:$PATH run --separate-stderr "$adapter" run -v app
    [ "$status" -eq 0 ]
    [[ $stderr == *"launcher $one/bin/mpiexec.othermpich"* ]]
    LD_LIBRARY_PATH=$two/lib PATH=$one/bin:$PATH run --separate-stderr "$adapter" run -v app
    [[ $stderr == *"launcher $two/bin/mpiexec.fakempich"* ]]
    rm -r "$one/bin"
    LD_LIBRARY_PATH=$one/lib PATH=$two/bin:/usr/bin:/bin run --separate-stderr "$adapter" run "$fixtures/bin/app"
    fails_with 1 "the launcher $two/bin/mpiexec.fakempich is of another installation than $one/lib/libfakempich.so.12" \
        "put that one's ahead in PATH"
    LD_LIBRARY_PATH=$one/lib PATH=$two/bin:$PATH run --separate-stderr "$adapter" run --launcher mpiexec.fakempich app
    [ "$status" -eq 0 ]
    # A launcher without an MPI beside it starts what is there.
    rm -r "$two/lib"
    LD_LIBRARY_PATH=$one/lib PATH=$two/bin:$PATH run --separate-stderr "$adapter" run -v app
    [[ $stderr == *"launcher $two/bin/mpiexec.fakempich"* ]]
}
