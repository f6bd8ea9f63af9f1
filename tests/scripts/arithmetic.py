#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Finds places where bash would run what a value says: arithmetic, subscripts and names that are computed.

    arithmetic.py TABLE FILE...

bash evaluates the operands of -eq and its like, of (( )), of ${x:offset} and of a subscript as expressions, and runs the command
substitutions in them.  So a name there must hold a number for sure: its function gives it nothing but numbers, or TABLE lists it
as FILE, the text that is reported, and the reason, between tabs.  Names that are computed (printf -v, eval, local -n, ${!x}, read,
unset) are listed there, too.  Prints what is neither, and lines of TABLE that nothing needs.
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from exceptions import rows  # noqa: E402

NAME = r"[A-Za-z_][A-Za-z0-9_]*"
COMPARED = re.compile(r"(\S+)\s+-(?:eq|ne|lt|gt|le|ge)\s+(\S+)")
SLICE = re.compile(r"\$\{(?:" + NAME + r"(?:\[[@*]\])?|[@*]):(?![-+=?])([^}]*)\}")
SUBSCRIPT = re.compile(r"(?<![\w$\"'])(?:\$\{[#!]?)?(" + NAME + r")\[([^][@*=]+(?:\[[^]]*\])?[^][]*)\]")
COMPUTED = re.compile(r"printf -v \"?\$\S*|\beval\b.*|\b(?:local|declare|typeset) -[a-zA-Z]*n\b.*|\$\{!" + NAME + r"(?:[^@*[\w}][^}]*)?\}|" +
                      r"\$\{!\d[^}]*\}|\bunset [^;&|]*\$.*|\bread\b[^<|&;]* \"?\$\S*|\b(?:local|declare|export|readonly) \"?\$\S*|"
                      r"\[\[? -v \S+|\btest -v \S+|\bmapfile [^<]* \"?\$\S*")
# bash sets these itself, to numbers, whatever the environment has; EUID and UID it does not.
NUMBERS = {"BASHPID", "COMP_CWORD", "RANDOM", "SECONDS", "PIPESTATUS"}


def expressions(text):
    """The text in (( )) and $(( )), with nested ones."""
    at = 0
    while (at := text.find("((", at)) >= 0:
        depth, end = 0, at
        while end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        if text[end - 2:end] == "))" and not text[at:end].startswith("(( -"):
            yield text[at + 2:end - 2]
        at += 2


def plain(text):
    """A text without comments and single quotes, as none of that is expanded."""
    text = re.sub(r"(^|\s)#.*", "", text)
    return re.sub(r"\$?'[^']*'", "''", text)


def lines_of(path):
    """The number, the function and the text of each line outside of here-documents."""
    function, until = "", None
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            text = text.rstrip("\n")
            if until is not None:
                until = None if text.strip() == until else until
                continue
            start = re.search(r"(?<!<)<<-?\s*(['\"]?)(\w+)\1", text)
            until = start.group(2) if start else None
            if named := re.match(r"(" + NAME + r")\(\)", text):
                function = named.group(1)
            yield number, function, plain(text)
            if text == "}":
                function = ""


def numeric_names(lines):
    """(function, name) of what is given nothing but numbers where it is assigned."""
    seen, others = set(), set()
    for _, function, text in lines:
        for name, value in re.findall(r"(?:^|[\s;(])(" + NAME + r")\+?=(\S*)", text):
            good = re.match(r"(\d+|\$\?|\$#|\$!|\$\{#.*\}|\$\(\(.*)([;)]|$)", value)
            (seen if good else others).add((function, name))
        for name in re.findall(r"\bfor \(\((" + NAME + r") ?=", text) + re.findall(r"\bfor (" + NAME + r") in \"\$\{!", text):
            seen.add((function, name))
        for name in re.findall(r"\bfor (" + NAME + r") in (?!\"\$\{!)", text):
            others.add((function, name))
    return seen - others


def operands(text):
    """The names that an expression has, and anything else that is expanded there."""
    text = re.sub(r"\$\{#[^}]*\}|\$[#?!$]|\$\{#[^}]*\[[@*]\]\}", "0", text)
    text = re.sub(r"\$\(\(|10#", "", text)
    if "$(" in text or "`" in text:
        yield text[text.find("$("):]
        return
    yield from (name or digit for name, digit in re.findall(r"(" + NAME + r")|\$\{?(\d+)", text))


def findings(path, lines, associative, numeric):
    for number, function, text in lines:
        found = [operand.strip('"') for pair in COMPARED.findall(text) for operand in pair if "[[" in text or "[ " not in text]
        found += list(expressions(text)) + SLICE.findall(text)
        found += [inside for name, inside in SUBSCRIPT.findall(text) if name not in associative and "=" not in name]
        for expression in found:
            for name in operands(expression):
                if name not in NUMBERS and (function, name) not in numeric and ("", name) not in numeric:
                    yield number, f"{function or 'main'}: {'$' if name.isdigit() else ''}{name}"
        for match in COMPUTED.findall(text):
            yield number, f"{function or 'main'}: {match.strip()}"


def main():
    table = {tuple(row[:2]) for row in rows(sys.argv[1], "file place reason")}
    sources = {path: list(lines_of(path)) for path in sys.argv[2:]}
    associative = {name for lines in sources.values() for _, _, text in lines
                   for names in re.findall(r"(?:declare|local) -A ([^;]*)", text) for name in re.findall(NAME + r"(?==)", names)}
    associative |= {"table"}
    unused, bad = set(table), False
    for path, lines in sources.items():
        for number, text in findings(path, lines, associative, numeric_names(lines)):
            key = (os.path.basename(path), text)
            unused.discard(key)
            if key not in table:
                bad = True
                print(f"{path}:{number}: {text}")
    for name, text in sorted(unused):
        bad = True
        print(f"{sys.argv[1]}: nothing needs the line of {name}: {text}")
    sys.exit(bad)


if __name__ == "__main__":
    main()
