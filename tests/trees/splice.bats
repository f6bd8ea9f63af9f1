#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Trees that bring their own MPI, laid out as conda does: adapted in place, run by their own commands, and put back byte by byte.

load ../pair.bash
load ../chroot

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

# make_small_tree: with a library that is a link, and a launcher, so that each step is done once.
make_small_tree() {
    local name
    make_tree
    for name in $(pair_facts fortran); do rm -f "tree/lib/$name" "cache/$name"; done
    state > before
}

is_as_before() {
    state | diff before -
    [ -z "$(find tree -name .mpi-adapter)" ]
}

both_ways() {
    ./tree/bin/program
    timeout 120 ./tree/bin/mpiexec -n 2 ./tree/bin/program
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

# dies_at N [COMMAND...]: commands of which the Nth kills who called it, before its work or behind it.
dies_at() {
    local name
    rm -rf deadly count
    mkdir deadly
    for name in "${@:2}" $([ $# -gt 1 ] || echo mv ln rm mkdir rmdir); do
        printf '%s\n' '#!/bin/bash' "echo >> '$PWD/count'" "n=\$(wc -l < '$PWD/count')" \
            "[ \$n -ne $1 ] || { [ $(($1 % 2)) -eq 0 ] || $(type -P $name) \"\$@\"; kill -9 \$PPID; exit; }" \
            "exec $(type -P $name) \"\$@\"" > deadly/$name
        chmod 755 deadly/$name
    done
}

@test "killed at any step, a splice can be undone, or finished" {
    use_first_pair
    make_small_tree
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
    make_small_tree
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
    run "$command" doctor tree
    [[ $output == *"ok    $PWD/tree: "* ]]
    # As a package manager does.
    cp -L "$(library_of "$soname")" new
    echo >> new
    mv -f new "tree/lib/$soname"
    run "$command" doctor tree
    [[ $output == *"FAIL  $PWD/tree/lib/$soname was replaced since"* ]]
    # It looks at the tree alone.
    [[ $output == trees$'\n'* ]]
    run -0 "$command" splice --to "$host" tree
    [[ $output == *"$PWD/tree/lib/$soname was replaced since it was spliced; it is left as it is"* ]]
    [ "$(both_ways | tr -d '\n')" = rightrightright ]
    "$command" splice --undo tree
    [ "$(stat -c %s "tree/lib/$soname")" -eq $(($(stat -L -c %s "$(library_of "$soname")") + 1)) ]
    # A file that is replaced and not spliced again stays, too.
    "$command" splice --to "$host" tree
    cp -L "$(library_of "$soname")" new
    mv -f new "tree/lib/$soname"
    "$command" splice --undo tree
    cmp "$(library_of "$soname")" "tree/lib/$soname"
    # A removed library comes back.
    "$command" splice --to "$host" tree
    rm "tree/lib/$soname"
    run -0 "$command" splice --undo tree
    [ "$output" = "mpi-adapter: $PWD/tree/lib/$soname was removed since it was spliced; it is put back" ]
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
    # While another one is at work.
    exec 8< tree
    flock 8
    run --separate-stderr "$command" splice --to "$host" tree
    exec 8<&-
    echo "$stderr"
    [ "$status" -eq 1 ]
    [ "$stderr" = "mpi-adapter: another splice of $PWD/tree is running; wait for its end" ]
    is_as_before
}

# other_soname: of another MPI than the tree's.
other_soname() { sed -n 's/^preload = \([^ ]*\).*/\1/p' "$build/lib/mpi-adapter/$host-to-$application/pair.conf"; }

# In a mount of its own nobody can write to it, be it root.
read_only() {
    # shellcheck disable=SC2016
    unshare --mount --propagation private bash -euc 'mount --bind tree tree; mount -o remount,bind,ro tree; exec "$@"' bash "$@"
}

@test "a tree on a read-only file system is refused, and adapted as a copy of links" {
    require_mounts
    use_first_pair
    make_tree
    run --separate-stderr read_only "$command" splice --to "$host" tree
    echo "$stderr"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    one_line "$stderr"
    [[ $stderr == *" cannot be written; "*"'mpi-adapter splice --copy COPY $PWD/tree'" ]]
    is_as_before
    run -0 read_only "$command" splice --copy copy --to "$host" tree
    is_as_before
    [ "$(./copy/bin/mpiexec -n 2 ./copy/bin/program | tr -d '\n')" = rightright ]
    [ "$(MPI_ADAPTER_VERBOSE=1 ./copy/bin/program 2>&1 | grep -c "on $host:")" -eq 1 ]
}

# varied_tree: with links of all kinds, and scripts.
varied_tree() {
    make_tree
    cp "$BASH" tree/bin/shell
    printf '#!%s\n%s\n' "$PWD/tree/bin/shell -e" '"${0%/*}/program"; echo "$BASH"' > tree/bin/script
    echo '#!/bin/sh' > tree/bin/other
    chmod 755 tree/bin/script tree/bin/other
    ln -s lib tree/lib64
    ln -s "$PWD/tree/lib" tree/absolute
    ln -s ../bin/program tree/lib/relative
    mkdir 'tree/a folder'
    echo text > 'tree/a folder/a file'
    chmod 555 'tree/a folder'
    state > before
}

@test "a copy of links has its own programs and scripts, and links as the tree has them" {
    use_first_pair
    varied_tree
    run -0 "$command" splice --dry-run --copy copy --to "$host" tree
    [ ! -e copy ]
    run --separate-stderr "$command" splice --copy 'a copy' --to "$host" tree
    [ "$status" -eq 1 ]
    one_line "$stderr"
    [[ $stderr == *"$PWD/tree/bin/script starts an interpreter of the tree, and the first line of a script cannot name $PWD/a copy; "* ]]
    [ -z "$(find . -maxdepth 1 -name 'a copy*')" ]
    run -0 "$command" splice --copy "$PWD/copy" --to "$host" tree
    [ -z "$output" ]
    is_as_before
    [ "$(./copy/bin/script)" = "right"$'\n'"$PWD/copy/bin/shell" ]
    [ "$(readlink copy/lib64)" = lib ]
    [ "$(readlink copy/absolute)" = "$PWD/copy/lib" ]
    [ "$(readlink copy/lib/relative)" = ../bin/program ]
    [ "$(readlink 'copy/a folder/a file')" = "$PWD/tree/a folder/a file" ]
    [ -L copy/bin/other ]
    [ ! -L copy/bin/program ]
    [ "$(MPI_ADAPTER_VERBOSE=1 ./copy/bin/program 2>&1 | grep -c "on $host:")" -eq 1 ]
    # The tree itself runs as before.
    [ "$(MPI_ADAPTER_VERBOSE=1 ./tree/bin/program 2>&1)" = right ]
    run -0 "$command" doctor copy
    [[ $output == *"ok    $PWD/copy: "* ]]
    # Again, and undone: then the copy is the tree's.
    run -0 "$command" splice --to "$host" copy
    "$command" splice --undo copy
    [ "$(MPI_ADAPTER_VERBOSE=1 ./copy/bin/program 2>&1)" = right ]
    "$command" splice --to "$host" copy
    # An update of a program in the tree.
    echo >> tree/bin/program
    run "$command" doctor copy
    [[ $output == *"FAIL  $PWD/tree/bin/program has changed since $PWD/copy was made of it"$'\n'*"next: remove $PWD/copy, and run 'mpi-adapter splice --copy"* ]]
}

@test "what cannot be copied is refused before anything is made" {
    use_first_pair
    make_tree
    mkdir there
    for words in 'there tree;there is there already' 'tree/copy tree;cannot be a copy' 'no/copy tree;no is not a folder' \
        'copy both;has several MPIs' 'copy empty;has no MPI library' 'tree/ tree;cannot be a copy' '.. tree;cannot be a copy'; do
        mkdir -p empty both/lib
        cp -L "tree/lib/$soname" "$(library_of "$(other_soname)")" both/lib
        # shellcheck disable=SC2086
        run --separate-stderr "$command" splice --copy ${words%%;*}
        echo "$words: $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        one_line "$stderr"
        [[ $stderr == *"${words#*;}"* ]]
        [ ! -e copy ]
    done
    run "$command" splice --copy copy --undo tree
    [ "$status" -eq 2 ]
    "$command" splice --to "$host" tree
    run --separate-stderr "$command" splice --copy copy --to "$host" tree
    [ "$status" -eq 1 ]
    echo "$stderr"
    [[ $stderr == *"$PWD/tree is adapted, or a copy of links itself; "* ]]
    run --separate-stderr "$command" splice --dry-run tree
    [ "$status" -eq 1 ]
    [ "$stderr" = "mpi-adapter: $PWD/tree is spliced already; see what leads where with 'mpi-adapter splice --undo --dry-run $PWD/tree'" ]
    "$command" splice --undo tree
    is_as_before
}

@test "a copy that cannot be made or finished is refused, and nothing is there" {
    require_mounts
    use_first_pair
    make_tree
    : > copy.mpi-adapter-new
    run --separate-stderr "$command" splice --copy copy --to "$host" tree
    [ "$status" -eq 1 ]
    one_line "$stderr"
    [[ $stderr == *"$PWD/copy.mpi-adapter-new cannot be made; see the permissions there and the room, "* ]]
    rm copy.mpi-adapter-new
    # On a file system without room for the program.
    mkdir small
    # shellcheck disable=SC2016
    run --separate-stderr unshare --mount --propagation private bash -uc \
        'mount -t tmpfs -o size=16k tmpfs small && "$@"; status=$?; [ ! -e small/copy ] || status=99; exit "$status"' \
        bash "$command" splice --copy small/copy --to "$host" tree
    echo "$stderr"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == *"$PWD/tree"*" cannot be copied; see the room and the permissions, and remove $PWD/small/copy.mpi-adapter-new"* ]]
    is_as_before
}

@test "a tree that cannot be searched as a whole is refused" {
    use_first_pair
    make_tree
    mkdir broken
    printf '%s\n' '#!/bin/bash' "$(type -P find) \"\$@\"" 'exit 1' > broken/find
    chmod 755 broken/find
    PATH=$PWD/broken:$PATH run --separate-stderr "$command" splice --to "$host" tree
    [ "$status" -eq 1 ]
    one_line "$stderr"
    [[ $stderr == *"$PWD/tree cannot be searched as a whole; see the permissions of its folders" ]]
    is_as_before
}

# told_by_doctor TEXT: of the tree, whose record is put back.
told_by_doctor() {
    run "$command" doctor tree
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"FAIL  $1"* ]]
    cp manifest tree/.mpi-adapter/manifest
}

