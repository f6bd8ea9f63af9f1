#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The sources that packages are built from.

@test "packages are built from what is under version control: files and links, no folder that may change meanwhile" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p tree/{.git,build,other/build,out/deb,gen/__pycache__}
    touch tree/{.git/HEAD,.gitignore,Makefile,build/made,other/build/kept,out/deb/made,gen/emit.py,gen/__pycache__/emit.pyc}
    ln -s emit.py tree/gen/link
    "$BATS_TEST_DIRNAME/../../packaging/sources" "$PWD/tree" "$PWD/tree/out" > list
    [ "$(sort -z list | tr '\0' ' ')" = './Makefile ./gen/emit.py ./gen/link ./other/build/kept ' ]
    for script in build-deb build-rpm; do
        grep -F '/packaging/sources" "$top" "$BUILD" |' "$BATS_TEST_DIRNAME/../../packaging/$script"
    done
}
