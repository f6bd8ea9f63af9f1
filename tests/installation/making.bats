#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# How packages are made: what is said meanwhile, the site that they name, and who runs the targets for a release.

bats_require_minimum_version 1.5.0

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR"
    unset HOMEPAGE DEBEMAIL DEBFULLNAME MAKEFLAGS MAKELEVEL
}

@test "a step says what it does and how long it took, and its output goes to the log" {
    run --separate-stderr "$top/packaging/step" deb log 'building the packages' bash -c 'echo out; echo err >&2; cat'
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ "${stderr_lines[0]}" = 'deb: building the packages; log has the details' ]
    [[ ${stderr_lines[1]} =~ ^'deb: building the packages: '[0-9]+' s'$ ]]
    [ "${#stderr_lines[@]}" -eq 2 ]
    diff log <(printf '%s\n' out err)
}

@test "a step that fails shows the end of its log, and has the status" {
    run --separate-stderr "$top/packaging/step" deb log building bash -c 'seq 40; exit 7'
    [ "$status" -eq 7 ]
    [ "${stderr_lines[1]}" = 11 ]
    [ "${stderr_lines[30]}" = 40 ]
    [ "${#stderr_lines[@]}" -eq 31 ]
}

# Commands wait for a file that comes when the line is there, so that no clock decides.
@test "a long step says how far it is: on a terminal in one line, elsewhere in a line now and then" {
    local waits='echo "cc -c -o build/some.o some.c"; until [ -e seen ]; do sleep 0.1; done'
    EVERY=1 "$top/packaging/step" deb log building bash -c "$waits" 2> said &
    until grep '^deb: building, [0-9]* s: making some.o$' said > /dev/null 2>&1; do sleep 0.1; done
    touch seen
    wait $!
    grep '^deb: building: [0-9]* s$' said
    rm seen
    script -qefc "$top/packaging/step deb log building bash -c '$waits'" terminal > /dev/null &
    until grep -a $'\r\e\[Kdeb: building, [0-9]* s: making some.o' terminal > /dev/null 2>&1; do sleep 0.1; done
    touch seen
    wait $!
}

@test "make deb, rpm and tarball say what they do" {
    local target
    for target in deb rpm; do
        grep -q "\"\$top/packaging/step\" $target " "$top/packaging/build-$target"
    done
    # With a root that only writes down what it is to run.
    mkdir -p tree/{packaging/debian,scripts}
    cp "$top"/packaging/{build-tarball,step} tree/packaging
    cp "$top/packaging/debian/changelog" tree/packaging/debian
    printf '#!/bin/sh\necho "root $*"\n' > tree/scripts/debian-root
    chmod +x tree/scripts/debian-root
    run env BUILD="$PWD/tree/build" VERSION=1 ARCH=amd64 tree/packaging/build-tarball
    [ "$status" -eq 0 ]
    [[ ${lines[0]} == 'tarball: making a root of bullseye-build, unless it is there; '*'/root.log has the details' ]]
    [[ ${lines[2]} == 'tarball: building and packing; '*'/log has the details' ]]
    [[ ${lines[3]} == 'tarball: building and packing: '*' s' ]]
    grep '^root bullseye-build env GLIBC=2.17 .* packaging/pack-tarball mpi-adapter-1-x86_64 build/tarball ' tree/build/tarball/log
    printf '#!/bin/sh\necho no root >&2; exit 1\n' > tree/scripts/debian-root
    run env BUILD="$PWD/tree/build" VERSION=1 ARCH=amd64 tree/packaging/build-tarball
    [ "$status" -eq 1 ]
    [[ $output == *'no root'*'there is no root to build in; see '* ]]
}

# control_of: debian/control and the changelog's maintainer, as dpkg-buildpackage finds them.
control_of() {
    mkdir -p tools
    printf '#!/bin/sh\ncp debian/control "%s/control"; sed -n "s/^ -- //p" debian/changelog > "%s/by"; exit 1\n' "$PWD" "$PWD" > tools/dpkg-buildpackage
    chmod +x tools/dpkg-buildpackage
    run env PATH="$PWD/tools:$PATH" BUILD="$PWD/build" VERSION="$(sed -n 's/^VERSION := //p' "$top/Makefile")" "$@" "$top/packaging/build-deb"
    [ "$status" -eq 1 ]
    [[ $output == *'the packages could not be built; see '* ]]
}

