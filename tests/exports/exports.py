#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what a library of a pair exports with what the native ones of its soname do, both ways:

    exports.py FAMILY LIBRARY[=INSTALLED]...  prints SONAME <blank> missing|extra|kind <blank> NAME

where the kind of a name is wrong if it is a function in one of them, and data in the other. The native ones are those of
every release that was scanned, and the INSTALLED one. Of a Fortran library
the tables hold one spelling of a name: the others follow, as the rules of the table of families say."""
import functools
import glob
import os
import re
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
PRIVATE = "MPI_ADAPTER_PRIVATE"
# How compilers spell a name of mpif.h, and what Open MPI adds.
SPELLINGS = {"openmpi": ("{mpi}", "{mpi}_", "{mpi}__", "{MPI}", "{Mpi}_f", "{Mpi}_f08"), "mpich": ("{mpi}", "{mpi}_", "{mpi}__", "{MPI}")}
# Other names of the same library.
SAME = {"libmpi_usempif08.so.50": "libmpi_usempif08.so.40", "libmpi_usempi_ignore_tkr.so.50": "libmpi_usempi_ignore_tkr.so.40",
        "libmpifort.so.12": "libmpichfort.so.12", "libmpi.so.12": "libmpich.so.12"}


def renamed(family):
    """{what a release called a library: its name of today}, of which an empty one leads to the other."""
    return dict(word.split("=") for row in words(f"{TOP}/abi-tables/families") if row[:2] == [family, "renamed"] for word in row[2:])


def exported(library):
    """{name that a library shows to programs: function or object}"""
    lines = subprocess.run(["nm", "-D", "--defined-only", library], stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = [line.split()[-2:] for line in lines.splitlines() if PRIVATE not in line]
    return {name.partition("@")[0]: "function" if letter in "TWi" else "object" for letter, name in rows}


@functools.cache
def words(path):
    """The words of each line that says something."""
    with open(path, encoding="utf-8") as file:
        return [line.split() for line in file if line.strip() and not line.startswith("#")]


def scanned(family, soname):
    """{name: function or object} of what the tables of all releases say that a library has."""
    return {row[3]: row[1] for path in glob.glob(f"{TOP}/abi-tables/{family}-*/exports") for row in words(path)
            if row[0] == soname and row[1] in ("function", "object")}


def spelled(family, names):
    """The other spellings of mpi_x_ among the names."""
    camel = {row[0].lower(): row[0] for row in words(f"{TOP}/abi-tables/procedures")}
    camel["mpi_f_sync_reg"] = "MPI_F_sync_reg"
    found = set()
    for name in names:
        base = name[:-1]
        stem = base.removesuffix("_cptr")
        if name.endswith("_") and stem in camel:
            mixed = camel[stem] + base[len(stem):]
            found |= {pattern.replace("{mpi}", base).replace("{MPI}", base.upper()).replace("{Mpi}", mixed)
                      for pattern in SPELLINGS[family]}
            found |= {f"o{base}_f"} if family == "openmpi" else set()
    return found


def profiled(family, names):
    """The names that tools call the procedures by."""
    found = {"P" + name for name in names if re.match(r"MPIX?_(?!F_|F08_)", name)}
    for name in names:
        match = re.match(r"(mpix?)(_.*_f08.*)", name)
        if match:
            found.add(f"p{match[1]}{'r' if family == 'mpich' else ''}{match[2]}")
        elif re.match(r"mpix?_(?!fortran_)", name):
            found.add("p" + name)
    return found


def native(family, soname, installed):
    """The native exports of a library of this soname."""
    names = set(scanned(family, soname)).union(*map(exported, installed))
    if re.search("mpifh|fort", soname):
        names |= spelled(family, names)
    if re.search("mpifh|usempi|fort", soname):
        names |= profiled(family, names)
    return names


def compare(family, library, *installed):
    soname = os.path.basename(library)
    ours = exported(os.path.join(os.path.dirname(library), renamed(family).get(soname, soname)))
    theirs = native(family, SAME.get(soname, soname), installed)
    kinds = scanned(family, SAME.get(soname, soname))
    # Names that compilers make of the modules of other releases; fortran/symbols.bats looks for all of them.
    modules = {row[1] for row in words(f"{TOP}/tests/fortran/modules.symbols") if row[0] == family}
    extra = set() if soname in renamed(family) else ours.keys() - theirs - modules
    wrong = {name for name in kinds.keys() & ours.keys() if kinds[name] != ours[name]}
    for kind, names in (("missing", theirs - ours.keys()), ("extra", extra), ("kind", wrong)):
        for name in sorted(names):
            print(soname, kind, name)


if __name__ == "__main__":
    for argument in sys.argv[2:]:
        compare(sys.argv[1], *argument.split("="))
