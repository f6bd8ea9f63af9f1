#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Emits calls of every procedure of a family, each with one argument bad in turn.

    bad_calls.py --tables abi-tables --family openmpi --values tests/calls/values --output FILE

The output is C, compiled with tests/calls/invalid/sweep.c, which makes each call in a child. What is valid
for a parameter, and which bad values it is given, is in the file of values, described there.
"""

import argparse
import os
import re
import sys
from fnmatch import fnmatchcase
from string import Template

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "gen"))

from emitter import procedures as tables
from emitter.cfile import parameters_of, variants
from diagnostic import InputError, command, open_text
from emitter.pair import HANDLES, Side, load_family
from emitter.template import check_placeholders

PLACEHOLDERS = ("type", "name")
STATEMENTS = ("valid", "bad", "also", "skip", "fails", "only")


def load_values(path):
    """The statements of the file of values: [(statement, [words], rest of the line)]."""
    values = []
    with open_text(path) as file:
        for number, line in enumerate(file, 1):
            words = line.strip().split(None, 3)
            if not words or words[0].startswith("#"):
                continue
            if words[0] not in STATEMENTS or len(words) < 3 or len(words) == 3 and words[0] not in ("skip", "fails", "only"):
                raise InputError(path, number, f"'{line.strip()}' is no statement")
            check_placeholders(path, number, words[-1], PLACEHOLDERS)
            values.append(words)
    return values


class Values:
    """The statements of the file of values, and their answers about a parameter."""

    def __init__(self, path, family):
        self.path, self.statements = path, load_values(path)
        self.elsewhere = [words[2] for words in self.statements if words[0] == "only" and words[1] != family]

    def skipped(self, name):
        return any(words[0] == "skip" and fnmatchcase(name, words[1]) for words in self.statements)

    def valid(self, name, parameter):
        """The last statement that fits decides."""
        found = [words[3] for words in self.statements if words[0] == "valid"
                 and fnmatchcase(name, words[1]) and fnmatchcase(key(parameter), words[2])]
        return found[-1].strip() if found else ""

    def also(self, parameters):
        """(label, parameter, expression) of each further valid value: procedures that read such a
        parameter are called with it, too."""
        return [(words[1], parameter, words[3].strip()) for words in self.statements if words[0] == "also"
                for parameter in parameters if fnmatchcase(key(parameter), words[2])
                and (has_element(parameter) or not is_pointer(parameter))]

    def bad(self, parameter):
        """(label, expression) of every statement that fits; none for a mere place for a result."""
        if is_pointer(parameter) and not has_element(parameter) and not parameter.kind.ctype.endswith("*"):
            return []
        return [(words[2], words[3].strip()) for words in self.statements
                if words[0] == "bad" and words[2] not in self.elsewhere and any(fits(word, parameter.kind) for word in words[1].split(","))]


def fits(word, kind):
    """True if a `bad` statement's KIND means this one."""
    return word in (kind.name, "@" + kind.conversion) or word == "HANDLE" and kind.name in HANDLES


def key(parameter):
    """The text that patterns match: name:KIND, followed by [] for an array."""
    return f"{parameter.name}:{parameter.kind.name}{'' if parameter.extent is None else '[]'}"


def is_pointer(parameter):
    return parameter.direction != "in" or parameter.extent is not None or parameter.kind.ctype.endswith(("*", "]"))


def has_element(parameter):
    """True if it points to a value that the procedure reads."""
    return is_pointer(parameter) and not parameter.kind.ctype.endswith("*") and parameter.direction in ("in", "inout", "ref")


def ctype(parameter, family, large):
    """Of a value, or of an array's first element, for programs of a family."""
    if parameter.kind.name == "TYPES":
        return "MPI_Datatype"
    return parameter.kind.declared(family, large).split("[")[0]


