#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The sources that packages are built from.

bats_require_minimum_version 1.5.0

@test "packages are built from what is under version control: files and links, no folder that may change meanwhile" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p tree/{.git,build,other/build,out/deb,gen/__pycache__}
    touch tree/{.git/HEAD,.gitignore,Makefile,build/made,other/build/kept,out/deb/made,gen/emit.py,gen/__pycache__/emit.pyc}
    ln -s emit.py tree/gen/link
    "$BATS_TEST_DIRNAME/../../packaging/sources" "$PWD/tree" "$PWD/tree/out" > list
    [ "$(sort -z list | tr '\0' ' ')" = './Makefile ./gen/emit.py ./gen/link ./other/build/kept ' ]
    for script in build-deb build-dist; do
        grep -F '/packaging/sources" "$top" "$BUILD" |' "$BATS_TEST_DIRNAME/../../packaging/$script"
    done
}

# packed UMASK DAY: the checksum of what a copy packs, whose files have such permissions and are of this day.
packed() {
    rm -rf copy
    (umask "$1" && mkdir -p copy && tar -C "$top" -c packaging LICENSE gen | tar -C copy -x --no-same-permissions)
    find copy -type f -exec touch -d "$2" {} +
    BUILD=$PWD/copy/build VERSION=1.0 copy/packaging/build-dist > /dev/null
    cat copy/build/dist/mpi-adapter-1.0.tar.gz.sha256
}

@test "make dist packs the same bytes from any copy, and a checksum that sha256sum accepts" {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR"
    packed 022 2025-01-02 > one
    packed 077 2025-03-04 > other
    diff one other
    (cd copy/build/dist && sha256sum -c *.sha256)
    tar -tvzf copy/build/dist/mpi-adapter-1.0.tar.gz > list
    grep -q '^-rwxr-xr-x 0/0 .* mpi-adapter-1.0/packaging/build-dist$' list
    run ! grep -vE '^[-l]rw[x-]r-[x-]r-[x-] 0/0 |^lrwxrwxrwx 0/0 |^l' list
}
