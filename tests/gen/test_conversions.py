# SPDX-License-Identifier: BSD-3-Clause
"""The emitted conversions of every constant of the tables, both ways.

The expectations are derived here from tables and rules, not from what the emitter thinks of them:
a C program with one check for each is compiled against the emitted headers, and run.
"""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from emitted import emit

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(ROOT, "gen"))

from emitter import procedures as curated
from emitter.pair import HANDLES, Pair

TABLES = os.path.join(ROOT, "abi-tables")
NUMBERS = ("integer", "enumeration", "flags")
ADDRESSES = ("address", "opaque")

with open(os.path.join(TABLES, "pairs"), encoding="utf-8") as table:
    PAIRS = [tuple(line.strip().split("-to-")) for line in table if not line.startswith("#")]


def load(application, host):
    rules = curated.load_rules(os.path.join(TABLES, "rules"))
    return Pair(TABLES, rules, curated.load_procedures(os.path.join(TABLES, "procedures"), rules), application, host)


class Direction:
    """The constants of one side of a pair, and what each becomes on the other."""

    def __init__(self, rules, source, target, suffix):
        self.rules, self.source, self.target, self.suffix = rules, source, target, suffix

    def constants(self, kind):
        return [rule for rule in self.rules.constants.values()
                if kind in rule.kinds and rule.name in self.source.constants]

    def goal(self, rule):
        """(the other side's name or None, whether it means the same)."""
        for name in (rule.name, rule.same):
            if name in self.target.constants:
                return name, True
        return (rule.lacks if rule.lacks in self.target.constants else None), False

    def goals(self, kind):
        """(name, names it may become) by value: one that means the same before any substitute."""
        by_value = {}
        for rule in self.constants(kind):
            constant = self.source.constants[rule.name]
            by_value.setdefault((constant.kind, constant.value), []).append((rule.name, *self.goal(rule)))
        for rows in by_value.values():
            same = [goal for _, goal, means_same in rows if means_same]
            yield rows[0][0], same or [goal for _, goal, _ in rows]

    def values(self, side, kind):
        return {side.constants[rule.name].value for rule in self.rules.constants.values()
                if kind in rule.kinds and rule.name in side.constants}


def same(call, wanted):
    return f"    SAME({call}, {', '.join(wanted)});"


def of_numbers(direction, kind):
    """Checks of a kind of which the values are numbers."""
    convert, prefix, lines = f"{kind.name.lower()}_{direction.suffix}", direction.target.prefix, []
    for name, goals in direction.goals(kind.name):
        wanted = [f"{prefix}_{goal}" if goal else "INVALID_VALUE" for goal in goals]
        if kind.conversion == "flags" and None in goals:
            continue
        lines.append(same(f"{convert}({direction.source.prefix}_{name})", wanted))
    if kind.conversion == "integer":
        alien = direction.values(direction.target, kind.name) - direction.values(direction.source, kind.name)
        lines += [same(f"{convert}({value})", ["INVALID_VALUE"]) for value in sorted(alien)]
        lines.append(same(f"{convert}(UNKNOWN)", ["UNKNOWN"]))
    if kind.conversion == "enumeration":
        lines += [f"#ifndef {convert}", same(f"{convert}(UNKNOWN)", ["INVALID_VALUE"]), "#endif"]
    if kind.conversion == "flags":
        lines += of_sums(direction, kind, convert)
    return lines


def of_sums(direction, kind, convert):
    """Every sum of flags becomes the sum of the other side's; an unknown flag an unknown one."""
    ours, theirs = direction.source.prefix, direction.target.prefix
    names = [(name, goals[0]) for name, goals in direction.goals(kind.name) if goals[0]]
    lines = []
    for count in range(2, len(names) + 1):
        for chosen in itertools.combinations(names, count):
            lines.append(same(f"{convert}({' | '.join(f'{ours}_{name}' for name, _ in chosen)})",
                              [" | ".join(f"{theirs}_{goal}" for _, goal in chosen)]))
    known = " | ".join(f"{theirs}_{rule.name}" for rule in direction.rules.of_kind(kind.name)
                       if rule.name in direction.target.constants)
    return lines + [same(f"{convert}(0)", ["0"]), same(f"({convert}(1 << 29) & ~({known})) != 0", ["1"])]


def of_addresses(direction, kind):
    convert = f"{kind.name.lower()}_{direction.suffix}"
    lines = [same(f"{convert}({direction.source.prefix}_{name})",
                  [f"(intptr_t){direction.target.prefix}_{goal}" for goal in goals])
             for name, goals in direction.goals(kind.name) if all(goals)]
    return lines + [same(f"{convert}(&ordinary)", ["(intptr_t)&ordinary"])]


def bits(prefix, handle, value):
    return f"{prefix}_{handle}_BITS({value})"


