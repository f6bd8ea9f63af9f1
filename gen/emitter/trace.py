# SPDX-License-Identifier: BSD-3-Clause
"""Emits trace_entries.c: what overrides each of the host's procedures while calls are traced or
counted, and the procedures' parameters and constants as data for adapter-c/trace/trace.c.

The data hold no addresses, so that they cost nothing when the library is loaded.
"""


from typing import Callable

from emitter.cfile import _field, c_type, host_names, layer_install, layer_part, parameters_of, prototype, return_type
from emitter.pair import HANDLES, Pair
from emitter.procedures import Kind, Parameter, Procedure

EXTENT_FIRST = -2  # in adapter-c/trace/trace.h
DIRECTIONS = {"in": "TRACE_IN", "ref": "TRACE_IN", "out": "TRACE_OUT", "out?": "TRACE_OUT", "inout": "TRACE_INOUT"}


class Names:
    """The parameters' names, each once, in one string."""

    def __init__(self) -> None:
        self.offsets: dict[str, int] = {}
        self.size = 0

    def offset(self, name: str) -> int:
        if name not in self.offsets:
            self.offsets[name] = self.size
            self.size += len(name) + 1
        return self.offsets[name]


def _format(kind: Kind) -> str:
    default = kind.conversion.upper() if kind.conversion in ("handle", "flags") else \
        "ADDRESS" if kind.is_pointer or kind.conversion == "opaque" else "NUMBER"
    return kind.show or default


def _passing(parameter: Parameter) -> str:
    """How the argument holds the value: itself, its address, or an array's."""
    kind = parameter.kind
    if _format(kind) == "STATUS":
        return "TRACE_ARRAY" if parameter.extent is not None else "TRACE_VALUE"
    if kind.role.name == "pointer" and parameter.direction == "out":
        return "TRACE_POINTED"
    if kind.is_pointer:
        return "TRACE_VALUE"
    if parameter.extent is not None:
        return "TRACE_ARRAY"
    return "TRACE_POINTED" if parameter.direction != "in" else "TRACE_VALUE"


def _extent(pair: Pair, parameter: Parameter, parameters: list[Parameter]) -> str:
    """The number of the parameter that is the array's length, or a negative one for trace_extent()."""
    names = [other.name for other in parameters]
    if parameter.extent is not None and parameter.extent in names:
        return str(names.index(parameter.extent))
    extents = list(pair.rules.extents)
    return str(EXTENT_FIRST - extents.index(parameter.extent)) if parameter.extent in extents else "EXTENT_UNKNOWN"


def _places(pair: Pair, parameters: list[Parameter]) -> str:
    """The places of the parameters that a procedure's extents depend on."""
    names = [each.name for each in parameters]
    return ", ".join(str(names.index(name) if name in names else -1) for name in _arguments(pair))


def _arguments(pair: Pair) -> list[str]:
    """The parameters' names that extents are functions of, each once."""
    return list(dict.fromkeys(name for extent in pair.rules.extents.values() for name in extent.arguments))


def _extent_function(pair: Pair) -> list[str]:
    """trace_extent(): the length of an array that is no parameter."""
    kinds = {parameter.name: parameter.kind for procedure in pair.procedures.values()
             for parameter in procedure.parameters if parameter.name in _arguments(pair)}
    lines = ["int trace_extent(int extent, const int8_t *places, const intptr_t *arguments)", "{",
             "    (void)places, (void)arguments;", "    switch (extent) {"]
    for index, extent in enumerate(pair.rules.extents.values()):
        values = [_from_bits(kinds[name], f"arguments[places[{_arguments(pair).index(name)}]]")
                  for name in extent.arguments if name in kinds]
        if len(values) == len(extent.arguments):
            lines.append(f"    case {EXTENT_FIRST - index}: return {extent.function}({', '.join(values)});")
    return lines + ["    }", "    return -1;", "}", ""]


def _from_bits(kind: Kind, bits: str) -> str:
    return f"HOST_{kind.name}_FROM({bits})" if kind.name in HANDLES else \
        f"(void *){bits}" if kind.is_pointer else f"({kind.ctype}){bits}"


def _parameter(pair: Pair, names: Names, parameter: Parameter, parameters: list[Parameter], large: bool) -> str:
    kind = parameter.kind
    ctype = c_type(pair, "host", kind, large).rstrip()
    size = "sizeof(void *)" if ctype.endswith("*") or kind.is_pointer else f"sizeof({ctype})"
    return (f"    {{ {names.offset(parameter.name)}, KIND_{kind.name}, SHOW_{_format(kind)}, {size}, {_passing(parameter)}, "
            f"{DIRECTIONS[parameter.direction]}, {_extent(pair, parameter, parameters)} }}, /* {parameter.name} */")


def _index(parameters: list[Parameter], wanted: Callable[[Parameter], bool]) -> int:
    return next((i for i, parameter in enumerate(parameters) if wanted(parameter)), -1)


