#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Emits a valid call of every procedure of a family, in C and by its Fortran entry points, and what it shows of the results.

    valid_calls.py --tables abi-tables --family FAMILY --values FILE... --output FILE

The output is C, compiled with tests/calls/valid/complete.c, which makes each call in a child. What is valid
for a parameter is in the files of values, those of tests/calls and of tests/calls/valid; the last line that
fits decides. Fortran's arguments are made here from those of C, apart from the adapter's own templates.
"""

import argparse
import os
import sys
from fnmatch import fnmatchcase
from string import Template

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(HERE, "..", "..", "..", "gen"), os.path.join(HERE, "..", "invalid")]

from emitter import procedures as tables
from emitter.cfile import parameters_of, variants
from diagnostic import InputError, command, table_lines
from emitter.pair import HANDLES, Side, load_family
from bad_calls import ctype, has_element, is_pointer, key

STATEMENTS = {"valid": 4, "fortran": 4, "before": 4, "after": 4, "hide": 4, "elsewhere": 4, "made": 3, "ends": 4}
MAKERS = {"by-two": "BY_TWO", "first": "FIRST"}
# The functions that convert handles, without _c2f.
C2F = {handle: "MPI_Type" if handle == "DATATYPE" else f"MPI_{handle.capitalize()}" for handle in HANDLES}
NUMBERS = ("integer", "enumeration", "numbered")


class Values:
    """The content of the files."""

    def __init__(self, paths):
        self.path, self.rows = paths[-1], []
        for path in paths:
            for number, words in table_lines(path):
                if words[0] in STATEMENTS and len(words) < STATEMENTS[words[0]]:
                    raise InputError(path, number, f"'{' '.join(words)}' is no statement")
                if words[0] == "made" and words[2] not in MAKERS:
                    raise InputError(path, number, f"'{words[2]}' is none of {', '.join(MAKERS)}")
                self.rows.append((words[0], words[1], *words[2:3], " ".join(words[3:])))

    def fitting(self, statement, name):
        return [row for row in self.rows if row[0] == statement and fnmatchcase(name, row[1])]

    def has(self, statement, name):
        return bool(self.fitting(statement, name))

    def value(self, statement, name, parameter):
        """The last statement that fits a parameter decides."""
        found = [row[3] for row in self.fitting(statement, name) if fnmatchcase(key(parameter), row[2])]
        return found[-1] if found else ""

    def maker(self, name):
        """Who makes a call, as complete.h calls it."""
        return next((MAKERS[row[2]] for row in self.fitting("made", name)), "BY_ONE")

    def around(self, statement, name, parameters):
        """The statements of C before or after a call."""
        lines = []
        for _, _, pattern, text in self.fitting(statement, name):
            if pattern == "-":
                lines.append(text)
            lines += [Template(text).safe_substitute(name=f"a_{each.name}") for each in parameters if fnmatchcase(key(each), pattern)]
        return [f"    {line}" for line in lines]


class Argument:
    """One parameter of a call: its C variable, what Fortran receives for it, and how it is shown."""

    def __init__(self, emitter, procedure, name, parameter, number, large):
        self.emitter, self.procedure, self.name = emitter, procedure, name
        self.parameter, self.number, self.kind = parameter, number, parameter.kind
        self.type, self.variable, self.fortran = ctype(parameter, emitter.side.family, large), f"a_{parameter.name}", f"f_{parameter.name}"
        self.is_out = parameter.direction in ("out", "out?")
        self.elements = 1 if parameter.extent is None else 2
        self.handle = "DATATYPE" if parameter.kind.name == "TYPES" else parameter.kind.name if parameter.kind.name in HANDLES else None

    @property
    def word(self):
        """The Fortran type of the argument."""
        if self.procedure.fortran == "integer" and self.kind.ctype == "MPI_Aint":
            return "default integer"
        return self.kind.role.name

    def declared(self):
        text = "" if self.is_out else self.emitter.values.value("valid", self.name, self.parameter)
        value = Template(text).safe_substitute(type=self.type, name=self.variable)
        if self.is_out:
            return [f"    void *{self.variable} = out_room({self.number});"]
        if is_pointer(self.parameter) and self.kind.ctype.endswith("*"):
            room = f"in_room({self.number})" if self.kind.is_buffer else f"room({self.number})"
            return [f"    void *{self.variable} = {f'(void *)({value})' if value else room};"]
        if not value:
            raise InputError(self.emitter.values.path, 0, f"{self.name} has no valid {key(self.parameter)}")
        if not is_pointer(self.parameter):
            return [f"    {self.type} {self.variable} = {value};"]
        return [f"    void *{self.variable} = room({self.number});"] + \
            [f"    (({self.type} *){self.variable})[{i}] = {value};" for i in range(self.elements) if has_element(self.parameter)]

    # ------------------------------------------------------------ Fortran

    def element(self, i):
        """The C value that a Fortran variable is made of."""
        return f"(({self.type} *){self.variable})[{i}]" if is_pointer(self.parameter) else self.variable

    def converted(self, fortran_type, to_fortran, to_c):
        """(before, argument, after) of a variable of another type in Fortran."""
        reads = has_element(self.parameter) or not is_pointer(self.parameter)
        before = [f"{fortran_type} {self.fortran}[2]; poison({self.fortran}, sizeof {self.fortran});"]
        before += [f"{self.fortran}[{i}] = {to_fortran(self.element(i))};" for i in range(self.elements) if reads]
        after = [f"if (is_touched(&{self.fortran}[{i}], sizeof {self.fortran}[{i}])) {self.element(i)} = {to_c(f'{self.fortran}[{i}]')};"
                 for i in range(self.elements) if self.parameter.direction in ("out", "out?", "inout", "ref")]
        return before, self.fortran, after

    def passed(self, descriptors):
        """(before, argument, length or None, after): what a Fortran procedure receives."""
        word, variable = self.word, self.variable
        override = self.emitter.values.value("fortran", self.name, self.parameter)
        if override:
            return [], override, None, []
        if word == "string":
            return [], variable, f"strlen({variable})", []
        if self.kind.role.is_text:
            length = self.parameter.extent if word == "written_string" else "100"
            return [], variable, length, [f"terminate({variable}, {length});"]
        if self.kind.is_buffer and descriptors:
            return [f"DESCRIBE({self.fortran}, {variable});"], f"&{self.fortran}", None, []
        if word == "status":
            return self.status()
        if self.handle:
            name = C2F[self.handle]
            before, argument, after = self.converted("MPI_Fint", lambda text: f"TO_FORTRAN({name}, {text})",
                                                     lambda text: f"FROM_FORTRAN({name}, {self.type}, {text})")
        elif word == "index":
            before, argument, after = self.converted("MPI_Fint", str, lambda text: f"from_index({text})")
        elif word == "default integer":
            before, argument, after = self.converted("MPI_Fint", str, str)
        elif word == "pointer" and not self.is_out:
            integer = "MPI_Fint" if self.procedure.fortran == "integer" else "MPI_Aint"
            before, argument, after = [f"{integer} {self.fortran} = (MPI_Aint){variable};"], f"&{self.fortran}", []
        elif is_pointer(self.parameter) or self.kind.name == "FUNCTION":
            before, argument, after = [], variable, []
        else:
            before, argument, after = [f"{self.type} {self.fortran} = {variable};"], f"&{self.fortran}", []
        return before, argument, None, after

    def status(self):
        size = self.emitter.status_size
        before = [f"MPI_Fint {self.fortran}[{2 * size}]; poison({self.fortran}, sizeof {self.fortran});"]
        if not self.is_out:
            before.append(f"MPI_Status_c2f({self.variable}, {self.fortran});")
        after = [f"if (is_touched({self.fortran}, sizeof {self.fortran})) MPI_Status_f2c({self.fortran}, {self.variable});"] \
            if self.parameter.direction != "in" else []
        return before, self.fortran, None, after

    # ------------------------------------------------------------ what is shown

    def shown(self):
        """The statement that shows a result, or none."""
        if self.parameter.direction in ("in",) or self.kind.role.is_absent and self.kind.name != "VARARGS":
            return []
        hidden = self.emitter.values.value("hide", self.name, self.parameter)
        place = f'"{self.parameter.name}", {self.variable}'
        if hidden:
            return [f"    show_touched({place});"]
        if self.handle:
            return [f"    show_{self.handle.lower()}({place}, {self.elements});"]
        if self.kind.name == "STATUS":
            return [f"    show_statuses({place}, {self.elements}, {int(self.parameter.extent is not None)});"]
        if self.kind.is_buffer or self.kind.name in ("FSTATUS", "F08_STATUS"):
            return [f"    show_buffer({place});"]
        if self.kind.ctype == "char*":
            return [f"    show_text({place});"]
        if self.kind.conversion == "opaque" or self.kind.role.name == "pointer":
            return [f"    show_pointer({place});"]
        if self.kind.name == "ERROR_CODE":
            return [f"    show_classes({place}, {self.elements});"]
        names = f"names_{self.kind.name}" if self.kind.conversion in NUMBERS + ("flags",) else "0"
        show = {"flags": "show_flags", "numbered": "show_made"}.get(self.kind.conversion, "show_numbers")
        return [f"    {show}({place}, sizeof({self.type.rstrip('*')}), {self.elements}, {names});"]

    @property
    def is_late(self):
        """A buffer has its contents when what is done after the call has been done, and what a request is for, too."""
        return self.kind.is_buffer or self.procedure.starts and self.kind.name != "REQUEST"


class Emitter:
    def __init__(self, side, rules, values):
        self.side, self.rules, self.values = side, rules, values
        self.status_size = next((release.fortran["MPI_STATUS_SIZE"] for release in side.releases if "MPI_STATUS_SIZE" in release.fortran), 8)

    def emit(self, procedure, suffix, large):
        name = procedure.name + suffix
        if "unsupported" in procedure.flags:
            return self.unsupported(name)
        parameters = [each for each in parameters_of(procedure, large) if each.kind.name != "VARARGS"]
        arguments = [Argument(self, procedure, name, each, number, large) for number, each in enumerate(parameters)]
        lines = [f"static void call_{name}(int interface, void *address)", "{"]
        lines += [line for each in arguments for line in each.declared()]
        lines += self.values.around("before", name, parameters)
        lines += ["    if (interface == C) {"] + self.in_c(procedure, name, arguments) + ["    } else if (interface == FORTRAN) {"]
        lines += self.in_fortran(procedure, arguments, False)
        if any(each.kind.is_buffer for each in arguments):
            lines += ["    } else {"] + self.in_fortran(procedure, arguments, True)
        lines += ["    }"] + [line for each in arguments if not each.is_late for line in each.shown()]
        lines += self.values.around("after", name, parameters)
        lines += [line for each in arguments if each.is_late for line in each.shown()] + ["}", ""]
        return lines

    @staticmethod
    def unsupported(name):
        """An implementation's own: the arguments are not known, nor looked at."""
        return [f"static void call_{name}(int interface, void *address)", "{",
                "    if (interface == C) ended(((int (*)(void))address)());",
                "    else { ((void (*)(void))address)(); ended_unsupported(); }", "}", ""]

    def value(self, procedure):
        """The statement that prints a function's return value."""
        if procedure.returns in HANDLES:
            return f'show_{procedure.returns.lower()}("value", &value, 1);'
        if procedure.returns == "AINT":
            return 'show_numbers("value", &value, sizeof value, 1, 0);'
        return ""

    def in_c(self, procedure, name, arguments):
        names = ", ".join(each.variable for each in arguments)
        types = f"__typeof__(&{name})" if name in self.side.procedures else \
            f"{self.rules.kinds[procedure.returns].ctype if procedure.returns else 'int'} (*)()"
        called = f"(({types})address)({names})"
        if procedure.returns:
            return [f"        __typeof__({called}) value = {called};", f"        ended_value(); {self.value(procedure)}"]
        return [f"        ended({called});"]

    def in_fortran(self, procedure, arguments, descriptors):
        """Every argument is an address; the lengths of strings follow the last one. What takes any number of arguments has no
        place for an error code."""
        parts = [each.passed(descriptors) for each in arguments if not each.kind.role.is_absent]
        before = [line for part in parts for line in part[0]]
        after = [line for part in parts for line in part[3]]
        passed, lengths = [part[1] for part in parts], [f"(size_t){part[2]}" for part in parts if part[2]]
        if any(each.kind.name == "VARARGS" for each in procedure.parameters):
            lines = [f"((void (*)())address)({', '.join(passed)}); ended_value();"]
        elif procedure.returns:
            result = self.rules.kinds[procedure.returns].ctype
            lines = [f"{result} value = (({result} (*)())address)({', '.join(passed)}); ended_value(); {self.value(procedure)}"]
        else:
            lines = ["MPI_Fint ierror = -77;", f"((void (*)())address)({', '.join([*passed, '&ierror', *lengths])});", "ended(ierror);"]
        return [f"        {line}" for line in before + lines + after]

    def names(self):
        """The tables of the names of constants."""
        lines = []
        for kind in self.rules.kinds.values():
            constants = [(rule.name, self.side.constants[rule.name]) for rule in self.rules.of_kind(kind.name)
                         if rule.name in self.side.constants]
            if kind.conversion in NUMBERS + ("flags", "handle") or kind.name == "ERROR_CODE":
                rows = [f'    {{ "{name}", (intptr_t){name} }},' for name, constant in constants
                        if kind.conversion == "handle" or constant.kind == "int"]
                lines += [f"const struct named names_{kind.name}[] = {{", *sorted(rows), "    { 0, 0 }", "};", ""]
        return lines