@test "doctor tells of a tree whose pair or host is gone, and of an interrupted splice" {
    use_first_pair
    make_tree
    "$command" splice --to "$host" tree
    run -0 "$command" doctor --json tree
    [ "$("${PYTHON:-python3}" -c 'import json, sys; print({each["part"] for each in json.load(sys.stdin)["findings"]})' <<< "$output")" = "{'trees'}" ]
    cp tree/.mpi-adapter/manifest .
    sed -i "s|^host\t.*|host\t$PWD/gone.so|" tree/.mpi-adapter/manifest
    told_by_doctor "$PWD/tree: its host's MPI $PWD/gone.so is gone"
    ln -sfn "$PWD/gone.so" "tree/lib/$soname"
    sed -i "s|\t[^\t]*/$soname\$|\t$PWD/gone.so|" tree/.mpi-adapter/manifest
    told_by_doctor "$PWD/gone.so, to which $PWD/tree/lib/$soname leads, is gone"
    mv tree/.mpi-adapter/manifest tree/.mpi-adapter/journal
    told_by_doctor "$PWD/tree: its splice was interrupted"
    rm tree/.mpi-adapter/manifest
    ln -sfn "$folder/$soname" "tree/lib/$soname"
    "$command" splice --undo tree
    is_as_before
}

