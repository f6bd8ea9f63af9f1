# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154  # copy and adapter are of the files that load this
# 8000 callbacks in a process that lacks something, for either pair: `program` is many.c, `copy` a folder with
# the adapter's library that may be changed. Runs without a launcher, which would miss MPI_Finalize.

# many_callbacks HOW [few]: prints what went to stderr.
many_callbacks() {
    LD_LIBRARY_PATH=$copy timeout 120 ./many "$@" 2> stderr > stdout || { cat stderr; return 1; }
    [ "$(< stdout)" = right ]
    cat stderr
}

check_many_callbacks() {
    local how
    for how in none closed memfd; do
        [ -z "$(many_callbacks $how)" ]
    done
}

check_few_callbacks() {
    local size library=$copy/${adapter##*/}
    one_line "$(many_callbacks mapping few)"
    one_line "$(COMMAND="rm $library" many_callbacks run few)"
    for size in 1 4194304; do
        cp "$adapter" "$library"
        one_line "$(COMMAND="rm $library; head -c $size /dev/zero > $library" many_callbacks run few)"
    done
    # The same library by another name, or in the place of the one that is loaded, serves.
    cp "$adapter" "$library"
    [ -z "$(COMMAND="mv $library moved" many_callbacks run)" ]
    cp "$adapter" "$library"
    [ -z "$(COMMAND="rm $library; cp $adapter $library" many_callbacks run)" ]
}
