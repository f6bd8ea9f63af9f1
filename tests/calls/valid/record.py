#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Keeps what the tests of completeness and of conformance found, and writes docs/conformance.md of it.

    record.py store FOLDER openmpi=RELEASE mpich=RELEASE    what judge.py wrote to FOLDER, into results.tsv, as of these MPIs
    record.py observed FOLDER openmpi=RELEASE mpich=RELEASE what compare.py wrote to FOLDER, into tests/conformance
    record.py has openmpi=RELEASE mpich=RELEASE             ends with 3 if results.tsv has nothing of these MPIs
    record.py write                                         docs/conformance.md, and what is too long for it: DETAILS in BUILD
    record.py check                                         complains if docs/conformance.md is not what `write` makes
"""

import glob
import os
import sys
from collections import Counter, defaultdict
from datetime import datetime, timezone

from judge import EXCEPTION, HERE, releases_of, rows_of
from exceptions import rows as listed

TOP = os.path.join(HERE, "..", "..", "..")
CONFORMANCE = os.path.join(HERE, "..", "..", "conformance")
RESULTS = os.path.join(HERE, "results.tsv")
COUNTS = os.path.join(CONFORMANCE, "counts.tsv")
RANDOM = os.path.join(HERE, "..", "..", "random", "counts.tsv")
BUILD = os.environ.get("BUILD", os.path.join(TOP, "build"))
# Differences between the two MPIs: as data, with those that earlier runs of this build found on other releases, and as a page.
ONES = os.path.join(BUILD, "tests", "conformance", "ones.tsv")
DETAILS = os.path.join(BUILD, "tests", "conformance", "details.md")
PAGE = os.path.join(TOP, "docs", "conformance.md")
MPIS = os.path.join(HERE, "..", "..", "releases", "mpis.tsv")
NOT_RECORDED = 3
WAYS = ("as-both", "as-one", "as-expected", "excepted", "elsewhere", "other")
COLUMNS = ("openmpi", "mpich", "pair", "library", "names", "procedures", *WAYS, "beyond", "recorded")
INTERFACES = {"c": "C", "fortran": "Fortran", "descriptors": "Fortran", "-": "none"}


# The kinds of random programs, and what no random program has.
KINDS = {"a": "MPI-3.1, with windows and files", "m": "also large counts, persistent and partitioned communication, and sessions",
         "t": "threads that call MPI at the same time; no windows or files",
         "x": "in Fortran by `mpif.h`: datatypes, messages, collective calls, communicators, attributes, windows, files; C prints objects",
         "y": "the same programs by `use mpi`", "z": "the same programs by `use mpi_f08`",
         "s": "in Fortran by `mpi_f08`, with MPI-4: sessions, large counts, persistent collective calls and partitioned communication",
         "u": "in Fortran by `mpi_f08`: threads of OpenMP that call MPI at the same time, each with communicators of its own; no windows"}
NOT_RANDOM = """Random programs do not have:

