#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# make rpm: its spec has a place for each file that make installs, and what rpmbuild makes of it works.

bats_require_minimum_version 1.5.0

setup_file() {
    export top build=$BATS_FILE_TMPDIR/build
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    : "${BUILD:=$top/build}"
    export BUILD
    version=$(sed -n 's/^VERSION := //p' "$top/Makefile")
    export version
    spec "$version" > "$BATS_FILE_TMPDIR/mpi-adapter.spec"
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    unset LD_LIBRARY_PATH LD_PRELOAD MPI_ADAPTER_PATH MPI_ADAPTER_HOST MPI_ADAPTER_HOST_LIBRARY
}

spec() { "${PYTHON:-/usr/bin/python3}" "$top/packaging/rpm/make-spec" "$@"; }
own_spec() { cat "$BATS_FILE_TMPDIR/mpi-adapter.spec"; }

@test "the spec has the Makefile's version and Debian's packages, by RPM's names" {
    own_spec | grep -x "Version: $version"
    [ "$(own_spec | grep -c '@[A-Z_]*@')" -eq 0 ]
    diff <(own_spec | sed -n 's/^Name: //p; s/^%package -n //p; s/^%package \([a-z]\)/mpi-adapter-\1/p' | sort) \
        <(sed -n 's/^Package: //p' "$top/packaging/debian/control" | sed 's/-dev$/-devel/' | sort)
    # Each has files, and nothing that Debian alone knows is left in what they need.
    diff <(own_spec | grep '^%package' | cut -d ' ' -f 2- | sort) <(own_spec | sed -n 's/^%files \(.\)/\1/p' | sort)
    run ! grep -E '^(Requires|Recommends|Suggests|Enhances):.*(\$|\||libc6|-dev$|openmpi-bin)' <(own_spec)
    # A site may want one pair.
    spec "$version" mpiabi-to-openmpi | grep '^%package.*-to-' | diff - <(echo '%package mpiabi-to-openmpi')
}

# patterns: what the spec says of files, in an installation elsewhere than in /usr.
patterns() {
    sed -n '/^%files/,/^%changelog/p' "$BATS_FILE_TMPDIR/mpi-adapter.spec" | grep -v '^%\(files\|dir\|license\|changelog\)\|^$' |
        sed 's/^%doc //; s|%{folder}|/opt/adapter/lib/mpi-adapter|; s|%{_bindir}|/opt/adapter/bin|; s|%{_datadir}|/opt/adapter/share|
            s|%{_mandir}|/opt/adapter/share/man|; s|%{_includedir}|/opt/adapter/include|; s|%{_libdir}|/opt/adapter/lib|
            s|%{_modulesdir}|/opt/adapter/share/modulefiles|'
}

@test "each file that make installs is in one package, and each line of the spec has a file" {
    make -C "$top" --no-print-directory -s DESTDIR="$PWD/root" PREFIX=/opt/adapter install > log 2>&1 || { cat log; return 1; }
    # Packages lie in the system's PATH, and have no module for that.
    (cd root && find . \( -type f -o -type l \) ! -name manifest ! -path '*/modulefiles/mpi-adapter/.version' \
        ! -path '*/modulefiles/mpi-adapter/[0-9]*' -printf '/%P\n') | sort > files
    # A folder is all that is in it; manual pages may be compressed.
    patterns | while read -r pattern; do
        grep -E "^${pattern%\*}(/|$)" files > found || { echo "no file is $pattern"; exit 1; }
        cat found >> packaged
    done
    diff files <(sort packaged)
}

# bats test_tags=long
@test "rpmbuild makes packages that are installed and run a program" {
    type -P rpmbuild > /dev/null || skip "rpmbuild is not installed"
    # One pair, by flags as distributions have them, but for -O0, which takes a compiler less time.
    echo '%optflags -O0 -g -fstack-protector-strong' > macros
    RPM_OPTIONS="--load=$PWD/macros" make -C "$top" --no-print-directory BUILD="$build" rpm PAIRS=mpiabi-to-openmpi > log 2>&1 ||
        { cat log; return 1; }
    # Newer releases of RPM make packages of what debuggers need, too.
    local packages
    mapfile -t packages < <(find "$build"/rpm/*/ -name '*.rpm' ! -name '*-debuginfo-*' ! -name '*-debugsource-*')
    [ "${#packages[@]}" -eq 6 ]
    [ -s "$build/rpm/mpi-adapter-$version-1.src.rpm" ]
    # Nothing comes to depend on the libraries of a pair, and they need no MPI.
    for package in "${packages[@]}"; do
        rpm -qp --provides --requires "$package" > relations
        [[ $package != */libmpi-adapter-fortran1-* ]] || sed -i '/^libmpi_adapter_fortran\.so\.1/d' relations
        run ! grep '^lib.*mpi.*\.so' relations
    done
    [ "$(id -u)" -eq 0 ] || return 0
    rpm --root "$PWD/root" --install --nodeps "${packages[@]}"
    rpm --root "$PWD/root" --verify --nodeps mpi-adapter mpi-adapter-mpiabi-to-openmpi
    "$top/scripts/documents" check root/usr/share/doc/mpi-adapter
    # Calls of a pair are spared the protector.
    find root/usr -name 'libgotswap.so.*' -type f -exec nm -D {} + | grep __stack_chk_fail
    find root/usr -path '*/mpiabi-to-openmpi/*.so.*' -type f > libraries
    [ -s libraries ]
    [ -z "$(xargs grep -l __stack_chk_fail < libraries)" ]
    [ "$(root/usr/bin/mpi-adapter --version)" = "mpi-adapter $version" ]
    root/usr/bin/mpicc_abi -o program "$top/tests/demo/ring.c"
    . "$top/tests/components.bash"
    run root/usr/bin/mpi-adapter run -n 2 ./program
    echo "$output"
    [[ $output == *'ring on 2 ranks, Open MPI v'*': verified' ]]
    rpm --root "$PWD/root" --erase --nodeps mpi-adapter mpi-adapter-devel mpi-adapter-mpiabi-to-openmpi libgotswap1 libgotswap-devel \
        libmpi-adapter-fortran1
    [ -z "$(find root/usr -name '*mpi-adapter*')" ]
}
