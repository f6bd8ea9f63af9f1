# SPDX-License-Identifier: BSD-3-Clause
# as-owner: what root builds in a user's checkout stays the user's.

bats_require_minimum_version 1.5.0

setup() {
    unset MAKEFLAGS MAKELEVEL MFLAGS
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    # Another user may read it there.
    tree=$(mktemp -d)
    mkdir "$tree/scripts"
    cp "$top/scripts/as-owner" "$tree/scripts/"
    cd "$tree"
}

teardown() { rm -rf "$tree"; }

@test "root's command is the owner's, who can build again" {
    [ "$(id -u)" -eq 0 ] || skip 'only root can act as another user'
    chmod 755 .
    chown -R 65534:65534 .
    printf '%s\n' 'all: made' 'made:' '	@id -u > $@' 'again:' '	@scripts/as-owner $(MAKE) -j2 all LEVEL=2' > Makefile
    run -0 make -j2 again
    echo "$output"
    [ "$(cat made)" = 65534 ]
    [ "$(stat -c %u:%g made)" = 65534:65534 ]
    [[ $output != *jobserver* ]]
    run -0 setpriv --reuid 65534 --regid 65534 --clear-groups touch made
    # Variables of make's command line stay.
    printf '%s\n' 'say:' '	@+scripts/as-owner $(MAKE) -s shown' 'shown:' '	@echo "$(WORD)"' > Makefile
    [ "$(make -s -j2 say WORD=kept)" = kept ]
}

@test "a user's command, and root's in a checkout of root's, are their own" {
    [ "$(scripts/as-owner id -u)" = "$(id -u)" ]
    run -3 scripts/as-owner sh -c 'exit 3'
}

@test "the demonstration is built so" {
    cd "$top"
    grep -F 'scripts/as-owner scripts/$@' Makefile
}