- processes that are spawned, connected or joined; profiling tools and several MPIs in a process; C++;
- sessions, threads and large counts by `mpif.h` and `use mpi`, and in Fortran what Open MPI 4.1's own modules lack, by its programs;
- memory that runs out: `make check-sanitizers` lets allocations fail;
- errors of arguments beyond ranks, tags, counts and datatypes that are wrong in one message; fatal errors;
- messages whose partner depends on time, operations of several ranks on one place of a window, and other results that MPI leaves open;
- what a host is known to fail: `tests/c/known-faults.tsv` lists it, and a program asks for it before it does it."""


def today():
    return datetime.now(timezone.utc).date().isoformat()


def summary(path):
    """The rows of a pair, one for each library: what its names are, and how many procedures programs of other tests call.
    The last column is today."""
    counts, procedures, beyond = defaultdict(Counter), defaultdict(set), defaultdict(set)
    for line in rows_of(path, 0):
        library, _, procedure, _, how = line[0].split()
        counts[library][how] += 1
        if procedure != "-":
            procedures[library].add(procedure)
            if line[1]:
                beyond[library].add(procedure)
    pair = os.path.basename(path).removesuffix(".judged")
    return [[pair, library, sum(count.values()), len(procedures[library]), *(count[way] for way in WAYS), len(beyond[library]), today()]
            for library, count in sorted(counts.items())]


def keep(path, what, columns, natives, rows):
    """Puts the rows into a table instead of what it has of these releases."""
    releases = list(releases_of(natives).values())
    rows = [row for row in (rows_of(path, 0) if os.path.exists(path) else []) if row[:2] != releases] + [[*releases, *row] for row in rows]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# SPDX-License-Identifier: BSD-3-Clause\n# {what}: `make check-conformance` writes this.\n"
                   f"# {chr(9).join(columns)}\n")
        file.writelines("\t".join(map(str, row)) + "\n" for row in sorted(rows, key=lambda row: row[:2]))


def store(folder, *natives):
    keep(RESULTS, "Counts of what the names of each library did with these releases", COLUMNS, natives,
         [row for path in sorted(glob.glob(os.path.join(folder, "*.judged"))) for row in summary(path)])


def whose(rows):
    """Of lines that are as on one MPI: the side of the pairs that it is on, or each pair's MPI."""
    sides = {("host" if pair.endswith(f"-to-{native}") else "application" if pair.startswith(f"{native}-to-") else "the other MPI")
             for pair, native in rows}
    if len(sides) == 1:
        return sides.pop()
    return ", ".join(f"{pair}: {native}" for pair, native in sorted(rows))


def observed(folder, *natives):
    written = {name: [line for path in sorted(glob.glob(os.path.join(folder, f"*.{name}"))) for line in rows_of(path, 0)]
               for name in ("counts", "ones")}
    keep(COUNTS, "How many lines programs of this folder printed through each pair",
         ("openmpi", "mpich", "pair", "program", "lines", "both", "one", "different", "recorded"), natives,
         [[*row, today()] for row in written["counts"]])
    found = defaultdict(list)
    for pair, program, label, native, *printed in written["ones"]:
        found[program, label, *printed].append((pair, native))
    keep(ONES, "What the two MPIs print otherwise, and which of them pairs are like",
         ("openmpi", "mpich", "program", "label", "openmpi prints", "mpich prints", "as"), natives,
         [[*key, whose(rows)] for key, rows in sorted(found.items())])


def recorded():
    """The releases of Open MPI and of MPICH that results.tsv has, in their order."""
    return sorted({tuple(row[:2]) for row in rows_of(RESULTS, 0)})


def has(*natives):
    if tuple(releases_of(natives).values()) not in recorded():
        sys.exit(NOT_RECORDED)


def debian(release):
    """Which Debian has a release of Open MPI's, as mpis.tsv says."""
    for row in rows_of(MPIS, 0):
        if row[1] == f"openmpi-{release}":
            return row[0]
    sys.exit(f"record.py: no Debian has Open MPI {release}; add it to tests/releases/mpis.tsv")


def table(header, rows, right=0):
    """A table of Markdown, whose columns from `right` on are numbers."""
    marks = ["---"] * right + ["---:"] * (len(header) - right) if right else ["---"] * len(header)
    return [f"| {' | '.join(header)} |", f"|{'|'.join(marks)}|", *(f"| {' | '.join(map(str, row))} |" for row in rows), ""]


def cell(text):
    return text.replace("|", "\\|")


def of_libraries(releases):
    """A row for each library of pairs, and of chains, that has procedures."""
    return [[f"`{row[2]}`", f"`{row[3]}`", *row[4:-1]] for row in rows_of(RESULTS, 0) if tuple(row[:2]) == releases and int(row[5])]


def last_day(path, releases):
    """The last day on which a table's rows of these releases were recorded."""
    return max(row[-1] for row in rows_of(path, 0) if tuple(row[:2]) == releases)


def of_pairs(releases):
    """A row for each pair and chain: the names of all its libraries, and what they did."""
    sums = defaultdict(Counter)
    for pair, _, names, _, *ways, _ in of_libraries(releases):
        sums[pair].update({"names": int(names), **dict(zip(WAYS, map(int, ways)))})
    return [[pair, *(sums[pair][column] for column in ("names", *WAYS))] for pair in sorted(sums)]


