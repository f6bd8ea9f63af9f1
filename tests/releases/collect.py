#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Puts the results of the matrix in one table: collect.py BASE > results.tsv

A line for each cell that was run: application, host, language, how many programs passed of how many there are, and
those that did not: PROGRAM=VERDICT, with blanks for dashes in the verdict, or - for none; and the day of its last run. A Fortran program that passes
prints what it prints on its own MPI; lines that start with "host" are what the host's own program prints.
"""
import pathlib
import re
import sys
from datetime import datetime, timezone

from faults import applications, mpis, of_implementation

FORTRAN = ("77", "90", "2008")


def programs(folder):
    return sorted(path for path in folder.iterdir() if path.suffix == "")


def verdict(path):
    return path.read_text(errors="replace").partition("\n")[0] if path.is_file() else "not run"


def printed(path, of_host):
    """Those lines of a program's output that start with "host", or the others; how many checks it made is its own."""
    text = path.with_suffix(".out").read_text(errors="replace") if path.with_suffix(".out").is_file() else ""
    return [re.sub(r": \d+ checks$", "", line) for line in text.splitlines() if line.startswith("host ") == of_host]


def prints_as_natively(path):
    """Whether a Fortran program that passed says what it says on either MPI natively, if it passes there. Programs that no MPI
    compiled, and hosts without Fortran compilers, are compared with those of the host's implementation."""
    base, (application, host, language, program) = path.parents[3], path.parts[-4:]
    if application not in mpis():
        application = of_implementation(host)
    for native, of_host in (application, False), (of_implementation(host), True):
        reference = base / native / native / language / program
        if language in FORTRAN and verdict(reference) == "ok" and printed(path, of_host) != printed(reference, of_host):
            return False
    return True


def judged(path):
    return "prints something else" if verdict(path) == "ok" and not prints_as_natively(path) else verdict(path)


def day(folder):
    """Returns the day on which the last program of a cell ran."""
    return datetime.fromtimestamp(max((path.stat().st_mtime for path in programs(folder)), default=0), timezone.utc).date().isoformat()


def cell(folder, application, host, language):
    verdicts = {path.name: judged(path) for path in programs(folder)}
    ran = {name: verdict for name, verdict in verdicts.items() if verdict != "no program"}
    failed = [f"{name}={verdict.replace(' ', '-')}" for name, verdict in ran.items() if verdict != "ok"]
    return application, host, language, str(len(ran) - len(failed)), str(len(ran)), " ".join(failed) or "-", day(folder)


def main(base):
    base = pathlib.Path(base)
    print("# SPDX-License-Identifier: BSD-3-Clause")
    print("# Results of the matrix: make check-releases writes this.")
    print("# application\thost\tlanguage\tpassed\tprograms\tothers\trecorded")
    for application in applications():
        for host in mpis():
            for language in ("c", "cxx", "77", "90", "2008"):
                folder = base / "results" / application / host / language
                found = cell(folder, application, host, language) if folder.is_dir() else None
                if found and found[4] != "0":
                    print(*found, sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
