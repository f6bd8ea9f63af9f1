# SPDX-License-Identifier: BSD-3-Clause
#
# The stored results of the matrix of releases, and the page that is made of them; this needs no roots.

bats_require_minimum_version 1.5.0

setup() {
    here=$BATS_TEST_DIRNAME
    top=$(cd "$here/../.." && pwd)
    cd "$BATS_TEST_TMPDIR"
}

@test "docs/releases.md is what the stored results say, each gap is explained, and no explanation is left over" {
    run "$here/table.py" "$here/results.tsv" "$here/gaps.tsv"
    [ "$status" -eq 0 ] || { echo "$output" | grep -E '^(gone|not explained):'; return 1; }
    diff "$top/docs/releases.md" <("$here/table.py" "$here/results.tsv" "$here/gaps.tsv")
}

@test "a gap that nobody explains, and an explanation that nothing needs, fail" {
    printf 'mpich-4.0.2\topenmpi-4.1.4\tc\t1\t2\tring=exit-1\n' > results
    printf 'openmpi-4.1.4\tc\tring\t*\thost\tOpen MPI cannot\n' > gaps
    "$here/table.py" results gaps > page
    grep -F '| Open MPI 4.1.4 | ring | any | host | not run | Open MPI cannot |' page
    grep -F '| MPICH 4.0.2 | not run | 1/2 |' page

    # The host's own program fails there, too: the cell equals native.
    printf 'openmpi-4.1.4\topenmpi-4.1.4\tc\t1\t2\tring=exit-1\n' | cat results - > with-native
    "$here/table.py" with-native gaps | grep -F "| ✓ 1/2 |"
    run ! grep -F '✓ 1' page
    # A fault that native programs show is told in the details alone.
    "$here/table.py" with-native gaps details > page
    run ! grep -F 'Open MPI cannot' page
    grep -F '| Open MPI 4.1.4 | ring | any | host | yes | Open MPI cannot |' details

    # If native programs show only some of a result, the page says so in a word, and the details list what they do not show.
    printf 'mpich-4.0.2\topenmpi-4.1.4\tc\t1\t3\tring=exit-1 torus=exit-1\n' | cat with-native - > some-native
    printf 'openmpi-4.1.4,openmpi-5.0.7\tc\tring,torus\t*\thost\tneither can\n' > two-gaps
    "$here/table.py" some-native two-gaps details > page
    grep -F '| Open MPI 4.1.4, 5.0.7 | ring, torus | any | host | partly | neither can |' page
    grep -F '| Open MPI 4.1.4, 5.0.7 | ring, torus | any | host | yes; not torus on Open MPI 4.1.4 | neither can |' details
    grep -v 'openmpi-4.1.4.openmpi-4.1.4' some-native > no-native
    "$here/table.py" no-native two-gaps details > page
    grep -F '| not run | neither can |' page
    grep -F '| not run on Open MPI 4.1.4 | neither can |' details

    : > none
    run "$here/table.py" results none
    [ "$status" -eq 1 ]
    [[ $output == *'not explained: mpich-4.0.2 openmpi-4.1.4 c ring exit-1'* ]]

    printf 'openmpi-4.1.4\tc\ttorus\t*\thost\tOpen MPI cannot\n' >> gaps
    run "$here/table.py" results gaps
    [ "$status" -eq 1 ]
    [[ $output == *'gone: openmpi-4.1.4 c torus: Open MPI cannot'* ]]
}

@test "each name of names.tsv is one that the tables know, and was counted in each language of its line" {
    sed '/^#/d' "$here/names.tsv" | cut -f 2,6 > needed
    [ "$(wc -l < needed)" -ge 5 ]
    while IFS=$'\t' read -r needed languages; do
        read -r name rest <<< "$needed"
        grep -E "^[a-z]+ (alias|contested|renamed|needs) $name(=|\$)" "$top/abi-tables/families"
        [[ " $languages " == *' c '* && " $languages " == *' 77 '* ]]
        for language in $languages; do
            awk -F '\t' -v name="$name${rest:+ $rest}" -v language="$language" \
                '$1 == name && $3 == language && $5 > 0 { found = 1 } END { exit !found }' "$here/names-results.tsv"
        done
    done < needed
    run ! grep -F 'not run' <(sed -n '/^## Names of vendors/,/^## Failures/p' "$top/docs/releases.md")
}

