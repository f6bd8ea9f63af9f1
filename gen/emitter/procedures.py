# SPDX-License-Identifier: BSD-3-Clause
"""Reads the curated tables: abi-tables/procedures and abi-tables/rules.

`load_procedures(path, rules)` gives `Procedure`s by name, `load_rules(path)` gives `Rules`.
Anything malformed raises `diagnostic.InputError` with the file and line it stands on.
Both formats are described in abi-tables/FORMAT.md.
"""

import functools
import os
import re
from dataclasses import dataclass, field
from typing import Iterable, Iterator, Mapping, Optional

from diagnostic import InputError, table_lines

CONVERSIONS = ("plain", "integer", "enumeration", "numbered", "flags", "handle", "address", "opaque", "special")
VALUE_CONVERSIONS = ("integer", "enumeration", "numbered", "flags")
DIRECTIONS = ("in", "out", "inout", "ref", "out?")
FLAGS = ("c", "custom", "local", "built", "built_c", "unsupported", "f08=own", "f08=none", "reduces", "keeps",
         "address", "split", "leaves", "tells", "distinct")
# Flags that have a value, and what it may be: anything, as far as the line tells, where nothing is listed.
VALUES: dict[str, tuple[str, ...]] = {
    "returns": (), "host": (), "refuses": (), "begins": (), "fortran": ("custom", "integer"), "raises": ("FILE", "NONE"),
    "flow": ("none", "all", "to_root", "from_root", "broadcast", "neighbors", "ranks")}
ROOTED = ("to_root", "from_root", "broadcast")
NAME = re.compile(r"P?MPIX?_[A-Za-z][A-Za-z0-9_]*$")
PARAMETER = re.compile(r"(?P<name>[a-z][a-z0-9_]*):(?P<kind>[A-Z][A-Z0-9_]*)"
                       r"(?:\[(?P<extent>[A-Za-z0-9_*]*)(?::(?P<length>[a-z][a-z0-9_]*))?\])?"
                       r"(?:@(?P<condition>[a-z][a-z0-9_]*))?"
                       r"(?:/(?P<direction>in|out\?|out|inout|ref))?(?P<large>/large)?$")


# How traces show a parameter (trace.h), and what else may be said of a kind and of a role.
SHOWN = ("NUMBER", "FLAGS", "HANDLE", "ADDRESS", "STRING", "SIZED", "STRINGS", "STATUS", "ERROR", "DOUBLE")
# Declarations of Fortran's modules that do not follow from the role.
DECLARED = ("c_ptr", "detached", "any")
WORDS = {"show": SHOWN, "const": ("in",), "role": None, "early": None, "module": DECLARED}
ROLE_WORDS = {"show": SHOWN, "fortran": ("char", "void", "MPI_Fint", "MPI_Aint"), "is": ("text", "buffer", "absent")}


@dataclass(frozen=True)
class Role:
    """The purpose of parameters. C, Fortran and traces derive from it how they pass."""
    name: str
    fortran: str = ""
    show: str = ""
    is_: str = ""

    @property
    def is_text(self) -> bool:
        return self.is_ == "text"

    @property
    def is_buffer(self) -> bool:
        return self.is_ == "buffer"

    @property
    def is_absent(self) -> bool:
        """True if Fortran passes nothing."""
        return self.is_ == "absent"


