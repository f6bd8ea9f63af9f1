# SPDX-License-Identifier: BSD-3-Clause
"""A family whose handles are pointers with small predefined values takes lines of the tables and codecs
alone: with those of emit/third the standard ABI's four pairs are emitted, compile, and convert predefined
handles. (There is no adapter for it: these codecs are no good for dynamic handles.)"""

import glob
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import test_conversions as conversions
from test_conversions import ROOT

THIRD = os.path.join(HERE, "emit", "third")
FAMILIES = ("openmpi", "mpich", "mpiabi")
PAIRS = [names for names in itertools.permutations(FAMILIES, 2) if "mpiabi" in names]


class Third(conversions.Converting):
    def setUp(self):
        super().setUp()
        self.tables = os.path.join(self.folder, "tables")
        shutil.copytree(conversions.TABLES, self.tables)
        with open(os.path.join(self.tables, "codecs"), "a", encoding="utf-8") as file, \
                open(os.path.join(THIRD, "codecs"), encoding="utf-8") as lines:
            file.write(lines.read())
        self.addCleanup(setattr, conversions, "TABLES", conversions.TABLES)
        conversions.TABLES = self.tables
        self.flags = ["-include", os.path.join(THIRD, "codec.h")]

    def test_every_constant(self):
        for names in PAIRS:
            with self.subTest(pair=names):
                pair = conversions.load(*names)
                self.emit(pair)
                self.assertEqual(self.complaints(pair, 500, conversions.checks(pair)), "")
                self.compiles(pair)

    def compiles(self, pair):
        """All that is written by hand for C compiles, without a warning."""
        sources = glob.glob(os.path.join(ROOT, "adapter-c", "*", "*.c")) + \
            glob.glob(os.path.join(ROOT, "adapter-f77", "**", "interop.c"), recursive=True) + \
            [os.path.join(self.folder, pair.name, name + ".c") for name in ("objects", "wrappers", "stand_ins", "trace_entries")]
        done = subprocess.run(["gcc", "-std=gnu11", "-fsyntax-only", "-fPIC", "-Wall", "-Wextra", "-Wno-unused-parameter", *self.flags,
                               f"-I{self.folder}/{pair.name}", *(f"-I{ROOT}/{name}" for name in (
                                   "adapter-c", "adapter-f77", "gotswap")), *sources],
                              capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((done.stderr, done.returncode), ("", 0))

    def test_an_implementation_is_recognized_when_it_runs(self):
        """One library's ABI may be several implementations'; the first serves what says nothing known."""
        pair = conversions.load("openmpi", "mpiabi")
        self.emit(pair)
        program = os.path.join(self.folder, "recognized")
        subprocess.run(["gcc", "-std=gnu11", "-w", "-O1", "-ffunction-sections", "-Wl,--gc-sections", *self.flags,
                        f"-I{self.folder}/{pair.name}", f"-I{ROOT}/adapter-c", "-o", program,
                        os.path.join(THIRD, "recognized.c"), f"{ROOT}/adapter-c/process/implementation.c"], check=True)
        for said, launcher in (("Open MPI v6.0.0, package: x", "mpiexec.openmpi OMPI_COMM_WORLD_RANK"),
                               ("MPICH Version:      5.0.2", "mpiexec.mpich PMI_RANK"),
                               ("Some MPI", "mpiexec.mpich PMI_RANK")):
            with self.subTest(said=said):
                done = subprocess.run([program, said], capture_output=True, encoding="utf-8", check=True)
                self.assertEqual(done.stdout, launcher + "\n")

    # What the other tests of Converting say of the real pairs.
    test_an_older_host_gets_what_the_rules_say_for_what_it_lacks = test_numbers_of_every_pair_of_families = None


if __name__ == "__main__":
    unittest.main(defaultTest="Third")
