# SPDX-License-Identifier: BSD-3-Clause
"""Emits what makes handles of C of integers of Fortran, and the reverse: fortran_convert.h, and fortran_numbers.h of a pair."""

from each import class_names
from emitter.pair import HANDLES, Pair, Side
from emitter.template import load_template

# Templates by how the application represents a class of handles, and by how the host does.
NUMBERS_BY_SIDES = {("object", "int"): "object-int", ("pointer", "int"): "pointer-int"}
NUMBERS_OF_ADDRESSES = "address"


class Functions:
    """Templates templates/fortran-KIND-NAME.c, filled in for classes of handles."""

    def __init__(self, templates: str, kind: str, names: tuple[str, ...]) -> None:
        self.templates = {name: load_template(templates, f"fortran-{kind}-{name}.c") for name in names}

    def of(self, handle: str, name: str) -> list[str]:
        """The functions of a class, by the template of this name; none where there is no template."""
        template = self.templates.get(name)
        return [template.substitute(class_names(handle.lower()))] if template else []


def _staging(functions: Functions, handle: str, representation: str) -> list[str]:
    return functions.of(handle, "same" if representation == "int" else "converted")


def emit_fortran_handles(side: Side, templates: str) -> str:
    """fortran_convert.h of an application's ABI: for the Fortran libraries, and for the library for C, which has numbers of its own."""
    numbers = Functions(templates, "number", ("object", "pointer"))
    handles = Functions(templates, "handle", ("object", "int", "pointer"))
    staging = Functions(templates, "stage", ("same", "converted"))
    kinds = side.representations
    lines = ["#ifdef FORTRAN_LIBRARY"]
    lines += [text for handle in HANDLES for text in numbers.of(handle, kinds[handle])]
    lines += ["#endif", ""]
    lines += [text for handle in HANDLES for text in handles.of(handle, kinds[handle])]
    lines += ["#ifdef FORTRAN_LIBRARY"]
    lines += [text for handle in HANDLES for text in _staging(staging, handle, kinds[handle])]
    return "\n".join([*lines, "#endif", ""])


def emit_handles_alone(templates: str) -> str:
    """fortran_convert.h of a Fortran library for an ABI that has none of its own."""
    handles, staging = Functions(templates, "handle", ("alone",)), Functions(templates, "stage", ("converted",))
    return "\n".join([*(text for handle in HANDLES for text in handles.of(handle, "alone") + staging.of(handle, "converted")), ""])


def emit_fortran_numbers(pair: Pair, templates: str) -> str:
    """fortran_numbers.h: the integer of a handle that Fortran has no value of its own for, in a pair's library for C."""
    numbers = Functions(templates, "number", (*NUMBERS_BY_SIDES.values(), NUMBERS_OF_ADDRESSES))
    return "\n".join([*(text for handle in HANDLES for text in numbers.of(handle, NUMBERS_BY_SIDES.get(
        (pair.application.representations[handle], pair.host.representations[handle]), NUMBERS_OF_ADDRESSES))), ""])
