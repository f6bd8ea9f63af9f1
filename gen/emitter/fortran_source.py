# SPDX-License-Identifier: BSD-3-Clause
"""Emits what Fortran programs of an ABI are compiled with: mpif.h, and the source of the modules mpi and mpi_f08.

What is the same for every ABI is in templates/fortran-module-*.F90; the interfaces of procedures follow from the procedure
table, the constants from the scanned tables. The library behind them is fortran_alone.py's."""

import os
import re
from string import Template
from typing import Callable, Iterator, Optional

from diagnostic import open_text
from emitter.cfile import parameters_of, variants
from emitter.fortran_alone import Alone, f08_suffix, has_address_result, has_descriptors, is_of_gfortran, of_gfortran
from emitter.pair import HANDLES, PUBLIC_FIELDS
from emitter.procedures import Parameter, Procedure
from emitter.template import fill
from header import united

WIDTH = 120
# The parts of a declaration: type, attributes, shape.
Parts = tuple[str, list[str], str]
# The INTEGER that a C type of the library is; what is not here is a default INTEGER.
KINDS = {"MPI_Aint": "MPI_ADDRESS_KIND", "MPI_Count": "MPI_COUNT_KIND", "MPI_Offset": "MPI_OFFSET_KIND"}
FUNCTION_TYPES = {"DOUBLE": "double precision", "AINT": "integer(kind=MPI_ADDRESS_KIND)"}
# In mpif.h, which options of the compiler reach that make DOUBLE PRECISION longer.
MPIF_FUNCTION_TYPES = {**FUNCTION_TYPES, "DOUBLE": "real(kind=8)"}
# Kinds of constants that the tool information interface has in C alone (MPI-5.0 annex A.1).
C_ONLY_KINDS = ("T_BIND", "T_CB_SAFETY", "T_PVAR_CLASS", "T_SCOPE", "T_SOURCE_ORDER")
# The variables that stand for addresses: (name, type but for statuses, shape). Their symbols are the library's.
SENTINELS = (("bottom", "integer", ""), ("in_place", "integer", ""), ("buffer_automatic", "integer", ""),
             ("errcodes_ignore", "integer", "(1)"), ("unweighted", "integer", "(1)"), ("weights_empty", "integer", "(1)"),
             ("argv_null", "character(len=1)", "(1)"), ("argvs_null", "character(len=1)", "(1, 1)"))
STATUSES = (("status_ignore", "(MPI_STATUS_SIZE)", ""), ("statuses_ignore", "(MPI_STATUS_SIZE, 1)", "(1)"))
# No kind is negative, so that a compiler stops where an INTEGER has another size: the library reads four bytes.
ASSERTION = ("integer(kind=1-abs(kind(0)-{size})) MPI_ADAPTER_INTEGER_HAS_{size}_BYTES",
             "parameter (MPI_ADAPTER_INTEGER_HAS_{size}_BYTES=0)")
PASSED_AS = re.compile(r"! passed as (?P<parameters>.*)\n *subroutine (?P<name>\w+)\(")
CALLBACK = re.compile(r"procedure\((?P<interface>\w+)\) :: (?P<names>.*)")


def wrapped(line: str, indent: int) -> str:
    """A statement in free form, in lines that any compiler takes."""
    lines, rest = [], " " * indent + line
    while len(rest) > WIDTH:
        at = rest.rindex(", ", 0, WIDTH - 2) + 1
        lines.append(rest[:at] + " &")
        rest = " " * (indent + 4) + rest[at:].lstrip()
    return "\n".join([*lines, rest])


def fortran_integer(kind: Optional[str]) -> str:
    return f"integer(kind={kind})" if kind else "integer"


