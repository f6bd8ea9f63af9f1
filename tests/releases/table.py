#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/releases.md, and what is too long for it: table.py RESULTS GAPS [DETAILS] > releases.md

RESULTS is collect.py's table; names-results.tsv, beside this script, has the counts of `names`. GAPS explains failures, a line for each host,
language and program (lists with commas; * for any), with the applications it holds for (MPIs, families, * or native), whose fault it
is, and why.
The exit code is 1, and stderr says why, if something that did not pass has no line, or a line is not needed any more.
"""
import pathlib
import sys
from collections import defaultdict

from faults import applications, gaps as read_gaps, listed, mpis, of_implementation, rows

LANGUAGES = {"c": "C", "2008": "Fortran, `mpi_f08`", "90": "Fortran, `use mpi`", "77": "Fortran, `mpif.h`",
             "cxx": "C++, the bindings of Open MPI 4.1 and MPICH"}
# The page has one table for these, the details one for each.
FORTRAN = ("2008", "90", "77")
CALLED = {"openmpi": "Open MPI", "mpich": "MPICH"}
MPIS = mpis()
APPLICATIONS = applications()
# A program that does not compile is in no cell, so that nothing shows whether it still fails to compile.
NOT_COMPILED = "application, not compiled"
HERE = pathlib.Path(__file__).resolve().parent

HEAD = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by tests/releases/table.py of what `make check-releases` found: change those. -->
# Releases

Does a program of one release run on another? Yes, if its cell has a ✓: every test that passes on the host's own MPI passes through
the adapter, too. A row is the MPI that compiled the tests' programs, a column the MPI that ran them, on two ranks.

| a cell | means |
|---|---|
| `36`, `35/36` | programs that pass, of those that the release can compile |
| ✓ | equal to native: each failure here is one on the host's own MPI, too |
| *italics* | native |
| · | the same family: nothing is translated |

Each MPI is in a root of its Debian (11, 12, 13, unstable), with its compilers, launchers and C library. One build of the adapter,
made on Debian 11, serves all of them; it needs glibc 2.17. `make check-releases` runs it all, and writes the tables of each Fortran
interface and every known fault of a host into `build/releases/details.md`.

`mpicc_abi` and `mpifort_abi` compiled the programs of the rows with GCC and LLVM flang once, without an MPI. No MPI brings Fortran or C++
for its library of the standard ABI: there, native is what the same release compiles for its own ABI.
"""


def title(mpi):
    facts = APPLICATIONS[mpi]
    name = facts.get("called") or f"{CALLED[facts['implementation']]} {facts['release']}"
    return f"standard ABI, {name}" if facts["family"] == "mpiabi" else name


class Cell:
    def __init__(self, passed, programs, others, *days):
        self.passed, self.programs, self.days = int(passed), int(programs), days
        self.failed = {} if others == "-" else dict(other.split("=") for other in others.split())

    def text(self):
        return str(self.passed) if not self.failed else f"{self.passed}/{self.programs}"

    def equals(self, native):
        """Whether each program that fails here fails natively, too."""
        return native is not None and set(self.failed) <= set(native.failed)


def read(path):
    return {tuple(row[:3]): Cell(*row[3:]) for row in rows(path)}


def explain(cells, gaps):
    """The failures that nobody explains; marks the gaps that are needed."""
    unexplained = []
    for (application, host, language), cell in cells.items():
        here = [gap for gap in gaps if gap.concerns(application, APPLICATIONS[application]["family"], host, language)]
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
    listed_here = [name for name in APPLICATIONS if any(key[0] == name and key[2] == language for key in cells)]
    hosts = list(MPIS)
    yield "| compiled with, run on | " + " | ".join(title(host) for host in hosts) + " |"
    yield "|---|" + "---:|" * len(hosts)
    for application in listed_here:
        yield "| " + " | ".join([title(application)] + [text(cells, application, host, language) for host in hosts]) + " |"


def own_cell(cells, host, language):
    """The host's own programs; where its library has no compiler, those that its implementation compiles for its other library."""
    own = of_implementation(host)
    return cells.get((host, host, language)) or cells.get((own, own, language))


