#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The commands of docs/containers.md, with chroot in the place of apptainer and podman: a program of
# Open MPI in an image that has Open MPI alone runs on the host's MPICH.

bats_require_minimum_version 1.5.0
load ../chroot

setup_file() {
    export top build prefix here=$BATS_TEST_DIRNAME
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    build=$(cd "${BUILD:-$top/build}" && pwd)
    prefix=$BATS_FILE_TMPDIR/opt/mpi-adapter
    make -C "$top" --no-print-directory BUILD="$build" PREFIX="$prefix" install > "$BATS_FILE_TMPDIR/log" 2>&1 ||
        { cat "$BATS_FILE_TMPDIR/log"; return 1; }
    # An image is a folder here.
    export image=$BATS_FILE_TMPDIR/program.sif
    mpicc.openmpi -O2 -o "$BATS_FILE_TMPDIR/program" "$top/tests/demo/ring.c"
    load ../chroot
    make_tree "$image" "$(type -P env)" $(ldd "$BATS_FILE_TMPDIR/program" | grep -o '/[^ ]*')
    rm -f "$image"/usr/lib/*/libelf* "$image"/usr/lib/*/libmpich*
    mkdir "$image/app"
    cp "$BATS_FILE_TMPDIR/program" "$image/app/program"
    "$build/bin/mpicc_abi" -O2 -o "$image/app/anywhere" "$top/tests/demo/ring.c"
}

setup() {
    cd "$BATS_FILE_TMPDIR"
    unset LD_LIBRARY_PATH LD_PRELOAD
}

# commands: those of the text, as a script.  The installation is mounted under the name that the
# text has for it, from where it is.
commands() {
    (cd "$top" && "${PYTHON:-/usr/bin/python3}" tests/docs/blocks.py script docs/containers.md tests/containers) |
        sed "s|/opt/mpi-adapter:/opt/mpi-adapter|$prefix:/opt/mpi-adapter|; /LD_LIBRARY_PATH=/!s|\([ =]\)/opt/mpi-adapter/|\1$prefix/|g"
}

# run_on_host COMMAND...: with the false ones in PATH, and while the image has /proc and /dev.
run_on_host() {
    require_mounts
    status=0
    output=$(PATH=$here:$PATH with_mounts "$image" timeout 120 "$@" 2>&1) || status=$?
    echo "$output"
}

@test "the page's commands run an Open MPI program on the host's MPICH" {
    commands > commands.bash
    grep -q "apptainer exec" commands.bash
    run_on_host bash commands.bash
    [ "$status" -eq 0 ]
    [ "$(grep -c 'ring on 2 ranks, MPICH Version.*: verified' <<< "$output")" -eq 2 ]
    [[ $output == *libmpich.so.12* && $output == *GLIBC_2.* ]]
    run ! ls host-mpi/libc.so.6
    run ! ls host-mpi/libelf.so.1
}

@test "they run a program of the standard ABI, by its pair" {
    commands | sed 's|openmpi-to-mpich|mpiabi-to-mpich|g; s|/libmpi\.so\.40|/libmpi_abi.so.1|g; s|/app/program|/app/anywhere|g' > anywhere.bash
    grep -q "/app/anywhere" anywhere.bash
    rm -rf host-mpi
    run_on_host bash anywhere.bash
    [ "$status" -eq 0 ]
    [ "$(grep -c 'ring on 2 ranks, MPICH Version.*: verified' <<< "$output")" -eq 2 ]
}

@test "the page tells the glibc that is asked for" {
    needed=$(objdump -T "$build/lib/mpi-adapter/openmpi-to-mpich/libmpi.so.40" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
    [ "$(. /etc/os-release && echo "$ID$VERSION_ID")" = debian12 ] || skip "the page speaks of Debian 12"
    grep -q "the adapter asks for ${needed#GLIBC_} " "$top/docs/containers.md"
}

@test "the image has neither MPICH nor libelf, and without the pair its own Open MPI" {
    [ -z "$(find "$image/usr" "$image/app" -name 'libmpich*' -o -name 'libelf*')" ]
    run_on_host apptainer exec "$image" /app/program
    # Without plugins it cannot start, but it is Open MPI that says so.
    [ "$status" -ne 0 ]
    [[ $output == *'opal_init'* || $output == *'ompi_mpi_init'* || $output == *'Open MPI'* ]]
}

@test "without the host's libraries, the adapter says what is missing" {
    run_on_host apptainer exec --bind "$prefix:/opt/mpi-adapter:ro" \
        --env LD_LIBRARY_PATH=/opt/mpi-adapter/lib/mpi-adapter/openmpi-to-mpich "$image" /app/program
    [ "$status" -ne 0 ]
    [[ $output == *'mpi-adapter: cannot load the library of mpich (libmpich.so.12: cannot open shared object file'* ]]
}

@test "the packages that the recipes install exist" {
    packages=$(sed -n 's/.*apt-get install -y --no-install-recommends \([a-z0-9 .-]*\).*/\1/p' "$top/docs/containers.md" |
        sed 's/ *$//' | sort -u)
    [ "$(wc -l <<< "$packages")" -eq 1 ]
    for package in $packages; do
        dpkg-query -W "$package" > /dev/null
    done
}
