#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Says how many programs passed on hosts of the standard ABI alone, and which failed without a line in gaps.tsv, of
the matrix of releases or of this folder, that says why: judge.py BASE. The exit code is 1 if there are any, or if nothing was run.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
RELEASES = HERE.parent / "releases"
sys.path.insert(0, str(RELEASES))
sys.dont_write_bytecode = True

import collect  # noqa: E402
import table  # noqa: E402


def cells(base):
    """The results of that folder: a cell of the matrix for each application, host and language."""
    for folder in sorted(pathlib.Path(base, "results").glob("*/*/*")):
        application, host, language, *found = collect.cell(folder, *folder.parts[-3:])
        if found[1] != "0":
            yield (application, host, language), table.Cell(*found)


def main(base):
    found = dict(cells(base))
    for (application, host, language), cell in found.items():
        print(f"{application} on {host}, {language}: {cell.passed} of {cell.programs}{''.join(' ' + name for name in cell.failed)}")
    unexplained = table.explain(found, [gap for folder in (RELEASES, HERE) for gap in table.read_gaps(folder / "gaps.tsv")])
    for gap in unexplained:
        print("not explained:", *gap)
    return 1 if unexplained or not found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