def emit_calls(side, rules, procedures, values):
    """The text of calls.c."""
    emitter = Emitter(side, rules, values)
    symbols = {constant.value for constant in side.constants.values() if constant.kind == "address"}
    lines, rows = ['#include "complete.h"', *[f"#pragma weak {symbol}" for symbol in sorted(symbols)], "", *emitter.names()], []
    for procedure in procedures.values():
        for suffix, large in variants(procedure):
            name = procedure.name + suffix
            if not values.has("elsewhere", name):
                lines += emitter.emit(procedure, suffix, large)
                rows.append(f'    {{ "{name}", call_{name}, {values.maker(name)} }},')
    return "\n".join(lines + ["const struct call calls[] = {", *rows, "    { 0, 0, 0 }", "};", ""])


def main(arguments):
    parser = argparse.ArgumentParser(description="Emit a valid call of every procedure.")
    for option in ("--tables", "--family", "--output"):
        parser.add_argument(option, required=True)
    parser.add_argument("--values", nargs="+", required=True)
    options = parser.parse_args(arguments)
    rules = tables.load_rules(os.path.join(options.tables, "rules"))
    procedures = tables.load_procedures(os.path.join(options.tables, "procedures"), rules)
    side = Side("APP", options.family, load_family(options.tables, options.family), rules)
    text = emit_calls(side, rules, procedures, Values(options.values))
    os.makedirs(os.path.dirname(options.output) or ".", exist_ok=True)
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    command(main)
