# SPDX-License-Identifier: BSD-3-Clause
"""Emits wrappers.c, stand_ins.c and layers/built.h.

A wrapper is templates/wrapper.c filled with what templates/parameters.tpl says for the conversion,
direction and shape of each parameter. stand_ins.c holds, in the host's types, what takes the place
of a procedure that a release of the host does not have; layers/built.h declares those that are not made here.
"""

import os

from emitter.cfile import declaration, host_names, parameters_of, prototype, return_type, variants
from diagnostic import InputError
from emitter.narrow import narrow
from emitter.pair import HANDLES
from emitter.procedures import VALUE_CONVERSIONS
from emitter.template import fill, fill_section, lines_of, load_sections, load_template
from emitter.values import is_identity, is_lent

PLACEHOLDERS = ("name", "kind", "class", "ctype", "valuetype", "hosttype", "extent", "limit", "length",
                "bad_argument", "no_room", "no_handle")
# Hosts take the null handle of this class nearly everywhere, so that what is no handle is refused wherever it comes.
REFUSED = ("INFO",)
OBJECTS = ("COMM", "WIN", "FILE", "SESSION")


class WrapperEmitter:
    """Fills the templates for one pair."""

    def __init__(self, pair, templates):
        self.pair = pair
        self.path = os.path.join(templates, "parameters.tpl")
        self.sections = load_sections(self.path, PLACEHOLDERS)
        self.wrapper = load_template(templates, "wrapper.c")
        self.value_wrapper = load_template(templates, "wrapper-value.c")
        self.unsupported = load_template(templates, "wrapper-unsupported.c")

    def section(self, procedure, parameter):
        """The section of parameters.tpl that applies to a parameter."""
        kind, shape = parameter.kind, "scalar" if parameter.extent is None else "array"
        if kind.conversion == "special":
            direction = "retained" if kind.fortran == "types" and procedure.starts else parameter.direction
            if kind.fortran == "text":
                return "plain" if self.fits(procedure, parameter) else f"{kind.name.lower()} {direction} scalar"
            return f"{kind.name.lower()} {direction} {shape}"
        if kind.conversion in VALUE_CONVERSIONS + ("plain", "address", "opaque") and is_identity(self.pair, kind):
            return "plain"
        conversion = "value" if kind.conversion in VALUE_CONVERSIONS else kind.conversion
        if conversion == "handle" and shape == "scalar" and parameter.direction in ("in", "inout") and is_refused(procedure, kind):
            conversion = "refused"
        retains = any(other.kind.fortran == "types" for other in procedure.parameters)
        if conversion == "handle" and parameter.direction == "out" and shape == "scalar" and not retains \
                and is_lent(self.pair, kind.name):
            conversion = "lent"
        if conversion == "handle" and parameter.direction == "out" and shape == "scalar" and "leaves" in procedure.flags:
            conversion = "left"
        return f"{conversion} {parameter.direction} {shape}"

    def fits(self, procedure, parameter):
        """True if every string the host may write fits into the application's array."""
        sides = (self.pair.application, self.pair.host)
        if not all(parameter.extent in side.constants for side in sides):
            raise self.error(procedure, f"'{parameter.extent}' is no constant of both families")
        ours, theirs = (side.constants[parameter.extent].value for side in sides)
        return ours >= theirs

    def error(self, procedure, message):
        """An error in the procedure's line of the table."""
        path = os.path.join(os.path.dirname(self.pair.rules.path), "procedures")
        return InputError(path, procedure.line, message)

    def parts(self, procedure, parameter, large):
        section = self.section(procedure, parameter)
        if section not in self.sections:
            raise self.error(procedure, f"no template [{section}] for '{parameter.name}' of {procedure.name}")
        names = dict(name=parameter.name, kind=parameter.kind.name, ctype="int",
                     valuetype=parameter.kind.large_ctype if large else parameter.kind.ctype,
                     **{"class": parameter.kind.name.lower()},
                     extent=self.extent(procedure, parameter), limit=parameter.extent,
                     length=parameter.length or "0",
                     bad_argument=raising(procedure, "HOST_MPI_ERR_ARG"),
                     no_room=raising(procedure, "HOST_MPI_ERR_OTHER"),
                     no_handle=raising(procedure, f"HOST_MPI_ERR_{parameter.kind.name}"),
                     hosttype="void *" if parameter.kind.ctype == "void*" else declaration(
                         self.pair, "host", parameter, large).rsplit(parameter.name, 1)[0].strip())
        return fill_section(self.sections[section], **names)

    @staticmethod
    def extent(procedure, parameter):
        """The C expression for an array's length."""
        if parameter.kind.fortran == "types":
            buffer = procedure.parameters[0].name
            return f"{parameter.extent}({buffer}, comm_to_host(comm))"
        return parameter.extent or "0"

    def emit(self, procedure, suffix, large):
        """One wrapper."""
        if "unsupported" in procedure.flags:
            ctype = return_type(self.pair, "app", procedure)
            return self.unsupported.substitute(base=procedure.name + suffix, type=ctype,
                                               result=f"(void)error, ({ctype})0" if procedure.returns else "error")
        parameters = parameters_of(procedure, large)
        filled = [self.parts(procedure, parameter, large) for parameter in parameters]
        arguments = ", ".join(parts["argument"] for parts in filled)
        chosen = self.value_wrapper if procedure.returns else self.wrapper
        success = lines_of(filled, "success", indent="        ")
        retains = any(self.section(procedure, parameter).endswith("retained array") for parameter in parameters)
        return fill(
            chosen, type=return_type(self.pair, "app", procedure), base=procedure.name + suffix,
            parameters=prototype(self.pair, "app", procedure, large), procedure=procedure.host + suffix,
            arguments=arguments, check=lines_of(filled, "check"),
            declare=("    void *retained = 0;\n" if retains else "") + lines_of(filled, "declare"),
            always=lines_of(filled, "always") + ("\n    retain(rc == 0 ? &its_request : 0, retained);" if retains else ""),
            success=success, failure=lines_of(filled, "failure"),
            succeeded="rc == 0" if success else "!has_failed(rc)", assign="int rc =") + "\n"


