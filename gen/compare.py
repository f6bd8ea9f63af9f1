#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares a newly scanned table with the tables there are, and adds it to them.

    compare.py --tables abi-tables --scanned DIR/mpich-4.2.1 --output DIR

Prints with which release the table agrees, or how it differs from the nearest. Writes into --output
the tables with the scanned one as one more release of its family, or in place of the same release.
What no rule and no line of the procedure table describes is left out, and said. A table that
contradicts the nearest one is refused: it is another ABI.
"""

import argparse
import os
import re
import shutil
from typing import Iterable

import abitable
from abitable import AbiTable
from diagnostic import InputError, command, open_text
from emitter import procedures as tables
from emitter.pair import HANDLES, PUBLIC_FIELDS, load_family
from emitter.procedures import Rules

AMOUNT = 4      # of names that are printed


def numbers(release: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", release)][:3]


def nearest(table: AbiTable, releases: list[AbiTable]) -> AbiTable:
    """The same release, or the last one before it, or the first one after it."""
    before = [known for known in releases if numbers(known.release) <= numbers(table.release)]
    return before[0] if before else releases[-1]


def listed(names: Iterable[str]) -> str:
    """A few of the names, and how many more there are."""
    names = sorted(names)
    more = len(names) - AMOUNT
    return ", ".join(names[:AMOUNT]) + (f" and {more} more" if more > 0 else "")


def binding(rules: Rules, name: str) -> bool:
    """True if an ABI cannot have two values for the constant. Optional datatypes and extensions had."""
    rule = rules.constants.get(name)
    return name == "MPI_INT" or rule is not None and not name.startswith("MPIX_") and \
        not {"LIMIT", "NONE", "FORTRAN", "DATATYPE"} & set(rule.kinds)


def contradictions(table: AbiTable, known: AbiTable, rules: Rules) -> list[str]:
    """Differences that two releases of one ABI cannot have."""
    found = []
    for handle in HANDLES:
        ctype = rules.kinds[handle].ctype
        if ctype in table.types and ctype in known.types and table.types[ctype].size != known.types[ctype].size:
            found.append(f"the size of {ctype}")
    if table.types["MPI_Status"].size != known.types["MPI_Status"].size:
        found.append("the size of MPI_Status")
    found += [f"the place of {field}" for field in PUBLIC_FIELDS
              if table.status_fields[field].offset != known.status_fields[field].offset]
    for name in table.constants.keys() & known.constants.keys():
        ours, theirs = table.constants[name], known.constants[name]
        if binding(rules, name) and (ours.kind, ours.value) != (theirs.kind, theirs.value):
            found.append(name)
    return sorted(found)


def differences(table: AbiTable, known: AbiTable) -> list[str]:
    """Sentences on how the table differs from a known one."""
    sentences = []
    for what, ours, theirs in (("constants", set(table.constants), set(known.constants)),
                               ("procedures", set(table.procedures), set(known.procedures))):
        new, gone = ours - theirs, theirs - ours
        if new:
            sentences.append(f"{len(new)} more {what}: {listed(new)}")
        if gone:
            sentences.append(f"{len(gone)} fewer {what}: {listed(gone)}")
    exported = [release.exported for release in (table, known)]
    gone = {name for name in known.procedures if name in exported[1] and name not in exported[0]}
    if gone - (known.procedures.keys() - table.procedures.keys()):
        sentences.append(f"{len(gone)} procedures that its library lacks: {listed(gone)}")
    changed = {name for name in table.constants.keys() & known.constants.keys()
               if table.constants[name].value != known.constants[name].value
               and table.constants[name].kind != "string" and "VERSION" not in name}
    if changed:
        sentences.append(f"{len(changed)} other values: {listed(changed)}")
    return sentences


def add_table(scanned: str, folder: str, table: AbiTable, rules: Rules) -> set[str]:
    """Puts the table into the folder of tables, without constants that have no rule."""
    target = os.path.join(folder, os.path.basename(os.path.abspath(scanned)))
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(scanned, target)
    unknown = {name for name in table.constants if name not in rules.constants}
    path = os.path.join(target, "constants")
    with open_text(path) as file:
        lines = [line for line in file if line.split(" ", 1)[0] not in unknown]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return unknown


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Compare a scanned table with those there are, and add it.")
    parser.add_argument("--tables", required=True, help="folder of the ABI tables")
    parser.add_argument("--scanned", required=True, help="the scanned table")
    parser.add_argument("--output", required=True, help="folder to write: all tables")
    options = parser.parse_args(arguments)
    rules = tables.load_rules(os.path.join(options.tables, "rules"))
    known_procedures = tables.load_procedures(os.path.join(options.tables, "procedures"), rules)
    table = abitable.load(options.scanned)
    releases = load_family(options.tables, table.family)
    known = nearest(table, releases)
    wrong = contradictions(table, known, rules)
    if wrong:
        raise InputError(options.scanned, 0, f"this is not the ABI of {table.family}: it differs from "
                                             f"{known.family}-{known.release} in {listed(wrong)}")
    found = differences(table, known)
    name = f"{known.family}-{known.release}"
    print(f"differs from the shipped table {name}: {'; '.join(found)}" if found else f"agrees with the shipped table {name}")
    shutil.copytree(options.tables, options.output)
    unknown = add_table(options.scanned, options.output, table, rules)
    unknown |= {name for name in table.procedures
                if name not in known_procedures and name.removesuffix("_c") not in known_procedures
                and not name.startswith("MPIO_")}
    if unknown:
        print(f"not known to MPI-Adapter, so left out: {listed(unknown)}")


if __name__ == "__main__":
    command(main)
