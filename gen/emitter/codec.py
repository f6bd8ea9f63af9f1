# SPDX-License-Identifier: BSD-3-Clause
"""Reads abi-tables/codecs: which template has the functions that convert a class of handles."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Optional

from diagnostic import InputError, table_lines

if TYPE_CHECKING:
    from emitter.pair import Pair

# How a side represents a class of handles: what kind of constant its predefined ones are, and a
# handle's size. A pointer's predefined values are less than PREDEFINED_CODES (adapter-c/convert/predefined.h).
REPRESENTATIONS = {"object": ("address", 8), "int": ("int", 4), "pointer": ("pointer", 8)}
PREDEFINED_CODES = 0x400


# The values of predefined handles: numbers, or symbols of addresses.
Values = list[Any]


def _only_null(ours: Values, theirs: Values) -> bool:
    return len(set(ours)) == 1


def _positive(ours: Values, theirs: Values) -> bool:
    return all(0 <= value < 1 << 31 for value in theirs)


def table_range(values: list[int]) -> Optional[tuple[int, int]]:
    """(first, span) of the numbers that most of a class's predefined handles are looked up by, or None
    where they are told apart by comparisons. Numbers of one kind have the upper 6 bits in common."""
    kinds: dict[int, list[int]] = {}
    for value in set(values):
        kinds.setdefault(value >> 26, []).append(value)
    kind, members = max(kinds.items(), key=lambda row: len(row[1]))
    first, span = kind << 26, max(members) - (kind << 26) + 1
    return (first, span) if len(members) > 4 and first >= 0 and span <= 1 << 16 else None


def _range(ours: Values, theirs: Values) -> bool:
    return table_range(ours) is not None


def _any(ours: Values, theirs: Values) -> bool:
    return True


# Conditions that a line may set on the values of the application's and the host's predefined handles.
CONDITIONS: dict[str, Callable[[Values, Values], bool]] = {"null": _only_null, "positive": _positive, "range": _range, "any": _any}
# Conditions on values that are numbers: addresses are known only when the program runs.
NUMBERS = {"positive": 1, "range": 0}
TRAITS = ("table", "lent")


@dataclass(frozen=True)
class Codec:
    """One line of the table."""
    representations: tuple[str, ...]
    condition: str
    name: str
    traits: tuple[str, ...]

    def fits(self, representations: tuple[str, ...], values: tuple[Values, Values]) -> bool:
        return self.representations == representations and CONDITIONS[self.condition](*values)


class Codecs:
    """The table, in its order."""

    def __init__(self, path: str, codecs: list[Codec]) -> None:
        self.path, self.codecs = path, codecs

    def choose(self, pair: "Pair", handle: str, values: tuple[Values, Values]) -> Codec:
        """The codec of a class; `values` are those of either side's predefined handles."""
        representations = tuple(side.representations[handle] for side in (pair.application, pair.host))
        for codec in self.codecs:
            if codec.fits(representations, values):
                return codec
        raise InputError(self.path, 0, f"no codec for {handle} of {pair.name}, from {' to '.join(representations)}")


def _codec(path: str, number: int, words: list[str]) -> Codec:
    if len(words) < 4 or not set(words[:2]) <= set(REPRESENTATIONS):
        raise InputError(path, number, f"a codec needs two of {', '.join(REPRESENTATIONS)}, a condition and a codec")
    if words[2] not in CONDITIONS:
        raise InputError(path, number, f"'{words[2]}' is not one of {', '.join(CONDITIONS)}")
    if words[2] in NUMBERS and words[NUMBERS[words[2]]] == "object":
        raise InputError(path, number, f"'{words[2]}' does not apply to addresses")
    for trait in words[4:]:
        if trait not in TRAITS:
            raise InputError(path, number, f"'{trait}' is not one of {', '.join(TRAITS)}")
    if "table" in words[4:] and words[0] != "pointer" and words[2] != "range":
        raise InputError(path, number, "'table' looks up pointers of the application, or its numbers in a range")
    return Codec(tuple(words[:2]), words[2], words[3], tuple(words[4:]))


def load_codecs(path: str) -> Codecs:
    """The table of codecs; a line that no class can reach is an error."""
    codecs: list[Codec] = []
    for number, words in table_lines(path):
        codec = _codec(path, number, words)
        if any(other.representations == codec.representations and other.condition in ("any", codec.condition)
               for other in codecs):
            raise InputError(path, number, "an earlier line covers all that this one does")
        codecs.append(codec)
    return Codecs(path, codecs)
