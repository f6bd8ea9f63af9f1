#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which entry points of which procedures the libraries export.

    symbols.py FAMILY LIBRARY...

Prints LIBRARY SYMBOL PROCEDURE INTERFACE ADDRESS for each function that is a procedure's by its name, where INTERFACE
is c, fortran or descriptors, and LIBRARY SYMBOL - - ADDRESS for any other.
"""

import os
import re
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
sys.path.insert(0, os.path.join(TOP, "gen"))

from emitter import procedures as tables  # noqa: E402
from emitter.cfile import variants  # noqa: E402
from emitter.family import load_families  # noqa: E402

TABLES = os.path.join(TOP, "abi-tables")
# p for tools, o for Open MPI's own; pmpir_ and pmpixr_ are MPICH's for tools.
FORTRAN = re.compile(r"[po]?(?P<mpi>mpix?)(?:(?<=i|x)r(?=_.*_f08))?_(?P<name>\w+?)(?P<large>_c(?=_f08))?"
                     r"(?P<after>_{0,2}|_cptr(?:_{0,2}|_f|_f08)|_f|_f08_?|_f08(?P<ts>ts)_|_fts_|_f08(?P<ts2>ts)?_(?P<tail>large|c)_)$", re.I)


def load_procedures():
    """{name: procedure} of the table, with large-count twins."""
    rules = tables.load_rules(os.path.join(TABLES, "rules"))
    procedures = tables.load_procedures(os.path.join(TABLES, "procedures"), rules)
    return {procedure.name + suffix: procedure for procedure in procedures.values() for suffix, _ in variants(procedure)}


class Names:
    """Tells whose a name is."""

    def __init__(self, family):
        self.procedures = load_procedures()
        self.lower = {name.lower(): name for name in self.procedures}
        families = load_families(os.path.join(TABLES, "families"), [family])
        self.misspelt = dict(word.split("=") for word in families[family].get("fortran_misspelt", []))

    def procedure_of(self, symbol):
        """(procedure, interface), or None."""
        name = symbol[1:] if symbol.startswith("P") else symbol
        if name in self.procedures:
            return name, "c"
        return self.fortran(symbol)

    def fortran(self, symbol):
        twin = symbol[1:] if symbol.startswith(("p", "P")) else symbol
        for spelled in (symbol, twin, twin.replace("mpir_", "mpi_").replace("mpixr_", "mpix_")):
            if spelled in self.misspelt:
                return self.misspelt[spelled], "descriptors" if "ts_" in spelled else "fortran"
        parts = FORTRAN.match(symbol)
        if symbol.startswith("o") and not symbol.endswith("_f"):
            return None  # inside Open MPI
        name = parts and self.lower.get(f"{parts['mpi']}_{parts['name']}".lower() + ("_c" if parts["large"] or parts["tail"] else ""))
        if not name:
            return None
        return name, "descriptors" if parts["ts"] or parts["ts2"] or "_fts_" in symbol else "fortran"


def functions(library):
    """The functions that a library defines."""
    output = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in output.splitlines()]
    return sorted({(row[2].split("@")[0], row[0]) for row in rows if len(row) == 3 and row[1] in "TWi"})


def main(family, *libraries):
    names = Names(family)
    for library in libraries:
        for symbol, address in functions(library):
            procedure, interface = names.procedure_of(symbol) or ("-", "-")
            print(os.path.basename(library), symbol, procedure, interface, address)


if __name__ == "__main__":
    main(*sys.argv[1:])
