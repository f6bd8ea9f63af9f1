#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Emits the C of one adapter pair: joins two families' tables with the procedure table.

    emit.py --tables abi-tables --templates templates --application openmpi --host mpich --output DIR

Writes into DIR, all of it or, after an error, nothing:
    application.h, host.h   constants, handle types, status and procedures of either side
    convert.h               conversions of values, addresses, handles and statuses
    objects.c               data objects the application references, predefined handles, host names
    wrappers.c              one wrapper for every procedure that a template can express
    versions.h              what tells of the version of MPI that a program was compiled against
    fortran*.c, fortran*.h, compilers.h   the same for Fortran programs
    built_collectives.c     procedures built of others, where the tables say enough of them
    stand_ins.c, layers/built.h  what takes the place of a procedure that the host does not have
    trace_entries.c         what takes the place of each of the host's procedures while calls are traced
    stateful_entries.c      what takes the place of those that make references which the host does not count for us
    exports.map, *.map      the symbols that the library exports, and each of the Fortran libraries
    config.h, pair.mk, pair.conf   names of libraries and launchers, for the loader, make, the command
    implementations.h       whose library the host's may be, and whose launchers start processes
"""

import argparse
import os
import shutil
import tempfile

from diagnostic import InputError, command
from emitter import cfile, crosscheck, procedures as tables, values
from emitter.built import emit_built
from emitter.compilers import Compiler, emit_compilers, load_compilers
from emitter.family import Family, emit_conf, emit_config, emit_make, load_families, load_private_exports
from emitter.fortran import FortranEmitter
from emitter.fortran_module import emit_module
from emitter.implementation import emit_file_prefixes, emit_implementations, emit_launchers, load_implementations, load_launchers
from emitter.pair import Pair
from emitter.releases import emit_versions
from emitter.stateful import emit_stateful_entries
from emitter.trace import emit_trace_entries
from emitter.wrappers import emit_built_header, emit_stand_ins, emit_wrappers
from implementation import Implementation
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


def emit_pair(pair: Pair, families: dict[str, Family], implementations: dict[str, Implementation],
              launchers: list[tuple[str, str, str]], compilers: list[Compiler], private: set[str], templates: str) -> dict[str, str]:
    """All files of a pair: text by file name."""
    names = pair.application.family, pair.host.family
    application, host = (families[name] for name in names)
    wrappers = emit_wrappers(pair, templates)
    fortran = FortranEmitter(pair, templates, families)
    return {
        "config.h": emit_config(application, host, pair.application.releases) +
                    emit_file_prefixes(implementations, application),
        "pair.mk": emit_make(pair, families),
        "pair.conf": emit_conf(pair, families, implementations),
        "implementations.h": emit_implementations(implementations, host),
        "launchers.h": emit_launchers(launchers),
        "application.h": cfile.emit_side(pair, pair.application),
        "host.h": cfile.emit_side(pair, pair.host) + cfile.emit_host_procedures(pair),
        "convert.h": values.emit_conversions(pair),
        "objects.c": cfile.emit_objects(pair, application),
        "wrappers.c": wrappers,
        "built_collectives.c": emit_built(pair, templates),
        "stand_ins.c": emit_stand_ins(pair),
        "layers/built.h": emit_built_header(pair),
        "trace_entries.c": emit_trace_entries(pair),
        "stateful_entries.c": emit_stateful_entries(pair),
        "exports.map": cfile.emit_exports(pair, private),
        "compilers.h": emit_compilers(compilers),
        "versions.h": emit_versions(pair, application),
        "fortran_module.c": emit_module(pair, application),
        **fortran.files(),
    }


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Emit the C of one adapter pair.")
    parser.add_argument("--tables", required=True, help="folder of the ABI tables")
    parser.add_argument("--templates", required=True, help="folder of the templates")
    parser.add_argument("--application", required=True, help="family of the application's ABI")
    parser.add_argument("--host", required=True, help="family of the host's MPI")
    parser.add_argument("--output", required=True, help="folder to write, replaced as a whole")
    options = parser.parse_args(arguments)
    rules = tables.load_rules(os.path.join(options.tables, "rules"))
    procedures = tables.load_procedures(os.path.join(options.tables, "procedures"), rules)
    pair = Pair(options.tables, rules, procedures, options.application, options.host)
    for release in pair.application.releases + pair.host.releases:
        crosscheck.check_release(pair, release)
    path = os.path.join(options.tables, "families")
    families = load_families(path, (options.application, options.host))
    implementations = load_implementations(os.path.join(options.tables, "implementations"), families, path)
    launchers = load_launchers(os.path.join(options.tables, "launchers"))
    private = load_private_exports(os.path.join(options.tables, "private-exports"), options.application)
    compilers = load_compilers(os.path.join(options.tables, "compilers"))
    write_outputs(options.output, emit_pair(pair, families, implementations, launchers, compilers, private,
                                            options.templates))


if __name__ == "__main__":
    command(main, "cannot read: ")
