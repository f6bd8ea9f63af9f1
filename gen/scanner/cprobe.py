# SPDX-License-Identifier: BSD-3-Clause
"""Values and layouts as the compiler computes them.

A probe is a table of 8-byte words in a section of an object file. It is neither linked nor run:
a word is a number, or a relocation that names the symbol whose address it is. So the libraries
need not be loadable here.
"""

from collections import namedtuple
from typing import Optional, Union

from diagnostic import InputError
from scanner import elf
from scanner.cheader import Header
from scanner.toolchain import Compiler

Value = namedtuple("Value", "type kind value")
STRING_MAX = 4096
NOT_HANDLES = {"MPI_Aint", "MPI_Count", "MPI_Offset", "MPI_Fint", "MPI_Status"}
INTEGER, POINTER = 1, 5    # what __builtin_classify_type says


def _words(compiler: Compiler, text: str, expressions: list[str]) -> list[int]:
    """The values of expressions as words."""
    members = "".join(f"long long m{number};" for number in range(len(expressions)))
    rows = "".join(f"(long long)({expression}),\n" for expression in expressions)
    source = (f"{text}const struct {{ {members} }} probe_words "
              f'__attribute__((section(".probe_words"))) = {{\n{rows}}};\n')
    return elf.numbers(compiler.compile("words.c", source, ["-fno-pic"]), ".probe_words")


def _classes(header: Header) -> dict[str, list[int]]:
    """(class, is a string, size, number of its type) by name of constant."""
    types, rows = handle_types(header), []
    for name in header.constants:
        typeof = f"__typeof__({name})"
        chain = "".join(f"__builtin_types_compatible_p({typeof}, {ctype}) ? {number} : "
                        for number, ctype in enumerate(types, 1))
        for ctype in header.callbacks:
            chain += (f"__builtin_types_compatible_p({typeof}, {ctype}) || "
                      f"__builtin_types_compatible_p({typeof}, {ctype} *) ? -1 : ")
        rows += [f"__builtin_classify_type({name})",
                 f"__builtin_types_compatible_p({typeof}, char[sizeof({name})])", f"sizeof({name})", chain + "0"]
    words = _words(header.compiler, header.text, rows)
    return {name: words[4 * number:4 * number + 4] for number, name in enumerate(header.constants)}


def handle_types(header: Header) -> list[str]:
    """Types of handles: the typedefs whose constants are told apart by name."""
    return [name for name in header.types if name not in NOT_HANDLES]


def _type(header: Header, name: str, facts: list[int]) -> str:
    """The MPI type of a constant."""
    kind, string, _, number = facts
    types = handle_types(header)
    if string:
        return "string"
    cast = header.cast(name)
    if cast in types:
        return cast
    if kind == INTEGER:
        return "int"
    if kind != POINTER:
        raise InputError(header.path, 0, f"constant {name} is neither a number nor an address")
    return "function" if number == -1 else types[number - 1] if number else "pointer"


def _strings(header: Header, names: list[str]) -> dict[str, str]:
    """The texts of string constants."""
    rows = "".join(f"{{ {name} }},\n" for name in names)
    source = (f"{header.text}const char probe_texts[][{STRING_MAX}] "
              f'__attribute__((section(".probe_texts"))) = {{\n{rows}}};\n')
    path = header.compiler.compile("texts.c", source)
    return dict(zip(names, elf.texts(path, ".probe_texts", STRING_MAX))) if names else {}


def _initializers(header: Header, names: list[str], classes: dict[str, list[int]]) -> str:
    """The source of a table of the constants' values, one a line."""
    types = {INTEGER: "long long", POINTER: "const void *"}
    members = "".join(f"{types[classes[name][0]]} m{number};" for number, name in enumerate(names))
    rows = "".join(f"({types[classes[name][0]]})({name}),\n" for name in names)
    return (f"{header.text}const struct {{ {members} }} probe_values "
            f'__attribute__((section(".probe_values"))) = {{\n#line 1 "probe"\n{rows}}};\n')


def constants(header: Header) -> dict[str, Value]:
    """`Value`s by name of everything in the header that has a value."""
    classes = _classes(header)
    types = {name: _type(header, name, facts) for name, facts in classes.items()}
    strings = _strings(header, [name for name in types if types[name] == "string"])
    found = {name: Value("string", "string", text) for name, text in strings.items()}
    names = [name for name in types if name not in found]
    wrong = header.compiler.errors(_initializers(header, names, classes))
    for number in wrong:
        name = names[number - 1]
        symbol = header.variable(name)
        if symbol is None:
            raise InputError(header.path, 0, f"{name} is neither a constant nor a variable")
        found[name] = Value(types[name], "variable", symbol)
    names = [name for name in names if name not in found]
    path = header.compiler.compile("values.c", _initializers(header, names, classes), ["-fno-pic"])
    for name, word in zip(names, elf.words(path, ".probe_values")):
        found[name] = _value(types[name], classes[name][0], word)
    return found


def _value(ctype: str, kind: int, word: Union[int, tuple[str, int]]) -> Value:
    if isinstance(word, tuple):
        symbol, offset = word
        return Value(ctype, "address", symbol + (f"+{offset}" if offset else ""))
    return Value(ctype, "int" if kind == INTEGER else "pointer", word)


def types(header: Header) -> list[tuple[str, int, int, Optional[int]]]:
    """(name, size, align, signed or None) of each object type that is complete."""
    names = header.types
    probes = "".join(f"char probe_{number}[sizeof({name})];\n" for number, name in enumerate(names))
    wrong = header.compiler.errors(f'{header.text}#line 1 "probe"\n{probes}')
    names = [name for number, name in enumerate(names, 1) if number not in wrong]
    rows = []
    for name in names:
        rows += [f"sizeof({name})", f"_Alignof({name})",
                 f"__builtin_classify_type(*({name} *)0) == {INTEGER}"]
    words = _words(header.compiler, header.text, rows)
    integers = [name for number, name in enumerate(names) if words[3 * number + 2]]
    signs = dict(zip(integers, _words(header.compiler, header.text,
                                      [f"({name})-1 < ({name})1" for name in integers])))
    return [(name, words[3 * number], words[3 * number + 1], signs.get(name))
            for number, name in enumerate(names)]


def fields(header: Header, structure: str, names: list[str]) -> list[tuple[str, int, int]]:
    """(name, offset, size) of the fields of a structure."""
    rows = []
    for name in names:
        rows += [f"__builtin_offsetof({structure}, {name})", f"sizeof((({structure} *)0)->{name})"]
    words = _words(header.compiler, header.text, rows)
    return [(name, words[2 * number], words[2 * number + 1]) for number, name in enumerate(names)]
