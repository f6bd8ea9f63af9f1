#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures how long the mpi-adapter command takes.

Each figure is the median of its runs, which take turns.
"""
import os
import pathlib
import statistics
import subprocess
import time

import launch
import pairs

BUILD = pathlib.Path(os.environ["BUILD"])
COMMAND = str(BUILD / "bin" / "mpi-adapter")
ROUNDS = 1 if "BENCH_QUICK" in os.environ else 15
# Milliseconds that it may take; `run` so much more than the line that it starts.
GOALS = {"version": 5, "check": 30, "explain": 30, "check script.py": 100, "run": 10}


def lines(folder):
    """{what: words}, with a program of the first pair."""
    pair = pairs.PAIRS[0]
    family, host = pair.split("-to-")
    program, script = f"{folder}/programs/startup.{family}", pathlib.Path(folder, "script.py")
    script.write_text("import mpi4py.MPI\n", encoding="utf-8")
    given = pairs.giving(host, "LD_LIBRARY_PATH", str(BUILD / "lib" / "mpi-adapter" / pair))
    return {
        "version": [COMMAND, "version"],
        "env": [COMMAND, "env", "--to", host, program],
        "check": [COMMAND, "check", program],
        "explain": [COMMAND, "explain", program],
        "check script.py": [COMMAND, "check", "--from", family, str(script)],
        "line": [pairs.launcher(host), *given, "-n", "1", program],
        "run": [COMMAND, "run", "-n", "1", "--to", host, program],
    }


def milliseconds(words, environment):
    """The time of one run, whatever its status is: that of `check` says what it found."""
    began = time.monotonic_ns()
    subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return (time.monotonic_ns() - began) / 1e6


def measured(folder):
    """{what: ms}"""
    environment = launch.environment(pairs.PAIRS[0].split("-to-")[1])
    words = lines(folder)
    times = {what: [] for what in words}
    for _ in range(ROUNDS):
        for what, line in words.items():
            times[what].append(milliseconds(line, environment))
    return {what: statistics.median(values) for what, values in times.items()}


def text(found):
    """A table of it."""
    rows = [("the launcher's line of one rank", found["line"], ""),
            ("`mpi-adapter run` of it", found["run"], f"{GOALS['run']} more")]
    rows += [(f"`mpi-adapter {what}`" + (" of a program" if what in ("env", "check", "explain") else ""), found[what], GOALS.get(what, ""))
             for what in found if what not in ("line", "run")]
    return "\n".join(["## The command", "", "| | ms | at most |", "|---|---:|---:|",
                      *(f"| {what} | {value:.1f} | {goal} |" for what, value, goal in rows), ""])
