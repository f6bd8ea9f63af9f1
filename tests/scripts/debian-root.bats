# SPDX-License-Identifier: BSD-3-Clause
# debian-root, against false apt-get, apt-helper and mmdebstrap, and with a small root of this machine's files.

load ../command/false_mpis
load ../chroot

setup() {
    require_mounts
    # A checkout of its own: if mounts should ever be seen from outside, what removes a root goes through them.
    checkout=$BATS_TEST_TMPDIR/checkout
    program=$checkout/scripts/debian-root
    mkdir -p "$checkout/scripts"
    cp "$BATS_TEST_DIRNAME/../../scripts/"debian-{root,mirror} "$checkout/scripts"
    bin=$BATS_TEST_TMPDIR/bin
    export LOG=$BATS_TEST_TMPDIR/log DEBIAN_ROOTS=$BATS_TEST_TMPDIR/roots FAILS=''
    mkdir "$bin"
    : > "$LOG"
    fake apt-get "printf \"'%s' name 0\\n\" http://one/a/dists/x/InRelease http://two/b/dists/x/InRelease \
        http://two/b/dists/x/main/Packages.xz"
    fake apt-config 'echo "Acquire::http::Proxy \"http://proxy\";"; echo "Acquire::AllowInsecureRepositories \"1\";"'
    fake apt-helper 'case $2 in http://two/b/dists/bookworm/InRelease | http://two/b/dists/[tu]*/InRelease) ;; *) exit 100 ;; esac'
    # The root is the last argument but one.
    fake mmdebstrap 'printf "%s\n" "$@" >> "$LOG"; echo "purposes: $PURPOSES" >> "$LOG.purposes"
        for option; do case $option in --aptopt=/*) cat "${option#*=}" >> "$LOG" ;; esac; done
        shift $(($# - 2)); mkdir -p "$1/etc"; [ -z "$FAILS" ]'
    export PATH=$bin:$PATH
}

fake() {
    printf '#!/bin/sh\n%s\n' "$2" > "$bin/$1"
    chmod +x "$bin/$1"
}

# fails CODE TEXT ARGUMENT...: no root, whole or in part, is left.
fails() {
    local code=$1 text=$2
    shift 2
    run --separate-stderr "$program" "$@"
    echo "$stderr"
    [ "$status" -eq "$code" ]
    [ -z "$output" ]
    [[ $stderr == *"scripts/debian-root: $text"* ]]
    ! compgen -G "$DEBIAN_ROOTS/*/" || return 1
}

@test "a root is made from the first repository that has the release, once" {
    run --separate-stderr "$program" trixie
    [ "$status" -eq 0 ]
    [ "$output" = "$DEBIAN_ROOTS/trixie" ]
    [ -d "$output/etc" ]
    [ "$(grep -x -A2 trixie "$LOG")" = "$(printf '%s\n' trixie "$DEBIAN_ROOTS/trixie.new/root" http://two/b)" ]
    [ ! -e "$DEBIAN_ROOTS/trixie.new" ]
    : > "$LOG"
    run --separate-stderr "$program" trixie
    [ "$output" = "$DEBIAN_ROOTS/trixie" ]
    [ ! -s "$LOG" ]
}

@test "apt's way to the network is taken over, and nothing of whom it trusts" {
    "$program" trixie
    grep -q 'Acquire::http::Proxy "http://proxy"' "$LOG"
    run ! grep -E 'Insecure|Valid-Until' "$LOG"
}

@test "a root with MPIs of another architecture is of the release, and has packages of both" {
    run --separate-stderr "$program" bookworm-arm64
    [ "$status" -eq 0 ]
    [ "$output" = "$DEBIAN_ROOTS/bookworm-arm64" ]
    grep -qx -- "--architectures=$(dpkg --print-architecture),arm64" "$LOG"
    [ "$(grep -x -A2 bookworm "$LOG")" = "$(printf '%s\n' bookworm "$DEBIAN_ROOTS/bookworm-arm64.new/root" http://two/b)" ]
    "$program" trixie
    [ "$(grep -c -- '^--architectures' "$LOG")" -eq 1 ]
}

