# SPDX-License-Identifier: BSD-3-Clause
"""Named constants and common blocks of mpif.h, with the Fortran compiler's values.

Names come from the statements; values from an object file that holds a variable for each, as in
cprobe.py: nothing is linked or run.
"""

import os
import re
from typing import Iterator

from diagnostic import InputError
from implementation import release_macros
from scanner import elf
from scanner.toolchain import Compiler

# The symbol, the size, and the variables with their offsets.
Block = tuple[str, int, list[tuple[str, int]]]
PATTERNS = {"int": "int({name}, 8)", "logical": "merge(1_8, 0_8, {name})"}
WANTED = re.compile(rf"MPI[XO]?_\w+$|{release_macros().pattern}", re.I)


def _find(compiler: Compiler, header: str) -> str:
    """The file that the compiler includes, by its rule for make. A wrapper that is told to preprocess alone may not
    hand on the folders that it hands on else."""
    rule = os.path.join(compiler.folder, "find.d")
    compiler.call("find.F90", f'#include "{header}"\nend\n', ["-cpp", "-w", "-fsyntax-only", "-MD", "-MF", rule])
    with open(rule, encoding="utf-8", errors="replace") as file:
        found = re.search(r"((?:\\ |\S)*/" + re.escape(header) + r")(?=\s)", file.read())
    if not found:
        raise InputError(header, 0, "the compiler did not say where it found the header")
    return found[1].replace("\\ ", " ")


def _statements(path: str) -> Iterator[str]:
    """The statements of an include file and of those it includes. Such files are written so as
    to be both fixed and free form: comments begin with '!', continued lines end in '&'."""
    folder, text = os.path.dirname(path), ""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise InputError(path, 0, f"cannot read: {error.strerror}") from error
    for line in lines:
        line = line.partition("!")[0].rstrip()
        if text.endswith("&"):
            text = text.rstrip("&") + " " + re.sub(r"^\s*&", "", line)
        elif line.strip():
            text += "\n" + line.strip()
    for statement in text.split("\n"):
        include = re.match(r"include\s+['\"](.+)['\"]", statement, re.I)
        if include:
            yield from _statements(os.path.join(folder, include[1]))
        elif statement:
            yield statement


def _declarations(path: str) -> tuple[list[str], dict[str, list[str]]]:
    """(names of parameters, variables by common block's name)."""
    parameters: list[str] = []
    commons: dict[str, list[str]] = {}
    for statement in _statements(path):
        found = re.match(r"(?:.*,\s*)?parameter\b(.*)", statement, re.I)
        if found:
            parameters += [name.upper() for name in re.findall(r"[(,:]\s*(\w+)\s*=(?!=)", found[1])]
        found = re.match(r"common\s*/\s*(\w+)\s*/(.*)", statement, re.I)
        if found:
            commons.setdefault(found[1].lower(), []).extend(found[2].upper().replace(" ", "").split(","))
    return [name for name in dict.fromkeys(parameters) if WANTED.match(name)], commons


def _module(header: str, expressions: list[str]) -> str:
    rows = "".join(f'integer(8), bind(C, name="scanned_{number}") :: scanned_{number} = {expression}\n'
                   for number, expression in enumerate(expressions))
    return f"module scanned\ninclude '{header}'\n{rows}end module\n"


def _rejected(compiler: Compiler, text: str) -> set[int]:
    """Numbers of the expressions that the compiler rejects."""
    _, messages = compiler.call("module.f90", text, ["-w", "-fsyntax-only", "-fdiagnostics-color=never"], False)
    lines = {int(line) for line in re.findall(r"module\.f90:(\d+):\d+:$", messages, re.M)}
    return {line - 3 for line in lines}


def _values(compiler: Compiler, header: str, expressions: list[str]) -> tuple[list[int], dict[str, int]]:
    """(values of the expressions, sizes of common blocks by symbol)."""
    path = compiler.compile("module.f90", _module(header, expressions), ["-fno-zero-initialized-in-bss"])
    words, values, commons = elf.numbers(path, ".data"), {}, {}
    for symbol in elf.object_symbols(path):
        if symbol.section == elf.COMMON:
            commons[symbol.name] = symbol.size
        elif symbol.name.startswith("scanned_"):
            values[int(symbol.name[8:])] = words[symbol.value // 8]
    if len(values) != len(expressions):
        raise InputError(header, 0, "the compiler left out parameters")
    return [values[number] for number in range(len(expressions))], commons


def _blocks(header: str, commons: dict[str, list[str]], sizes: dict[str, int], symbols: dict[str, int]) -> Iterator[Block]:
    """(symbol, size, [(variable, offset)]) of each common block."""
    for name, variables in sorted(commons.items()):
        offsets, at = [], 0
        for variable in variables:
            offsets.append((variable, at))
            at += sizes[variable]
        symbol = next((each for each in (name + "_", name) if each in symbols), None)
        if symbol is None or symbols[symbol] != at:
            raise InputError(header, 0, f"common block {name} is not {at} bytes in the object file")
        yield symbol, at, offsets


def scan(compiler: Compiler, header: str = "mpif.h") -> tuple[list[tuple[str, str, int]], list[Block]]:
    """([(name, kind, value)], [(symbol, size, [(variable, offset)])]) of the header."""
    names, commons = _declarations(_find(compiler, header))
    wrong = _rejected(compiler, _module(header, [PATTERNS["int"].format(name=name) for name in names]))
    kinds = ["logical" if number in wrong else "int" for number in range(len(names))]
    variables = [variable for block in commons.values() for variable in block]
    expressions = [PATTERNS[kind].format(name=name) for name, kind in zip(names, kinds)]
    values, symbols = _values(compiler, header, expressions + [f"sizeof({name})" for name in variables])
    sizes = dict(zip(variables, values[len(names):]))
    return list(zip(names, kinds, values)), list(_blocks(header, commons, sizes, symbols))
