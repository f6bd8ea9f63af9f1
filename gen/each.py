#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes plain C from a source of which parts are the same for several classes of handles, or rows of any other table.

    each.py SOURCE OUTPUT

Such a part stands between these comments, and is written once for each row. A $name in it is the row's value:

    /* each
     * class     to_host
     * comm      comm_to_host
     * datatype  distinct_datatype
     */
    static host_$class named_$class(app_$class handle) { return $to_host(handle); }
    /* end */

Two spaces or more separate columns, and a dash stands for no text. A column `class` gives three more: $Class is its name in procedures
(Comm, Type), $CLASS the class in capitals (COMM, DATATYPE), and $NAME the name in constants (COMM, TYPE).
"""

import argparse
import os
import re
from string import Template
from typing import Iterator

from diagnostic import InputError, command, open_text

# Classes whose name in procedures is another one.
OTHER_NAMES = {"datatype": "Type"}

# (line number, text) of lines that are left.
Lines = Iterator[tuple[int, str]]


def class_names(handle: str) -> dict[str, str]:
    """The names of a class of handles."""
    name = OTHER_NAMES.get(handle, handle.capitalize())
    return {"class": handle, "Class": name, "CLASS": handle.upper(), "NAME": name.upper()}


def _rows(path: str, start: int, lines: Lines) -> list[dict[str, str]]:
    """The table of a part that begins in line `start`, up to the end of its comment."""
    columns: list[str] = []
    rows: list[dict[str, str]] = []
    for number, line in lines:
        if line == " */":
            break
        words = re.split("  +", line.removeprefix(" * ").strip())
        if not line.startswith(" * ") or (columns and len(words) != len(columns)):
            raise InputError(path, number, f"'{line.strip()}' is not a row of {len(columns) or 'some'} columns")
        if columns:
            row = {column: "" if word == "-" else word for column, word in zip(columns, words)}
            rows.append({**class_names(row["class"]), **row} if "class" in row else row)
        else:
            columns = words
    if not rows:
        raise InputError(path, start, "no row follows")
    return rows


def _part(path: str, start: int, lines: Lines) -> Iterator[str]:
    """The text of a part that begins in line `start`, once for each row."""
    rows = _rows(path, start, lines)
    body: list[tuple[int, str]] = []
    for number, line in lines:
        if line.strip() == "/* end */":
            break
        body.append((number, line))
    else:
        raise InputError(path, start, "no /* end */ follows")
    for row in rows:
        if row is not rows[0] and len(body) > 1:
            yield ""
        for number, line in body:
            try:
                yield Template(line).substitute(row)
            except (KeyError, ValueError) as error:
                raise InputError(path, number, f"'{line.strip()}' has a $name that is not one of {', '.join(sorted(row))}") from error


def expand(path: str) -> str:
    """The text of a source with each of its parts written out."""
    with open_text(path) as file:
        lines = enumerate(file.read().splitlines(), 1)
    texts: list[str] = []
    for number, line in lines:
        if line == "/* each":
            texts += _part(path, number, lines)
        elif line.strip() == "/* end */":
            raise InputError(path, number, "no /* each comes before it")
        else:
            texts.append(line)
    return "\n".join([*texts, ""])


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Write out the parts of a source that are the same for several classes.")
    parser.add_argument("source", help="file of C with such parts")
    parser.add_argument("output", help="file to write")
    options = parser.parse_args(arguments)
    text = expand(options.source)
    os.makedirs(os.path.dirname(options.output), exist_ok=True)
    # Its time is always new: make would write a source again and again that was touched, and is as before.
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    command(main, "cannot read: ")
