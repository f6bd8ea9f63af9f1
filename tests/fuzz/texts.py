#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Damages what readers in Python and shell read, and looks how they take it. Damage has a number, which does the same in every
run. What is damaged:

    tables      tables, templates and rules of the generator: what is wrong is an InputError
    settings    settings files and pairs' descriptions: what is wrong is said in whole lines of the command's own, and nothing
                of a file runs
    programs    scripts and programs that `env` and `explain` are asked about: the same
    answers     what a look into an image, and a launcher, write: the same
    hosts       MPI libraries: the same
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
GEN = os.path.join(HERE, "..", "..", "gen")
FAMILIES = ("alpha", "beta")

# Texts that a shell might run, a number might not hold, or a format might misread.
WORDS = ["$(touch {canary})", "`touch {canary}`", "a[$(touch {canary})]", "x]=$(touch {canary})", "$((1/0))", "%n%s%d", "*", "~",
         "~root/", "..", "-n", "--", "'", '"', "\\", "\0", "\n", "\r", "\x1b[2J", "\x7f", "\u2028", "é", "\ufeff", "=", ":", "#",
         " ", "\t", "[", "]", "(", ")", "0", "-1", "00", "08", "9" * 20, "0x7fffffffffffffff", "9223372036854775808", "A" * 5000,
         "MPI_X", "..."]


def changed(data, chance, canary):
    """Bytes with some of them changed, words put in, lines left out, doubled or exchanged."""
    data = bytearray(data)
    # One change alone is seen by what reads it; of several the first may hide the others.
    for _ in range(chance.choice((1, 1, 1, 2, 3, 4))):
        at = chance.randint(0, len(data))
        way = chance.randrange(7)
        if way == 0 and data:
            data[min(at, len(data) - 1)] = chance.randrange(256)
        elif way == 1:
            data[at:at] = chance.choice(WORDS).format(canary=canary).encode() if chance.random() < 0.9 else b"\xff\xfe"
        elif way == 2:
            del data[at:at + chance.randint(1, 20)]
        else:
            lines = data.split(b"\n")
            one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
            if way == 3:
                lines.insert(one, lines[other])
            elif way == 4:
                del lines[one]
            else:
                words, more = lines[one].split(b" "), lines[other].split(b" ")
                more = [b"", b"-1", b"9" * 18, b"9" * 20] if way == 6 else more
                words[chance.randrange(len(words))] = chance.choice(more)
                lines[one] = b" ".join(words)
            data = bytearray(b"\n".join(lines))
    return bytes(data)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


class Numbers:
    """The numbers from `next` on: so many of them, or as long as the seconds last, but one at least. `next` is one that was not
    tried yet."""

    def __init__(self, first, runs, seconds):
        self.next = first
        self.last = first + (runs or 0)
        self.seconds = seconds or 0

    def by(self, step):
        until = time.monotonic() + self.seconds
        while True:
            yield self.next
            self.next += step
            if self.next >= self.last and time.monotonic() >= until:
                return


class Found(Exception):
    """A wrong reaction to a text with the damage of this number."""

    def __init__(self, what, number, data):
        super().__init__(what)
        self.number, self.data = number, data


# ---- the generator's tables

def all_files(folder):
    return sorted(os.path.join(base, name) for base, _, names in os.walk(folder) for name in names)


def fuzz_tables(_command, numbers):
    sys.path.insert(0, GEN)
    sys.dont_write_bytecode = True
    import emit
    from diagnostic import InputError
    with tempfile.TemporaryDirectory() as work:
        tables, templates = os.path.join(work, "tables"), os.path.join(work, "templates")
        shutil.copytree(os.path.join(HERE, "..", "gen", "emit", "tables"), tables)
        shutil.copytree(os.path.join(GEN, "..", "templates"), templates)
        files = all_files(tables) + [path for path in all_files(templates) if path.endswith(".tpl")]
        for number in numbers.by(1):
            chance = random.Random(number)
            path = files[number % len(files)]
            whole = read(path)
            data = changed(whole, chance, os.path.join(work, "canary"))
            write(path, data)
            try:
                emit.main(["--tables", tables, "--templates", templates, "--application", FAMILIES[number % 2],
                           "--host", FAMILIES[1 - number % 2], "--output", os.path.join(work, "output")])
            except InputError as error:
                if "\n" in str(error):
                    raise Found(f"{path}: more than a line: {error}", number, data) from error
            except OSError as error:
                if not error.filename:
                    raise Found(f"{path}: {error}", number, data) from error
            except Exception as error:  # pylint: disable=broad-except
                raise Found(f"{path}: {type(error).__name__}: {error}", number, data) from error
            write(path, whole)


# ---- the command's settings and pairs

AT_ONCE = 25


def judge(done, work, number, data):
    """Checks that the command wrote only its own lines, ended with a status of its own, and ran nothing."""
    said = done.stderr.decode("utf-8", "replace").split("\n")[:-1]
    wrong = [line for line in said if not line.startswith("mpi-adapter: ")]
    if done.returncode not in (0, 1) or wrong or (done.returncode == 1 and not said):
        raise Found(f"status {done.returncode}: {wrong[:3]}", number, data)
    if os.path.exists(os.path.join(work, "canary")):
        raise Found("something of a file was run", number, data)


def look(command, work, number, batch):
    """Runs the command on a batch of settings and pairs, and judges its answer."""
    names = [os.path.join(work, "pairs", f"{i}") for i in range(AT_ONCE)]
    environment = {"HOME": work, "PATH": os.environ["PATH"], "MPI_ADAPTER_PATH": ":".join(names),
                   "MPI_ADAPTER_CONFIG": ":".join(os.path.join(work, f"{i}.conf") for i in range(AT_ONCE))}
    done = subprocess.run([command, "list"], env=environment, cwd=work, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=120, check=False)
    judge(done, work, number, b"\n----\n".join(batch))


