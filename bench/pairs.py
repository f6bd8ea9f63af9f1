# SPDX-License-Identifier: BSD-3-Clause
"""The pairs and families that the benchmark measures: those of the tables whose programs and hosts are an
implementation's, which is there to compare with."""
import pathlib

TABLES = pathlib.Path(__file__).resolve().parent.parent / "abi-tables"


def lines(table):
    return [line.split() for line in (TABLES / table).read_text(encoding="utf-8").splitlines()
            if line and not line.startswith("#")]


IMPLEMENTATIONS = {words[0] for words in lines("implementations")}
PAIRS = tuple(words[0] for words in lines("pairs") if IMPLEMENTATIONS.issuperset(words[0].split("-to-")))
FAMILIES = tuple(dict.fromkeys(pair.split("-to-")[0] for pair in PAIRS))
NAMES = {words[0]: " ".join(words[2:]) for words in lines("families") if words[1] == "called"}
