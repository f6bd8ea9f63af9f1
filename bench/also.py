#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Other layers between programs and MPIs, which are measured beside the adapter. The variable BENCH_ALSO names them:

    NAME=COMMAND PREFIX       on every pair
    NAME@PAIR=COMMAND PREFIX  on this pair, in the place of what is said for every pair

with `;` between several. The words of the command prefix, in which quotes are as for a shell, stand in front of the
program that was compiled for the pair's application, on every rank that the host's launcher starts.

usage: also.py        says what is wrong with the variable; exit status 1
"""
import os
import re
import shlex
import shutil
import sys

import pairs

# Names that the report uses for its own columns.
TAKEN = ("native", "again", "floor", "adapted")
FORM = "write 'NAME=COMMAND PREFIX' or 'NAME@PAIR=COMMAND PREFIX', and ';' between several"


class Wrong(Exception):
    """The error, and its cure."""


def words_of(name, prefix):
    try:
        words = shlex.split(prefix)
    except ValueError as error:
        raise Wrong(f"the command prefix of '{name}' cannot be read: {error}; close its quotes") from error
    if not words:
        raise Wrong(f"'{name}' has no command prefix; {FORM}")
    if not shutil.which(words[0]):
        raise Wrong(f"there is no command '{words[0]}', which '{name}' is to be run by; install it or give its path"
                    + ("; variables go to programs by 'env VARIABLE=VALUE'" if "=" in words[0] else ""))
    return words


def read_one(text):
    """(name, pair or None, words) of one layer."""
    found = re.fullmatch(r"([^=@\s]+)(?:@([^=\s]*))?=(.*)", text, re.DOTALL)
    if not found:
        raise Wrong(f"'{text}' is no layer; {FORM}")
    name, pair, prefix = found.groups()
    if not re.fullmatch(r"[A-Za-z0-9][\w.+-]*", name):
        raise Wrong(f"'{name}' is no name; use letters, digits and . _ + -")
    if name in TAKEN:
        raise Wrong(f"'{name}' is a column already; choose another name")
    if pair is not None and pair not in pairs.PAIRS:
        raise Wrong(f"there is no pair '{pair}' to measure '{name}' on; give any of: {' '.join(pairs.PAIRS)}")
    return name, pair, words_of(name, prefix)


def split(text):
    """The parts between semicolons that are not quoted."""
    parts = re.findall(r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^;])+""", text, re.DOTALL)
    return [part.strip() for part in parts if part.strip()]


def read(text):
    """{(name, pair or None): words}"""
    layers = {}
    for part in split(text):
        name, pair, words = read_one(part)
        if (name, pair) in layers:
            raise Wrong(f"'{name}' is there twice{f' for {pair}' if pair else ''}; give each layer a name of its own")
        layers[name, pair] = words
    if text.strip() and not layers:
        raise Wrong(f"'{text}' is no layer; {FORM}")
    return layers


def layers_of(pair, text=None):
    """{name: words} of the layers on a pair, in the order of the variable."""
    layers = read(os.environ.get("BENCH_ALSO", "") if text is None else text)
    names = dict.fromkeys(name for name, of in layers if of in (None, pair))
    return {name: layers.get((name, pair)) or layers[name, None] for name in names}


def main():
    try:
        read(os.environ.get("BENCH_ALSO", ""))
    except Wrong as wrong:
        sys.exit(f"mpi-adapter: BENCH_ALSO: {wrong}")


if __name__ == "__main__":
    main()
