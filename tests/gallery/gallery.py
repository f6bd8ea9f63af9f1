#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs as Debian has built them, natively and on the other family's MPI.

    gallery.py run [PROGRAM...]    runs those of programs.tsv, by default all, and writes results.tsv and docs/gallery.md
    gallery.py page                writes docs/gallery.md of results.tsv
    gallery.py check               says whether docs/gallery.md is what `page` would write
    gallery.py compare PROGRAM NATIVE ADAPTED
                                   says how far two files are apart that `values` has written, and fails if they are too far

A program passes in a direction if each value that it computes there is the one that it computes natively, within
the tolerance of programs.tsv. Where its own MPI cannot run it, the program of another family is what it is
compared with. BUILD is that of make.
"""

import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
RESULTS = HERE / "results.tsv"
PAGE = TOP / "docs/gallery.md"
COLUMNS = "# program\trecorded\tversion\tpair\tnatively\tvalues\tdifference\tverdict"


class Program(NamedTuple):
    key: str
    name: str
    package: str
    families: str
    tolerance: str
    what: str


class Result(NamedTuple):
    key: str
    recorded: str  # the day of the run
    version: str
    pair: str
    natively: str  # the family whose program it was compared with
    values: str  # how many were compared
    difference: str  # the largest, relative
    verdict: str  # right, or why not


def rows(path, kind):
    lines = path.read_text().splitlines() if path.exists() else []
    return [kind(*line.split("\t")) for line in lines if line and not line.startswith("#")]


def programs():
    return rows(HERE / "programs.tsv", Program)


def facts(name):
    """The lines `FAMILY KEY VALUE` of a table."""
    return [line.split(" ", 2) for line in (TOP / "abi-tables" / name).read_text().splitlines() if line.count(" ") > 1]


def called(family):
    """The usual name of a family's own implementation."""
    return next(value for name, key, value in facts("families") if name == family and key == "called")


def directions(program):
    """The pairs to run a program by, between families that some program is built for."""
    families = {family for each in programs() for family in each.families.split()}
    pairs = [line for line in (TOP / "abi-tables/pairs").read_text().splitlines() if not line.startswith("#")]
    return [pair for pair in pairs if pair.split("-to-")[0] in program.families.split() and pair.split("-to-")[1] in families]


def version(package):
    """Debian's, without its own number and the name of a commit."""
    command = ["dpkg-query", "-W", "-f", "${Version}", package]
    found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return re.sub(r"^\d+:|[+~](?:ds|dfsg|repack)[\d.]*|\.git\w+|-[^-]*$", "", found)


def named_values(text):
    return [line.split() for line in text.splitlines() if line.count(" ") == 1]


