# SPDX-License-Identifier: BSD-3-Clause
"""Reads one implementation release's ABI table, the output of scan.py.

`load(folder)` gives an `AbiTable`. Anything malformed raises `diagnostic.InputError` with the
file and line it stands on. The format is described in abi-tables/FORMAT.md.
"""

import ast
import functools
import os
import re
from dataclasses import dataclass, field
from typing import Any, Iterator, Optional, TypeVar

from diagnostic import InputError, open_text

FILES = ("release", "constants", "types", "procedures", "exports", "fortran")
CONSTANT = re.compile(r"[A-Za-z_]\w*$")
SYMBOL = re.compile(r"[A-Za-z_][\w.$]*$")
ADDRESS = re.compile(r"[A-Za-z_][\w.$]*(\+[1-9][0-9]*)?$")
LIBRARY = re.compile(r"lib[\w+-]+\.so(\.[0-9]+)*$")
PROTOTYPE = re.compile(r"(?P<type>\w[\w ]*?[ *]+)(?P<name>P?MPI[XO]?_\w+)\((?P<params>.*)\)$")
CALLBACK = re.compile(r"typedef (?P<type>\w[\w ]*?[ *]+)(?P<name>MPI[XO]?_\w+)\((?P<params>.*)\)$")
PARAMETER = re.compile(r"(?P<type>\w[\w *]*[ *])(?P<name>[A-Za-z_]\w*)(?P<array>(\[\w*\])*)$")
TYPE = re.compile(r"(\w+) size (\S+) align (\S+)(?: (signed|unsigned))?(?: c (.+))?$")
FIELD = re.compile(r"(\w+)\.(\w+) offset (\S+) size (\S+)$")
STANDARD = re.compile(r"([1-9])\.([0-9]+)$")
WORD = re.compile(r"\S+$")
Value = TypeVar("Value")
LOWEST, HIGHEST = -2**63, 2**63 - 1
RANGES = {"int": (LOWEST, HIGHEST), "logical": (0, 1)}
BINDINGS = ("global", "weak", "unique")


@dataclass(frozen=True)
class Constant:
    """A named constant. `value` is an int (kinds int and pointer), a symbol with an optional
    +OFFSET (address), a symbol (variable) or text (string)."""
    name: str
    type: str
    kind: str
    value: Any
    line: int


@dataclass(frozen=True)
class Type:
    """A C type of the header; `signed` is None but for integers, `c` its spelling or None."""
    name: str
    size: int
    align: int
    signed: Optional[bool]
    c: Optional[str]
    line: int


@dataclass(frozen=True)
class Field:
    """A field of MPI_Status or another structure."""
    name: str
    offset: int
    size: int
    line: int


@dataclass(frozen=True)
class Prototype:
    """A procedure or callback type; `params` holds (type, name) pairs, '...' as ('...', '')."""
    name: str
    return_type: str
    params: tuple[tuple[str, str], ...]
    text: str
    line: int


@dataclass(frozen=True)
class Export:
    """A dynamic symbol; `type` is function or object, `size` is 0 for functions."""
    library: str
    type: str
    binding: str
    size: int
    symbol: str
    line: int


@dataclass(frozen=True)
class Common:
    """A Fortran common block: its symbol, size and (variable, offset) pairs."""
    symbol: str
    size: int
    variables: tuple[tuple[str, int], ...]
    line: int


@dataclass
class AbiTable:
    """Everything known about one release's ABI."""
    folder: str
    family: str = ""
    release: str = ""
    standard: tuple[int, ...] = ()
    sonames: list[str] = field(default_factory=list)
    constants: dict[str, Constant] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    fields: dict[str, dict[str, Field]] = field(default_factory=dict)
    procedures: dict[str, Prototype] = field(default_factory=dict)
    callbacks: dict[str, Prototype] = field(default_factory=dict)
    unprofiled: dict[str, int] = field(default_factory=dict)
    exports: list[Export] = field(default_factory=list)
    needs: dict[str, list[str]] = field(default_factory=dict)
    relro: dict[str, str] = field(default_factory=dict)
    fortran: dict[str, int] = field(default_factory=dict)
    commons: dict[str, Common] = field(default_factory=dict)

    @property
    def status_fields(self) -> dict[str, Field]:
        """The fields of MPI_Status by name."""
        return self.fields.get("MPI_Status", {})

    @functools.cached_property
    def exported(self) -> set[str]:
        """Every symbol that one of its libraries exports."""
        return {export.symbol for export in self.exports}