def is_refused(procedure, kind):
    """True if a wrapper refuses what is no handle of the kind. Procedures of the tool interface raise no errors. Those that
    raise theirs on the null file leave it to the host: some hosts cannot raise errors there for others."""
    return kind.name == procedure.refuses or \
        kind.name in REFUSED and not procedure.name.startswith("MPI_T_") and procedure.raises != "FILE"


def emit_wrappers(pair, templates):
    """The text of wrappers.c."""
    emitter = WrapperEmitter(pair, templates)
    blocks = ["/* A staged array of no elements is not initialized, nor read. */\n"
              '#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"\n'
              '#include "convert/adapter.h"\n#include "keep/retained_datatypes.h"\n']
    for procedure in pair.procedures.values():
        if procedure.custom or not exported(pair, procedure):
            continue
        blocks += [emitter.emit(procedure, suffix, large) for suffix, large in variants(procedure)]
    return "\n".join(blocks)


def exported(pair, procedure):
    """True if a release of the application's implementation exports the procedure."""
    return any(procedure.name + suffix in pair.application.exports for suffix, _ in variants(procedure))


def _everywhere(pair, name):
    """True if every release of the host exports `name`."""
    return all(any(export.symbol == name for export in release.exports) for release in pair.host.releases)


def _outputs(parameters):
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
        elif kind.word("show") in ("STRING", "SIZED"):
            lines.append(f"    if ({name}) *{name} = 0;")
        elif kind.fortran == "pointer" and parameter.direction != "inout":
            lines.append(f"    if ({name}) *(void **){name} = 0;")
    return lines


def _object(procedure):
    """(class, parameter's name) of the object that errors of a procedure are raised on: the first that
    it is given, if the table says nothing else. Without a name it is the class's null handle; None if
    there is no object."""
    if procedure.raises in OBJECTS:
        return procedure.raises.lower(), None
    for parameter in procedure.parameters:
        if not procedure.raises and parameter.kind.name in OBJECTS and parameter.direction == "in":
            return parameter.kind.name.lower(), parameter.name
    return None


