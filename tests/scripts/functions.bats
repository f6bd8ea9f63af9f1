# SPDX-License-Identifier: BSD-3-Clause
# All parts of the command are sourced into one shell, in the order of their names, and a look into an image sources them, too:
# of two functions of one name, each would have the callers of the other.

setup() { cd "$BATS_TEST_DIRNAME/../.."; }

@test "no function of the command's has the name of another one" {
    names=$(sed -n 's/^\([a-z_0-9]*\)() .*/\1/p' command/mpi-adapter command/inside.bash command/parts/*.bash)
    [ "$(wc -l <<< "$names")" -gt 300 ]
    twice=$(sort <<< "$names" | uniq -d)
    echo "$twice"
    [ -z "$twice" ]
}