@dataclass(frozen=True)
class Kind:
    """One kind of parameter: how it is carried over, and its C type (also in MPI_X_c). `words` say what
    else is to be said of it."""
    name: str
    conversion: str
    ctype: str
    large_ctype: str
    role: Role
    words: tuple[tuple[str, str], ...] = ()

    def word(self, key: str) -> str:
        """The value of a key, or an empty string."""
        return dict(self.words).get(key, "")

    @property
    def is_early(self) -> bool:
        """True if some releases have the large C type in MPI_X. Libraries are called with that one, which suits all."""
        return bool(self.word("early"))

    def declared(self, release: str, large: bool) -> str:
        """The C type in MPI_X, or in MPI_X_c if `large`, that a release has, or the programs of a family."""
        is_early = self.is_early and release.startswith(tuple(self.word("early").split(",")))
        return self.large_ctype if large or is_early else self.ctype

    @property
    def show(self) -> str:
        """How traces show it, or an empty string if its conversion and C type say so."""
        return self.word("show") or self.role.show

    @property
    def is_pointer(self) -> bool:
        """True if an argument of the kind is an address (or whatever a procedure is called with)."""
        return self.ctype.endswith(("*", "...", "]"))

    @property
    def is_buffer(self) -> bool:
        return self.role.is_buffer


@dataclass(frozen=True)
class Rule:
    """The meaning of a named constant: its kinds, its substitute where it is absent, and its C type
    where no kind has it."""
    name: str
    kinds: tuple[str, ...]
    lacks: str
    same: str
    line: int
    ctype: str = ""


@dataclass(frozen=True)
class Extent:
    """The length of an array that is no parameter: what a function of adapter-c/convert/array_length.h says of some."""
    name: str
    function: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Condition:
    """When a parameter counts: what a function of adapter-c/convert/significant.h says of some parameters."""
    name: str
    function: str
    arguments: tuple[str, ...]


@dataclass
class Rules:
    path: str
    roles: dict[str, Role] = field(default_factory=dict)
    extents: dict[str, Extent] = field(default_factory=dict)
    conditions: dict[str, Condition] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    constants: dict[str, Rule] = field(default_factory=dict)

    def of_kind(self, kind: str) -> list[Rule]:
        """The rules of every constant that belongs to `kind`, in the file's order."""
        return self._by_kind.get(kind, [])

    def conversions(self, rule: Rule) -> set[str]:
        """How constants of the rule's kinds are converted."""
        return {self.kinds[kind].conversion for kind in rule.kinds if kind in self.kinds}

    def handle_of(self, kind: Kind) -> Optional[str]:
        """The class of handles that a kind's C type is, or None."""
        return self._handles.get(kind.ctype)

    def error(self, procedure: "Procedure", message: str) -> InputError:
        """An error in the procedure's line of the table, which is beside the rules."""
        return InputError(os.path.join(os.path.dirname(self.path), "procedures"), procedure.line, message)

    @functools.cached_property
    def _by_kind(self) -> dict[str, list[Rule]]:
        rules: dict[str, list[Rule]] = {}
        for rule in self.constants.values():
            for kind in dict.fromkeys(rule.kinds):
                rules.setdefault(kind, []).append(rule)
        return rules

    @functools.cached_property
    def _handles(self) -> dict[str, str]:
        """The class of handles of each C type, the first where two kinds have one."""
        return {each.ctype: each.name for each in reversed(self.kinds.values()) if each.conversion == "handle"}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a procedure. `extent` is None for a scalar, else the array's length:
    another parameter's name, a named constant, an extent of the rules, or '' if unknown. `length`
    names the parameter that returns how long a string is, if there is one, and `condition` the
    condition of the rules under which the parameter counts, if it does not always."""
    name: str
    kind: Kind
    extent: Optional[str]
    direction: str
    large_only: bool
    length: Optional[str] = None
    condition: Optional[str] = None

    @property
    def shape(self) -> str:
        return "scalar" if self.extent is None else "array"


@dataclass(frozen=True)
class Procedure:
    """One line of the table: the procedure's flags and parameters."""
    name: str
    line: int
    flags: frozenset[str]
    parameters: tuple[Parameter, ...]
    host: str
    returns: str = ""
    fortran: str = ""
    raises: str = ""
    refuses: str = ""
    begins: str = ""
    flow: str = ""

    @property
    def large(self) -> bool:
        return "c" in self.flags

    @property
    def custom(self) -> bool:
        return "custom" in self.flags

    @property
    def reduces(self) -> bool:
        return "reduces" in self.flags

    @property
    def starts(self) -> bool:
        """True if what it starts goes on when it has returned, until a request is complete."""
        return any(each.kind.name == "REQUEST" and each.direction == "out" for each in self.parameters)

    @property
    def is_asynchronous(self) -> bool:
        """Whether a buffer may be in use after the procedure has returned."""
        return self.starts or bool(self.flags & {"keeps", "split", "address"}) or any(each.kind.name == "WIN" for each in self.parameters)