def _argument(parameter: Parameter) -> str:
    kind, name = parameter.kind, parameter.name
    if kind.name in HANDLES and _passing(parameter) == "TRACE_VALUE":
        return f"HOST_{kind.name}_BITS({name})"
    return f"(intptr_t){name}"


def _result(procedure: Procedure) -> str:
    if procedure.returns == "DOUBLE":
        return "trace_double(its_result)"
    return f"HOST_{procedure.returns}_BITS(its_result)" if procedure.returns in HANDLES else "(intptr_t)its_result"


def _entry(pair: Pair, index: int, name: str, procedure: Procedure, large: bool) -> list[str]:
    """The trace entry of one procedure."""
    parameters = [parameter for parameter in parameters_of(procedure, large) if parameter.kind.ctype != "..."]
    ctype = return_type(pair, "host", procedure)
    return [f"static {ctype} trace_{name}({prototype(pair, 'host', procedure, large)})", "{",
            f"    const intptr_t its_arguments[] = {{ {', '.join(map(_argument, parameters)) or '0'} }};",
            "    struct trace_call its_call;",
            f"    trace_begin(&its_call, {index}, its_arguments, __builtin_return_address(0));",
            f"    {ctype} its_result = NEXT(inner, {name})({', '.join(parameter.name for parameter in parameters)});",
            f"    trace_end(&its_call, {_result(procedure)});", "    return its_result;", "}", ""]


def _rows(pair: Pair, names: Names) -> tuple[list[str], list[str]]:
    """The rows of trace_parameters and of trace_procedures."""
    parameters_rows: list[str] = []
    procedure_rows: list[str] = []
    for name, procedure, large in host_names(pair):
        parameters = [parameter for parameter in parameters_of(procedure, large) if parameter.kind.ctype != "..."]
        returns = pair.rules.kinds[procedure.returns or "ERROR_CODE"]
        first = len(parameters_rows)
        parameters_rows += [_parameter(pair, names, parameter, parameters, large) for parameter in parameters]
        comm = _index(parameters, lambda parameter: parameter.kind.name == "COMM" and parameter.direction == "in")
        procedure_rows.append(f"    {{ {first}, {len(parameters)}, {comm}, {{ {_places(pair, parameters) or -1} }}, "
                              f"{{ 0, KIND_{returns.name}, SHOW_{_format(returns)}, "
                              f"sizeof({return_type(pair, 'host', procedure)}), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN }} }}, /* {name} */")
    return parameters_rows, procedure_rows


def _bits(pair: Pair, name: str, kind: Kind) -> str:
    constant = pair.host.constants[name]
    if constant.kind in ("address", "variable"):
        return f"(intptr_t)host_address.{_field(constant.value)}"
    return str(constant.value)


def _names_of_values(pair: Pair) -> list[str]:
    """trace_name(): the host's name for a value of a kind."""
    lines = ["const char *trace_name(int kind, intptr_t value)", "{", "    switch (kind) {"]
    for kind in pair.rules.kinds.values():
        rules = [rule for rule in pair.rules.of_kind(pair.rules.handle_of(kind) or kind.name)
                 if rule.name in pair.host.constants]
        taken, tests = set(), []
        for rule in sorted(rules, key=lambda rule: bool(rule.lacks)):
            bits = _bits(pair, rule.name, kind)
            if bits not in taken:
                tests.append(f'        if (value == {bits}) return "{rule.name}";')
            taken.add(bits)
        if tests:
            lines += [f"    case KIND_{kind.name}:", *tests, "        break;"]
    return lines + ["    }", "    return 0;", "}", ""]


def emit_trace_entries(pair: Pair) -> str:
    """The text of trace_entries.c."""
    names, rows = Names(), host_names(pair)
    kinds = [f"    KIND_{name}," for name in pair.rules.kinds]
    fields = [f'    {{ {names.offset(field)}, KIND_{kind}, SHOW_{form}, 4, TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }},'
              for field, kind, form in (("source", "RANK", "NUMBER"), ("tag", "TAG", "NUMBER"), ("error", "ERROR_CODE", "ERROR"))]
    parameter_rows, procedure_rows = _rows(pair, names)
    lines = ['#include "convert/host_side.h"', '#include "convert/array_length.h"', '#include "layers/layers.h"',
             '#include "trace/trace.h"', "",
             "enum {", *kinds, "};", "",
             "const struct trace_parameter trace_parameters[] = {", *parameter_rows, "};", "",
             "const struct trace_procedure trace_procedures[] = {", *procedure_rows, "};", "",
             "/* Source, tag and error of a status. */",
             "const struct trace_parameter trace_status_fields[] = {", *fields, "};", "",
             "const char trace_names[] =", *(f'    "{name}\\0"' for name in names.offsets), "    ;", "",
             *_names_of_values(pair), *_extent_function(pair)]
    lines += layer_part([name for name, _, _ in rows])
    for index, (name, procedure, large) in enumerate(rows):
        lines += _entry(pair, index, name, procedure, large)
    return "\n".join(lines + layer_install("void trace_install(void)", "LAYER_TRACE", "trace", [name for name, _, _ in rows]))
