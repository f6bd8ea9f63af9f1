# SPDX-License-Identifier: BSD-3-Clause
"""Emits wrappers.c, stand_ins.c and layers/built.h.

A wrapper is templates/wrapper.c filled with what templates/parameters.tpl says for the conversion,
direction and shape of each parameter. stand_ins.c holds, in the host's types, what takes the place
of a procedure that a release of the host does not have; layers/built.h declares those that are not made here.
"""

import os
from typing import Optional

from emitter.cfile import declaration, host_names, parameters_of, prototype, return_type, variants
from emitter.narrow import narrow
from emitter.pair import HANDLES, Pair
from emitter.procedures import VALUE_CONVERSIONS, Parameter, Procedure
from emitter.template import Section, fill, fill_section, lines_of, load_choices, load_template, origin
from emitter.values import is_identity, is_lent

PLACEHOLDERS = ("name", "kind", "class", "ctype", "valuetype", "hosttype", "extent", "limit", "length", "counts", "elements",
                "bad_argument", "no_room", "no_handle")
# Hosts take the null handle of this class nearly everywhere, so that what is no handle is refused wherever it comes.
REFUSED = ("INFO",)
OBJECTS = ("COMM", "WIN", "FILE", "SESSION")


class WrapperEmitter:
    """Fills the templates for one pair."""

    def __init__(self, pair: Pair, templates: str) -> None:
        self.pair = pair
        self.sections = load_choices(os.path.join(templates, "parameters.tpl"), PLACEHOLDERS)
        self.wrapper = load_template(templates, "wrapper.c")
        self.both_outcomes = load_template(templates, "wrapper-outcomes.c")
        self.failed = load_template(templates, "wrapper-failed.c")
        self.value_wrapper = load_template(templates, "wrapper-value.c")
        self.unsupported = load_template(templates, "wrapper-unsupported.c")

    def facts(self, procedure: Procedure, parameter: Parameter) -> list[str]:
        """Words that the names of sections may ask of a parameter."""
        kind = parameter.kind
        by_value = ["value"] if kind.conversion in VALUE_CONVERSIONS else []
        traits = [name for name, is_so in TRAITS.items() if is_so(self, procedure, parameter)]
        return [*traits, *by_value, kind.conversion, kind.name, parameter.direction, parameter.shape]

    def section(self, procedure: Procedure, parameter: Parameter) -> Section:
        """The section of parameters.tpl that applies to a parameter."""
        return self.sections.choose(self.pair.rules, procedure, parameter, self.facts(procedure, parameter))

    def fits(self, procedure: Procedure, parameter: Parameter) -> bool:
        """True if every string the host may write fits into the application's array."""
        ours, theirs = (side.constants.get(parameter.extent or "") for side in (self.pair.application, self.pair.host))
        if ours is None or theirs is None:
            raise self.pair.rules.error(procedure, f"'{parameter.extent}' is not a constant of both families")
        return bool(ours.value >= theirs.value)

    def parts(self, procedure: Procedure, parameter: Parameter, large: bool) -> Section:
        names = dict(name=parameter.name, kind=parameter.kind.name, ctype="int",
                     valuetype=parameter.kind.large_ctype if large else parameter.kind.ctype,
                     **{"class": parameter.kind.name.lower()},
                     extent=self.extent(procedure, parameter), elements=self.elements(procedure, parameter), limit=parameter.extent,
                     length=parameter.length or "0", counts=f"counts_{parameter.condition}",
                     bad_argument=raising(procedure, "HOST_MPI_ERR_ARG"),
                     no_room=raising(procedure, "HOST_MPI_ERR_OTHER"),
                     no_handle=raising(procedure, f"HOST_MPI_ERR_{parameter.kind.name}"),
                     hosttype="void *" if parameter.kind.ctype == "void*" else declaration(
                         self.pair, "host", parameter, large).rsplit(parameter.name, 1)[0].strip())
        return fill_section(self.section(procedure, parameter), **names)

    @staticmethod
    def extent(procedure: Procedure, parameter: Parameter) -> str:
        """The C expression for an array's length."""
        if parameter.kind.role.name == "types":
            buffer = procedure.parameters[0].name
            return f"{parameter.extent}({buffer}, comm_to_host(comm))"
        return parameter.extent or "0"

    @staticmethod
    def elements(procedure: Procedure, parameter: Parameter) -> str:
        """The array of counts for an array of datatypes: the last one before it."""
        before = procedure.parameters[:procedure.parameters.index(parameter)]
        return next((each.name for each in reversed(before) if each.kind.name == "COUNT" and each.shape == "array"), "0")

    def emit(self, procedure: Procedure, suffix: str, large: bool) -> str:
        """One wrapper."""
        return self.comment(procedure, large) + "\n" + self.text(procedure, suffix, large)

    def comment(self, procedure: Procedure, large: bool) -> str:
        """The line of the table, and the section of each argument."""
        chosen = [(each.name, self.section(procedure, each).name) for each in parameters_of(procedure, large)]
        return origin(procedure, self.sections, chosen)

    def text(self, procedure: Procedure, suffix: str, large: bool) -> str:
        if "unsupported" in procedure.flags:
            ctype = return_type(self.pair, "app", procedure)
            return self.unsupported.substitute(base=procedure.name + suffix, type=ctype,
                                               result=f"(void)error, ({ctype})0" if procedure.returns else "error")
        parameters = parameters_of(procedure, large)
        filled = [self.parts(procedure, parameter, large) for parameter in parameters]
        retains = any(is_retained(self, procedure, parameter) for parameter in parameters)
        return fill(
            self.value_wrapper if procedure.returns else self.wrapper, type=return_type(self.pair, "app", procedure),
            base=procedure.name + suffix, parameters=prototype(self.pair, "app", procedure, large),
            call=self.call(procedure, suffix, filled), conditions=self.conditions(procedure, parameters),
            check=lines_of(filled, "check"),
            declare=("    void *retained = 0;\n" if retains else "") + lines_of(filled, "declare"),
            always=lines_of(filled, "always") + ("\n    retain_arrays(rc == 0 ? &its_request : 0, retained);" if retains else ""),
            outcome=self.outcome(filled)) + "\n"

    def conditions(self, procedure: Procedure, parameters: list[Parameter]) -> str:
        """The questions whether arguments count, once for each condition, and what becomes of an error that the host raises there."""
        kinds = {each.name: each.kind.name.lower() for each in parameters}
        lines = []
        for name in dict.fromkeys(each.condition for each in parameters if each.condition):
            condition = self.pair.rules.conditions[name]
            values = ", ".join(f"{kinds[argument]}_to_host({argument})" for argument in condition.arguments)
            lines += [f"    const int counts_{name} = {condition.function}({values});",
                      f"    if (unlikely(counts_{name} < 0)) return error_to_app((host_code)-counts_{name});"]
        return "\n".join(lines)

    @staticmethod
    def call(procedure: Procedure, suffix: str, filled: list[Section]) -> str:
        """The host's call. If memory ran out for an array, the error is raised in its place, and what was made is freed as ever."""
        call = f"host.{procedure.host}{suffix}({', '.join(parts['argument'] for parts in filled)})"
        lacking = " || ".join(parts["lacking"] for parts in filled if parts.get("lacking"))
        if not lacking:
            return call
        failed = raising(procedure, "HOST_MPI_ERR_NO_MEM").replace("raise_error(", "fail(").replace("raise_", "fail_")
        return f"unlikely({lacking}) ? {failed} : {call}"

    def outcome(self, filled: list[Section]) -> str:
        """The statements that depend on whether the host's procedure succeeded."""
        success, failure = (lines_of(filled, part, indent="        ") for part in ("success", "failure"))
        return fill(self.both_outcomes if success else self.failed, success=success, failure=failure)


