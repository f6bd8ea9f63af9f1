# SPDX-License-Identifier: BSD-3-Clause
# Tables of the pages that scripts/records makes of rows.

bats_require_minimum_version 1.5.0

setup() {
    checkout=$BATS_TEST_DIRNAME/../..
    cd "$BATS_TEST_TMPDIR"
    mkdir -p docs/records
    rows 'suite\t>programs\trecorded' 'one\t3\t2026-11-25' 'other\t4\t2026-11-28'
    printf '%s\n' '# Page' '<!-- Rows of docs/records/some.tsv. -->' '| old |' '<!-- End of rows. -->' 'after' > docs/page.md
}

# rows LINE...: docs/records/some.tsv.
rows() { printf '# a comment\n' > docs/records/some.tsv; printf '%b\n' "$@" >> docs/records/some.tsv; }

records() { "$checkout/scripts/records" "$1" "$PWD"; }

# complains MESSAGE
complains() {
    run records write
    echo "$output"
    [ "$status" -eq 1 ]
    [ "$output" = "$1" ]
    grep -q '| old |' docs/page.md
}

@test "the pages have the rows of docs/records" {
    "$checkout/scripts/records" check
    [ "$(grep -l 'Rows of docs/records' "$checkout"/docs/*.md | wc -l)" -ge 3 ]
}

@test "rows become a table with their days, or with one day for all below it" {
    run records check
    [ "$status" -eq 1 ]
    [ "$output" = 'docs/page.md: error: its tables are not what docs/records says; run scripts/records write' ]
    records write
    records check
    diff docs/page.md <(printf '%s\n' '# Page' '<!-- Rows of docs/records/some.tsv. -->' '| suite | programs | recorded |' '|---|---:|---|' \
        '| one | 3 | 2026-11-25 |' '| other | 4 | 2026-11-28 |' '<!-- End of rows. -->' 'after')
    sed -i 's/28$/25/' docs/records/some.tsv
    records write
    diff docs/page.md <(printf '%s\n' '# Page' '<!-- Rows of docs/records/some.tsv. -->' '| suite | programs |' '|---|---:|' \
        '| one | 3 |' '| other | 4 |' '' 'Recorded on 2026-11-25.' '<!-- End of rows. -->' 'after')
}

@test "rows that cannot be a table, and those that no page shows, are refused" {
    rows 'suite\trecorded' 'one\t3\t2026-11-25'
    complains 'some.tsv:3: error: 3 cells are in 2 columns; correct the tabs'
    rows 'suite\trecorded' 'one\tyesterday'
    complains "some.tsv:3: error: 'yesterday' is no day; write YYYY-MM-DD"
    rows 'suite\tprograms' 'one\t3'
    complains "some.tsv: error: the last column is not 'recorded'; add the days"
    mv docs/records/some.tsv docs/records/other.tsv
    complains 'some.tsv: error: a page names this file, and it is not in docs/records; correct the comment in the page'
    rows 'suite\trecorded' 'one\t2026-11-25'
    complains 'other.tsv: error: no page has these rows; name the file in a page, or remove it'
}