class _File:
    """Lines of one file of the table, and the means to complain about the current one."""

    def __init__(self, path: str) -> None:
        self.path, self.line = path, 0

    def __iter__(self) -> Iterator[str]:
        try:
            with open_text(self.path) as file:
                lines = file.read().splitlines()
        except OSError as error:
            raise InputError(self.path, 0, f"cannot read: {error.strerror}") from error
        for self.line, text in enumerate(lines, 1):
            if text and not text.startswith("#"):
                yield text
        self.line = 0

    def error(self, message: str) -> InputError:
        return InputError(self.path, self.line, message)

    def match(self, pattern: re.Pattern[str], text: str, what: str) -> re.Match[str]:
        found = pattern.match(text)
        if not found:
            raise self.error(f"malformed {what} '{text}'")
        return found

    def number(self, text: str, low: int = 0, high: int = HIGHEST) -> int:
        if not re.fullmatch(r"0|-?[1-9][0-9]*", text):
            raise self.error(f"'{text}' is not a decimal number")
        if not low <= int(text) <= high:
            raise self.error(f"{text} is out of range")
        return int(text)

    def put(self, table: dict[str, Value], name: str, value: Value, what: str) -> None:
        if name in table:
            raise self.error(f"{what} {name} is listed twice")
        table[name] = value

    def words(self, text: str, count: int, what: str) -> list[str]:
        words = text.split(" ")
        if len(words) != count or "" in words:
            raise self.error(f"malformed {what} '{text}'")
        return words


def _release(table: AbiTable, file: _File) -> None:
    for text in file:
        key, _, value = text.partition(" ")
        if key == "release":
            _, table.family, table.release = file.words(text, 3, "release")
        elif key == "standard":
            found = file.match(STANDARD, value, "standard")
            table.standard = (int(found[1]), int(found[2]))
        elif key == "soname":
            file.match(LIBRARY, value, "soname")
            table.sonames.append(value)
        else:
            raise file.error(f"unknown statement '{key}'")
    for key, is_there in (("release", bool(table.release)), ("standard", bool(table.standard))):
        if not is_there:
            raise file.error(f"no '{key}' statement")


def _string(file: _File, text: str) -> str:
    try:
        value = ast.literal_eval(text) if text.startswith('"') else None
    except (SyntaxError, ValueError):
        value = None
    if not isinstance(value, str):
        raise file.error(f"malformed string {text}")
    return value


def _constants(table: AbiTable, file: _File) -> None:
    for text in file:
        words = text.split(" ", 3)
        if len(words) != 4:
            raise file.error("a constant needs a name, a type, a kind and a value")
        name, ctype, kind, text = words
        value: Any = text
        file.match(CONSTANT, name, "name")
        file.match(CONSTANT, ctype, "type")
        if kind in ("int", "pointer"):
            value = file.number(text, LOWEST)
        elif kind == "address":
            file.match(ADDRESS, text, "address")
        elif kind == "variable":
            file.match(SYMBOL, text, "symbol")
        elif kind == "string":
            value = _string(file, text)
        else:
            raise file.error(f"unknown kind '{kind}' of {name}")
        file.put(table.constants, name, Constant(name, ctype, kind, value, file.line), "constant")


def _types(table: AbiTable, file: _File) -> None:
    for text in file:
        found = FIELD.match(text)
        if found:
            fields = table.fields.setdefault(found[1], {})
            file.put(fields, found[2], Field(found[2], file.number(found[3]), file.number(found[4]),
                                             file.line), "field")
            continue
        found = file.match(TYPE, text, "type")
        signed = None if found[4] is None else found[4] == "signed"
        file.put(table.types, found[1], Type(found[1], file.number(found[2]), file.number(found[3], 1),
                                             signed, found[5], file.line), "type")
    for name, fields in table.fields.items():
        for entry in fields.values():
            if name not in table.types or entry.offset + entry.size > table.types[name].size:
                file.line = entry.line
                raise file.error(f"field {entry.name} lies outside of {name}")


