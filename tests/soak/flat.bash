# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Shared by the tests and `make soak`.

# flat HOST NATIVE ADAPTED: what soak said of each is compared. Kinds that the host leaks in one run and not in another are run
# once more by `run_again KIND...`, which writes to the same files: what we leaked ourselves would be there in every run.
flat() {
    local words code
    for _ in {1..12}; do
        code=0
        words=$("${BASH_SOURCE[0]%/*}/compare" "$@") || code=$?
        echo "$words"
        [ "$code" -eq 3 ] || return "$code"
        # shellcheck disable=SC2046  # a list of words
        run_again $(sed -n 's/^once more: //p' <<< "$words")
    done
    return 1
}
