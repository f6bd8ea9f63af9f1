#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes random MPI programs: valid ones, that print what MPI promises and nothing else, the same in every run.

    generate.py NAME...     writes a batch of these programs
"""

import sys

import collectives
import communicators
import datatypes
import environment
import fortran
import messages
import windows
from program import Program, batch

AREAS = [datatypes, communicators, messages, collectives, windows, environment]


class Kind:
    """The programs of a letter: their steps and thread level; whether they need MPI-4, which Open MPI lacks here; in Fortran, the
    interface."""

    def __init__(self, steps, level="MPI_THREAD_SINGLE", is_large=False, interface=None):
        self.steps, self.level, self.interface = steps, level, interface
        self.lacking, self.flags = (["openmpi"], ["-DWITH_LARGE"]) if is_large else ([], [])

    def sources(self, programs):
        """The files of a batch of (name, text) pairs: their names and texts."""
        if self.interface:
            return {"batch.F90": fortran.batch(programs), "table.c": fortran.table(programs, self.level)}
        return {"batch.c": batch(programs, self.level)}


def steps_of(table):
    return [step for area in AREAS for step in getattr(area, table, [])]


KINDS = {
    "a": Kind(steps_of("STEPS")),
    "m": Kind(steps_of("STEPS") + steps_of("LARGE"), is_large=True),
    # Open MPI 4 makes no windows for several threads here.
    "t": Kind([step for area in AREAS if area is not windows for step in area.STEPS] + steps_of("THREADS"), "MPI_THREAD_MULTIPLE"),
    "x": Kind(fortran.STEPS, interface="77"),
    "y": Kind(fortran.STEPS, interface="90"),
    "z": Kind(fortran.STEPS, interface="2008"),
    "s": Kind(fortran.STEPS + fortran.LARGE, is_large=True, interface="2008"),
    "u": Kind([step for step in fortran.STEPS if step[0] is not fortran.window] + fortran.THREADS, "MPI_THREAD_MULTIPLE", interface="2008"),
}


def program(name, length=None):
    if KINDS[name[0]].interface:
        return fortran.FortranProgram(name[1:], KINDS[name[0]].steps, length)
    return Program(name, KINDS[name[0]].steps, datatypes.predefined() + communicators.world() + communicators.groups(), length)


if __name__ == "__main__":
    for text in KINDS[sys.argv[1][0]].sources([(name, program(name).text(f"program_{name}")) for name in sys.argv[1:]]).values():
        print(text)
