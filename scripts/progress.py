#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What runs, as how many of how many, and how much time is left: one line on the terminal that standard error is, and
nothing at all if that is none.

usage: COMMAND | progress.py [--pass]

Reads lines: `1..N` says that N more steps are to come, as in TAP; any other one names the step that begins. With --pass
the lines are those that steps printed when they ended, and go to standard output as well. Python programs use Steps.
"""
import re
import shutil
import sys
import time


def duration(seconds):
    """In words, and no more exactly than one can know."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


class Steps:
    """The steps of a program. Nothing is written unless `terminal` is one."""

    def __init__(self, planned=0, terminal=None, now=time.monotonic):
        self.terminal = sys.stderr if terminal is None else terminal
        self.shown = self.terminal.isatty()
        self.planned, self.begun, self.ended, self.now = planned, 0, 0, now
        self.start = now()

    def plan(self, number):
        self.planned += number

    def begin(self, what):
        """The next step begins, so the one before it has ended."""
        self.ended = self.begun
        self.begun += 1
        self.show(what)

    def end(self, what):
        """The next step has ended."""
        self.begun += 1
        self.ended = self.begun
        self.show(what)

    def left(self):
        """The time that the steps to come take if they take as long as those that have ended; None if nobody knows."""
        if not self.ended:
            return None
        return (self.now() - self.start) / self.ended * max(self.planned - self.ended, 0)

    def show(self, what):
        if not self.shown:
            return
        left = self.left()
        text = f"[{self.begun}/{max(self.planned, self.begun)}] {what}"
        text += "" if left is None else f", {duration(left)} left"
        width = shutil.get_terminal_size().columns - 1
        self.terminal.write(f"\r\033[K{text[:width]}")
        self.terminal.flush()

    def clear(self):
        """Before anything else is written, and at the end."""
        if self.shown:
            self.terminal.write("\r\033[K")
            self.terminal.flush()


def main(passes):
    steps = Steps()
    # What tests write may be in no encoding.
    for stream in sys.stdin, sys.stdout:
        stream.reconfigure(errors="surrogateescape")
    for line in sys.stdin:
        if passes:
            steps.clear()
            sys.stdout.write(line)
            sys.stdout.flush()
        planned = re.fullmatch(r"1\.\.(\d+)\s*", line)
        if planned:
            steps.plan(int(planned.group(1)))
        elif not passes:
            steps.begin(line.strip())
        elif re.match(r"(not )?ok ", line):
            steps.end(re.sub(r"^(not )?ok \d+ ", "", line).strip())
    steps.clear()


if __name__ == "__main__":
    main(sys.argv[1:] == ["--pass"])
