# SPDX-License-Identifier: BSD-3-Clause
"""Run the tests on this rank, in step with all other ranks.

Every rank runs the same tests in the same order and they meet after each of
them.  Each rank appends to its own file, so that the record survives a crash:

    start TAB test              the test begins
    end TAB test TAB outcome TAB JSON text
    finished TAB selection      all of these tests have run

A test that takes too long ends the rank, after Python's traceback was written
to trace.RANK; the caller starts the remaining tests in a new job.
"""
import argparse
import faulthandler
import fnmatch
import json
import os
import sys
import traceback
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, ".."), os.path.join(HERE, "..", "releases")]
from exceptions import rows  # pylint: disable=wrong-import-position
from faults import holds  # pylint: disable=wrong-import-position

def of_windows(name):
    return name.startswith(("test_win.", "test_rma"))


SELECTIONS = {
    "all": lambda name: True,
    "windows": of_windows,
    "rest": lambda name: not of_windows(name),
}


def flatten(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flatten(test)
        else:
            yield test


def load(folder, patterns):
    """All tests of a folder by id, those whose id matches a pattern if there are any."""
    suite = unittest.TestLoader().discover(folder, "test_*.py", folder)
    for test in flatten(suite):
        name = test.id()
        if not patterns or any(p in name or fnmatch.fnmatch(name, p) for p in patterns):
            yield name, test


def known_faults(host, release):
    """The faults that known-faults.tsv has for a release of a host: (pattern, how it fails, reason)."""
    for where, pattern, releases, how, reason in rows(os.path.join(HERE, "known-faults.tsv"), "host test releases how reason"):
        if where == host and holds(releases, release):
            yield pattern, how, reason


def explain(error):
    """A traceback without the frames of the unittest package."""
    kind, value, trace = error
    frames = [f for f in traceback.extract_tb(trace) if "/unittest/" not in f.filename]
    return "".join(traceback.format_list(frames) + traceback.format_exception_only(kind, value))


class Outcome(unittest.TestResult):
    """The outcome of one test on this rank: (outcome, text)."""

    value = ("pass", "")

    def addFailure(self, test, err):
        self.value = ("fail", explain(err))

    addError = addFailure

    def addSkip(self, test, reason):
        self.value = ("skip", reason)

    def addUnexpectedSuccess(self, test):
        self.value = ("fail", "unexpected success")

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.value = ("fail", f"{subtest}\n" + explain(err))


def run_one(test):
    outcome = Outcome()
    test(outcome)
    return outcome.value


def run_all(tests, faults, meet, record, limit, trace):
    for name, test in tests:
        faulthandler.dump_traceback_later(limit, exit=True, file=trace)
        record("start", name)
        reason = next((r for p, _, r in faults if fnmatch.fnmatch(name, p)), None)
        outcome = ("skip", reason) if reason else run_one(test)
        record("end", name, outcome[0], json.dumps(outcome[1]))
        meet()
        faulthandler.cancel_dump_traceback_later()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--directory", required=True)
    parser.add_argument("--suite", required=True, help="a folder of tests")
    parser.add_argument("--host", required=True)
    parser.add_argument("--release", required=True, help="the host's")
    parser.add_argument("--known", action="store_true", help="run those that are listed as faults, and can be run")
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--select", choices=SELECTIONS, default="all")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    from mpi4py import MPI

    private = MPI.COMM_WORLD.Dup()
    rank = private.Get_rank()
    trace = open(os.path.join(options.directory, f"trace.{rank}"), "w", encoding="utf-8")
    faulthandler.enable(file=trace)
    log = open(os.path.join(options.directory, f"rank.{rank}"), "a", encoding="utf-8")

    def record(*fields):
        log.write("\t".join(fields) + "\n")
        log.flush()

    done = set()
    if os.path.exists(os.path.join(options.directory, "done")):
        with open(os.path.join(options.directory, "done"), encoding="utf-8") as names:
            done = set(names.read().split("\n"))
    wanted = SELECTIONS[options.select]
    tests = [(name, test) for name, test in load(options.suite, options.patterns)
             if name not in done and wanted(name)]
    faults = list(known_faults(options.host, options.release))
    if options.known:
        tests = [(name, test) for name, test in tests if any(how == "fails" and fnmatch.fnmatch(name, p) for p, how, _ in faults)]
        faults = []
    run_all(tests, faults, private.Barrier, record, options.limit, trace)
    record("finished", options.select)
    private.Free()


if __name__ == "__main__":
    main()