# Every third step, to be short; EVERY=1 tries all.
@test "killed at any step, a copy is not there, or can be adapted" {
    use_first_pair
    varied_tree
    local step=0 status
    while :; do
        step=$((step + ${EVERY:-3}))
        dies_at "$step" cp mv rm mkdir find chmod
        status=0
        PATH=$PWD/deadly:$PATH "$command" splice --copy copy --to "$host" tree || status=$?
        is_as_before
        if [ -e copy ]; then "$command" splice --to "$host" copy; else "$command" splice --copy copy --to "$host" tree; fi
        [ "$(MPI_ADAPTER_VERBOSE=1 ./copy/bin/script 2>&1 | grep -c "on $host:")" -eq 1 ]
        [ ! -e copy.mpi-adapter-new ] || [ -e copy.mpi-adapter-new/.mpi-adapter/copy ]
        chmod -R u+w copy
        rm -rf copy
        [ "$status" -ne 0 ] || break
    done
    [ "$step" -gt 8 ]
}

@test "a tree of another user's is refused to root, and adapted as a copy of links" {
    [ "$(id -u)" -eq 0 ] || skip "only root can give a tree away"
    use_first_pair
    make_tree
    chown -R nobody tree
    run --separate-stderr "$command" splice --to "$host" tree
    [ "$status" -eq 1 ]
    one_line "$stderr"
    [[ $stderr == *"$PWD/tree is not root's; "*"--copy"* ]]
    is_as_before
    "$command" splice --copy copy --to "$host" tree
    [ "$(stat -c %U copy copy/bin copy/bin/program | sort -u)" = root ]
    [ "$(./copy/bin/mpiexec -n 2 ./copy/bin/program | tr -d '\n')" = rightright ]
    is_as_before
}

