# SPDX-License-Identifier: BSD-3-Clause
"""Fills all functions of an archive, as a program has them linked in, with instructions that end the process.

    trap.py PROGRAM ARCHIVE...

Prints how many functions there are. A process that has them filled proves that nothing of the archive runs in it.
"""

import subprocess
import sys


def symbols(path: str, *options: str) -> list[list[str]]:
    """The lines of nm."""
    run = subprocess.run(["nm", *options, path], check=True, capture_output=True, text=True, errors="replace")
    return [line.split() for line in run.stdout.splitlines()]


def functions_of(archives: list[str]) -> set[str]:
    return {words[-1] for archive in archives for words in symbols(archive) if len(words) == 3 and words[1] in "tTW"}


def segments(path: str) -> list[tuple[int, int, int]]:
    """(address, offset, size) of what is loaded."""
    run = subprocess.run(["readelf", "-lW", path], check=True, capture_output=True, text=True)
    lines = [line.split() for line in run.stdout.splitlines() if line.startswith("  LOAD")]
    return [(int(words[2], 16), int(words[1], 16), int(words[4], 16)) for words in lines]


def main(program: str, archives: list[str]) -> None:
    wanted, loaded, count = functions_of(archives), segments(program), 0
    with open(program, "r+b") as file:
        for words in symbols(program, "-S"):
            # MPI_X is PMPI_X, or the program's own.
            if len(words) != 4 or words[2] not in "tTW" or words[3] not in wanted or words[3].startswith(("MPI_", "MPIX_")):
                continue
            address, size = int(words[0], 16), int(words[1], 16)
            for begin, offset, length in loaded:
                if begin <= address < begin + length:
                    file.seek(offset + address - begin)
                    file.write(b"\xcc" * size)
                    count += 1
    print(count)


main(sys.argv[1], sys.argv[2:])
