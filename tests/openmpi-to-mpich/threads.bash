# SPDX-License-Identifier: BSD-3-Clause
# Stacks of threads, for either pair: `natively` and `stack` are stack.c for the host and for the application.

# Each line of the second file has numbers that exceed those of the first by 2560 at most: what an array of
# handles and one of statuses take of a stack.
compare_stacks() {
    paste -d ' ' "$1" "$2" | awk '$1 != $4 || $5 > $2 + 2560 || $6 > $3 + 2560 { print "native, adapted:", $0; bad = 1 }
        END { exit bad || NR < 20 }'
}

check_stacks() {
    timeout 120 ./natively > native.txt
    adapted ./stack > adapted.txt
    compare_stacks native.txt adapted.txt
}

# Of 16 KiB: what runs natively runs.
check_small_stacks() {
    timeout 120 ./natively small > native.txt
    adapted ./stack small > adapted.txt
    [ "$(grep -c . adapted.txt)" = "$(grep -c . native.txt)" ]
}