@test "a bare root is of the release, and gets no packages; one to build in gets what that needs" {
    "$program" bookworm
    [ "$("$program" trixie-bare)" = "$DEBIAN_ROOTS/trixie-bare" ]
    [ "$(grep -x -A2 trixie "$LOG")" = "$(printf '%s\n' trixie "$DEBIAN_ROOTS/trixie-bare.new/root" http://two/b)" ]
    fake apt-helper '[ "$2" = http://two/b/dists/bullseye/InRelease ]'
    [ "$("$program" bullseye-build)" = "$DEBIAN_ROOTS/bullseye-build" ]
    [ "$(cat "$LOG.purposes")" = $'purposes: build generate deb demo check\npurposes: \npurposes: build generate tarball' ]
}

@test "unstable may be past its date" {
    "$program" unstable
    grep -qx -- '--aptopt=Acquire::Check-Valid-Until "false"' "$LOG"
    run ! grep -iE 'trusted|unauthenticated|insecure' "$LOG"
}

@test "a root that could not be made is not there" {
    FAILS=yes fails 1 'the root of trixie could not be made; see the messages above' trixie
    run "$program" trixie
    [ "$status" -eq 0 ]
}

@test "what an interrupted attempt left is made anew" {
    mkdir -p "$DEBIAN_ROOTS/trixie.new/root/old"
    run "$program" trixie
    [ "$status" -eq 0 ]
    [ ! -e "$DEBIAN_ROOTS/trixie/old" ]
}

@test "what is missing is said" {
    fails 1 "no repository of this machine has bullseye; add one of Debian's to apt's configuration" bullseye
    fails 2 "unknown release 'lenny'; give one of: bullseye bullseye-bare bullseye-build bookworm bookworm-arm64 bookworm-bare trixie trixie-bare unstable unstable-bare" lenny
    fails 2 'no release is named; give one of: bullseye bullseye-bare'
    fake id 'echo 1000'
    fails 1 'only root may make and enter roots; run it as root' trixie
    rm "$bin/id"
    fake unshare 'exit 1'
    fails 1 'no mounts can be made here' trixie
}

@test "a machine without mmdebstrap is told how to get it" {
    rm "$bin/mmdebstrap"
    local tool
    for tool in bash cat dirname env flock id mkdir mktemp rm true unshare; do
        ln -s "$(type -P $tool)" "$bin/$tool"
    done
    PATH=$bin fails 1 'mmdebstrap is missing; run scripts/install-packages roots' trixie
}

# A root of this machine's files, as if it had been made.
small_root() {
    make_tree "$DEBIAN_ROOTS/trixie" /bin/sh /bin/ls /bin/mount /bin/touch /usr/bin/env /usr/bin/unshare
    mkdir -p "$DEBIAN_ROOTS/trixie/dev/shm" "$DEBIAN_ROOTS/trixie/dev/pts"
    mknod -m 666 "$DEBIAN_ROOTS/trixie/dev/null" c 1 3
}

@test "a command runs in the root and in this checkout, with an environment of its own" {
    small_root
    SECRET=1 run --separate-stderr "$program" trixie sh -c 'pwd; ls scripts; echo "${SECRET-none} $HOME"; exit 7'
    echo "$output"
    [ "$status" -eq 7 ]
    [ "$output" = "$checkout"$'\ndebian-mirror\ndebian-root\nnone /root' ]
}

@test "a command may make namespaces of its own" {
    small_root
    "$program" trixie unshare --mount --propagation private mount -t tmpfs tmpfs /var
    "$program" trixie unshare --user --map-root-user sh -c :
}

@test "nothing that a command mounts or leaves in /tmp, and no process of it, is there afterwards" {
    small_root
    "$program" trixie sh -c 'touch /tmp/left /dev/shm/left; mount -t tmpfs tmpfs /var; (while :; do :; done) &' "survivor-$$"
    [ -z "$(grep -ls "[s]urvivor-$$" /proc/[0-9]*/cmdline)" ]
    [ ! -e "$DEBIAN_ROOTS/trixie/tmp/left" ]
    [ ! -e "$DEBIAN_ROOTS/trixie/dev/shm/left" ]
    run ! grep "$DEBIAN_ROOTS" /proc/self/mounts
    # Only the root's own files are removed: the checkout was merely mounted there.
    rm -rf --one-file-system "$DEBIAN_ROOTS"
    [ -x "$program" ]
}
