#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures jobs of many ranks, natively and adapted: how long they start and take, and the memory of rank 0.

usage: jobs.py FOLDER RANKS...

FOLDER has programs/startup.FAMILY. A job is that program and its launcher, on this machine. Variants are run by turns, as in
table.py, and each figure is the best of its runs. A size that the host natively fails at is named with what it says, and no larger
one is tried on it. Prints a table, and writes it to FOLDER/jobs.md.
"""
import pathlib
import sys
import time

import launch
from measure import variants_of
from pairs import NAMES, PAIRS
from table import QUICK, VARIANTS, summary

# A job of so many ranks on few cores.
SECONDS = 900
# Runs of each variant, by the fewest ranks that so few are for.
ROUNDS = ((256, 2), (128, 3), (32, 5), (0, 9))
HEADS = ("start, ms", "whole job, ms", "memory of its own, MiB")


def rounds(ranks):
    return 1 if QUICK else next(number for least, number in ROUNDS if ranks >= least)


def run(folder, pair, variant, ranks):
    """Milliseconds until the last rank has left MPI_Init, and until the launcher has ended, and rank 0's memory in MiB that no other
    process has."""
    family, libraries, words = variants_of(folder, pair)[variant]
    began = time.monotonic_ns()
    printed = launch.run(pair.split("-to-")[1], libraries, ranks, [*words, f"{folder}/programs/startup.{family}"])
    ended = time.monotonic_ns()
    return (printed["time"] - began) / 1e6, (ended - began) / 1e6, printed["private"] / 1024


def measure(folder, pair, ranks):
    """{variant: the best of each figure}"""
    runs = {variant: [] for variant in VARIANTS}
    for number in range(rounds(ranks)):
        for variant in VARIANTS[::-1 if number % 2 else 1]:
            print(f"bench: {ranks} ranks, {pair}, {variant}, {number + 1} of {rounds(ranks)}", file=sys.stderr, flush=True)
            runs[variant].append(run(folder, pair, variant, ranks))
    return {variant: [min(values) for values in zip(*figures)] for variant, figures in runs.items()}


def cells(best):
    """Native, again, adapted and by how much the last one is above the first one, for each figure."""
    for figure, _ in enumerate(HEADS):
        native, again, adapted = (best[variant][figure] for variant in VARIANTS)
        digits = 1 if figure == 2 else 0
        yield f"{native:.{digits}f}, {again:.{digits}f} → {adapted:.{digits}f} ({100 * (adapted / native - 1):+.1f} %)"


def main(folder, *sizes):
    launch.SECONDS = SECONDS
    began, lines = time.monotonic(), []
    for pair in PAIRS:
        lines += [f"| {pair}, on {NAMES[pair.split('-to-')[1]]}: ranks | {' | '.join(HEADS)} |", "|---:|" + "---|" * len(HEADS)]
        for ranks in map(int, sizes):
            try:
                lines.append(f"| {ranks} | {' | '.join(cells(measure(folder, pair, ranks)))} |")
            except RuntimeError as failure:
                print(f"bench: {failure}", file=sys.stderr)
                lines += ["", f"No more than that: {str(failure).splitlines()[0].rstrip(':')}"]
                break
        lines.append("")
    text = "\n".join([summary(time.monotonic() - began), "", "Native, native again → adapted:", "", *lines])
    pathlib.Path(folder, "jobs.md").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