def exceptions():
    rows = []
    for pair, releases, procedures, _, result, value, whose_doing, why in listed(os.path.join(HERE, "exceptions.tsv"), EXCEPTION):
        result = result if result in ("outcome", "missing") else f"`{result}`"
        rows.append([cell(f"`{pair}`"), "any" if releases == "*" else releases, cell(f"`{procedures}`"), cell(f"{result}: `{value}`"),
                     whose_doing, cell(why.removeprefix("at times: "))])
    return rows


def of_programs(releases):
    """A row for each program of tests/conformance: what it printed through all pairs, in numbers."""
    sums = defaultdict(Counter)
    for *of, _, program, lines, both, one, different, _ in rows_of(COUNTS, 0):
        if tuple(of) == releases:
            sums[program].update(pairs=1, lines=int(lines), both=int(both), one=int(one), different=int(different))
    columns = ("pairs", "lines", "both", "one", "different")
    return [[f"`{program}`", *(sums[program][column] for column in columns)] for program in sorted(sums)]


def of_behaviour(releases):
    """The sums of all programs: lines, both, one, different."""
    rows = of_programs(releases)
    return [sum(row[column] for row in rows) for column in range(2, 6)]


def ones():
    """The differences between the two MPIs, the Debians that have them, and the MPI that pairs resemble."""
    debians, tried = defaultdict(list), set()
    for openmpi, _, *row in rows_of(ONES, 0):
        debians[tuple(row)].append(debian(openmpi))
        tried.add(openmpi)
    return [[f"`{program}`", cell(label), "all" if len(on) == len(tried) else ", ".join(on), *map(cell, printed)]
            for (program, label, *printed), on in sorted(debians.items())]


def differences():
    """The lines that programs print through a pair and that neither MPI prints natively."""
    return [[cell(f"`{pair}`"), "any" if releases == "*" else releases, cell(program), cell(f"`{label}`"), whose_doing,
             cell(why.removeprefix("at times: "))]
            for pair, releases, program, label, whose_doing, why, *_ in listed(
                os.path.join(CONFORMANCE, "differences.tsv"), "pair releases program label whose reason [what]")]


def left_out():
    """The steps that programs leave out on hosts that do not survive them natively."""
    rows = []
    for where, releases, program, label, why in listed(os.path.join(CONFORMANCE, "left-out.tsv"), "host releases program label reason"):
        host, _, natively = where.partition(" ")
        host = f"{host} {releases}" + (f", {natively}" if natively else "")
        rows.append([host, f"`{program}`", "all" if label == "*" else label, cell(why)])
    return rows


def title(releases):
    return f"Open MPI {releases[0]} and MPICH {releases[1]} (Debian {debian(releases[0])})"


