#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the start of a pair's programs; see start, which calls it.

usage: start.py times|instructions|files|names|trees PAIR FOLDER [RANKS [ROUNDS]]   FOLDER has startup.FAMILY
"""
import collections
import glob
import os
import re
import resource
import statistics
import subprocess
import sys
import time

import launch

# Names there are the process's own, and differ from run to run.
PASSING = ("/dev/", "/tmp/", "/proc/", "/sys/", "/run/")
# hwloc finds its plugins unusable where an adapter has loaded it, as it is in no scope that they look at: without them
# the host does the same either way.
SETTINGS = {"HWLOC_PLUGINS_PATH": "/nonexistent"}
CALL = re.compile(r'(\w+)\((?:[^",]*, )?"([^"]*)".*\) += (-?\d+)')
# Numbers in names of the launcher's folder change from run to run.
NUMBERED = re.compile(r"(?<![^/])\d+(?![^/])")
SHOWN = {"time": ("ms", 1e-6), "cpu": ("ms", 1e-6), "faults": ("", 1), "resident": ("KiB", 1), "private": ("KiB", 1),
         "dirty": ("KiB", 1)}


def variants_of(pair, folder):
    """{variant: (program, folder of libraries)}"""
    application, host = pair.split("-to-")
    libraries = os.path.join(os.environ["BUILD"], "lib", "mpi-adapter", pair)
    return {"native": (os.path.join(folder, f"startup.{host}"), ""),
            "adapted": (os.path.join(folder, f"startup.{application}"), libraries)}


def timed(host, ranks, program, libraries):
    """The output of one run, with the time since before it was started."""
    before = time.monotonic_ns()
    printed = launch.run(host, libraries, ranks, [program])
    printed["time"] -= before
    return printed


def times(pair, folder, ranks=1, rounds=25):
    host, variants = pair.split("-to-")[1], variants_of(pair, folder)
    variants["again"] = variants["native"]
    found = {variant: [] for variant in variants}
    for number in range(int(rounds)):
        # By turns in the other order: what comes first does not always come first.
        for variant in list(variants)[::-1 if number % 2 else 1]:
            found[variant].append(timed(host, int(ranks), *variants[variant]))
    print(f"{pair}, {ranks} ranks, {rounds} rounds: least, median\tnative\tagain\tadapted\tadded")
    for key, (unit, scale) in SHOWN.items():
        values = {variant: [scale * run[key] for run in runs] for variant, runs in found.items()}
        for name, of in (("least", min), ("median", statistics.median)):
            row = {variant: of(values[variant]) for variant in values}
            added = row["adapted"] - row["native"]
            print(f"{key}, {name} {unit}", *(f"{row[v]:.1f}" for v in ("native", "again", "adapted")), f"{added:+.1f}", sep="\t")


def counted(host, program, libraries, output):
    """How many instructions one process executes until the end of MPI_Init."""
    arguments, more = launch.command(host, libraries, 1, [program, "initialize"])
    subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={output}.%p", *arguments], check=True,
                   env=launch.environment(host) | more, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Children that have not executed a program yet count for little, and write files of their own.
    return max(int(line.split()[1]) for path in glob.glob(f"{output}.*") for line in open(path, encoding="utf-8")
               if line.startswith("totals:"))


def instructions(pair, folder):
    counts = {variant: counted(pair.split("-to-")[1], *how, os.path.join(folder, variant))
              for variant, how in variants_of(pair, folder).items()}
    print(pair, *counts, "added", sep="\t")
    print("instructions", *counts.values(), counts["adapted"] - counts["native"], sep="\t")


def trees_of(pair, folder):
    """{variant: {ranks: how}}, how as launch.run takes it: folder of libraries, ranks, command."""
    host = pair.split("-to-")[1]
    native, adapted = variants_of(pair, folder).values()
    plain, spliced = (os.path.join(folder, tree, "bin") for tree in ("plain", "spliced"))
    run = [os.path.join(os.environ["BUILD"], "bin", "mpi-adapter"), "run", "--to", host, "-n"]

    def in_tree(program):
        path = os.path.join(spliced, program)
        return {1: ("", 1, [path]), 2: ("", 1, [os.path.join(spliced, "mpiexec"), "-n", "2", path])}

    return {"native": {ranks: ("", ranks, [native[0]]) for ranks in (1, 2)},
            "adapted by LD_LIBRARY_PATH": {ranks: (adapted[1], ranks, [adapted[0]]) for ranks in (1, 2)},
            "spliced": in_tree("startup"),
            "spliced, brings libraries of the host's": in_tree("brings"),
            "mpi-adapter run": {ranks: ("", 1, [*run, str(ranks), os.path.join(plain, "startup")]) for ranks in (1, 2)}}


def used(host, how):
    """The time until the end of MPI_Init, and the CPU time of all that the command starts, in ns."""
    before, own = time.monotonic_ns(), resource.getrusage(resource.RUSAGE_CHILDREN)
    result = launch.run(host, *how)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result["time"] - before, (after.ru_utime + after.ru_stime - own.ru_utime - own.ru_stime) * 1e9


def trees(pair, folder, rounds=25):
    host, variants = pair.split("-to-")[1], trees_of(pair, folder)
    found = {(variant, ranks): [] for variant, ways in variants.items() for ranks in ways}
    for number in range(int(rounds)):
        for variant, ranks in list(found)[::-1 if number % 2 else 1]:
            found[variant, ranks].append(used(host, variants[variant][ranks]))
    print(f"{pair}, {rounds} rounds, the least\talone: time ms\tCPU ms\tinstructions\ttwo ranks: time ms\tCPU ms")
    for number, (variant, ways) in enumerate(variants.items()):
        alone, two = ([f"{min(values) * 1e-6:.1f}" for values in zip(*found[variant, ranks])] for ranks in ways)
        libraries, _, command = ways[1]
        count = counted(host, command[0], libraries, os.path.join(folder, f"count{number}")) if len(command) == 1 else "-"
        print(variant, *alone, count, *two, sep="\t")


def traced(host, program, libraries, output):
    """Questions of the program's first thread to the file system: a list of (call, name, whether it succeeded)."""
    arguments, more = launch.command(host, libraries, 1, [program])
    settings = [f"--env={name}={value}" for name, value in more.items()]
    subprocess.run(["strace", "-qq", "-s", "4096", "-e", "trace=%file", "-o", output, *settings, *arguments],
                   env=launch.environment(host), stdout=subprocess.DEVNULL, check=True)
    with open(output, encoding="utf-8", errors="replace") as lines:
        found = [CALL.match(line) for line in lines]
    return [(call[1], NUMBERED.sub("NUMBER", call[2]), int(call[3]) >= 0)
            for call in found if call and call[1] != "execve" and call[2]]