def text(cells, application, host, language):
    cell = cells.get((application, host, language))
    if cell and application == host:
        return f"*{cell.text()}*"
    if cell:
        return f"\N{CHECK MARK} {cell.text()}" if cell.equals(own_cell(cells, host, language)) else cell.text()
    family = APPLICATIONS[application]["family"]
    return "·" if family == MPIS[host]["family"] and (family != "mpiabi") else "not run"


def names(words):
    """The MPIs or families that words lists, each implementation once: Open MPI 5.0.7, 6.0.0; MPICH 5.0.2."""
    if words == "*":
        return "any"
    releases = defaultdict(list)
    for name in (title(word) if word in APPLICATIONS else word for word in words.split(",")):
        implementation, _, release = name.rpartition(" ")
        releases[implementation].append(release)
    return "; ".join(f"{implementation} {', '.join(of)}".lstrip() for implementation, of in releases.items())


def natively(gap, cells):
    """Of what the gap explains on its host's own MPI: whether some fails, the hosts of programs that pass, those without a run."""
    unproved, unknown, proved = defaultdict(set), set(), False
    for (application, host, language), cell in cells.items():
        if gap.concerns(application, APPLICATIONS[application]["family"], host, language):
            own = own_cell(cells, host, language)
            for program in (name for name in cell.failed if listed(gap.program, name)):
                if not own or not own.programs:
                    unknown.add(title(host))
                elif program in own.failed:
                    proved = True
                else:
                    unproved[program].add(title(host))
    return proved, unproved, unknown


def proof(gap, cells):
    """Whether what the gap explains fails on its host's own MPI, too: yes, or what does not, or is not run there."""
    proved, unproved, unknown = natively(gap, cells)
    words = [f"not {program + ' ' if ',' in gap.program else ''}on {', '.join(sorted(hosts))}" for program, hosts in sorted(unproved.items())]
    words += [f"not run on {', '.join(sorted(unknown))}"] if unknown else []
    return "; ".join((["yes"] if proved else []) + words) or "-"


def proof_in_brief(gap, cells):
    """The same in a word. Hosts that cannot run a program natively do not count if another host shows the fault."""
    proved, unproved, unknown = natively(gap, cells)
    if proved:
        return "partly" if unproved else "yes"
    return "no" if unproved else "not run" if unknown else "-"


def earlier(results):
    """The languages whose cells are of an earlier build than the others: what a comment of the results says."""
    with open(results, encoding="utf-8") as file:
        return {word for line in file if line.startswith("# earlier build:") for word in line.partition(":")[2].split()}


def joined(cells):
    """The cells, with those of the Fortran interfaces added up as one language."""
    added = dict(cells)
    for application, host in dict.fromkeys(key[:2] for key in cells if key[2] in FORTRAN):
        parts = [(language, cells[application, host, language]) for language in FORTRAN if (application, host, language) in cells]
        added[application, host, "fortran"] = Cell(
            sum(cell.passed for _, cell in parts), sum(cell.programs for _, cell in parts),
            " ".join(f"{language}.{program}={verdict}" for language, cell in parts for program, verdict in cell.failed.items()) or "-",
            *(day for _, cell in parts for day in cell.days))
    return added


def recorded(days):
    """Says when something was recorded, if it has days."""
    days = sorted(set(days))
    if days:
        yield f"\nRecorded on {days[0]}." if len(days) == 1 else f"\nRecorded from {days[0]} to {days[-1]}."


def matrices(cells, languages, old):
    for language, called in languages.items():
        yield f"## {called}\n"
        if language in old:
            yield "Measured with an earlier build than the tables that do not say so.\n"
        if any(key[2] == language for key in cells):
            yield from matrix(cells, language)
            yield from recorded(day for key, cell in cells.items() if key[2] == language for day in cell.days)
        else:
            yield "Not run."
        yield ""


