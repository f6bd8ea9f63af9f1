# SPDX-License-Identifier: BSD-3-Clause
"""Writes generated files."""

import os
from typing import Optional


def write_text(path: str, text: str, earlier: Optional[str] = None) -> None:
    """Writes a file, with the time of the `earlier` one, or of its own, if that has the same text."""
    earlier = earlier or path
    time = os.stat(earlier) if holds(earlier, text) else None
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if time:
        os.utime(path, ns=(time.st_atime_ns, time.st_mtime_ns))


def holds(path: str, text: str) -> bool:
    """Whether the file is there and has this text."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read() == text
    except (OSError, UnicodeDecodeError):
        return False