def asked(pair, folder):
    """{variant: the calls}, and those that only the adapted process makes, or makes more often."""
    variants = variants_of(pair, folder)
    calls = {variant: traced(pair.split("-to-")[1], *how, os.path.join(folder, variant)) for variant, how in variants.items()}
    own = variants["adapted"][1] + "/"
    lasting = {variant: collections.Counter(call for call in those if call[1].startswith(own) or not call[1].startswith(PASSING))
               for variant, those in calls.items()}
    return calls, lasting["adapted"] - lasting["native"]


def opened(calls, pattern):
    """How often which names of a pattern were opened."""
    return collections.Counter(name for call, name, succeeded in calls
                               if succeeded and call.startswith("open") and re.search(pattern, name))


def files(pair, folder):
    calls, more = asked(pair, folder)
    own = variants_of(pair, folder)["adapted"][1] + "/"
    # Below that folder the dynamic linker looks for variants of a library, for some of them twice on some processors.
    vain = collections.Counter(name for call, name, succeeded in calls["adapted"]
                               if not succeeded and call.startswith("open") and os.path.dirname(name) + "/" == own)
    libraries = {variant: opened(those, r"\.so(\.[0-9.]+)?$") for variant, those in calls.items()}
    rows = {
        "calls": [len(those) for those in calls.values()],
        "maps": [sum(opened(those, r"/maps$").values()) for those in calls.values()],
        "ld.so.cache": [sum(opened(those, r"/ld\.so\.cache$").values()) for those in calls.values()],
        "libraries": [len(those) for those in libraries.values()],
        "libraries again": [sum(those.values()) - len(those) for those in libraries.values()],
        "libraries of the pair": [0, len([name for name in libraries["adapted"] if name.startswith(own)])],
        "other libraries": [0, len([name for name in libraries["adapted"]
                                    if name not in libraries["native"] and not name.startswith(own)])],
        "in vain in the pair's folder": [0, sum(count for (_, name, succeeded), count in more.items()
                                                if not succeeded and name.startswith(own))],
        "of these once more": [0, sum(vain.values()) - len(vain)],
        "other names": [0, sum(count for (call, name, _), count in more.items() if not name.startswith(own)
                               and not name.endswith("/ld.so.cache") and name not in libraries["adapted"])],
    }
    print("asked for", *calls, sep="\t")
    for what, counts in rows.items():
        print(what, *counts, sep="\t")


def names(pair, folder):
    for (call, name, succeeded), count in sorted(asked(pair, folder)[1].items()):
        print(count, call, "there" if succeeded else "not there", name, sep="\t")


if __name__ == "__main__":
    os.environ.update(SETTINGS)
    {"times": times, "instructions": instructions, "files": files, "names": names, "trees": trees}[sys.argv[1]](*sys.argv[2:])
