#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the table of pairs and releases into a document, between two comments that say so.

    support.py --tables abi-tables README.md            rewrites the document if it differs
    support.py --tables abi-tables --check README.md    fails if it differs

A row for each family that has programs: its releases that were scanned, its libraries, the hosts that pairs take
its programs to, and the interfaces that these serve.
"""

import argparse
import glob
import os
import re

import implementation
from diagnostic import InputError, command, open_text, table_lines
from emitter.family import contested_names, load_families, name_of_today, renamed_libraries

BEGIN = "<!-- This table is made from abi-tables by gen/support.py. -->\n"
END = "<!-- Its end. -->\n"
FORTRAN = "`mpif.h`, `use mpi`, `use mpi_f08`"


def numbers(release: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", release)]


def _range(called: str, releases: list[str]) -> str:
    """The name, and the oldest and the newest release."""
    first, last = min(releases, key=numbers), max(releases, key=numbers)
    return f"{called} {first}" + (f" to {last}" if last != first else "")


def soname(place: str) -> str:
    """The library for C, by the file `release` of a table."""
    return next(words[1] for _, words in table_lines(place) if words[0] == "soname")


def scanned(tables: str, name: str) -> list[str]:
    """The releases of a family, or of an implementation of one, that have tables."""
    places = glob.glob(os.path.join(glob.escape(tables), name + "-[0-9]*", "release"))
    return [os.path.basename(os.path.dirname(place))[len(name) + 1:] for place in places]


class Support:
    """The families of the tables in the words of a document."""

    def __init__(self, tables: str) -> None:
        self.tables = tables
        self.families = load_families(os.path.join(tables, "families"), ())
        self.implementations = implementation.load(os.path.join(tables, "implementations"))
        self.pairs = [words[0].split("-to-") for _, words in table_lines(os.path.join(tables, "pairs"))]

    def called(self, family: str) -> str:
        return " ".join(self.families[family].get("called", [family]))

    def releases(self, family: str, as_host: bool = False) -> str:
        """A family's own releases, or who has its ABI since when, if that is several implementations'. Hosts are those whose
        library has the name by which it is looked for."""
        own = [release for release in scanned(self.tables, family) if not as_host or
               soname(os.path.join(self.tables, f"{family}-{release}", "release")) in self.families[family]["libraries"]]
        if own:
            return _range(self.called(family), own)
        made = [(name, scanned(self.tables, f"{family}-{name}")) for name in self.families[family]["implementations"]]
        makers = [_range(self.implementations[name].text("version"), releases) for name, releases in made if releases]
        return self.called(family) + (f" ({', '.join(makers)})" if makers else "")

    def libraries(self, family: str) -> str:
        facts = self.families[family]
        names = [*renamed_libraries(facts), *contested_names(facts)]
        of_maker = facts.get("contested_by", [""])[0].partition("=")[0]
        earlier = [name for name in names if name_of_today(facts, name) in facts["libraries"] and name != of_maker]
        return ", ".join(f"`{name}`" for name in facts["libraries"] + earlier)

    def row(self, application: str) -> str:
        hosts = [self.releases(host, as_host=True) for program, host in self.pairs if program == application]
        facts = self.families[application]
        interfaces = "C; " + FORTRAN if "fortran_library" in facts or "fortran_made" in facts else "C"
        return f"| {self.releases(application)} | {self.libraries(application)} | {'; '.join(hosts)} | {interfaces} |\n"

    def table(self) -> str:
        applications = dict.fromkeys(program for program, _ in self.pairs)
        return ("| programs built for | that need | run on | by the interfaces |\n|---|---|---|---|\n" +
                "".join(map(self.row, applications)))


def filled(path: str, table: str) -> tuple[str, str]:
    """The document's text, and that with the table."""
    with open_text(path) as file:
        text = file.read()
    for mark in (BEGIN, END):
        if text.count(mark) != 1:
            raise InputError(path, 0, f"'{mark.strip()}' stands {text.count(mark)} times, not once")
    before, rest = text.split(BEGIN)
    if END not in rest:
        raise InputError(path, 0, f"'{END.strip()}' comes before the table")
    return text, before + BEGIN + table + END + rest.split(END)[1]


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Write the table of pairs and releases into a document.")
    parser.add_argument("--tables", required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("document")
    options = parser.parse_args(arguments)
    old, new = filled(options.document, Support(options.tables).table())
    if old == new:
        return
    if options.check:
        raise InputError(options.document, 0, "its table of pairs and releases is not that of the tables; "
                         f"run gen/support.py --tables {options.tables} {options.document}")
    with open(options.document, "w", encoding="utf-8") as file:
        file.write(new)


if __name__ == "__main__":
    command(main)