def _words_of(rules: Rules, number: int, words: list[str], known: Mapping[str, Optional[tuple[str, ...]]],
              what: str) -> tuple[tuple[str, str], ...]:
    """The words WORD=VALUE of a line: pairs of those that are `known`, each once."""
    pairs = tuple((word.partition("=")[0], word.partition("=")[2]) for word in words if "=" in word)
    for key, value in pairs:
        if key not in known or value not in (known[key] or (value or None,)) or [other for other, _ in pairs].count(key) > 1:
            raise InputError(rules.path, number, f"'{key}={value}' does not apply to a {what}")
    return pairs


# Words that are no names in Python.
FIELDS = {"is": "is_"}


def _role(rules: Rules, number: int, words: list[str]) -> None:
    more = _words_of(rules, number, words, ROLE_WORDS, "role")
    if len(words) != 2 + len(more) or not re.match(r"[a-z]\w*$", words[1]):
        raise InputError(rules.path, number, "role needs a name, and WORD=VALUE of what is to be said of it")
    if words[1] in rules.roles:
        raise InputError(rules.path, number, f"role {words[1]} is declared twice")
    rules.roles[words[1]] = Role(words[1], **{FIELDS.get(key, key): value for key, value in more})


def _kind(rules: Rules, number: int, words: list[str]) -> None:
    more = _words_of(rules, number, words, WORDS, "kind")
    words = [word for word in words if "=" not in word]
    if len(words) not in (4, 5):
        raise InputError(rules.path, number, "kind needs a name, a conversion and one or two C types")
    name, conversion = words[1:3]
    if conversion not in CONVERSIONS:
        raise InputError(rules.path, number, f"unknown conversion '{conversion}'")
    if name in rules.kinds:
        raise InputError(rules.path, number, f"kind {name} is declared twice")
    role = dict(more).get("role", "handle" if conversion == "handle" else "value")
    if role not in rules.roles:
        raise InputError(rules.path, number, f"unknown role '{role}' of kind {name}")
    rules.kinds[name] = Kind(name, conversion, words[3], words[-1], rules.roles[role], more)


def _constant(rules: Rules, number: int, words: list[str]) -> None:
    types = [word[len("type="):] for word in words[3:] if word.startswith("type=")]
    words = [word for word in words if not word.startswith("type=")]
    if len(words) not in (3, 4) or len(types) > 1:
        raise InputError(rules.path, number, "constant needs a name, its kinds and at most one substitute and type")
    name = words[1]
    if name in rules.constants:
        raise InputError(rules.path, number, f"constant {name} has two rules")
    kinds = tuple(words[2].split(","))
    for kind in kinds:
        if kind not in rules.kinds and kind not in ("LIMIT", "NONE", "FORTRAN", "FUNCTION"):
            raise InputError(rules.path, number, f"unknown kind '{kind}'")
    substitute = words[3].split("=", 1) if len(words) == 4 else ["", ""]
    if substitute[0] not in ("", "lacks", "same") or len(substitute) != 2:
        raise InputError(rules.path, number, f"'{words[3]}' is neither lacks=NAME nor same=NAME")
    rules.constants[name] = Rule(name, kinds,
                                 substitute[1] if substitute[0] == "lacks" else "",
                                 substitute[1] if substitute[0] == "same" else "", number, "".join(types))


