# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Fake implementations, compiled with plain cc, and the scanner applied to them.

TESTS=$BATS_TEST_DIRNAME
GEN=$TESTS/../../gen
PYTHON=${PYTHON:-/usr/bin/python3}

# library SOURCE SONAME: compiles a fake library into the test's folder.
library()
{
    cc -shared -fPIC -nostdlib -O1 -Wl,-z,relro -Wl,-z,"${3:-lazy}" -Wl,-soname,"$2" \
        -I"$TESTS/$(dirname "$1")" -o "$BATS_TEST_TMPDIR/$2" "$TESTS/$1" "${@:4}"
}

# scan FAKE OPTION...: scans the fake implementation into the test's folder `table`.
scan()
{
    "$PYTHON" "$GEN/scan.py" --mpicc "cc '-I$TESTS/$1'" --output "$BATS_TEST_TMPDIR/table" "${@:2}"
}

scan_tiny()
{
    library tiny/mpi.c libtiny.so.1 now
    scan tiny --release tiny-1.0 --package tiny=1.0-2 --library "$BATS_TEST_TMPDIR/libtiny.so.1" "$@"
}

scan_realistic()
{
    library realistic/mpi.c librealistic.so.40
    library realistic/bindings.c librealistic_mpifh.so.40 lazy "$BATS_TEST_TMPDIR/librealistic.so.40"
    scan realistic --release openmpi-4.9.2 --library "$BATS_TEST_TMPDIR/librealistic.so.40" \
        --companion "$BATS_TEST_TMPDIR/librealistic_mpifh.so.40" "$@"
}
