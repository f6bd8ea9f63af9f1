#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instructions spent inside the adapter per call, from profiles that callgrind wrote for tests/bench/calls.c.

usage: instructions.py LIBRARY TABLE PROFILE...       compare with the table
       instructions.py --ceilings LIBRARY TABLE PROFILE... only with its ceilings
       instructions.py --functions LIBRARY PROFILE... show which functions of LIBRARY they were spent in

Counted is what was executed in LIBRARY, but in the entry points of procedures that the profile's
description does not name: those only make the call possible. Lines of the table are
KIND, EXPECTED, CEILING and a description, with tabs between; KIND may be the difference A-B of two
kinds. Exit status 1: a count is above its ceiling, or above what is expected.
"""
import re
import sys

DESCRIPTION = re.compile(r"desc: Trigger: Client Request: (\w+) (\d+) (.*)")
POSITION = re.compile(r"(ob|fn)=\((\d+)\)(?: (.*))?$")
CALLED = re.compile(r"c(ob|fn)=\((\d+)\)(?: (.*))?$")


def self_costs(lines, library):
    """{function: instructions} of an object, without what its functions called."""
    names, at, costs, inclusive = {}, {"ob": "", "fn": ""}, {}, False
    for line in lines:
        match = POSITION.match(line) or CALLED.match(line)
        if match:
            kind, number, name = match.groups()
            if name:
                names[kind, number] = name
            if line[0] != "c":
                at[kind] = names[kind, number]
        elif line.startswith("calls="):
            inclusive = True  # the next line is the called function's cost
        elif line[:1] in tuple("0123456789+-*"):
            if not inclusive and at["ob"].endswith(library):
                costs[at["fn"]] = costs.get(at["fn"], 0) + int(line.split()[1])
            inclusive = False
    return costs


def procedure_of(function):
    """MPI_X of an entry point MPI_X or PMPI_X, or of a part of it; None for other functions."""
    match = re.match(r"P?(MPI_\w+)", function)
    return match and match.group(1)


def read_profile(path, library):
    """(kind, calls, {function: instructions}), or None of a profile that no client asked for."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    described = next(filter(None, map(DESCRIPTION.match, lines)), None)
    if not described:
        return None
    kind, calls, procedures = described.groups()
    costs = {function: cost for function, cost in self_costs(lines, library).items()
             if procedure_of(function) in (None, *procedures.split())}
    return kind, int(calls), costs


def read_profiles(paths, library):
    profiles = [read_profile(path, library) for path in sorted(paths, key=lambda name: int(name.rpartition(".")[2]))]
    return {kind: {function: cost / calls for function, cost in costs.items()}
            for kind, calls, costs in filter(None, profiles)}


def show_functions(profiles):
    for kind, costs in profiles.items():
        print(f"{kind} {sum(costs.values()):.1f}")
        for function, cost in sorted(costs.items(), key=lambda item: -item[1]):
            print(f"    {function} {cost:.1f}")


def read_table(path):
    """[(kind, expected, ceiling, description)]"""
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return [(kind, float(expected), float(ceiling), text) for kind, expected, ceiling, text in rows]


# What another order of the same instructions may cost.
TOLERANCE = 2


def verdict(count, expected, ceiling):
    if count > ceiling:
        return "ABOVE THE CEILING"
    if count > expected + TOLERANCE:
        return f"above the expected {expected:.1f}"
    return ""


def compare(profiles, table):
    """Prints the table with what was measured; how many counts are too high or missing."""
    totals = {kind: sum(costs.values()) for kind, costs in profiles.items()}
    bad = 0
    print(f"{'measured':>8} {'ceiling':>8}  instructions inside the adapter for")
    for kind, expected, ceiling, text in table:
        parts = kind.split("-")
        if not all(totals.get(part) for part in parts):
            print(f"{'none':>8} {ceiling:8.0f}  {text}: NOT MEASURED")
            bad += 1
            continue
        count = totals[parts[0]] - sum(totals[part] for part in parts[1:])
        problem = verdict(count, expected, ceiling)
        bad += problem != ""
        print(f"{count:8.1f} {ceiling:8.0f}  {text}{': ' if problem else ''}{problem}")
    return bad


def main(arguments):
    if arguments[0] == "--functions":
        show_functions(read_profiles(arguments[2:], arguments[1]))
        return 0
    only_ceilings = arguments[0] == "--ceilings"
    library, table, *paths = arguments[only_ceilings:]
    rows = [(kind, ceiling if only_ceilings else expected, ceiling, text)
            for kind, expected, ceiling, text in read_table(table)]
    return 1 if compare(read_profiles(paths, library), rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
