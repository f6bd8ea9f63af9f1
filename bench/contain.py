#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command and leaves nothing of it behind: whatever it has started ends with it, and when this is stopped.

usage: contain.py COMMAND...

Launchers and timeout(1) start ranks in process groups of their own, which a terminal's interrupt does not reach. Exits with the
command's status, or 128 and the signal's number.
"""
import ctypes
import os
import pathlib
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE = 3  # seconds that a signal is waited for


class Stopped(Exception):
    """By a signal."""


def stop(number, _frame):
    raise Stopped(number)


def adopt():
    """Orphans below become children of this process, which is stopped if its parent ends."""
    parent, library = os.getppid(), ctypes.CDLL(None)
    library.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    library.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        raise Stopped(signal.SIGTERM)


def parent_of(process):
    """0: it has ended."""
    try:
        return int(process.joinpath("stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1])
    except OSError:
        return 0


def descendants():
    """The process's descendants, with those that have ended and are not waited for."""
    parents = {int(path.name): parent_of(path) for path in pathlib.Path("/proc").glob("[0-9]*")}
    found, new = set(), {os.getpid()}
    while new:
        new = {process for process, parent in parents.items() if parent in new} - found
        found |= new
    return found


def wait_for_ended():
    """Waits for the children that have ended by now."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def end_all():
    """Ends what is below this process: a launcher that is asked to end ends its ranks."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        told, until = set(), time.monotonic() + PATIENCE
        while time.monotonic() < until:
            wait_for_ended()
            left = descendants()
            if not left:
                return
            for process in left - told:
                try:
                    os.kill(process, number)
                except ProcessLookupError:
                    pass
            told |= left
            time.sleep(0.05)


def status_of(command):
    """The status of the command, as a shell has it."""
    status = subprocess.Popen(command).wait()  # pylint: disable=consider-using-with
    return status if status >= 0 else 128 - status


def main(*command):
    for number in STOPPING:
        signal.signal(number, stop)
    try:
        adopt()
        status = status_of(command)
    except Stopped as stopped:
        status = 128 + stopped.args[0]
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    end_all()
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