def of_handles(direction, handle):
    """Predefined handles; only what means the same leads back to a certain one."""
    ours, theirs, lines = direction.source.prefix, direction.target.prefix, []
    for name, goals in direction.goals(handle):
        if None in goals or (direction.suffix == "to_app" and not meant_by_both(direction, name)):
            continue
        lines.append(same(bits(theirs, handle, f"{handle.lower()}_{direction.suffix}({ours}_{name})"),
                          [bits(theirs, handle, f"{theirs}_{goal}") for goal in goals]))
    return lines


def meant_by_both(direction, name):
    constant = direction.source.constants[name]
    return any(direction.goal(rule)[1] for rule in direction.rules.constants.values()
               if rule.name in direction.source.constants and direction.source.constants[rule.name].value == constant.value
               and set(rule.kinds) & set(HANDLES))


def of_older_handles(pair, release):
    """The application's handles on a host that is one certain release."""
    direction, lines = Direction(pair.rules, pair.application, pair.host, "to_host"), []
    for handle in HANDLES:
        null = f"HOST_NULL_{handle.lower()}"
        for name, goals in direction.goals(handle):
            known = [goal for goal in goals if goal in release.constants and
                     release.constants[goal].value == pair.host.constants[goal].value]
            instead = pair.rules.constants[name].lacks
            if not known and instead in release.constants:
                known = [instead]
            lines.append(same(bits("HOST", handle, f"{handle.lower()}_to_host(APP_{name})"),
                              [bits("HOST", handle, f"HOST_{goal}") for goal in known] or [bits("HOST", handle, null)]))
    return lines


def of_error_classes(direction):
    ours, theirs = direction.source.prefix, direction.target.prefix
    convert = f"error_class_{direction.suffix}"
    lines = [same(f"{convert}({ours}_{name})", [f"{theirs}_{goal}" if goal else "INVALID_VALUE" for goal in goals])
             for name, goals in direction.goals("ERROR_CODE")]
    return lines + [same(f"{convert}(UNKNOWN)", [f"{theirs}_MPI_ERR_UNKNOWN"])]


def checks(pair):
    """The checks of a pair, in C."""
    lines = []
    for direction in (Direction(pair.rules, pair.application, pair.host, "to_host"),
                      Direction(pair.rules, pair.host, pair.application, "to_app")):
        for kind in pair.rules.kinds.values():
            lines += of_numbers(direction, kind) if kind.conversion in NUMBERS else \
                of_addresses(direction, kind) if kind.conversion in ADDRESSES else []
        for handle in HANDLES:
            lines += of_handles(direction, handle)
        lines += of_error_classes(direction)
    return lines


class Converting(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def complaints(self, pair, standard, lines):
        """Compiles and runs a program with the checks `lines`; returns its output."""
        folders, adapter = emit(self.folder, pair.application.family, pair.host.family), os.path.join(ROOT, "adapter-c")
        source, program = os.path.join(self.folder, "program.c"), os.path.join(self.folder, "program")
        text = ['#include "conversions.h"', "int main(void)", "{", f"    fake_host({standard});", *lines, "}", ""]
        with open(source, "w", encoding="utf-8") as file:
            file.write("\n".join(text))
        files = [source, os.path.join(folders["pair"], "objects.c")] + \
            [os.path.join(adapter, "convert", name) for name in ("codec.c", "compress.c", "index.c", "predefined.c")]
        subprocess.run(["gcc", "-std=gnu11", "-O0", "-w", "-ffunction-sections", "-Wl,--gc-sections", "-pthread",
                        *(f"-I{folder}" for folder in folders.values()), f"-I{adapter}", f"-I{HERE}/emit", "-o", program, *files], check=True)
        done = subprocess.run([program], capture_output=True, encoding="utf-8", check=False)
        self.assertGreaterEqual(done.returncode, 0, "the program was killed")
        return done.stdout

    def test_every_constant(self):
        for names in PAIRS if os.environ.get("LONG") else PAIRS[:2]:
            with self.subTest(pair=names):
                pair = load(*names)
                lines = checks(pair)
                self.assertTrue(lines)
                self.assertEqual(self.complaints(pair, 500, lines), "")

    def test_an_older_host_gets_what_the_rules_say_for_what_it_lacks(self):
        pair = load("openmpi", "mpich")
        oldest = pair.host.releases[-1]
        standard = 100 * oldest.standard[0] + oldest.standard[1]
        lines = of_older_handles(pair, oldest)
        self.assertTrue(any("MPI_COMM_WORLD" in line for line in lines))
        self.assertTrue(any("HOST_NULL_datatype" in line for line in lines))
        self.assertTrue(any("APP_MPI_LOGICAL4" in line and "HOST_MPI_INT32_T" in line for line in lines))
        self.assertEqual(self.complaints(pair, standard, lines), "")


if __name__ == "__main__":
    unittest.main()