@test "the page has one table for Fortran, and the details one for each interface" {
    printf 'mpich-4.0.2\topenmpi-4.1.4\t%s\t1\t1\t-\n' 2008 90 > results
    : > none
    "$here/table.py" results none details > page
    [ "$(grep -cF '| MPICH 4.0.2 | not run | 2 |' page)" -eq 1 ]
    [ "$(grep -cF '| MPICH 4.0.2 | not run | 1 |' details)" -eq 2 ]
}

@test "programs of mpifort_abi have rows, and are compared with what the host's implementation compiles" {
    abi=mpiabi-gcc-debian-11
    grep -P "^bullseye\t$abi\tc 77 90 2008\t" "$here/compilers.tsv"
    printf '%s\t77\t1\t2\trma=exit-1\n' $"mpich-5.0.2\tmpich-5.0.2" | sed 's/\\t/\t/g' > results
    for host in mpich-4.0.2 mpich-5.0.2 mpiabi-mpich-5.0.2; do printf '%s\t%s\t77\t1\t2\trma=exit-1\n' $abi $host; done >> results
    printf '*\t77\trma\t*\thost\tit cannot\n' > gaps
    "$here/table.py" results gaps > page
    grep -F '| standard ABI, GCC of Debian 11 | not run | not run | not run | not run | not run | 1/2 | not run | ✓ 1/2 | not run | ✓ 1/2 |' page
    [ "$(grep -c 'MPICH 5.0.2 | .*\*1/2\*' page)" -eq 1 ]

    # It has to print what programs of the host's implementation print.
    for place in mpich-5.0.2/mpich-5.0.2 $abi/mpich-5.0.2 $abi/mpiabi-mpich-5.0.2; do
        mkdir -p base/results/$place/77
        echo ok > base/results/$place/77/p2p
        printf 'sum 6\nhost of one\nok p2p: 3 checks\n' > base/results/$place/77/p2p.out
    done
    "$here/collect.py" base > collected
    [ "$(cut -f 4-6 collected | grep -cP '^1\t1\t-$')" -eq 3 ]
    sed -i 's/6/7/' base/results/$abi/mpich-5.0.2/77/p2p.out
    sed -i 's/one/two/' base/results/$abi/mpiabi-mpich-5.0.2/77/p2p.out
    "$here/collect.py" base > collected
    [ "$(cut -f 4-6 collected | grep -cP '^0\t1\tp2p=prints-something-else$')" -eq 2 ]
    # Each cell has the day of its last run, and the page the first and the last of a table's.
    touch -d '2026-01-02 12:00 UTC' base/results/*/*/77/p2p
    touch -d '2026-01-04 12:00 UTC' base/results/$abi/mpich-5.0.2/77/p2p
    "$here/collect.py" base > collected
    [ "$(grep -v '^#' collected | cut -f 7 | sort | tr '\n' ' ')" = '2026-01-02 2026-01-02 2026-01-04 ' ]
    # These results have what no line of gaps explains.
    run -1 "$here/table.py" collected gaps
    grep -x 'Recorded from 2026-01-02 to 2026-01-04.' <<< "$output"
}

@test "a known fault is left out on the releases that it is listed for, and on no others" {
    printf 'mpich\tp2p\told\t3.4.1-4.0.2\tfails\tof two\nmpich\tp2p\tone\t4.2.1\thangs\tof one\nmpich-native\tp2p\town\t4.0.2\tends\tnatively\n' > faults
    checks() { "$here/faults.py" checks faults "$1" "$2" p2p c; }
    [ "$(checks mpich-4.0.2 openmpi-4.1.4)" = old ]
    [ "$(checks mpich-4.2.1 openmpi-4.1.4)" = one ]
    [ "$(checks mpich-4.0.2 mpich-4.0.2)" = 'old own' ]
    [ -z "$(checks mpich-5.0.2 openmpi-4.1.4)" ]
}

