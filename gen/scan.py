#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Scans one installed MPI implementation into an ABI table, described in abi-tables/FORMAT.md.

    scan.py --release openmpi-4.1.4 --mpicc mpicc.openmpi --mpifort mpifort.openmpi \\
            --library libmpi.so.40 --companion libmpi_mpifh.so.40 --output abi-tables/openmpi-4.1.4

Nothing of the implementation is run: values are read from object files. So the headers and
libraries may be those of an unpacked package: --mpicc 'cc -IDIR'. After an error, nothing is
written.
"""

import argparse
import hashlib
import os
import re
import shlex
import shutil
import tempfile
from argparse import Namespace
from typing import Optional

import abitable
import implementation
from diagnostic import InputError, command
from scanner import cheader, cprobe, elf, fheader
from scanner.cheader import Header
from scanner.cprobe import Value
from scanner.toolchain import Compiler, run

# Make headers declare what MPI-3.0 removed, as their libraries still have it.
SHOW_REMOVED = implementation.words_of_all("hidden")
# Symbols that belong to the ABI: procedures, the objects that handles point to, predefined
# callbacks, Fortran's sentinels.
ABI_SYMBOL = implementation.beginning(r"P?MPI[XO]?_|P?MPIX?_T_|mpi_", "exports")
# One of the manglings of each procedure in a Fortran library; the others follow from it.
FORTRAN_SYMBOL = implementation.beginning(r"mpi[xo]?_[a-z0-9_]*[a-z0-9]_$", "fortran_exports")


def release_lines(options: Namespace, header: Header, constants: dict[str, Value], libraries: list["Library"]) -> list[str]:
    """The file `release`."""
    family, _, release = options.release.partition("-")
    for name in ("MPI_VERSION", "MPI_SUBVERSION"):
        if name not in constants:
            raise InputError(header.path, 0, f"no constant {name}")
    standard = ".".join(str(constants[name].value) for name in ("MPI_VERSION", "MPI_SUBVERSION"))
    lines = [f"release {family} {release}", f"standard {standard}"]
    lines += [f"soname {library.soname}" for library in libraries if not library.fortran]
    return lines


def installed_release(constants: dict[str, Value]) -> Optional[str]:
    """The release that the header claims to be, as in --release, or None if it does not say."""
    for name, each in implementation.load().items():
        macros = each.words("release")
        if macros and all(macro in constants for macro in macros):
            return f"{name}-" + ".".join(str(constants[macro].value) for macro in macros)
    return None


def quoted(text: str) -> str:
    """Text as a C string literal."""
    return '"' + re.sub(r'["\\]', r"\\\g<0>", text).replace("\n", "\\n") + '"'


def constant_lines(constants: dict[str, Value]) -> list[str]:
    """The file `constants`."""
    return [f"{name} {entry.type} {entry.kind} "
            f"{quoted(entry.value) if entry.kind == 'string' else entry.value}"
            for name, entry in sorted(constants.items())]


def type_lines(header: Header) -> list[str]:
    """The file `types`."""
    lines = []
    for name, size, align, signed in cprobe.types(header):
        line = f"{name} size {size} align {align}"
        if signed is not None:
            line += " signed" if signed else " unsigned"
        spelling = header.spelling(name)
        lines.append(line + (f" c {spelling}" if spelling and name != "MPI_Status" else ""))
    for name, offset, size in cprobe.fields(header, "MPI_Status", header.status_fields()):
        lines.append(f"MPI_Status.{name} offset {offset} size {size}")
    return sorted(lines)


def procedure_lines(header: Header) -> list[str]:
    """The file `procedures`."""
    own = sorted(name for name in header.prototypes if not name.startswith("P"))
    lines = [header.prototype(name) for name in own]
    lines += [f"unprofiled {name}" for name in own if "P" + name not in header.prototypes]
    return lines + ["typedef " + header.prototype(name) for name in header.callbacks]


class Library:
    """The exports and needs of a shared library."""

    def __init__(self, path: str, fortran: bool) -> None:
        self.fortran = fortran
        self.soname, self.needed, self.relro = elf.dynamic_facts(path)
        self.symbols, self.imports = elf.dynamic_symbols(path)

    def lines(self, wanted: set[str]) -> list[str]:
        """Its lines of the file `exports`; `wanted` symbols are listed whatever their names."""
        pattern = FORTRAN_SYMBOL if self.fortran else ABI_SYMBOL
        lines = [f"{self.soname} needs {name}" for name in self.needed]
        lines.append(f"{self.soname} relro {self.relro}")
        for symbol in self.symbols:
            if not (pattern.match(symbol.name) or symbol.name in wanted):
                continue
            if symbol.type == "object":
                lines.append(f"{self.soname} object {symbol.size} {symbol.name}")
            elif symbol.type == "function":
                lines.append(f"{self.soname} function {elf.BINDINGS[symbol.binding]} {symbol.name}")
        return sorted(set(lines), key=self.order)

    @staticmethod
    def order(line: str) -> tuple[bool, str, str]:
        """Facts about the library first, then symbols by name."""
        words = line.split(" ")
        return words[1] not in ("needs", "relro"), words[-1], line


def export_lines(libraries: list["Library"], constants: dict[str, Value]) -> list[str]:
    """The file `exports`: also what constants and the implementation's own companions refer to."""
    wanted = {str(entry.value).partition("+")[0] for entry in constants.values()
              if entry.kind in ("address", "variable")}
    for library in libraries:
        if library.fortran:
            wanted |= library.imports
    return [line for library in libraries for line in library.lines(wanted)]


