#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares how calls end natively and through an adapter.

    compare.py [--part] --valid VALUES NATIVE...
    compare.py [--part] [--wanted | --suspects] [--turn N] [--again FILE] [--known] PAIR differences.tsv OWN OTHER ADAPTED...

OWN and OTHER are what sweep printed natively: the application's program on the MPI it was compiled
for, and the other family's. Where both come back, every ADAPTED must. Procedures of the tool interface
raise no errors. A difference that remains is
in the table of differences, with the reason; a row of the table that no call needs is a complaint, too.
A call of which the native MPIs say nothing, for they lack the procedure, must come back. No call succeeds that fails on
every native MPI that has it. A number that is no handle, and
that a native MPI refuses as such, must not be taken for one. --again:
outcomes of calls that were made once more. --known: calls of which they say nothing are left out. --wanted: prints the calls that can differ, and no more;
--turn: of those the one half, 0, or the other, 1. --part: these are not all calls. With either, no row is complained of that no call needs.
--suspects: prints those that hang for no known reason. --valid: complains of procedures whose valid call
fails on every native MPI and that the file of values has no reason for, or one in vain.
"""

import argparse
import os
import sys
import zlib
from collections import Counter
from fnmatch import fnmatchcase
from itertools import product

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from exceptions import rows  # noqa: E402


# Labels of what is no handle. Handles of other classes are none either; that of an object is not among these.
NO_HANDLES = ("zero", "minus-1-handle", "minus-12345-handle", "largest-handle", "unused-number", "unnumbered", "direct",
              "stray-bits", "low-byte", "comm-of-another-class", "datatype-of-another-class", "op-of-another-class")
# Labels of counts that are others where a count is an int.
WIDE = ("=beyond-int", "=largest-count")
REFUSALS = tuple(f"MPI_ERR_{kind}" for kind in ("COMM", "TYPE", "OP", "GROUP", "REQUEST", "INFO", "WIN", "FILE", "SESSION",
                                                "ERRHANDLER"))


def load(path):
    """{(procedure, argument): outcome}"""
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return {(row[0], row[1]): row[2] for row in rows}


def load_raised(path):
    """The calls of the tool interface that called an error handler."""
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return [(row[0], row[1]) for row in rows if row[0].startswith("MPI_T_") and row[3:] == ["raised"]]


def load_differences(path, pair):
    """[(procedure pattern, argument pattern, reason)] of a pair"""
    return [tuple(row[1:]) for row in rows(path, "mode procedure argument reason") if row[0] in (pair, "*")]


def came_back(outcome):
    return not outcome.startswith(("signal", "exit", "hangs", "absent", "missing"))


def native_outcomes(call, natives):
    """How the call ends on each native MPI that has the procedure, by this name or another. What only
    programs of one family can pass is an invalid handle, as the null handle is."""
    name, argument = call
    names = (name, name.replace("MPIX_", "MPI_", 1)) + (() if argument.endswith(WIDE) else (name.removesuffix("_c"),))
    arguments = (argument, argument.split("=")[0] + "=null-handle")
    found = [[native[key] for key in product(names, arguments) if key in native] for native in natives]
    return [endings[0] for endings in found if endings]


def outcomes(call, runs):
    return sorted({run.get(call, "missing") for run in runs})


def takes_no_handle(call, ends, natives):
    """True if a call succeeds with what is no handle, and fails so on a native MPI: with an error of handles, so that it
    is not about a number of another kind that is zero. What is 0 may be the program's null handle."""
    expected = [native.get(call, "") for native in natives]
    return "MPI_SUCCESS" in ends and call[1].rpartition("=")[2] in NO_HANDLES and expected[0] != "MPI_SUCCESS" and \
        any(outcome in REFUSALS for outcome in expected)


def succeeds_alone(ends, expected):
    """True if a call succeeds that fails on every native MPI that has it."""
    return "MPI_SUCCESS" in ends and bool(expected) and all(outcome.startswith("MPI_ERR") for outcome in expected)


def differing(natives, runs):
    """[(call, outcomes, native outcomes)] where all native MPIs come back and an adapted run does not, or where it
    succeeds with what is no handle, or alone."""
    found = []
    for call in runs[0]:
        ends, expected = outcomes(call, runs), native_outcomes(call, natives)
        if not all(map(came_back, ends)) and all(map(came_back, expected)) or takes_no_handle(call, ends, natives) or \
                succeeds_alone(ends, expected):
            found.append((call, ends, expected))
    return found


def wanted(natives):
    """The calls of the application's program that all native MPIs come back from; all of a procedure
    that its own lacks."""
    return [call for call, outcome in natives[0].items()
            if outcome == "absent" or all(map(came_back, native_outcomes(call, natives)))]


