#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Puts the results of the matrix in one table: collect.py BASE > results.tsv

A line for each cell that was run: application, host, language, how many programs passed of how many there are, and
those that did not: PROGRAM=VERDICT, with blanks for dashes in the verdict, or - for none.
"""
import pathlib
import sys

from faults import HERE, mpis


def programs(folder):
    return sorted(path for path in folder.iterdir() if path.suffix == "")


def cell(folder, application, host, language):
    verdicts = {path.name: path.read_text(errors="replace").partition("\n")[0] for path in programs(folder)}
    ran = {name: verdict for name, verdict in verdicts.items() if verdict != "no program"}
    failed = [f"{name}={verdict.replace(' ', '-')}" for name, verdict in ran.items() if verdict != "ok"]
    return application, host, language, str(len(ran) - len(failed)), str(len(ran)), " ".join(failed) or "-"


def main(base):
    base = pathlib.Path(base)
    print("# SPDX-License-Identifier: BSD-3-Clause")
    print("# What became of the matrix, by make check-releases.")
    print("# application\thost\tlanguage\tpassed\tprograms\tothers")
    for application in mpis():
        for host in mpis():
            for language in ("c", "cxx", "77", "90", "2008"):
                folder = base / "results" / application / host / language
                found = cell(folder, application, host, language) if folder.is_dir() else None
                if found and found[4] != "0":
                    print(*found, sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
