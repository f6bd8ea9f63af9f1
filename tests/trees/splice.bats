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
        [ -z "$(library_of "$name")" ] || "$build/tools/elf-facts" --closure '' "$name" "$BASH" | cut -f 2
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
    find tree cache -type f ! -path '*/.mpi-adapter/*' -exec cksum {} + | sort
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
    [[ $output == "$PWD/tree is adapted to "*$'\n'"programs: 1 (bin/program)"$'\n'"files set aside: "*" (lib/$soname, "*"bin/mpiexec)"$'\n'"undo this by: mpi-adapter splice --undo $PWD/tree" ]]
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
    [[ $output == "$PWD/tree is as it was: "*" files put back" ]]
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

# The program that does all access to trees, by itself: it is killed at each of its system calls, or at each that changes something.
trees() { env ${poor:+LD_PRELOAD="$poor"} "$build/lib/mpi-adapter/trees" "$1" 9 "$PWD/tree" "${@:2}" 9< tree; }

# splice_words: those that the program had for the tree as it is.
splice_words() {
    local put path target
    printf '%s\0' "$(sed -n 's/^pair\t//p' tree/.mpi-adapter/manifest)" "$(sed -n 's/^host\t//p' tree/.mpi-adapter/manifest)" 0
    while IFS=$'\t' read -r _ _ _ _ put path target; do
        printf '%s\0' "$path" "$target"
        [ "$put" = link ] || cat "tree/$path"
        printf '\0'
    done < <(grep -E '^(file|link|none)' tree/.mpi-adapter/manifest)
}