@test "one variable sets the site that packages and recipes name, and without it they name none" {
    local version archive
    version=$(sed -n 's/^VERSION := //p' "$top/Makefile")
    [ "$(sed -n 's/^HOMEPAGE ?=//p' "$top/Makefile")" = '' ]
    # Debian wants a maintainer with an address. Nothing else has one of nobody's.
    run grep -rnI --exclude-dir=build '\.invalid' "$top/packaging" "$top/Makefile" "$top/compile" "$top/gotswap"
    [ "$(grep -vcE '/debian/(control:[0-9]+:Maintainer:|changelog:[0-9]+: -- )|/make-spec:' <<< "$output")" -eq 0 ]

    control_of HOMEPAGE=
    run ! grep '^Homepage' control
    control_of HOMEPAGE=https://mpi.example/adapter DEBFULLNAME='A. Site' DEBEMAIL=mpi@site.example
    [ "$(grep -c '^Homepage: https://mpi.example/adapter$' control)" -eq 1 ]
    grep -x 'Maintainer: A. Site <mpi@site.example>' control
    grep '^A. Site <mpi@site.example>  ' by

    run ! grep -E '^URL:|invalid' <("${PYTHON:-/usr/bin/python3}" "$top/packaging/rpm/make-spec" 1.0)
    HOMEPAGE=https://mpi.example "${PYTHON:-/usr/bin/python3}" "$top/packaging/rpm/make-spec" 1.0 | grep -x 'URL: https://mpi.example'

    BUILD=$PWD/none VERSION=$version "$top/packaging/build-dist" > /dev/null
    run ! grep -rE '^ *home(page)?\b[^=:]*[=:] *["'\'']?[a-z]' none/dist/recipes --include=package.py --include=MPI-Adapter-* --include=recipe.yaml
    BUILD=$PWD/some VERSION=$version HOMEPAGE=https://mpi.example "$top/packaging/build-dist" > /dev/null
    [ "$(grep -rlE '^ *home(page)?( =|:) ["'\'']?https://mpi.example["'\'']?$' some/dist/recipes | wc -l)" -eq 3 ]
    # Recipes name the archive's checksum, and the archive is the same.
    archive=$(cut -d ' ' -f 1 "some/dist/mpi-adapter-$version.tar.gz.sha256")
    [ "$(grep -rl "$archive" some/dist/recipes | wc -l)" -eq 3 ]
    cmp none/dist/*.tar.gz some/dist/*.tar.gz
    "${PYTHON:-/usr/bin/python3}" -c 'import ast, sys; [ast.parse(open(name).read()) for name in sys.argv[1:]]' some/dist/recipes/spack/package.py some/dist/recipes/easybuild/*.eb
}

@test "files for pkg-config name the site, or have no line of it" {
    make -s -C "$top" -f gotswap/gotswap.mk BUILD="$PWD/build" DESTDIR="$PWD/none" PREFIX=/opt install-gotswap
    run ! grep -r URL none/opt/lib/pkgconfig
    make -s -C "$top" -f gotswap/gotswap.mk BUILD="$PWD/build" DESTDIR="$PWD/some" PREFIX=/opt HOMEPAGE=https://mpi.example install-gotswap
    grep -x 'URL: https://mpi.example' some/opt/lib/pkgconfig/gotswap.pc
}

@test "workflows call .ci/run and targets that are there, each week every check" {
    [ -d "$top/.github/workflows" ] || skip "this is an archive of the sources, which has no .github"
    cd "$top/.github/workflows"
    grep -qx '        run: .ci/run' check.yml
    grep -q 'image: debian:' check.yml
    grep -ohE '^( *- target: | *- )(check-[a-z0-9-]+|dist|deb|tarball)' ./*.yml | sed 's/.* //' | sort -u > "$BATS_TEST_TMPDIR/called"
    { sed -n 's/^\.PHONY: all //p' "$top/Makefile" | tr ' ' '\n'; sed -n '/^#/!s/\t.*//p' "$top/tests/matrix/matrix.tsv"; } > "$BATS_TEST_TMPDIR/targets"
    [ "$(grep -vxFf "$BATS_TEST_TMPDIR/targets" "$BATS_TEST_TMPDIR/called" | wc -l)" -eq 0 ]
    diff <(grep '^check-' "$BATS_TEST_TMPDIR/targets" | sort) <(grep '^check-' "$BATS_TEST_TMPDIR/called")
    for target in dist deb tarball; do grep -x "$target" "$BATS_TEST_TMPDIR/called"; done
}