def page():
    lines = ["<!-- SPDX-License-Identifier: BSD-3-Clause -->",
             "<!-- tests/calls/valid/record.py makes this page from the results of `make check-conformance`. -->",
             "# What was tried", "",
             "Does every call work? Each function that a library of a pair exports was called, through the pair and natively on both MPIs, and",
             "the results were compared. The first table counts the outcomes; the others list each call that does something else.", "",
             "`make check-conformance` makes this page on x86-64 from what it finds on this machine; with `RELEASES='trixie unstable'`, as root,",
             "in roots of these Debians. It writes the counts of each library and each program, the cases that are left out where a host does",
             "not survive them natively, and every line in which the two MPIs differ, into `build/tests/conformance/details.md`.",
             "[Releases](releases.md) has programs of each release on every other one.", "",
             "## Names and calls", "",
             "A name is a procedure's in one spelling: `MPI_Send`, `PMPI_Send`, `mpi_send_`, `mpi_send_f08_`. Names with one address are one",
             "entry point, which is called once. Its results are everything that it returns: numbers, handles and what is behind them,",
             "statuses, text, the contents of buffers. A pair to the standard ABI runs on another pair: `openmpi-to-mpiabi-to-mpich`.", "",
             "- *both*: each result is what both MPIs return natively.",
             "- *one*: it is what one of them returns, or only one has the procedure.",
             "- *expected*: neither has the procedure; the result is what MPI says.",
             "- *excepted*: listed below.",
             "- *programs*: programs of `tests/c` or `tests/fortran` call it, because it begins or ends MPI, or needs another job.",
             "- *other*: not a procedure: predefined callbacks, operators of modules, symbols of the C++ bindings.", ""]
    for releases in recorded():
        lines += [f"### {title(releases)}", ""]
        lines += table(("pair", "names", "both", "one", "expected", "excepted", "programs", "other"), of_pairs(releases), 1)
        lines += [f"Recorded on {last_day(RESULTS, releases)}.", ""]
    lines += ["## Exceptions", "",
              "Calls with valid arguments that fail, or return what no native MPI does. Patterns are a shell's. *Whose* names the cause:",
              "the host, the adapter, or MPI's own definition, from which the other MPI differs. Releases are the host's.", ""]
    lines += table(("pair", "releases", "procedures", "what", "whose", "why"), exceptions())
    lines += ["## Behaviour", "",
              "Programs of `tests/conformance` print all that they can observe: error classes, which handler runs on which object, the order of",
              "callbacks, results after a failure, how fatal errors end a process. A line that a pair prints must be one that an MPI prints",
              "natively. If the two MPIs differ, a pair usually does what its host does, because the host does the work.", ""]
    lines += table(("MPIs", "lines", "both", "one", "different", "recorded"),
                   [[title(releases), *of_behaviour(releases), last_day(COUNTS, releases)] for releases in recorded() if of_programs(releases)], 1)
    if differences():
        lines += ["The different lines:", ""]
        lines += table(("pair", "releases", "program", "line", "whose", "why"), differences())
    lines += ["## Random programs", "",
              "`make random` makes programs by chance, each from a number, its seed. They nest datatypes, send in all modes, complete mixed arrays of",
              "requests by every procedure, reduce with operations of their own, make communicators, groups, windows and files in all ways, and set",
              "attributes and error handlers. Arguments that are not significant are garbage. Each program runs natively on both MPIs and in all ways",
              "through pairs, and prints what MPI promises. `tests/random/random show a17` prints one.", "",
              *(f"- `{kind}`: {what}." for kind, what in sorted(KINDS.items())), "",
              "*same*: each line is the same everywhere. *natively*: the two MPIs differ, and each pair prints lines of one of them.",
              "*ends natively*: an MPI ends the program, or hangs, without a pair. *fails*: a pair prints a line that no MPI prints.", ""]
    lines += table(("MPIs", "kind", "seeds", "programs", "calls", "ways", "same", "natively", "ends natively", "fails", "recorded"),
                   [[title((openmpi, mpich)), f"`{kind}`", *row] for openmpi, mpich, kind, *row in rows_of(RANDOM, 0)], 3)
    lines += [NOT_RANDOM]
    return "\n".join(lines).rstrip() + "\n"


def details():
    """The details that are too long for the page."""
    lines = ["# What was tried, in detail", ""]
    for releases in recorded():
        lines += [f"## {title(releases)}", "",
                  "*beyond*: procedures that, besides, programs of the tests call, of all procedures.", ""]
        lines += table(("pair", "library", "names", "procedures", "both", "one", "expected", "excepted", "programs", "other", "beyond"),
                       of_libraries(releases), 2)
        lines += table(("program", "pairs", "lines", "both", "one", "different"), of_programs(releases), 1)
    lines += ["## Left out, because hosts end or hang there natively", "",
              "*natively*: the pairs do it, without the host.", ""]
    lines += table(("host", "program", "what", "why"), left_out())
    if os.path.exists(ONES):
        lines += ["## Lines in which the two MPIs differ", ""]
        lines += table(("program", "line", "Debian", "Open MPI", "MPICH", "pairs are like"), ones())
    return "\n".join(lines)


def write():
    text, more = page(), details()
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)
    os.makedirs(os.path.dirname(DETAILS), exist_ok=True)
    with open(DETAILS, "w", encoding="utf-8") as file:
        file.write(more)


def check():
    with open(PAGE, encoding="utf-8") as file:
        if file.read() != page():
            sys.exit("docs/conformance.md is not what the results say; run tests/calls/valid/record.py write")


COMMANDS = {"store": store, "observed": observed, "has": has, "write": write, "check": check}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