@functools.cache
def _parameter(text: str) -> Optional[tuple[str, str]]:
    """(type, name); an array's brackets belong to its type, as in 'const int[]'. None if it is malformed."""
    found = PARAMETER.match(text)
    if found and not re.fullmatch(r"\w+", text):
        return found["type"].strip() + found["array"], found["name"]
    return (text, "") if text and re.fullmatch(r"[\w *]+(\[\w*\])*|\.\.\.", text) else None


def _parameters(file: _File, text: str) -> tuple[tuple[str, str], ...]:
    """The (type, name) pairs of a prototype."""
    parameters = []
    for part in [] if text == "void" else text.split(", "):
        parameter = _parameter(part)
        if parameter is None:
            raise file.error(f"malformed parameter '{part}'")
        parameters.append(parameter)
    return tuple(parameters)


def _procedures(table: AbiTable, file: _File) -> None:
    for text in file:
        if text.startswith("unprofiled "):
            name = file.words(text, 2, "unprofiled")[1]
            file.put(table.unprofiled, name, file.line, "unprofiled procedure")
            continue
        callback = text.startswith("typedef ")
        found = file.match(CALLBACK if callback else PROTOTYPE, text, "prototype")
        entry = Prototype(found["name"], found["type"].strip(), _parameters(file, found["params"]), text, file.line)
        file.put(table.callbacks if callback else table.procedures, entry.name, entry,
                 "callback type" if callback else "procedure")
    for name, file.line in table.unprofiled.items():
        if name not in table.procedures:
            raise file.error(f"unprofiled procedure {name} is not declared")


def _export(file: _File, library: str, kind: str, words: list[str]) -> Export:
    symbol = file.match(SYMBOL, words[1], "symbol")[0]
    if kind == "object":
        return Export(library, kind, "", file.number(words[0]), symbol, file.line)
    if words[0] not in BINDINGS:
        raise file.error(f"unknown binding '{words[0]}'")
    return Export(library, kind, words[0], 0, symbol, file.line)


def _exports(table: AbiTable, file: _File) -> None:
    seen, libraries = set(), set()
    for text in file:
        library, _, rest = text.partition(" ")
        if library not in libraries:
            libraries.add(file.match(LIBRARY, library, "library")[0])
        kind, _, rest = rest.partition(" ")
        if kind in ("function", "object"):
            entry = _export(file, library, kind, file.words(rest, 2, "export"))
            if (library, entry.symbol) in seen:
                raise file.error(f"symbol {entry.symbol} of {library} is listed twice")
            seen.add((library, entry.symbol))
            table.exports.append(entry)
        elif kind == "needs":
            table.needs.setdefault(library, []).append(file.match(WORD, rest, "library")[0])
        elif kind == "relro":
            if rest not in ("none", "partial", "full"):
                raise file.error(f"unknown protection '{rest}'")
            file.put(table.relro, library, rest, "protection of")
        else:
            raise file.error(f"unknown statement '{kind}'")


def _common(file: _File, words: list[str]) -> Common:
    if len(words) < 4:
        raise file.error("a common block needs a symbol, a size and variables")
    size, variables = file.number(words[2]), []
    for word in words[3:]:
        name, plus, offset = word.partition("+")
        file.match(CONSTANT, name, "name")
        variables.append((name, file.number(offset, 0, size - 1) if plus else 0))
    return Common(file.match(SYMBOL, words[1], "symbol")[0], size, tuple(variables), file.line)


def _fortran(table: AbiTable, file: _File) -> None:
    for text in file:
        words = text.split(" ")
        if words[0] == "common":
            common = _common(file, words)
            file.put(table.commons, common.symbol, common, "common block")
        else:
            name, kind, value = file.words(text, 3, "parameter")
            file.match(CONSTANT, name, "name")
            if kind not in RANGES:
                raise file.error(f"unknown kind '{kind}' of {name}")
            file.put(table.fortran, name, file.number(value, *RANGES[kind]), "parameter")


READERS = dict(zip(FILES, (_release, _constants, _types, _procedures, _exports, _fortran)))


def load(folder: str) -> AbiTable:
    """Reads the table in `folder`."""
    table = AbiTable(folder)
    for name, read in READERS.items():
        read(table, _File(os.path.join(folder, name)))
    return table
