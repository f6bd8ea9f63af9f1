#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Known faults of hosts, by release.

  faults.py checks FILE HOST APPLICATION PROGRAM LANGUAGE   prints the checks to leave out
  faults.py here FILE MODE RELEASE [LANGUAGE]               prints "PROGRAM CHECK HOW" for each to leave out in a mode
                                                            of tests/families.bash, if its host is of that release
  faults.py programs GAPS MODE OWN RELEASE LANGUAGE         prints "PROGRAM REASON" for each program that its host cannot run
                                                            at all; OWN is the release that it was compiled with
  faults.py holds RELEASES RELEASE                          succeeds if the release is one of these
  faults.py list FILE HOST LANGUAGE                         prints "PROGRAM CHECK" for each fault of any release of HOST's
  faults.py gone FILE HOST LANGUAGE FOLDER                  says which faults of HOST are none any more: checks that pass,
                                                            by what measure put into FOLDER

FILE is a known-faults.tsv of tests/c or tests/fortran, GAPS is gaps.tsv; HOST is an MPI of mpis.tsv, APPLICATION, too,
or of compilers.tsv.
"""
import csv
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
import exceptions  # noqa: E402  pylint: disable=wrong-import-position

FAULT, GAP = "host program check releases how reason", "host language program applications whose reason"


def rows(path):
    """The lines of a table, without its comments."""
    with open(path, encoding="utf-8") as file:
        yield from csv.reader((line for line in file if line.strip() and line[0] != "#"), delimiter="\t", quoting=csv.QUOTE_NONE)


def mpis():
    return {mpi: {"debian": debian, "family": family, "implementation": implementation, "release": release}
            for debian, mpi, family, implementation, release in rows(HERE / "mpis.tsv")}


def applications():
    """Returns the facts of what compiles programs, by name: of the MPIs, and of the compilers that need none of them."""
    compilers = {name: {"debian": debian, "family": "mpiabi", "implementation": None, "release": None, "called": called}
                 for debian, name, _, _, called in rows(HERE / "compilers.tsv")}
    return mpis() | compilers


def of_implementation(host):
    """The MPI whose own compilers make programs for a host: of a library of the standard ABI, that of its implementation."""
    facts = mpis()[host]
    own = {key: facts[key] for key in ("debian", "implementation")} | {"family": facts["implementation"]}
    return next(name for name, other in mpis().items() if own.items() <= other.items())


def version(release):
    return [int(part) for part in release.split(".")]


def holds(releases, release):
    """Does RELEASE belong to RELEASES, a list of releases and of spans A-B with commas between?"""
    spans = (span.partition("-") for span in releases.split(","))
    return any(version(first) <= version(release) <= version(last or first) for first, _, last in spans)


def names(application, host, *implementation):
    """By what the tables call a host for a program of APPLICATION, both families, and its IMPLEMENTATION if that is
    known. Native programs alone meet faults that the adapter works around, and faults of a Fortran library. A name
    that ends in -own stands for the library of HOST's own ABI, not for its implementation's libmpi_abi."""
    native = application == host
    here = {host, *implementation}
    return here | {f"{host}-own"} | {f"{application}-to-{host}"} | ({f"{name}-{of}" for name in here for of in ("native", "fortran")} if native else set())


def known(path, hosts, release, language):
    """The faults of a host that is called by one of HOSTS, or those of any release: (program, check, how, reason). Those of
    any language have their programs as they are listed."""
    for who, program, check, releases, how, reason in exceptions.rows(path, FAULT):
        if who in hosts and (release is None or holds(releases, release)) and (not language or program.partition(".")[2] in ("", language)):
            yield program.partition(".")[0] if language else program, check, how, reason


def known_of(path, host, application, language, ever=False):
    """The same for MPIs of mpis.tsv."""
    facts = mpis()[host]
    hosts = names(applications()[application]["family"], facts["family"], facts["implementation"])
    if host != application:  # two implementations of one family
        hosts -= {name for name in hosts if name.endswith(("-native", "-fortran"))}
    return known(path, hosts, None if ever else facts["release"], language)


def listed(words, *values):
    return words == "*" or any(word in values for word in words.split(","))


class Gap:
    """A line of gaps.tsv: programs that a host cannot run."""

    def __init__(self, host, language, program, applications, whose, reason):
        self.host, self.language, self.program, self.applications = host, language, program, applications
        self.whose, self.reason, self.needed, self.tried = whose, reason, False, False

    def concerns(self, application, family, host, language):
        return (listed(self.host, host) and listed(self.language, language) and
                listed(self.applications, application, family, *["native"] * (application == host)))


def gaps(path):
    return [Gap(*row) for row in exceptions.rows(path, GAP)]


def checks(path, host, application, wanted, language):
    print(*(check for program, check, *_ in known_of(path, host, application, language) if program == wanted))


def here(path, mode, release, language=""):
    parts = mode.split("-to-")
    for program, check, how, _ in known(path, names(parts[0], parts[-1]) | {mode}, release, language):
        print(program, check, how)


def programs(path, mode, own, release, language):
    application, host = mode.split("-to-")[0], mode.split("-to-")[-1]
    for gap in gaps(path):
        if gap.concerns(f"{application}-{own}", application, f"{host}-{release}", language):
            for program in gap.program.split(","):
                print(program, gap.reason)


def every(path, host, language):
    for program, check, *_ in known_of(path, host, host, language, ever=True):
        print(program, check)


def gone(path, host, language, folder):
    for program, check, how, reason in known_of(path, host, host, language):
        measured = pathlib.Path(folder) / f"{program}.{check}"
        if how != "sometimes" and measured.is_file() and measured.read_text() == "passes\n":
            print(f"passes on {host}: {program} {check} ({reason})")


COMMANDS = {"checks": checks, "holds": lambda releases, release: sys.exit(not holds(releases, release)), "here": here, "programs": programs, "list": every, "gone": gone}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
