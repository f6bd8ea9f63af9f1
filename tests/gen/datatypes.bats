#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# docs/datatypes.md says of every predefined handle that a release of the host lacks what becomes of it.

setup() {
    load common
    ROOT=$TESTS/../..
    cd "$BATS_TEST_TMPDIR"
}

@test "every predefined handle that a host lacks is documented" {
    "$PYTHON" -B - "$GEN" "$ROOT/abi-tables" > lacked <<'TEXT'
import sys
sys.path.insert(0, sys.argv[1])
from emitter import procedures
from emitter.pair import HANDLES, Pair
tables = sys.argv[2]
rules = procedures.load_rules(tables + "/rules")
known = procedures.load_procedures(tables + "/procedures", rules)
for application, host in (line.strip().split("-to-") for line in open(tables + "/pairs") if line[0] != "#"):
    pair = Pair(tables, rules, known, application, host)
    for handle in HANDLES:
        for name in pair.application.handles(handle, rules):
            there = pair.counterpart(pair.host, name)
            if not all(there in release.constants for release in pair.host.releases):
                print(application, host, name)
TEXT
    [ -s lacked ]
    local application host name title
    while read -r application host name; do
        case $application-to-$host in
        *-to-mpiabi) title='On a host of the standard ABI' ;;
        mpiabi-*) title='Programs of the standard ABI' ;;
        mpich-*) title='Programs of MPICH' ;;
        openmpi-*) title='Programs of Open MPI' ;;
        esac
        awk -v title="## $title" '/^## /{ at = $0 == title } at' "$ROOT/docs/datatypes.md" | grep -c "^|.*\`$name\`" ||
            { echo "$title: $name is not in docs/datatypes.md"; return 1; }
    done < lacked
}
