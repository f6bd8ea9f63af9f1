# SPDX-License-Identifier: BSD-3-Clause
# README's picture of a terminal, and how it is recorded, with a make that only looks like it.

bats_require_minimum_version 1.5.0

setup() {
    checkout=$BATS_TEST_DIRNAME/../..
    top=$BATS_TEST_TMPDIR/top
    mkdir -p "$top/scripts" "$top/docs" "$BATS_TEST_TMPDIR/bin"
    cp "$checkout/scripts/picture" "$top/scripts/"
    cp "$checkout"/docs/demo.{txt,svg} "$top/docs/"
    cd "$BATS_TEST_TMPDIR"
    export PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

# make_says TEXT: what a make in PATH prints, by printf; %s is the checkout.
make_says() {
    printf '#!/bin/sh\n[ -t 1 ] && [ "$*" = demo ] && [ -z "$BUILD$MAKELEVEL" ] || exit 3\nprintf %s %s\nexit %s\n' "'$1'" "'$top'" "${2:-0}" > bin/make
    chmod +x bin/make
}

# picture_text: the picture's lines, without their colors.
picture_text() { sed -n 's/^<text[^>]*>\(.*\)<\/text>$/\1/p' "$top/docs/demo.svg" | sed 's/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'; }

@test "docs/demo.svg is drawn of docs/demo.txt, and has all its words" {
    "$checkout/scripts/picture" check
    diff <(picture_text | tr -s ' \n' '\n\n') <(tr -s ' \n' '\n\n' < "$checkout/docs/demo.txt")
    [ "$(grep -c verified "$checkout/docs/demo.txt")" -ge 10 ]
    "${PYTHON:-/usr/bin/python3}" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$top/docs/demo.svg"
    sed -i 's/all verified/all failed/' "$top/docs/demo.txt"
    run "$top/scripts/picture" check
    [ "$status" -eq 1 ]
    [ "$output" = 'docs/demo.svg: error: it is not what docs/demo.txt says; run scripts/picture draw' ]
    "$top/scripts/picture" draw
    "$top/scripts/picture" check
    picture_text | grep '^demo: all failed'
}

@test "a recording has what the terminal showed at its end, and no path of the machine" {
    make_says '== log in %s/build/log\n== building 1/9\r\033[K== <one>\tA & B: verified\ndemo: all verified\n'
    BUILD=/elsewhere MAKELEVEL=1 "$top/scripts/picture" record < /dev/null
    diff "$top/docs/demo.txt" <(printf '%s\n' '$ make demo' '== log in build/log' '== <one>        A & B: verified' 'demo: all verified')
    diff <(picture_text) "$top/docs/demo.txt"
}

@test "a demonstration that fails, and what the picture cannot show, change nothing" {
    cp "$top/docs/demo.txt" before
    make_says 'demo: failed %s\n' 1
    run "$top/scripts/picture" record < /dev/null
    [ "$status" -eq 1 ]
    [[ $output == *'picture: the demonstration failed; the picture stays as it is' ]]
    make_says 'of %s/../other\n\033[2J'
    run "$top/scripts/picture" record < /dev/null
    [ "$status" -eq 1 ]
    [[ $output == *"picture: don't know what a terminal does for "* ]]
    make_says "of $BATS_TEST_TMPDIR/other%.0s\n"
    run "$top/scripts/picture" record < /dev/null
    [ "$status" -eq 1 ]
    [[ $output == *'picture: a path outside the checkout would be shown;'* ]]
    cmp "$top/docs/demo.txt" before
}
