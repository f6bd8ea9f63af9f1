#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Trees that bring their own MPI, laid out as conda does: adapted in place, run by their own commands, and put back byte by byte.

load ../pair.bash

setup() {
    cd "$BATS_TEST_TMPDIR"
    bats_require_minimum_version 1.5.0
}

library_of() {
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -n "s/^[[:space:]]*$1 .* => //p" | sed -n 1p
}

# The names of what the tree's MPI consists of: its libraries for C and Fortran, and all that these load, but the C library.
tree_names() {
    local name
    for name in "$soname" $(pair_facts fortran); do
        [ -z "$(library_of "$name")" ] || "$build/lib/mpi-adapter/elf-facts" --closure '' "$name" "$BASH" | cut -f 2
    done | grep -vE '/(ld-linux.*|lib(c|m|dl|pthread|rt|tinfo|gcc_s))\.so\.[0-9]+$' | sort -u
}

# make_tree: bin, lib and a program that finds them by a DT_RPATH of $ORIGIN/../lib, with the files of another one's cache.
make_tree() {
    local file name
    mkdir -p tree/bin tree/lib cache
    for file in $(tree_names) $(library_of "$soname"); do
        [ -e "tree/lib/${file##*/}" ] || cp -L "$file" "tree/lib/${file##*/}"
    done
    mv "tree/lib/$soname" "tree/lib/$soname.1.2"
    ln -s "$soname.1.2" "tree/lib/$soname"
    cp -L "$(command -v "mpiexec.$application")" tree/bin/mpiexec
    ln tree/lib/*.so.* tree/bin/mpiexec cache/
    app_program tree/bin/program "$top/tests/trees/program.c" -Wl,--disable-new-dtags,-rpath,'$ORIGIN/../lib'
    state > before
}

# state: every file of the tree and of the cache, with its content, what it leads to, its mode, and its inode.
state() {
    find tree cache -type f ! -path '*/.mpi-adapter/*' -exec sha256sum {} +
    find tree cache ! -path '*/.mpi-adapter*' -printf '%p %l %m %y\n' | sort
    find cache -printf '%p %i\n' | sort
}

is_as_before() {
    state | diff before -
    [ -z "$(find tree -name .mpi-adapter)" ]
}

both_ways() {
    ./tree/bin/program
    timeout 60 ./tree/bin/mpiexec -n 2 ./tree/bin/program
}

# The tree's launcher takes the options of its own MPI's, and a script that starts a program finds a rank's place in the variables that
# its own launcher would set. Without the command, it is the host's.
launches_as_its_own() {
    local options place version
    case $application in
        openmpi) options=(-np 2 -x SHOWN=here --mca some thing) place=OMPI_COMM_WORLD_LOCAL_RANK version='mpirun (Open MPI)' ;;
        *) options=(-n 2 -genv SHOWN here) place=MPI_LOCALRANKID version=HYDRA ;;
    esac
    printf '%s\n' '#!/bin/sh' "echo \$SHOWN \$$place" 'exec "$@"' > wrapper
    chmod +x wrapper
    run -0 --separate-stderr ./tree/bin/mpiexec "${options[@]}" ./wrapper ./tree/bin/program
    [ "$(sort <<< "$output" | tr -d '\n')" = 'here 0here 1rightright' ]
    [[ $(./tree/bin/mpiexec --version) == *"$version"* ]]
    sed 's|-x [^ ]* ||; s|/bin/mpi-adapter|/gone|g' tree/bin/mpiexec > mpiexec
    chmod +x mpiexec
    [ "$(./mpiexec -n 1 ./tree/bin/program)" = right ]
}

