#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instructions spent inside one library, or all of a folder, per call, from profiles that callgrind wrote
for bench/counted.c.

usage: instructions.py list LIBRARY PROFILE...        print KIND <tab> COUNT
       instructions.py functions LIBRARY PROFILE...   show which functions they were spent in
       instructions.py compare PAIR TABLE < LIST      compare what `list` printed with the table

Counted is what was executed in LIBRARY (a file, or a folder of libraries), but in the entry points of procedures that the profile's
description does not name: those only make the call possible. The table's header names its columns:
`kind`, for each pair `PAIR` (the expected count) and `PAIR ceiling`, and `what`. A kind may be the
difference A-B of two; `-` stands for what the pair does not have. Exit status 1: a count is above its ceiling or, if the compiler is the one of
the table, above what is expected.
"""
import os
import re
import subprocess
import sys

DESCRIPTION = re.compile(r"desc: Trigger: Client Request: (\S+) (\d+) (.*)")
POSITION = re.compile(r"(ob|fn)=\((\d+)\)(?: (.*))?$")
CALLED = re.compile(r"c(ob|fn)=\((\d+)\)(?: (.*))?$")


def self_costs(lines, library):
    """{function: instructions} of a library, or of all in a folder, without what its functions called."""
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
            if not inclusive and (at["ob"].endswith(library) or os.path.dirname(at["ob"]) == library):
                costs[at["fn"]] = costs.get(at["fn"], 0) + int(line.split()[1])
            inclusive = False
    return costs


def procedure_of(function):
    """mpi_x of an entry point MPI_X or PMPI_X, of Fortran's mpi_x_ in all its spellings, or of a part of one;
    None for other functions."""
    match = re.match(r"p?(mpi_\w*[a-z0-9])_*(\W.*)?$", function, re.IGNORECASE)
    return match and match.group(1).lower()


def read_profile(path, library):
    """(kind, calls, {function: instructions}), or None of a profile that no client asked for."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    described = next(filter(None, map(DESCRIPTION.match, lines)), None)
    if not described:
        return None
    kind, calls, procedures = described.groups()
    costs = {function: cost for function, cost in self_costs(lines, library).items()
             if procedure_of(function) in (None, *procedures.lower().split())}
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


def show_list(profiles):
    for kind, costs in profiles.items():
        print(f"{kind}\t{sum(costs.values()):.2f}")


def read_list(lines):
    """{kind: count}, as show_list() prints it."""
    return {kind: float(count) for kind, count in (line.rstrip("\n").split("\t") for line in lines)}


def read_table(path):
    """The rows as dictionaries by the header's names, and the compilers that the table holds for."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    compilers = [line.partition(": ")[2] for line in lines if line.startswith("# compiler: ")]
    header, *rows = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    return [dict(zip(header, row, strict=True)) for row in rows], compilers


# What another order of the same instructions may add; counts repeat exactly.
TOLERANCE = 0.5


def verdict(count, expected, ceiling):
    if count > ceiling:
        return "ABOVE THE CEILING"
    if expected is not None and count > expected + TOLERANCE:
        return f"ABOVE THE EXPECTED {expected:.1f}"
    return ""


def count_of(totals, kind):
    """The count of a kind or of a difference of kinds; None if it was not measured."""
    parts = [totals.get(part) for part in kind.split("-")]
    return parts[0] - sum(parts[1:]) if all(parts) else None


def compare(totals, rows, pair, only_ceilings):
    """Prints the table with what was measured; how many counts are too high or missing."""
    bad = 0
    print(f"{'measured':>8} {'ceiling':>8}  instructions inside the adapter {pair} for")
    for row in rows:
        if row[pair] == "-":
            continue
        ceiling, count = float(row[pair + " ceiling"]), count_of(totals, row["kind"])
        if count is None:
            problem, shown = "NOT MEASURED", f"{'none':>8}"
        else:
            problem = verdict(count, None if only_ceilings else float(row[pair]), ceiling)
            shown = f"{count:8.1f}"
        bad += problem != ""
        print(f"{shown} {ceiling:8.0f}  {row['what']}{': ' if problem else ''}{problem}")
    return bad


def compiler():
    """What the adapter was compiled with, as the table names it."""
    command = [os.environ.get("CC", "gcc"), "-dumpversion"]
    return "gcc " + subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split(".")[0].strip()


def main(command, *arguments):
    if command == "compare":
        pair, table = arguments
        rows, compilers = read_table(table)
        return 1 if compare(read_list(sys.stdin), rows, pair, compiler() not in compilers) else 0
    library, *paths = arguments
    {"list": show_list, "functions": show_functions}[command](read_profiles(paths, library))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
