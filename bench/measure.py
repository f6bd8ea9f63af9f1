#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the benchmark's programs, native and adapted by turns, and writes what they printed.

usage: measure.py FOLDER OUTPUT

FOLDER holds programs/PROGRAM.FAMILY, floor/FAMILY/ (see forward) and instructions/PAIR.{adapter,floor}
as `profile` printed them, and apps.json as apps/run wrote it. OUTPUT is JSON: machine, releases,
instructions, and figures, each with all its values.

Every figure is taken on one host, in rounds. A round runs each variant once: `native`, the program
compiled for the host; `again`, the same once more, which shows what chance does; `floor`, that
program through a library that only forwards; `adapted`, the program compiled for the other MPI; and by
its name each other layer that BENCH_ALSO names (see also.py), the same program by that. Where such a layer
fails, that is said, and its values are lacking.
"""
import json
import os
import platform
import re
import shlex
import statistics
import subprocess
import sys
import time

import also
import instructions
import launch
from pairs import FAMILIES, NAMES, PAIRS, launcher

QUICK = "BENCH_QUICK" in os.environ


class Experiment:
    """A program on some ranks. `keys` prefixes or renames what it prints."""

    def __init__(self, name, program, rounds, *, arguments=(), ranks=1, variants=("native", "again", "adapted"),
                 transport="memory", suffix="", language="c", environment=()):
        self.name, self.program, self.language = name, program, language
        self.rounds = 1 if QUICK else rounds
        self.arguments, self.ranks, self.variants = arguments, ranks, variants
        self.transport, self.suffix, self.environment = transport, suffix, dict(environment)


def experiments():
    """All of them, in the order of running."""
    everything = ("native", "again", "floor", "adapted")
    messages = ["20"] if QUICK else ["200"]
    chosen = [Experiment("calls", "calls", 11, variants=everything),
              Experiment("calls", "calls", 5, ranks=2 if QUICK else 16, variants=everything),
              *(Experiment("calls", f"fortran_{interface}", 11, variants=everything, language="fortran")
                for interface in ("mpif", "usempi", "f08")),
              *(Experiment("pingpong", f"pingpong_{language}", 11, ranks=2, arguments=["2000" if QUICK else "20000"],
                           suffix=f"/{language}", language=language) for language in ("c", "fortran")),
              Experiment("memory", "messages", 7, ranks=2, arguments=messages),
              *([] if QUICK else [Experiment("tcp", "messages", 5, ranks=2, arguments=["20"], transport="tcp")]),
              Experiment("growth", "scaling", 5, arguments=["1000" if QUICK else "100000"])]
    chosen += [Experiment("threads", "parallel", 7, arguments=[str(n)], suffix=f"/{n}") for n in ((1, 2) if QUICK else (1, 2, 4, 8))]
    chosen += [Experiment("processes", "parallel", 5, ranks=n, suffix=f"/{n}")
               for n in ((1, 2) if QUICK else (1, 2, 4, 8, 16, 32))]
    chosen += [Experiment("startup", "startup", 21 if n == 1 else 7, ranks=n, suffix=f"/{n}")
               for n in ((1, 2) if QUICK else (1, 2, 4, 8, 16))]
    return chosen


def variants_of(folder, pair):
    """{variant: (the program's family, the folder of libraries, the words in front of the program)}."""
    application, host = pair.split("-to-")
    adapter = os.path.join(os.environ["BUILD"], "lib", "mpi-adapter", pair)
    return {"native": (host, "", []), "again": (host, "", []), "floor": (host, os.path.join(folder, "floor", host), []),
            "adapted": (application, adapter, []),
            **{name: (application, "", words) for name, words in also.layers_of(pair).items()}}


def once(experiment, host, libraries, program):
    """The output of one run of a program, with the words in front of it; times of MPI_Init are made durations."""
    before = time.monotonic_ns()
    printed = launch.run(host, libraries, experiment.ranks, [*program, *experiment.arguments], experiment.transport)
    if "time" in printed:
        printed["time"] -= before
    return {key + experiment.suffix: value for key, value in printed.items()}


def measure(folder, experiment, pair):
    """Figures of an experiment on a pair's host: one for each key, with a list of values by variant."""
    variants, host = variants_of(folder, pair), pair.split("-to-")[1]
    others = list(also.layers_of(pair))
    figures, chosen = {}, [*experiment.variants, *others]
    for number in range(experiment.rounds):
        # By turns in the other order: what comes first does not always come first.
        for variant in chosen[::1 if number % 2 else -1]:
            family, libraries, words = variants[variant]
            program = os.path.join(folder, "programs", f"{experiment.program}.{family}")
            try:
                printed = once(experiment, host, libraries, [*words, program])
            except RuntimeError as failure:
                if variant not in others:
                    raise
                print(f"bench: {variant} is left out of {experiment.name}{experiment.suffix}: {failure}", file=sys.stderr)
                chosen.remove(variant)
                continue
            for key, value in printed.items():
                figures.setdefault(key, {}).setdefault(variant, []).append(value)
    return [{"experiment": experiment.name, "language": experiment.language, "pair": pair, "key": key,
             "ranks": experiment.ranks, "values": values} for key, values in figures.items()]


def summary(values):
    """Median and quartiles."""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return {"median": middle, "low": low, "high": high, "runs": len(values)}


def read_instructions(folder):
    """{pair: {"adapter" or "floor": {kind: instructions}}}"""
    counts = {}
    for pair in PAIRS:
        counts[pair] = {}
        for library in ("adapter", "floor"):
            with open(os.path.join(folder, "instructions", f"{pair}.{library}"), encoding="utf-8") as file:
                counts[pair][library] = instructions.read_list(file)
    return counts


def read_apps(path):
    """The reports that bench/apps/run wrote of each pair."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)["pairs"]


def version(*command):
    """The first thing that looks like a version in what a command prints."""
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    except OSError:
        return "unknown"
    found = re.search(r"\d+\.\d[\w.]*", result.stdout)
    return found.group() if found else "unknown"


def field(path, name):
    """The value of the first line "NAME : VALUE" of a file."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            key, _, value = line.partition(":")
            if key.strip() == name:
                return value.strip()
    return "unknown"


def machine():
    with open("/etc/os-release", encoding="utf-8") as file:
        system = dict(line.rstrip("\n").replace('"', "").split("=", 1) for line in file if "=" in line)
    return {"processor": field("/proc/cpuinfo", "model name"), "cores": os.cpu_count(),
            "memory": f"{int(field('/proc/meminfo', 'MemTotal').split()[0]) >> 20} GiB", "kernel": platform.release(),
            "system": system.get("PRETTY_NAME", "unknown"), "architecture": platform.machine()}


def releases():
    compiler = os.environ.get("CC", "gcc")
    return {**{NAMES[family]: version(launcher(family), "--version") for family in FAMILIES},
            "compiler": f"{compiler} {version(compiler, '-dumpfullversion')}"}


def main(folder, output):
    began, figures = time.monotonic(), []
    for experiment in experiments():
        for pair in PAIRS:
            print(f"bench: {experiment.name}{experiment.suffix} on {pair.split('-to-')[1]}, "
                  f"{experiment.rounds} rounds", file=sys.stderr)
            figures += measure(folder, experiment, pair)
    for figure in figures:
        figure["summary"] = {variant: summary(values) for variant, values in figure["values"].items()}
    results = {"date": time.strftime("%Y-%m-%d", time.gmtime()), "quick": QUICK, "machine": machine(),
               "releases": releases(), "also": {pair: {name: shlex.join(words) for name, words in also.layers_of(pair).items()}
                                                        for pair in PAIRS}, "seconds": round(time.monotonic() - began),
               "instructions": read_instructions(folder), "figures": figures,
               "applications": read_apps(os.path.join(folder, "apps.json"))}
    with open(output, "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