def is_same(emitter: WrapperEmitter, procedure: Procedure, parameter: Parameter) -> bool:
    """True if the value passes as it is: it means the same on both sides, or a string's room is large enough."""
    if parameter.kind.role.name == "written_string":
        return emitter.fits(procedure, parameter)
    return is_identity(emitter.pair, parameter.kind)


def is_lent_to_host(emitter: WrapperEmitter, procedure: Procedure, parameter: Parameter) -> bool:
    """True if the host may write a new handle into the application's variable."""
    retains = any(each.kind.role.name == "types" for each in procedure.parameters)
    return parameter.kind.conversion == "handle" and not retains and is_lent(emitter.pair, parameter.kind.name)


def is_retained(_: WrapperEmitter, procedure: Procedure, parameter: Parameter) -> bool:
    """True if the host uses an array of the adapter's after the call."""
    return parameter.kind.role.name == "types" and procedure.starts


def is_conditional(_: WrapperEmitter, __: Procedure, parameter: Parameter) -> bool:
    """True if the argument does not always count."""
    return parameter.condition is not None


def is_refused(_: WrapperEmitter, procedure: Procedure, parameter: Parameter) -> bool:
    """True if a wrapper refuses what is no handle of the kind. Procedures of the tool interface raise no errors. Those that
    raise theirs on the null file leave it to the host: some hosts cannot raise errors there for others."""
    kind = parameter.kind
    return kind.name == procedure.refuses or \
        kind.name in REFUSED and not procedure.name.startswith("MPI_T_") and procedure.raises != "FILE"