@test "tests of one machine leave out what its release of the host gets wrong, and nothing else" {
    printf '%s\n' 'mpich|p2p|old|3.4.1-4.0.2|fails|of two' 'mpich-native|p2p|own|4.0.2|hangs|natively' \
        'mpiabi-to-mpich|info|key|4.0.2|fails|of a pair' | tr '|' '\t' > faults
    here() { "$here/faults.py" here faults "$1" "$2" c | tr '\n' ' '; }
    [ "$(here mpich 4.0.2)" = 'p2p old fails p2p own hangs ' ]
    [ "$(here openmpi-to-mpich 4.0.2)" = 'p2p old fails ' ]
    [ "$(here mpiabi-to-mpich 4.0.2)" = 'p2p old fails info key fails ' ]
    [ "$(here openmpi-to-mpiabi-to-mpich 3.4.1)" = 'p2p old fails ' ]
    [ -z "$(here mpich 4.2.1)" ]

    printf 'mpich-5.0.2\tc\trma,comms\t*\thost\tit cannot\nmpich-5.0.2\tc\tfiles\topenmpi\thost\tnor this\nmpich-5.0.2\tc\tinfo\tnative\thost\tits own\n' > gaps
    programs() { "$here/faults.py" programs gaps "$1" "$2" "$3" c | cut -d ' ' -f 1 | tr '\n' ' '; }
    [ "$(programs mpich 5.0.2 5.0.2)" = 'rma comms info ' ]
    [ "$(programs openmpi-to-mpich 6.0.0 5.0.2)" = 'rma comms files ' ]
    [ -z "$(programs openmpi-to-mpich 6.0.0 4.2.1)" ]
}

# The programs of each folder are told by run.sh what their host's release gets wrong.
@test "known faults of another release than this machine's are checked" {
    for folder in c fortran; do
        cp -r "$top/tests/$folder" .
        sed -i "s/\t[0-9][0-9.,-]*\t/\t0.0.1\t/" "$folder/known-faults.tsv"
        ! "$here/faults.py" here "$folder/known-faults.tsv" mpich "$(. "$top/tests/families.bash" && release_here mpich)" c | grep . ||
            return 1
        grep -q 'releases/faults.py" here "$here/known-faults.tsv"' "$folder/run.sh"
    done
}

# may_leave_out FOLDER: PROGRAM CHECK for each check that a program there leaves out where a host fails it.
may_leave_out() {
    local source
    find "$1" -name '*.c' -o -name '*.F90' | while read -r source; do
        grep -oE "known_fault\(['\"][^'\"]+" "$source" | sed "s/.*['\"]/$(basename "${source%.*}") /"
    done | sort -u
}

@test "every check that a program may leave out is listed with a host that fails it, and every one that is listed is left out" {
    for folder in c fortran; do
        may_leave_out "$top/tests/$folder" > spelt
        [ "$(wc -l < spelt)" -gt 20 ]
        awk -F '\t' '!/^#/ { sub(/\..*/, "", $2); print $2, $3 }' "$top/tests/$folder/known-faults.tsv" | sort -u | diff spelt -
    done
}

@test "a known fault is said to be gone where its check passes, and nowhere else" {
    printf '%s\n' 'mpich|p2p|old|3.4.1-4.0.2|fails|of two' 'mpich|p2p|young|4.0.2|fails|of one' \
        'mpich|p2p|at-times|4.0.2|sometimes|of one' | tr '|' '\t' > faults
    echo passes | tee p2p.at-times > p2p.old
    echo fails > p2p.young
    [ "$("$here/faults.py" gone faults mpich-4.0.2 c .)" = 'passes on mpich-4.0.2: p2p old (of two)' ]
    [ -z "$("$here/faults.py" gone faults mpich-4.2.1 c .)" ]
    # A library of the standard ABI is not its implementation's own.
    sed -i 's/^mpich/mpich-own/; s/3.4.1-4.0.2/3.4.1-5.0.2/' faults
    [ "$("$here/faults.py" gone faults mpich-5.0.2 c .)" = 'passes on mpich-5.0.2: p2p old (of two)' ]
    [ -z "$("$here/faults.py" gone faults mpiabi-mpich-5.0.2 c .)" ]
}

