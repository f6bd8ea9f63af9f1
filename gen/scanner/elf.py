# SPDX-License-Identifier: BSD-3-Clause
"""What readelf says of object files and shared libraries."""

import os
import re
import sys
from collections import namedtuple

from scanner.toolchain import run

Symbol = namedtuple("Symbol", "name type binding size value section")
BINDINGS = {"GLOBAL": "global", "WEAK": "weak", "UNIQUE": "unique"}


def _symbols(path, option):
    """Symbols of a symbol table; `section` is a number, UND, ABS or COM."""
    found = []
    for line in run(["readelf", "-W", option, path])[0].splitlines():
        words = line.split()
        if len(words) >= 8 and words[0][:-1].isdigit() and words[0].endswith(":"):
            found.append(Symbol(words[7].partition("@")[0], words[3], words[4], int(words[2], 0),
                                int(words[1], 16), words[6]))
    return found


def dynamic_symbols(path):
    """(exported, imported) symbols of a shared library."""
    symbols = [symbol for symbol in _symbols(path, "--dyn-syms") if symbol.binding in BINDINGS]
    return ([symbol for symbol in symbols if symbol.section != "UND"],
            {symbol.name for symbol in symbols if symbol.section == "UND"})


def object_symbols(path):
    """All symbols of an object file."""
    return _symbols(path, "--syms")


def dynamic_facts(path):
    """(soname, needed libraries, RELRO protection) of a shared library."""
    text = run(["readelf", "-W", "-d", "-l", path])[0]
    soname = re.search(r"\(SONAME\).*\[(.+)\]", text)
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", text)
    bound = re.search(r"\(BIND_NOW\)|\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW", text)
    relro = "none" if "GNU_RELRO" not in text else "full" if bound else "partial"
    return soname[1] if soname else os.path.basename(path), needed, relro


def _section(path, name):
    """The bytes of a section."""
    output = path + name
    run(["objcopy", "-O", "binary", "--only-section=" + name, "--set-section-flags", name + "=alloc,contents",
         path, output])
    with open(output, "rb") as file:
        return file.read()


def _relocations(path, section):
    """(symbol, addend) by offset of a section's relocations."""
    found, current = {}, None
    for line in run(["readelf", "-W", "-r", path])[0].splitlines():
        header = re.match(r"Relocation section '\.rela?(\S+)'", line)
        if header:
            current = header[1]
        entry = re.match(r"([0-9a-f]+) +[0-9a-f]+ +R_\S+ +[0-9a-f]+ +(\S+) ([+-]) ([0-9a-f]+)$", line)
        if entry and current == section:
            addend = int(entry[4], 16)
            found[int(entry[1], 16)] = (entry[2], -addend if entry[3] == "-" else addend)
    return found


def words(path, section):
    """The section as 8-byte words: an int each, or (symbol, addend) where it is an address."""
    data, addresses = _section(path, section), _relocations(path, section)
    return [addresses.get(at, int.from_bytes(data[at:at + 8], sys.byteorder, signed=True))
            for at in range(0, len(data), 8)]


def texts(path, section, length):
    """The section as C strings in arrays of `length` bytes."""
    data = _section(path, section)
    return [data[at:at + length].split(b"\0")[0].decode("utf-8") for at in range(0, len(data), length)]
