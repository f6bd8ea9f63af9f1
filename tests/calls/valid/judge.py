#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Judges the calls of a pair, or of a chain of pairs, by those that were made natively.

    judge.py MODE FOLDER NATIVE=RELEASE...

FOLDER has what run.sh leaves: MODE, what was called and what came back, and MODE.list, what the libraries export. A call
must succeed, and what it leaves in each of its results must be what it leaves on one of the native MPIs; where
none has the procedure, what `expected` says. What does not is in exceptions.tsv, with the reason and whose
doing it is, and a line there that nothing needs is a complaint. So is a name of a library that no call entered, unless
a program calls it that `elsewhere` in the file of values names. Writes FOLDER/MODE.judged, a line for each name:
LIBRARY SYMBOL PROCEDURE INTERFACE HOW, where HOW is as-both, as-one, as-expected, elsewhere, other or excepted, and, after
a tab, the programs of other tests that import it.
"""

import glob
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from fnmatch import fnmatchcase

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", ".."), os.path.join(HERE, "..", "..", "releases")]

from exceptions import rows  # noqa: E402
from faults import holds  # noqa: E402

EXCEPTION = "pair releases procedure interface result value whose reason"

GOOD = ("MPI_SUCCESS", "returned")


def rows_of(path, columns):
    """The lines of a table, in words, with the last column as it stands."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    return [line.split("\t") if columns == 0 else line.split(None, columns - 1) for line in lines]


class Call:
    """A line of the results."""

    def __init__(self, words):
        self.library, self.symbol, self.procedure, self.interface, self.outcome = words[:5]
        self.alias_of = words[5] if self.outcome == "is" else None
        self.results = dict(word.split("=", 1) for word in words[5:]) if not self.alias_of else {}

    @property
    def good(self):
        return self.outcome in GOOD


def load(path):
    return [Call(words) for words in rows_of(path, 0)]


class Natives:
    """The results of the calls on each native MPI, by whatever interface they were made."""

    def __init__(self, paths):
        self.runs = []
        for path in paths:
            results, outcomes = defaultdict(set), defaultdict(set)
            for call in load(path):
                if call.alias_of or call.outcome == "absent":
                    continue
                outcomes[call.procedure].add(call.outcome)
                if call.good:
                    for name, value in call.results.items():
                        results[call.procedure, name].add(value)
            self.runs.append((results, outcomes))

    @staticmethod
    def names(procedure):
        return (procedure, procedure.removesuffix("_c"), procedure.replace("MPIX_", "MPI_", 1))

    def values(self, procedure, name):
        """The values of a result on each MPI that has the procedure, by this name or another."""
        found = [next((results[each, name] for each in self.names(procedure) if (each, name) in results), None)
                 for results, _ in self.runs]
        return [values for values in found if values is not None]

    def outcomes(self, procedure):
        return set().union(*(outcomes[each] for _, outcomes in self.runs for each in self.names(procedure)[:1]))


class Exceptions:
    """The lines of exceptions.tsv for a mode, and a release of its host."""

    def __init__(self, path, mode, release):
        self.rows = [row for row in rows(path, EXCEPTION)
                     if fnmatchcase(mode, row[0]) and (row[1] == "*" or holds(row[1], release))]
        self.used = Counter()

    def covers(self, call, what, value):
        for row in self.rows:
            if all(fnmatchcase(text, pattern) for text, pattern in
                   zip((call.procedure, call.interface, what, value), row[2:6])):
                self.used[tuple(row)] += 1
                return True
        return False

    def unused(self):
        return [row for row in self.rows if not self.used[tuple(row)] and not row[7].startswith("at times")]


def imports(build):
    """{symbol: programs of other tests that import it}, as far as they have been compiled."""
    paths = [path for folder in ("c", "fortran", "cxx")
             for path in glob.glob(os.path.join(build, "tests", folder, "*", "**"), recursive=True)
             if os.path.isfile(path) and os.access(path, os.X_OK)]
    programs = defaultdict(set)
    if paths:
        output = subprocess.run(["nm", "-A", "-D", "-u", *paths], capture_output=True, text=True, check=False).stdout
        for line in output.splitlines():
            path, symbol = line.split(":", 1)[0], line.split()[-1]
            programs[symbol.split("@")[0]].add(os.path.basename(path).split(".")[0])
    return programs


class Elsewhere:
    """The lines `elsewhere` of the file of values: programs whose sources call what is not called here."""

    def __init__(self, path):
        self.rows = [words for words in rows_of(path, 4) if words[0] == "elsewhere"]
        self.words = {}

    def calls(self, procedure, interface):
        """True if the program that stands there for C, or a program in Fortran, names the procedure."""
        for _, pattern, program, _ in self.rows:
            if fnmatchcase(procedure, pattern):
                sources = [f"c/{program}.[ch]", f"c/mpi4/{program}.c"] if interface == "c" else ["fortran/*.F90", "fortran/check.h"]
                return any(procedure.lower() in self.words_of(source) for name in sources
                           for source in glob.glob(os.path.join(HERE, "..", "..", name)))
        return False

    def words_of(self, path):
        if path not in self.words:
            with open(path, encoding="utf-8") as file:
                self.words[path] = set(re.findall(r"\w+", file.read().lower()))
        return self.words[path]


