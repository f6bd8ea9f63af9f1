# SPDX-License-Identifier: BSD-3-Clause
"""Emits versions.h: by what a program imports, the oldest version of MPI that its mpi.h may be of."""

import re
from typing import Union

from abitable import AbiTable
from emitter.family import Family, contested_names
from emitter.pair import Pair


def common_name(symbol: str) -> str:
    """One name for a procedure, in C and in every mangling of Fortran; adapter-c/calls/version.c has the same."""
    name = symbol.lower().rstrip("_")
    if name.startswith("pmpi_"):
        name = name[1:]
    large = name.endswith("_large")
    name = re.sub(r"_large$", "", name)
    return re.sub(r"_f08(ts|gf)?$", "", name) + ("_c" if large else "")


def _names(release: AbiTable, objects: Union[list[str], tuple[()]]) -> set[str]:
    """Symbols whose import tells a program's release: those that the standard names, `objects`
    by how their names begin, and libraries."""
    symbols = {common_name(export.symbol) for export in release.exports}
    return {name for name in symbols if name.startswith(("mpi_", *objects))} | set(release.sonames)


def _number(standard: tuple[int, ...]) -> int:
    return 100 * standard[0] + standard[1]


def _libraries(release: AbiTable) -> set[str]:
    return {*release.sonames, *release.relro}


def _contested(pair: Pair, family: Family) -> list[str]:
    """The libraries that no other release has, of the one whose library for C has a name of other families' too, with its version of
    MPI: Fortran programs may need none but these."""
    for release in pair.application.releases:
        if set(release.sonames) & set(contested_names(family)):
            others = [_libraries(other) for other in pair.application.releases if other is not release]
            names = sorted(_libraries(release).difference(*others))
            return ["#define VERSION_BY_NAME(each) " + " ".join(f'each("{name}", {_number(release.standard)})' for name in names)]
    return []


def emit_versions(pair: Pair, family: Family) -> str:
    """The text of versions.h; `family` are the lines of the application's family. Names are places in one text: pointers
    would be written to when the library is loaded."""
    first: dict[str, int] = {}
    # A library that other families have, too, says nothing of the rest.
    releases = [release for release in pair.application.releases if not set(release.sonames) & set(contested_names(family))]
    for release in releases:
        for name in _names(release, family.get("objects", ())):
            first[name] = min(first.get(name, 1 << 16), _number(release.standard))
    versions = [_number(release.standard) for release in releases]
    lines = [f"#define VERSION_OLDEST {min(versions)}", f"#define VERSION_NEWEST {max(versions)}", *_contested(pair, family), "",
             "static const char version_names[] ="]
    later = [(name, version) for name, version in sorted(first.items()) if version > min(versions)]
    lines += [f'    "{name}\\0"' for name, _ in later] + ['    "";', "", "static const struct version_symbol version_symbols[] = {"]
    place = 0
    for name, version in later:
        lines.append(f"    {{ {place}, {version} }},")
        place += len(name) + 1
    return "\n".join(lines + ["};", ""])
