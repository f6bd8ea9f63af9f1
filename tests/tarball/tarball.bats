# SPDX-License-Identifier: BSD-3-Clause
# The tarball, as this machine packs it: `make check-tarball` does the same with the oldest Debian's C library, and runs it in roots.

bats_require_minimum_version 1.5.0

setup_file() {
    export top build name=mpi-adapter-1-any folder=$BATS_FILE_TMPDIR
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    build=$(cd "${BUILD:-$top/build}" && pwd)
    unset MAKEFLAGS MAKELEVEL MFLAGS BUILD DESTDIR PREFIX VERSION
    pack "$folder/first"
    mkdir "$folder/my tools"
    tar -C "$folder/my tools" -xf "$folder/first/$name.tar.xz"
    tar -C "$folder/my tools" -xf "$folder/first/$name-debug.tar.xz"
    elf_files > "$folder/list"
}

setup() {
    cd "$folder"
    root="$folder/my tools/$name"
}

# pack FOLDER: one pair, as all of them take longer.
pack() {
    SOURCE_DATE_EPOCH=1000000000 XZ_LEVEL=-0 "$top/packaging/pack-tarball" "$name" "$1" BUILD="$build" PAIRS=openmpi-to-mpich
}

elf_files() {
    find "$folder/my tools/$name" -type f ! -name '*.debug' ! -name '*.a' | while IFS= read -r file; do
        ! readelf -h "$file" > /dev/null 2>&1 || echo "$file"
    done
}

@test "the same files make the same bytes, whatever the time and who packs" {
    (umask 077 && pack "$folder/second")
    cmp "first/$name.tar.xz" "second/$name.tar.xz"
    cmp "first/$name-debug.tar.xz" "second/$name-debug.tar.xz"
    [ "$(tar -tvf "first/$name.tar.xz" | awk '{ print $2, $4 }' | sort -u)" = '0/0 2001-09-09' ]
    [ "$(tar -tf "first/$name.tar.xz" | sed 's|/.*||' | sort -u)" = "$name" ]
}

@test "a program runs by what was unpacked in a folder with a space, and moved" {
    mpicc.openmpi -o ring "$top/tests/demo/ring.c"
    cp -al "my tools/$name" 'moved here'
    MPI_ADAPTER_CONFIG=/dev/null run --separate-stderr 'moved here/bin/mpi-adapter' run --to mpich -n 2 ./ring
    [ "$status" -eq 0 ]
    [[ $output == 'ring on 2 ranks, MPICH Version'*': verified' ]]
    run 'moved here/bin/mpi-adapter' --version
    [ "$status" -eq 0 ]
}

@test "it needs no library but the C library's, and no newer symbol without an older version" {
    local name libc wanted
    xargs -d '\n' readelf -dW < list | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u > needed
    [ -z "$(grep -vE '^(libc|libdl|libpthread|ld-linux.*|libm|libmpi|libmpi_.*|libmpich|libopen.*)\.so\.[0-9]+$' needed)" ]
    libc=$(ldconfig -p | awk '$1 == "libc.so.6" { print $NF }' | sed -n 1p)
    readelf -W --dyn-syms "$libc" | sed -nE 's/.* ([^@ ]+)@@?GLIBC_2\.([0-9]+)(\.[0-9]+)?( .*)?$/\2 \1/p' > versions
    # Before 2.33 these are functions of the program, which the C library has beside itself.
    wanted='stat lstat fstat fstatat'
    # Versions after 2.17 that the oldest Debian's C library, 2.31, has are linked there, too, whatever else it has.
    [ -z "$(awk -F '[. ]' '$1 == 2 && $2 > 17 && $2 <= 31' first/mpi-adapter-1-any.symbols)" ]
    while read -r version name; do
        [ "$(printf '%s\n' "$version" 2.17 | sort -V | sed -n 2p)" = 2.17 ] || [[ " $wanted " == *" $name "* ]] ||
            [ -n "$(awk -v name="$name" '$2 == name && $1 <= 17' versions)" ] || { echo "$name is of $version"; return 1; }
    done < "first/mpi-adapter-1-any.symbols"
    [ -s "first/mpi-adapter-1-any.symbols" ]
}

@test "a symbol that is too new is named, and nothing is packed" {
    GLIBC=2.2 run --separate-stderr pack "$folder/older"
    [ "$status" -eq 1 ]
    [[ $stderr == 'packaging/pack-tarball: glibc 2.2 lacks '*'secure_getenv of 2.17'*'; use what it has' ]]
    [ -z "$(ls older)" ]
}

@test "files are stripped, and debuggers find what was taken out of them" {
    local file debug
    while IFS= read -r file; do
        readelf -SW "$file" > sections
        run ! grep -F .debug_info sections
        grep -qF .gnu_debuglink sections
        grep -qF .symtab sections
        debug=${file%/*}/.debug/${file##*/}.debug
        [ "$(readelf -nW "$debug" | grep 'Build ID')" = "$(readelf -nW "$file" | grep 'Build ID')" ]
    done < list
    readelf -SW "$root/lib/mpi-adapter/openmpi-to-mpich/.debug/libmpi.so.40.debug" | grep -F .debug_info
}

@test "what cannot be built is said, and nothing begins" {
    cd "$top"
    BUILD=$top/build VERSION=1 ARCH=riscv64 run --separate-stderr packaging/build-tarball
    [ "$status" -eq 1 ]
    [ "$stderr" = 'packaging/build-tarball: there is no tarball for riscv64; ARCH may be amd64 or arm64' ]
    BUILD=$folder/out VERSION=1 ARCH=amd64 run --separate-stderr packaging/build-tarball
    [ "$status" -eq 1 ]
    [ "$stderr" = "packaging/build-tarball: roots see only this checkout, and BUILD is $folder/out; give a folder of the checkout, without spaces" ]
    [ ! -e "$folder/out" ]
    run --separate-stderr tests/tarball/check
    [ "$status" -ne 0 ]
}
