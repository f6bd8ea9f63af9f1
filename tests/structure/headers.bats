#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Headers have one form: a comment on the whole, and a comment that begins with a verb on each function.

bats_require_minimum_version 1.5.0

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR"
}

@test "every header says what it is for, and what each of its functions does" {
    find "$top"/adapter-c "$top"/adapter-f77 "$top"/gotswap "$top"/command "$top"/compile "$top"/bench -name '*.h' > headers
    [ "$(wc -l < headers)" -gt 100 ]
    mapfile -t headers < headers
    "${PYTHON:-python3}" -B "$BATS_TEST_DIRNAME/headers.py" "${headers[@]}"
}

@test "a function without a comment, or with one that begins with no verb, is found" {
    cat > bad.h <<'TEXT'
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BAD_H
#define BAD_H
#define MACRO(x) \
    int unseen(int x);

int bare(void);

/* The sum. */
static inline int sum(int a, int b)
{
    return a + b;
}

/* Return the sum and the product. */
int both_sum(int a, int b);
int both_product(int a, int b) __attribute__((const));

typedef int callback(int);
extern int (*hook)(int);

HIDDEN void *grown(void *(*allocate)(size_t size),
                   size_t size);
#endif
TEXT
    run "${PYTHON:-python3}" -B "$BATS_TEST_DIRNAME/headers.py" bad.h
    echo "$output"
    [ "$status" -eq 1 ]
    diff - <(echo "$output") <<'TEXT'
bad.h:1: the header has no comment on the whole
bad.h:7: bare() has no comment
bad.h:10: the comment on sum() does not begin with a verb: The sum.
bad.h:22: grown() has no comment
TEXT
    # A list that is empty by mistake is no success.
    run -1 "${PYTHON:-python3}" -B "$BATS_TEST_DIRNAME/headers.py"
}