def of_gaps(gaps, cells, prove):
    yield "| on | programs | of | whose fault | natively, too | why |"
    yield "|---|---|---|---|---|---|"
    programs = defaultdict(list)
    for gap in gaps:
        applications = "its own" if gap.applications == "native" else names(gap.applications)
        programs[names(gap.host), applications, gap.whose, prove(gap, cells), gap.reason] += gap.program.split(",")
    for (host, applications, whose, proved, reason), of in programs.items():
        yield f"| {host} | {', '.join(dict.fromkeys(of))} | {applications} | {whose} | {proved} | {reason} |"


def document(cells, gaps, unexplained, old):
    yield HEAD
    languages = {"c": LANGUAGES["c"], "fortran": "Fortran: `mpi_f08`, `use mpi`, `mpif.h`", "cxx": LANGUAGES["cxx"]}
    old = old | ({"fortran"} if old & set(FORTRAN) else set())
    yield from matrices(joined(cells), languages, old)
    yield "## Names of vendors and of earlier releases\n"
    yield ("Programs of these MPIs need libraries by other names. Nobody had the MPIs themselves here: the names were changed in those of\n"
           "the tests' programs that call most of MPI. `tests/releases/names` ran them, in C and with `mpi_f08` and `mpif.h`.\n")
    yield from of_names()
    yield ""
    yield "## Failures\n"
    open_gaps = [gap for gap in gaps if proof_in_brief(gap, cells) != "yes"]
    yield (f"{len(gaps) - len(open_gaps)} faults are proved to be a host's, because its own programs fail in the same way: `tests/releases/gaps.tsv` has\n"
           "the reasons. This table has the others. *Natively, too* tells whether the host's own programs show the fault: those of `no`\n"
           "pass, or do not compile. The tests leave out single checks that a release is known to fail (`tests/c/known-faults.tsv`,\n"
           "`tests/fortran/known-faults.tsv`).\n")
    yield from of_gaps(open_gaps, cells, proof_in_brief)
    for application, host, language, program, verdict in unexplained:
        yield f"| {title(host)} | {program} ({language}) | {title(application)} | not known | - | {verdict.replace('-', ' ')} |"


def counted(results, needed, languages):
    """PASSED/PROGRAMS of these languages, or PASSED where all pass, with the names of the others."""
    rows_here = [row for row in results if row[0] == needed and row[2] in languages]
    passed, programs = (sum(int(row[column]) for row in rows_here) for column in (3, 4))
    others = sorted({name for row in rows_here if row[5] != "-" for name in row[5].split()})
    if not rows_here:
        return "not run"
    return str(passed) if passed == programs else f"{passed}/{programs} ({', '.join(others)})"


def of_names():
    """A row for each maker of names.tsv."""
    results = list(rows(HERE / "names-results.tsv"))
    yield "| the program needs | made by | names changed in programs of | run on | C | Fortran |"
    yield "|---|---|---|---|---:|---:|"
    for maker, needed, mpi, host, *_ in rows(HERE / "names.tsv"):
        yield (f"| `{needed.split()[0]}` | {maker} | {title(mpi)} | {title(host)} | "
               f"{counted(results, needed, ('c',))} | {counted(results, needed, FORTRAN)} |")
    yield from recorded(row[6] for row in results)


def details(cells, gaps, old):
    yield "# Releases, in detail\n"
    yield from matrices(cells, LANGUAGES, old)
    yield "## Failures\n"
    yield from of_gaps(gaps, cells, proof)


def main(results, explanations, more=None):
    cells, gaps = read(results), read_gaps(explanations)
    unexplained = explain(cells, gaps)
    print("\n".join(document(cells, gaps, unexplained, earlier(results))))
    if more:
        with open(more, "w", encoding="utf-8") as file:
            file.write("\n".join(details(cells, gaps, earlier(results))) + "\n")
    for gap in unexplained:
        print("not explained:", *gap, file=sys.stderr)
    gone = [gap for gap in gaps if gap.tried and not gap.needed and gap.whose != NOT_COMPILED]
    for gap in gone:
        print(f"gone: {gap.host} {gap.language} {gap.program}: {gap.reason}", file=sys.stderr)
    return 1 if unexplained or gone else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
