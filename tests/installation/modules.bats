#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The modulefiles of an installation, loaded by Lmod and by environment modules.
# Debian lets only one of them be installed: what is missing is taken out of its package.

bats_require_minimum_version 1.5.0

setup_file() {
    export top build prefix
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    build=${BUILD:-$top/build}
    prefix=$BATS_FILE_TMPDIR/a\ prefix
    make -C "$top" --no-print-directory BUILD="$build" PREFIX="$prefix" install > "$BATS_FILE_TMPDIR/log" 2>&1 ||
        { cat "$BATS_FILE_TMPDIR/log"; return 1; }
    mpicc.openmpi -O2 -o "$BATS_FILE_TMPDIR/for-openmpi" "$top/tests/demo/ring.c"
    mpicc.mpich -O2 -o "$BATS_FILE_TMPDIR/for-mpich" "$top/tests/demo/ring.c"
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    unset LD_LIBRARY_PATH R_LD_LIBRARY_PATH LD_PRELOAD MPI_ADAPTER_PATH LOADEDMODULES _LMFILES_
    export MODULEPATH=$prefix/share/modulefiles
    . "$top/tests/components.bash"
}

# find_in_package PACKAGE GLOB: sets REPLY to the file, of the installed package or of one that is
# unpacked under the build folder.
find_in_package() {
    local unpacked=$build/packages/$1
    REPLY=$({ compgen -G "$2" || compgen -G "$unpacked$2"; } | head -n 1)
    [ -z "$REPLY" ] || return 0
    mkdir -p "$build/packages"
    (cd "$build/packages" && { apt-get -qq download "$1" || { apt-get -qq update && apt-get -qq download "$1"; }; } >&2 &&
        dpkg-deb -x "$1"_*.deb "$1") || return
    REPLY=$(compgen -G "$unpacked$2" | head -n 1)
}

use_lmod() {
    find_in_package lmod '/usr/share/lmod/*/libexec/lmod' || return
    modulecmd=("$REPLY" bash)
}

use_environment-modules() {
    find_in_package environment-modules '/usr/lib/*/modulecmd.tcl' || return
    modulecmd=(tclsh "$REPLY" bash)
}

# with SYSTEM SCRIPT: in a shell that has its `module`.
with() {
    "use_$1" || skip "$1 is not installed and cannot be downloaded"
    run --separate-stderr bash -c 'modulecmd=("${@:2}"); module() { eval "$("${modulecmd[@]}" "$@")"; }; eval "$1"' \
        bash "$2" "${modulecmd[@]}"
    echo "status $status, output: $output, stderr: $stderr"
}

