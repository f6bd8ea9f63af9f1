# SPDX-License-Identifier: BSD-3-Clause
"""Two families' tables, joined: what each side calls a constant, a handle class, a procedure."""

import glob
import os
import re
from typing import Iterable, Optional

import abitable
from abitable import AbiTable, Constant, Export, Prototype
from diagnostic import InputError
from emitter.codec import PREDEFINED_CODES, REPRESENTATIONS, load_codecs
from emitter.family import contested_names, load_families, more_functions
from emitter.procedures import VALUE_CONVERSIONS, Procedure, Rules

HANDLES = ("COMM", "DATATYPE", "ERRHANDLER", "FILE", "GROUP", "INFO", "MESSAGE", "OP", "REQUEST",
           "SESSION", "WIN")
# Sets of flags are smaller, so that a bit is left for what a side does not know.
FLAGS_END = 1 << 30
PUBLIC_FIELDS = ("MPI_SOURCE", "MPI_TAG", "MPI_ERROR")


class Side:
    """One side of a pair: the tables of every release of a family, newest first, as one.

    A family's ABI only grows, so the newest release that has a name decides it."""

    def __init__(self, prefix: str, family: str, releases: list[AbiTable], rules: Rules, more: Iterable[str] = ()) -> None:
        """`more` are functions of its library for C besides those that were scanned."""
        self.prefix, self.family, self.releases = prefix, family, releases
        self.newest = releases[0]
        self.constants: dict[str, Constant] = {}
        self.since: dict[str, tuple[int, ...]] = {}
        self.exports: dict[str, Export] = {}
        self.procedures: dict[str, Prototype] = {}
        for release in releases:
            self._merge(release, rules)
        for name in more:
            self.exports.setdefault(name, abitable.Export(self.newest.sonames[0], "function", "weak", 0, name, 0))
        self._check_types(rules)
        self.representations = {handle: self._representation(handle, rules) for handle in HANDLES}

    def _merge(self, release: AbiTable, rules: Rules) -> None:
        for name, constant in release.constants.items():
            rule = rules.constants.get(name)
            if rule is None:
                raise InputError(os.path.join(release.folder, "constants"), constant.line,
                                 f"constant {name} has no rule in {rules.path}")
            self._check_value(release, name, constant, rules.conversions(rule))
            known = self.constants.setdefault(name, constant)
            if rule.kinds == ("LIMIT",) and constant.kind == "int":
                known = self.constants[name] = self._stricter(known, constant)
            if known.value == constant.value:
                self.since[name] = release.standard
        for name, prototype in release.procedures.items():
            self.procedures.setdefault(name, prototype)
        for export in release.exports:
            self.exports.setdefault(export.symbol, export)

    @staticmethod
    def _check_value(release: AbiTable, name: str, constant: Constant, conversions: set[str]) -> None:
        """Refuses a constant that is converted by value but has none."""
        wrong = ("is no number" if conversions.intersection(VALUE_CONVERSIONS) and constant.kind != "int" else
                 f"is no set of flags, which are {FLAGS_END.bit_length() - 1} bits"
                 if "flags" in conversions and not 0 <= constant.value < FLAGS_END else None)
        if wrong:
            raise InputError(os.path.join(release.folder, "constants"), constant.line,
                             f"{name} {wrong}, but is converted as one")

    def _check_types(self, rules: Rules) -> None:
        """Every class of handles needs a kind and a type, and statuses their public fields."""
        for handle in HANDLES:
            if handle not in rules.kinds:
                raise InputError(rules.path, 0, f"no kind {handle}")
        types = [rules.kinds[handle].ctype for handle in HANDLES] + ["MPI_Status"]
        fields = [f"MPI_Status.{name}" for name in PUBLIC_FIELDS if name not in self.newest.status_fields]
        missing = [name for name in types if name not in self.newest.types] + fields
        if missing:
            raise InputError(os.path.join(self.newest.folder, "types"), 0, f"no type {missing[0]}")

    def _stricter(self, known: Constant, constant: Constant) -> Constant:
        """Sizes differ between releases: what any application reserved, what any host may write."""
        first, last = sorted((known, constant), key=lambda entry: int(entry.value))
        return first if self.prefix == "APP" else last

    def _representation(self, handle: str, rules: Rules) -> str:
        """How the side represents a class of handles."""
        constants = self.handles(handle, rules)
        size = self.newest.types[rules.kinds[handle].ctype].size
        if f"MPI_{handle}_NULL" not in constants:
            raise InputError(os.path.join(self.newest.folder, "constants"), 0, f"no constant MPI_{handle}_NULL")
        for name, needs in REPRESENTATIONS.items():
            if {(constant.kind, size) for constant in constants.values()} == {needs}:
                break
        else:
            raise InputError(os.path.join(self.newest.folder, "types"), 0, f"handles {rules.kinds[handle].ctype} of {size} "
                             f"bytes with such predefined ones are not one of {', '.join(REPRESENTATIONS)}")
        if name == "pointer" and any(not 0 <= each.value < PREDEFINED_CODES for each in constants.values()):
            raise InputError(os.path.join(self.newest.folder, "constants"), 0,
                             f"a predefined {rules.kinds[handle].ctype} is not a number below {PREDEFINED_CODES}")
        return name

    def other_objects(self, handle: str, rules: Rules) -> dict[str, str]:
        """{symbol: name} of the objects whose addresses other releases than the newest have for a predefined handle."""
        ours = self.handles(handle, rules)
        symbols = {constant.value for constant in ours.values()}
        return {release.constants[name].value: name for release in self.releases for name in ours if name in release.constants
                and release.constants[name].kind == "address" and release.constants[name].value not in symbols}

    def handles(self, handle: str, rules: Rules) -> dict[str, Constant]:
        """The side's predefined handles of a class, by name, in the rules' order."""
        return {rule.name: self.constants[rule.name] for rule in rules.of_kind(handle)
                if rule.name in self.constants}


