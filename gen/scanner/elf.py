# SPDX-License-Identifier: BSD-3-Clause
"""Reads object files and shared libraries: symbols, needed libraries, and data that a compiler computed."""

import os
import struct
from typing import Callable, NamedTuple, TypeVar, Union

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Symbol as Entry, SymbolTableSection

from diagnostic import InputError

# A word of a section is a number, or a symbol and what is added to its address.
Word = Union[int, tuple[str, int]]
Result = TypeVar("Result")
# As the tables call them. STB_LOOS is what pyelftools calls GNU's unique symbols, and STT_LOOS its indirect functions.
BINDINGS = {"STB_GLOBAL": "global", "STB_WEAK": "weak", "STB_LOOS": "unique"}
TYPES = {"STT_OBJECT": "object", "STT_FUNC": "function", "STT_LOOS": "function"}
UNDEFINED, COMMON = "SHN_UNDEF", "SHN_COMMON"
BIND_NOW, NOW = 0x8, 0x1    # of DT_FLAGS, of DT_FLAGS_1


class Symbol(NamedTuple):
    """A symbol. `type` is function, object or another one's name in ELF; `section` a number, UNDEFINED, COMMON, ..."""
    name: str
    type: str
    binding: str
    size: int
    value: int
    section: Union[int, str]


def _read(path: str, ask: Callable[[ELFFile], Result]) -> Result:
    """Returns what `ask` finds in a file. An InputError if that is not an ELF file, or a damaged one: pyelftools raises TypeError and
    AttributeError, too, where a section is not what another one says."""
    try:
        with open(path, "rb") as file:
            return ask(ELFFile(file))
    except OSError as error:
        raise InputError(path, 0, f"cannot read: {error.strerror}") from error
    except (ELFError, ValueError, TypeError, AttributeError) as error:
        raise InputError(path, 0, f"not an ELF file, or a damaged one: {error}") from error


def _symbols(elf: ELFFile, table: str) -> list[Symbol]:
    section = elf.get_section_by_name(table)
    if not isinstance(section, SymbolTableSection):
        return []
    return [Symbol(each.name, TYPES.get(each["st_info"]["type"], each["st_info"]["type"]), each["st_info"]["bind"],
                   each["st_size"], each["st_value"], each["st_shndx"]) for each in section.iter_symbols()]


def dynamic_symbols(path: str) -> tuple[list[Symbol], set[str]]:
    """(exported, imported) symbols of a shared library."""
    symbols = [symbol for symbol in _read(path, lambda elf: _symbols(elf, ".dynsym")) if symbol.binding in BINDINGS]
    return ([symbol for symbol in symbols if symbol.section != UNDEFINED],
            {symbol.name for symbol in symbols if symbol.section == UNDEFINED})


def object_symbols(path: str) -> list[Symbol]:
    """All symbols of an object file."""
    return _read(path, lambda elf: _symbols(elf, ".symtab"))


class _Dynamic:
    """The dynamic section of a shared library."""

    def __init__(self, elf: ELFFile) -> None:
        section = elf.get_section_by_name(".dynamic")
        tags = list(section.iter_tags()) if section else []
        self.needed = [tag.needed for tag in tags if tag.entry.d_tag == "DT_NEEDED"]
        self.soname = next((tag.soname for tag in tags if tag.entry.d_tag == "DT_SONAME"), "")
        values = {tag.entry.d_tag: tag.entry.d_val for tag in tags}
        self.is_bound_at_load = "DT_BIND_NOW" in values or bool(values.get("DT_FLAGS", 0) & BIND_NOW) or \
            bool(values.get("DT_FLAGS_1", 0) & NOW)
        self.has_relro = any(segment["p_type"] == "PT_GNU_RELRO" for segment in elf.iter_segments())


def dynamic_facts(path: str) -> tuple[str, list[str], str]:
    """(soname, needed libraries, RELRO protection) of a shared library."""
    dynamic = _read(path, _Dynamic)
    relro = "none" if not dynamic.has_relro else "full" if dynamic.is_bound_at_load else "partial"
    return dynamic.soname or os.path.basename(path), dynamic.needed, relro


def _data(elf: ELFFile, name: str) -> bytes:
    section = elf.get_section_by_name(name)
    return section.data() if section else b""


def _relocations(elf: ELFFile, name: str) -> dict[int, tuple[str, int]]:
    """(symbol, addend) by offset of a section's relocations."""
    section = elf.get_section_by_name(".rela" + name)
    if section is None:
        return {}
    symbols = elf.get_section(section["sh_link"])
    return {each["r_offset"]: (_called(elf, symbols.get_symbol(each["r_info_sym"])), each["r_addend"])
            for each in section.iter_relocations()}


def _called(elf: ELFFile, symbol: Entry) -> str:
    """A symbol's name, or that of the section that it stands for."""
    if symbol["st_info"]["type"] == "STT_SECTION":
        return elf.get_section(symbol["st_shndx"]).name
    return symbol.name


def words(path: str, section: str) -> list[Word]:
    """The section as 8-byte words: an int each, or (symbol, addend) where it is an address."""
    def ask(elf: ELFFile) -> list[Word]:
        data, addresses = _data(elf, section), _relocations(elf, section)
        numbers = struct.unpack(f"{'<' if elf.little_endian else '>'}{len(data) // 8}q", data[:len(data) // 8 * 8])
        return [addresses.get(8 * index, number) for index, number in enumerate(numbers)]
    return _read(path, ask)


def numbers(path: str, section: str) -> list[int]:
    """The section as 8-byte numbers, none of which is an address."""
    found = words(path, section)
    if any(isinstance(word, tuple) for word in found):
        raise InputError(path, 0, f"section {section} has addresses instead of numbers")
    return [word for word in found if isinstance(word, int)]


def texts(path: str, section: str, length: int) -> list[str]:
    """The section as C strings in arrays of `length` bytes."""
    data = _read(path, lambda elf: _data(elf, section))
    return [data[at:at + length].split(b"\0")[0].decode("utf-8") for at in range(0, len(data), length)]