@test "what the matrix's scripts share keeps the functions that it takes from elsewhere" {
    grep -oE '^[a-z_]+\(\)' "$here/common.bash" | tr -d '()' | sort > ours
    grep -oE '^[a-z_]+\(\)' "$top/tests/families.bash" | tr -d '()' | sort > theirs
    [ "$(wc -l < ours)" -gt 5 ]
    [ -z "$(comm -12 ours theirs)" ]
}

@test "each MPI of the matrix has its table, and every table of a package is in the matrix" {
    sed '/^#/d' "$here/mpis.tsv" | cut -f 2 | sort > listed
    (cd "$top/abi-tables" && grep -l '^# package ' ./*-[0-9]*/constants | cut -d / -f 2) | sort > scanned
    diff listed scanned
}

# A tree with the matrix's script and false roots, where a host notes how many run while it does. The first two wait for each
# other unless there is a file `alone`; the host that a file `last` names waits for words that another one ended with, and the
# one that a file `broken` names fails.
false_matrix() {
    mkdir -p tree/tests/releases tree/scripts bin base/running
    cp "$here/cells" "$here/common.bash" "$here/mpis.tsv" "$here/compilers.tsv" tree/tests/releases/
    cp "$top/tests/families.bash" tree/tests/
    ln -s "$top/abi-tables" tree/abi-tables
    printf '#!/bin/sh\nshift\nexec "$@"\n' > tree/scripts/debian-root
    cat > tree/tests/releases/run <<'END'
#!/bin/bash
cd "$1" || exit
named() { [ -e "$1" ] && [ "$2" = "$(cat "$1")" ]; }
! named broken "$2" || { echo "$2 fails"; exit 3; }
touch "running/$2"
echo "$2 begins"
for ((i = 0; i < 300; i++)); do
    [ ! -e alone ] && [ ! -e met ] && [ "$(ls running | wc -l)" -lt 2 ] || break
    sleep 0.1
done
ls running | wc -l >> counts
touch met
for ((i = 0; i < 300; i++)); do
    named last "$2" && ! grep -q ' ends ' ../output || break
    sleep 0.1
done
[ "$i" -lt 300 ] || echo "$2 heard nothing of the others"
sleep 0.2
rm "running/$2"
echo "$2 ends ${TEST_TIMEOUT-}"
END
    chmod +x tree/scripts/debian-root tree/tests/releases/run
}

# processors N: what nproc says.
processors() {
    printf '#!/bin/sh\necho %s\n' "$1" > bin/nproc
    chmod +x bin/nproc
}

@test "two hosts of the matrix run side by side, no more, and what each says stays together, and is said when it ends" {
    false_matrix
    hosts=(mpich-3.4.1 openmpi-4.1.0 mpich-4.2.1 mpich-5.0.2)
    processors 8
    echo mpich-5.0.2 > base/last
    PATH=$PWD/bin:$PATH tree/tests/releases/cells "$PWD/base" c "${hosts[@]}" > output
    for host in "${hosts[@]}"; do printf '%s\t%s\n' "$host begins" "$host ends 60"; done | sort |
        diff - <(paste - - < output | sort)
    [ "$(wc -l < base/counts)" -eq 4 ]
    grep -x 2 base/counts
    run ! grep -x '[3-9]' base/counts

    rm base/counts base/last
    touch base/alone
    processors 1
    PATH=$PWD/bin:$PATH tree/tests/releases/cells "$PWD/base" c "${hosts[@]}" > output
    for host in "${hosts[@]}"; do printf '%s\n' "$host begins" "$host ends "; done | diff - output
    [ "$(sort -u base/counts)" = 1 ]
}

@test "a host that cannot be run fails the matrix, and the others run" {
    false_matrix
    touch base/alone
    echo mpich-3.4.1 > base/broken
    for count in 1 8; do
        processors "$count"
        PATH=$PWD/bin:$PATH run tree/tests/releases/cells "$PWD/base" c mpich-3.4.1 openmpi-4.1.0 mpich-4.2.1
        [ "$status" -ne 0 ]
        [ "$(grep -o '^[^ ]* [a-z]*' <<< "$output" | sort | paste -sd ,)" = \
            'mpich-3.4.1 fails,mpich-4.2.1 begins,mpich-4.2.1 ends,openmpi-4.1.0 begins,openmpi-4.1.0 ends' ]
    done
}
