# SPDX-License-Identifier: BSD-3-Clause
# Checks of the form of the adapter's messages; sourced.

# one_line TEXT: it is exactly one line, in the form of the adapter's messages.
one_line() {
    [[ $1 != *$'\n'* ]] && grep -qE '^mpi-adapter: [^;]+(; [^;]+)+$' <<< "$1" || {
        echo "not one message of the adapter:"
        echo "$1"
        return 1
    }
}
