#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Emits C from the tables: what depends on neither side of a pair, on one of them, or on both.

    emit.py --tables abi-tables --templates templates [--application openmpi] [--host mpich] --output DIR

Writes into DIR, all of it or, after an error, nothing. Without a side, what all pairs have:
    layers/built.h, built_collectives.c  procedures that stand in for what a host does not have, where the tables say enough of them
    stateful_entries.c      what takes the place of those that make references which the host does not count for us
    compilers.h             Fortran compilers
    rank_table.h            the variables by which launchers tell a process its place
With --application alone, what all pairs of the application's ABI have:
    application.h           its constants, handle types and status
    application_libraries.h names of its libraries, for the loader
    versions.h              what tells of the version of MPI that a program was compiled against
    fortran*.c, fortran*.h  the same for Fortran programs
    exports.map, *.map      the symbols that the library exports, and each of the Fortran libraries
    application.mk          names of libraries, for make
With --host alone, what all pairs of the host's ABI have:
    host.h                  its constants, handle types, status and procedures
    host_libraries.h        names of its libraries, faults, and makers who depart from its ABI, for the loader
    stand_ins.c             what takes the place of a procedure that the host does not have
    trace_entries.c         what takes the place of each of the host's procedures while calls are traced
    implementations.h       whose library the host's may be, and whose launchers start processes
With both:
    convert.h               conversions of values, addresses, handles and statuses
    fortran_numbers.h       Fortran's integers of handles that it has no values for
    objects.c               data objects the application references, predefined handles, host names
    wrappers.c              one wrapper for every procedure that a template can express
    pair.mk, pair.conf      names of launchers and more, for make and the command
"""

import argparse
import os
import shutil
import tempfile

import rank_variables
from diagnostic import InputError, command
from emitter import cfile, crosscheck, procedures as tables, values
from emitter.built import emit_built
from emitter.compilers import Compiler, emit_compilers, load_compilers
from emitter.family import (Family, emit_application_libraries, emit_application_make, emit_conf, emit_host_libraries, emit_make,
                            has_namesakes, load_departures, load_private_exports)
from emitter.fortran import FortranEmitter
from emitter.fortran_handles import emit_fortran_handles, emit_fortran_numbers
from emitter.fortran_module import emit_earlier_numbers, emit_module
from emitter.implementation import emit_file_prefixes, emit_implementations, emit_maker, emit_told, load_implementations
from emitter.pair import Pair
from emitter.releases import emit_versions
from emitter.stateful import emit_stateful_entries
from emitter.trace import emit_trace_entries
from emitter.wrappers import emit_built_header, emit_stand_ins, emit_wrappers
from output import write_text


def write_outputs(folder: str, outputs: dict[str, str]) -> None:
    """Puts `outputs` (text by file name) into `folder` in one step, or leaves it as it was. A file whose text
    is what it was keeps its time."""
    work = None
    try:
        parent = os.path.dirname(os.path.abspath(folder))
        os.makedirs(parent, exist_ok=True)
        work = tempfile.mkdtemp(prefix=".emit-", dir=parent)
        fresh, old = os.path.join(work, "fresh"), os.path.join(work, "old")
        os.mkdir(fresh)
        for name, text in outputs.items():
            os.makedirs(os.path.dirname(os.path.join(fresh, name)), exist_ok=True)
            write_text(os.path.join(fresh, name), text, os.path.join(folder, name))
        replace(folder, fresh, old)
    except OSError as error:
        raise InputError(folder, 0, f"cannot write: {error.strerror}") from error
    finally:
        if work:
            shutil.rmtree(work, ignore_errors=True)


def replace(folder: str, fresh: str, old: str) -> None:
    """Renames `fresh` to `folder`; what was there becomes `old`, and returns if that fails."""
    if not os.path.isdir(folder):
        os.rename(fresh, folder)
        return
    os.rename(folder, old)
    try:
        os.rename(fresh, folder)
    except OSError:
        os.rename(old, folder)
        raise


class Facts:
    """The tables besides a family's own: what those of its kind read, as they are asked for."""

    def __init__(self, tables: str, families: dict[str, Family]) -> None:
        self.tables, self.families = tables, families
        self.implementations = load_implementations(os.path.join(tables, "implementations"), families, os.path.join(tables, "families"))

    def launchers(self) -> rank_variables.Launchers:
        return rank_variables.load(os.path.join(self.tables, "rank-variables"))

    def compilers(self) -> list[Compiler]:
        return load_compilers(os.path.join(self.tables, "compilers"))

    def private_exports(self, family: str) -> set[str]:
        return load_private_exports(os.path.join(self.tables, "private-exports"), family)

    def departures(self, family: str) -> list[tuple[str, str, str, str]]:
        return load_departures(os.path.join(self.tables, "departures"), family)


