# SPDX-License-Identifier: BSD-3-Clause
#
# The programs of docs/host-faults show what their page says that they show on this machine's MPIs.
# `make check-host-faults` runs those, too, that hang or take several tries.

setup() {
    here=$BATS_TEST_DIRNAME
    top=$(cd "$here/../.." && pwd)
    PYTHON=${PYTHON:-python3}
    cd "$BATS_TEST_TMPDIR" || return
}

@test "the page of host faults is the one that its records make" {
    "$PYTHON" -B "$here/index.py" page > page
    diff "$top/docs/host-faults/README.md" page
}

@test "a program of a host fault says what it shows, in 45 lines of code at most" {
    for program in "$top"/docs/host-faults/*.c "$top"/docs/host-faults/*.f90; do
        [ "$(grep -cvE '^( ?[/ ]?\*|!|$)' "$program")" -le 45 ] || { echo "$program is longer"; return 1; }
    done
}

# bats test_tags=long
@test "faults of hosts show where they are recorded, and nowhere else" {
    . "$top/tests/families.bash"
    is_native openmpi || is_native mpich || skip "no MPI is on this machine"
    TEST_TIMEOUT=120 "$here/run" --short > found
    "$PYTHON" -B "$here/index.py" compare found
}

@test "a fault that is gone, and a new one, are complained of" {
    mkdir -p tests/host-faults docs/host-faults
    cp "$here/index.py" tests/host-faults
    cp "$top"/docs/host-faults/cart-map.c "$top/docs/host-faults/README.md" docs/host-faults
    printf 'cart-map\tOpen MPI\t4.1.4\tshows\t2026-11-25\ncart-map\tMPICH\t4.0.2\tright\t2026-11-25\n' > tests/host-faults/seen.tsv
    printf 'cart-map\tOpen MPI\t4.1.4\tright\ncart-map\tMPICH\t4.0.2\tright\n' > gone
    printf 'cart-map\tOpen MPI\t4.1.4\tshows\ncart-map\tMPICH\t4.0.2\tshows\n' > new
    run "$PYTHON" -B tests/host-faults/index.py compare gone
    [ "$status" -eq 1 ]
    [ "$output" = 'cart-map Open MPI 4.1.4: right, which seen.tsv calls shows; run make check-host-faults' ]
    run "$PYTHON" -B tests/host-faults/index.py compare new
    [ "$status" -eq 1 ]
    [ "$output" = 'cart-map MPICH 4.0.2: shows, which seen.tsv calls right; run make check-host-faults' ]
    "$PYTHON" -B tests/host-faults/index.py compare tests/host-faults/seen.tsv
    sed -i '/section: /d' docs/host-faults/cart-map.c
    run "$PYTHON" -B tests/host-faults/index.py page
    [ "$status" -eq 1 ]
    [ "$output" = 'index.py: cart-map.c: its comment has no section' ]
}
