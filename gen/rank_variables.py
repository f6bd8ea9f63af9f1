#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads abi-tables/rank-variables, and writes rank_table.h: the variables by which launchers tell a process its place.

    rank_variables.py TABLE OUTPUT
"""

import re
from diagnostic import InputError, command, table_lines

FACTS = ("rank", "size", "local_rank", "local_size", "node", "job", "command", "arguments")
NAME = re.compile(r"[A-Z][A-Z0-9_]*$")


def load(path):
    """{launcher: (what it is called, [(fact, variable)])} in the table's order."""
    launchers = {}
    for number, words in table_lines(path):
        if len(words) < 3 or words[1] not in ("called", *FACTS):
            raise InputError(path, number, f"'{' '.join(words)}' is not a launcher, one of called, {', '.join(FACTS)}, and a value")
        facts = launchers.setdefault(words[0], {"called": "", "variables": []})
        if words[1] == "called":
            facts["called"] = " ".join(words[2:])
        elif len(words) != 3 or not NAME.match(words[2]):
            raise InputError(path, number, f"'{' '.join(words[2:])}' is not a variable")
        elif (words[1], words[2]) in facts["variables"]:
            raise InputError(path, number, f"{words[2]} of {words[0]} stands twice")
        else:
            facts["variables"].append((words[1], words[2]))
    for name, facts in launchers.items():
        if not facts["called"] or "rank" not in dict(facts["variables"]):
            raise InputError(path, 0, f"launcher {name} has no {'rank' if facts['called'] else 'called'}")
    return {name: (facts["called"], facts["variables"]) for name, facts in launchers.items()}


def emit(launchers):
    """rank_table.h, for process/rank_variables.c."""
    lines = ["static const struct rank_launcher launchers[] = {"]
    lines += [f'    {{ "{name}", "{called}" }},' for name, (called, _) in launchers.items()]
    lines += ["};", "static const struct rank_variable variables[] = {"]
    for number, (_, variables) in enumerate(launchers.values()):
        lines += [f'    {{ {number}, RANK_{fact.upper()}, "{variable}" }},' for fact, variable in variables]
    return "\n".join(lines + ["};", ""])


def main(arguments):
    if len(arguments) != 2:
        raise InputError("rank_variables.py", 0, "give the table and the file to write")
    text = emit(load(arguments[0]))
    with open(arguments[1], "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    command(main)
