#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what programs observe through a pair with what they observe natively.

    compare.py PAIR FOLDER NATIVE=RELEASE...

FOLDER/MODE/PROGRAM has lines LABEL <tab> what was observed; a program that a host cannot run at all has no file. A line that is
printed through the pair must be one that a native MPI prints for its label, or stand in differences.tsv, with the reason and
whose doing it is, and what is printed where that has one value; a line there for the host's release that nothing needs is a
complaint, and so is a line that the host prints natively and the pair does not. Writes FOLDER/PAIR.counts, a line for each
program: how many of its lines are as on both MPIs, as on one, and different; and FOLDER/PAIR.ones, what is as on one where all
print something: PAIR PROGRAM LABEL NATIVE, and what each of them prints. Processes that print alike have one line there,
without their rank.
"""

import os
import re
import sys
from collections import Counter
from fnmatch import fnmatchcase

NOTHING = "is not printed"
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "releases")]

from exceptions import rows  # noqa: E402
from faults import holds  # noqa: E402


def load(path):
    """{label: observation}; a label that stands for two calls would hide one of them"""
    observations = {}
    if not os.path.exists(path):
        return observations
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            label, _, observation = line.rstrip("\n").partition("\t")
            if label in observations:
                sys.exit(f"{path}: two lines are labelled '{label}'; name one of them otherwise")
            observations[label] = observation
    return observations


def load_differences(pair, release):
    listed = map(tuple, rows(os.path.join(HERE, "differences.tsv"), "pair releases program label whose reason [what]"))
    return [row for row in listed if fnmatchcase(pair, row[0]) and (row[1] == "*" or holds(row[1], release))]


def tried_in_part(program):
    """Whether only some of a program's cases were run: what others need is not known."""
    source = os.path.join(HERE, f"{program}.c")
    if not os.environ.get("CASES") or not os.path.exists(source):
        return False
    with open(source, encoding="utf-8") as file:
        return "/* cases: " in file.read()


def without_ranks(ones):
    """The rows, with one for processes that print alike: labels of one among several begin "RANK: "."""
    alike, kept = {}, {}
    for row in ones:
        alike.setdefault((row[1], re.sub(r"^\d+: ", "", row[2])), set()).add(row[3:])
    for row in ones:
        label = re.sub(r"^\d+: ", "", row[2])
        kept[row[:2] + ((label if len(alike[row[1], label]) == 1 else row[2]),) + row[3:]] = None
    return ["\t".join(row) for row in kept]


def main(pair, folder, *natives):
    natives = dict(word.split("=", 1) for word in natives)
    host = pair.split("-to-")[-1]
    differences, used, complaints = load_differences(pair, natives[host]), set(), 0
    counts, ones = [], []
    for program in sorted(os.listdir(os.path.join(folder, pair))):
        printed = {native: load(os.path.join(folder, native, program)) for native in natives}
        count = Counter()
        adapted = load(os.path.join(folder, pair, program))
        for label in {label: None for lines in (adapted, *printed.values()) for label in lines}:
            if label not in adapted and label not in printed[host]:
                continue
            line = adapted.get(label, NOTHING)
            same = [native for native in natives if printed[native].get(label) == line]
            count["both" if len(same) == len(natives) else "one" if same else "different"] += 1
            if len(same) == 1 and all(label in printed[native] for native in natives):
                ones.append((pair, program, label, same[0], *(printed[native][label] for native in natives)))
            if same:
                continue
            known = next((row for row in differences if fnmatchcase(program, row[2]) and fnmatchcase(label, row[3]) and
                          (len(row) < 7 or fnmatchcase(line, row[6]))), None)
            if known:
                used.add(known)
                continue
            complaints += 1
            print(f"{pair}: {program}: {label}: {line}; natively " +
                  " and ".join(f"{printed[native].get(label, NOTHING)} ({native})" for native in natives))
        counts.append(f"{pair}\t{program}\t{len(adapted)}\t{count['both']}\t{count['one']}\t{count['different']}")
    for row in differences:
        if row not in used and not row[5].startswith("at times") and not tried_in_part(row[2]):
            complaints += 1
            print(f"{pair}: nothing needs the difference '{row[2]}: {row[3]}' any more; remove its line")
    for name, rows in (("counts", counts), ("ones", without_ranks(ones))):
        with open(os.path.join(folder, f"{pair}.{name}"), "w", encoding="utf-8") as file:
            file.writelines(f"{row}\n" for row in rows)
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main(*sys.argv[1:])
