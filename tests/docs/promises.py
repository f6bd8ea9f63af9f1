#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the lists of docs/promises.md with the code.

    promises.py KIND FILE     the list of KIND on the page, and the names in FILE, one a line

KIND is a comment on the page: Options, Settings, Variables, Pairs, Functions. A line of Options is SUBCOMMAND OPTION, and one of
Settings is SETTING VARIABLE. A name that the page alone has was promised and is gone. One that FILE alone has is new: put it on the page.
"""

import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/promises.md"


def names(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def promised(kind: str, page: str) -> set[str]:
    """Returns the list behind the comment of a kind, up to the next text."""
    lines = page.partition(f"<!-- {kind}. -->\n")[2].split("\n\n")[0].splitlines()
    if kind == "Functions":
        return set(names("\n".join(lines)))
    rows = [line.strip("|").split("|") for line in lines[2:]]
    if kind == "Options":
        return {" ".join((names(row[0])[0], option)) for row in rows for option in names(row[1]) or [""]}
    if kind == "Settings":
        return {f"{setting} {names(row[1])[0]}" for row in rows for setting in names(row[0])}
    if kind == "Pairs":
        return {name for row in rows for cell in row for name in names(cell)}
    return {name for row in rows for name in names(row[0])}


def main(kind: str = "", file: str = "") -> int:
    if not file:
        sys.exit(__doc__)
    on_page, found = promised(kind, PAGE.read_text()), {line for line in Path(file).read_text().split("\n") if line}
    on_page = {name.strip() for name in on_page}
    for name in sorted(on_page - found):
        print(f"docs/promises.md: error: '{name}' is promised and gone; bring it back, or announce it as the page says")
    for name in sorted(found - on_page):
        print(f"docs/promises.md: error: '{name}' is new and not promised; add it to {kind}")
    return 1 if on_page != found or not on_page else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
