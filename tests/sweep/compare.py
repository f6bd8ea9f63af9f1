#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares how calls end natively and through an adapter.

    compare.py [--suspects] [--again FILE] PAIR differences.tsv OWN OTHER ADAPTED...

OWN and OTHER are what sweep printed natively: the application's program on the MPI it was compiled
for, and the other family's. Where both come back, every ADAPTED must. A difference that remains is
in the table of differences, with the reason. A call of which the native MPIs say nothing, for they
lack the procedure, must come back, too. --again: outcomes of
calls that were made once more. --suspects: prints the procedures that differ, and no more.
"""

import argparse
import sys
from collections import Counter
from fnmatch import fnmatchcase
from itertools import product


def load(path):
    """{(procedure, argument): outcome}"""
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return {(row[0], row[1]): row[2] for row in rows}


def load_differences(path, pair):
    """[(procedure pattern, argument pattern, reason)] of a pair"""
    with open(path, encoding="utf-8") as file:
        rows = [tuple(line.rstrip("\n").split("\t")) for line in file if line.strip() and not line.startswith("#")]
    return [row[1:] for row in rows if row[0] in (pair, "*")]


def came_back(outcome):
    return not outcome.startswith(("signal", "exit", "hangs", "lacking", "missing"))


def native_outcomes(call, natives):
    """How the call ends on each native MPI that has the procedure, by this name or another. What only
    programs of one family can pass is an invalid handle, as the null handle is."""
    name, argument = call
    names = (name, name.replace("MPIX_", "MPI_", 1), name.removesuffix("_c"))
    arguments = (argument, argument.split("=")[0] + "=null-handle")
    found = [[native[key] for key in product(names, arguments) if key in native] for native in natives]
    return [endings[0] for endings in found if endings]


def outcomes(call, runs):
    return sorted({run.get(call, "missing") for run in runs})


def differing(natives, runs):
    """[(call, outcomes, native outcomes)] where all native MPIs come back and an adapted run does not."""
    found = []
    for call in runs[0]:
        ends, expected = outcomes(call, runs), native_outcomes(call, natives)
        if not all(map(came_back, ends)) and all(map(came_back, expected)):
            found.append((call, ends, expected))
    return found


def count(natives, runs):
    """How the calls end, in numbers."""
    counts = Counter()
    for call in runs[0]:
        ends, expected = outcomes(call, runs), native_outcomes(call, natives)
        back = all(map(came_back, ends))
        counts["come back" if back else "do not"] += 1
        counts["differ between two runs"] += len(ends) > 1
        counts["of them succeed where both MPIs fail"] += bool(expected) and "MPI_SUCCESS" in ends and \
            all(outcome.startswith("MPI_ERR") for outcome in expected)
    return ", ".join(f"{number} {name}" for name, number in counts.items())


def report(pair, reasons, natives, runs):
    """Prints what differs without a reason, and the summary; the number of complaints."""
    complaints, explained = 0, Counter()
    for call, ends, expected in differing(natives, runs):
        known = [row for row in reasons if fnmatchcase(call[0], row[0]) and fnmatchcase(call[1], row[1])]
        if known:
            explained[known[0]] += 1
        else:
            print(f"{call[0]} with {call[1]}: {', '.join(ends)}; natively {', '.join(expected) or 'lacking'}")
            complaints += 1
    procedures = len({name for name, _ in runs[0]})
    print(f"{pair}: {procedures} procedures, {len(runs[0])} calls: {count(natives, runs)}; "
          f"{sum(explained.values())} known differences")
    for row, number in explained.items():
        print(f"{pair}: {number} of {row[0]} {row[1]}: {row[2]}")
    return complaints


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--suspects", action="store_true")
    parser.add_argument("--again")
    parser.add_argument("pair")
    parser.add_argument("table")
    parser.add_argument("natives", nargs=2)
    parser.add_argument("adapted", nargs="+")
    options = parser.parse_args(arguments)
    natives, runs = [load(path) for path in options.natives], [load(path) for path in options.adapted]
    for run in runs if options.again else ():
        run.update(load(options.again))
    if options.suspects:
        print("\n".join(sorted({call[0] for call, ends, _ in differing(natives, runs) if "hangs" in ends})), end="")
        return
    sys.exit(report(options.pair, load_differences(options.table, options.pair), natives, runs) > 0)


if __name__ == "__main__":
    main(sys.argv[1:])
