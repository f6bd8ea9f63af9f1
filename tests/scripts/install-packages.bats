# SPDX-License-Identifier: BSD-3-Clause
# install-packages, against fake dpkg-query, apt-get and id.

load ../command/false_mpis

setup() {
    program=$BATS_TEST_DIRNAME/../../scripts/install-packages
    bin=$BATS_TEST_TMPDIR/bin
    export LOG=$BATS_TEST_TMPDIR/log INSTALLED='' USER_ID=0 FAILURES=$BATS_TEST_TMPDIR/failures
    export INSTALL_PACKAGES_PAUSE=0 LACKING=''
    mkdir "$bin"
    : > "$LOG"
    : > "$FAILURES"
    fake dpkg 'echo amd64'
    # A package of both architectures is two lines.
    fake dpkg-query 'status=1; for package in $INSTALLED; do case $package in
        "$4" | "$4":*) echo "$(case $package in *:*) echo "${package#*:}" ;; python*) echo all ;; *) echo amd64 ;; esac) installed"; status=0 ;;
        esac; done; exit $status'
    fake id 'echo "$USER_ID"'
    # A fake apt-get says which packages can be installed: all but LACKING. Otherwise it fails once for each line in FAILURES.
    fake apt-get 'case $* in
        indextargets*) [ -n "${NO_LISTS-}" ] || echo list; exit ;;
        *" -s "*) for package in $LACKING; do case " $* " in *" $package "*) exit 100 ;; esac; done; exit 0 ;;
        esac
        echo "$DEBIAN_FRONTEND apt-get $*" >> "$LOG"
        [ ! -s "$FAILURES" ] || { sed -i 1d "$FAILURES"; exit 100; }'
    export PATH=$bin:/usr/bin:/bin
}

fake() {
    printf '#!/bin/sh\n%s\n' "$2" > "$bin/$1"
    chmod +x "$bin/$1"
}

# wait_gone PID: until there is no such process.
wait_gone() {
    local turns
    for ((turns = 0; turns < 300; turns++)); do
        kill -0 "$1" 2> /dev/null || return 0
        sleep 0.1
    done
    return 1
}

@test "nothing at all is done when every package is present" {
    INSTALLED='gcc libc6-dev libelf-dev make' run "$program" build
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ ! -s "$LOG" ]
}

@test "only what is missing is installed, without questions or recommended packages" {
    INSTALLED='gcc make python3' run "$program" build generate
    [ "$status" -eq 0 ]
    [ "$(sed -n 1p "$LOG")" = 'noninteractive apt-get -qq update' ]
    [ "$(sed -n 2p "$LOG")" = 'noninteractive apt-get -qq -y --no-install-recommends --no-remove install libc6-dev libelf-dev python3-pycparser python3-pyelftools' ]
    [ "$(wc -l < "$LOG")" -eq 2 ]
}

@test "what is upgraded is said before, and nothing is removed" {
    fake apt-get 'case $* in
        *" -s "*) printf "%s\n" "Inst libc6 [1] (2 Debian [amd64])" "Inst gcc (2 Debian [amd64])" ;;
        indextargets*) echo list ;;
        *) echo "apt-get $*" >> "$LOG" ;;
        esac'
    run "$program" build
    [ "$status" -eq 0 ]
    [[ ${lines[1]} == *'these need newer versions of packages that are installed, and upgrade libc6' ]]
    [[ $(tail -n 1 "$LOG") == *' --no-remove install '* ]]
}

@test "a package of another architecture does not stand for this machine's, nor stands in its way" {
    INSTALLED='gcc libc6-dev libc6-dev:arm64 libelf-dev:arm64 make' run "$program" build
    [ "$status" -eq 0 ]
    [ "$(sed -n 2p "$LOG")" = 'noninteractive apt-get -qq -y --no-install-recommends --no-remove install libelf-dev' ]
}

@test "check includes what demo needs" {
    run "$program" demo
    run "$program" check
    grep -q 'install.* mpich .*' <<< "$(sed -n 4p "$LOG")"
    grep -q 'install.* valgrind' <<< "$(sed -n 4p "$LOG")"
}

@test "who is not root gets the one command to run" {
    USER_ID=1000 INSTALLED='gcc make' run --separate-stderr "$program" build
    [ "$status" -eq 1 ]
    [ ! -s "$LOG" ]
    [[ $stderr == *"run: su -c 'apt-get update && apt-get install --no-install-recommends libc6-dev libelf-dev'" ]]
    fake sudo ''
    USER_ID=1000 INSTALLED='gcc make' run --separate-stderr "$program" build
    [[ $stderr == *'run: sudo apt-get update && sudo apt-get install --no-install-recommends libc6-dev libelf-dev' ]]
}

@test "with --say nothing is installed, and what root would type is said" {
    INSTALLED='gcc make' run --separate-stderr "$program" --say build
    [ "$status" -eq 1 ]
    [ ! -s "$LOG" ]
    [[ $stderr == *'packages are missing; run: apt-get update && apt-get install --no-install-recommends libc6-dev libelf-dev' ]]
    INSTALLED='gcc libc6-dev libelf-dev make' run "$program" --say build
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "what will be installed is said first" {
    fake apt-get 'case $* in *" -s "* | indextargets*) exit ;; *" install "*) echo "apt-get says much" ;; esac'
    INSTALLED='gcc make' run --separate-stderr "$program" build
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ "$stderr" = 'scripts/install-packages: installing libc6-dev libelf-dev, with what these need' ]
}

