# SPDX-License-Identifier: BSD-3-Clause
"""Runs compilers and binary utilities for the scanner, in a locale with known messages."""

import os
import re
import subprocess
from typing import Sequence

from diagnostic import InputError


def run(command: list[str], check: bool = True) -> tuple[str, str]:
    """Runs a command; its (standard output, standard error). A failure is an InputError."""
    environment = dict(os.environ, LC_ALL="C")
    try:
        result = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(command[0], 0, f"cannot run: {error.strerror}") from error
    if check and result.returncode:
        first = next((line for line in result.stderr.splitlines() if "error" in line), result.stderr.strip())
        raise InputError(command[0], 0, f"failed: {first}")
    return result.stdout, result.stderr


class Compiler:
    """A compiler command and a folder for its input and output."""

    def __init__(self, command: list[str], flags: list[str], folder: str) -> None:
        self.command, self.flags, self.folder = command, flags, folder

    def call(self, name: str, text: str, options: list[str], check: bool = True) -> tuple[str, str]:
        """Runs the compiler on a source text; its (standard output, standard error)."""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return run([*self.command, *self.flags, *options, path], check)

    def preprocess(self, text: str, options: Sequence[str] = ()) -> str:
        """The preprocessed text."""
        return self.call("source.c", text, ["-E", *options])[0]

    def errors(self, text: str) -> set[int]:
        """The numbers of the lines that the compiler rejects, among those after `#line 1 "probe"`."""
        _, messages = self.call("source.c", text, ["-fsyntax-only", "-w", "-ftrack-macro-expansion=0",
                                                   "-fdiagnostics-color=never"], False)
        return {int(line) for line in re.findall(r"^probe:(\d+):\d+: (?:fatal )?error:", messages, re.M)}

    def compile(self, name: str, text: str, options: Sequence[str] = ()) -> str:
        """Compiles text to an object file; its path."""
        output = os.path.join(self.folder, os.path.splitext(name)[0] + ".o")
        self.call(name, text, ["-c", "-w", *options, "-o", output])
        return output