def endings(path):
    """[(pattern of procedures, how they end)]: those that do not come back."""
    return [(words[1], f"{words[2]} {words[3]}") for words in rows_of(path, 4) if words[0] == "ends"]


def expectations(path):
    return {(words[0], words[1].split("=", 1)[0]): words[1].split("=", 1)[1] for words in rows_of(path, 2)}


class Judge:
    def __init__(self, mode, folder, natives):
        self.mode, self.folder = mode, folder
        self.natives = Natives([os.path.join(folder, native) for native in natives])
        self.exceptions = Exceptions(os.path.join(HERE, "exceptions.tsv"), mode, natives[mode.split("-to-")[-1]])
        self.expected = expectations(os.path.join(HERE, "expected"))
        self.endings = endings(os.path.join(HERE, "values"))
        self.complaints = []

    def complain(self, call, text):
        self.complaints.append(f"{self.mode}: {call.symbol} of {call.library} ({call.procedure}): {text}")

    def judge_call(self, call):
        """How a call is to be understood: as-both, as-one, as-expected or excepted."""
        if any(fnmatchcase(call.procedure, pattern) and call.outcome == ending for pattern, ending in self.endings):
            return self.of_no_result(call)
        if not call.good:
            if not self.exceptions.covers(call, "outcome", call.outcome):
                natively = ", ".join(sorted(self.natives.outcomes(call.procedure))) or "absent"
                self.complain(call, f"ends with {call.outcome}; natively {natively}")
            return "excepted"
        how = {self.judge_result(call, name, value) for name, value in call.results.items()} or {self.of_no_result(call)}
        return next(each for each in ("excepted", "as-expected", "as-one", "as-both") if each in how)

    def of_no_result(self, call):
        having = sum(any(outcomes[each] for each in self.natives.names(call.procedure)) for _, outcomes in self.natives.runs)
        return {0: "as-expected", 1: "as-one"}.get(having, "as-both")

    def judge_result(self, call, name, value):
        natives = self.natives.values(call.procedure, name)
        agreeing = sum(value in values for values in natives)
        if agreeing:
            return "as-both" if agreeing == len(self.natives.runs) else "as-one"
        wanted = self.expected.get((call.procedure.removesuffix("_c"), name))
        if not natives and wanted == value:
            return "as-expected"
        if not self.exceptions.covers(call, name, value):
            text = " or ".join(sorted(set().union(*natives))) if natives else f"expected {wanted}"
            self.complain(call, f"leaves {value} in {name}; natively {text}")
        return "excepted"

    def judge_calls(self):
        """{(library, symbol): how}"""
        calls = load(os.path.join(self.folder, self.mode))
        how = {(call.library, call.symbol, call.interface): self.judge_call(call) for call in calls if not call.alias_of}
        for call in calls:
            if call.alias_of:
                how[call.library, call.symbol, call.interface] = next(
                    (ending for (_, symbol, interface), ending in how.items() if symbol == call.alias_of and interface == call.interface))
        return {(library, symbol): ending for (library, symbol, _), ending in how.items()}

    def judge_names(self, how, programs):
        """The lines of MODE.judged."""
        names = rows_of(os.path.join(self.folder, f"{self.mode}.list"), 5)
        elsewhere = Elsewhere(os.path.join(HERE, "values"))
        others = [words for words in rows_of(os.path.join(HERE, "others"), 3)]
        by_entry = defaultdict(set)
        for _, symbol, procedure, interface, _ in names:
            by_entry[procedure, interface].update(programs.get(symbol, ()))
        for library, symbol, procedure, interface, _ in names:
            ending = how.get((library, symbol))
            if procedure == "-":
                ending = "other" if any(fnmatchcase(symbol, words[0]) for words in others) else None
            elif not ending and elsewhere.calls(procedure, interface):
                ending = "elsewhere"
            if not ending:
                call = Call([library, symbol, procedure, interface, "missing"])
                if self.exceptions.covers(call, "outcome", "missing"):
                    ending = "excepted"
                else:
                    self.complain(call, "no test calls it")
                    ending = "missing"
            beyond = sorted(by_entry[procedure, interface]) if procedure != "-" else sorted(programs.get(symbol, ()))
            yield f"{library} {symbol} {procedure} {interface} {ending}\t{' '.join(beyond)}"

    def run(self, build):
        how = self.judge_calls()
        lines = list(self.judge_names(how, imports(build)))
        with open(os.path.join(self.folder, f"{self.mode}.judged"), "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
        for row in self.exceptions.unused():
            self.complaints.append(f"{self.mode}: nothing needs the exception '{' '.join(row[1:6])}' any more; remove its line")
        counts = Counter(line.split("\t")[0].split()[4] for line in lines)
        print(f"{self.mode}: {len(lines)} names: " + ", ".join(f"{number} {name}" for name, number in sorted(counts.items())))
        return self.complaints


def releases_of(words):
    """{native: release}, of NATIVE=RELEASE."""
    return dict(word.split("=", 1) for word in words)


def main(mode, folder, *natives):
    complaints = Judge(mode, folder, releases_of(natives)).run(os.environ.get("BUILD", os.path.join(HERE, "..", "..", "..", "build")))
    for line in complaints:
        print(line)
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main(*sys.argv[1:])
