# SPDX-License-Identifier: BSD-3-Clause
# The search for libraries by reading files. The dynamic linker is the referee: it says what it maps for the same file.

load false_mpis

setup() {
    loader=$(readelf -lW "$BASH" | sed -n 's/.*interpreter: \(.*\)]/\1/p')
    cd "$BATS_TEST_TMPDIR"
}

# real NAMES-AND-PATHS: each path as the file that it is; a path of the loader's own is its name.
real() {
    local name path
    while IFS=$'\t' read -r name path; do
        [[ $path != *"${loader##*/}" ]] || continue
        [ -z "$path" ] || path=$(realpath "$path")
        printf '%s\t%s\n' "${name##*/}" "$path"
    done | sort
}

# mapped FILE: what the dynamic linker says.
mapped() {
    LD_TRACE_LOADED_OBJECTS=1 "$loader" "$1" | sed -n -e '/linux-vdso/d' -e 's/^\t\(.*\) => not found.*/\1\t/p;t' -e 's/^\t\(.*\) => \(.*\) (.*/\1\t\2/p;t' \
        -e 's/^\t\(\/.*\) (.*/\1\t\1/p' | real
}

# found FILE: what the command finds.
found() {
    "$build/tools/elf-facts" --closure "${LD_LIBRARY_PATH-}" "${LD_PRELOAD-}" "$1" | real
}

# agree FILE...
agree() {
    local file
    for file; do
        diff <(mapped "$file") <(found "$file") || { echo "$file: the dynamic linker's on the left"; return 1; }
    done
}

@test "programs of this machine, MPIs and what these open" {
    local files=() file
    for file in openmpi mpich; do
        "mpicc.$file" -o "$file" -x c - <<< 'int MPI_Finalize(void); int main(void) { return MPI_Finalize(); }'
        file=$(mapped "./$file" | sed -n 's/^libmpi.*\t//p')
        echo "$file"
        find "${file%/*}/" -path '*openmpi*' -name 'mca_*.so' | sort | awk 'NR % 10 == 0'
    done > all
    find /usr/bin -type f | sort | awk 'NR % 12 == 0' >> all
    while read -r file; do
        ! readelf -dW "$file" 2> /dev/null | grep -q NEEDED || ! "$loader" --verify "$file" || files+=("$file")
    done < all
    echo "${#files[@]} files"
    [ "${#files[@]}" -ge 30 ]
    agree ./openmpi ./mpich "${files[@]}"
}

@test "RPATH of all who asked, RUNPATH of one, LD_LIBRARY_PATH between them, tokens, no default folders" {
    mkdir -p far near path lib64
    make_library far/libend.so libend.so 'int end(void) { return 1; }'
    make_library near/libend.so libend.so 'int end(void) { return 2; }'
    make_library path/libend.so libend.so 'int end(void) { return 3; }'
    local end='int end(void); int middle(void) { return end(); }' tags
    for tags in disable enable; do
        make_library "$tags/libmiddle.so" libmiddle.so "$end" far/libend.so
        make_library "$tags/own/libmiddle.so" libmiddle.so "$end" far/libend.so "-Wl,--$tags-new-dtags,-rpath,\$ORIGIN/../../near"
        make_library "$tags/none/libmiddle.so" libmiddle.so "$end" far/libend.so -Wl,--no-as-needed,-z,nodefaultlib -lm
    done
    local program='int middle(void); int main(void) { return middle(); }' file
    for tags in disable enable; do
        for file in disable/libmiddle.so disable/own/libmiddle.so enable/own/libmiddle.so disable/none/libmiddle.so; do
            compile ./program "$file" far/libend.so "-Wl,--$tags-new-dtags,-rpath,\$ORIGIN/${file%/*}:\${ORIGIN}/far" <<< "$program"
            agree ./program
            LD_LIBRARY_PATH=$PWD/path agree ./program
            LD_LIBRARY_PATH=":$PWD/path;$PWD/near" agree ./program
            LD_LIBRARY_PATH="\$ORIGIN/near:\$LIB" agree ./program
            LD_PRELOAD=$PWD/near/libend.so agree ./program
        done
    done
    # Not one of them alone is found by all of these.
    [ "$(found ./program | grep -c 'lib\(end\|middle\)')" -eq 2 ]
}

# Kinds of this processor, the best first, as the dynamic linker says.
kinds() { "$loader" --help | sed -n '/glibc-hwcaps directories/,/^$/s/^ *\(x86-64-v[0-9]\) (supported, searched)/\1/p'; }

# Sets `all` to them.
need_kinds() {
    mapfile -t all < <(kinds)
    [ "${#all[@]}" -gt 0 ] || skip "this processor, or this C library, has none"
}

@test "variants for kinds of processors in folders" {
    local all=() kind
    need_kinds
    make_library folder/libend.so libend.so 'int end(void) { return 1; }'
    compile ./program folder/libend.so <<< 'int end(void); int main(void) { return end(); }'
    agree ./program
    export LD_LIBRARY_PATH=$PWD/folder
    for kind in x86-64-v1 $(printf '%s\n' "${all[@]}" | tac); do
        mkdir -p "folder/glibc-hwcaps/$kind"
        cp folder/libend.so "folder/glibc-hwcaps/$kind"
        agree ./program
    done
    found ./program | grep "glibc-hwcaps/${all[0]}/libend.so"
}

@test "variants for kinds of processors in ld.so.cache" {
    local all=() kind
    need_kinds
    make_library folder/libend.so libend.so 'int end(void) { return 1; }'
    # Another root, with a cache of its own.
    mkdir -p root/lib/folder root/etc
    cp folder/libend.so root/lib/folder
    for kind in x86-64-v1 "${all[@]}"; do
        install -D folder/libend.so "root/lib/folder/glibc-hwcaps/$kind/libend.so"
    done
    echo "$PWD/root/lib/folder" > conf
    cp -L "$loader" root/lib/ld.so
    PATH=$PATH:/sbin:/usr/sbin ldconfig -X -f conf -C root/etc/ld.so.cache
    compile ./program folder/libend.so -Wl,--dynamic-linker="$PWD/root/lib/ld.so" <<< 'int end(void); int main(void) { return end(); }'
    found ./program | grep "root/lib/folder/glibc-hwcaps/${all[0]}/libend.so"
    rm -r "root/lib/folder/glibc-hwcaps/${all[0]}"
    found ./program | grep "root/lib/folder/$([ "${#all[@]}" -lt 2 ] || printf 'glibc-hwcaps/%s/' "${all[1]}")libend.so"
}
