#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Parts of sources that are written out for each row of a table (gen/each.py).

bats_require_minimum_version 1.5.0

setup()
{
    load common
    cd "$BATS_TEST_TMPDIR"
}

# written LINE...: what is written of a source with these lines.
written()
{
    printf '%s\n' "$@" > source.c
    "$PYTHON" -B "$GEN/each.py" source.c out/written.c && cat out/written.c
}

@test "a part is written once for each row, with the names of its class" {
    diff <(written 'int before;' '/* each' ' * class     to_host' ' * comm      comm_to_host' ' * datatype  distinct' ' */' \
        'int ${class}_to($Class a) { return $to_host(CLASS_$CLASS, ERR_$NAME); }' '/* end */' 'int after; /* costs $5 */') - <<'TEXT'
int before;
int comm_to(Comm a) { return comm_to_host(CLASS_COMM, ERR_COMM); }
int datatype_to(Type a) { return distinct(CLASS_DATATYPE, ERR_TYPE); }
int after; /* costs $5 */
TEXT
    # A dash is no text, two spaces separate columns, and parts of several lines are set apart.
    diff <(written '/* each' ' * suffix  type' ' * -       int' ' * _c      long long' ' */' '$type size$suffix(void)' '{' '}' '/* end */') - <<'TEXT'
int size(void)
{
}

long long size_c(void)
{
}
TEXT
}

@test "a source that was touched and is as before is written once more, not by each make" {
    printf '%s\n' 'int before;' > source.c
    "$PYTHON" -B "$GEN/each.py" source.c out/written.c
    touch -d '2001-01-01' out/written.c
    "$PYTHON" -B "$GEN/each.py" source.c out/written.c
    [ ! out/written.c -ot source.c ]
}

# refused ERROR LINE...: such a source is refused with this message, and nothing is written.
refused()
{
    run -1 --separate-stderr written "${@:2}"
    echo "$1: $stderr"
    [[ $stderr == "source.c:$1"* ]]
    [ ! -e out ]
}

@test "a part that is not right is refused at its line" {
    refused '1: error: no /* each comes before it' '/* end */'
    refused '2: error: no row follows' '' '/* each' ' * class' ' */'
    refused "2: error: 'int x;' is not a row of some columns" '/* each' 'int x;' ' */'
    refused "3: error: '* one' is not a row of 2 columns" '/* each' ' * name  value' ' * one' ' */' '/* end */'
    refused '1: error: no /* end */ follows' '/* each' ' * class' ' * comm' ' */' 'int $class;'
    refused "5: error: 'int \$name;' has a \$name that is not one of CLASS, Class, NAME, class" \
        '/* each' ' * class' ' * comm' ' */' 'int $name;' '/* end */'
    refused "5: error: 'costs \$5' has a \$name that" '/* each' ' * class' ' * comm' ' */' 'costs $5' '/* end */'
}

@test "every source with such parts has the name that make looks for, and every such name has parts" {
    local top=$TESTS/../..
    diff <(cd "$top" && grep -rl '^/\* each$' adapter-c adapter-f77 --include='*.[ch]' | LC_ALL=C sort) \
        <(cd "$top" && find adapter-c adapter-f77 -name '*.each.c' | LC_ALL=C sort)
}
