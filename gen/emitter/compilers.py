# SPDX-License-Identifier: BSD-3-Clause
"""Reads abi-tables/compilers, what Fortran compilers do differently, and emits compilers.h."""

from dataclasses import dataclass

from diagnostic import InputError, table_lines


@dataclass(frozen=True)
class Compiler:
    """A compiler's name, its LOGICAL values, and how its run-time library's name begins."""
    name: str
    true: int
    false: int
    library: str


def load_compilers(path: str) -> list[Compiler]:
    """The compilers, the one that serves by default first."""
    compilers = []
    for number, words in table_lines(path):
        try:
            name, true, false, library = words
            compilers.append(Compiler(name, int(true), int(false), library))
        except ValueError as error:
            raise InputError(path, number, "a compiler needs a name, .TRUE., .FALSE. and a library") from error
        if [compiler.name for compiler in compilers].count(name) > 1:
            raise InputError(path, number, f"compiler {name} is listed twice")
    if not compilers:
        raise InputError(path, 0, "no compiler")
    return compilers


def emit_compilers(compilers: list[Compiler]) -> str:
    """compilers.h."""
    names = ", ".join(compiler.name for compiler in compilers)
    rows = "".join(f'    {{ "{each.name}", {each.true}, {each.false}, "{each.library}" }},\n' for each in compilers)
    return (f"#define FORTRAN_TRUE {compilers[0].true}\n#define FORTRAN_FALSE {compilers[0].false}\n"
            f'#define COMPILERS "{names}"\n'
            "static const struct compiler {\n    const char *name;\n    int logical_true, logical_false;\n"
            "    const char *library;\n} compilers[] = {\n" + rows + "    { 0, 0, 0, 0 },\n};\n")
