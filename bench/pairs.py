# SPDX-License-Identifier: BSD-3-Clause
"""The pairs and families that the benchmark measures, and their launchers: those of the tables whose programs and
hosts are an implementation's, which is there to compare with."""
import pathlib
import shutil

TABLES = pathlib.Path(__file__).resolve().parent.parent / "abi-tables"


def lines(table):
    return [line.split() for line in (TABLES / table).read_text(encoding="utf-8").splitlines()
            if line and not line.startswith("#")]


def facts(table):
    """{(name, key): values}; what has several values may have several lines."""
    found = {}
    for name, key, *values in lines(table):
        found.setdefault((name, key), []).extend(values)
    return found


MADE = {words[0] for words in lines("implementations")}
PAIRS = tuple(words[0] for words in lines("pairs") if MADE.issuperset(words[0].split("-to-")))
FAMILIES = tuple(dict.fromkeys(pair.split("-to-")[0] for pair in PAIRS))
NAMES = {family: " ".join(values) for (family, key), values in facts("families").items() if key == "called"}
FACTS = facts("implementations")
IMPLEMENTATIONS = {family: values[0] for (family, key), values in facts("families").items() if key == "implementations"}


def launcher(family):
    """The command that starts programs on a family's MPI: the first one that is there, or would be."""
    commands = FACTS[IMPLEMENTATIONS[family], "launchers"]
    return next(filter(shutil.which, commands), commands[0])


def giving(family, name, value):
    """The launcher's options that give processes a variable."""
    words = FACTS[IMPLEMENTATIONS[family], "gives"]
    return [word.replace("NAME", name, 1).replace("VALUE", value, 1) for word in words]


def anywhere(family):
    """The variables with which the launcher starts as root, and more processes than there are cores."""
    return dict(word.split("=", 1) for word in FACTS.get((IMPLEMENTATIONS[family], "anywhere"), ()))