adapts_and_undoes() {
    make_tree
    run -0 "$command" splice --dry-run --to "$host" tree
    [[ $output == *"lib/$soname -> $folder/$soname"* && $output == *"bin/mpiexec -> "* ]]
    is_as_before
    run -0 "$command" splice --to "$host" tree
    [ -z "$output" ]
    [ "$(both_ways | tr -d '\n')" = rightrightright ]
    [ "$(MPI_ADAPTER_VERBOSE=1 ./tree/bin/program 2>&1 | grep -c "a program for $application on $host")" -eq 1 ]
    launches_as_its_own
    # The same tree elsewhere.
    mv tree moved
    [ "$(./moved/bin/mpiexec -n 2 ./moved/bin/program | tr -d '\n')" = rightright ]
    mv moved tree
    # Again, with nothing changed.
    run -0 "$command" splice --to "$host" tree
    [ "$(both_ways | tr -d '\n')" = rightrightright ]
    run -0 "$command" splice --undo tree
    [ -z "$output" ]
    is_as_before
}

@test "a tree runs on the host's MPI by its own commands, moved or not, and is put back as it was" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair adapts_and_undoes
}

# use_first_pair: what does not depend on the pair is tried with one.
use_first_pair() {
    local first
    first=$(native_pairs | sed -n 1p)
    [ -n "$first" ] || skip "no pair of two MPIs of this machine"
    use_pair "$first"
}

# dies_at N: commands of which the Nth kills who called it, before its work or behind it.
dies_at() {
    local name
    rm -rf deadly count
    mkdir deadly
    for name in mv ln rm mkdir rmdir; do
        printf '%s\n' '#!/bin/bash' "echo >> '$PWD/count'" "n=\$(wc -l < '$PWD/count')" \
            "[ \$n -ne $1 ] || { [ $(($1 % 2)) -eq 0 ] || $(type -P $name) \"\$@\"; kill -9 \$PPID; exit; }" \
            "exec $(type -P $name) \"\$@\"" > deadly/$name
        chmod 755 deadly/$name
    done
}

@test "killed at any step, a splice can be undone, or finished" {
    use_first_pair
    make_tree
    local step=0 status
    while :; do
        step=$((step + 1))
        dies_at "$step"
        status=0
        PATH=$PWD/deadly:$PATH "$command" splice --to "$host" tree || status=$?
        [ "$(./tree/bin/program)" = right ]
        if [ $((step % 3)) -eq 0 ]; then
            "$command" splice --to "$host" tree
            MPI_ADAPTER_VERBOSE=1 ./tree/bin/program 2>&1 | grep -c "on $host"
        fi
        [ ! -e tree/.mpi-adapter/journal ] && [ ! -e tree/.mpi-adapter/manifest ] || "$command" splice --undo tree
        rm -rf tree/.mpi-adapter
        is_as_before
        [ "$status" -ne 0 ] || break
    done
    [ "$step" -gt 8 ]
}

@test "killed at any step, an undo can be done again" {
    use_first_pair
    make_tree
    local step=0 status
    while :; do
        step=$((step + 1))
        "$command" splice --to "$host" tree
        dies_at "$step"
        status=0
        PATH=$PWD/deadly:$PATH "$command" splice --undo tree || status=$?
        [ "$(./tree/bin/program)" = right ]
        [ ! -e tree/.mpi-adapter/journal ] && [ ! -e tree/.mpi-adapter/manifest ] || "$command" splice --undo tree
        rm -rf tree/.mpi-adapter
        is_as_before
        [ "$status" -ne 0 ] || break
    done
    [ "$step" -gt 4 ]
}

@test "an update of the tree's MPI over a splice is noticed, and spliced or left" {
    use_first_pair
    make_tree
    "$command" splice --to "$host" tree
    run "$command" doctor --timeout 60 tree
    [[ $output == *"ok    $PWD/tree: "* ]]
    # As a package manager does.
    cp -L "$(library_of "$soname")" new
    echo >> new
    mv -f new "tree/lib/$soname"
    run "$command" doctor --timeout 60 tree
    [[ $output == *"FAIL  $PWD/tree/lib/$soname was replaced since"* ]]
    run -0 "$command" splice --to "$host" tree
    [[ $output == *"$PWD/tree/lib/$soname was replaced since it was spliced; it is left as it is"* ]]
    [ "$(both_ways | tr -d '\n')" = rightrightright ]
    "$command" splice --undo tree
    [ "$(stat -c %s "tree/lib/$soname")" -eq $(($(stat -L -c %s "$(library_of "$soname")") + 1)) ]
    # What is replaced and not spliced again stays, too.
    "$command" splice --to "$host" tree
    cp -L "$(library_of "$soname")" new
    mv -f new "tree/lib/$soname"
    "$command" splice --undo tree
    cmp "$(library_of "$soname")" "tree/lib/$soname"
}