class Emitter:
    def __init__(self, side, rules, values):
        self.side, self.rules, self.values = side, rules, values

    def expression(self, text, parameter, large):
        return Template(text).substitute(type=ctype(parameter, self.side.family, large), name=f"a_{parameter.name}")

    def declared(self, name, parameter, number, large):
        """The statements that declare an argument and give it its valid value."""
        variable, text = f"a_{parameter.name}", self.values.valid(name, parameter)
        value = self.expression(text, parameter, large) if text else ""
        if parameter.kind.ctype.endswith("*") and is_pointer(parameter):
            return f"    void *{variable} = {f'(void *)({value})' if value else f'room({number})'};"
        if not value and (has_element(parameter) or not is_pointer(parameter)):
            raise InputError(self.values.path, 0, f"{name} has no valid {key(parameter)}")
        if not is_pointer(parameter):
            return f"    {ctype(parameter, self.side.family, large)} {variable} = {value};"
        lines = f"    void *{variable} = room({number});"
        # Two elements of an array, for a dimension has two neighbours.
        for element in range((parameter.extent is not None) + 1 if has_element(parameter) else 0):
            lines += f" (({ctype(parameter, self.side.family, large)} *){variable})[{element}] = {value};"
        return lines

    def place(self, parameter, large):
        """The lvalue that holds the parameter's value."""
        variable = f"a_{parameter.name}"
        return f"*({ctype(parameter, self.side.family, large)} *){variable}" if has_element(parameter) else variable

    def variants(self, parameter, large):
        """(label, statement) of each bad value."""
        rows = [("null", f"a_{parameter.name} = 0;")] if is_pointer(parameter) else []
        for label, text in self.values.bad(parameter):
            if self.known(text):
                value = self.expression(text, parameter, large)
                rows.append((label, f"{self.place(parameter, large)} = {value};"))
        return [(f"{parameter.name}={label}", statement) for label, statement in rows]

    def cases(self, parameters, large):
        """(label, statement) of each call but the valid one."""
        rows = [(parameter, row) for parameter in parameters for row in self.variants(parameter, large)]
        cases = [row for _, row in rows]
        for name, also, text in self.values.also(parameters):
            setting = f"{self.place(also, large)} = {self.expression(text, also, large)};"
            cases.append((name, setting))
            cases += [(f"{name},{label}", f"{setting} {statement}") for parameter, (label, statement) in rows
                      if parameter is not also]
        return cases

    def known(self, text):
        """False if an expression names a constant that the family lacks."""
        return all(name in self.side.constants for name in re.findall(r"\bMPIX?_[A-Z_0-9]+\b", text))

    def emit(self, procedure, suffix, large, is_chosen):
        name = procedure.name + suffix
        parameters = [p for p in parameters_of(procedure, large) if p.kind.name != "VARARGS"]
        cases = self.cases(parameters, large)
        declared = "\n".join(self.declared(name, parameter, number, large) for number, parameter in enumerate(parameters))
        switch = "\n".join(f"    case {number}: {statement} break;" for number, (_, statement) in enumerate(cases, 1))
        arguments = ", ".join(f"a_{parameter.name}" for parameter in parameters)
        ends = f"(void)procedure({arguments}); returned_value();" if procedure.returns else f"returned(procedure({arguments}));"
        labels = ", ".join(f'"{label}"' for label in ["valid"] + [label for label, _ in cases])
        text = (f"static void call_{name}(int bad, void *address)\n{{\n"
                f"    __typeof__(&{name}) procedure = address;\n{declared}\n    switch (bad) {{\n{switch}\n    }}\n    {ends}\n}}\n")
        return text, f'    {{ "{name}", call_{name}, (const char *const[]){{ {labels}, 0 }}, {int(is_chosen)} }},'


def stem(name):
    """The part of its name that a procedure shares with its twins: MPI_X, MPI_X_c and MPIX_X."""
    return name[name.index("_"):].removesuffix("_c")


def chosen(procedures):
    """The stems of procedures that a run tries that is to be short: what is written by hand, what hosts may lack, and as many more as
    have among them each kind of parameter in each direction, alone and in an array."""
    names, features = set(), set()

    def choose(wanted):
        for procedure in procedures:
            of_it = {(parameter.kind.name, parameter.direction, parameter.extent is not None) for parameter in procedure.parameters}
            if wanted(procedure, of_it):
                names.add(stem(procedure.name))
                features.update(of_it)

    choose(lambda procedure, _: procedure.flags & {"custom", "built"})
    choose(lambda _, of_it: not of_it <= features)
    return names


def emit_calls(side, rules, procedures, values):
    """The text of calls.c."""
    emitter = Emitter(side, rules, values)
    functions, rows = [], []
    short = chosen([procedure for procedure in procedures.values() if not values.skipped(procedure.name)])
    for procedure in procedures.values():
        if "unsupported" in procedure.flags:
            continue
        for suffix, large in variants(procedure):
            name = procedure.name + suffix
            if name in side.procedures and not values.skipped(name):
                function, row = emitter.emit(procedure, suffix, large, stem(name) in short)
                functions.append(function)
                rows.append(row)
    classes = [f'    {{ "{name}", {name} }},' for name, rule in sorted(rules.constants.items())
               if "ERROR_CODE" in rule.kinds and name in side.constants and name.startswith("MPI_")]
    weak = [f"#pragma weak {symbol}" for symbol in
            sorted({constant.value for constant in side.constants.values() if constant.kind == "address"})]
    return "\n".join(['#include "sweep.h"', *weak, "", *functions, "const struct call calls[] = {", *rows, "    { 0, 0, 0, 0 }", "};",
                      "", "const struct error_class error_classes[] = {", *classes, "    { 0, 0 }", "};", ""])


def main(arguments):
    parser = argparse.ArgumentParser(description="Emit calls of every procedure with bad arguments.")
    for option in ("--tables", "--family", "--values", "--output"):
        parser.add_argument(option, required=True)
    options = parser.parse_args(arguments)
    rules = tables.load_rules(os.path.join(options.tables, "rules"))
    procedures = tables.load_procedures(os.path.join(options.tables, "procedures"), rules)
    side = Side("APP", options.family, load_family(options.tables, options.family), rules)
    text = emit_calls(side, rules, procedures, Values(options.values, options.family))
    os.makedirs(os.path.dirname(options.output) or ".", exist_ok=True)
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    command(main)
