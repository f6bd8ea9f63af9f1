#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Finding objects, listing their slots, and every failure with its message.

bats_require_minimum_version 1.5.0
load common

setup_file() {
    load common
    cd "$BATS_FILE_TMPDIR"
    library libcallee.so -Wl,-soname,libcallee.so "$here/callee.c"
    library libcaller.so -Wl,-soname,libcaller.so -DLIBRARY "$here/caller.c" -L. -lcallee \
        -Wl,-rpath,"$PWD" -Wl,-z,now
    program tool "$here/tool.c"
}

setup() {
    cd "$BATS_FILE_TMPDIR"
}

# same_slots FILE TOOL-ARGUMENT...: "tool list" shows what readelf shows
same_slots() {
    local file=$1
    shift
    readelf_slots "$file" > expected
    run_tool ./tool "$@" | sort > shown
    [ -s expected ]
    diff expected shown
}

# fails PATTERN TOOL-ARGUMENT...
fails() {
    local pattern=$1
    shift
    run run_tool ./tool "$@"
    echo "$output"
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output =~ $pattern ]]
}

@test "slots of the executable are those that readelf lists" {
    same_slots tool list ""
}

@test "slots of a non-PIE executable are those that readelf lists" {
    program fixed -no-pie -fno-pie "$here/tool.c"
    readelf_slots fixed > expected
    run_tool ./fixed list "" | sort > shown
    [ -s expected ]
    diff expected shown
}

@test "slots of a library are those that readelf lists" {
    same_slots libcaller.so -l ./libcaller.so list libcaller.so
}

@test "slots of a library with packed relative relocations (DT_RELR)" {
    library librelr.so -DLIBRARY -Wl,-z,pack-relative-relocs "$here/caller.c" -L. -lcallee \
        -Wl,-rpath,"$PWD" || skip "the linker cannot pack relative relocations"
    readelf -dW librelr.so | grep -q RELR || skip "the linker packed no relative relocations"
    same_slots librelr.so -l ./librelr.so list librelr.so
}

@test "slots of every loaded object of an MPI process are those that readelf lists" {
    run_tool ./tool -l libmpich.so.12 loaded > paths || skip "libmpich.so.12 is not installed"
    [ "$(wc -l < paths)" -gt 10 ]
    while read -r path; do
        [ "$path" = "$PWD/tool" ] && path=
        readelf_slots "${path:-tool}" > expected
        run_tool ./tool -l libmpich.so.12 list "$path" | sort > shown
        diff expected shown
    done < paths
}

@test "libmpich.so.12: as many slots of MPI functions as readelf lists" {
    [ -z "${GOTSWAP_TEST_RUN:-}" ] || skip "this machine's is not for what runs here"
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p > known
    grep -q 'libmpich\.so\.12 ' known || skip "libmpich.so.12 is not installed"
    run_tool ./tool -l libmpich.so.12 list libmpich.so.12 > shown
    path=$(run_tool ./tool -l libmpich.so.12 open libmpich.so.12)
    expected=$(LC_ALL=C readelf -rW "$path" | awk '$5 ~ /^P?MPI_/' | wc -l)
    [ "$expected" -gt 50 ]
    [ "$(awk '$3 ~ /^P?MPI_/' shown | wc -l)" -eq "$expected" ]
}

@test "objects are found by soname, by file name, by path and by symbolic link" {
    mkdir -p found
    cp libcaller.so found/other-name.so
    ln -sf other-name.so found/link.so
    for name in libcaller.so other-name.so ./found/other-name.so "$PWD/found/link.so"; do
        [ "$(run_tool ./tool -l ./found/other-name.so open "$name")" = "$PWD/found/other-name.so" ]
        run_tool ./tool -l ./found/other-name.so dependencies "$name" > shown
        [ "$(head -1 shown)" = "$PWD/found/other-name.so" ]
    done
}

@test "a path with spaces" {
    mkdir -p "a  directory"
    cp libcaller.so "a  directory/lib caller.so"
    same_slots libcaller.so -l "./a  directory/lib caller.so" list "./a  directory/lib caller.so"
    run_tool ./tool -l "./a  directory/lib caller.so" loaded |
        grep -Fx "$PWD/a  directory/lib caller.so"
}

@test "an object in another namespace is found by its path" {
    [ -z "${GOTSWAP_TEST_CFLAGS:-}" ] || skip "sanitizers do not support dlmopen"
    same_slots libcaller.so -n ./libcaller.so list ./libcaller.so
}

@test "the executable is found if the loader was named on the command line" {
    loader=$(LC_ALL=C readelf -lW tool | sed -n 's/.*interpreter: \(.*\)]/\1/p')
    run_tool "${GOTSWAP_TEST_ROOT:-}$loader" ./tool list "" | sort > shown
    readelf_slots tool > expected
    diff expected shown
}

@test "an address in code, in data without a file, and of another object" {
    [ "$(run_tool ./tool open-special code)" = "$PWD/tool" ]
    [ "$(run_tool ./tool open-special bss)" = "$PWD/tool" ]
    [ "$(run_tool ./tool -l ./libcaller.so open-special last)" = "$PWD/libcaller.so" ]
}

