#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints rows of extensions.tsv: the procedures beyond MPI's that a header of an implementation declares, by their names alone.

    extension_names.py FAMILY IMPLEMENTATION RELEASE DAY HEADER..."""
import re
import sys

COMMENT = re.compile(r"/[*].*?[*]/|//[^\n]*", re.S)
DECLARED = re.compile(r"\b(?:int|void|double|MPI\w*)\s*[*]*\s*\b(P?(?:MPIX|OMPI)_\w+)\s*\(")


def names(headers):
    """The names of procedures, without macros and types of functions."""
    found = set()
    for header in headers:
        with open(header, encoding="utf-8", errors="replace") as file:
            text = COMMENT.sub("", file.read())
        text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
        for statement in text.split(";"):
            if not re.search(r"\btypedef\b", statement):
                found |= set(DECLARED.findall(statement))
    return sorted(found)


def main(family, implementation, release, day, *headers):
    for name in names(headers):
        print(family, implementation, release, day, name, sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
