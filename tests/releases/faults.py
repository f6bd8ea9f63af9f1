#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is known of hosts' faults, by release.

  faults.py checks FILE HOST APPLICATION PROGRAM LANGUAGE   prints the checks to leave out
  faults.py list FILE HOST LANGUAGE                         prints "PROGRAM CHECK" for each fault of any release of HOST's
  faults.py gone FILE HOST LANGUAGE FOLDER                  says which faults of HOST are none any more: checks that pass,
                                                            by what measure put into FOLDER

FILE is a known-faults.tsv of tests/c or tests/fortran; HOST and APPLICATION are MPIs of mpis.tsv.
"""
import csv
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def rows(path):
    """The lines of a table, without its comments."""
    with open(path, encoding="utf-8") as file:
        yield from csv.reader((line for line in file if line.strip() and line[0] != "#"), delimiter="\t", quoting=csv.QUOTE_NONE)


def mpis():
    return {mpi: {"debian": debian, "family": family, "implementation": implementation, "release": release}
            for debian, mpi, family, implementation, release in rows(HERE / "mpis.tsv")}


def version(release):
    return [int(part) for part in release.split(".")]


def holds(releases, release):
    """Does RELEASE belong to RELEASES, a list of releases and of spans A-B with commas between?"""
    spans = (span.partition("-") for span in releases.split(","))
    return any(version(first) <= version(release) <= version(last or first) for first, _, last in spans)


def known(path, host, application, language, ever=False):
    """The faults of HOST, or of any release of it, that a program of APPLICATION meets: (program, check, reason)."""
    facts = mpis()
    name, native = facts[host]["implementation"], host == application
    families = facts[application]["family"], facts[host]["family"]
    hosts = {name, host, f"{families[0]}-to-{families[1]}"}
    if native:
        hosts |= {f"{name}-native", f"{name}-fortran"}
    for who, program, check, releases, reason in rows(path):
        if who in hosts and (ever or holds(releases, facts[host]["release"])) and program.partition(".")[2] in ("", language):
            yield program.partition(".")[0], check, reason


def main(command, path, host, *rest):
    if command == "checks":
        application, wanted, language = rest
        print(*(check for program, check, _ in known(path, host, application, language) if program == wanted))
    elif command == "list":
        for program, check, _ in known(path, host, host, *rest, ever=True):
            print(program, check)
    else:
        language, folder = rest
        for program, check, reason in known(path, host, host, language):
            measured = pathlib.Path(folder) / f"{program}.{check}"
            if "now and then" not in reason and measured.is_file() and measured.read_text() == "passes\n":
                print(f"passes on {host}: {program} {check} ({reason})")


if __name__ == "__main__":
    main(*sys.argv[1:])
