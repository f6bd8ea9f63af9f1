#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the adapter adds to the start of a process: time until the end of MPI_Init, and resident memory there.

usage: startup.py FOLDER NATIVE ADAPTED

FOLDER holds the adapter's library; NATIVE and ADAPTED are tests/bench/startup.c, compiled for the
host and for the application's MPI. They take turns, so that what disturbs one disturbs both. Exit status 1:
the medians' difference is above the goals.
"""
import os
import statistics
import subprocess
import sys
import time

RUNS = 21
GOAL_MILLISECONDS = 5
GOAL_MEBIBYTES = 2


def run(program, environment):
    """(milliseconds from before exec to the end of MPI_Init, MiB)"""
    before = time.monotonic_ns()
    result = subprocess.run([program], env=environment, stdout=subprocess.PIPE, check=True)
    after, kibibytes = map(int, result.stdout.split())
    return (after - before) / 1e6, kibibytes / 1024


def show(text, unit, native, adapted, goal):
    """Prints a line; whether the goal is met."""
    def describe(values):
        low, _, high = statistics.quantiles(values, n=4)
        return f"{statistics.median(values):7.2f} ({low:.2f}-{high:.2f})"
    more = statistics.median(adapted) - statistics.median(native)
    print(f"{text}: native {describe(native)}, adapted {describe(adapted)} {unit}: "
          f"{more:+.2f} {unit}, goal +{goal}{'' if more <= goal else ': MISSED'}")
    return more <= goal


def main(folder, native, adapted):
    environments = {native: dict(os.environ), adapted: dict(os.environ, LD_LIBRARY_PATH=folder)}
    results = {native: [], adapted: []}
    for program in (native, adapted):
        run(program, environments[program])  # into the page cache
    for _ in range(RUNS):
        for program in (native, adapted):
            results[program].append(run(program, environments[program]))
    (native_time, native_memory), (adapted_time, adapted_memory) = (zip(*results[name]) for name in (native, adapted))
    met = [show(f"start of a process, median and quartiles of {RUNS} runs", "ms", native_time, adapted_time,
                GOAL_MILLISECONDS),
           show("resident memory after MPI_Init", "MiB", native_memory, adapted_memory, GOAL_MEBIBYTES)]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
