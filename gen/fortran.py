#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Emits the Fortran of a family's ABI, from the tables of all its releases: the C of a library, and the text of mpif.h
and of the modules mpi and mpi_f08.

    fortran.py --tables abi-tables --templates templates --family FAMILY --output DIR

Writes all files of DIR, or, after an error, none: library/, what the library is compiled from, and include/, what
programs are.
"""

import argparse
import os

from emitter import procedures as tables
from diagnostic import InputError, command
from emit import write_outputs
from emitter.compilers import load_compilers
from emitter.family import load_families
from emitter.fortran_alone import Alone, AloneEmitter, fortran_procedures
from emitter.fortran_source import SourceEmitter
from emitter.pair import Side, load_family


def load_alone(folder: str, family: str) -> Alone:
    """The family's ABI with the procedures that Fortran has of it."""
    rules = tables.load_rules(os.path.join(folder, "rules"))
    procedures = tables.load_procedures(os.path.join(folder, "procedures"), rules)
    side = Side("APP", family, load_family(folder, family), rules)
    return Alone(rules, fortran_procedures(side, procedures, rules), side)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Emit the Fortran of a family's ABI.")
    parser.add_argument("--tables", required=True)
    parser.add_argument("--templates", required=True)
    parser.add_argument("--family", required=True)
    parser.add_argument("--output", required=True)
    options = parser.parse_args(arguments)
    alone = load_alone(options.tables, options.family)
    path = os.path.join(options.tables, "families")
    families = load_families(path, (options.family,))
    if "fortran_made" not in families[options.family]:
        raise InputError(path, 0, f"no Fortran library is made for the family {options.family}: it has no fortran_made")
    compilers = load_compilers(os.path.join(options.tables, "compilers"))
    library = AloneEmitter(alone, options.templates, families, compilers)
    source = SourceEmitter(alone, options.templates, library.sentinel_symbols)
    write_outputs(options.output, {**{f"library/{name}": text for name, text in library.files().items()},
                                   **{f"include/{name}": text for name, text in source.files().items()}})


if __name__ == "__main__":
    command(main, "cannot read: ")