# changing_calls LOG: the calls in strace's log that change files, and the last one, each as NAME:NUMBER, for the so manieth of that name.
# EVERY=1 in the environment: all calls.
changing_calls() {
    awk -F '(' -v every="${EVERY-}" '{ count[$1]++ }
        (every && /^[a-z0-9_]+\(/ && !/^execve/) || /^(mkdir|rename|link|unlink|symlink|write|fsync|ftruncate|pwrite|fchmod|exit_group)/ || /^openat.*O_CREAT/ { print $1 ":" count[$1] }' "$1"
}

# killed_at NAME:NUMBER COMMAND...: ahead of that system call.
killed_at() {
    local status=0
    strace -qq ${poor:+-E LD_PRELOAD="$poor"} -o trace -e "inject=${1%:*}:signal=KILL:when=${1#*:}" -- "${@:2}" > said 2>&1 < "$words" 9< tree || status=$?
    [ "$status" -ne 0 ]
}

require_strace() {
    command -v strace > /dev/null && strace -o trace true 2> /dev/null || skip "no strace, or processes may not be traced"
}

# A program that loads a library for C and one for Fortran, neither of which works with the other MPI's.
make_mixed_tree() {
    local names
    make_tree
    mapfile -t names < <(pair_facts fortran)
    app_program tree/bin/program "$top/tests/trees/program.c" -Wl,--no-as-needed "tree/lib/${names[0]}" \
        -Wl,--unresolved-symbols=ignore-in-shared-libs -Wl,--disable-new-dtags,-rpath,'$ORIGIN/../lib'
    state > before
}

# The inode, mode and target of everything but what is set aside.
places() { find tree cache ! -path '*/.mpi-adapter*' -printf '%p %i %l %m %s\n' | sort; }

@test "a tree whose names have all bytes is adapted and put back, and what is said of it is plain UTF-8" {
    use_first_pair
    make_tree
    local tree=$'t; \xc2\x9b\xe2\x80\xae\xff\'"' options
    mv tree "$tree"
    # One that is a file, and one that is not shown as a program.
    cp "$tree/bin/program" "$tree/bin/"$'p\n\x1b[2J\x1f\xc2\x85\xfe'
    cp "$tree/bin/program" "$tree/lib/"$'libmpi-\n1234567.so'
    for options in "-v --to $host" '--undo --dry-run' "-v --to $host" '--undo -v'; do
        # shellcheck disable=SC2086
        "$command" splice $options "$tree" > said 2>&1
        is_shown said
        [[ $options != *--to* ]] || [ "$("./$tree/bin/mpiexec" -n 2 "./$tree/bin/program" | tr -d '\n')" = rightright ]
        "$command" doctor "$tree" > said 2>&1 || [ "$options" = '--undo -v' ]
        is_shown said
    done
    "$command" splice --copy copy --to "$host" "$tree" > said 2>&1
    is_shown said
    mv "$tree" $'t\x01\n'
    run "$command" splice --to "$host" $'t\x01\n'
    [ "$status" -eq 1 ]
    [ "$output" = "mpi-adapter: $PWD/t?? has a control character in its name; rename it" ]
}

# starts_or_is_refused COMMAND...: on the one MPI or on the other, or in one line that says what to type.
starts_or_is_refused() {
    local status=0
    MPI_ADAPTER_VERBOSE=1 timeout 120 "$@" > out 2> errors || status=$?
    if [ "$status" -eq 0 ] && [[ $(tr -d '\n' < out) == right?(right) ]]; then return; fi
    if grep -q "mpi-adapter: .*the splice of $PWD/tree is not finished; .* run 'mpi-adapter splice --undo $PWD/tree'" errors; then
        refused=$((refused + 1))
        return
    fi
    echo "$*: exit status $status"
    cat out errors
    return 1
}

# tree_state: all that a program which starts, or an undo, finds in the tree. A file that a splice makes has another inode each time.
tree_state() {
    find tree -printf '%P %y %l %n ' \( -type d -o -printf '%s' \) -printf '\n' | sort
    find tree -path '*/.mpi-adapter/host' -exec cat {} +
}

# sweep VERB: kills it at every fifth of these calls, to be short; EVERY=1 tries all calls. The tree is as before, or spliced, each time it
# begins. In each state in which it is left for the first time, its programs start or are refused, by its launcher, too.
sweep() {
    local n how=$1 calls whole state
    whole=$(< places)
    strace -qq ${poor:+-E LD_PRELOAD="$poor"} -o log "$build/lib/mpi-adapter/trees" "$how" 9 "$PWD/tree" 9< tree < "$words" > said
    calls=$(changing_calls log)
    [ "$(wc -w <<< "$calls")" -gt 20 ]
    if [ "$how" = splice ]; then trees undo; else trees splice < "$words"; fi > said
    for n in $(if [ "${EVERY-}" = 1 ]; then echo "$calls"; else awk 'NR % 5 == 2' <<< "$calls"; fi); do
        killed_at "$n" "$build/lib/mpi-adapter/trees" "$how" 9 "$PWD/tree"
        echo "$how is killed at $n"
        state=$(tree_state | sha256sum)
        if [ -z "${states[$state]-}" ]; then
            starts_or_is_refused ./tree/bin/program 1
            [ "${EVERY-}" != 1 ] || starts_or_is_refused ./tree/bin/mpiexec -n 2 ./tree/bin/program 2
            states[$state]=tried
        fi
        # A folder is left where the splice had not begun.
        trees undo > said || { grep -a 'is not spliced' said; rm -rf tree/.mpi-adapter; }
        [ "$(places)" = "$whole" ]
        [ -z "$(find tree -name .mpi-adapter)" ]
        [ "$how" = splice ] || trees splice < "$words" > said
    done
}

# make_sweep_tree: and its words.
make_sweep_tree() {
    make_mixed_tree
    places > places
    "$command" splice --to "$host" tree > said
    splice_words > words
    words=$PWD/words refused=0
    declare -gA states=()
    trees undo > said
    is_as_before
}

# sweep_both: the mixture of libraries is there, and refused.
sweep_both() {
    sweep splice
    trees splice < words > said
    sweep undo
    trees undo > said
    is_as_before
    [ "$refused" -gt 2 ]
}

@test "killed at any call that changes something, a splice and an undo leave programs that start or are refused, and can be undone" {
    require_strace
    use_first_pair
    make_sweep_tree
    sweep_both
}

# make_poor FILE [OPTION]: a library by which a program finds a file system on which names do not change places; with -DREFUSED=linkat, no
# file has two names either; with -DREFUSED=symlinkat, no name leads elsewhere.
make_poor() {
    "$CC" -shared -fPIC -D_GNU_SOURCE "${@:2}" -o "$1" -x c - << 'END'
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
long syscall(long number, ...)
{
    long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"), words[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        words[i] = va_arg(list, long);
    va_end(list);
    errno = EINVAL;
    return number == SYS_renameat2 ? -1 : real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
#ifdef REFUSED
int REFUSED(void)
{
    errno = EPERM;
    return -1;
}
#endif
END
}

# refused_for REFUSED WHY: a splice, before anything is changed.
refused_for() {
    make_poor "$1.so" -DREFUSED="$1"
    run env LD_PRELOAD="$PWD/$1.so" "$build/lib/mpi-adapter/trees" splice 9 "$PWD/tree" 9< tree < words
    tr '\0\37' '\n;' <<< "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"cannot be adapted, as its file system $2"*"adapt a copy of links elsewhere with 'mpi-adapter splice --copy COPY $PWD/tree'"* ]]
    is_as_before
}

@test "where names cannot change places a tree is adapted, killed or not; where a file has not two names either, or no links, it is refused" {
    require_strace
    use_first_pair
    make_sweep_tree
    refused_for symlinkat 'has no links'
    refused_for linkat 'neither lets names change places nor lets you make a link to it'
    make_poor poor.so
    poor=$PWD/poor.so
    trees splice < words > said
    [ "$(both_ways | tr -d '\n')" = rightrightright ]
    trees undo > said
    is_as_before
    # All kills take a minute.
    [ "${EVERY-}" != 1 ] || sweep_both
}

# As an earlier version left it, and one whose first step failed.
@test "a splice that came no further than its journal is undone where no link can be made" {
    use_first_pair
    make_sweep_tree
    trees splice < words > said
    mkdir left
    sed 's/^tree.*/tree\t1/' tree/.mpi-adapter/manifest > left/journal
    trees undo > said
    mv left tree/.mpi-adapter
    make_poor symlinkat.so -DREFUSED=symlinkat
    poor=$PWD/symlinkat.so
    trees undo > said
    is_as_before
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
    run -0 --separate-stderr "$command" splice --undo tree
    [ "$stderr" = "mpi-adapter: $PWD/tree/lib/$soname was removed since it was spliced; it is put back" ]
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

# mount_tree: an overlay, whose files have another inode each time it is mounted.
mount_tree() {
    if mountpoint -q tree; then umount tree; fi
    mount -t overlay overlay -o "lowerdir=$PWD/lower,upperdir=$PWD/upper/files,workdir=$PWD/upper/work" tree
}

overlay_adapts_and_undoes() {
    mount -t tmpfs tmpfs upper
    mkdir upper/files upper/work
    mount_tree
    "$command" splice --to "$host" tree
    [ "$(both_ways | tr -d '\n')" = rightrightright ]
    mount_tree
    "$command" doctor tree | grep "ok    $PWD/tree: "
    "$command" splice --undo tree
    is_as_before
    "$command" splice --to "$host" tree
    mount_tree
    "$command" splice --to "$host" tree
    [ "$(both_ways | tr -d '\n')" = rightrightright ]
    "$command" splice --undo tree
    is_as_before
}

@test "a tree on an overlay of two file systems is adapted, mounted again and put back" {
    require_mounts
    use_first_pair
    make_tree
    # A file with two names has another inode as soon as it is renamed.
    rm -r cache
    mkdir cache
    state > before
    mv tree lower
    mkdir tree upper
    export -f mount_tree overlay_adapts_and_undoes both_ways is_as_before state
    export command host
    unshare --mount --propagation private bash -eu -o pipefail -c 'mount -t tmpfs tmpfs upper && mkdir upper/files upper/work && mount_tree' ||
        skip "no overlay can be mounted here"
    unshare --mount --propagation private bash -eux -o pipefail -c overlay_adapts_and_undoes
    [ -z "$(find lower -name .mpi-adapter)" ]
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
    run -0 --separate-stderr "$command" splice --copy "$PWD/copy" --to "$host" tree
    [ -z "$stderr" ]
    [[ $output == *"undo this by: mpi-adapter splice --undo $PWD/copy" ]]
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

@test "the environment of a copy is its own, and a copy whose path needs quotes says that it is not" {
    use_first_pair
    make_tree
    printf '%s\n' 'deactivate () { unset VIRTUAL_ENV; }' "VIRTUAL_ENV=$PWD/tree" 'PATH=$VIRTUAL_ENV/bin:$PATH' "# $PWD/trees, not $PWD/tree" \
        > tree/bin/activate
    printf 'setenv VIRTUAL_ENV %s\n' "'$PWD/tree'" > tree/bin/activate.csh
    echo 'names no folder' > tree/bin/activate.ps1
    run -0 --separate-stderr "$command" splice --copy copy --to "$host" tree
    [ -z "$stderr" ]
    [ "$(. copy/bin/activate; echo "$VIRTUAL_ENV")" = "$PWD/copy" ]
    [ "$(tail -n 1 copy/bin/activate)" = "# $PWD/trees, not $PWD/copy" ]
    [ "$(cat copy/bin/activate.csh)" = "setenv VIRTUAL_ENV '$PWD/copy'" ]
    [ -L copy/bin/activate.ps1 ]
    [ "$(. tree/bin/activate; echo "$VIRTUAL_ENV")" = "$PWD/tree" ]
    rm tree/bin/activate.csh
    run -0 --separate-stderr "$command" splice --copy 'a copy' --to "$host" tree
    one_line "$stderr"
    [[ $stderr == *"$PWD/a copy/bin/activate is a link to the tree's, and activates that; give --copy a path that needs no quotes" ]]
    [ -L 'a copy/bin/activate' ]
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
        'mount -t tmpfs -o size=16k,mode=755 tmpfs small && "$@"; status=$?; [ ! -e small/copy ] || status=99; exit "$status"' \
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
    mkdir -p "tree/share/$(printf 'd/%.0s' {1..250})"
    state > before
    run --separate-stderr "$command" splice --to "$host" tree
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

# Every ninth call, to be short; EVERY=1 tries all.
@test "killed at any call, a copy is not there, or is whole" {
    require_strace
    use_first_pair
    varied_tree
    local n whole words=/dev/null
    trees copy "$PWD/copy" > said
    whole=$(cd copy && find . -printf '%P %l %m %y\n' | sort)
    strace -qq -o log "$build/lib/mpi-adapter/trees" copy 9 "$PWD/tree" "$PWD/other" 9< tree > said
    [ "$(changing_calls log | wc -l)" -gt 40 ]
    for n in $(changing_calls log | if [ "${EVERY-}" = 1 ]; then cat; else awk 'NR % 9 == 0'; fi); do
        rm -rf copy
        killed_at "$n" "$build/lib/mpi-adapter/trees" copy 9 "$PWD/tree" "$PWD/copy"
        [ -e copy ] || trees copy "$PWD/copy" > said
        [ "$(cd copy && find . -printf '%P %l %m %y\n' | sort)" = "$whole" ]
        [ ! -e copy.mpi-adapter-new ]
    done
    is_as_before
    "$command" splice --to "$host" copy
    [ "$(MPI_ADAPTER_VERBOSE=1 ./copy/bin/script 2>&1 | grep -c "on $host:")" -eq 1 ]
}

# refused_to_root WHAT OPTION...: as others may change WHAT; nothing is done.
refused_to_root() {
    local what=$1
    shift
    run --separate-stderr "$command" splice "$@" tree
    echo "$stderr"
    [ "$status" -eq 1 ]
    one_line "$stderr"
    [[ $stderr == *"others than root may change $what"[,\;]* ]]
    [ ! -e copy ]
}

@test "a tree in which others than root may write is refused to root, in place, as a copy and to be put back" {
    [ "$(id -u)" -eq 0 ] || skip "only root can give a tree away"
    use_first_pair
    make_tree
    local victim=$BATS_TEST_TMPDIR/victim
    chown nobody tree/lib
    refused_to_root "$PWD/tree/lib" --undo
    refused_to_root "$PWD/tree/lib" --to "$host"
    refused_to_root "$PWD/tree/lib" --copy copy --to "$host"
    chown root tree/lib
    chgrp games tree/lib
    chmod 2775 tree/lib
    refused_to_root "$PWD/tree/lib" --undo
    [[ $stderr == *", as the group games may write to it; do this as a member of that group, or take the right from it (chmod -R g-w)" ]]
    chgrp root tree/lib
    chmod 755 tree/lib
    chmod g-s tree/lib
    # The mode's bits for the group do not say whom a POSIX list lets write.
    if setfacl -m u:nobody:rwx tree/lib 2> /dev/null; then
        refused_to_root "$PWD/tree/lib" --undo
        [[ $stderr == *", as its access control list may say; "* ]]
        setfacl -b tree/lib
        setfacl -d -m u:nobody:rwx tree/lib
        refused_to_root "$PWD/tree/lib" --undo
        setfacl -k tree/lib
        # One that lets nobody write is no reason.
        setfacl -m u:nobody:rx tree/lib
        "$command" splice --to "$host" tree
        "$command" splice --undo tree
        setfacl -b tree/lib
    fi
    mkdir tree/.mpi-adapter
    : > tree/.mpi-adapter/journal
    chmod o+w tree/.mpi-adapter/journal
    refused_to_root "$PWD/tree/.mpi-adapter/journal" --undo
    rm -r tree/.mpi-adapter
    chmod 777 .
    refused_to_root "$PWD" --undo
    # As /tmp is.
    chmod 1777 .
    "$command" splice --to "$host" tree
    "$command" splice --undo tree
    chmod 755 .
    mkdir -m 777 open
    refused_to_root "$PWD/open" --copy open/copy --to "$host"
    is_as_before
    "$command" splice --copy copy --to "$host" tree
    [ "$(./copy/bin/mpiexec -n 2 ./copy/bin/program | tr -d '\n')" = rightright ]
    is_as_before
}

# shared_folder: sets shared to a folder that other users reach, and that the command can be run in.
shared_folder() {
    [ "$(id -u)" -eq 0 ] || skip "only root can give a tree away"
    setpriv --reuid nobody --regid nogroup --clear-groups test -r "$build/lib/mpi-adapter/trees" || skip "others do not reach this checkout"
    shared=$(mktemp -d /tmp/mpi-adapter-trees-XXXXXX)
    chmod 755 "$shared"
    cd "$shared"
}

teardown() { [ -z "${shared-}" ] || rm -rf "$shared"; }

@test "root handles a user's tree with the user's rights, and a copy of it, too" {
    use_first_pair
    shared_folder
    make_tree
    mkdir -m 700 victim
    echo mine > victim/shadow
    chown -R nobody tree
    state > before
    run -0 --separate-stderr "$command" splice --to "$host" tree
    echo "$stderr"
    [[ $output == "$PWD/tree is adapted to "*"undo this by: mpi-adapter splice --undo $PWD/tree" ]]
    [ -z "$(find tree ! -user nobody)" ]
    [ "$(both_ways | tr -d '\n')" = rightrightright ]
    run "$command" doctor tree
    [[ $output == *"ok    $PWD/tree: "* ]]
    run -0 --separate-stderr "$command" splice --undo --verbose tree
    [[ $stderr == *"$PWD/tree belongs to user nobody, with whose rights this is done"* ]]
    is_as_before
    # The user may change that process as it runs.
    run "$build/lib/mpi-adapter/trees" as-owner 9 "$PWD/tree" /usr/bin/printf 'a\xc2\x9b31m \xe2\x80\xae \xff\x1b\0 é\nlast' 9< tree
    [ "$output" = $'a?31m ? ??? é\nlast' ]
    # A file that nobody else may read is read with the user's rights, and its copy is for nobody else to read.
    chmod 700 tree/bin/program
    cp victim/shadow tree/bin/other
    chmod 4700 tree/bin/other
    ln -s "$PWD/victim/shadow" tree/bin/link
    truncate -s 100M tree/bin/program
    chown -h nobody tree/bin/*
    state > before
    "$command" splice --copy copy --to "$host" tree
    [ "$(stat -c '%U %a' copy/bin/program)" = 'root 700' ]
    # The hole is one.
    [ "$(stat -c %b copy/bin/program)" -lt 10000 ]
    [ "$(readlink copy/bin/link)" = "$PWD/victim/shadow" ]
    [ "$(./copy/bin/mpiexec -n 2 ./copy/bin/program | tr -d '\n')" = rightright ]
    is_as_before
    # A journal and links that lead elsewhere give no more than the user has: of each form, and forged in all ways.
    local kind
    for kind in 'file\t-\tlib/shadow\t/nowhere.so' 'file\t1\t2\t-\tlink\tlib/shadow\t/nowhere.so' 'none\t-\t../victim/shadow\t/nowhere.so' \
        'none\t-\tlib/.mpi-adapter/shadow\t/nowhere.so'; do
        rm -rf tree/.mpi-adapter tree/lib/.mpi-adapter
        mkdir tree/.mpi-adapter
        ln -s "$PWD/victim" tree/lib/.mpi-adapter
        echo mine > tree/lib/shadow
        printf "mpi-adapter splice 1\npair\t/p\nhost\t/h\n$kind\nend\n" > tree/.mpi-adapter/journal
        chown -hR nobody tree
        run --separate-stderr "$command" splice --undo tree
        [ "$status" -eq 1 ]
        one_line "$stderr"
        run "$command" splice --to "$host" tree
        [ "$status" -eq 1 ]
        [ "$(< victim/shadow)" = mine ]
        [ "$(ls -A victim)" = shadow ]
    done
}

@test "root does not adapt a tree that a link leads to, nor one that has another's name by now" {
    [ "$(id -u)" -eq 0 ] || skip "others have only their own rights"
    use_first_pair
    make_tree
    mkdir -p other/folder
    ln -s "$PWD" other/link
    local words
    for words in 'other/link/tree' "--undo $PWD/other/link/tree/" '--copy copy other/folder/../link/tree/.'; do
        # shellcheck disable=SC2086
        run --separate-stderr "$command" splice --to "$host" $words
        [ "$status" -eq 1 ]
        [ "$stderr" = "mpi-adapter: ${words##* } leads to $PWD/tree by a link; give $PWD/tree itself" ]
    done
    is_as_before
    # As if its owner had put another folder in its place after the command opened it.
    run "$build/lib/mpi-adapter/trees" judge 9 "$PWD/other" 9< tree
    [ "$status" -eq 1 ]
    [[ $output == problem*"$PWD/other is another folder now than when it was opened"* ]]
    cd other/folder
    "$command" splice --to "$host" ../..//./tree/.
    "$command" splice --undo "../../tree"
    cd ../..
    is_as_before
}

@test "in a tree of a group, a member splices, and another member undoes" {
    use_first_pair
    shared_folder
    make_tree
    chgrp -R games tree
    chmod -R g+w tree
    find tree -type d -exec chmod g+s {} +
    state > before
    setpriv --reuid nobody --regid games --clear-groups "$command" splice --to "$host" tree
    [ "$(both_ways | tr -d '\n')" = rightrightright ]
    setpriv --reuid daemon --regid games --clear-groups "$command" splice --undo tree
    is_as_before
}

@test "undo refuses what is not what was set aside, and names it" {
    use_first_pair
    make_tree
    "$command" splice --to "$host" tree
    cp cache/mpiexec other
    echo >> other
    mv -f other tree/bin/.mpi-adapter/mpiexec
    run --separate-stderr "$command" splice --undo tree
    [ "$status" -eq 1 ]
    one_line "$stderr"
    [[ $stderr == *"$PWD/tree/bin/.mpi-adapter/mpiexec is not what was set aside; "* ]]
    # Nothing was done: it still runs as after the splice.
    [ "$(both_ways | tr -d '\n')" = rightrightright ]
    rm tree/bin/.mpi-adapter/mpiexec
    run --separate-stderr "$command" splice --undo tree
    [ "$status" -eq 1 ]
    [[ $stderr == *"$PWD/tree/bin/.mpi-adapter/mpiexec is gone; put the tree's own $PWD/tree/bin/mpiexec back from where it came" ]]
    # The same content, but another file.
    cp -p cache/mpiexec tree/bin/.mpi-adapter/mpiexec
    run --separate-stderr "$command" splice --undo tree
    [ "$status" -eq 1 ]
    [[ $stderr == *" is not what was set aside; "* ]]
    # A tree that was copied as a whole has other inodes.
    cp -a tree copied
    "$command" splice --undo copied
    cmp copied/bin/mpiexec cache/mpiexec
    ln -f cache/mpiexec tree/bin/.mpi-adapter/mpiexec
    "$command" splice --undo tree
    is_as_before
}

@test "a pipe in the place of a library is refused, and not read" {
    use_first_pair
    make_tree
    local name
    read -r name _ < <(pair_facts fortran)
    rm "tree/lib/$name"
    mkfifo "tree/lib/$name"
    run --separate-stderr timeout 60 "$command" splice --to "$host" tree
    echo "$stderr"
    [ "$status" -eq 1 ]
    one_line "$stderr"
    [[ $stderr == *"$PWD/tree/lib/$name is neither a file nor a link; remove it from the tree" ]]
    mkdir -p copy/.mpi-adapter
    ln -s /dev/zero copy/.mpi-adapter/copy
    run timeout 60 "$command" doctor "$PWD/copy"
    [ "$status" -ne 124 ]
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
    [[ $output == *$'\n'"programs: "* ]]
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
    last=$("$build/tools/elf-facts" --versions "$(library_of libudev.so.1)" | sed -n 's/^defined //p' | sort -V | tail -n 1)
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
