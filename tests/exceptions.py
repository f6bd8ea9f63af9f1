#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads lists of exceptions: what fails, or differs, and is known. Every list of tests/ is read by this.

  exceptions.py rows FILE COLUMNS   prints the lines of a list, without comments
  exceptions.py check FILE...       says what is wrong with the form of these lists

A list has a line for each exception, with tabs between the columns. Its last comment that has tabs names the columns; a list
without such a comment has COLUMNS, which its reader expects. A column in brackets may be left out. These have a meaning here:

  reason     why the exception remains: never empty
  releases   those that have it: single ones and spans A-B, with commas between; * for any where the list's comments say so
  how        what becomes of a listed check: `fails` is run, and has to fail; `ends` and `hangs`, which end the job or never
             return, `spoils`, which makes later checks fail, and `sometimes`, which is not deterministic, are not run

No two lines are alike but for the reason.
"""
import re
import sys

HOWS = ("fails", "ends", "hangs", "spoils", "sometimes")
RELEASE = r"\d+\.\d+(\.\d+)?"
RELEASES = re.compile(rf"{RELEASE}(-{RELEASE})?(,{RELEASE}(-{RELEASE})?)*|\*")


class Malformed(ValueError):
    """A list, or a line of one, that has not the form above."""


def spans_backwards(releases):
    spans = [[[int(part) for part in release.split(".")] for release in span.split("-")] for span in releases.split(",") if span != "*"]
    return any(span[0] > span[-1] for span in spans)


def fault_of(columns, row):
    """The fault of a line, or the empty text."""
    if row and not row[0]:
        return "the first column is empty; name what the line is about"
    optional = sum(column.startswith("[") for column in columns)
    if not len(columns) - optional <= len(row) <= len(columns):
        return f"{len(row)} columns; give {' '.join(columns)}, with tabs between"
    fields = dict(zip(columns, row))
    if not fields.get("reason", "-").strip():
        return "no reason; say why the exception remains"
    if "releases" in fields and not fields["releases"].strip():
        return "no releases; name those that have it"
    if "releases" in fields and (not RELEASES.fullmatch(fields["releases"]) or spans_backwards(fields["releases"])):
        return f"'{fields['releases']}' is no list of releases; give such as 4.1.4 or 4.0.2-5.0.2,6.0.0"
    if "how" in fields and fields["how"] not in HOWS:
        return f"'{fields['how']}' is no way to fail; give one of {' '.join(HOWS)}"
    return ""


def columns_of(comment):
    """The columns that a comment names; none if it has no tabs."""
    return [name.strip() for name in comment.lstrip("# ").rstrip("\n").split("\t")] if "\t" in comment else None


def read(path, expected=""):
    """The rows of a list, whose reader expects these columns; raises Malformed."""
    columns, found, seen = expected.split(), [], {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#"):
                columns = columns_of(line) or columns
            elif line.strip():
                row = line.rstrip("\n").split("\t")
                if "reason" not in columns:
                    raise Malformed(f"{path}:{number}: no comment names the columns, reason among them; add one")
                fault = fault_of(columns, row)
                if fault:
                    raise Malformed(f"{path}:{number}: {fault}")
                key = tuple(text for column, text in zip(columns, row) if column != "reason")
                if key in seen:
                    raise Malformed(f"{path}:{number}: the same as line {seen[key]}; leave one")
                seen[key] = number
                found.append(row)
    return found


def rows(path, expected=""):
    """The same; ends the program if the list is malformed."""
    try:
        return read(path, expected)
    except Malformed as error:
        sys.exit(f"exceptions.py: {error}")


def check(paths):
    failed = False
    for path in paths:
        try:
            read(path)
        except Malformed as error:
            print(error)
            failed = True
    return failed


def main(arguments):
    if len(arguments) >= 2 and arguments[0] == "check":
        sys.exit(check(arguments[1:]))
    if len(arguments) == 3 and arguments[0] == "rows":
        for row in rows(*arguments[1:]):
            print(*row, sep="\t")
        return
    sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
