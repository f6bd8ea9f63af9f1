# SPDX-License-Identifier: BSD-3-Clause
"""One library's ABI may be several implementations': which it is shows when it runs."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")


class Implementation(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def test_an_implementation_is_recognized_when_it_runs(self):
        """The first one serves what says nothing known."""
        program = os.path.join(self.folder, "recognized")
        subprocess.run([sys.executable, "-B", os.path.join(ROOT, "gen", "emit.py"), "--tables", os.path.join(ROOT, "abi-tables"),
                        "--templates", os.path.join(ROOT, "templates"), "--application", "openmpi", "--host", "mpiabi",
                        "--output", self.folder], check=True)
        subprocess.run(["gcc", "-std=gnu11", "-w", "-O1", "-ffunction-sections", "-Wl,--gc-sections", f"-I{self.folder}",
                        f"-I{ROOT}/adapter-c", "-o", program, os.path.join(HERE, "emit", "recognized.c"),
                        f"{ROOT}/adapter-c/process/implementation.c"], check=True)
        for said, launcher in (("Open MPI v6.0.0, package: x", "mpiexec.openmpi openmpi"),
                               ("MPICH Version:      5.0.2", "mpiexec.mpich hydra"),
                               ("Some MPI", "mpiexec.mpich hydra")):
            with self.subTest(said=said):
                done = subprocess.run([program, said], capture_output=True, encoding="utf-8", check=True)
                self.assertEqual(done.stdout, launcher + "\n")


if __name__ == "__main__":
    unittest.main()
