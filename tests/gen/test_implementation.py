# SPDX-License-Identifier: BSD-3-Clause
"""One library's ABI may be several implementations': which it is shows when it runs."""

import os
import shutil
import subprocess
import tempfile
import unittest

from emitted import emit

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")


class Implementation(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def test_an_implementation_is_recognized_when_it_runs(self):
        """The first one serves what says nothing known."""
        program = os.path.join(self.folder, "recognized")
        folders = emit(self.folder, "openmpi", "mpiabi")
        subprocess.run(["gcc", "-std=gnu11", "-w", "-O1", "-ffunction-sections", "-Wl,--gc-sections", *(f"-I{folder}" for folder in folders.values()),
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
