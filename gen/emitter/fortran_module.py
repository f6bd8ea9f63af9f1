# SPDX-License-Identifier: BSD-3-Clause
"""Emits fortran_module.c: the predefined handles that the module mpi_f08 of the application's ABI
exports as data. A TYPE(MPI_Comm) is an INTEGER in a structure of its own, so mpif.h's values serve."""


from abitable import AbiTable
from emitter.family import Family
from emitter.fortran import current_releases, earlier_releases
from emitter.pair import HANDLES, Pair
from emitter.procedures import Rules


def handle_values(releases: list[AbiTable], rules: Rules) -> dict[str, int]:
    """{constant: mpif.h's value} of the predefined handles of these releases; the newest that has a
    name decides it."""
    values: dict[str, int] = {}
    for release in releases:
        for handle in HANDLES:
            for rule in rules.of_kind(handle):
                if rule.name in release.fortran:
                    values.setdefault(rule.name, release.fortran[rule.name])
    return values


def symbol(pattern: str, name: str) -> str:
    """A symbol from a pattern of the families' fortran_constants: {name} is the constant's in lower
    case, {stem} the same without the _t of MPI_INT8_T."""
    lower = name.lower()
    return pattern.replace("{name}", lower).replace("{stem}", lower.removesuffix("_t"))


def emit_module(pair: Pair, family: Family) -> str:
    """fortran_module.c; `family` is the application's entry of the table of families."""
    earlier = handle_values(earlier_releases(pair.application, family), pair.rules)
    values = earlier | handle_values(current_releases(pair.application, family), pair.rules)
    lines, others = ['#include "fortran.h"', ""], []
    for pattern in family.get("fortran_constants", ()):
        lines += [f"EXPORTED MPI_Fint {symbol(pattern, name)} = {value};" for name, value in sorted(values.items())]
        others += [f"    {{ &{symbol(pattern, name)}, {value} }},"
                   for name, value in sorted(earlier.items()) if values[name] != value]
    return "\n".join(lines + ["const struct earlier_constant earlier_constants[] = {", *others, "    { 0, 0 }", "};", ""])
