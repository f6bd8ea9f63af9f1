# SPDX-License-Identifier: BSD-3-Clause
# Images for the tools themselves, where a machine has them.

# make_image FAMILY: a folder with two programs of it, with its library and no other MPI's, and without a shell.
make_image() {
    local program=$BATS_FILE_TMPDIR/$1.out
    "mpicc.$1" -O2 -o "$program" "$top/tests/demo/ring.c"
    # shellcheck disable=SC2046  # words are wanted
    make_tree "$images/$1" $(ldd "$program" | grep -o '/[^ ]*')
    rm -f "$images/$1"/usr/lib/*/libelf*
    mkdir -p "$images/$1/my app" "$images/$1/var/tmp"
    touch "$images/$1/etc/group"
    cp "$program" "$images/$1/my app/ring"
    "mpicc.$1" -O2 -o "$images/$1/my app/show" "$top/tests/containers/show.c"
}

# find_build: sets what the tests use of this checkout.
find_build() {
    export top build adapter images=$BATS_FILE_TMPDIR/images
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    build=$(cd "${BUILD:-$top/build}" && pwd)
    adapter=$build/bin/mpi-adapter
}

# As a user has it who has set nothing.
plain_environment() {
    unset LD_LIBRARY_PATH LD_PRELOAD
    export MPI_ADAPTER_CONFIG=/dev/null
    . "$top/tests/components.bash"
}
