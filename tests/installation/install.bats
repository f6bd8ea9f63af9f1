#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# make install: what it puts where, that it works from there, and that a failure leaves the old
# pair in place.

load ../pair
use_pair openmpi-to-mpich

setup_file() {
    load ../pair
    use_pair openmpi-to-mpich
    export PREFIX_FOLDER=/opt/adapter
    export root=$BATS_FILE_TMPDIR/root
    install_into "$root" > "$BATS_FILE_TMPDIR/log" 2>&1 || { cat "$BATS_FILE_TMPDIR/log"; return 1; }
    app_program "$BATS_FILE_TMPDIR/hello" "$top/tests/processes/linked/hello.c"
}

setup() {
    cd "$BATS_FILE_TMPDIR"
    installed=$root$PREFIX_FOLDER/lib/mpi-adapter/$pair
}

# install_into FOLDER [TARGET]
install_into() {
    make -C "$top" --no-print-directory BUILD="$build" DESTDIR="$1" PREFIX="${PREFIX_FOLDER:-/opt/adapter}" \
        "${2:-install}"
}

# without_privileges COMMAND...: as somebody who may not write everywhere.
without_privileges() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    else
        "$@"
    fi
}

@test "every file is in its place, with its mode" {
    (cd "$root" && find . -type f -o -type l) | sort > files
    for file in "$folder"/*.so.*; do
        grep -qx ".$PREFIX_FOLDER/lib/mpi-adapter/$pair/${file##*/}" files
        [ "$(stat -L -c %a "$installed/${file##*/}")" = 755 ]
    done
    for file in lib/mpi-adapter/$pair/pair.conf share/doc/mpi-adapter/LICENSE include/gotswap.h; do
        grep -qx ".$PREFIX_FOLDER/$file" files
        [ "$(stat -c %a "$root$PREFIX_FOLDER/$file")" = 644 ]
    done
    grep -qx ".$PREFIX_FOLDER/bin/mpi-adapter" files
    [ -x "$root$PREFIX_FOLDER/bin/mpi-adapter" ]
    run ! grep -v "^.$PREFIX_FOLDER/" files
    [ -z "$(find "$root" -name '*.new')" ]
    # Nothing that is read there knows where it was built.
    run ! grep -qF "$build" "$installed/pair.conf" "$root$PREFIX_FOLDER/bin/mpi-adapter"
}

@test "debugging information stays out, unless it is wanted, and names of functions stay" {
    local file files=()
    mapfile -t files < <(find "$root" -type f \( -name '*.so*' -o -path '*/mpi-adapter/e*' -o -path '*/probe/*' \))
    [ "${#files[@]}" -gt 20 ]
    for file in "${files[@]}"; do
        run ! grep -q ' \.debug_info ' <(readelf -SW "$file" 2>&1)
    done
    grep -q ' load_once$' <(readelf -sW "$installed/$soname")
    make -C "$top" --no-print-directory BUILD="$build" DESTDIR="$PWD/whole" PREFIX=/opt/adapter STRIP=no install-gotswap > log
    grep -q ' \.debug_info ' <(readelf -SW whole/opt/adapter/lib/libgotswap.so.1)
}

@test "pairs of one application share their libraries, each of which is there" {
    local other file
    for other in "$root$PREFIX_FOLDER/lib/mpi-adapter/openmpi-to-"*; do
        for file in libmpi_mpifh.so.40 libmpi_usempif08.so.40; do
            [ -f "$other/$file" ]
            [ "$other/$file" -ef "$installed/$file" ]
        done
    done
    # Files that differ stay separate.
    [ "$(stat -c %h "$installed/$soname")" = 1 ]
    [ "$(du -sk "$root" | cut -f 1)" -lt 33000 ]
}

@test "links of the installed documentation lead to files that are there, all that the checkout has" {
    local documents=$root$PREFIX_FOLDER/share/doc/mpi-adapter page
    "$top/scripts/documents" check "$documents"
    diff <("$top/scripts/documents" list | LC_ALL=C sort) <(cd "$documents" && find . -type f -printf '%P\n' | LC_ALL=C sort)
    # The manual names the page to start at.
    page=$(sed 's/\\-/-/g' "$root$PREFIX_FOLDER/share/man/man1/mpi-adapter.1" | sed -n 's|^\.IR PREFIX /share/doc/|share/doc/|p')
    [ -f "$root$PREFIX_FOLDER/$page" ]
}

@test "it works from there, and from where it is moved to" {
    [ "$(LD_LIBRARY_PATH=$installed ./hello 2>&1)" = 'hello 1' ]
    [ "$("$root$PREFIX_FOLDER/bin/mpi-adapter" run -n 2 --to mpich ./hello)" = 'hello 2' ]
    cp -r "$root$PREFIX_FOLDER" moved
    [ "$(moved/bin/mpi-adapter run -n 2 --to mpich ./hello)" = 'hello 2' ]
}

@test "installing again replaces the pair as a whole" {
    touch "$installed/libleft.so.1"
    install_into "$root" install-pairs
    [ ! -e "$installed/libleft.so.1" ]
    [ ! -e "$installed.new" ]
    [ "$(LD_LIBRARY_PATH=$installed ./hello 2>&1)" = 'hello 1' ]
}

@test "the site's pairs and settings survive installing again, and uninstall" {
    local prefix=$root$PREFIX_FOLDER
    cp -r "$installed" "$installed@site"
    echo 'name = site' >> "$installed@site/pair.conf"
    mkdir -p "$prefix/etc"
    echo 'host = mpich@site' > "$prefix/etc/mpi-adapter.conf"
    find "$installed@site" "$prefix/etc" -type f -exec sha256sum {} + > before
    install_into "$root"
    sha256sum --quiet -c before
    run "$prefix/bin/mpi-adapter" list
    echo "$output"
    [[ $output == *"$pair@site"* && $output == *"mpich@site"*"$prefix/etc/mpi-adapter.conf"* ]]
    install_into "$root" uninstall
    sha256sum --quiet -c before
    rm -r "$installed@site" "$prefix/etc"
    install_into "$root"
}

@test "a prefix that cannot be written: an error, and the old pair stays" {
    if [ "$(id -u)" -eq 0 ]; then
        [ -r "$top/Makefile" ] && without_privileges test -r "$top/Makefile" -a -r "$adapter" ||
            skip "nobody may not read this checkout"
        without_privileges test -x "$BATS_FILE_TMPDIR" || chmod a+x "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR" \
            "$BATS_FILE_TMPDIR/.."
    fi
    chmod a-w "$root$PREFIX_FOLDER/lib/mpi-adapter" "$installed"
    before=$(find "$installed" -type f -exec sha256sum {} + | sort)
    run --separate-stderr without_privileges make -C "$top" BUILD="$build" DESTDIR="$root" \
        PREFIX="$PREFIX_FOLDER" install-pairs
    chmod u+w "$root$PREFIX_FOLDER/lib/mpi-adapter" "$installed"
    echo "$output $stderr"
    [ "$status" -ne 0 ]
    [[ $stderr == *"$installed"* ]]
    [ "$(find "$installed" -type f -exec sha256sum {} + | sort)" = "$before" ]
    [ "$(LD_LIBRARY_PATH=$installed ./hello 2>&1)" = 'hello 1' ]
}
