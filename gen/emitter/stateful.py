# SPDX-License-Identifier: BSD-3-Clause
"""Emits stateful_entries.c: what overrides the host's procedures that use operations beyond the call, or make communicators,
once there are objects whose references adapter-c/callbacks/stateful.each.c counts.
"""


from typing import Optional

from emitter.cfile import host_names, layer_install, layer_part, parameters_of, prototype
from emitter.pair import Pair
from emitter.procedures import Parameter, Procedure


def _of(parameters: list[Parameter], kind: str, direction: str) -> Optional[str]:
    """The first parameter of a kind and a direction, or None."""
    return next((each.name for each in parameters if each.kind.name == kind and each.direction == direction), None)


def _note(parameters: list[Parameter]) -> Optional[str]:
    """The call to stateful.each.c after a call that succeeded, or None."""
    op, comm, made, request = (_of(parameters, *wanted) for wanted in
                               (("OP", "in"), ("COMM", "in"), ("COMM", "out"), ("REQUEST", "out")))
    if op and request:
        return f"stateful_used({op}, {request})"
    if made and request:
        return f"stateful_comm_begun({comm}, *{made})"
    return f"stateful_comm_made(*{made})" if made else None


def _entry(pair: Pair, name: str, procedure: Procedure, large: bool, note: str) -> list[str]:
    arguments = ", ".join(parameter.name for parameter in parameters_of(procedure, large))
    return [f"static host_code counted_{name}({prototype(pair, 'host', procedure, large)})", "{",
            f"    host_code its_result = NEXT(inner, {name})({arguments});",
            "    if (its_result == 0)", f"        {note};", "    return its_result;", "}", ""]


def emit_stateful_entries(pair: Pair) -> str:
    """The text of stateful_entries.c."""
    entries, names = [], []
    for name, procedure, large in host_names(pair):
        note = _note(parameters_of(procedure, large))
        if note:
            entries += _entry(pair, name, procedure, large, note)
            names.append(name)
    return "\n".join(['#include "callbacks/stateful.h"', '#include "layers/layers.h"', "", *layer_part(names), *entries,
                      *layer_install("void stateful_install_entries(void)", "LAYER_LIFETIME", "counted", names)])
