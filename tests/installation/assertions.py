# SPDX-License-Identifier: BSD-3-Clause
"""Prints C that compiles if an mpi.h agrees with every table of a family's releases: values, types, layouts,
prototypes.

    assertions.py TABLES FAMILY

What is asserted is read from the scanned tables alone: not as gen/header.py joins them, nor with its rules."""

import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "gen"))
sys.dont_write_bytecode = True
import abitable

# Prototypes that a header takes otherwise than a release declares them, for that suits all libraries.
with open(os.path.join(HERE, "disputed"), encoding="utf-8") as lines:
    DISPUTED = {tuple(line.split()) for line in lines if not line.startswith("#")}

# C's types of constants that are addresses, for tables say no more than that they are.
ADDRESSES = {"MPI_ARGVS_NULL": "char ***", "MPI_ARGV_NULL": "char **", "MPI_ERRCODES_IGNORE": "int *",
             "MPI_F08_STATUSES_IGNORE": "MPI_F08_status *", "MPI_F08_STATUS_IGNORE": "MPI_F08_status *",
             "MPI_F_STATUSES_IGNORE": "MPI_Fint *", "MPI_F_STATUS_IGNORE": "MPI_Fint *",
             "MPI_STATUSES_IGNORE": "MPI_Status *", "MPI_STATUS_IGNORE": "MPI_Status *",
             "MPI_UNWEIGHTED": "int *", "MPI_WEIGHTS_EMPTY": "int *"}

# Integers that are no int. Tables do not say so; the MPI Forum's header does.
INTEGERS = {"MPI_DISPLACEMENT_CURRENT": "MPI_Offset"}


def function_type(name):
    """The type of a predefined callback: MPI_COMM_DUP_FN is an MPI_Comm_copy_attr_function."""
    found = re.match(r"MPI_(?:(COMM|TYPE|WIN)_)?(DUP|NULL_COPY|NULL_DELETE)_FN$", name)
    if not found:
        return "MPI_Datarep_conversion_function" + ("_c *" if name.endswith("_C") else " *")
    what = "delete" if found[2] == "NULL_DELETE" else "copy"
    return f"MPI_{found[1].capitalize()}_{what}_attr_function *" if found[1] else f"MPI_{what.capitalize()}_function *"


def constant(entry, unique):
    """Its value and type, and that it may stand where C wants constants."""
    name = entry.name
    if entry.kind == "int":
        yield f"_Static_assert({name} == {entry.value}, \"{name}\");"
        if not name.startswith(("MPI_T_CB_REQUIRE_", "MPI_T_SOURCE_")):
            ctype = INTEGERS.get(name, "int")
            yield f"_Static_assert(_Generic({name}, {ctype}: 1, default: 0), \"{name} is no {ctype}\");"
        yield f"enum {{ {unique}_{name} = {name} }};"
        return
    ctype = {"function": function_type(name), "pointer": ADDRESSES.get(name, "void *")}.get(entry.type, entry.type)
    yield f"_Static_assert((long){name} == {entry.value}, \"{name}\");"
    yield f"_Static_assert(_Generic({name}, {ctype}: 1, default: 0), \"{name} is no {ctype}\");"
    yield f"{ctype}const {unique}_{name} = {name};" if ctype.endswith("*") else f"const {ctype} {unique}_{name} = {name};"


def ctype(entry):
    name = entry.name
    yield f"_Static_assert(sizeof({name}) == {entry.size} && _Alignof({name}) == {entry.align}, \"{name}\");"
    if entry.signed is not None:
        yield f"_Static_assert((({name})-1 < ({name})1) == {int(entry.signed)}, \"sign of {name}\");"
    if entry.c and not entry.c.startswith("enum"):
        yield f"_Static_assert(_Generic(({name}){{0}}, {entry.c}: 1, default: 0), \"{name} is no {entry.c}\");"


def procedure(entry, release):
    """The header has it; and what contradicts it does not compile."""
    for prefix in ("", "P") if (entry.name, release) not in DISPUTED else ():
        yield f"_Static_assert(sizeof(&{prefix}{entry.name}) == sizeof(void *), \"\");"
        yield entry.text.replace(f"{entry.name}(", f"{prefix}{entry.name}(", 1) + ";"


def assertions(table):
    release = f"{table.family}-{table.release}"
    yield f"/* {release} */"
    for entry in table.constants.values():
        yield from constant(entry, re.sub(r"\W", "_", release))
    for entry in table.types.values():
        yield from ctype(entry)
    for entry in table.status_fields.values():
        yield f"_Static_assert(offsetof(MPI_Status, {entry.name}) == {entry.offset} && " \
              f"sizeof((MPI_Status){{0}}.{entry.name}) == {entry.size}, \"MPI_Status.{entry.name}\");"
    for entry in table.callbacks.values():
        yield entry.text + ";"
    for entry in table.procedures.values():
        yield from procedure(entry, release)


def main(tables, family):
    print("#include <stddef.h>\n#include <mpi.h>")
    for folder in sorted(glob.glob(os.path.join(tables, family + "-*"))):
        print("\n".join(assertions(abitable.load(folder))))


main(*sys.argv[1:])
