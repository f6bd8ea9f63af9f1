#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/releases.md: table.py RESULTS GAPS > releases.md

RESULTS is collect.py's table. GAPS explains what did not pass, a line for each host, language and program (lists with
commas; * for any), with the applications it holds for (MPIs, families, * or native), whose fault it is, and why.
The exit code is 1, and stderr says why, if something that did not pass has no line, or a line is not needed any more.
"""
import sys

from faults import gaps as read_gaps, listed, mpis, rows

LANGUAGES = {"c": "C", "2008": "Fortran, `mpi_f08`", "90": "Fortran, `use mpi`", "77": "Fortran, `mpif.h`",
             "cxx": "C++, the bindings of Open MPI 4.1 and MPICH"}
CALLED = {"openmpi": "Open MPI", "mpich": "MPICH"}
MPIS = mpis()
# What does not compile is in no cell, so that nothing shows whether it still is so.
NOT_COMPILED = "application, not compiled"

HEAD = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by tests/releases/table.py of what `make check-releases` found: change those. -->
# Releases

A program of each release runs on every release of the other family: this page shows how many of the tests' programs pass, on two
ranks. A row is the MPI that they were compiled with, a column the MPI that they ran on, each in a root of its Debian (11, 12, 13,
unstable), with its compilers, launchers and C library. One build of the adapter, made on Debian 11, serves all of them.

| a cell | means |
|---|---|
| `36`, `35 of 36` | programs that pass, of those that the release can compile |
| ✓ | equal to native: each program that fails here fails on the host's own MPI, too |
| *italics* | native |
| · | the same family: nothing is translated |

Checks that a host is known to fail are left out, by release (`tests/c/known-faults.tsv`, `tests/fortran/known-faults.tsv`).
[Below](#what-does-not-pass) is the reason for everything else.

Programs are linked against Debian 11's C library, so that they start on every release. The adapter built there needs glibc 2.26.
"""


def title(mpi):
    facts = MPIS[mpi]
    name = f"{CALLED[facts['implementation']]} {facts['release']}"
    return f"standard ABI, {name}" if facts["family"] == "mpiabi" else name


class Cell:
    def __init__(self, passed, programs, others):
        self.passed, self.programs = int(passed), int(programs)
        self.failed = {} if others == "-" else dict(other.split("=") for other in others.split())

    def text(self):
        return str(self.passed) if not self.failed else f"{self.passed} of {self.programs}"

    def equals(self, native):
        """Whether each program that fails here fails natively, too."""
        return native is not None and set(self.failed) <= set(native.failed)


def read(path):
    return {tuple(row[:3]): Cell(*row[3:]) for row in rows(path)}


def explain(cells, gaps):
    """What nobody explains; marks the gaps that are needed."""
    unexplained = []
    for (application, host, language), cell in cells.items():
        here = [gap for gap in gaps if gap.concerns(application, MPIS[application]["family"], host, language)]
        for gap in here:
            gap.tried = gap.tried or cell.programs > 0
        for program, verdict in cell.failed.items():
            fitting = [gap for gap in here if listed(gap.program, program)]
            for gap in fitting:
                gap.needed = True
            if not fitting:
                unexplained.append((application, host, language, program, verdict))
    return unexplained


def matrix(cells, language):
    applications = [mpi for mpi in MPIS if any(key[0] == mpi and key[2] == language for key in cells)]
    hosts = list(MPIS)
    yield "| compiled with, run on | " + " | ".join(title(host) for host in hosts) + " |"
    yield "|---|" + "---:|" * len(hosts)
    for application in applications:
        yield "| " + " | ".join([title(application)] + [text(cells, application, host, language) for host in hosts]) + " |"


def text(cells, application, host, language):
    cell = cells.get((application, host, language))
    if cell and application == host:
        return f"*{cell.text()}*"
    if cell:
        return f"\N{CHECK MARK} {cell.text()}" if cell.equals(cells.get((host, host, language))) else cell.text()
    family = MPIS[application]["family"]
    return "·" if family == MPIS[host]["family"] and (family != "mpiabi") else "not run"


def names(words):
    return ", ".join(title(word) if word in MPIS else word for word in words.split(","))


def proof(gap, cells):
    """Whether what the gap explains fails on its host's own MPI, too: yes, or what does not, or is not run there."""
    unproved, unknown, proved = set(), set(), False
    for (application, host, language), cell in cells.items():
        if gap.concerns(application, MPIS[application]["family"], host, language):
            own = cells.get((host, host, language))
            for program in (name for name in cell.failed if listed(gap.program, name)):
                if not own or not own.programs:
                    unknown.add(title(host))
                elif program in own.failed:
                    proved = True
                else:
                    unproved.add(f"{program} on {title(host)}")
    words = [f"not {program}" for program in sorted(unproved)] + [f"not run on {host}" for host in sorted(unknown)]
    return "; ".join((["yes"] if proved else []) + words) or "-"


def earlier(results):
    """The languages whose cells are of an earlier build than the others: what a comment of the results says."""
    with open(results, encoding="utf-8") as file:
        return {word for line in file if line.startswith("# earlier build:") for word in line.partition(":")[2].split()}


def document(cells, gaps, unexplained, old):
    yield HEAD
    for language, called in LANGUAGES.items():
        yield f"## {called}\n"
        if language in old:
            yield "Measured with an earlier build than the tables that do not say so.\n"
        if any(key[2] == language for key in cells):
            yield from matrix(cells, language)
        else:
            yield "Not run."
        yield ""
    yield "## What does not pass\n"
    yield ("If the host's own programs fail, too, the fault is proved to be the host's. `not` names what they do not show, because they pass,\n"
           "or do not compile there.\n")
    yield "| on | programs | of | whose fault | natively, too | why |"
    yield "|---|---|---|---|---|---|"
    for gap in gaps:
        applications = {"*": "any", "native": "its own"}.get(gap.applications) or names(gap.applications)
        yield f"| {names(gap.host)} | {gap.program.replace(',', ', ')} | {applications} | {gap.whose} | {proof(gap, cells)} | {gap.reason} |"
    for application, host, language, program, verdict in unexplained:
        yield f"| {title(host)} | {program} ({language}) | {title(application)} | not known | - | {verdict.replace('-', ' ')} |"


def main(results, explanations):
    cells, gaps = read(results), read_gaps(explanations)
    unexplained = explain(cells, gaps)
    print("\n".join(document(cells, gaps, unexplained, earlier(results))))
    for gap in unexplained:
        print("not explained:", *gap, file=sys.stderr)
    gone = [gap for gap in gaps if gap.tried and not gap.needed and gap.whose != NOT_COMPILED]
    for gap in gone:
        print(f"gone: {gap.host} {gap.language} {gap.program}: {gap.reason}", file=sys.stderr)
    return 1 if unexplained or gone else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