def emit_common(pair: Pair, facts: Facts, templates: str) -> dict[str, str]:
    """The files of all pairs: text by file name."""
    return {
        "layers/built.h": emit_built_header(pair),
        "built_collectives.c": emit_built(pair, templates),
        "stateful_entries.c": emit_stateful_entries(pair),
        "compilers.h": emit_compilers(facts.compilers()),
        "rank_table.h": rank_variables.emit(facts.launchers()),
    }


def emit_application(pair: Pair, facts: Facts, templates: str) -> dict[str, str]:
    """The files of all pairs of an application's ABI: text by file name."""
    side = pair.application
    family = facts.families[side.family]
    fortran = FortranEmitter(pair, templates, facts.families)
    earlier = fortran.earlier_handles("DATATYPE")
    return {
        "application.h": cfile.emit_side(pair, side),
        "application_libraries.h": "".join((
            emit_application_libraries(family, side.releases), emit_told(facts.implementations, family),
            emit_file_prefixes(facts.implementations, family), emit_maker(facts.implementations, family))),
        "application.mk": emit_application_make(side.family, family, bool(earlier)),
        "exports.map": cfile.emit_exports(pair, facts.private_exports(side.family)),
        "versions.h": emit_versions(pair, family),
        "fortran_module.c": emit_module(pair, family),
        "earlier_numbers.h": emit_earlier_numbers(pair, family, earlier),
        "fortran_convert.h": emit_fortran_handles(side, templates),
        **fortran.files(),
    }


def emit_host(pair: Pair, facts: Facts, templates: str) -> dict[str, str]:
    """The files of all pairs of a host's ABI: text by file name."""
    family = facts.families[pair.host.family]
    return {
        "host.h": cfile.emit_side(pair, pair.host) + cfile.emit_host_procedures(pair),
        "host_libraries.h": emit_host_libraries(family, facts.departures(pair.host.family)),
        "implementations.h": emit_implementations(facts.implementations, family),
        "stand_ins.c": emit_stand_ins(pair),
        "trace_entries.c": emit_trace_entries(pair),
    }


def emit_pair(pair: Pair, facts: Facts, templates: str) -> dict[str, str]:
    """The files of one pair: text by file name."""
    application, host = (facts.families[side.family] for side in pair.sides())
    return {
        "pair.mk": emit_make(pair, facts.families),
        "pair.conf": emit_conf(pair, facts.families, facts.implementations),
        "convert.h": values.emit_conversions(pair, templates),
        "fortran_numbers.h": emit_fortran_numbers(pair, templates),
        "objects.c": cfile.emit_objects(pair, application, has_namesakes(application, host), templates),
        "wrappers.c": emit_wrappers(pair, templates),
    }


# By whether there is an application, and a host.
EMITTERS = {(False, False): emit_common, (True, False): emit_application, (False, True): emit_host, (True, True): emit_pair}


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Emit C from the tables: of a pair, of one of its sides, or of neither.")
    parser.add_argument("--tables", required=True, help="folder of the ABI tables")
    parser.add_argument("--templates", required=True, help="folder of the templates")
    parser.add_argument("--application", help="family of the application's ABI")
    parser.add_argument("--host", help="family of the host's MPI")
    parser.add_argument("--output", required=True, help="folder to write, replaced as a whole")
    options = parser.parse_args(arguments)
    rules = tables.load_rules(os.path.join(options.tables, "rules"))
    procedures = tables.load_procedures(os.path.join(options.tables, "procedures"), rules)
    pair = Pair(options.tables, rules, procedures, options.application, options.host)
    for side in pair.sides():
        crosscheck.check_side(pair, side)
    facts = Facts(options.tables, pair.families)
    emit = EMITTERS[bool(options.application), bool(options.host)]
    write_outputs(options.output, emit(pair, facts, options.templates))


if __name__ == "__main__":
    command(main, "cannot read: ")