@test "not loaded: soname, path, empty name, address" {
    fails '^ENOTLOADED: libcaller.so: not loaded$' open libcaller.so
    fails '^ENOTLOADED: ./libcaller.so: not loaded$' open ./libcaller.so
    fails '^ENOTLOADED: /nowhere/lib.so: not loaded$' open /nowhere/lib.so
    fails '^ENOTLOADED: : not loaded$' open ""
    fails '^ENOTLOADED: 0x1: no loaded object is there$' open-special one
    fails '^ENOTLOADED: 0x[0-9a-f]+: no loaded object is there$' open-special anonymous
    fails '^ENOTLOADED: libcaller.so: not loaded$' dependencies libcaller.so
}

@test "a file that is only mapped to be read" {
    fails '^ENOTLOADED: .*/tool: not loaded, only mapped$' open-special read
}

@test "the vdso has no file" {
    run run_tool ./tool open-special vdso
    [ "$status" -ne 3 ] || skip "there is no vdso"
    fails '^EFILE: \[vdso\]: has no file$' open-special vdso
}

@test "a symbol without slots" {
    fails '^ENOSYM: /.*/libcaller.so: no slot of the symbol missing$' \
        -l ./libcaller.so replace libcaller.so missing
    fails '^ENOSYM: .*: no slot of the symbol a\?b$' -l ./libcaller.so replace libcaller.so $'a\nb'
}

@test "a file that was deleted or replaced after loading" {
    cp libcaller.so gone.so
    fails '^EFILE: /.*/gone.so: the file was deleted or replaced after loading$' \
        -l ./gone.so -x 'rm gone.so' open gone.so\ \(deleted\)
    cp libcaller.so gone.so
    fails '^EFILE: /.*/gone.so: the file was deleted or replaced after loading$' \
        -l ./gone.so -x 'cp libcallee.so new && mv new gone.so' open libcaller.so
}

@test "a file that was damaged after loading" {
    for damage in 'printf XXXX | dd of=bad.so conv=notrunc' \
        'truncate -s 4096 bad.so'; do
        cp libcaller.so bad.so
        fails '^EELF: /.*/bad.so: ' -l ./bad.so -x "{ $damage; } 2>/dev/null" \
            open-special last
    done
    cp libcaller.so bad.so # e_machine
    fails '^EARCH: /.*/bad.so: not an object for ' -l ./bad.so \
        -x 'printf "\003" | dd of=bad.so bs=1 seek=18 conv=notrunc 2>/dev/null' \
        open-special last
}

@test "a file that is not the one that was loaded" {
    cp libcaller.so moved.so
    fails '^EFILE: /.*/moved.so \(deleted\): not a regular file$' \
        -l ./moved.so -x 'mkdir "moved.so (deleted)"; rm moved.so' open libcaller.so
    rmdir 'moved.so (deleted)'
    cp libcaller.so moved.so
    library similar "$here/callee.c"
    library different "$here/callee.c" -Wl,-z,noseparate-code
    for other in similar different; do
        cp libcaller.so moved.so
        fails '^EFILE: /.*/moved.so \(deleted\): the file is not the one that was loaded$' \
            -l ./moved.so -x "rm moved.so; mv $other 'moved.so (deleted)'" open libcaller.so
    done
}

@test "thousands of damaged files" {
    compile -D_GNU_SOURCE -o damage "$here/damage.c" "$built/libgotswap.a" -lelf -pthread
    run_tool ./damage ./libcaller.so "$PWD/damaged.so"
}

@test "dependencies: each once, breadth-first, only those reached" {
    echo 'int left(void); int left(void) { return 1; }' > left.c
    echo 'int bottom(void); int bottom(void) { return 1; }' > bottom.c
    library libbottom.so bottom.c -Wl,-soname,libbottom.so
    with=(-Wl,--no-as-needed -L. -Wl,-rpath,"$PWD")
    library libleft.so left.c "${with[@]}" -lbottom
    library libright.so left.c "${with[@]}" -lbottom
    library libtop.so left.c "${with[@]}" -lleft -lright
    run_tool ./tool -l ./libcaller.so -l ./libtop.so dependencies libtop.so |
        grep "^$PWD" | sed 's|.*/||' > shown
    diff <(printf '%s\n' libtop.so libleft.so libright.so libbottom.so) shown
    run_tool ./tool -l ./libtop.so dependencies "$PWD/libright.so" |
        grep "^$PWD" | sed 's|.*/||' > shown
    diff <(printf '%s\n' libright.so libbottom.so) shown
    run_tool ./tool -l ./libtop.so dependencies | sed 's|.*/||' > shown
    [ "$(head -1 shown)" = tool ]
    grep -q '^libgotswap.so' shown
    ! grep -q '^libtop.so' shown
}

@test "dependencies are found without the maps where the loader's names are paths" {
    library libplain.so "$here/callee.c"
    program reads "$here/reads.c"
    run_tool ./reads ./libplain.so
}

@test "loaded objects: the executable first, then also those loaded later" {
    run_tool ./tool -l ./libcaller.so loaded > shown
    [ "$(head -1 shown)" = "$PWD/tool" ]
    grep -Fxq "$PWD/libcaller.so" shown
    grep -Fxq "$PWD/libcallee.so" shown
    run ! grep -v '^/' shown
    [ "$(sort shown | uniq -d | wc -l)" -eq 0 ]
}

@test "looked at in place, the loader's list has the objects, strings and slots that there are" {
    # It has copies of the C library's data, and binds no slot while they are compared.
    program look -no-pie -fno-pie -Wl,-z,now "$here/look.c" -ldl
    run_tool ./look "$PWD/libcaller.so"
}
