#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads abi-tables/rank-variables, and writes rank_table.h: the variables by which launchers tell a process its place.

    rank_variables.py TABLE OUTPUT
"""

import re

from diagnostic import InputError, command, table_lines

# {launcher: (what it is called, [(fact, variable)])}
Launchers = dict[str, tuple[str, list[tuple[str, str]]]]

FACTS = ("rank", "size", "local_rank", "local_size", "node", "job", "socket", "connection", "command", "arguments")
# In rank_table.h a name has room for 29 characters.
NAME = re.compile(r"[A-Z][A-Z0-9_]{,28}$")
BEGINNING = re.compile(r"[A-Z][A-Za-z0-9_]{,28}$")


def load(path: str) -> Launchers:
    """The lines of each launcher, in the table's order."""
    names: dict[str, str] = {}
    variables: dict[str, list[tuple[str, str]]] = {}
    for number, words in table_lines(path):
        if len(words) < 3 or words[1] not in ("called", *FACTS):
            raise InputError(path, number, f"'{' '.join(words)}' is not a launcher, one of called, {', '.join(FACTS)}, and a value")
        name, key, value = words[0], words[1], " ".join(words[2:])
        own = variables.setdefault(name, [])
        if key == "called":
            if len(name) > 11 or len(value) > 31:
                raise InputError(path, number, f"'{name}' and '{value}' are longer than rank_table.h has room for")
            names[name] = value
        elif not (BEGINNING if key == "connection" else NAME).match(value):
            raise InputError(path, number, f"'{value}' is not a variable")
        elif (key, value) in own:
            raise InputError(path, number, f"{value} of {name} is listed twice")
        else:
            own.append((key, value))
    for name, own in variables.items():
        if name not in names or "rank" not in dict(own):
            raise InputError(path, 0, f"launcher {name} has no {'rank' if name in names else 'called'}")
    return {name: (names[name], own) for name, own in variables.items()}


def emit(launchers: Launchers) -> str:
    """rank_table.h, for process/rank_variables.c."""
    lines = ["static const struct rank_launcher launchers[] = {"]
    lines += [f'    {{ "{name}", "{called}" }},' for name, (called, _) in launchers.items()]
    lines += ["};", "static const struct rank_variable variables[] = {"]
    for number, (_, variables) in enumerate(launchers.values()):
        lines += [f'    {{ {number}, RANK_{fact.upper()}, "{variable}" }},' for fact, variable in variables]
    return "\n".join(lines + ["};", ""])


def main(arguments: list[str]) -> None:
    if len(arguments) != 2:
        raise InputError("rank_variables.py", 0, "give the table and the file to write")
    text = emit(load(arguments[0]))
    with open(arguments[1], "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    command(main)
