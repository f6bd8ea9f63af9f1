#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instructions spent inside one library, or all of a folder, per call, from what bench/steps.c counted.

usage: instructions.py list COUNTS...          print KIND <tab> COUNT
       instructions.py functions COUNTS...     show which functions they were spent in
       instructions.py compare PAIR TABLE < LIST   compare what `list` printed with the table
       instructions.py record PAIR TABLE < LIST    print a row of docs/records/performance-compilers.tsv

Of several runs of a kind the costliest is taken. Left out are the entry points of procedures that a block's
description does not name: those only make the call possible. The table's header names its columns:
`kind`, for each pair `PAIR` (the expected count) and `PAIR ceiling`, and `what`. A kind may be the
difference A-B of two; `-` stands for what the pair does not have. Exit status 1: a count is above its ceiling or, if
the compiler is the one of the table, above what is expected. Another compiler may break a ceiling by a fifth, but for those of FIRM.
"""
import bisect
import functools
import os
import re
import statistics
import subprocess
import sys
from datetime import date

@functools.cache
def functions_of(library):
    """The addresses of a library's functions in order, and their names: of several, one that it exports."""
    lines = subprocess.run(["nm", "--numeric-sort", "--defined-only", library], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.splitlines()
    names = {}
    for address, kind, name in (line.split() for line in lines):
        if kind in "TWi" or (kind == "t" and address not in names):
            names[address] = name
    return [int(address, 16) for address in names], list(names.values())


def function_at(library, address):
    """The name of the function that an address lies in."""
    addresses, names = functions_of(library)
    place = bisect.bisect(addresses, address) - 1
    return names[place] if place >= 0 else ""


def procedure_of(function):
    """mpi_x of an entry point MPI_X or PMPI_X, of Fortran's mpi_x_ in all its spellings, or of a part of one;
    None for other functions."""
    match = re.match(r"p?(mpir?_\w*?[a-z0-9])(_f08(ts|gf)?)?_*(\W.*)?$", function, re.IGNORECASE)
    return match and match.group(1).lower().replace("mpir_", "mpi_")


def read_counts(path):
    """Each block's kind and {function: instructions of a call}."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    blocks = []
    for line in lines:
        if line.startswith("block "):
            _, kind, calls, *procedures = line.lower().split()
            blocks.append((kind, {}))
            continue
        library, address, count = line.split("\t")
        function, costs = function_at(library, int(address, 16)), blocks[-1][1]
        if procedure_of(function) in (None, *procedures):
            costs[function] = costs.get(function, 0) + int(count) / int(calls)
    return blocks


def read_runs(paths):
    """{kind: {function: instructions of a call}}, of each kind the costliest run."""
    costliest = {}
    for kind, costs in (block for path in paths for block in read_counts(path)):
        if kind not in costliest or sum(costs.values()) > sum(costliest[kind].values()):
            costliest[kind] = costs
    return costliest


def show_functions(kinds):
    for kind, costs in kinds.items():
        print(f"{kind} {sum(costs.values()):.1f}")
        for function, cost in sorted(costs.items(), key=lambda item: -item[1]):
            print(f"    {function} {cost:.1f}")


def show_list(kinds):
    for kind, costs in kinds.items():
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


# Tolerance for another order of the same instructions; counts repeat exactly.
TOLERANCE = 0.5


# Kinds whose ceilings hold for each compiler.
FIRM = ("comm_rank", "sendrecv", "allreduce", "window")
# The ceilings of other kinds are those of the table's compiler; another one keeps other registers, and a count of 24 becomes 27.
OTHER_COMPILERS = 1.2


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
            most = ceiling * OTHER_COMPILERS if only_ceilings and row["kind"] not in FIRM else ceiling
            problem = verdict(count, None if only_ceilings else float(row[pair]), most)
            shown = f"{count:8.1f}"
        bad += problem != ""
        print(f"{shown} {ceiling:8.0f}  {row['what']}{': ' if problem else ''}{problem}")
    return bad


def record(totals, rows, pair, day):
    """Prints what a compiler made of a pair: counts, those above their ceilings, all together in per cent of what is expected, and
    those of FIRM."""
    rows = {row["kind"]: row for row in rows if row[pair] != "-" and count_of(totals, row["kind"]) is not None}
    counts = {kind: count_of(totals, kind) for kind in rows}
    above = [kind for kind in rows if counts[kind] > float(rows[kind][pair + " ceiling"])]
    ratio = statistics.geometric_mean(counts[kind] / float(row[pair]) for kind, row in rows.items())
    print(compiler(), pair, len(rows), len(above), f"{100 * ratio:.0f} %", *(f"{counts[kind]:.0f}" for kind in FIRM), day, sep="\t")


def compiler():
    """The compiler of the adapter, as the table names it."""
    command = [os.environ.get("CC", "gcc")]
    version, name = (subprocess.run([*command, option], stdout=subprocess.PIPE, text=True, check=True).stdout
                     for option in ("-dumpversion", "--version"))
    return ("clang " if "clang" in name else "gcc ") + version.split(".")[0].strip()


def main(command, *arguments):
    if command == "compare":
        pair, table = arguments
        rows, compilers = read_table(table)
        return 1 if compare(read_list(sys.stdin), rows, pair, compiler() not in compilers) else 0
    if command == "record":
        pair, table = arguments
        record(read_list(sys.stdin), read_table(table)[0], pair, date.today())
        return 0
    {"list": show_list, "functions": show_functions}[command](read_runs(arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