def values(program, mode):
    """The values that a program computes, by name; none if it fails, which is reported."""
    done = subprocess.run([HERE / "values", program.key, mode], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    found = named_values(done.stdout)
    if done.returncode or not found:
        print(f"{program.key} {mode}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}", file=sys.stderr)
        return []
    return found


def distance(one, other):
    one, other = float(one), float(other)
    return 0.0 if one == other else abs(one - other) / max(abs(one), abs(other))


def compare(native, adapted, tolerance):
    """How far values are from one another, and a verdict."""
    if not native or not adapted:
        return 0.0, "fails" if native else "fails natively"
    if [name for name, _ in native] != [name for name, _ in adapted]:
        return 0.0, "other values than natively"
    most = max(distance(one, other) for (_, one), (_, other) in zip(native, adapted))
    return most, "right" if most <= tolerance else "differs from the native run"


def compare_files(name, native, adapted):
    tolerance = next(float(program.tolerance) for program in programs() if program.key == name)
    found = [named_values(Path(file).read_text()) for file in (native, adapted)]
    difference, verdict = compare(*found, tolerance)
    print(f"{len(found[1])} values, {difference:.1g} apart, {verdict}")
    return 0 if verdict == "right" else 1


def reference(program, family):
    """The first family, its own or another one, whose program runs natively, with its values."""
    for candidate in sorted(program.families.split(), key=lambda each: each != family):
        found = values(program, candidate)
        if found:
            return candidate, found
    return family, []


def result(program, pair):
    natively, native = reference(program, pair.split("-to-")[0])
    adapted = values(program, pair)
    difference, verdict = compare(native, adapted, float(program.tolerance))
    today = datetime.now(timezone.utc).date().isoformat()
    return Result(program.key, today, version(program.package), pair, natively, str(len(adapted)), f"{difference:.1g}", verdict)


def run(names):
    unknown = set(names) - {program.key for program in programs()}
    if unknown:
        print(f"gallery.py: there is no program {min(unknown)}; give those of programs.tsv", file=sys.stderr)
        return 2
    kept = {(old.key, old.pair): old for old in rows(RESULTS, Result)}
    failed = 0
    chosen = [(program, pair) for program in programs() if not names or program.key in names for pair in directions(program)]
    for program, pair in chosen:
        new = result(program, pair)
        kept[new.key, new.pair] = new
        failed += new.verdict != "right"
        print(*new, sep="\t", flush=True)
    wanted = [(program.key, pair) for program in programs() for pair in directions(program)]
    lines = ["\t".join(kept[key]) for key in wanted if key in kept]
    heading = "# SPDX-License-Identifier: BSD-3-Clause\n# Results of the programs: make check-gallery writes this.\n"
    RESULTS.write_text("\n".join([heading + COLUMNS, *lines]) + "\n")
    PAGE.write_text(page())
    return 1 if failed else 0


TEXT = """<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by tests/gallery/gallery.py of what `make check-gallery` found: change those. -->
# Gallery

Do real applications run? These do, as Debian 12 built them for the MPI in the third column: `mpi-adapter run` starts them
unchanged on the other one, on two ranks (Open MPI 4.1.4 and MPICH 4.0.2, x86-64). Each ran natively, too, and came to the same
numbers. *Difference* is the largest relative one between the numbers that it prints, if they differ.

{table}
`make check-gallery`, as root, installs the programs and does all this again in some minutes; their input and what is
read from their output are in `tests/gallery/programs`. `make check` runs more, by their own verdicts or against a native
run: testers of ScaLAPACK and its BLACS built for each MPI, MUMPS, HPCC, NetPIPE built for MPICH, and the profiling tool
EZTrace. [releases.md](releases.md) has what ran on other releases of the MPIs.

## The heat equation, side by side

![Two equal pictures of a plate on which two warm places spread: natively on Open MPI, and the same program on
MPICH.](heat.svg)

`tests/gallery/heat.c`, compiled once by `mpicc.openmpi`. It prints each temperature in hexadecimal; `tests/gallery/figures.py heat`
runs it natively and adapted, in both directions, and draws the pictures only if all runs print the same.

## What applications cost

![Bars of how much longer ten kernels take adapted than natively, in both directions: between 4 percent less and 2 percent
more.](costs.svg)

The kernels of `bench/apps`, on two ranks of a busy machine: the least of five runs natively and adapted. Bars to the left are
chance, and so are most to the right: `matvec`, which makes the most calls, 140,831 a rank, loses 2 % in one direction and wins 2 %
in the other. [performance.md](performance.md#applications) has bounds; `make bench` measures four of the kernels on your machine.
"""


def row(program, found):
    application, host = (called(family) for family in found.pair.split("-to-"))
    difference = "none" if float(found.difference) == 0 else found.difference
    if found.verdict != "right":
        difference = f"**{found.verdict}**"
    what = program.what
    if found.natively != found.pair.split("-to-")[0]:
        what += f"; natively it fails: compared with the program for {called(found.natively)}"
    return f"| {program.name} | {found.version} | {application} | {host} | {what} | {found.values} | {difference} | {found.recorded} |\n"


def page():
    heading = "| program | version | built for | run on | what is compared | numbers | difference | recorded |\n|---|---|---|---|---|---:|---:|---|\n"
    named = {program.key: program for program in programs()}
    return TEXT.format(table=heading + "".join(row(named[found.key], found) for found in rows(RESULTS, Result)))


def check():
    if PAGE.read_text() == page():
        return 0
    print(f"{PAGE.relative_to(TOP)}: error: it is not what results.tsv says; run tests/gallery/gallery.py page", file=sys.stderr)
    return 1


def main(arguments):
    if arguments[:1] == ["run"]:
        return run(arguments[1:])
    if arguments == ["page"]:
        PAGE.write_text(page())
        return 0
    if arguments == ["check"]:
        return check()
    if arguments[:1] == ["compare"] and len(arguments) == 4:
        return compare_files(*arguments[1:])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
