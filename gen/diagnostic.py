# SPDX-License-Identifier: BSD-3-Clause
"""The one exception for bad input: printed, it reads `file:line: error: message`."""


class InputError(Exception):
    """Something wrong in an input file; line 0 means the file as a whole."""

    def __init__(self, path, line, message):
        super().__init__(path, line, message)
        self.path, self.line, self.message = path, line, message

    def __str__(self):
        place = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{place}: error: {self.message}"
