#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter container with Apptainer itself, where it can start containers. `make check` does not install it.

bats_require_minimum_version 1.5.0
load ../chroot
load images

setup_file() {
    find_build
    type -P apptainer > /dev/null || return 0
    make_image openmpi
    make_image mpich
}

# starts FOLDER PROGRAM: a root that has not all capabilities needs a user namespace, as users have it.
starts() { timeout 900 apptainer exec --userns "$1" "$2" > "$BATS_TEST_TMPDIR/log" 2>&1; }

# Whether an image starts that has nothing but a program without libraries.
starts_anything() {
    local folder=$BATS_TEST_TMPDIR/smallest
    mkdir -p "$folder"/{bin,dev,etc,home,proc,root,sys,tmp,var/tmp}
    echo 'int main(void) { return 0; }' | "${CC:-gcc}" -static -o "$folder/bin/true" -x c -
    starts "$folder" /bin/true
}

setup() {
    type -P apptainer > /dev/null || skip "there is no apptainer"
    starts "$images/openmpi" '/my app/show' || ! grep -q 'ERROR  *:\|FATAL  *:' "$BATS_TEST_TMPDIR/log" || starts_anything ||
        skip "apptainer starts no container: $(tail -n 1 "$BATS_TEST_TMPDIR/log")"
    plain_environment
}

contained() {
    run --separate-stderr timeout 900 "$adapter" container --tool apptainer --tool-arg --userns -n 2 "$@"
    echo "$output $stderr"
}

@test "Apptainer: programs in a folder run on the other MPI, and the folder stays as it is" {
    find "$images" | sort > "$BATS_TEST_TMPDIR/before"
    contained "$images/openmpi" -- '/my app/ring'
    [ "$status" -eq 0 ]
    [[ $output == *'ring on 2 ranks, MPICH Version'*': verified'* ]]
    contained --launcher mpiexec.openmpi --oversubscribe "$images/mpich" -- '/my app/ring'
    [ "$status" -eq 0 ]
    [[ $output == *'ring on 2 ranks, Open MPI'*': verified'* ]]
    find "$images" | sort | diff "$BATS_TEST_TMPDIR/before" -
}

@test "Apptainer: variables reach the ranks, and the exit code is the program's" {
    OTHER=host contained "$images/openmpi" -- '/my app/show' OTHER
    [ "$status" -eq 0 ]
    [[ $output == *'OTHER=host'* ]]
    contained "$images/openmpi" -- '/my app/show' exit 7
    [ "$status" -eq 7 ]
}
