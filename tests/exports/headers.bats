#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# docs/extensions.md has every name in the headers that is not MPI's, by name or by a pattern. Names that begin with MPI_ are in the
# tables of procedures and constants: the generator refuses those that nobody has listed.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    # Patterns of the first table, one a line, as regular expressions.
    sed -n '/^## Names in headers/,/^## Strings/p' "$top/docs/extensions.md" | sed -n 's/^| \([^|]*`[^|]*\) | .*/\1/p' |
        grep -oE '`[^`]+`' | tr -d '`' | sed 's/[*]/[A-Za-z0-9_]*/g' > patterns
}

# names FAMILY: of the headers for C and for mpif.h that are no MPI_ names.
names() {
    local folder word
    for word in $("mpicc.$1" -show) "-I$(dirname "$(readlink -f /usr/bin/mpicc."$1")")/../include"; do
        [[ $word == -I*"$1"* ]] || continue
        folder=${word#-I}
        find "$folder" -maxdepth 1 -name 'mpi*.h' ! -name mpicxx.h -exec cat {} +
    done > headers
    [ -s headers ]
    # Comments and texts name other things, and names of C++ are in a namespace of MPI's.
    "$CC" -fpreprocessed -dD -E -P -x c headers 2> /dev/null |
        grep -oE '(^|[^A-Za-z0-9_"])[A-Z][A-Z0-9]+_[A-Za-z0-9_]+' | grep -oE '[A-Z][A-Z0-9]+_[A-Za-z0-9_]+' | LC_ALL=C sort -u | grep -vE '^P?MPI_|^U?INT[0-9]+_C$'
}

unlisted() { grep -vxEf patterns; }

@test "every name of the headers that is not MPI's is listed with what serves it" {
    local family
    [ "$(grep -c . patterns)" -ge 10 ]
    for family in openmpi mpich; do
        is_native "$family" || continue
        names "$family" > found
        [ "$(grep -c . found)" -ge 20 ]
        run unlisted < found
        echo "$family: $output"
        [ "$status" -eq 1 ]
    done
}

# listed_strings: of the second table, one a line.
listed_strings() { sed -n '/^## Strings/,/^## Exported/p' "$top/docs/extensions.md" | grep -oE '`[^`]+`' | tr -d '`'; }

# strings_of FILE: prefixes of file names and names of process sets that a library has.
strings_of() {
    "${PYTHON:-/usr/bin/python3}" - "$1" <<'END'
import re, sys
text = open(sys.argv[1], "rb").read()
for word in sorted(set(re.findall(rb"\0([a-z][a-z0-9]{1,12}:|mpix?://[A-Za-z_]+)(?=\0)", text))):
    print(word.decode())
END
}

@test "every prefix of file names, and every process set, that a library has is listed with what it means elsewhere" {
    local family library
    listed_strings > listed
    [ "$(grep -c . listed)" -ge 15 ]
    for family in openmpi:libmpi.so.40 mpich:libmpich.so.12; do
        is_native "${family%%:*}" || continue
        library=$(ldconfig -p | awk -v name="${family##*:}" '$1 == name { file = $NF } END { print file }')
        # hwloc, which MPICH has in its library, has the prefix of a PCI device.
        strings_of "$library" > strings
        sed '/^pci:$/d' strings > found
        run grep -vxFf listed found
        echo "$family: $output"
        [ "$status" -eq 1 ]
        if [ "${family%%:*}" = mpich ]; then grep -x ufs: found; fi
    done
}

@test "so is every name in the tables of all releases" {
    local table
    for table in "$top"/abi-tables/*-[0-9]*; do
        grep -ohE '\b(P?MPIX|Q?MPIO|OMPI|QMPI|MPIR|MPICH)_[A-Za-z0-9_]+' "$table/procedures" "$table/constants" | sort -u
    done | sort -u > found
    [ "$(grep -c . found)" -ge 100 ]
    run unlisted < found
    echo "$output"
    [ "$status" -eq 1 ]
}