sets_what_env_prints() {
    local pair before
    export adapter=$prefix/bin/mpi-adapter pair
    # The host of the standard ABI is a pair, as no MPI here has that.
    local standard=$prefix/lib/mpi-adapter/mpiabi-to-mpich/libmpi_abi.so.1
    for pair in $(sed '/^#/d' "$top/abi-tables/pairs"); do
        for before in '' /some/folder /some/folder:/another; do
            with "$1" "${before:+export LD_LIBRARY_PATH=$before R_LD_LIBRARY_PATH=/of/mine:/usr/lib/R/lib}
                $([[ $pair != *-to-mpiabi ]] || echo "export MPI_ADAPTER_HOST_LIBRARY='$standard'")"'
                PATH=/usr/bin:/bin
                env > before
                (eval "$("$adapter" env --from "${pair%-to-*}" --to "${pair#*-to-}")"; PATH=${adapter%/*}:$PATH; env > expected)
                module load "mpi-adapter/$pair"
                env > loaded
                module unload "mpi-adapter/$pair"
                env > after'
            [ "$status" -eq 0 ]
            [ -z "$output" ]
            grep -qx "LD_LIBRARY_PATH=$prefix/lib/mpi-adapter/$pair${before:+:$before}" expected
            diff <(without_bookkeeping < expected) <(without_bookkeeping < loaded)
            diff <(without_bookkeeping < before) <(without_bookkeeping < after)
        done
    done
}

# Removes the variables that module systems keep for themselves.
without_bookkeeping() { grep -vE '^(_ModuleTable|_LM|__LMOD|LMOD_|LOADEDMODULES|__MODULES_|MODULEPATH|_=)' | sort; }

runs_programs() {
    with "$1" 'module load mpi-adapter/openmpi-to-mpich
        timeout 300 mpiexec.mpich -n 2 '"$BATS_FILE_TMPDIR"'/for-openmpi'
    [ "$status" -eq 0 ]
    [[ $output == *'ring on 2 ranks, MPICH Version'*': verified' ]]
    with "$1" 'module load mpi-adapter/mpich-to-openmpi
        timeout 300 mpiexec.openmpi -x LD_LIBRARY_PATH -n 2 '"$BATS_FILE_TMPDIR"'/for-mpich'
    [ "$status" -eq 0 ]
    [[ $output == *'ring on 2 ranks, Open MPI v'*': verified' ]]
}

@test "Lmod: loading sets what the env command prints, unloading restores" {
    sets_what_env_prints lmod
}

@test "environment modules: loading sets what the env command prints, unloading restores" {
    sets_what_env_prints environment-modules
}

# The launchers of mpi-adapter shell are first in PATH while it is loaded, and no others.
runs_jobs() {
    printf '%s\n' '#!/bin/sh' "mpirun -np 2 -x SHOWN=1 '$BATS_FILE_TMPDIR/for-openmpi'" > job.sh
    chmod +x job.sh
    # Lmod leaves out what PATH has twice.
    with "$1" 'PATH=/usr/bin:/bin
        [ "$(type -P mpirun)" != "$prefix/lib/mpi-adapter/shims/mpirun" ] || exit 7
        env > before
        module load mpi-adapter/openmpi-to-mpich-jobs
        timeout 300 ./job.sh
        module unload mpi-adapter/openmpi-to-mpich-jobs
        env > after'
    [ "$status" -eq 0 ]
    [[ $output == *'ring on 2 ranks, MPICH Version'*': verified' ]]
    diff <(without_bookkeeping < before) <(without_bookkeeping < after)
}

@test "Lmod: job scripts run, and unloading restores" {
    runs_jobs lmod
}

@test "environment modules: job scripts run, and unloading restores" {
    runs_jobs environment-modules
}

@test "Lmod: programs run" {
    runs_programs lmod
}

@test "environment modules: programs run" {
    runs_programs environment-modules
}

# One module of the command alone, which is the default. It leaves MANPATH to man, unless the user has set it.
offers_the_command() {
    local plain=$BATS_TEST_TMPDIR/plain version
    version=$("$prefix/bin/mpi-adapter" --version | cut -d ' ' -f 2)
    make -C "$top" --no-print-directory BUILD="$build" PREFIX="$plain" install-modulefile install-modulefiles > log 2>&1
    export prefix plain MODULEPATH=$plain/share/modulefiles
    with "$1" 'unset MANPATH
        PATH=/usr/bin:/bin
        env > before
        module load mpi-adapter
        echo "$LOADEDMODULES ${MANPATH-unset} ${PATH%%:*}"
        module unload mpi-adapter
        env > after
        export MANPATH=/of/mine:
        module load mpi-adapter/openmpi-to-mpich
        echo "$MANPATH ${PATH%%:*}"'
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "mpi-adapter/$version unset $plain/bin" ]
    [[ ${lines[1]} == "$plain/share/man:/of/mine:"*" $plain/bin" ]]
    diff <(without_bookkeeping < before) <(without_bookkeeping < after)
    # A path with a space has no default, and the same module.
    MODULEPATH=$prefix/share/modulefiles with "$1" "module load mpi-adapter/$version"'
        command -v mpi-adapter'
    [ "$output" = "$prefix/bin/mpi-adapter" ]
}

@test "Lmod: the default has the command and its manual" {
    offers_the_command lmod
}

@test "environment modules: the default has the command and its manual" {
    offers_the_command environment-modules
}

@test "Lmod: a second pair takes the place of the first" {
    with lmod 'module load mpi-adapter/openmpi-to-mpich && module load mpi-adapter/mpich-to-openmpi
        echo "$LD_LIBRARY_PATH"'
    [ "$output" = "$prefix/lib/mpi-adapter/mpich-to-openmpi" ]
    [[ $stderr == *'mpi-adapter/openmpi-to-mpich => mpi-adapter/mpich-to-openmpi'* ]]
}

@test "Lmod: a second pair is refused where modules of a name do not replace one another" {
    export LMOD_DISABLE_SAME_NAME_AUTOSWAP=yes
    with lmod 'module load mpi-adapter/openmpi-to-mpich && ! module load mpi-adapter/mpich-to-openmpi &&
        echo "$LD_LIBRARY_PATH"'
    [ "$output" = "$prefix/lib/mpi-adapter/openmpi-to-mpich" ]
}

@test "environment modules: a second pair is refused and the first stays" {
    with environment-modules 'module load mpi-adapter/openmpi-to-mpich && ! module load mpi-adapter/mpich-to-openmpi &&
        echo "$LD_LIBRARY_PATH"'
    [ "$output" = "$prefix/lib/mpi-adapter/openmpi-to-mpich" ]
    [[ $stderr == *'due to a conflict'* ]]
}

# The compilers and mpiexec are found by their usual names while the module is loaded.
compiles() {
    with "$1" 'PATH=/usr/bin:/bin
        unset MPI_HOME PKG_CONFIG_PATH
        env > before
        module load mpi-adapter/abi
        [ "$MPI_HOME" = "$prefix/lib/mpi-adapter/abi" ] && mpicc -o ring "$top/tests/demo/ring.c" && timeout 300 mpiexec -n 2 ./ring
        module unload mpi-adapter/abi
        env > after'
    [ "$status" -eq 0 ]
    [[ $output == 'ring on 2 ranks, '*': verified' ]]
    readelf -d ring | grep -F '[libmpi_abi.so.1]'
    diff <(without_bookkeeping < before) <(without_bookkeeping < after)
}

@test "Lmod: the compilers of the standard ABI, by the usual names" {
    compiles lmod
}

@test "environment modules: the compilers of the standard ABI, by the usual names" {
    compiles environment-modules
}

@test "both list the pairs and say what they are for" {
    for system in lmod environment-modules; do
        with $system 'module -t avail; module whatis mpi-adapter/openmpi-to-mpich; module help mpi-adapter/mpich-to-openmpi'
        [ "$status" -eq 0 ]
        [[ $output$stderr == *'mpi-adapter/mpich-to-openmpi'* ]]
        [[ $output$stderr == *'runs programs built for Open MPI on MPICH'* ]]
        [[ $output$stderr == *'Programs that were built for MPICH run on Open MPI'* ]]
        run ! grep -E 'mpi-adapter/[^ ]*\.lua|@' <<< "$output$stderr"
    done
}

@test "what docs/ shows of modules works in both" {
    for system in lmod environment-modules; do
        unset MODULEPATH
        for page in using administration; do
            commands=$("${PYTHON:-/usr/bin/python3}" "$top/tests/docs/blocks.py" script "$top/docs/$page.md" tests/installation/modules.bats)
            [[ $commands == *'module load'* ]]
            with "$system" "module use '$prefix/share/modulefiles'
                ${commands//\/opt\/mpi-adapter/"'$prefix'"}
                echo \"\$LD_LIBRARY_PATH\""
            [ "$status" -eq 0 ]
            [ "$output" = "$prefix/lib/mpi-adapter/openmpi-to-mpich" ]
        done
    done
}