@test "how many packages these are, and how large, is said first" {
    fake apt-get 'case $* in
        *" -s "*) echo "Inst libelf1 (0.188-2.1 Debian:12/stable [amd64])"; echo "Conf libelf1 (0.188-2.1)"
            echo "Inst libc6-dev [2.36-8] (2.36-9 Debian:12/stable [amd64])" ;;
        esac'
    fake apt-cache 'case $* in
        "show libelf1=0.188-2.1 libc6-dev=2.36-9")
            printf "Package: x\nInstalled-Size: 11000\nSize: 1900000\n\nPackage: y\nInstalled-Size: 500\nSize: 200000\n" ;;
        esac'
    INSTALLED='gcc make' run --separate-stderr "$program" build
    [ "$status" -eq 0 ]
    [[ $stderr == 'scripts/install-packages: installing libc6-dev libelf-dev, with what these need: 2 packages, 3 MB to download and 12 MB on disk'* ]]
}

@test "a long installation says how far it has come, and nothing stays behind" {
    # The first sleep of the one that tells is over at once, and the others last.
    fake sleep 'case $1 in 10) [ -e "$LOG.slept" ] && { echo $$ > "$LOG.pid"; exec /bin/sleep 60; }; touch "$LOG.slept" ;; *) exec /bin/sleep "$1" ;; esac'
    fake apt-get 'case $* in *" install "*)
        case $* in *" -s "*) exit ;; esac
        echo "Unpacking a (1) ..."; echo "Unpacking b (1) ..."; echo "Setting up a (1) ..."
        until [ -e "$LOG.pid" ]; do /bin/sleep 0.1; done ;; esac'
    INSTALLED='gcc make' run --separate-stderr "$program" build
    [ "$status" -eq 0 ]
    [[ $stderr == *'packages are unpacked and '*' are set up, after 10 s'* ]]
    wait_gone "$(cat "$LOG.pid")"
}

@test "a lock that another process holds is waited for" {
    fake apt-get 'case $* in *" -s "* | indextargets*) exit ;; esac
        [ ! -s "$FAILURES" ] || { sed -i 1d "$FAILURES"; echo "E: Could not get lock /var/lib/dpkg/lock-frontend." >&2; exit 100; }
        echo "apt-get $*" >> "$LOG"'
    printf '\n\n\n\n\n\n' > "$FAILURES"
    run --separate-stderr "$program" build
    [ "$status" -eq 0 ]
    [ "$(grep -c 'another process installs packages; waiting' <<< "$stderr")" -eq 1 ]
    [[ $stderr != *'trying once more'* ]]
    grep ' install ' "$LOG"
}

@test "who is not root succeeds when nothing is missing" {
    USER_ID=1000 INSTALLED='python3 python3-pycparser python3-pyelftools' run "$program" generate
    [ "$status" -eq 0 ]
}

@test "one failure of the network is overcome" {
    echo > "$FAILURES"
    run "$program" build
    [ "$status" -eq 0 ]
    [ "$(grep -c update "$LOG")" -eq 2 ]
}

@test "lasting failures end with an error" {
    printf '\n\n\n\n' > "$FAILURES"
    run "$program" build
    [ "$status" -eq 1 ]
    [ "$(grep -c ' install ' "$LOG")" -eq 2 ]
    [[ $output == *'could not be installed; see the messages'* ]]
}

@test "package lists that cannot be refreshed do not prevent an installation" {
    printf '\n\n' > "$FAILURES"
    run "$program" build
    [ "$status" -eq 0 ]
    [[ $output == *'going on with the old ones'* ]]
}

@test "an unknown or missing purpose is a usage error" {
    run "$program" nonsense
    [ "$status" -eq 2 ]
    [[ $output == *"unknown purpose 'nonsense'; give one or more of: build generate deb rpm tarball docs demo check fuzz bench cluster roots releases fortran gallery arm64" ]]
    run "$program"
    [ "$status" -eq 2 ]
    [ ! -s "$LOG" ]
}

@test "a system without apt-get is told the names" {
    mkdir "$BATS_TEST_TMPDIR/few"
    ln -s /bin/sh "$BATS_TEST_TMPDIR/few/sh"
    PATH=$BATS_TEST_TMPDIR/few run "$program" build
    [ "$status" -eq 1 ]
    [[ $output == *'not a Debian system; install what Debian calls: gcc libc6-dev'* ]]
}

@test "what a release does not have is named and left out" {
    LACKING='netpipe-mpich2 hpcc' run "$program" build demo
    [ "$status" -eq 0 ]
    [[ $output == *'this release has no netpipe-mpich2 that can be installed; going on without it'* ]]
    [[ $output == *'this release has no hpcc that can be installed; going on without it'* ]]
    run sed -n 2p "$LOG"
    [[ $output == *'install gcc libc6-dev libelf-dev make hdf5-tools libhdf5-mpich-dev '*' python3-numpy' ]]
    [[ $output != *hpcc* && $output != *netpipe* ]]
}

@test "nobody is asked to install what a release does not have" {
    INSTALLED='hdf5-tools hpcc libhdf5-mpich-dev libmpich-dev libopenmpi-dev mpich openmpi-bin pkg-config python3-mpi4py python3-numpy' \
        USER_ID=1000 LACKING=netpipe-mpich2 run "$program" demo
    [ "$status" -eq 0 ]
    [[ $output == *'this release has no netpipe-mpich2'* ]]
}

@test "what is required is left to apt-get's own words" {
    LACKING=gcc run "$program" build
    [[ $output != *'has no gcc'* ]]
    grep -q 'install gcc libc6-dev' "$LOG"
}

@test "without lists nothing is taken for missing" {
    NO_LISTS=yes LACKING=netpipe-mpich2 run "$program" demo
    [ "$status" -eq 0 ]
    grep -q 'install .*netpipe-mpich2' "$LOG"
}