class Pair:
    """Everything an emitter needs: the rules, the procedures, and both sides. What depends on one side of a pair, or on
    neither, is emitted from a pair that has no other: whoever asks for it fails."""

    def __init__(self, folder: str, rules: Rules, procedures: dict[str, Procedure], application: Optional[str],
                 host: Optional[str]) -> None:
        self.rules, self.procedures = rules, procedures
        self.codecs = load_codecs(os.path.join(folder, "codecs"))
        releases = {family: load_family(folder, family) for family in (application, host) if family}
        self.families = load_families(os.path.join(folder, "families"), list(releases))
        if host:  # Hosts have no library by a name that is another family's, too.
            contested = set(contested_names(self.families[host]))
            releases[host] = [release for release in releases[host] if not contested & set(release.sonames)]
        more = more_functions(self.families[application]) if application else []
        self._sides = {prefix: Side(prefix, family, releases[family], rules, more if prefix == "APP" else ())
                       for prefix, family in (("APP", application), ("HOST", host)) if family}
        self.check_procedures()

    def sides(self) -> list[Side]:
        """The sides of the pair, the application's first."""
        return list(self._sides.values())

    @property
    def application(self) -> Side:
        return self._sides["APP"]

    @property
    def host(self) -> Side:
        return self._sides["HOST"]

    @property
    def name(self) -> str:
        return f"{self.application.family}-to-{self.host.family}"

    def check_procedures(self) -> None:
        """Every procedure of the application's headers must be in the table."""
        for release in self._sides["APP"].releases if "APP" in self._sides else ():
            for name, prototype in release.procedures.items():
                base = name[:-2] if name.endswith("_c") else name
                known = self.procedures.get(name) or self.procedures.get(base)
                if known is None and not name.startswith("MPIO_"):
                    raise InputError(os.path.join(release.folder, "procedures"), prototype.line,
                                     f"procedure {name} is not in the procedure table")

    def counterpart(self, side: Side, name: str) -> Optional[str]:
        """The name under which the other `side` has the constant `name`, or None."""
        rule = self.rules.constants[name]
        for candidate in (name, rule.same):
            if candidate and candidate in side.constants:
                return candidate
        return None

    def substitute(self, side: Side, name: str) -> Optional[str]:
        """The name that stands for the constant `name` on `side`: its own or what the rule says."""
        return self.counterpart(side, name) or \
            (self.rules.constants[name].lacks if self.rules.constants[name].lacks in side.constants else None)


def load_family(folder: str, family: str) -> list[AbiTable]:
    """The tables of every release of a family, newest first: by the MPI standard, then by the release.
    Releases of different implementations of one ABI are not older or newer than each other."""
    folders = sorted(glob.glob(os.path.join(folder, family + "-*")))
    releases = [abitable.load(path) for path in folders]
    releases = [release for release in releases if release.family == family]
    if not releases:
        raise InputError(folder, 0, f"no tables of the family '{family}'")
    return sorted(releases, key=_age, reverse=True)


def _age(table: AbiTable) -> tuple[tuple[int, ...], str, list[int]]:
    name = re.split(r"\d", table.release, maxsplit=1)[0]
    return table.standard, name, [int(part) for part in re.findall(r"\d+", table.release)]