class SourceEmitter:
    """Fills the templates for one family."""

    def __init__(self, alone: Alone, templates: str, sentinel_symbols: dict[str, str]) -> None:
        self.alone, self.rules, self.side = alone, alone.rules, alone.application
        self.templates, self.types = templates, united(release.types for release in alone.application.releases)
        self.symbols = sentinel_symbols
        self.callbacks = self.template("callbacks").template
        self.interfaces = {name: match["name"] for match in PASSED_AS.finditer(self.callbacks)
                           for name in match["parameters"].split(", ")}

    def template(self, name: str) -> Template:
        with open_text(os.path.join(self.templates, f"fortran-module-{name}.F90")) as file:
            return Template(file.read())

    def files(self) -> dict[str, str]:
        return {"mpif.h": self.emit_mpif(), "mpi_f08_types.F90": self.emit_types(), "mpi_f08_callbacks.F90": self.callbacks,
                "mpi_adapter_sentinels.F90": self.emit_sentinels(), "mpi.F90": self.emit_mpi(), "mpi_f08.F90": self.emit_f08()}

    # ------------------------------------------------------------ constants

    def kinds(self) -> Iterator[tuple[str, int]]:
        """(name, kind) of the kinds of integers, by the sizes of C's types."""
        yield "MPI_INTEGER_KIND", self.types["MPI_Fint"].size
        for ctype, name in KINDS.items():
            yield name, self.types[ctype].size

    def status_constants(self) -> Iterator[tuple[str, int]]:
        """(name, value): a status is an array of integers, whose elements count from 1."""
        size = self.types["MPI_Fint"].size
        yield "MPI_STATUS_SIZE", self.types["MPI_Status"].size // size
        for name in PUBLIC_FIELDS:
            yield name, self.side.newest.status_fields[name].offset // size + 1

    def handles(self) -> Iterator[tuple[str, str, int]]:
        """(C type, name, value) of all predefined handles."""
        for handle in HANDLES:
            for name, constant in self.side.handles(handle, self.rules).items():
                yield self.rules.kinds[handle].ctype, name, constant.value

    def integers(self) -> Iterator[tuple[Optional[str], str, int]]:
        """(kind, name, value) of all other named constants, but for those that only C has. Strings of Fortran have no
        terminator, so that their maxima are less by one."""
        for name, constant in sorted(self.side.constants.items()):
            kinds = self.rules.constants[name].kinds
            if constant.kind != "int" or "FORTRAN" in kinds or kinds[0] in C_ONLY_KINDS:
                continue
            ctype = self.rules.kinds[kinds[0]].ctype if kinds[0] in self.rules.kinds else "int"
            yield KINDS.get(ctype), name, constant.value - (kinds == ("LIMIT",) and name.startswith("MPI_MAX_"))

    # ------------------------------------------------------------ parameters

    def passed(self, procedure: Procedure, parameter: Parameter, large: bool) -> str:
        """The Fortran type of an argument as the library's C has it (FortranEmitter.scalar)."""
        kind = parameter.kind
        if kind.role.name == "pointer":
            return fortran_integer(None if "f08=none" in procedure.flags else "MPI_ADDRESS_KIND")
        if procedure.fortran == "integer" and kind.ctype == "MPI_Aint":
            return "integer"
        return fortran_integer(KINDS.get(kind.large_ctype if large else kind.ctype))

    def shape(self, procedure: Procedure, parameter: Parameter) -> str:
        kind = parameter.kind
        if kind.role.name == "ranges":
            return "(3, *)"
        if kind.name == "ARGVS":
            return f"({procedure.parameters[0].name}, *)"
        if kind.name in ("ARGV", "COMMANDS") or parameter.extent is not None and not kind.role.is_text:
            return "(*)"
        return ""

    def f08_type(self, procedure: Procedure, parameter: Parameter, large: bool) -> Parts:
        """(type, attributes, shape) of an argument in mpi_f08."""
        kind, shape = parameter.kind, self.shape(procedure, parameter)
        intent = {"in": "intent(in)", "ref": "intent(in)", "inout": "intent(inout)", "out": "intent(out)", "out?": ""}[parameter.direction]
        if kind.is_buffer:
            attributes = [intent] * (parameter.direction == "in") + ["asynchronous"] * procedure.is_asynchronous
            return ("type(*), dimension(..)" if has_descriptors(procedure) else "CHOICE"), attributes, ""
        if kind.name == "FUNCTION":
            return f"procedure({self.interface(parameter, large)})", [], ""
        if kind.word("module") == "any":
            return "type(*)", [], ""
        if kind.word("module") in ("c_ptr", "detached"):
            return "type(C_PTR)", [intent], ""
        if kind.role.name == "status":
            return "type(MPI_Status)", [intent] * (parameter.direction == "in"), shape
        if kind.role.name == "weights" and parameter.direction == "out":
            return "integer", [], shape
        return self.plain_type(procedure, parameter, large, f"type({kind.ctype})"), [intent], shape

    def plain_type(self, procedure: Procedure, parameter: Parameter, large: bool, handle: str) -> str:
        """The type of an argument that both modules declare alike, but for handles."""
        kind = parameter.kind
        if kind.role.is_text:
            return "character(len=*)"
        if kind.role.name == "logical":
            return "logical"
        return handle if kind.role.name in ("handle", "types") else self.passed(procedure, parameter, large)

    def interface(self, parameter: Parameter, large: bool) -> str:
        """The abstract interface of a callback."""
        name = self.interfaces[parameter.name]
        return name + "_c" if large and name + "_c" in self.interfaces.values() else name

    def mpi_type(self, procedure: Procedure, parameter: Parameter, address: str) -> Parts:
        """The same in the module mpi; `address` is the type of an address that is returned."""
        kind, shape = parameter.kind, self.shape(procedure, parameter)
        if kind.is_buffer or kind.word("module") in ("detached", "any"):
            return "CHOICE", [], ""
        if kind.name == "FUNCTION":
            return "external", [], ""
        if kind.word("module") == "c_ptr":
            return address, [], ""
        if kind.role.name == "status":
            return "integer", [], f"(MPI_STATUS_SIZE{', *' if shape else ''})"
        return self.plain_type(procedure, parameter, False, "integer"), [], shape

    # ------------------------------------------------------------ interfaces

    @staticmethod
    def declared(name: str, parts: Parts) -> list[str]:
        """The lines that declare an argument: what compilers know that do not know TYPE(*) says that it may be anything."""
        ftype, attributes, shape = parts
        lines = ["!GCC$ ATTRIBUTES NO_ARG_CHECK :: " + name, "!DIR$ IGNORE_TKR " + name] if ftype == "CHOICE" else []
        return [*lines, f"      {', '.join([ftype, *filter(None, attributes)])} :: {name}{shape}"]

    def body(self, procedure: Procedure, name: str, parameters: dict[str, Parts], ierror: str, binding: str = "") -> list[str]:
        """An interface body; `parameters` is {name: parts}. What is BIND(C) may be another procedure for gfortran."""
        arguments = [*parameters, *(["ierror"] if ierror else [])]
        word = f"{FUNCTION_TYPES[procedure.returns]} function" if procedure.returns else "subroutine"
        heads = [wrapped(f"{word} {name}({', '.join(arguments)})", 4)]
        if binding:
            heads[0] += f" &\n        {binding}"
        if binding and is_of_gfortran(procedure):
            heads = ["#ifdef OF_GFORTRAN", wrapped(f"{word} {of_gfortran(name)}({', '.join(arguments)})", 4), "#else", *heads, "#endif"]
        # Arguments that give others their shapes come first.
        order = sorted(parameters, key=lambda each: parameters[each][2].startswith("(") and parameters[each][2] != "(*)")
        lines = [*heads, "      import"]
        for each in order:
            lines += self.declared(each, parameters[each])
        lines += [f"      {ierror} :: ierror"] if ierror else []
        return [*lines, f"    end {word.split()[-1]}"]

    @staticmethod
    def arguments(procedure: Procedure, large: bool) -> list[Parameter]:
        return [each for each in parameters_of(procedure, large) if not each.kind.role.is_absent]

    @staticmethod
    def has_ierror(procedure: Procedure) -> bool:
        return not procedure.returns and not any(each.kind.ctype == "..." for each in procedure.parameters)

    def f08_parameters(self, procedure: Procedure, large: bool) -> dict[str, Parts]:
        return {each.name: self.f08_type(procedure, each, large) for each in self.arguments(procedure, large)}

    def f08_body(self, procedure: Procedure, prefix: str, large: bool) -> list[str]:
        specific = prefix + procedure.name + f08_suffix(procedure, large)
        binding = f'bind(C, name="{specific.lower()}_")' if has_descriptors(procedure) else ""
        ierror = "integer, optional, intent(out)" if self.has_ierror(procedure) else ""
        return self.body(procedure, specific, self.f08_parameters(procedure, large), ierror, binding)

    def is_distinct(self, procedure: Procedure) -> bool:
        """Whether arguments tell the procedure from its large-count twin, so that both have one generic name."""
        small, large = ({name: self.resolved(parts) for name, parts in self.f08_parameters(procedure, each).items()
                         if not parts[0].startswith("procedure(")} for each in (False, True))
        return small != large

    def resolved(self, parts: Parts) -> Parts:
        """The type with the kind's number, for kinds of several names are one."""
        numbers = dict(self.kinds())
        return re.sub(r"kind=(\w+)", lambda match: f"kind={numbers[match[1]]}", parts[0]), *parts[1:]

    def f08_interfaces(self, procedure: Procedure, prefix: str) -> list[str]:
        generics: dict[str, list[str]] = {}
        for suffix, large in variants(procedure):
            name = prefix + procedure.name + ("" if not large or self.is_distinct(procedure) else suffix)
            generics.setdefault(name, []).extend(self.f08_body(procedure, prefix, large))
        return [line for name, body in generics.items()
                for line in [f"  interface {name}", *body, f"  end interface {name}"]]

    def mpi_body(self, procedure: Procedure, name: str, address: str) -> list[str]:
        parameters = {each.name: self.mpi_type(procedure, each, address) for each in self.arguments(procedure, False)}
        return self.body(procedure, name, parameters, "integer" if self.has_ierror(procedure) else "")

    def mpi_interfaces(self, procedure: Procedure, prefix: str) -> list[str]:
        """An interface of the module mpi; one that returns an address is for an integer and for a TYPE(C_PTR)."""
        name = prefix + procedure.name
        body = self.mpi_body(procedure, name, "integer(kind=MPI_ADDRESS_KIND)")
        if not has_address_result(procedure):
            return ["  interface", *body, "  end interface"]
        return [f"  interface {name}", *body, *self.mpi_body(procedure, name + "_cptr", "type(C_PTR)"),
                f"  end interface {name}"]

    # ------------------------------------------------------------ files

    def emit_types(self) -> str:
        kinds = [f"  integer, parameter :: {name} = {value}" for name, value in self.kinds()]
        status = [f"  integer, parameter :: {name} = {value}" for name, value in self.status_constants()]
        types = [line for handle in HANDLES for line in (
            f"  type, bind(C) :: {self.rules.kinds[handle].ctype}", "    integer :: MPI_VAL",
            f"  end type {self.rules.kinds[handle].ctype}")]
        operators = [self.operator(handle, word, operator) for word, operator in (("eq", "=="), ("ne", "/="))
                     for handle in HANDLES]
        return fill(self.template("types"), constants="\n".join(kinds + status), types="\n".join(types),
                    fields="\n".join(self.status_fields()), operators="\n".join(operators))

    def operator(self, handle: str, word: str, operator: str) -> str:
        ctype, name = self.rules.kinds[handle].ctype, f"mpi_adapter_{handle.lower()}_{word}"
        return "\n".join([f"  private :: {name}", f"  interface operator({operator})",
                          f"    elemental logical function {name}(left, right)", f"      import :: {ctype}",
                          f"      type({ctype}), intent(in) :: left, right", "    end function", "  end interface"])

    def status_fields(self) -> Iterator[str]:
        """The components of TYPE(MPI_Status): those that programs read, and as many integers as the rest has room for."""
        size, at, rest = self.types["MPI_Fint"].size, 0, 0
        fields = {field.offset: name for name, field in self.side.newest.status_fields.items() if name in PUBLIC_FIELDS}
        while at < self.types["MPI_Status"].size:
            yield f"    integer :: {fields[at]}" if at in fields else f"    integer, private :: mpi_adapter_internal{rest}"
            rest += at not in fields
            at += size

    def emit_sentinels(self) -> str:
        lines = [f'  {ftype}, target, bind(C, name="{self.symbols[name]}") :: MPI_{name.upper()}{shape}'
                 for name, ftype, shape in SENTINELS]
        return fill(self.template("sentinels"), variables="\n".join(lines))

    def constants(self, handle: Callable[[str, int], tuple[str, str]]) -> Iterator[str]:
        """Parameters, where `handle` makes a handle's type and value from a C type and an integer."""
        for ctype, name, value in self.handles():
            ftype, text = handle(ctype, value)
            yield f"  {ftype}, parameter :: {name} = {text}"
        for kind, name, value in self.integers():
            yield f"  {fortran_integer(kind)}, parameter :: {name} = {value}{'_' + kind if kind else ''}"

    def emit_f08(self) -> str:
        statuses = [f'  type(MPI_Status), target, bind(C, name="{self.symbols[name]}") :: MPI_{name.upper()}{shape}'
                    for name, _, shape in STATUSES]
        constants = self.constants(lambda ctype, value: (f"type({ctype})", f"{ctype}({value})"))
        procedures = [each for each in self.alone.procedures.values() if "f08=none" not in each.flags]
        interfaces = [line for procedure in procedures for prefix in ("", "P") for line in self.f08_interfaces(procedure, prefix)]
        return fill(self.template("f08"), constants="\n".join(constants), statuses="\n".join(statuses),
                    interfaces="\n".join(interfaces), sizeof=self.sizeof(", optional"))

    def emit_mpi(self) -> str:
        statuses = [line for name, shape, _ in STATUSES for line in self.common(name, "integer", shape)]
        constants = self.constants(lambda ctype, value: ("integer", str(value)))
        interfaces = [line for procedure in self.alone.procedures.values() for prefix in ("", "P")
                      for line in self.mpi_interfaces(procedure, prefix)]
        return fill(self.template("mpi"), constants="\n".join(constants), statuses="\n".join("  " + line for line in statuses),
                    interfaces="\n".join(interfaces), sizeof=self.sizeof(""))

    def sizeof(self, optional: str) -> str:
        """MPI_Sizeof's interfaces, without the template's licence line."""
        return fill(Template(self.template("sizeof").template.split("\n", 1)[1]), optional=optional)

    def common(self, name: str, ftype: str, shape: str) -> list[str]:
        """The lines that declare a variable in a common block, whose symbol has an underscore more."""
        variable = f"MPI_{name.upper()}"
        return [f"{ftype}, target :: {variable}{shape}", f"common /{self.symbols[name].removesuffix('_')}/ {variable}"]

    # ------------------------------------------------------------ mpif.h

    def emit_mpif(self) -> str:
        """mpif.h, in lines that are right in fixed and in free form. Unlike the modules it is compiled with the program's options, which
        may change what an INTEGER is, and DOUBLE PRECISION."""
        lines = [line.format(size=self.types["MPI_Fint"].size) for line in ASSERTION]
        lines += self.mpif_parameters()
        for name, ftype, shape in (*SENTINELS, *((name, "integer", shape) for name, shape, _ in STATUSES)):
            lines += self.common(name, ftype, shape)
        for procedure in self.alone.procedures.values():
            if procedure.returns:
                for name in (procedure.name, "P" + procedure.name):
                    lines += [f"{MPIF_FUNCTION_TYPES[procedure.returns]} {name}", f"external {name}"]
        lines += [f"external {name}" for name in self.predefined_callbacks()]
        return "! SPDX-License-Identifier: BSD-3-Clause\n" + "".join(f"      {line}\n" for line in lines)

    def mpif_parameters(self) -> Iterator[str]:
        for name, value in (*self.kinds(), *self.status_constants()):
            yield from (f"integer {name}", f"parameter ({name}={value})")
        for _, name, value in self.handles():
            yield from (f"integer {name}", f"parameter ({name}={value})")
        for kind, name, value in self.integers():
            yield from (f"{fortran_integer(kind)} {name}", f"parameter ({name}={value})")
        for name in ("MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"):
            yield from (f"logical {name}", f"parameter ({name}=.false.)")

    def predefined_callbacks(self) -> list[str]:
        """The callbacks that the module mpi declares."""
        text = self.template("mpi").template
        return [name for line in text.splitlines() if line.strip().startswith("external :: ")
                for name in line.split("::")[1].replace(",", " ").split()]
