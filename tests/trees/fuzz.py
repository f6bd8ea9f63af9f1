#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes random trees (links, pipes, sockets, holes, hard links, modes) and journals, and lets the program that does all access to trees
at them: fuzz.py PROGRAM FOLDER RUNS|SECONDSs [FIRST].

The program is compiled with sanitizers. It ends with an answer or a problem, never by a signal; it changes nothing outside of the tree;
a copy leaves the tree as it is; what it spliced it puts back. Each run has a number, which makes the same tree again."""

import os
import random
import socket
import stat
import subprocess
import sys
import time

NAMES = ["bin", "lib", "a", "libmpi.so.40", "mpiexec", "program", "x y", "-n", "new\nline", ".mpi-adapter", "host", "new", "journal",
         "manifest", "now", "before", "after", "0", "copy", "\x1b[2J", "é", "L" * 200]
TARGETS = ["lib", "..", "../..", "/", "libmpi.so.40", "nowhere", ".", "{outside}/secret", "{outside}", "{tree}/lib", "{tree}", "\t", "a" * 300]


def fill(folder, chance, places, depth=0):
    """Fills a folder with random entries."""
    for _ in range(chance.randint(1, 6)):
        path = os.path.join(folder, chance.choice(NAMES))
        if os.path.lexists(path):
            continue
        way = chance.randrange(12)
        if way < 4 and depth < 4:
            os.mkdir(path)
            fill(path, chance, places, depth + 1)
            os.chmod(path, chance.choice([0o755, 0o775, 0o700, 0o2775, 0o1777]))
        elif way < 7:
            os.symlink(chance.choice(TARGETS).format(**places), path)
        elif way == 7:
            os.mkfifo(path)
        elif way == 8 and len(path) < 100:
            with socket.socket(socket.AF_UNIX) as end:
                end.bind(path)
        elif way == 9:
            others = [os.path.join(folder, name) for name in os.listdir(folder)]
            files = [name for name in others if os.path.isfile(name) and not os.path.islink(name)]
            if files:
                os.link(chance.choice(files), path)
        else:
            write_file(path, chance, places)


def write_file(path, chance, places):
    with open(path, "wb") as file:
        way = chance.randrange(5)
        if way == 0:
            file.write(b"#!" + chance.choice([places["tree"] + "/bin/sh", "/bin/sh", " ", places["tree"] + "/../x"]).encode() + b" -e\necho\n")
        elif way == 1:
            with open("/bin/true", "rb") as program:
                file.write(program.read(chance.choice([4, 64, 100, 5000, 1000000])))
        elif way == 2:
            file.seek(chance.choice([0, 5000, 3000000]))
            file.write(b"end")
            file.truncate(chance.choice([0, 10, 4000000]))
        else:
            file.write(bytes(chance.randrange(256) for _ in range(chance.randrange(50))))
    os.chmod(path, chance.choice([0o644, 0o755, 0o600, 0o4711, 0o444]))


def journal(chance, tree, places):
    """A journal that somebody wrote."""
    paths = ["lib/libmpi.so.40", "bin/mpiexec", "a", "lib", "../" + os.path.basename(places["outside"]) + "/secret", "/etc/passwd", ".mpi-adapter/host", "a/../b",
             "lib/", "", "lib//a", "x y", "."]
    lines = [chance.choice(["mpi-adapter splice 1", "mpi-adapter splice 2", "mpi-adapter splice 3", ""]), "pair\t/p", "host\t/h"]
    if lines[0].endswith("2"):
        lines.append("tree\t%s" % chance.choice([os.stat(tree).st_ino, 0, -1, "x"]))
    for _ in range(chance.randrange(4)):
        fields = [chance.choice(["file", "link", "none", "other"])]
        if not lines[0].endswith("1"):
            fields += [str(chance.choice([1, -1, 9 ** 30])), str(chance.choice([0, 3, 10 ** 30]))]
        fields.append(chance.choice(["-", "0" * 64, "f" * 64, "x"]))
        if not lines[0].endswith("1"):
            fields.append(chance.choice(["link", "0" * 64, ""]))
        fields += [chance.choice(paths), chance.choice(["/nowhere.so", "/nowhere", "relative", "{outside}/secret".format(**places)])]
        if chance.random() < 0.1:
            fields.append("more")
        lines.append("\t".join(fields))
    text = bytearray("\n".join([*lines, chance.choice(["end", "end", "end", "en"]), ""]).encode())
    if chance.random() < 0.3 and text:
        text[chance.randrange(len(text))] = chance.randrange(256)
    return bytes(text)


def state(top, leave=()):
    """All that is below a folder, but for names that are left out."""
    found = []
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if name not in leave]
        for name in folders + files:
            if name in leave:
                continue
            path = os.path.join(folder, name)
            status = os.lstat(path)
            content = os.readlink(path) if stat.S_ISLNK(status.st_mode) else ""
            if stat.S_ISREG(status.st_mode):
                with open(path, "rb") as file:
                    content = hash(file.read())
            found.append((path, status.st_mode, status.st_ino, status.st_nlink if not stat.S_ISDIR(status.st_mode) else 0, content))
    return sorted(found, key=lambda each: each[0])


class Run:
    """One tree, and what the program makes of it."""

    def __init__(self, program, folder, number):
        self.program, self.number, self.chance = program, number, random.Random(number)
        self.top = os.path.join(folder, str(number))
        self.tree, self.outside = os.path.join(self.top, "tree"), os.path.join(self.top, "outside")
        self.places = {"tree": self.tree, "outside": self.outside}
        for path in (self.top, self.tree, self.outside):
            os.mkdir(path)
        with open(os.path.join(self.outside, "secret"), "w", encoding="ascii") as file:
            file.write("secret")
        fill(self.tree, self.chance, self.places)

    def ask(self, verb, *words, text=b""):
        """Lets the program at the tree; returns whether it did what it was asked."""
        folder = os.open(self.tree, os.O_RDONLY | os.O_DIRECTORY)
        result = subprocess.run([self.program, verb, str(folder), self.tree, *words], input=text, capture_output=True, pass_fds=[folder],
                                timeout=60, check=False)
        os.close(folder)
        if result.returncode not in (0, 1) or result.stderr:
            sys.exit(f"run {self.number}, {verb}: status {result.returncode}\n{result.stderr.decode(errors='replace')}")
        if (result.returncode == 1) != (b"problem\0" in result.stdout):
            sys.exit(f"run {self.number}, {verb}: status {result.returncode}, but {result.stdout!r}")
        return result.returncode == 0

    def expect(self, what, before, after):
        if before != after:
            sys.exit(f"run {self.number}: {what}: {sorted(set(map(str, before)) ^ set(map(str, after)))}")

    def splice(self):
        """Splices some files of the tree, and undoes that."""
        files = [os.path.join(folder, name) for folder, _, names in os.walk(self.tree) for name in names]
        words = [b"/pair", b"/host.so", b"1", b"/preload.so"]
        for path in self.chance.sample(files, min(len(files), 4)):
            script = b"#!/bin/sh\n" if self.chance.random() < 0.3 else b""
            words += [os.path.relpath(path, self.tree).encode(), b"/pair/lib.so", script]
        if self.chance.random() < 0.3:
            words += [b"lib/none.so", b"/pair/none.so", b""]
        before = state(self.tree)
        done = self.ask("splice", text=b"".join(word + b"\0" for word in words))
        self.ask("examine")
        undone = self.ask("undo")
        if done and not undone:
            sys.exit(f"run {self.number}: what was spliced was not put back")
        if done:
            self.expect("not as before", [each[:3] for each in before if ".mpi-adapter" not in each[0]],
                        [each[:3] for each in state(self.tree) if ".mpi-adapter" not in each[0]])

    def forge(self):
        """Undoes what somebody wrote."""
        own = os.path.join(self.tree, ".mpi-adapter")
        if not os.path.lexists(own):
            os.mkdir(own)
        if os.path.isdir(own) and not os.path.islink(own):
            path = os.path.join(own, self.chance.choice(["journal", "manifest"]))
            if not os.path.lexists(path):
                with open(path, "wb") as file:
                    file.write(journal(self.chance, self.tree, self.places))
        for verb in ("examine", "show", "undo"):
            self.ask(verb)

    def all(self):
        outside, before = state(self.outside), state(self.tree)
        for verb, words in (("judge", ()), ("names", ("lib*", "*")), ("programs", ()), ("runnable", ("bin",)), ("compare", ()), ("require-root", ())):
            self.ask(verb, *words)
        copy = os.path.join(self.top, "copy")
        if self.ask("copy", copy) != os.path.isdir(copy):
            sys.exit(f"run {self.number}: a copy is there, or is not")
        self.expect("a copy changed the tree", before, state(self.tree))
        if self.chance.random() < 0.5:
            self.splice()
        else:
            self.forge()
        self.expect("changed outside of the tree", outside, state(self.outside))


def main():
    program, folder, runs = sys.argv[1:4]
    number = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    end = time.monotonic() + float(runs[:-1]) if runs.endswith("s") else None
    last = number + int(runs) if not end else None
    first = number
    os.umask(0o022)
    while time.monotonic() < end if end else number < last:
        run = Run(program, folder, number)
        run.all()
        subprocess.run(["rm", "-rf", run.top], check=True)
        number += 1
    print(f"{number - first} trees")


main()