# As Spack has them: a prefix for each MPI, and one for a program.
@test "of several MPIs in a tree the one that is named is adapted, and no file of another" {
    use_pair openmpi-to-mpich
    is_wanted "$pair" && is_native mpich && is_native openmpi || skip "needs both MPIs"
    make_tree
    mkdir -p spack/program/bin
    mv tree spack/mpi
    app_program spack/program/bin/program "$top/tests/trees/program.c" -Wl,--disable-new-dtags,-rpath,'$ORIGIN/../../mpi/lib'
    rm -rf cache
    use_pair mpich-to-openmpi
    make_tree
    mv -T tree spack/other
    mv spack tree
    state > before
    run --separate-stderr "$command" splice --to mpich tree
    [ "$status" -eq 1 ]
    [[ $stderr == *"$PWD/tree has several MPIs; give --from one of: mpich openmpi" ]]
    "$command" splice --from openmpi tree
    [ "$(cd tree && find . -name .mpi-adapter | sort)" = $'./.mpi-adapter\n./mpi/bin/.mpi-adapter\n./mpi/lib/.mpi-adapter' ]
    [ "$(./tree/mpi/bin/mpiexec -n 2 ./tree/program/bin/program | tr -d '\n')" = rightright ]
    [ "$(MPI_ADAPTER_VERBOSE=1 ./tree/program/bin/program 2>&1 | grep -c 'on mpich:')" -eq 1 ]
    [ "$(MPI_ADAPTER_VERBOSE=1 ./tree/other/bin/program 2>&1)" = right ]
    # The other one instead: what was done before is taken back.
    "$command" splice --from mpich tree
    [ "$(MPI_ADAPTER_VERBOSE=1 ./tree/program/bin/program 2>&1)" = right ]
    [ "$(MPI_ADAPTER_VERBOSE=1 ./tree/other/bin/program 2>&1 | grep -c 'on openmpi:')" -eq 1 ]
    "$command" splice --undo tree
    is_as_before
}

