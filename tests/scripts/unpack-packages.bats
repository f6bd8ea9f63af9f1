# SPDX-License-Identifier: BSD-3-Clause
# unpack-packages, against a false apt-get that "downloads" one package.

bats_require_minimum_version 1.5.0

setup() {
    program=$BATS_TEST_DIRNAME/../../scripts/unpack-packages
    cd "$BATS_TEST_TMPDIR"
    mkdir -p bin tmp package/DEBIAN package/lib/riscv64-linux-gnu package/usr/lib
    printf 'Package: libelf-dev\nVersion: 1\nArchitecture: riscv64\nMaintainer: none\nDescription: none\n' > package/DEBIAN/control
    echo library > package/lib/riscv64-linux-gnu/libelf.so.1
    ln -s /lib/riscv64-linux-gnu/libelf.so.1 package/usr/lib/libelf.so
    dpkg-deb --root-owner-group -b package "$PWD/one.deb" > /dev/null
    cat > bin/apt-get <<'EOF'
#!/bin/bash
echo "$*" >> "$LOG"
for word; do case $word in Dir::Cache=*) cache=${word#*=} ;; esac; done
[ -z "$FAILS" ] || exit 100
[[ " $* " != *" install "* ]] || cp "$PACKAGE" "$cache/archives/"
EOF
    chmod +x bin/apt-get
    export PATH=$PWD/bin:$PATH LOG=$PWD/log PACKAGE=$PWD/one.deb FAILS='' TMPDIR=$PWD/tmp
}

@test "packages of another architecture are unpacked in a folder, once" {
    "$program" riscv64 folder libelf-dev
    [ "$(cat folder/usr/lib/riscv64-linux-gnu/libelf.so.1)" = library ]
    [ "$(cat folder/lib/riscv64-linux-gnu/libelf.so.1)" = library ]
    [ -L folder/usr/lib/libelf.so ]
    [ "$(grep -c 'APT::Architecture=riscv64 ' log)" -eq 2 ]
    run ! grep -iE 'unauthenticated|insecure|trusted' log
    : > log
    "$program" riscv64 folder libelf-dev
    [ ! -s log ]
    [ -z "$(ls -A tmp)" ]
}

# Another one comes between two steps of the first: when that has downloaded, and while it unpacks.
@test "two side by side both end well, and leave one folder" {
    local tool
    export program tool
    for tool in apt-get dpkg-deb; do
        mkdir other
        cat > other/$tool <<'EOF'
#!/bin/bash
PATH=${PATH#*:}
"$tool" "$@" || exit
[[ " $* " == *' update ' ]] || "$program" riscv64 folder libelf-dev > /dev/null
EOF
        chmod +x other/$tool
        PATH=$PWD/other:$PATH "$program" riscv64 folder libelf-dev
        [ "$(cat folder/usr/lib/riscv64-linux-gnu/libelf.so.1)" = library ]
        [ "$(stat -c %a folder)" = 755 ]
        [ -z "$(find . -maxdepth 1 -name 'folder?*')" ]
        [ -z "$(ls -A tmp)" ]
        rm -r folder other
    done
}

@test "what cannot be downloaded leaves no folder" {
    FAILS=yes run --separate-stderr "$program" riscv64 folder libelf-dev
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == *'unpack-packages: libelf-dev of riscv64 could not be downloaded; see the messages'* ]]
    [ ! -e folder ]
    [ -z "$(ls -A tmp)" ]
}

@test "without packages it says what to give" {
    run "$program" riscv64 folder
    [ "$status" -eq 2 ]
    [[ $output == *'give an architecture, a folder and packages' ]]
}