def _check_function(rules: Rules, number: int, words: list[str], declared: Iterable[str]) -> None:
    """Refuses a line that does not declare a function of parameters under a name that is none of those `declared`."""
    if len(words) < 4 or not all(re.match(r"[a-z][a-z0-9_]*$", word) for word in words[1:]):
        raise InputError(rules.path, number, f"{words[0]} needs a name, a function and parameters")
    if words[1] in declared:
        raise InputError(rules.path, number, f"{words[0]} {words[1]} is declared twice")


def _extent(rules: Rules, number: int, words: list[str]) -> None:
    _check_function(rules, number, words, rules.extents)
    rules.extents[words[1]] = Extent(words[1], words[2], tuple(words[3:]))


def _condition(rules: Rules, number: int, words: list[str]) -> None:
    _check_function(rules, number, words, rules.conditions)
    rules.conditions[words[1]] = Condition(words[1], words[2], tuple(words[3:]))


STATEMENTS = {"role": _role, "kind": _kind, "constant": _constant, "extent": _extent, "condition": _condition}


def load_rules(path: str) -> Rules:
    """Reads abi-tables/rules."""
    rules = Rules(path)
    for number, words in table_lines(path):
        if words[0] not in STATEMENTS:
            raise InputError(path, number, f"unknown statement '{words[0]}'")
        STATEMENTS[words[0]](rules, number, words)
    for rule in rules.constants.values():
        for name in (rule.lacks, rule.same):
            if name and name not in rules.constants:
                raise InputError(path, rule.line, f"{rule.name} names {name}, which has no rule")
    return rules


def _parameter(path: str, number: int, text: str, rules: Rules) -> Parameter:
    match = PARAMETER.match(text)
    if not match:
        raise InputError(path, number, f"malformed parameter '{text}'")
    kind = rules.kinds.get(match["kind"])
    if kind is None:
        raise InputError(path, number, f"unknown kind '{match['kind']}' of parameter '{match['name']}'")
    return Parameter(match["name"], kind, match["extent"], match["direction"] or "in",
                     bool(match["large"]), match["length"], match["condition"])


def _procedure(path: str, number: int, words: list[str], rules: Rules) -> Procedure:
    if len(words) < 2 or not NAME.match(words[0]):
        raise InputError(path, number, "a procedure needs an MPI_ name and flags")
    flags: set[str] = set()
    values = {"host": words[0]}
    for flag in words[1].split(","):
        name, equals, value = flag.partition("=")
        if equals and name in VALUES and (not VALUES[name] or value in VALUES[name]):
            values[name] = value
        elif flag in FLAGS:
            flags.add(flag)
        elif flag != "-":
            raise InputError(path, number, f"unknown flag '{flag}' of {words[0]}")
    if values.get("returns", "") not in ("", *rules.kinds):
        raise InputError(path, number, f"unknown kind '{values['returns']}' returned by {words[0]}")
    parameters = tuple(_parameter(path, number, word, rules) for word in words[2:])
    names = [parameter.name for parameter in parameters]
    for name in names:
        if names.count(name) > 1:
            raise InputError(path, number, f"parameter '{name}' is listed twice in {words[0]}")
    procedure = Procedure(words[0], number, frozenset(flags), parameters, **values)
    for wrong in [*_contradictions(procedure), *_lengths(procedure, rules), *_conditions(procedure, rules)]:
        raise InputError(path, number, f"{procedure.name} {wrong}")
    return procedure


