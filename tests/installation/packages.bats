#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# make deb: that lintian accepts the packages, what they depend on, and that they work where they
# are installed, in a system that has MPICH and no compiler, Python or Open MPI.

# bats file_tags=long
bats_require_minimum_version 1.8.0
load ../chroot

mapfile -t pairs < <(sed '/^#/d' "$BATS_TEST_DIRNAME/../../abi-tables/pairs")
packages=(libgotswap-dev libgotswap1 libmpi-adapter-fortran1 mpi-adapter mpi-adapter-dev "${pairs[@]/#/mpi-adapter-}")

setup_file() {
    export top debs=$BATS_FILE_TMPDIR/build/deb tree=$BATS_FILE_TMPDIR/tree
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    # As a user does: other options leave packages out, and with them what is wrong with these.
    env -u DEB_BUILD_OPTIONS make -C "$top" --no-print-directory BUILD="$BATS_FILE_TMPDIR/build" deb \
        > "$BATS_FILE_TMPDIR/log" 2>&1 || { cat "$BATS_FILE_TMPDIR/log"; return 1; }
    mkdir "$BATS_FILE_TMPDIR/symbols"
    mv "$debs"/*-dbgsym_*.deb "$BATS_FILE_TMPDIR/symbols"
    version=$(sed -n 's/^VERSION := //p' "$top/Makefile")
    export version
    load ../chroot
    local name files=()
    for name in bash cat chmod env head mkdir mpiexec.mpich hydra_pmi_proxy paste readlink sed sort stat timeout tr; do
        files+=("$(type -P "$name")")
    done
    make_tree "$tree" "${files[@]}" "$(readlink -f /usr/lib/*/libmpich.so.12)" "$(echo /usr/lib/*/libelf.so.1)"
    ln -s bash "$tree/usr/bin/sh"
    cp -P /usr/lib/*/libmpich.so.12 "$tree$(dirname "$(echo /usr/lib/*/libmpich.so.12)")"
    mpicc.openmpi -O2 -o "$tree/root/program" "$top/tests/demo/ring.c"
    dpkg-deb -x "$debs/mpi-adapter-dev_${version}_amd64.deb" "$BATS_FILE_TMPDIR/dev"
    "$BATS_FILE_TMPDIR/dev/usr/bin/mpicc_abi" -O2 -o "$tree/root/anywhere" "$top/tests/demo/ring.c"
}

# field PACKAGE FIELD
field() { dpkg-deb -f "$debs/$1_${version}_"*.deb "$2"; }

@test "each package is built, in the version of the Makefile" {
    diff <(printf "%s_${version}_amd64.deb\n" "${packages[@]}" | sort) <(cd "$debs" && printf '%s\n' *.deb | sort)
}

@test "nothing is generated twice, and only gotswap compiled twice, whose flags differ in pairs" {
    cd "$BATS_TEST_TMPDIR"
    grep -oE -- '--output [^ ]+' "$debs/log" | sed 's|build/pairs/|build/|' | sort > generated
    [ "$(wc -l < generated)" -gt 10 ]
    [ -z "$(uniq -d generated)" ]
    grep -oE -- ' -o [^ ]+\.o( |$)' "$debs/log" | sed 's|build/pairs/|build/|' | sort > compiled
    [ "$(wc -l < compiled)" -gt 150 ]
    [ -z "$(uniq -d compiled | grep -v ' build/gotswap/')" ]
}

@test "packages with debugging symbols have no file in common" {
    local package
    for package in "$BATS_FILE_TMPDIR"/symbols/*.deb; do
        dpkg-deb -c "$package" | sed -n 's|.* \./\(.*\.debug\)$|\1|p'
    done | sort > "$BATS_TEST_TMPDIR/files"
    [ "$(wc -l < "$BATS_TEST_TMPDIR/files")" -gt 20 ]
    diff "$BATS_TEST_TMPDIR/files" <(sort -u "$BATS_TEST_TMPDIR/files")
}

@test "each pair has a package, and no package a manifest of make's" {
    diff <(sed -n 's/^Package: mpi-adapter-\(.*-to-.*\)/\1/p' "$top/packaging/debian/control" | sort) <(sed '/^#/d' "$top/abi-tables/pairs" | sort)
    grep -A 4 '^Package: mpi-adapter-mpich-to-openmpi$' "$top/packaging/debian/control" | grep '^Recommends: .*openmpi-bin'
    for package in "${packages[@]}"; do
        dpkg-deb -c "$debs/${package}_${version}_amd64.deb" > "$BATS_TEST_TMPDIR/files"
        run ! grep -i manifest "$BATS_TEST_TMPDIR/files"
    done
}

@test "a changelog of another version is refused" {
    BUILD=$BATS_TEST_TMPDIR/build VERSION=99 run --separate-stderr "$top/packaging/build-deb"
    [ "$status" -eq 1 ]
    [[ $stderr == *"the Makefile has version 99 and packaging/debian/changelog has $version; make them equal" ]]
    [ ! -e "$BATS_TEST_TMPDIR/build" ]
}

@test "no package needs an MPI, a compiler or Python" {
    for package in "${packages[@]}"; do
        [ "$package" != libgotswap-dev ] || continue
        echo "$package: $(field $package Depends)"
        [ -z "$(field $package Depends | tr ',' '\n' | grep -vE '^ *((libc6|libelf1|libelf1t64) |(mpi-adapter|libmpi-adapter-fortran1) \(= )')" ]
        [ -z "$(field $package Pre-Depends)" ]
    done
    [[ $(field mpi-adapter-openmpi-to-mpich Recommends) == *mpich* ]]
    [[ $(field libgotswap-dev Depends) == *"libgotswap1 (= $version)"* ]]
}

@test "nothing is linked with the libraries of a pair by accident" {
    for pair in "${pairs[@]}"; do
        dpkg-deb -e "$debs/mpi-adapter-${pair}_${version}_amd64.deb" "$BATS_TEST_TMPDIR/$pair"
        [ ! -e "$BATS_TEST_TMPDIR/$pair/shlibs" ]
        [ ! -e "$BATS_TEST_TMPDIR/$pair/triggers" ]
    done
}

@test "calls of a packaged pair are as short as those of make" {
    for pair in "${pairs[@]}"; do
        cd "$BATS_TEST_TMPDIR"
        dpkg-deb -x "$debs/mpi-adapter-${pair}_${version}_amd64.deb" .
        library=usr/lib/mpi-adapter/$pair/$(sed -n 's/^preload = //p' "usr/lib/mpi-adapter/$pair/pair.conf")
        objdump -d "$library" | sed -n '/<PMPI_Iprobe@.*>:$\|<PMPI_Iprobe>:$/,/ret/p' > "$pair.code"
        [ -s "$pair.code" ]
        run ! grep -F '%fs:0x28' "$pair.code"
    done
}

# installed: the packages, in a system whose dpkg knows of the packages they depend on.
installed() {
    local state=$tree/var/lib/dpkg
    [ ! -e "$state/status" ] || return 0
    mkdir -p "$state/info" "$state/updates" "$tree/var/log" || return
    # From Debian 13 on, the package is named after its 64-bit times, too.
    local name libelf
    libelf=$(dpkg-query -W -f '${Package}\n' 'libelf1*' | sed -n '$p')
    dpkg-query -s libc6 "$libelf" libelf-dev > "$state/status"
    # The content of these packages does not matter here.
    for name in libc6:amd64 "$libelf":amd64 libelf-dev:amd64; do
        : > "$state/info/$name.list"
    done
    dpkg --root="$tree" --install "$debs"/*.deb
}

@test "they can be installed, and all their files have a place of their own" {
    [ "$(id -u)" -eq 0 ] || skip "only root may install"
    installed
    [ -z "$(dpkg --root="$tree" --audit | grep -E "$(IFS='|'; echo "${packages[*]}")")" ]
    for package in "${packages[@]}"; do
        [[ $(dpkg-query --admindir="$tree/var/lib/dpkg" -W -f '${Status} ${Version}' "$package") == "install ok installed $version" ]]
    done
}

@test "installed, they run a program with MPICH alone" {
    require_mounts
    installed
    for absent in gcc cc make python3 perl mpiexec.openmpi; do
        [ ! -e "$tree/usr/bin/$absent" ]
    done
    run with_mounts "$tree" chroot "$tree" /usr/bin/env -i PATH=/usr/bin \
        timeout 300 mpi-adapter run -n 2 /root/program
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *'ring on 2 ranks, MPICH Version'*': verified' ]]
    # The command finds its data about pairs there, too.
    run with_mounts "$tree" chroot "$tree" /usr/bin/env -i PATH=/usr/bin mpi-adapter explain /root/program
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *MPI_Allreduce* || $output == *converted* ]]
    # And without the command.
    run with_mounts "$tree" chroot "$tree" /usr/bin/env -i PATH=/usr/bin \
        LD_LIBRARY_PATH=/usr/lib/mpi-adapter/openmpi-to-mpich timeout 300 mpiexec.mpich -n 2 /root/program
    [[ $output == *'ring on 2 ranks, MPICH Version'*': verified' ]]
}

@test "installed, they run a program of the standard ABI, and one of Open MPI on that, with MPICH alone" {
    require_mounts
    installed
    local inside=(with_mounts "$tree" chroot "$tree" /usr/bin/env -i PATH=/usr/bin)
    run "${inside[@]}" timeout 300 mpi-adapter run -n 2 /root/anywhere
    echo "$output"
    [[ $output == *'ring on 2 ranks, MPICH Version'*': verified' ]]
    run "${inside[@]}" MPI_ADAPTER_HOST_LIBRARY=/usr/lib/mpi-adapter/mpiabi-to-mpich/libmpi_abi.so.1 \
        timeout 300 mpi-adapter run --to mpiabi -n 2 /root/program
    echo "$output"
    [[ $output == *'ring on 2 ranks, MPICH Version'*': verified' ]]
    run "${inside[@]}" mpi-adapter list
    # All pairs, in the order of the table.
    [ "$(grep -- '^[a-z]*-to-' <<< "$output" | paste -sd ' ')" = "${pairs[*]}" ]
}

@test "manual pages and completions are where Debian looks for them" {
    [ "$(id -u)" -eq 0 ] || skip "only root may install"
    installed
    for file in man/man1/mpi-adapter.1.gz man/man1/mpicc_abi.1.gz bash-completion/completions/mpicc_abi \
        zsh/vendor-completions/_mpicc_abi man/man5/mpi-adapter.conf.5.gz man/man3/gotswap.3.gz \
        bash-completion/completions/mpi-adapter zsh/vendor-completions/_mpi-adapter; do
        [ -s "$tree/usr/share/$file" ]
    done
}

@test "links of the packaged documentation lead to files that are there" {
    local documents
    dpkg-deb -x "$debs/mpi-adapter_${version}_amd64.deb" "$BATS_TEST_TMPDIR"
    documents=$BATS_TEST_TMPDIR/usr/share/doc/mpi-adapter
    "$top/scripts/documents" check "$documents"
    (cd "$top" && scripts/documents list) | while read -r file; do
        [ -s "$documents/$file" ] || { echo "there is no $file"; return 1; }
    done
}

@test "what programs are compiled with finds its files, and compiles for every MPI" {
    cd "$BATS_TEST_TMPDIR"
    dpkg-deb -x "$debs/mpi-adapter-dev_${version}_amd64.deb" .
    usr/bin/mpicc_abi -o program "$top/tests/demo/ring.c"
    readelf -d program | grep -q 'NEEDED.*\[libmpi_abi.so.1\]'
    [ "$(PKG_CONFIG_PATH=$(echo usr/lib/*/pkgconfig) pkg-config --modversion mpi-adapter-abi)" = "$version" ]
    # shellcheck disable=SC2046  # words
    cc -o packaged "$top/tests/demo/ring.c" $(PKG_CONFIG_PATH=$(echo "$PWD"/usr/lib/*/pkgconfig) pkg-config --cflags --libs mpi-adapter-abi)
}

@test "the modulefiles name the folders of the packages" {
    [ "$(id -u)" -eq 0 ] || skip "only root may install"
    installed
    for pair in "${pairs[@]}"; do
        grep -qxF "prepend-path LD_LIBRARY_PATH {/usr/lib/mpi-adapter/$pair}" \
            "$tree/usr/share/modules/modulefiles/mpi-adapter/$pair"
        grep -qxF "prepend_path(\"LD_LIBRARY_PATH\", [[/usr/lib/mpi-adapter/$pair]])" \
            "$tree/usr/share/lmod/lmod/modulefiles/mpi-adapter/$pair.lua"
        [ -e "$tree/usr/lib/mpi-adapter/$pair/pair.conf" ]
    done
}

# upgraded: the packages in a version that is newer.
upgraded() {
    local package
    for package in mpi-adapter mpi-adapter-openmpi-to-mpich; do
        dpkg-deb -R "$debs/${package}_${version}_amd64.deb" "$BATS_TEST_TMPDIR/$package" || return
        sed -i "s/^Version: .*/&.1/" "$BATS_TEST_TMPDIR/$package/DEBIAN/control"
        dpkg-deb -Znone -b "$BATS_TEST_TMPDIR/$package" "$BATS_TEST_TMPDIR/$package.deb" || return
    done
    dpkg --root="$tree" --install "$BATS_TEST_TMPDIR"/*.deb
}

@test "the site's pairs and settings survive an upgrade, and a removal" {
    cd "$BATS_TEST_TMPDIR"
    [ "$(id -u)" -eq 0 ] || skip "only root may install"
    require_mounts
    installed
    local site=$tree/usr/local/lib/mpi-adapter/openmpi-to-mpich@site
    mkdir -p "${site%/*}" "$tree/etc"
    cp -r "$tree/usr/lib/mpi-adapter/openmpi-to-mpich" "$site"
    echo 'name = site' >> "$site/pair.conf"
    echo 'host = mpich@site' > "$tree/etc/mpi-adapter.conf"
    (cd "$tree" && find usr/local etc/mpi-adapter.conf -type f -exec sha256sum {} +) > before
    upgraded
    [[ $(dpkg-query --admindir="$tree/var/lib/dpkg" -W -f '${Version}' mpi-adapter) == "$version.1" ]]
    (cd "$tree" && sha256sum --quiet -c) < before
    run with_mounts "$tree" chroot "$tree" /usr/bin/env -i PATH=/usr/bin mpi-adapter list
    echo "$output"
    [[ $output == *openmpi-to-mpich@site* && $output == *mpich@site*/etc/mpi-adapter.conf* ]]
    dpkg --root="$tree" --purge mpi-adapter mpi-adapter-dev mpi-adapter-openmpi-to-mpich
    (cd "$tree" && sha256sum --quiet -c) < before
    dpkg --root="$tree" --install "$debs"/mpi-adapter{,-dev,-openmpi-to-mpich}_"${version}_amd64.deb"
    rm -r "$tree/usr/local/lib/mpi-adapter" "$tree/etc/mpi-adapter.conf"
}

@test "removed, they leave nothing behind" {
    [ "$(id -u)" -eq 0 ] || skip "only root may install"
    installed
    dpkg --root="$tree" --purge "${packages[@]}"
    [ -z "$(find "$tree" -path "$tree/var" -prune -o \( -name '*mpi-adapter*' -o -name '*gotswap*' \) -print)" ]
    rm "$tree/var/lib/dpkg/status"
}
