#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Keeps what the tests of completeness and of conformance found, and writes docs/conformance.md of it.

    record.py store FOLDER openmpi=RELEASE mpich=RELEASE    what judge.py wrote to FOLDER, into results.tsv, as of these MPIs
    record.py observed FOLDER openmpi=RELEASE mpich=RELEASE what compare.py wrote to FOLDER, into tests/conformance
    record.py has openmpi=RELEASE mpich=RELEASE             ends with 3 if results.tsv has nothing of these MPIs
    record.py write                                         docs/conformance.md, and what is too long for it: LISTED in BUILD
    record.py check                                         complains if docs/conformance.md is not what `write` makes
"""

import glob
import os
import sys
from collections import Counter, defaultdict

from judge import EXCEPTION, HERE, releases_of, rows_of
from exceptions import rows as listed

TOP = os.path.join(HERE, "..", "..", "..")
CONFORMANCE = os.path.join(HERE, "..", "..", "conformance")
RESULTS = os.path.join(HERE, "results.tsv")
BUILD = os.environ.get("BUILD", os.path.join(TOP, "build"))
# What the two MPIs print otherwise: as data, with what earlier runs of this build found on other releases, and to read.
ONES = os.path.join(BUILD, "tests", "conformance", "ones.tsv")
LISTED = os.path.join(BUILD, "tests", "conformance", "ones.md")
PAGE = os.path.join(TOP, "docs", "conformance.md")
MPIS = os.path.join(HERE, "..", "..", "releases", "mpis.tsv")
NOT_RECORDED = 3
WAYS = ("as-both", "as-one", "as-expected", "excepted", "elsewhere", "other")
COLUMNS = ("openmpi", "mpich", "pair", "library", "names", "procedures", *WAYS, "beyond")
INTERFACES = {"c": "C", "fortran": "Fortran", "descriptors": "Fortran", "-": "none"}


def summary(path):
    """The rows of a pair, one for each library: what its names are, and how many procedures programs of other tests call."""
    counts, procedures, beyond = defaultdict(Counter), defaultdict(set), defaultdict(set)
    for line in rows_of(path, 0):
        library, _, procedure, _, how = line[0].split()
        counts[library][how] += 1
        if procedure != "-":
            procedures[library].add(procedure)
            if line[1]:
                beyond[library].add(procedure)
    pair = os.path.basename(path).removesuffix(".judged")
    return [[pair, library, sum(count.values()), len(procedures[library]), *(count[way] for way in WAYS), len(beyond[library])]
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
    keep(RESULTS, "What the names of each library did with these releases, in numbers", COLUMNS, natives,
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
    keep(os.path.join(CONFORMANCE, "counts.tsv"), "How many lines programs of this folder printed through each pair",
         ("openmpi", "mpich", "pair", "program", "lines", "both", "one", "different"), natives, written["counts"])
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


def of_pairs(releases):
    """The table of the libraries of pairs, and of chains, that have procedures."""
    return [[f"`{row[2]}`", f"`{row[3]}`", *row[4:]] for row in rows_of(RESULTS, 0) if tuple(row[:2]) == releases and int(row[5])]


def exceptions():
    rows = []
    for pair, releases, procedures, _, result, value, whose_doing, why in listed(os.path.join(HERE, "exceptions.tsv"), EXCEPTION):
        result = result if result in ("outcome", "missing") else f"`{result}`"
        rows.append([cell(f"`{pair}`"), "any" if releases == "*" else releases, cell(f"`{procedures}`"), cell(f"{result}: `{value}`"),
                     whose_doing, cell(why.removeprefix("at times: "))])
    return rows


def programs(releases):
    """The table of the programs of tests/conformance: what they printed through all pairs, in numbers."""
    sums = defaultdict(Counter)
    for *of, _, program, lines, both, one, different in rows_of(os.path.join(CONFORMANCE, "counts.tsv"), 0):
        if tuple(of) == releases:
            sums[program].update(pairs=1, lines=int(lines), both=int(both), one=int(one), different=int(different))
    columns = ("pairs", "lines", "both", "one", "different")
    return [[f"`{program}`", *(sums[program][column] for column in columns)] for program in sorted(sums)]


def ones():
    """What the two MPIs do differently, on which Debians, and which of them pairs are like."""
    debians, tried = defaultdict(list), set()
    for openmpi, _, *row in rows_of(ONES, 0):
        debians[tuple(row)].append(debian(openmpi))
        tried.add(openmpi)
    return [[f"`{program}`", cell(label), "all" if len(on) == len(tried) else ", ".join(on), *map(cell, printed)]
            for (program, label, *printed), on in sorted(debians.items())]


def differences():
    """What the programs print through a pair that neither MPI prints natively."""
    return [[cell(f"`{pair}`"), "any" if releases == "*" else releases, cell(program), cell(f"`{label}`"), whose_doing,
             cell(why.removeprefix("at times: "))]
            for pair, releases, program, label, whose_doing, why, *_ in listed(
                os.path.join(CONFORMANCE, "differences.tsv"), "pair releases program label whose reason [what]")]


def left_out():
    """What the programs leave out on hosts that do not survive it natively."""
    rows = []
    for where, releases, program, label, why in listed(os.path.join(CONFORMANCE, "left-out.tsv"), "host releases program label reason"):
        host, _, natively = where.partition(" ")
        host = f"{host} {releases}" + (f", {natively}" if natively else "")
        rows.append([host, f"`{program}`", "all" if label == "*" else label, cell(why)])
    return rows


def page():
    lines = ["<!-- SPDX-License-Identifier: BSD-3-Clause -->",
             "<!-- tests/calls/valid/record.py makes this page from the results of `make check-conformance`. -->",
             "# What was tried", "",
             "Every function that a library of a pair exports was called, or a program of the tests calls it. What came back was",
             "compared with the same call made natively on both MPIs, those of each Debian below, on x86-64. Where a pair's host is the",
             "standard ABI, another pair stands in for it, so that `openmpi-to-mpiabi-to-mpich` is `openmpi-to-mpiabi` whose host is",
             "`mpiabi-to-mpich`. [Releases](releases.md) has programs of each release run on each other one, and on libraries of the",
             "standard ABI. `make check-conformance` makes this page; with `RELEASES='trixie unstable'`, as root, it does it all in roots of",
             "these Debians, and leaves what the page has of others as it is.", "",
             "## Names and calls", "",
             "A name is a procedure's in one spelling: `MPI_Send`, `PMPI_Send`, `mpi_send_`, `mpi_send_f08_`. Names that have one address are one",
             "entry point, which is called once. Its results are everything that it returns: numbers, handles and what is behind them,",
             "statuses, text, the contents of buffers.", "",
             "- *both*: each result is what both MPIs return natively; *one*: what one of them returns, or only one has the procedure.",
             "- *expected*: neither has the procedure; the result is what MPI says.",
             "- *excepted*: in the table of exceptions.",
             "- *programs*: programs of `tests/c` or `tests/fortran` call it, as it begins or ends MPI, or needs another job.",
             "- *other*: no procedure: predefined callbacks, operators of modules, what bindings for C++ need.",
             "- *beyond*: procedures that, besides, programs of the tests call, of all procedures.", ""]
    for releases in recorded():
        lines += [f"### Open MPI {releases[0]} and MPICH {releases[1]} (Debian {debian(releases[0])})", ""]
        lines += table(("pair", "library", "names", "procedures", "both", "one", "expected", "excepted", "programs", "other", "beyond"),
                       of_pairs(releases), 2)
    lines += ["## Exceptions", "",
              "Calls with valid arguments that do not succeed, or return what no native MPI does. Patterns are a shell's. *Whose* doing it is:",
              "the host's, the adapter's, or MPI's own definition, from which the other MPI differs. Releases are those of the host.", ""]
    lines += table(("pair", "releases", "procedures", "what", "whose", "why"), exceptions())
    lines += ["## Behaviour", "",
              "Programs of `tests/conformance` print all that they can observe: error classes, which handler was invoked on which object with",
              "which class, the order of callbacks, what is left in results after a failure, how fatal errors end a process. A line that is printed",
              "through a pair must be one that one of the MPIs prints natively.", ""]
    for releases in recorded():
        if programs(releases):
            lines += [f"With Open MPI {releases[0]} and MPICH {releases[1]} (Debian {debian(releases[0])}):", ""]
            lines += table(("program", "pairs", "lines", "both", "one", "different"), programs(releases), 1)
    if differences():
        lines += ["Lines that are different, with the releases of hosts that they are different on:", ""]
        lines += table(("pair", "releases", "program", "line", "whose", "why"), differences())
    if left_out():
        lines += ["What programs leave out, as hosts end or hang there natively, too; or *natively* alone, where pairs do it without",
                  "the host:", ""]
        lines += table(("host", "program", "what", "why"), left_out())
    lines += ["Where the two MPIs differ, pairs are like one of them: their *host*, as a rule, for it does the work. `make check-conformance`",
              "lists these lines, with what each MPI prints and which of them pairs are like, in `build/tests/conformance/ones.md`.", ""]
    return "\n".join(lines).rstrip() + "\n"


def write():
    text = page()
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)
    if os.path.exists(ONES):
        with open(LISTED, "w", encoding="utf-8") as file:
            file.write("\n".join(["# Lines in which the two MPIs differ", "",
                                  *table(("program", "line", "Debian", "Open MPI", "MPICH", "pairs are like"), ones())]))


def check():
    with open(PAGE, encoding="utf-8") as file:
        if file.read() != page():
            sys.exit("docs/conformance.md is not what the results say; run tests/calls/valid/record.py write")


COMMANDS = {"store": store, "observed": observed, "has": has, "write": write, "check": check}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
