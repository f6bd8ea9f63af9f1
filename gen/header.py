#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Emits an mpi.h for a family's ABI, from the tables of all its releases.

    header.py --tables abi-tables --family mpiabi [--more FILE] --output FILE --procedures FILE

Programs compiled against it run wherever the family's ABI is provided: natively, or through an
adapter. It serves the probes and the tests; that of the standard ABI is installed for users.
It declares what a library of the family has, and what is in no library follows, from the file of --more.
That of --procedures gets the names of the former, as PROCEDURE(NAME).
"""

import argparse
import os
import re
from typing import Iterable, TypeVar

from abitable import AbiTable, Constant, Prototype, Type
from diagnostic import command
from emitter import procedures as tables
from emitter.family import called, load_families
from emitter.pair import Side, load_family
from emitter.procedures import Procedure, Rules
from output import write_text

Entry = TypeVar("Entry")
OPENING = """\
/* SPDX-License-Identifier: BSD-3-Clause */
/* The mpi.h of {called}: version {major}.{minor} of MPI. Made by MPI-Adapter from its tables. */
#ifndef MPI_H
#define MPI_H

#ifdef __cplusplus
extern "C" {{
#endif
"""
CLOSING = """
#ifdef __cplusplus
}
#endif

#endif
"""


# Not in the tables of every family, for headers whose callbacks are pointers have them as no functions' types.
EVENT_CALLBACKS = """\
typedef void (*MPI_T_event_cb_function)(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void *);
typedef void (*MPI_T_event_free_cb_function)(MPI_T_event_registration, MPI_T_cb_safety, void *);
typedef void (*MPI_T_event_dropped_cb_function)(MPI_Count, MPI_T_event_registration, int, MPI_T_cb_safety, void *);
"""


def declare(ctype: str, name: str) -> str:
    """A declaration of `name`."""
    ctype = ctype.removesuffix("*").rstrip() + " *" if ctype.endswith("*") else ctype + " "
    return f"{ctype}{name}"


def is_f08_status(name: str) -> bool:
    return name.lower() == "mpi_f08_status"


def united(tables: Iterable[dict[str, Entry]]) -> dict[str, Entry]:
    """The types or callbacks of all releases, newest first: the newest one that has a name decides it."""
    known: dict[str, Entry] = {}
    for table in tables:
        known = table | known
    return known


class Enumeration:
    """A C type that is an enumeration: its constants are those of the kind of parameters that have the type."""

    def __init__(self, name: str, kind: str, side: Side, rules: Rules) -> None:
        self.name = name
        self.constants = sorted((side.constants[rule.name] for rule in rules.of_kind(kind) if rule.name in side.constants),
                                key=lambda constant: constant.value)

    def emit(self) -> list[str]:
        values = ",\n".join(f"    {constant.name} = {constant.value}" for constant in self.constants)
        return [f"typedef enum {self.name} {{", values, f"}} {self.name};"]


def enumerations(side: Side, rules: Rules, procedures: dict[str, Procedure]) -> list[Enumeration]:
    """The enumerations of a family: what parameters of such kinds are in C, if it is no integer."""
    types = {}
    for name, prototype in side.procedures.items():
        for parameter, (ctype, _) in zip(procedures[name].parameters if name in procedures else (), prototype.params):
            if parameter.kind.conversion == "enumeration" and ctype.startswith("MPI_"):
                types[ctype.rstrip(" *")] = parameter.kind.name
    return [Enumeration(ctype, kind, side, rules) for ctype, kind in sorted(types.items())]


def emit_callbacks(side: Side) -> list[str]:
    known = united(release.callbacks for release in side.releases)
    more = [line for line in EVENT_CALLBACKS.splitlines() if not any(f"(*{name})" in line for name in known)]
    return [*(callback.text + ";" for _, callback in sorted(known.items())), *more]


def emit_types(types: dict[str, Type]) -> list[str]:
    """Typedefs, but for the status and the enumerations."""
    return [f"typedef {declare(ctype.c, name)};" for name, ctype in sorted(types.items())
            if ctype.c and not is_f08_status(name) and name != "MPI_Status" and not ctype.c.startswith("enum")]


def emit_status(release: AbiTable, types: dict[str, Type]) -> list[str]:
    """The status with its private fields under their names. mpi_f08's has the same fields, and in C a name that
    two spellings are in use of."""
    fields = sorted((field.offset, field.size, name) for name, field in release.status_fields.items())
    lines = ["typedef struct MPI_Status {", *(f"    {member(*field)}" for field in fields), "} MPI_Status;"]
    spellings = sorted({"MPI_F08_status", *filter(is_f08_status, types)})
    return lines + [f"typedef MPI_Status {name};" for name in spellings]


def member(offset: int, size: int, name: str) -> str:
    """A member of the status: an int, a size_t, or an array of int."""
    if size == 8 and offset % 8 == 0:
        return f"unsigned long {name};"
    return f"int {name}{'' if size == 4 else f'[{size // 4}]'};"


def groups(side: Side, rules: Rules, left_out: set[str]) -> list[tuple[str, list[Constant]]]:
    """The constants by what they are about: (title, constants), these in the order of their values."""
    known: dict[str, list[Constant]] = {}
    for name, constant in side.constants.items():
        if constant.kind != "string" and name not in left_out and not name.startswith("MPIO_"):
            known.setdefault(rules.constants[name].kinds[0], []).append(constant)
    kinds = [*rules.kinds, "LIMIT", "FORTRAN", "NONE"]
    return [(kind.lower().replace("_", " "), sorted(known[kind], key=lambda each: (str(type(each.value)), each.value, each.name)))
            for kind in sorted(known, key=kinds.index)]


def ctype_of(constant: Constant, rules: Rules) -> str:
    """A constant's C type, or an empty string for an int."""
    rule = rules.constants[constant.name]
    if constant.type == "int":
        return rule.ctype
    if constant.type not in ("function", "pointer"):
        return constant.type
    return rule.ctype or rules.kinds[rule.kinds[0]].ctype


def emit_symbol(constant: Constant, ctype: str, side: Side, declared: set[str]) -> list[str]:
    """Declares the symbol that a constant is the address of, or that holds its value; each symbol once."""
    if constant.kind not in ("address", "variable") or constant.value in declared:
        return []
    declared.add(constant.value)
    if constant.kind == "variable":
        return [f"extern {declare(ctype, constant.value)};"]
    if constant.value in side.exports and side.exports[constant.value].type == "object":
        return [f"extern struct mpi_object {constant.value};"]
    return [f"extern {ctype.removesuffix('*')} {constant.value};"]


def value_of(constant: Constant, ctype: str) -> str:
    """A constant's value in C; the cast suits C++, too."""
    if constant.kind == "variable" or not ctype:
        return str(constant.value) if constant.kind == "variable" or constant.value >= 0 else f"({constant.value})"
    address = f"(void *)&{constant.value}" if constant.kind == "address" else \
        hex(constant.value) if constant.value >= 0 else constant.value
    return f"(({declare(ctype, '').rstrip()}){address})"


def emit_constants(side: Side, rules: Rules, left_out: set[str]) -> list[str]:
    lines: list[str] = []
    declared: set[str] = set()
    for title, constants in groups(side, rules, left_out):
        lines += ["", f"/* {title} */"]
        for constant in constants:
            ctype = ctype_of(constant, rules)
            lines += emit_symbol(constant, ctype, side, declared)
            if constant.kind != "variable" or constant.value != constant.name:
                lines.append(f"#define {constant.name} {value_of(constant, ctype)}")
    return lines


def provided(side: Side) -> list[str]:
    """The procedures that a library of the family has."""
    return [name for name in sorted(side.procedures) if name in side.exports and not name.startswith("MPIO_")]


def emit_procedures(side: Side, procedures: dict[str, Procedure], prefix: str) -> list[str]:
    """All have a profiling twin, also where a release has forgotten it, but for those that are to have none."""
    names = [name for name in provided(side) if not (prefix and any(name in each.unprofiled for each in side.releases))]
    return [prototype_text(side, side.procedures[name], procedures).replace(f"{name}(", f"{prefix}{name}(", 1) + ";"
            for name in names]


def prototype_text(side: Side, prototype: Prototype, procedures: dict[str, Procedure]) -> str:
    """A prototype, with the types of today where headers of releases have those of before an erratum."""
    text, procedure = prototype.text, procedures.get(prototype.name) or procedures.get(prototype.name[:-2])
    for parameter in procedure.parameters if procedure else ():
        if parameter.kind.is_early:
            ctype = parameter.kind.declared(side.family, prototype.name.endswith("_c"))
            text = re.sub(rf"\b(int|MPI_Count) {parameter.name}\b", f"{ctype} {parameter.name}", text)
    return text


def emit_header(side: Side, rules: Rules, procedures: dict[str, Procedure], title: str, more: str) -> str:
    release, types = side.newest, united(each.types for each in side.releases)
    enums = enumerations(side, rules, procedures)
    enumerators = {constant.name for each in enums for constant in each.constants}
    handles = ["struct mpi_object { char bytes[8]; };"] if "object" in side.representations.values() else []
    lines = [OPENING.format(called=title, major=release.standard[0], minor=release.standard[1])]
    lines += [*handles, *emit_types(types), "", *emit_status(release, types)]
    for each in enums:
        lines += ["", *each.emit()]
    lines += ["", *emit_callbacks(side)]
    lines += emit_constants(side, rules, enumerators)
    lines += ["", *emit_procedures(side, procedures, "")]
    lines += ["", "/* The profiling interface */", *emit_procedures(side, procedures, "P")]
    return "\n".join(lines) + "\n" + more + CLOSING


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Emit an mpi.h for a family's ABI.")
    parser.add_argument("--tables", required=True)
    parser.add_argument("--family", required=True)
    parser.add_argument("--more")
    parser.add_argument("--output", required=True)
    parser.add_argument("--procedures", required=True)
    options = parser.parse_args(arguments)
    rules = tables.load_rules(os.path.join(options.tables, "rules"))
    procedures = tables.load_procedures(os.path.join(options.tables, "procedures"), rules)
    families = load_families(os.path.join(options.tables, "families"), [options.family])
    side = Side("APP", options.family, load_family(options.tables, options.family), rules,
                families[options.family].get("newer", ()))
    more = ""
    if options.more:
        with open(options.more, encoding="utf-8") as file:
            more = "\n" + file.read().split("\n", 1)[1]
    text = emit_header(side, rules, procedures, called(options.family, families[options.family]), more)
    names = "".join(f"PROCEDURE({name})\n" for name in provided(side))
    for path, content in ((options.output, text), (options.procedures, names)):
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        write_text(path, content)


if __name__ == "__main__":
    command(main)
