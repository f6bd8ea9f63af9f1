# SPDX-License-Identifier: BSD-3-Clause
# Families and implementations are named by abi-tables alone: code that spells one is an edit that the next
# family would need. families-spelt.tsv has the lines that may, and why.

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    exceptions=$BATS_TEST_TMPDIR/exceptions
    cd "$top"
    tests/exceptions.py rows tests/structure/families-spelt.tsv 'file pattern reason' > "$exceptions"
}

# Names of families, implementations and kinds of launchers, libraries without their versions, and how the names
# of an implementation's own begin: a pattern.
names() {
    {
        sed -nE 's/^(\w+) soname .*/\1/p' abi-tables/families
        sed -nE 's/^\w+ (soname|needs|libraries|companions|earlier) //p' abi-tables/families | tr ' ' '\n' | sed 's/\.so.*/\\.so/'
        sed -nE 's/^\w+ objects //p' abi-tables/families | tr ' ' '\n' | grep -v '^mpi_'
        sed -nE 's/^(\w+) version (.*)/\1\n\2/p; s/^\w+ (launcher|exports|release) //p' abi-tables/implementations |
            tr ' ' '\n' | grep -vE '^(Open|MPI|\w+\$)$'
        sed -nE 's/^(openmpi|hydra) rank //p' abi-tables/rank-variables
        echo 'Open MPI'
    } | sort -u | paste -sd '|'
}

# Prints the family names that the code of these spells, as FILE:LINE TEXT.
spelt() {
    find command detour gen bench/*.py bench/apps/run bench/profile packaging/build-deb packaging/packaging.mk \
        packaging/uninstall packaging/debian/rules packaging/modulefile.* tests/families.bash \
        tests/calls/*/*_calls.py adapter-c/*.mk gotswap/*.mk scripts/*.mk scripts/check scripts/bench Makefile \
        -type f ! -name '*.pyc' -exec grep -HE "(^|[^A-Za-z])($(names))" {} +
}

# excused FILE TEXT: by a line of the exceptions, which is noted.
excused() {
    local file pattern reason
    while IFS=$'\t' read -r file pattern reason; do
        [[ $1 == "$file" && $2 =~ $pattern ]] || continue
        printf '%s\t%s\n' "$file" "$pattern" >> "$BATS_TEST_TMPDIR/used"
        return
    done < "$exceptions"
    return 1
}

@test "families and implementations are spelt in the tables alone" {
    local line found=0
    touch "$BATS_TEST_TMPDIR/used"
    while IFS= read -r line; do
        excused "${line%%:*}" "${line#*:}" || { echo "$line"; found=1; }
    done < <(spelt)
    [ "$found" -eq 0 ]
    # Each exception excuses something.
    while IFS=$'\t' read -r file pattern _; do
        grep -xF -- "$file"$'\t'"$pattern" "$BATS_TEST_TMPDIR/used" > /dev/null || { echo "needless: $file $pattern"; false; }
    done < "$exceptions"
}

@test "each kind of launcher is described by the first implementation that has it" {
    local kind first key
    cd "$top/abi-tables"
    for kind in $(sed -nE 's/^\w+ launcher //p' implementations | sort -u); do
        first=$(sed -nE "s/^(\\w+) launcher $kind\$/\\1/p" implementations | sed -n 1p)
        for key in says gives starts; do
            grep -q "^$first $key ." implementations || { echo "$first has no $key"; false; }
        done
        grep -q "^$first gives .*NAME.*VALUE" implementations
    done
}

@test "no two implementations of a family have the same marks, and one at most has none" {
    cd "$top/abi-tables"
    for family in $(sed -nE 's/^(\w+) soname .*/\1/p' families); do
        for name in $(sed -n "s/^$family implementations //p" families); do
            sed -n "s/^$name marks //p" implementations | grep . || echo none
        done > "$BATS_TEST_TMPDIR/marks"
        [ -s "$BATS_TEST_TMPDIR/marks" ]
        [ -z "$(sort "$BATS_TEST_TMPDIR/marks" | uniq -d)" ] || { echo "$family: $(cat "$BATS_TEST_TMPDIR/marks")"; false; }
    done
}
