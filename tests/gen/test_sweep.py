# SPDX-License-Identifier: BSD-3-Clause
"""Calls that tests/calls/invalid/bad_calls.py makes of a file of values, and its refusals, on the made-up tables."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SWEEP = os.path.join(HERE, "..", "calls", "invalid", "bad_calls.py")
TABLES = os.path.join(HERE, "emit", "tables")
EVERYTHING = "valid * * 0"


class Sweeping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.values, self.output = os.path.join(folder.name, "values"), os.path.join(folder.name, "calls.c")

    def sweep(self, *lines):
        with open(self.values, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return subprocess.run([sys.executable, "-B", SWEEP, "--tables", TABLES, "--family", "alpha", "--values",
                               self.values, "--output", self.output], capture_output=True, encoding="utf-8", check=False)

    def emitted(self, *lines):
        done = self.sweep(*lines)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0))
        with open(self.output, encoding="utf-8") as file:
            return file.read()

    def refused(self, *lines):
        """Returns its message, which must be one line, without any output."""
        done = self.sweep(*lines)
        self.assertEqual((done.stdout, done.stderr.count("\n"), done.returncode), ("", 1, 1), done.stderr)
        self.assertFalse(os.path.exists(self.output))
        return done.stderr.rstrip("\n")

    def test_every_procedure_has_its_calls(self):
        self.assertIn('{ "MPI_Isend", call_MPI_Isend, (const char *const[]){ "valid", "buf=null"', self.emitted(EVERYTHING))

    def test_a_bad_value_is_a_call(self):
        text = self.emitted(EVERYTHING, "bad COMM minus-1 ($type)-1")
        self.assertRegex(text, r"case \d+: a_comm = \(MPI_Comm\)-1; break;")
        self.assertIn('"comm=minus-1"', text)

    def test_every_call_is_made_with_another_valid_value(self):
        text = self.emitted(EVERYTHING, "also other *:COMM second", "bad RANK minus-1 -1")
        self.assertRegex(text, r"case \d+: a_comm = second; break;")
        self.assertRegex(text, r"case \d+: a_comm = second; a_dest = -1; break;")
        self.assertIn('"other,dest=minus-1"', text)

    def test_a_procedure_is_skipped(self):
        self.assertNotIn("call_MPI_Isend", self.emitted(EVERYTHING, "skip MPI_Isend* waits"))

    def test_refused_lines(self):
        for line, message in (("valied * * 0", "'valied * * 0' is no statement"),
                              ("valid * *:COMM", "'valid * *:COMM' is no statement"),
                              ("bad COMM label", "'bad COMM label' is no statement"),
                              ("also label *:COMM", "'also label *:COMM' is no statement"),
                              ("skip MPI_Send", "'skip MPI_Send' is no statement"),
                              ("fails MPI_Send", "'fails MPI_Send' is no statement"),
                              ("valid * * $kind", "$kind")):
            with self.subTest(line):
                said = self.refused("# values", EVERYTHING, line)
                self.assertTrue(said.startswith(f"{self.values}:3: error: "), said)
                self.assertIn(message, said)

    def test_a_parameter_without_a_valid_value_is_refused(self):
        others = ("valid * *:[!C]* 0", "valid * *:CO[!M]* 0")
        self.assertEqual(self.refused(*others), f"{self.values}: error: MPI_Comm_compare has no valid comm1:COMM")
        self.emitted(*others, "skip MPI_Comm_* another", "skip MPI_[IR]* another")

    def test_a_file_of_values_must_be_there(self):
        done = subprocess.run([sys.executable, "-B", SWEEP, "--tables", TABLES, "--family", "alpha", "--values",
                               self.values, "--output", self.output], capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((done.stderr.count("\n"), done.returncode), (1, 1), done.stderr)


if __name__ == "__main__":
    unittest.main()