def fuzz_settings(command, numbers):
    settings, pair = (read(os.path.join(HERE, "seeds", name)) for name in ("mpi-adapter.conf", "pair.conf"))
    with tempfile.TemporaryDirectory() as work:
        # A relative name: what a file says has no room for paths that it does not begin with.
        for number in numbers.by(AT_ONCE):
            batch = []
            for i in range(AT_ONCE):
                chance = random.Random(number + i)
                folder = os.path.join(work, "pairs", f"{i}", "openmpi-to-mpich")
                os.makedirs(folder, exist_ok=True)
                batch += [changed(settings, chance, "canary"), changed(pair, chance, "canary")]
                write(os.path.join(work, f"{i}.conf"), batch[-2])
                write(os.path.join(folder, "pair.conf"), batch[-1])
            look(command, work, number, batch)


# ---- what is to be run

SCRIPTS = (b"#!/bin/sh\nexit 0\n", b"#!/usr/bin/env -S sh -e\nexit 0\n", b"#! ./program --one two\n", b"#!./script\n")


def ask(command, work, number, data, words, **environment):
    environment = {"HOME": work, "PATH": os.environ["PATH"], "MPI_ADAPTER_CONFIG": "/dev/null", **environment}
    judge(subprocess.run([command] + words, env=environment, cwd=work, stdin=subprocess.DEVNULL, capture_output=True,
                         timeout=120, check=False), work, number, data)


def fuzz_programs(command, numbers):
    """Scripts stay as short as they are, so that their first lines are what changes; of programs the headers do."""
    with tempfile.TemporaryDirectory() as work:
        library = read("/bin/true")
        path = os.path.join(work, "script")
        for number in numbers.by(1):
            chance = random.Random(number)
            if number % 2:
                data = changed(library[:1024], chance, "canary") + library[1024:]
            else:
                data = changed(chance.choice(SCRIPTS), chance, "canary")
            write(path, data)
            os.chmod(path, 0o755)
            asked = ["env", "./script"] if number % 4 < 2 else ["explain", "./script"]
            ask(command, work, number, data, asked)


# ---- what others write, and what they are

ANSWER = b"inside\0yes\0program\0/app/program\0abi\0openmpi\0variables\0PATH HOME\0"
VERSION = b"HYDRA build details:\n    Version: 4.0.2\nmpiexec (Open MPI) 4.1.4\nslurm 22.05.8\n"
TOOL = "#!/bin/sh\n[ \"$1\" != --version ] || [ {0} = launcher ] || {{ echo podman; exit; }}\nexec cat {0}\n"


def fuzz_answers(command, numbers):
    with tempfile.TemporaryDirectory() as work:
        for name in ("image", "launcher"):
            write(os.path.join(work, f"{name}-tool"), TOOL.format(name).encode())
            os.chmod(os.path.join(work, f"{name}-tool"), 0o755)
        for number in numbers.by(1):
            chance = random.Random(number)
            data = changed(VERSION if number % 2 else ANSWER, chance, "canary")
            write(os.path.join(work, "launcher" if number % 2 else "image"), data)
            if number % 2:
                ask(command, work, number, data, ["list"], MPI_ADAPTER_LAUNCHER=os.path.join(work, "launcher-tool"))
            else:
                ask(command, work, number, data, ["container", "--print", "--tool", "./image-tool", "name", "--", "/app/program"])


def fuzz_hosts(command, numbers):
    """A library with all the names of an MPI's, and headers or an end that are wrong."""
    folder = os.path.join(os.path.dirname(os.path.realpath(command)), "..", "lib", "mpi-adapter")
    library = read(os.path.join(folder, "openmpi-to-mpich", "libmpi.so.40"))
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "libmpi.so")
        for number in numbers.by(1):
            chance = random.Random(number)
            if number % 3:
                data = changed(library[:1024], chance, "canary") + library[1024:]
            else:
                data = library[:chance.choice((chance.randrange(5000), chance.randrange(len(library))))]
            write(path, data)
            ask(command, work, number, data[:1024], ["list"], MPI_ADAPTER_HOST_LIBRARY=path)


KINDS = {"tables": fuzz_tables, "settings": fuzz_settings, "programs": fuzz_programs, "answers": fuzz_answers, "hosts": fuzz_hosts}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--command", type=os.path.abspath, help="mpi-adapter, for all but tables")
    parser.add_argument("--found", default=tempfile.gettempdir(), metavar="FOLDER", help="where a finding goes (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the first number (default: %(default)s)")
    how_long = parser.add_mutually_exclusive_group(required=True)
    how_long.add_argument("--runs", type=int, help="how many numbers")
    how_long.add_argument("--seconds", type=int, help="numbers for so long; says how many they were, and which is next")
    asked = parser.parse_args(arguments)
    if asked.kind != "tables" and not os.access(asked.command or "", os.X_OK):
        parser.error(f"--command: {asked.command or 'none'} is no command; build mpi-adapter")
    numbers = Numbers(asked.first, asked.runs, asked.seconds)
    try:
        KINDS[asked.kind](asked.command, numbers)
    except Found as found:
        kept = os.path.join(asked.found, f"{asked.kind}-{found.number}")
        write(kept, found.data)
        sys.exit(f"{found}\nnumber {found.number}, kept in {kept}")
    if asked.seconds:
        print(f"{numbers.next - asked.first} runs, the next is {numbers.next}")


if __name__ == "__main__":
    main(sys.argv[1:])
