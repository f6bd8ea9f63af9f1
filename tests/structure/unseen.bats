#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# A test must insist on each result: Bats passes over the failure of some commands.

@test "no command of a test fails unseen" {
    cd "$BATS_TEST_DIRNAME/../.."
    find tests \( -name '*.bats' -o -name '*.bash' \) -exec "$BATS_TEST_DIRNAME/unseen" {} +
}

# Bats passes over those lines that say so, and over no others.
@test "commands whose failure would end no test are found, and those that may fail are not" {
    cat > "$BATS_TEST_TMPDIR/sample" <<'SAMPLE'
filter() {
    [ "$1" = a ] && [ "$2" = b ]
}
it() {
    cat > program.c <<'END'
    ! a && b
END
    ! grep -q x file    # unseen
    [ -e a ] &&         # unseen
        [ -e b ]
    for i in 1 2; do
        [ "$i" = "$(a && b)" ] && ! c    # unseen
    done
    if [ -e a ] && ! [ -e b ]; then x; fi; a && b; c    # unseen
    ! a || return
    [ -e a ] && [ -e b ] || return
    [[ $a == '&&' && $b == \!* ]]
    awk '/a/ && ! b' <<< "! c && d"
    (cd a && b)
    [ -e a ] && return
    case $a in
        b) c
           ! d    # unseen
           e ;;
    esac
    ! last
}
SAMPLE
    run "$BATS_TEST_DIRNAME/unseen" "$BATS_TEST_TMPDIR/sample"
    echo "$output"
    [ "$status" -eq 1 ]
    diff <(grep -n '# unseen$' "$BATS_TEST_TMPDIR/sample" | cut -d : -f 1) <(cut -d : -f 2 <<< "$output")
}
