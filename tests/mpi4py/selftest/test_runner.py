# SPDX-License-Identifier: BSD-3-Clause
"""Tests that pass, skip, fail and crash, to test the runner with."""
import os
import signal
import unittest


class Runner(unittest.TestCase):
    def test_crash(self):
        os.kill(os.getpid(), signal.SIGSEGV)

    def test_fail(self):
        self.fail("as it should")

    def test_pass(self):
        pass

    def test_skip(self):
        self.skipTest("as it should")
