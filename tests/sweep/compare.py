#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares how calls end natively and through an adapter.

    compare.py differences.tsv OWN OTHER ADAPTED...

OWN and OTHER are what sweep printed natively: the application's program on the MPI it was compiled
for, and the other family's. Where both come back, every ADAPTED must. A difference that remains is
in the table of differences, with the reason; one that no longer is must leave it. A call of which
the native MPIs say nothing, for they lack the procedure, must come back, too.
"""

import sys
from collections import Counter
from fnmatch import fnmatchcase


def load(path):
    """{(procedure, argument): outcome}"""
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return {(row[0], row[1]): row[2] for row in rows}


def load_differences(path):
    """[(pair, procedure pattern, argument pattern, reason)]"""
    with open(path, encoding="utf-8") as file:
        return [tuple(line.rstrip("\n").split("\t")) for line in file if line.strip() and not line.startswith("#")]


def came_back(outcome):
    return not outcome.startswith(("signal", "exit", "hangs", "lacking"))


def must_return(call, natives):
    """True if every native MPI that has the call comes back from it."""
    return all(came_back(native.get(call, "MPI_SUCCESS")) for native in natives if (call[0], "-") not in native)


def main(arguments):
    pair, table, own, other, *paths = arguments
    natives, adapted = [load(own), load(other)], [load(path) for path in paths]
    reasons = [row for row in load_differences(table) if row[0] == pair]
    used, counts, failures = Counter(), Counter(), 0
    for call in adapted[0]:
        outcomes = sorted({run.get(call, "missing") for run in adapted})
        wrong = [outcome for outcome in outcomes if not came_back(outcome)]
        counts["calls"] += 1
        if not wrong and natives[0].get(call, "MPI_SUCCESS").startswith("MPI_ERR") and "MPI_SUCCESS" in outcomes:
            counts["fails natively, succeeds here"] += 1
        if not wrong or not must_return(call, natives):
            counts["ends the process on a host, too" if wrong else "comes back"] += 1
            continue
        known = [row for row in reasons if fnmatchcase(call[0], row[1]) and fnmatchcase(call[1], row[2])]
        if known:
            used[known[0]] += 1
            counts["known difference"] += 1
            continue
        failures += 1
        native = ", ".join(run.get(call, "-") for run in natives)
        print(f"{call[0]} with {call[1]}: {', '.join(wrong)}; natively {native}")
    for row in reasons:
        if not used[row]:
            print(f"no longer differs: {' '.join(row[:3])}")
            failures += 1
    procedures = len({call[0] for call in adapted[0]})
    print(f"{pair}: {procedures} procedures, " + ", ".join(f"{number} {name}" for name, number in sorted(counts.items())))
    sys.exit(failures > 0)


if __name__ == "__main__":
    main(sys.argv[1:])
