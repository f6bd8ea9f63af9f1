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


def _values(pair: Pair, family: Family) -> tuple[dict[str, int], dict[str, int]]:
    """The handles' values, and those of earlier releases where they are others."""
    earlier = handle_values(earlier_releases(pair.application, family), pair.rules)
    values = earlier | handle_values(current_releases(pair.application, family), pair.rules)
    return values, {name: value for name, value in sorted(earlier.items()) if values[name] != value}


def emit_module(pair: Pair, family: Family) -> str:
    """fortran_module.c; `family` is the application's entry of the table of families."""
    values, earlier = _values(pair, family)
    lines, others = ['#include "fortran.h"', ""], []
    for pattern in family.get("fortran_constants", ()):
        lines += [f"EXPORTED MPI_Fint {symbol(pattern, name)} = {value};" for name, value in sorted(values.items())]
        others += [f"    {{ &{symbol(pattern, name)}, {value} }}," for name, value in earlier.items()]
    return "\n".join(lines + ["const struct earlier_constant earlier_constants[] = {", *others, "    { 0, 0 }", "};", ""])


def emit_earlier_numbers(pair: Pair, family: Family, datatypes: dict[int, str]) -> str:
    """earlier_numbers.h: how earlier releases number datatypes, and mpi_f08's variables for handles with what releases of today and
    earlier ones have in them; `datatypes` are {number: C's symbol}."""
    values, earlier = _values(pair, family)
    variables = [f"each({symbol(pattern, name)}, {value}, {earlier.get(name, value)})" for pattern in family.get("fortran_constants", ())
                 for name, value in sorted(values.items())]
    return (f"#define EARLIER_DATATYPES(each) {' '.join(f'each({number}, {name})' for number, name in sorted(datatypes.items()))}\n"
            f"#define F08_VARIABLES(each) {' '.join(variables)}\n")
