#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter container with Podman itself, where it can start containers. `make check` does not install it.

bats_require_minimum_version 1.5.0
load ../chroot
load images

setup_file() {
    find_build
    type -P podman > /dev/null || return 0
    make_storage
    make_image openmpi
    make_image mpich
}

# Podman's files, apart from those of the machine, and limits that need no privilege.
make_storage() {
    export CONTAINERS_CONF=$BATS_FILE_TMPDIR/containers.conf CONTAINERS_STORAGE_CONF=$BATS_FILE_TMPDIR/storage.conf
    local limit
    limit=$(ulimit -Hn)
    [ "$limit" != unlimited ] || limit=1024
    cat > "$CONTAINERS_CONF" <<END
[containers]
default_ulimits = ["nofile=$limit:$limit", "nproc=1000:1000"]
[engine]
tmp_dir = "$BATS_FILE_TMPDIR/tmp"
lock_type = "file"
END
    printf '[storage]\ndriver = "overlay"\nrunroot = "%s/run"\ngraphroot = "%s/graph"\n' \
        "$BATS_FILE_TMPDIR" "$BATS_FILE_TMPDIR" > "$CONTAINERS_STORAGE_CONF"
}

# crun starts nothing if control groups of both versions are mounted.
in_podman() {
    timeout 900 unshare --mount --propagation private sh -c '
        [ ! -d /sys/fs/cgroup/unified ] || umount /sys/fs/cgroup/unified
        "$@"' sh "$@"
}

# The process that watches a rank's container ends after it.
teardown_file() {
    local i
    for ((i = 0; i < 60; i++)); do
        pgrep -f 'mpi-adapter-[0-9]+-[0-9]+$' > /dev/null || return 0
        sleep 0.5
    done
}

setup() {
    type -P podman > /dev/null || skip "there is no podman"
    [ "$(id -u)" -eq 0 ] || skip "only root tries podman here"
    in_podman podman run --rm --net=host --pid=host --ipc=host --rootfs "$images/openmpi:O" '/my app/show' \
        > "$BATS_TEST_TMPDIR/log" 2>&1 || [ $? -lt 125 ] || skip "podman starts no container: $(tail -n 1 "$BATS_TEST_TMPDIR/log")"
    plain_environment
}

@test "Podman: programs in a folder run on the other MPI, and the folder stays as it is" {
    find "$images" | sort > "$BATS_TEST_TMPDIR/before"
    run --separate-stderr in_podman "$adapter" container -n 2 "$images/openmpi" -- '/my app/ring'
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ $output == 'ring on 2 ranks, MPICH Version'*': verified' ]]
    run --separate-stderr in_podman "$adapter" container -n 2 --launcher mpiexec.openmpi --oversubscribe "$images/mpich" -- \
        '/my app/ring'
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ $output == 'ring on 2 ranks, Open MPI'*': verified' ]]
    find "$images" | sort | diff "$BATS_TEST_TMPDIR/before" -
}

@test "Podman: an image with an entry point and variables of its own; the program's exit code" {
    tar -C "$images/openmpi" -c . |
        in_podman podman import -q -c 'ENTRYPOINT ["/nothing"]' -c 'ENV PATH="/my app"' -c 'ENV OWN=image' - program
    OWN=host OTHER=host run --separate-stderr in_podman "$adapter" container program -- show OWN OTHER PATH
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ $output == *'OWN=image'*'OTHER=host'*'PATH=/my app'* ]]
    run in_podman "$adapter" container -n 2 program -- show exit 7
    [ "$status" -eq 7 ]
}

@test "Podman: no rank is left when the launcher kills the others" {
    # shellcheck disable=SC2016
    run in_podman bash -c '
        "$1" container -n 2 "$2" -- "/my app/show" abort 5
        code=$?
        for ((i = 0; i < 60; i++)); do
            [ -n "$(podman ps --quiet --all)" ] || exit "$code"
            sleep 1
        done
        exit 99' bash "$adapter" "$images/openmpi"
    echo "$output"
    [ "$status" -eq 5 ]
}