def raising(procedure, error, handle="{0}_to_host({1})", null="HOST_NULL_{0}"):
    """The call that raises an error in a wrapper (adapter-c/convert/error.h). `handle` makes the handle of a
    class from a parameter, and `null` is the class's null handle."""
    found = _object(procedure)
    if found is None:
        return f"raise_error({error})"
    name, parameter = found
    return f"raise_{name}({(handle if parameter else null).format(name, parameter)}, {error})"


def _fail(procedure, error):
    """The same in a stand-in, in the host's types."""
    found = _object(procedure)
    return f"fail({error})" if found is None else f"fail_{found[0]}({found[1] or 'HOST_NULL_' + found[0]}, {error})"


def _unsupported(procedure):
    """The call that raises MPI_ERR_UNSUPPORTED_OPERATION in a stand-in."""
    return _fail(procedure, f'unsupported("{procedure.name}")')


def _narrowed(pair, procedure, large):
    """The body of a stand-in that is built of the procedure's twin without large counts, or None."""
    return narrow(procedure, pair.rules.extents, lambda error: _fail(procedure, error)) if large else None


def _refusal(pair, procedure, large):
    """The body of a stand-in that only raises an error."""
    body = _outputs(parameters_of(procedure, large))
    if not procedure.returns:
        return body + [f"    return {_unsupported(procedure)};"]
    return body + [f"    {_unsupported(procedure)};", f"    return ({return_type(pair, 'host', procedure)}){{ 0 }};"]


def _definition(pair, function, procedure, large):
    """The stand-in for one procedure, in the host's types."""
    head = f"static {return_type(pair, 'host', procedure)} {function}({prototype(pair, 'host', procedure, large)})"
    body = _narrowed(pair, procedure, large) or _refusal(pair, procedure, large)
    unused = [f"    (void){parameter.name};" for parameter in parameters_of(procedure, large)
              if parameter.kind.ctype != "..."]
    return "\n".join([head, "{", *unused, *body, "}", ""])


def _is_declared(procedure, large):
    """True if the stand-in is in adapter-c/stand_ins/ or in built_collectives.c."""
    return ("built_c" if large else "built") in procedure.flags


def stand_in(pair, name, procedure, large):
    """What takes the place of a procedure that a host does not have: it is `built` of others, or an error
    (`unsupported`), or nothing, as every host has it (`required`)."""
    everywhere = _everywhere(pair, name)
    if _is_declared(procedure, large) and not (everywhere and "tells" in procedure.flags):
        return "built"
    if everywhere:
        return "required"
    return "built" if _narrowed(pair, procedure, large) else "unsupported"


def emit_built_header(pair):
    """layers/built.h: the procedures that are built of others (adapter-c/stand_ins/, built_collectives.c), in the host's types."""
    lines = ["/* Procedures of newer MPI versions, built of what every host has. They stand in the host's table where",
             " * its own are missing. */", "#ifndef BUILT_H", "#define BUILT_H", "", '#include "host.h"', ""]
    for name, procedure, large in host_names(pair):
        if _is_declared(procedure, large):
            lines.append(f"{return_type(pair, 'host', procedure)} built_{name}({prototype(pair, 'host', procedure, large)});")
    return "\n".join(lines + ["", "#endif", ""])


def emit_stand_ins(pair):
    """stand_ins.c: stand-ins, and which is whose in the order of host_procedure_names."""
    blocks, rows = ['#include "convert/host_side.h"', '#include "convert/host_symbols.h"', '#include "layers/built.h"', '#include "stand_ins/narrow.h"', ""], []
    for place, (name, procedure, large) in enumerate(host_names(pair)):
        kind = stand_in(pair, name, procedure, large)
        if kind == "required":
            continue
        if not _is_declared(procedure, large):
            blocks.append(_definition(pair, f"{kind}_{name}", procedure, large))
        rows.append(f"    case {place}: return (mpi_function *){kind}_{name};")
    return "\n".join(blocks + ["AT_START mpi_function *host_stand_in(int procedure)", "{", "    switch (procedure) {", *rows,
                               "    }", "    return 0;", "}", ""])
