#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Emits an mpi.h for a family's ABI, from the tables of its newest release.

    header.py --tables abi-tables --family openmpi --output FILE

Programs compiled against it run wherever the family's ABI is provided: natively, or through an
adapter. It serves the probes, and tests of procedures that no installed header declares.
"""

import argparse
import os

from emitter import procedures as tables
from diagnostic import command
from output import write_text
from emitter.pair import Side, load_family

EVENT_TYPES = """
typedef enum { MPI_T_CB_REQUIRE_NONE, MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_T_CB_REQUIRE_THREAD_SAFE,
               MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE } MPI_T_cb_safety;
typedef enum { MPI_T_SOURCE_ORDERED, MPI_T_SOURCE_UNORDERED } MPI_T_source_order;
typedef void (*MPI_T_event_cb_function)(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void *);
typedef void (*MPI_T_event_free_cb_function)(MPI_T_event_registration, MPI_T_cb_safety, void *);
typedef void (*MPI_T_event_dropped_cb_function)(MPI_Count, MPI_T_event_registration, int, MPI_T_cb_safety, void *);
"""


def emit_event_types(release):
    """What the tables lack of the types of MPI_T's events."""
    return [line for line in EVENT_TYPES.strip().split("\n")
            if not any(f"(*{name})" in line for name in release.callbacks)]


def emit_types(release):
    """Typedefs; the status with its private fields under their names."""
    lines = []
    for name, ctype in release.types.items():
        if ctype.c and not is_f08_status(name) and name != "MPI_Status" and not ctype.c.startswith("enum"):
            lines.append(f"typedef {ctype.c}{'' if ctype.c.endswith('*') else ' '}{name};")
    fields = sorted((field.offset, field.size, name) for name, field in release.status_fields.items())
    lines.append(f"typedef struct {{{''.join(' ' + member(*field) for field in fields)} }} MPI_Status;")
    lines.append(f"typedef char mpi_status_size[sizeof(MPI_Status) == {release.types['MPI_Status'].size} ? 1 : -1];")
    lines.append(f"typedef struct {{ int words[{release.types['MPI_Status'].size // 4}]; }} {f08_status(release)};")
    return lines


def member(offset, size, name):
    """A member of the status: an int, a size_t, or an array of int."""
    if size == 8 and offset % 8 == 0:
        return f"unsigned long {name};"
    return f"int {name}{'' if size == 4 else f'[{size // 4}]'};"


def is_f08_status(name):
    return name.lower() == "mpi_f08_status"


def f08_status(release):
    """What the family calls mpi_f08's status in C."""
    return next(filter(is_f08_status, release.types), "MPI_F08_status")


def emit_constants(side):
    lines, declared = [], set()
    for name, constant in sorted(side.constants.items()):
        if constant.kind == "string":
            continue
        if name.startswith(("MPI_T_CB_REQUIRE", "MPI_T_SOURCE_")) or name.startswith("MPIO_"):
            continue
        ctype = constant.type if constant.type.startswith("MPI") else "void *"
        if constant.kind == "address" and constant.value not in declared:
            declared.add(constant.value)
            if constant.value in side.exports and side.exports[constant.value].type == "object":
                lines.append(f"extern struct mpi_object {constant.value};")
            else:
                lines.append(f"extern int {constant.value}();")
        value = {"int": f"{constant.value}", "address": f"(({ctype})(void *)&{constant.value})",
                 "variable": f"{constant.value}",
                 "pointer": f"(({ctype}){constant.value})"}[constant.kind]
        if constant.type == "function" or name.endswith("_FN"):
            value = f"((void *)&{constant.value})" if constant.kind == "address" else f"((void *){constant.value})"
        if constant.kind == "variable":
            lines.append(f"extern MPI_Fint *{constant.value};" if "F08" not in name else
                         f"extern {f08_status(side.newest)} *{constant.value};")
        else:
            lines.append(f"#define {name} {value}")
    return lines


def emit_header(side):
    release = side.newest
    lines = ["#ifndef MPI_H", "#define MPI_H", "#ifdef __cplusplus", 'extern "C" {', "#endif",
             "struct mpi_object { char bytes[8]; };", *emit_types(release), *emit_event_types(release)]
    lines += [callback.text + ";" for callback in release.callbacks.values()]
    lines += emit_constants(side)
    for prototype in side.procedures.values():
        if not prototype.name.startswith("MPIO_"):
            lines.append(prototype.text + ";")
            lines.append(prototype.text.replace(prototype.name + "(", "P" + prototype.name + "(", 1) + ";")
    return "\n".join(lines + ["#ifdef __cplusplus", "}", "#endif", "#endif", ""])


def main(arguments):
    parser = argparse.ArgumentParser(description="Emit an mpi.h for a family's ABI.")
    parser.add_argument("--tables", required=True)
    parser.add_argument("--family", required=True)
    parser.add_argument("--output", required=True)
    options = parser.parse_args(arguments)
    rules = tables.load_rules(os.path.join(options.tables, "rules"))
    side = Side("APP", options.family, load_family(options.tables, options.family), rules)
    text = emit_header(side)
    os.makedirs(os.path.dirname(options.output), exist_ok=True)
    write_text(options.output, text)


if __name__ == "__main__":
    command(main)
