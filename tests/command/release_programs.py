#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes programs of each release of the tables, of which nothing need be installed: release_programs.py FOLDER

From each table come libraries that export what the release's do, under their own names and under names that nobody knows,
and programs that refer to what such programs do: for C and each Fortran interface, with copies of data in the executable and
without. A line for each program: its file, its family, whether names are its own or unknown, the folder of the libraries.
"""
import os
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
TABLES = TOP / "abi-tables"
CALLS = ("Init", "Comm_rank", "Allreduce", "Finalize")
HANDLES = ("MPI_COMM_WORLD", "MPI_INT", "MPI_SUM")
SENTINELS = ("MPI_IN_PLACE", "MPI_STATUS_IGNORE")
# How each interface spells a call.
FORTRAN = {"mpif": "mpi_{}_", "f08": "mpi_{}_f08_"}


def facts(path):
    return [line.split(" ") for line in path.read_text().splitlines() if line and not line.startswith("#")]


class Release:
    def __init__(self, folder):
        self.name = folder.name
        self.family = folder.name.split("-")[0]
        exports = facts(folder / "exports") if (folder / "exports").exists() else []
        self.libraries = {}
        for library, kind, value, *name in exports:
            if kind in ("function", "object"):
                self.libraries.setdefault(library, []).append((kind, value, name[-1]))
        self.sonames = [words[1] for words in facts(folder / "release") if words[0] == "soname"]
        self.data = {words[0]: words[3].split("+")[0] for words in facts(folder / "constants") if words[2] == "address"}
        self.commons = {name.split("+")[0]: words[1] for words in facts(folder / "fortran") if words[0] == "common" for name in words[3:]}
        if not self.libraries:  # a table of a header alone
            procedures = re.findall(r"\b(MPI_\w+)\(", (folder / "procedures").read_text())
            self.libraries[self.sonames[0]] = [("function", "global", spelt) for name in sorted(set(procedures)) for spelt in (name, "P" + name)]
            self.libraries[self.sonames[0]] += [("object", "8", name) for name in sorted(set(self.data.values()))]

    def owner(self, symbol):
        """The library that has a symbol, or nothing."""
        return next((library for library, exports in self.libraries.items() if any(symbol == each[2] for each in exports)), None)

    def programs(self):
        """Of each interface that the release has, the symbols that a program refers to: functions and data."""
        yield "c", [f"MPI_{call}" for call in CALLS], [self.data[name] for name in HANDLES if name in self.data]
        for interface, spelt in FORTRAN.items():
            calls = [spelt.format(call.lower()) for call in CALLS]
            data = [self.commons[name] for name in SENTINELS if interface == "mpif" and self.owner(self.commons.get(name))]
            if all(self.owner(call) for call in calls):
                yield interface, calls, data


def compile_as(language, text, output, *flags):
    compiler = os.environ.get("CC", "gcc").split()
    subprocess.run([*compiler, "-w", "-O0", "-fno-builtin", "-x", language, "-", "-x", "none", "-o", str(output), *map(str, flags)],
                   input=text, text=True, check=True)


def stub(exports):
    """The assembly of a library that has these symbols, and is never run."""
    for kind, value, name in exports:
        if kind == "object":
            yield f".data\n.globl {name}\n.type {name}, %object\n.size {name}, {value}\n{name}: .byte 1\n.skip {max(0, int(value) - 1)}"
        else:
            yield f".text\n.globl {name}\n.type {name}, %function\n{name}: .byte 0\n.size {name}, 1"
    yield '.section .note.GNU-stack, "", %progbits\n'


def program(functions, data):
    declared = [f"extern void {name}(void);" for name in functions] + [f"extern char {name}[];" for name in data]
    used = [f"{name}();" for name in functions] + [f"sink = {name};" for name in data]
    return "\n".join([*declared, "void *volatile sink;", "int main(void) {", *used, "return 0; }"])


def called(library, whose):
    """The name of a library: its own, or one that nobody has."""
    return library if whose == "own" else "libanybodys" + library[len("lib"):].split(".so")[0] + ".so.7"


def make_libraries(release, whose, folder):
    folder.mkdir(parents=True)
    for library, exports in release.libraries.items():
        compile_as("assembler", "\n".join(stub(exports)), folder / called(library, whose), "-shared", f"-Wl,-soname,{called(library, whose)}")


def make_programs(release, whose, folder):
    """Yields each program, in two ways: with copies of the data that it refers to in itself, and without."""
    for interface, functions, data in release.programs():
        needed = sorted({called(release.owner(symbol), whose) for symbol in functions + data if release.owner(symbol)} | {called(release.sonames[0], whose)})
        for how, flags in (("pie", ("-fPIE", "-pie")), ("copies", ("-fno-pie", "-no-pie"))):
            output = folder / f"{interface}.{how}"
            compile_as("c", program(functions, data), output, *flags, "-Wl,--no-as-needed", "-Wl,--allow-shlib-undefined",
                      *(folder / "lib" / name for name in needed))
            yield output


def main(folder):
    folder = pathlib.Path(folder)
    for table in sorted(TABLES.glob("*-[0-9]*")):
        release = Release(table)
        for whose in ("own", "unknown"):
            place = folder / release.name / whose
            make_libraries(release, whose, place / "lib")
            for output in make_programs(release, whose, place):
                print(output, release.family, whose, place / "lib", sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
