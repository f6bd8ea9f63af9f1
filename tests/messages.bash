# SPDX-License-Identifier: BSD-3-Clause
# Checks of the adapter's messages; sourced.

# unless_dropped COMMAND...: a command of Bats' run, again where Hydra ended by SIGPIPE, up to three times. Where a rank ends without MPI
# it does so now and then, and drops what that rank said: natively in 6 of 1,500 starts on a busy machine.
unless_dropped() {
    for _ in 1 2 3; do
        "$@"
        # shellcheck disable=SC2154  # run sets it
        [ "$status" -eq 141 ] || break
    done
}

# one_line TEXT: it is exactly one line, in the form of the adapter's messages.
one_line() {
    [[ $1 != *$'\n'* ]] && grep -qE '^mpi-adapter: [^;]+(; [^;]+)+$' <<< "$1" || {
        echo "not one message of the adapter:"
        echo "$1"
        return 1
    }
}

# is_shown FILE [json]: whether all of it is UTF-8 (and one JSON text) without control characters and marks of direction.
is_shown() {
    python3 - "$@" <<'END'
import json, sys, unicodedata
text = open(sys.argv[1], "rb").read().decode("utf-8")
if len(sys.argv) > 2:
    json.loads(text)
marks = "\u061c\u200e\u200f\u2028\u2029" + "".join(map(chr, [*range(0x202a, 0x202f), *range(0x2066, 0x206a)]))
wrong = sorted({hex(ord(c)) for c in text.replace("\n", "") if unicodedata.category(c) == "Cc" or c in marks})
sys.exit(f"{sys.argv[1]}: {wrong} in {text!r}" if wrong else 0)
END
}