def in_turn(calls, turn):
    """The one half of all calls or the other, whichever procedures and arguments there are: by a sum over their names."""
    return [call for call in calls if zlib.crc32("\t".join(call).encode()) % 2 == turn]


def reason_for(call, reasons):
    """The first row of the differences that fits, or None."""
    return next((row for row in reasons if fnmatchcase(call[0], row[0]) and fnmatchcase(call[1], row[1])), None)


def count(natives, runs):
    """How the calls end, in numbers."""
    counts = Counter()
    for call in runs[0]:
        ends, expected = outcomes(call, runs), native_outcomes(call, natives)
        counts["come back" if all(map(came_back, ends)) else "do not"] += 1
        counts["differ between two runs"] += len(ends) > 1
        counts["of them succeed where both MPIs fail"] += succeeds_alone(ends, expected)
    counts["more were not made, for they end natively"] = len(natives[0]) - len(wanted(natives))
    return ", ".join(f"{number} {name}" for name, number in counts.items())


def report(pair, reasons, natives, runs, whole):
    """Prints what differs without a reason, what has one in vain if these are the WHOLE of the calls, and the summary; the number
    of complaints."""
    complaints, explained = 0, Counter()
    for call, ends, expected in differing(natives, runs):
        known = reason_for(call, reasons)
        if known:
            explained[known] += 1
        else:
            print(f"{call[0]} with {call[1]}: {', '.join(ends)}; natively {', '.join(expected) or 'absent'}")
            complaints += 1
    for row in reasons:
        if whole and not explained[row] and not row[2].startswith("at times"):
            print(f"{pair}: no call needs the difference '{row[0]} {row[1]}' any more: remove its line")
            complaints += 1
    procedures = len({name for name, _ in runs[0]})
    print(f"{pair}: {procedures} procedures, {len(runs[0])} calls: {count(natives, runs)}; "
          f"{sum(explained.values())} known differences")
    for row, number in explained.items():
        print(f"{pair}: {number} of {row[0]} {row[1]}: {row[2]}")
    return complaints


def load_fails(path):
    """The patterns of procedures whose valid call fails."""
    with open(path, encoding="utf-8") as file:
        return [line.split()[1] for line in file if line.startswith("fails ")]


def report_valid(patterns, natives, whole):
    """Prints what is wrong with the valid calls, and of the WHOLE of them what is needed no more; the number of complaints."""
    complaints, needed = 0, set()
    for name in sorted({name for native in natives for name, _ in native}):
        ends = [native[name, "valid"] for native in natives if (name, "valid") in native]
        if not ends or any(outcome in ("MPI_SUCCESS", "returned") for outcome in ends):
            continue
        fitting = [pattern for pattern in patterns if fnmatchcase(name, pattern)]
        needed.update(fitting)
        if not fitting:
            print(f"{name}: the valid call ends in {', '.join(ends)}; mend the file of values, or say why it 'fails'")
            complaints += 1
    for pattern in set(patterns) - needed if whole else ():
        print(f"'fails {pattern}' of the file of values: the valid call succeeds; remove the line")
        complaints += 1
    return complaints


def print_calls(calls):
    for call in calls:
        print(*call, sep="\t")


def main(arguments):
    whole = arguments[:1] != ["--part"]
    arguments = arguments[not whole:]
    if arguments[:1] == ["--valid"]:
        sys.exit(report_valid(load_fails(arguments[1]), [load(path) for path in arguments[2:]], whole) > 0)
    parser = argparse.ArgumentParser()
    parser.add_argument("--wanted", action="store_true")
    parser.add_argument("--turn", type=int)
    parser.add_argument("--suspects", action="store_true")
    parser.add_argument("--again")
    parser.add_argument("--known", action="store_true")
    parser.add_argument("pair")
    parser.add_argument("table")
    parser.add_argument("natives", nargs=2)
    parser.add_argument("adapted", nargs="*")
    options = parser.parse_args(arguments)
    natives, runs = [load(path) for path in options.natives], [load(path) for path in options.adapted]
    reasons = load_differences(options.table, options.pair)
    for run in runs if options.again else ():
        run.update(load(options.again))
    if options.known:
        runs = [{call: end for call, end in run.items() if all(call in native for native in natives)} for run in runs]
    if options.wanted:
        print_calls(wanted(natives) if options.turn is None else in_turn(wanted(natives), options.turn))
    elif options.suspects:
        print_calls(call for call, ends, _ in differing(natives, runs)
                    if "hangs" in ends and not reason_for(call, reasons))
    else:
        raised = [call for path in options.adapted for call in load_raised(path)]
        for name, argument in raised:
            print(f"{name} with {argument}: raises an error")
        sys.exit(report(options.pair, reasons, natives, runs, whole and options.turn is None) + len(raised) > 0)


if __name__ == "__main__":
    main(sys.argv[1:])
