#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Keeps what became of the programs of docs/host-faults, by release, and writes the table of their page.

    index.py write FILE...    takes what `run` printed into seen.tsv, and writes the page
    index.py page             prints the page as seen.tsv wants it
    index.py compare FILE     says what `run` printed that seen.tsv does not say: a fault that is gone, or a new one
"""
import pathlib
import re
import sys
from datetime import datetime, timezone

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE.parent.parent / "docs" / "host-faults"
PAGE, SEEN = PROGRAMS / "README.md", HERE / "seen.tsv"
BEGIN, END = "<!-- Made by tests/host-faults/index.py. -->\n", "<!-- The end of what it makes. -->\n"
SIGNS = {"shows": "**shows**", "right": "right", "absent": "-"}
KEYS = ("of", "section", "expected", "actual")


class Malformed(ValueError):
    """A program whose comment does not say what it has to."""


def programs():
    return sorted(path for path in PROGRAMS.iterdir() if path.suffix in (".c", ".f90"))


def comment_of(path):
    """The title and {key: value} of a program's first comment."""
    lines = [re.sub(r"^(/\*| \*/?|!) ?", "", line).removesuffix(" */") for line in path.read_text(encoding="utf-8").splitlines()
             if re.match(r"/\*| \*|!", line)]
    said = dict(line.split(": ", 1) for line in lines[2:] if ": " in line)
    missing = [key for key in KEYS if not said.get(key)]
    if missing or len(lines) < 2 or not lines[1].endswith("."):
        raise Malformed(f"{path.name}: its comment has no {' and no '.join(missing or ['title'])}")
    return lines[1], said


def rows(path, column=3):
    """{(program, implementation, release): outcome}; of seen.tsv, column 4 has the days."""
    if not path.exists():
        return {}
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return {tuple(line[:3]): line[column] for line in lines}


def recorded():
    days = sorted(set(rows(SEEN, 4).values()))
    return f"Recorded on {days[0]}." if len(days) == 1 else f"Recorded from {days[0]} to {days[-1]}."


def version(release):
    return [int(part) for part in release.split(".")]


def releases(seen):
    """(implementation, release) of each column, the newest last."""
    return sorted({key[1:] for key in seen}, key=lambda column: (column[0] == "MPICH", version(column[1])))


def table(seen):
    columns = releases(seen)
    yield "| fault | of | section | " + " | ".join(" ".join(column) for column in columns) + " |"
    yield "|---|---|---|" + "---|" * len(columns)
    for path in programs():
        title, said = comment_of(path)
        cells = [SIGNS.get(seen.get((path.stem, *column), ""), "") for column in columns]
        yield f"| [{path.stem}]({path.name}): {title} | {said['of']} | {said['section']} | " + " | ".join(cells) + " |"


def page(seen):
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return before + BEGIN + "\n" + "\n".join(table(seen)) + f"\n\n{recorded()}\n\n" + END + rest.partition(END)[2]


def write(*paths):
    seen, days, names = rows(SEEN), rows(SEEN, 4), {path.stem for path in programs()}
    today = datetime.now(timezone.utc).date().isoformat()
    for path in paths:
        found = rows(pathlib.Path(path))
        seen.update(found)
        days.update(dict.fromkeys(found, today))
    unlike = [key for key, outcome in seen.items() if outcome not in SIGNS]
    for key in unlike:
        print(f"{' '.join(key)}: {seen.pop(key)}")
    head = [line for line in SEEN.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    lines = ["\t".join((*key, seen[key], days[key])) for key in sorted(seen) if key[0] in names]
    SEEN.write_text("\n".join(head + lines) + "\n", encoding="utf-8")
    PAGE.write_text(page(rows(SEEN)), encoding="utf-8")
    for column in releases(seen):
        of = [outcome for key, outcome in seen.items() if key[1:] == column]
        print(f"{' '.join(column)}: {of.count('shows')} of {len(of)} faults show, {of.count('right')} do not, "
              f"{of.count('absent')} need what it lacks")
    return 1 if unlike else 0


def compare(path):
    """Prints the outcomes that differ from seen.tsv. A release on which a program was never tried does not differ."""
    seen, found = rows(SEEN), rows(pathlib.Path(path))
    different = [key for key in found if key in seen and found[key] != seen[key]]
    for key in different:
        print(f"{' '.join(key)}: {found[key]}, which seen.tsv calls {seen[key]}; run make check-host-faults")
    return 1 if different or not found else 0


def main(command, *arguments):
    try:
        if command == "page":
            sys.stdout.write(page(rows(SEEN)))
            return 0
        return {"write": write, "compare": compare}[command](*arguments)
    except Malformed as error:
        print(f"index.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if sys.argv[1:2] and sys.argv[1] in ("write", "page", "compare") else __doc__)