def _contradictions(procedure: Procedure) -> Iterator[str]:
    """Contradictions between the flags and the parameters of a procedure."""
    kinds, flags = {parameter.kind.name for parameter in procedure.parameters}, procedure.flags
    buffers = {parameter.kind.role.name for parameter in procedure.parameters if parameter.kind.is_buffer}
    if procedure.reduces and not ("OP" in kinds and buffers and "WIN" not in kinds):
        yield "reduces without an operation, without a buffer or in a window"
    if "OP" in kinds and "coll_buffer" in buffers and not procedure.reduces:
        yield "has an operation for collective buffers and does not reduce"
    if flags & {"keeps", "address"} and not buffers:
        yield "says what becomes of a buffer and has none"
    if "distinct" in flags and "DATATYPE" not in kinds:
        yield "tells datatypes apart and has none"
    if {"keeps", "address"} <= flags:
        yield "both keeps a buffer and takes no more than its address"
    if "split" in flags and ("FILE" not in kinds or procedure.starts):
        yield "is no half of a split collective operation: these have a file and no request"
    if procedure.begins and not (procedure.flow and procedure.starts and "INFO" in kinds):
        yield "begins an operation without a flow, without a request or without hints"
    if procedure.refuses and not any(each.kind.name == procedure.refuses and each.kind.conversion == "handle"
                                     for each in procedure.parameters):
        yield f"refuses handles of a kind that it has none of: '{procedure.refuses}'"
    if procedure.flow and not procedure.begins:
        yield "has a flow and does not say what it begins"
    if procedure.begins and (procedure.flow in ROOTED) != any(each.name == "root" for each in procedure.parameters):
        yield f"has a root or lacks one, which flow={procedure.flow} does not"
    lengths = {each.name for each in procedure.parameters if each.kind.name == "INT" and each.direction == "out"}
    for each in procedure.parameters:
        if each.kind.name == "STRING_OUT" and each.length is None:
            yield f"does not say where the length of '{each.name}' goes"
        if each.length is not None and each.length not in lengths:
            yield f"has no INT '{each.length}' for the length of '{each.name}'"


def _lengths(procedure: Procedure, rules: Rules) -> Iterator[str]:
    """The parameters that the extents of a procedure's arrays lack."""
    names = {each.name for each in procedure.parameters}
    for each in procedure.parameters:
        if not each.extent or each.extent in names or each.extent in rules.constants:
            continue
        if each.extent not in rules.extents:
            yield f"has no parameter '{each.extent}', which is no extent of {rules.path} either"
        elif not set(rules.extents[each.extent].arguments) <= names:
            yield f"lacks a parameter that the extent {each.extent} needs"


def _conditions(procedure: Procedure, rules: Rules) -> Iterator[str]:
    """The parameters that the conditions of a procedure's parameters lack."""
    names = {each.name for each in procedure.parameters}
    for each in procedure.parameters:
        if each.condition is None:
            continue
        if each.condition not in rules.conditions:
            yield f"has '{each.name}' under '{each.condition}', which is no condition of {rules.path}"
        elif not set(rules.conditions[each.condition].arguments) <= names:
            yield f"lacks a parameter that the condition {each.condition} needs"


def _is_begun(procedure: Procedure, begun: Optional[Procedure]) -> bool:
    """True if `begun` takes what a persistent operation is made with, but for the hints."""
    return begun is not None and \
        begun.parameters == tuple(each for each in procedure.parameters if each.kind.name != "INFO")


def load_procedures(path: str, rules: Rules) -> dict[str, Procedure]:
    """Reads abi-tables/procedures: Procedures by name, in the file's order."""
    procedures = {}
    for number, words in table_lines(path):
        procedure = _procedure(path, number, words, rules)
        if procedure.name in procedures:
            raise InputError(path, number, f"procedure {procedure.name} is listed twice")
        procedures[procedure.name] = procedure
    for procedure in procedures.values():
        if procedure.host not in procedures:
            raise InputError(path, procedure.line, f"{procedure.name} calls {procedure.host}, which is not in the table")
        if procedure.begins and not _is_begun(procedure, procedures.get(procedure.begins)):
            raise InputError(path, procedure.line, f"{procedure.name} cannot begin {procedure.begins}, which is not in "
                                                   "the table or has other parameters")
    return procedures