@test "what cannot be spliced is refused, and stays as it is" {
    use_first_pair
    make_tree
    for words in 'nowhere;nowhere is not a folder' '/;/ is the whole system' 'cache/..;several' 'empty;empty has no MPI library' \
        '--undo tree;is not spliced' '--from mpiabi tree;has no MPI of mpiabi'; do
        mkdir -p empty
        [[ $words != *several ]] || { mkdir -p other/lib; cp -L "$(library_of "$(other_soname)")" other/lib; words='.;has several MPIs'; }
        # shellcheck disable=SC2086
        run --separate-stderr "$command" splice ${words%%;*}
        echo "$words: $stderr"
        [ "$status" -eq 1 ]
        one_line "$stderr"
        [[ $stderr == *"${words#*;}"* ]]
    done
    run --separate-stderr "$command" splice
    [ "$status" -eq 2 ]
    is_as_before
}

# other_soname: of another MPI than the tree's.
other_soname() { sed -n 's/^preload = \([^ ]*\).*/\1/p' "$build/lib/mpi-adapter/$host-to-$application/pair.conf"; }

@test "a tree that its user cannot write is refused" {
    [ "$(id -u)" -ne 0 ] || skip "root writes everywhere"
    use_first_pair
    make_tree
    chmod 555 tree/lib
    run --separate-stderr "$command" splice --to "$host" tree
    chmod 755 tree/lib
    [ "$status" -eq 1 ]
    one_line "$stderr"
    is_as_before
}

# The tree's copy has the newest version, and not the first, which the host's MPI needs.
@test "a library with versions that only the host's can be for both is linked, too" {
    use_pair openmpi-to-mpich
    is_wanted "$pair" && is_native mpich && is_native openmpi || skip "needs both MPIs"
    make_tree
    local last
    last=$("$build/lib/mpi-adapter/elf-facts" --versions "$(library_of libudev.so.1)" | sed -n 's/^defined //p' | sort -V | tail -n 1)
    echo "$last { global: tree_library; };" > stub.map
    "$CC" -shared -fPIC -Wl,-soname,libudev.so.1 -Wl,--version-script,stub.map -o tree/lib/libudev.so.1 -x c - <<< 'int tree_library(void) { return 7; }'
    app_program tree/bin/program "$top/tests/trees/program.c" -Wl,--no-as-needed tree/lib/libudev.so.1 \
        -Wl,--unresolved-symbols=ignore-in-shared-libs -Wl,--disable-new-dtags,-rpath,'$ORIGIN/../lib'
    state > before
    "$command" splice --to "$host" tree
    [ "$(readlink tree/lib/libudev.so.1)" = "$(library_of libudev.so.1)" ]
    [ "$(both_ways | tr -d '\n')" = rightrightright ]
    "$command" splice --undo tree
    is_as_before
}

# The page shows a tree of Open MPI on MPICH.
@test "docs/trees.md shows what is so" {
    use_pair openmpi-to-mpich
    is_wanted "$pair" && is_native mpich && is_native openmpi || skip "needs both MPIs"
    make_tree
    app_program tree/bin/program "$top/tests/trees/program.c" -Wl,--no-as-needed tree/lib/libhwloc.so.15 \
        -Wl,--unresolved-symbols=ignore-in-shared-libs -Wl,--disable-new-dtags,-rpath,'$ORIGIN/../lib'
    "${PYTHON:-python3}" "$top/tests/docs/blocks.py" script "$top/docs/trees.md" tests/trees > script
    PATH=$build/bin:$PATH bash script
}
