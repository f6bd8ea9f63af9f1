# SPDX-License-Identifier: BSD-3-Clause
"""Reads abi-tables/implementations, for the scanner and the emitter."""

import os
import re
from dataclasses import dataclass

from diagnostic import InputError, table_lines

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "abi-tables", "implementations")
KEYS = ("version", "launchers", "launcher", "slurm")
OPTIONAL_KEYS = ("told", "answers", "info_env", "universe", "spawn_environment", "spawn_command", "programs", "marks", "inside",
                 "inside_start", "inside_state", "inside_major", "inside_has",
                 "says", "gives", "starts", "ahead", "anywhere", "packages", "installed", "release", "macros", "vendors", "hidden",
                 "exports", "fortran_exports", "file_prefixes", "maker",
                 "maker_release", "maker_exports", "maker_prefix")
# Keys that may come several times: a list, one value a line.
LISTS = ("launchers", "inside_state", "inside_has", "marks", "ahead", "anywhere", "installed", "macros", "vendors", "exports",
         "fortran_exports")


@dataclass(frozen=True)
class Implementation:
    """One implementation's lines."""
    name: str
    facts: dict[str, list[str]]

    def words(self, key: str) -> list[str]:
        return self.facts.get(key, [])

    def text(self, key: str) -> str:
        return " ".join(self.words(key))

    @property
    def launchers(self) -> list[str]:
        return self.facts["launchers"]

    @property
    def kind(self) -> str:
        return self.text("launcher")


def _facts(path: str) -> dict[str, dict[str, list[str]]]:
    """{implementation: {key: values}}."""
    implementations: dict[str, dict[str, list[str]]] = {}
    for number, words in table_lines(path):
        if len(words) < 3 or words[1] not in KEYS + OPTIONAL_KEYS:
            raise InputError(path, number, f"'{' '.join(words)}' is not an implementation, one of {', '.join(KEYS)}, "
                             "and values")
        facts = implementations.setdefault(words[0], {})
        if words[1] in facts and (words[1] not in LISTS or words[2] in facts[words[1]]):
            raise InputError(path, number, f"{words[1]} of {words[0]} is listed twice")
        if words[1] in LISTS and len(words) != 3:
            raise InputError(path, number, f"{words[1]} of {words[0]} has {len(words) - 2} values in a line; give each a line of its own")
        facts.setdefault(words[1], []).extend(words[2:])
    return implementations


def load(path: str = TABLE) -> dict[str, Implementation]:
    """{name: Implementation} in the table's order."""
    implementations = {name: Implementation(name, facts) for name, facts in _facts(path).items()}
    for name, implementation in implementations.items():
        missing = [key for key in KEYS if key not in implementation.facts]
        if missing:
            raise InputError(path, 0, f"implementation {name} has no {missing[0]}")
    return implementations


def words_of_all(key: str) -> list[str]:
    """The values of a key, of all implementations."""
    return [word for implementation in load().values() for word in implementation.words(key)]


def beginning(common: str, key: str) -> re.Pattern[str]:
    """A pattern of names: the `common` one, or what implementations have under a key."""
    own = [re.escape(word[:-1]) + "$" if word.endswith("$") else re.escape(word) for word in words_of_all(key)]
    return re.compile("|".join([common, *own]))


def release_macros() -> re.Pattern[str]:
    """A pattern of the macros in headers that tell of an implementation's release."""
    return re.compile("(" + "|".join(words_of_all("release") + words_of_all("macros")) + ")$")
