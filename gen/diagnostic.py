# SPDX-License-Identifier: BSD-3-Clause
"""The one exception for bad input: printed, it reads `file:line: error: message`."""

import sys


class InputError(Exception):
    """Something wrong in an input file; line 0 means the file as a whole."""

    def __init__(self, path, line, message):
        super().__init__(path, line, message)
        self.path, self.line, self.message = path, line, message

    def __str__(self):
        place = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{place}: error: {self.message}"


def command(main, what=""):
    """Calls `main` with the command's arguments. Bad input, and a file that cannot be used (`what` goes
    before the reason), is one line on stderr and status 1."""
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(str(InputError(error.filename, 0, f"{what}{error.strerror}")))
