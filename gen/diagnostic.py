# SPDX-License-Identifier: BSD-3-Clause
"""The one exception for bad input: printed, it reads `file:line: error: message`."""

import io
import re
import sys
from typing import Callable, Iterator, TextIO


class InputError(Exception):
    """Something wrong in an input file; line 0 means the file as a whole."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(path, line, message)
        self.path, self.line, self.message = path, line, message

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{place}: error: {self.message}"


def open_text(path: str) -> TextIO:
    """An input file of text, opened. What is no text, UTF-8 without control characters, is an InputError."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(path, line, f"byte 0x{data[error.start]:02x} is not UTF-8") from error
    text = text.replace("\r\n", "\n")
    control = re.search(r"[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]", text)
    if control:
        line = text.count("\n", 0, control.start()) + 1
        raise InputError(path, line, f"there is a control character, U+{ord(control.group()):04X}")
    return io.StringIO(text)


def table_lines(path: str) -> Iterator[tuple[int, list[str]]]:
    """(number, words) of each line of a table that is neither empty nor a comment."""
    with open_text(path) as file:
        for number, line in enumerate(file, 1):
            words = line.split()
            if words and not words[0].startswith("#"):
                yield number, words


def command(main: Callable[[list[str]], None], what: str = "") -> None:
    """Calls `main` with the command's arguments. Bad input, and a file that cannot be used (`what` goes
    before the reason), is one line on stderr and status 1."""
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(str(InputError(error.filename, 0, f"{what}{error.strerror}")))