def fortran_lines(compiler: Optional[Compiler]) -> list[str]:
    """The file `fortran`."""
    if compiler is None:
        return []
    parameters, commons = fheader.scan(compiler)
    lines = [" ".join(["common", symbol, str(size)] +
                      [name + (f"+{offset}" if offset else "") for name, offset in variables])
             for symbol, size, variables in commons]
    return lines + sorted(f"{name} {kind} {value}" for name, kind, value in parameters)


def package_version(package: str) -> str:
    """NAME=VERSION of a package: as given, or of the installed one."""
    if "=" in package:
        return package
    return f"{package}={run(['dpkg-query', '-W', '-f', '${Version}', package])[0]}"


def provenance(options: Namespace, header: Header) -> list[str]:
    """The comment lines that every file starts with."""
    with open(header.path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    machine = run([*header.compiler.command, "-dumpmachine"])[0].strip().partition("-")[0]
    lines = ["# SPDX-License-Identifier: BSD-3-Clause", f"# Scanned by gen/scan.py from {options.release}."]
    if options.package:
        lines.append(f"# package {package_version(options.package)}")
    return lines + [f"# architecture {machine}", f"# sha256 of {options.header} {digest}"]


def find_library(compiler: Compiler, name: str) -> str:
    """The path of a library: as given, or where the compiler finds a name without a folder."""
    path = name if "/" in name else run([*compiler.command, "-print-file-name=" + name])[0].strip()
    if not os.path.exists(path):
        raise InputError(name, 0, "no such library")
    return path


def like(options: Namespace) -> None:
    """Takes over from an earlier table what was scanned."""
    table = abitable.load(options.like)
    options.release = f"{table.family}-{table.release}"
    options.library = table.sonames
    options.companion = [name for name in table.relro if name not in table.sonames]


def scan(options: Namespace, folder: str) -> dict[str, list[str]]:
    """The lines of each file of the table."""
    header = cheader.Header(Compiler(shlex.split(options.mpicc), SHOW_REMOVED, folder), options.header)
    constants = cprobe.constants(header)
    claimed = installed_release(constants)
    if claimed and not options.release.endswith(claimed):
        raise InputError(header.path, 0, f"this is {claimed}, not {options.release}")
    names = [(name, False) for name in options.library] + [(name, True) for name in options.companion]
    libraries = [Library(find_library(header.compiler, name), fortran) for name, fortran in names]
    fortran = Compiler(shlex.split(options.mpifort), [f"-J{folder}"], folder) if options.mpifort else None
    first = provenance(options, header)
    tables = {"release": release_lines(options, header, constants, libraries),
              "constants": constant_lines(constants), "types": type_lines(header),
              "procedures": procedure_lines(header), "exports": export_lines(libraries, constants),
              "fortran": fortran_lines(fortran)}
    return {name: first + lines for name, lines in tables.items()}


def print_release(options: Namespace, folder: str) -> str:
    """The release of the header, as in --release."""
    header = cheader.Header(Compiler(shlex.split(options.mpicc), SHOW_REMOVED, folder), options.header)
    return installed_release(cprobe.constants(header)) or "unknown"


def write(folder: str, tables: dict[str, list[str]]) -> None:
    """Puts the files into `folder` in one step."""
    parent = os.path.dirname(os.path.abspath(folder))
    os.makedirs(parent, exist_ok=True)
    fresh = tempfile.mkdtemp(prefix=".scan-", dir=parent)
    os.chmod(fresh, 0o755)
    try:
        for name, lines in tables.items():
            with open(os.path.join(fresh, name), "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        if os.path.isdir(folder):
            shutil.rmtree(folder)
        os.rename(fresh, folder)
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise InputError(folder, 0, f"cannot write: {error.strerror}") from error


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Scan an MPI implementation into an ABI table.")
    parser.add_argument("--mpicc", required=True, help="the C compiler, with its options")
    parser.add_argument("--header", default="mpi.h", help="the C header (default: mpi.h)")
    parser.add_argument("--print-release", action="store_true",
                        help="print FAMILY-RELEASE of the header, scan nothing")
    parser.add_argument("--release", help="FAMILY-RELEASE that is scanned")
    parser.add_argument("--mpifort", help="the Fortran compiler, with its options")
    parser.add_argument("--library", action="append", default=[],
                        help="a library that C programs use: a path, or a name that the compiler finds")
    parser.add_argument("--companion", action="append", default=[],
                        help="a library of Fortran or C++ bindings")
    parser.add_argument("--like", help="a table: scan the same release and libraries again")
    parser.add_argument("--package", help="provenance: an installed package, or NAME=VERSION")
    parser.add_argument("--output", help="the folder to write, replaced as a whole")
    options = parser.parse_args(arguments)
    if options.like:
        like(options)
    with tempfile.TemporaryDirectory() as folder:
        if options.print_release:
            print(print_release(options, folder))
        elif not (options.release and options.output):
            parser.error("--release (or --like) and --output are needed")
        else:
            write(options.output, scan(options, folder))


if __name__ == "__main__":
    command(main)