# The words of sections' names that are neither in the procedure's line nor in the kind's.
TRAITS = {"conditional": is_conditional, "same": is_same, "refused": is_refused, "lent": is_lent_to_host,
          "left": lambda _, procedure, __: "leaves" in procedure.flags,
          "retained": is_retained, "distinct": lambda _, procedure, __: "distinct" in procedure.flags,
          "reduces": lambda _, procedure, __: procedure.reduces}


def emit_wrappers(pair: Pair, templates: str) -> str:
    """The text of wrappers.c."""
    emitter = WrapperEmitter(pair, templates)
    blocks = ["/* A staged array of no elements is not initialized, nor read. */\n"
              '#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"\n'
              '#include "convert/distinct_datatype.h"\n#include "requests/retained_datatypes.h"\n']
    for procedure in pair.procedures.values():
        if procedure.custom or not exported(pair, procedure):
            continue
        blocks += [emitter.emit(procedure, suffix, large) for suffix, large in variants(procedure)]
    return "\n".join(blocks)


def exported(pair: Pair, procedure: Procedure) -> bool:
    """True if a release of the application's implementation exports the procedure."""
    return any(procedure.name + suffix in pair.application.exports for suffix, _ in variants(procedure))


def _everywhere(pair: Pair, name: str) -> bool:
    """True if every release of the host exports `name`."""
    return all(name in release.exported for release in pair.host.releases)


def _outputs(parameters: list[Parameter]) -> list[str]:
    """Statements that give an unsupported procedure's OUT arguments defined values."""
    lines = []
    for parameter in parameters:
        kind, name = parameter.kind, parameter.name
        if parameter.direction not in ("out", "out?", "inout") or parameter.extent is not None:
            continue
        if kind.name in HANDLES:
            if parameter.direction != "inout":
                lines.append(f"    if ({name}) *{name} = HOST_NULL_{kind.name.lower()};")
        elif kind.ctype in ("int", "MPI_Count", "MPI_Aint", "MPI_Offset") and parameter.direction != "inout":
            lines.append(f"    if ({name}) *{name} = 0;")
        elif kind.role.is_text and kind.ctype == "char*":
            lines.append(f"    if ({name}) *{name} = 0;")
        elif kind.role.name == "pointer" and parameter.direction != "inout":
            lines.append(f"    if ({name}) *(void **){name} = 0;")
    return lines


def _object(procedure: Procedure) -> Optional[tuple[str, Optional[str]]]:
    """(class, parameter's name) of the object that errors of a procedure are raised on: the first that
    it is given, if the table says nothing else. Without a name it is the class's null handle; None if
    there is no object."""
    if procedure.raises in OBJECTS:
        return procedure.raises.lower(), None
    for parameter in procedure.parameters:
        if not procedure.raises and parameter.kind.name in OBJECTS and parameter.direction == "in":
            return parameter.kind.name.lower(), parameter.name
    return None


def raising(procedure: Procedure, error: str, handle: str = "{0}_to_host({1})", null: str = "HOST_NULL_{0}") -> str:
    """The call that raises an error in a wrapper (adapter-c/convert/error.h). `handle` makes the handle of a
    class from a parameter, and `null` is the class's null handle."""
    found = _object(procedure)
    if found is None:
        return f"raise_error({error})"
    name, parameter = found
    return f"raise_{name}({(handle if parameter else null).format(name, parameter)}, {error})"