@test "a tree's MPI by another name of its family's is adapted, too" {
    use_pair mpich-to-openmpi
    is_wanted "$pair" && is_native mpich && is_native openmpi || skip "needs both MPIs"
    make_tree
    # As others than Debian call it.
    mv tree/lib/libmpich.so.12.1.2 tree/lib/libmpi.so.12
    rm tree/lib/libmpich.so.12
    patchelf --set-soname libmpi.so.12 tree/lib/libmpi.so.12
    patchelf --replace-needed libmpich.so.12 libmpi.so.12 tree/bin/program
    [ "$(./tree/bin/program)" = right ]
    state > before
    "$command" splice --to openmpi tree
    [ "$(MPI_ADAPTER_VERBOSE=1 ./tree/bin/program 2>&1 | grep -c 'on openmpi:')" -eq 1 ]
    "$command" splice --undo tree
    is_as_before
}

@test "what the host's MPI has to have preloaded is loaded in a tree, too" {
    use_first_pair
    make_tree
    printf '%s\n' '#include <unistd.h>' '__attribute__((constructor)) static void here(void) { (void)!write(2, "preloaded\n", 10); }' > preloaded.c
    "$CC" -shared -fPIC -o preloaded.so preloaded.c
    MPI_ADAPTER_HOST_PRELOAD=$PWD/preloaded.so "$command" splice --to "$host" tree
    [ "$(./tree/bin/program 2>&1 | sort)" = $'preloaded\nright' ]
    mv preloaded.so elsewhere.so
    run --separate-stderr ./tree/bin/program
    [ "$status" -ne 0 ]
    one_line "$stderr"
    [[ $stderr == *"$PWD/preloaded.so"*"; correct host_preload, and splice the tree again" ]]
    "$command" splice --undo tree
    is_as_before
}

@test "a program that finds its MPI outside of the tree is told" {
    use_first_pair
    make_tree
    cp -a tree outside
    app_program tree/bin/fixed "$top/tests/trees/program.c" -Wl,--disable-new-dtags,-rpath,"$PWD/outside/lib"
    run -0 --separate-stderr "$command" splice --to "$host" tree
    [ -z "$output" ]
    one_line "$stderr"
    [[ $stderr == *"$PWD/tree/bin/fixed loads $PWD/outside/lib/$soname, which is not in the tree, and keeps that; "* ]]
    [ "$(MPI_ADAPTER_VERBOSE=1 ./tree/bin/fixed 2>&1)" = right ]
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
    run -0 "$command" doctor tree
    [[ $output == *"  -     $PWD/tree/bin/program and the host's MPI both bring libhwloc.so.15: the host's MPI gets $(library_of libhwloc.so.15), "* ]]
    # An update over it, which the host's MPI cannot use.
    mv tree/lib/libudev.so.1 link
    cp "tree/lib/.mpi-adapter/libudev.so.1" tree/lib/
    run "$command" doctor tree
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"FAIL  $PWD/tree/bin/program and the host's MPI both bring libudev.so.1: $PWD/tree/bin/../lib/libudev.so.1 of the program lacks "*"$(library_of libudev.so.1) serves both"* ]]
    # One whose own version the program needs.
    cp -p tree/bin/program program
    "$CC" -shared -fPIC -Wl,-soname,libudev.so.1 -Wl,--version-script,<(echo 'OWN_1 { global: tree_library; };') -o tree/lib/libudev.so.1 -x c - <<< 'int tree_library(void) { return 7; }'
    app_program tree/bin/program -DBRINGS "$top/tests/trees/program.c" tree/lib/libudev.so.1 -Wl,--unresolved-symbols=ignore-in-shared-libs -Wl,--disable-new-dtags,-rpath,'$ORIGIN/../lib'
    run "$command" doctor tree
    [ "$status" -eq 1 ]
    [[ $output == *"FAIL  $PWD/tree/bin/program and the host's MPI both bring libudev.so.1: "*" lacks versions that the program's has"*"next: give the tree a newer one"* ]]
    mv link tree/lib/libudev.so.1
    "$command" splice --undo tree
    mv program tree/bin/program
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
