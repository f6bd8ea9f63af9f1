#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures in one table how long a start, a message and a kernel take, natively and adapted, and the command.

usage: table.py FOLDER

FOLDER has programs/{startup,messages}.FAMILY. Runs all in rounds, by turns: `native`, the program compiled for the host,
`again`, the same once more, `adapted`, the program compiled for the other MPI, and each layer of BENCH_ALSO (also.py). Each
figure is the best of its runs, as other programs slow runs down, and none makes one faster. After SECONDS no run begins, and what
has no figure until then says so. Prints the table, and writes it to FOLDER/table.md, and all values to FOLDER/table.json.
"""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import sys
import time

import also
import command
import launch
import measure
from pairs import NAMES, PAIRS

HERE = pathlib.Path(__file__).resolve().parent
QUICK = "BENCH_QUICK" in os.environ
SECONDS = 10 ** 6 if QUICK else 150
# Nor does one take longer than until then.
END = SECONDS + 25
ROUNDS = 1 if QUICK else 7
# Between two lines of the counter where that is no terminal.
SILENCE = 10
VARIANTS = ("native", "again", "adapted")
HEADINGS = {"again": "native again"}


class Row:
    """A figure: what it is called, its unit, and the better one of two values; and the number that a value is multiplied by."""

    def __init__(self, what, unit, best=min, scale=1.0):
        self.what, self.unit, self.best, self.scale = what, unit, best, scale


class Program:
    """A program of this folder, and the rows that its keys are for."""

    def __init__(self, name, ranks, rows, arguments=()):
        self.name, self.ranks, self.rows, self.arguments = name, ranks, rows, list(arguments)
        self.what = name if ranks == 1 else f"{name}, {ranks} ranks"

    def run(self, pair, family, folder, words, libraries):
        """{key: value}"""
        host, before = pair.split("-to-")[1], time.monotonic_ns()
        printed = launch.run(host, libraries, self.ranks, [*words, f"{folder}/programs/{self.name}.{family}", *self.arguments])
        return {key: value - (before if key == "time" else 0) for key, value in printed.items() if key in self.rows}


class Kernel:
    """An application kernel of apps/."""

    def __init__(self, bench, name, what, seconds):
        self.bench, self.name, self.what, self.seconds = bench, name, f"kernel {name}", seconds
        self.rows = {name: Row(f"{what}, 2 ranks", "s")}

    def run(self, pair, family, _folder, words, _libraries):
        """{key: value}"""
        self.bench.limit = lambda: max(1, END - self.seconds())
        return {self.name: self.bench.run(pair.split("-to-")[1], family, self.name, words)}


def kernels(seconds):
    """Compiles the kernels that are like NPB's; returns them, and the exception that they raise. `seconds` returns the time so
    far."""
    sys.path.insert(1, str(HERE / "apps"))
    loader = importlib.machinery.SourceFileLoader("kernels", str(HERE / "apps" / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("kernels", loader))
    loader.exec_module(module)
    bench = module.Bench(pathlib.Path(os.environ["BUILD"]), argparse.Namespace(quick=QUICK, ranks=[2], others=1, repetitions=6, most=6))
    names = {"ep": "NPB EP", "cg": "NPB CG", "is": "NPB IS", "ft": "NPB FT"}
    failures = module.compile_all(bench, list(names))
    if failures:
        sys.exit("mpi-adapter: " + "; ".join(failures.values()))
    return [Kernel(bench, name, f"a kernel like {what}", seconds) for name, what in names.items()], module.Failure


def experiments(seconds):
    """All of them, the short ones first, and what the kernels raise."""
    found, failure = kernels(seconds)
    start = {"time": Row("from exec to the end of MPI_Init", "ms", scale=1e-6)}
    launched = {"time": Row("the same of 2 ranks and their launcher", "ms", scale=1e-6)}
    messages = {"latency/4": Row("latency: half a ping-pong of 4 bytes", "µs", scale=1e-3),
                "bandwidth/4": Row("rate: messages of 4 bytes", "million/s", best=max, scale=1 / 4),
                "bandwidth/1048576": Row("bandwidth: messages of 1 MiB", "GB/s", best=max, scale=1e-3)}
    return [Program("startup", 1, start), Program("startup", 2, launched), Program("messages", 2, messages, ["20"]), *found], failure


class Counter:
    """Says how many runs of all have been made: on one line of a terminal, elsewhere now and then."""

    def __init__(self):
        self.runs, self.done, self.began, self.said = 0, 0, time.monotonic(), None

    def seconds(self):
        return time.monotonic() - self.began

    def tell(self, what):
        """Before a run."""
        self.done += 1
        line = f"bench: {self.done}/{self.runs}, {self.seconds():.0f} s: {what}"
        if sys.stderr.isatty():
            print(f"\r{line}\033[K", end="", file=sys.stderr, flush=True)
        elif self.said is None or self.seconds() - self.said >= SILENCE:
            self.said = self.seconds()
            print(line, file=sys.stderr, flush=True)

    @staticmethod
    def clear():
        """Ends the line of a terminal."""
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class Table:
    """All that was measured."""

    def __init__(self, folder):
        self.folder = folder
        self.counter = Counter()
        self.experiments, self.failure = experiments(self.counter.seconds)
        self.variants = {pair: [*VARIANTS, *also.layers_of(pair)] for pair in PAIRS}
        self.values = {pair: {} for pair in PAIRS}
        self.left_out = set()

    def plan(self):
        """(experiment, pair, variant) of a round after the other; by turns in the other order."""
        for number in range(ROUNDS):
            for experiment in self.experiments:
                for pair in PAIRS:
                    for variant in self.variants[pair][::-1 if number % 2 else 1]:
                        yield experiment, pair, variant

    def once(self, experiment, pair, variant):
        """One run. Another layer may fail: it is left out of the experiment, which is said."""
        family, libraries, words = measure.variants_of(self.folder, pair)[variant]
        try:
            printed = experiment.run(pair, family, self.folder, words, libraries)
        except (RuntimeError, self.failure) as failure:
            if self.counter.seconds() > SECONDS:
                return
            Counter.clear()
            if variant in VARIANTS:
                sys.exit(f"mpi-adapter: the benchmark cannot go on: {failure}")
            print(f"bench: {variant} is left out of {experiment.what}: {failure}", file=sys.stderr)
            self.left_out.add((experiment, pair, variant))
            return
        for key, value in printed.items():
            row = experiment.rows[key]
            self.values[pair].setdefault(row, {}).setdefault(variant, []).append(value * row.scale)

    def measure(self):
        """In the time that there is. Returns the seconds that it took."""
        runs, counter = list(self.plan()), self.counter
        counter.runs = len(runs)
        for experiment, pair, variant in runs:
            if counter.seconds() > SECONDS:
                break
            counter.tell(f"{experiment.what} on {NAMES[pair.split('-to-')[1]]}, {variant}")
            if (experiment, pair, variant) not in self.left_out:
                self.once(experiment, pair, variant)
        Counter.clear()
        return counter.seconds()

    def cells(self, pair, row):
        """The figures of a row, and how many percent the adapted one is above the native one."""
        found = {variant: row.best(values) for variant, values in self.values[pair].get(row, {}).items()}
        texts = [shown(found[variant]) if variant in found else "no time" for variant in self.variants[pair]]
        compared = "native" in found and "adapted" in found
        return [*texts, f"{100 * (found['adapted'] / found['native'] - 1):+.1f} %" if compared else ""]

    def text(self, seconds):
        """The tables of all pairs."""
        lines = ["# What MPI-Adapter costs here", "", summary(seconds), ""]
        for pair in PAIRS:
            heads = [HEADINGS.get(variant, variant) for variant in self.variants[pair]]
            lines += [f"## {pair}, on {NAMES[pair.split('-to-')[1]]}", "", "| | unit | " + " | ".join(heads) + " | difference |",
                      "|---|---|" + "---:|" * (len(heads) + 1)]
            lines += [f"| {row.what} | {row.unit} | " + " | ".join(self.cells(pair, row)) + " |"
                      for experiment in self.experiments for row in experiment.rows.values()]
            lines.append("")
        return "\n".join(lines)

    def data(self):
        """Returns the measured values for table.json."""
        return {"machine": measure.machine(), "releases": measure.releases(), "date": time.strftime("%Y-%m-%d"),
                "pairs": {pair: [{"what": row.what, "unit": row.unit, "better": "more" if row.best is max else "less", "values": values}
                                 for row, values in rows.items()] for pair, rows in self.values.items()}}


def shown(value):
    """Three digits."""
    return f"{value:.{max(0, 3 - len(str(int(value))))}f}"


def summary(seconds):
    machine, releases = measure.machine(), measure.releases()
    quick = " Quick: too short to mean anything." if QUICK else ""
    return (f"{time.strftime('%Y-%m-%d')}, {machine['processor']}, {machine['cores']} cores, {machine['system']}; "
            f"{', '.join(f'{name} {release}' for name, release in releases.items())}; {seconds:.0f} s.{quick}\n"
            "Each figure is the best of its runs. *native* and *native again* are the same program: what they differ by is chance.")


def main(folder):
    table = Table(folder)
    seconds = table.measure()
    started = command.measured(folder)
    text = table.text(seconds) + "\n" + command.text(started)
    data = table.data() | {"command": started}
    for name, content in (("table.md", text), ("table.json", json.dumps(data, indent=1) + "\n")):
        pathlib.Path(folder, name).write_text(content, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