def _fail(procedure: Procedure, error: str) -> str:
    """The same in a stand-in, in the host's types."""
    found = _object(procedure)
    return f"fail({error})" if found is None else f"fail_{found[0]}({found[1] or 'HOST_NULL_' + found[0]}, {error})"


def _unsupported(procedure: Procedure) -> str:
    """The call that raises MPI_ERR_UNSUPPORTED_OPERATION in a stand-in."""
    return _fail(procedure, f'unsupported("{procedure.name}")')


def _narrowed(pair: Pair, procedure: Procedure, large: bool) -> Optional[list[str]]:
    """The body of a stand-in that is built of the procedure's twin without large counts, or None."""
    return narrow(procedure, pair.rules.extents, lambda error: _fail(procedure, error)) if large else None


def _refusal(pair: Pair, procedure: Procedure, large: bool) -> list[str]:
    """The body of a stand-in that only raises an error."""
    body = _outputs(parameters_of(procedure, large))
    if not procedure.returns:
        return body + [f"    return {_unsupported(procedure)};"]
    return body + [f"    {_unsupported(procedure)};", f"    return ({return_type(pair, 'host', procedure)}){{ 0 }};"]


def _definition(pair: Pair, function: str, procedure: Procedure, large: bool) -> str:
    """The stand-in for one procedure, in the host's types."""
    head = f"static {return_type(pair, 'host', procedure)} {function}({prototype(pair, 'host', procedure, large)})"
    body = _narrowed(pair, procedure, large) or _refusal(pair, procedure, large)
    unused = [f"    (void){parameter.name};" for parameter in parameters_of(procedure, large)
              if parameter.kind.ctype != "..."]
    return "\n".join([head, "{", *unused, *body, "}", ""])


def _is_declared(procedure: Procedure, large: bool) -> bool:
    """True if the stand-in is in adapter-c/stand_ins/ or in built_collectives.c."""
    return ("built_c" if large else "built") in procedure.flags


def stand_in(pair: Pair, name: str, procedure: Procedure, large: bool) -> str:
    """The stand-in for a procedure that a host does not have: it is `built` of others, or an error
    (`unsupported`), or nothing, as every host has it (`required`)."""
    everywhere = _everywhere(pair, name)
    if _is_declared(procedure, large) and not (everywhere and "tells" in procedure.flags):
        return "built"
    if everywhere:
        return "required"
    return "built" if _narrowed(pair, procedure, large) else "unsupported"


def emit_built_header(pair: Pair) -> str:
    """layers/built.h: the procedures that are built of others (adapter-c/stand_ins/, built_collectives.c), in the host's types."""
    lines = ["/* Procedures of newer MPI versions, built of what every host has. They stand in the host's table where",
             " * its own are missing. */", "#ifndef BUILT_H", "#define BUILT_H", "", '#include "host.h"', ""]
    for name, procedure, large in host_names(pair):
        if _is_declared(procedure, large):
            lines.append(f"{return_type(pair, 'host', procedure)} built_{name}({prototype(pair, 'host', procedure, large)});")
    return "\n".join(lines + ["", "#endif", ""])


def emit_stand_ins(pair: Pair) -> str:
    """stand_ins.c: stand-ins, and which is whose in the order of host_procedure_names."""
    blocks, rows = ['#include "convert/host_side.h"', '#include "convert/host_symbols.h"', '#include "layers/built.h"',
                    '#include "stand_ins/narrow.h"', ""], []
    for place, (name, procedure, large) in enumerate(host_names(pair)):
        kind = stand_in(pair, name, procedure, large)
        if kind == "required":
            continue
        if not _is_declared(procedure, large):
            blocks.append(_definition(pair, f"{kind}_{name}", procedure, large))
        rows.append(f"    case {place}: return (mpi_function *){kind}_{name};")
    return "\n".join(blocks + ["mpi_function *host_stand_in(int procedure)", "{", "    switch (procedure) {", *rows,
                               "    }", "    return 0;", "}", ""])
