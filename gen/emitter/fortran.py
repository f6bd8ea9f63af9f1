# SPDX-License-Identifier: BSD-3-Clause
"""Emits a pair's Fortran entry points: fortran.c, fortran_data.c, fortran_handles.c, their headers, and
which of the names each of the Fortran libraries exports: <soname>.map.

An entry point turns Fortran's arguments into those of the C procedure of the same ABI, as
templates/fortran.tpl says for each and templates/fortran-*.c for the whole, and calls that: handles
are converted once more on the way to the host, but everything that C programs are offered serves
Fortran programs too, and the host needs no Fortran library. A procedure marked `fortran=custom` calls fortran_MPI_X() of
adapter-f77/.

The subroutines of mpi_f08 take the same arguments as those of mpif.h, but for buffers that are
array descriptors (mpi_x_f08ts_): what these describe is made an address, a count and a datatype.
"""

import functools
import os
import re
from typing import Iterable, Iterator, Optional

from abitable import AbiTable, Common
from diagnostic import InputError
from emitter.cfile import parameters_of, prototype, return_type, variants
from emitter.family import Family, fortran_libraries, is_earlier, name_of_today
from emitter.pair import HANDLES, Pair, Side
from emitter.procedures import Parameter, Procedure
from emitter.template import Section, fill, fill_section, lines_of, load_choices, load_sections, load_template, origin
from emitter.wrappers import raising

PLACEHOLDERS = ("name", "class", "type", "extent", "limit")
OF_DESCRIPTORS = ("name", "manner", "count", "datatype", "size", "out")
# mpif.h's values of handles that are objects to C begin at 0: the table by value has so many elements at most.
HANDLES_END = 1 << 16
# Bytes of an earlier release's variable for an address: no program's copy of it is smaller.
LOST_BYTES = 4
# mpi_send_, mpi_send_f08_, mpi_send_c_f08ts_, mpi_send_f08ts_large_, mpi_alloc_mem_cptr_,
# mpi_comm_attach_buffer_fts_
SYMBOL = re.compile(r"(?P<name>mpix?_[a-z0-9_]+?)(?P<large>_c)?_(?:(?P<cptr>cptr_)|(?P<f08>f08|f)(?P<ts>ts)?_"
                    r"(?P<tail>large_|c_)?)?$")


def fortran_names(pair: Pair, misspelt: dict[str, str]) -> dict[tuple[str, bool, bool], set[str]]:
    """{(procedure's name in lower case, large, descriptors): {symbols}} that the application's
    releases export, in the one mangling that the tables list, and of `misspelt`, which says whose
    names the symbols should be."""
    known = {name.lower() for name in pair.procedures}
    found: dict[tuple[str, bool, bool], set[str]] = {}
    for symbol in [*pair.application.exports, *misspelt]:
        parts = SYMBOL.match(symbol)
        name = misspelt.get(symbol, parts["name"] if parts else "").lower()
        if name in known:
            large = bool(parts and (parts["large"] or parts["tail"]))
            found.setdefault((name, large, bool(parts and parts["ts"])), set()).add(symbol)
    return found


def spelled(pattern: str, name: str) -> str:
    """A symbol from a pattern of a fortran_library of the families, and an MPI name."""
    return pattern.replace("{mpi}", name.lower()).replace("{MPI}", name.upper()).replace("{Mpi}", name)


def profiled(symbol: str, f08_prefix: str) -> list[str]:
    """The symbol by which a tool reaches what `symbol` names, in a list; none of an implementation's own.
    In the prefix of mpi_f08's names * stands for the x of mpix_."""
    if symbol.startswith("MPI"):
        return ["P" + symbol]
    if re.match(r"mpix?_.*_f08", symbol):
        prefix, rest = symbol.split("_", 1)
        return [f08_prefix.replace("*", prefix[3:]) + "_" + rest]
    return [] if re.match(r"ompix?_.*_f$", symbol) else ["p" + symbol]


def current_releases(side: Side, family: Family) -> list[AbiTable]:
    return [release for release in side.releases if not is_earlier(release, family)]


def earlier_releases(side: Side, family: Family) -> list[AbiTable]:
    """The releases whose programs are recognized by a library that they need, so that their numbers may differ."""
    return [release for release in side.releases if is_earlier(release, family)]


def addresses_of(names: list[str], buffers: list[str]) -> str:
    """Arguments by their names, where buffers are array descriptors: the addresses of these."""
    return ", ".join(name + "->base" if name in buffers else name for name in names)


def version_script(names: set[str]) -> str:
    """A version script that makes these names global, and all others local."""
    return "{ global:\n" + "".join(f"    {name};\n" for name in sorted(names)) + "local: *; };\n"


class FortranEmitter:
    """Fills the templates for one pair."""

    def __init__(self, pair: Pair, templates: str, families: dict[str, Family]) -> None:
        self.pair = pair
        self.sections = load_choices(os.path.join(templates, "fortran.tpl"), PLACEHOLDERS)
        self.descriptors = load_sections(os.path.join(templates, "descriptors.tpl"), OF_DESCRIPTORS)
        self.templates = {name: load_template(templates, f"fortran-{name}.c")
                          for name in ("entry", "detour", "success", "call", "section", "gfortran", "names", "name")}
        family = families[pair.application.family]
        self.libraries = fortran_libraries(family)
        self.family = family
        self.patterns = sorted({name for names in self.libraries.values() for name in names if "{" in name})
        self.alone = family.get("fortran_alone", [])
        self.f08_sentinels = dict(word.split("=") for word in family.get("fortran_f08_sentinels", []))
        self.f08_twins = dict(word.split("=") for word in family.get("fortran_f08_twins", []))
        self.lost = dict(word.split("=") for word in family.get("lost", []))
        self.calls = family.get("fortran_calls", [])
        self.f08_profiled = family.get("fortran_f08_profiled", ["pmpi*"])[0]
        misspelt = dict(word.split("=") for word in family.get("fortran_misspelt", []))
        for name in misspelt.values():
            if name not in pair.procedures:
                raise InputError(os.path.join(os.path.dirname(pair.rules.path), "families"), 0,
                                 f"fortran_misspelt names {name}, which is not in the procedure table")
        self.exported = fortran_names(pair, misspelt)

    # ------------------------------------------------------------ parameters

    @staticmethod
    def facts(procedure: Procedure, parameter: Parameter) -> list[str]:
        """Words that the names of sections may ask of a parameter."""
        traits = ["default_integer"] if procedure.fortran == "integer" and parameter.kind.ctype == "MPI_Aint" else []
        return [*traits, parameter.kind.role.name, parameter.direction.rstrip("?"), parameter.shape]

    def section(self, procedure: Procedure, parameter: Parameter) -> Section:
        """The section of fortran.tpl that applies to a parameter."""
        return self.sections.choose(self.pair.rules, procedure, parameter, self.facts(procedure, parameter))

    def parts(self, procedure: Procedure, parameter: Parameter, large: bool) -> Section:
        names = dict(name=parameter.name, type=self.scalar(procedure, parameter, large),
                     extent=self.extent(procedure, parameter), limit=parameter.extent,
                     **{"class": parameter.kind.name.lower()})
        return fill_section(self.section(procedure, parameter), **names)

    def extent(self, procedure: Procedure, parameter: Parameter) -> str:
        """The C expression for an array's length."""
        names = [each.name for each in procedure.parameters]
        if parameter.kind.role.name == "types":
            buffer = procedure.parameters[0]
            return f"{parameter.extent}({buffer.kind.name.lower()}_from_fortran({buffer.name}), comm_from_fortran(*comm))"
        return f"*{parameter.extent}" if parameter.extent in names else "0"

    def scalar(self, procedure: Procedure, parameter: Parameter, large: bool) -> str:
        """The C type of the Fortran variable that a parameter is the address of."""
        kind = parameter.kind
        ctype = kind.role.fortran or kind.declared(self.pair.application.family, large)
        is_narrow = procedure.fortran == "integer" and ctype == "MPI_Aint"
        return "MPI_Fint" if is_narrow or ctype in ("int", "int*", "int[3]") else ctype.rstrip("*")

    def prototype(self, procedure: Procedure, large: bool, descriptors: bool = False) -> str:
        """Fortran's parameters as C declares them, with strings' lengths at the end."""
        declared, lengths = [], []
        for parameter in self.parameters(procedure, large):
            if descriptors and parameter.kind.is_buffer:
                declared.append(f"struct descriptor *{parameter.name}")
                continue
            declared.append(f"{self.scalar(procedure, parameter, large)} *{parameter.name}")
            if parameter.kind.role.is_text:
                lengths.append(f"size_t {parameter.name}_length")
        if self.has_ierror(procedure):
            declared.append("MPI_Fint *ierror")
        return ", ".join(declared + lengths) or "void"

    def arguments(self, procedure: Procedure, large: bool) -> str:
        """The names of the parameters, to hand them on."""
        names = [parameter.name for parameter in self.parameters(procedure, large)]
        lengths = [f"{parameter.name}_length" for parameter in self.parameters(procedure, large)
                   if parameter.kind.role.is_text]
        return ", ".join(names + ["ierror"] * self.has_ierror(procedure) + lengths)

    @staticmethod
    def parameters(procedure: Procedure, large: bool) -> list[Parameter]:
        return [parameter for parameter in parameters_of(procedure, large) if not parameter.kind.role.is_absent]

    @staticmethod
    def has_ierror(procedure: Procedure) -> bool:
        return not procedure.returns and not any(each.kind.ctype == "..." for each in procedure.parameters)

    def result(self, procedure: Procedure) -> str:
        return return_type(self.pair, "app", procedure) if procedure.returns else "void"

    # ------------------------------------------------------------ names

    def symbols(self, procedure: Procedure, large: bool) -> set[str]:
        """The names of an entry point without descriptors: what is exported, and every mangling."""
        names = set(self.exported.get((procedure.name.lower(), large, False), ()))
        if not large and names:
            specific = [procedure.name + "_cptr"] if any("_cptr_" in name for name in names) else []
            names |= {spelled(pattern, name) for pattern in self.patterns for name in [procedure.name, *specific]}
        if "f08=own" in procedure.flags and not large:
            names = {name for name in names if not self.is_f08(name)}
        return names

    @staticmethod
    def is_f08(symbol: str) -> bool:
        return "_f08" in symbol

    def aliases(self, canonical: str, names: set[str], profiling: str = "") -> str:
        """Assembler lines that make `names` stand for `canonical`, and their profiling twins for `profiling` or the same; a
        tool may define MPI_X itself (MPI-4.1 section 15.2.1)."""
        twins = {twin for name in names for twin in profiled(name, self.f08_profiled)}
        rows = [(name, "weak", canonical) for name in sorted(names)]
        rows += [(name, "globl", profiling or canonical) for name in sorted(twins)]
        lines = [self.fill("name", binding=binding, name=name, entry=entry) for name, binding, entry in rows]
        return self.fill("names", names="\n".join(lines)) if lines else ""

    def fill(self, template: str, **names: str) -> str:
        return fill(self.templates[template], **names)

    # ------------------------------------------------------------ entry points

    def emit(self, procedure: Procedure, suffix: str, large: bool) -> list[str]:
        """One procedure's entry points: the one of mpif.h, and the one with descriptors."""
        blocks = []
        names = self.symbols(procedure, large)
        canonical = f"entry_{procedure.name.lower()}{suffix}"
        described = self.exported.get((procedure.name.lower(), large, True), set())
        if names or described:
            blocks += [self.entry(procedure, suffix, large, canonical), self.aliases(canonical, names)]
        if "f08=own" in procedure.flags and not large:
            blocks += [self.own_f08(procedure, suffix)]
        if described and "unsupported" in procedure.flags:
            blocks.append(self.aliases(canonical, described))
        elif described:
            blocks.append(self.described(procedure, suffix, large, canonical, described))
        return [block for block in blocks if block]

    def own_f08(self, procedure: Procedure, suffix: str) -> str:
        """The entry point of mpi_f08 where it differs from that of mpif.h."""
        canonical = f"entry_{procedure.name.lower()}{suffix}_f08"
        names = {spelled(pattern, procedure.name) for pattern in self.patterns} | \
            self.exported.get((procedure.name.lower(), False, False), set())
        names = {name for name in names if self.is_f08(name)}
        call = self.call(procedure, canonical, self.prototype(procedure, False), f"fortran_f08_{procedure.name}",
                         self.arguments(procedure, False))
        return "\n".join([call, self.aliases(canonical, names)])

    def call(self, procedure: Procedure, canonical: str, parameters: str, called: str, arguments: str) -> str:
        """An entry point that does no more than to call another function."""
        return self.fill("call", type=self.result(procedure), entry=canonical, parameters=parameters,
                         returns="return " if procedure.returns else "", called=called, arguments=arguments)

    def entry(self, procedure: Procedure, suffix: str, large: bool, canonical: str) -> str:
        """The entry point of mpif.h, below a comment that says what it comes from."""
        chosen = [(each.name, self.section(procedure, each).name) for each in parameters_of(procedure, large)
                  if procedure.fortran != "custom"]
        return origin(procedure, self.sections, chosen) + "\n" + self.body(procedure, suffix, large, canonical)

    def body(self, procedure: Procedure, suffix: str, large: bool, canonical: str) -> str:
        name, parameters = procedure.name + suffix, self.prototype(procedure, large)
        if "unsupported" in procedure.flags:
            return self.call(procedure, canonical, "void", f"CALL({name})", "")
        if procedure.fortran == "custom":
            return self.call(procedure, canonical, parameters, f"fortran_{name}", self.arguments(procedure, large))
        filled = [self.parts(procedure, parameter, large) for parameter in parameters_of(procedure, large)]
        arguments = ", ".join(parts["argument"] for parts in filled)
        if procedure.returns:
            return self.call(procedure, canonical, parameters, f"CALL({name})", arguments)
        lacking = " || ".join(parts["lacking"] for parts in filled if parts.get("lacking"))
        call = f"CALL({name})({arguments})"
        if lacking:
            call = f"unlikely({lacking}) ? {self.raising(procedure, 'APP_MPI_ERR_NO_MEM')} : {call}"
        success = lines_of(filled, "success", indent="        ")
        parts = dict(parameters=parameters, call=call, declare=lines_of(filled, "declare"),
                     always=lines_of(filled, "always"), success=self.fill("success", success=success) if success else "")
        handles = self.expected_predefined(procedure, large)
        if not handles:
            return self.fill("entry", linkage="ENTRY", entry=canonical, first="", **parts)
        detour = self.fill("detour", dynamic=" | ".join(f"IS_DYNAMIC(*{each})" for each in handles), called=canonical + "_any",
                           arguments=self.arguments(procedure, large))
        return "\n".join([self.fill("entry", linkage="static __attribute__((noinline))", entry=canonical + "_any", first="", **parts),
                          self.fill("entry", linkage="ENTRY", entry=canonical, first=detour, **parts)])

    @staticmethod
    def raising(procedure: Procedure, error: str) -> str:
        """The call that raises an error of the application's class on the procedure's object."""
        return raising(procedure, error, "{0}_from_fortran(*{1})", "APP_NULL_{0}")

    def expected_predefined(self, procedure: Procedure, large: bool) -> list[str]:
        """The handles by which an entry point chooses between two bodies: one that calls nobody to convert them, and so has no
        registers to save, and one for any handle. None where conversions call nobody."""
        return []

    def described(self, procedure: Procedure, suffix: str, large: bool, canonical: str, names: set[str]) -> str:
        """The entry point whose buffers are array descriptors (mpi_x_f08ts_)."""
        head = f"{canonical}_f08ts"
        arguments: dict[str, str] = {}
        opened: list[Section] = []
        for parameter in self.parameters(procedure, large):
            if parameter.kind.is_buffer:
                opened.append(self.opened(procedure, large, parameter, arguments))
        names_passed = self.arguments(procedure, large).split(", ")
        passed = ", ".join(arguments.get(name, name) for name in names_passed)
        buffers = [each.name for each in self.parameters(procedure, large) if each.kind.is_buffer]
        error = self.raising(procedure, f'section_failed("{procedure.name}", failed)')
        text = self.fill("section", entry=head, parameters=self.prototype(procedure, large, True),
                         open=lines_of(opened, "declare", "open"), failed=" ?: ".join(parts["failed"] for parts in opened),
                         error=error, called=canonical, arguments=passed,
                         plain=" && ".join(f"is_plain({name})" for name in buffers),
                         flat=" && ".join(f"is_flat({name})" for name in buffers), names=", ".join(names_passed),
                         addresses=addresses_of(names_passed, buffers),
                         close=lines_of(reversed(opened), "close"))
        return "\n".join([text, self.aliases(head, names | {f"{procedure.name.lower()}{suffix}_f08ts_"})])

    def opened(self, procedure: Procedure, large: bool, parameter: Parameter, arguments: dict[str, str]) -> Section:
        """The section of an array that a buffer is: its parts of the template. What is passed on instead of
        parameters, by their names, is added to `arguments`."""
        pair = self.counted(procedure, large, parameter)
        names = dict(name=parameter.name, size="large_" if large else "")
        if pair and not procedure.reduces and not self.copies(procedure, parameter):
            count, datatype = pair
            names |= dict(count=count.name, datatype=datatype.name, out=str(int(parameter.direction != "in")))
            section = "counted in parts" if parameter.kind.role.name == "coll_buffer" else \
                "counted" if procedure.is_asynchronous else "counted or copied"
            for each, what in ((count, "count"), (datatype, "datatype")):
                arguments[each.name] = fill_section(self.descriptors[what], **names)["argument"]
        else:
            names["manner"] = self.manner(procedure, parameter)
            section = "whole"
        parts = fill_section(self.descriptors[section], **names)
        arguments[parameter.name] = parts["argument"]
        return parts

    def counted(self, procedure: Procedure, large: bool, buffer: Parameter) -> Optional[tuple[Parameter, Parameter]]:
        """The count and the datatype that belong to a buffer alone, or None."""
        parameters = self.parameters(procedure, large)
        rest = parameters[parameters.index(buffer) + 1:]
        for first, second in zip(rest, rest[1:]):
            if first.kind.is_buffer:
                return None
            if first.kind.name == "COUNT" and first.extent is None and second.kind.name == "DATATYPE":
                return first, second
        return None

    @staticmethod
    def copies(procedure: Procedure, parameter: Parameter) -> bool:
        """True of a blocking collective's buffers, which hold `count` elements once or for each process:
        a copy of the section serves both."""
        return parameter.kind.role.name == "coll_buffer" and not procedure.starts

    @staticmethod
    def manner(procedure: Procedure, parameter: Parameter) -> str:
        """How a section without a count and a datatype of its own is passed on: as an address only
        (`at`), or copied (`in`, `out`, `inout`), which only blocking procedures may do (`whole`)."""
        if procedure.flags & {"address", "split"}:
            return "at"
        if procedure.starts or "keeps" in procedure.flags:
            return "whole"
        return {"in": "in", "out": "inout", "inout": "inout"}[parameter.direction]

    def procedures(self) -> Iterator[tuple[Procedure, str, bool]]:
        """(procedure, suffix, large) of everything that the application's libraries export."""
        for procedure in self.pair.procedures.values():
            for suffix, large in variants(procedure):
                key = procedure.name.lower()
                if any((key, large, ts) in self.exported for ts in (False, True)):
                    yield procedure, suffix, large

    # ------------------------------------------------------------ files

    def files(self) -> dict[str, str]:
        """{file name: text}."""
        return {"fortran.c": self.emit_calls(), "fortran_data.c": self.emit_data(),
                "fortran_handles.c": self.emit_handles(), "fortran_prototypes.h": self.emit_prototypes(),
                "fortran_config.h": self.emit_config(), **self.lost_files(),
                **{soname + ".map": version_script(self.names_of(soname)) for soname in self.libraries}}

    def lost_files(self) -> dict[str, str]:
        """The files of the library by an earlier name whose mpi_f08 has variables that no later release has."""
        files = {soname + ".map": version_script(self.names_of(name_of_today(self.family, soname)) | set(self.lost.values()))
                 for soname in self.family.get("lost_by", ())}
        return {**files, "fortran_lost.c": self.emit_lost()} if files else {}

    def names_of(self, soname: str) -> set[str]:
        """The names that a Fortran library has: what a scanned library of its name exports, the same in the other
        spellings that the table of families says it has, and what tools call these by. A name without a
        definition says nothing."""
        scanned = {export.symbol for release in self.pair.application.releases for export in release.exports
                   if export.type == "function" and self.patterns_of(export.library) == self.libraries[soname]}
        spellings = [pattern for pattern in self.libraries[soname] if "{" in pattern]
        names = {spelled(pattern, base) for base in self.bases() if base.lower() + "_" in scanned for pattern in spellings}
        names |= scanned
        names |= {twin for name in names for twin in profiled(name, self.f08_profiled)}
        return names | set(self.libraries[soname]) - set(spellings)

    @functools.cache
    def patterns_of(self, library: str) -> Optional[list[str]]:
        """The patterns of a scanned Fortran library, or None of another."""
        return self.libraries.get(name_of_today(self.family, library))

    def bases(self) -> Iterator[str]:
        """The names of procedures, as C spells them, that patterns apply to."""
        for name in [*self.pair.procedures, *self.alone]:
            yield name
            yield name + "_cptr"

    def emit_calls(self) -> str:
        """fortran.c: the entry points."""
        blocks = ["/* A staged array of no elements is not initialized, nor read. */",
                  '#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"',
                  '#include "fortran.h"', '#include "fortran_prototypes.h"', '#include "section.h"', ""]
        for procedure, suffix, large in self.procedures():
            blocks += self.emit(procedure, suffix, large) + [""]
        return "\n".join(blocks)

    def emit_prototypes(self) -> str:
        """fortran_prototypes.h: the C procedures that are called, and what adapter-f77/ defines. Of the C
        library's procedures direct_MPI_X is the one that no tool takes."""
        lines = ["#ifndef FORTRAN_PROTOTYPES_H", "#define FORTRAN_PROTOTYPES_H", '#include "base/share.h"', ""]
        for procedure in self.pair.procedures.values():
            if not any((procedure.name.lower(), False, ts) in self.exported for ts in (False, True)):
                continue
            for suffix, large in variants(procedure):
                name = procedure.name + suffix
                unsupported = "unsupported" in procedure.flags
                declared = "void" if unsupported else prototype(self.pair, "app", procedure, large)
                result = "int" if unsupported else return_type(self.pair, "app", procedure)
                lines += [f"{result} {name}({declared});", f'{result} direct_{name}({declared}) __asm__("P{name}");']
                if procedure.fortran == "custom" and not unsupported:
                    lines.append(f"HIDDEN {self.result(procedure)} fortran_{name}({self.prototype(procedure, large)});")
            if "f08=own" in procedure.flags:
                lines.append(f"HIDDEN void fortran_f08_{procedure.name}({self.prototype(procedure, False)});")
        return "\n".join(lines + ["", "#endif", ""])

    def emit_config(self) -> str:
        """fortran_config.h: what the hand-written code must know of the application's Fortran."""
        return (f"#define APP_FORTRAN_CALLS_TOOLS {int(self.calls == ['MPI'])}\n"
                f"#define APP_HAS_F08_SENTINELS {int(bool(self.f08_sentinels))}\n"
                f"#define APP_HAS_F08_TWINS {int(bool(self.f08_twins))}\n")

    def emit_data(self) -> str:
        """fortran_data.c: sentinels, and predefined keyvals."""
        symbols = [*self._blocks(), *self.f08_sentinels.values(), *self.f08_twins.values()]
        return "\n".join(['#include "fortran.h"', "", *self._commons(), "", *self._sentinels(), "",
                          *self.emit_sentinel_symbols(symbols), "", *self._keyvals(), ""])

    def emit_lost(self) -> str:
        """fortran_lost.c, in the place of fortran_data.c: mpi_f08's variables of an earlier release."""
        return "\n".join(['#include "fortran.h"', "", *(f"EXPORTED char {symbol}[{LOST_BYTES}];" for symbol in self.lost.values()),
                          "struct fortran_sentinels fortran_sentinels = {", *self._fields(self.lost), "};", "",
                          *self.emit_sentinel_symbols(self.lost.values()), "", *self._keyvals(), ""])

    def emit_handles(self) -> str:
        """fortran_handles.c: the way from mpif.h's predefined handles to C's."""
        return "\n".join(['#include "base/handle_tables.h"', "", *self._handles(), ""])

    def _blocks(self) -> dict[str, Common]:
        """The common blocks of all releases, by symbol."""
        blocks: dict[str, Common] = {}
        for release in self.pair.application.releases:
            for symbol, common in release.commons.items():
                blocks.setdefault(symbol, common)
        return blocks

    def _commons(self) -> list[str]:
        objects = {export.symbol for release in self.pair.application.releases for export in release.exports
                   if export.type == "object"}
        lines = []
        for symbol, common in self._blocks().items():
            defined = symbol in objects and symbol.startswith("mpi_fortran_")
            lines.append(f"{'extern ' if defined else ''}EXPORTED char {symbol}[{common.size}]"
                         f"{'' if defined else ' __attribute__((aligned(16)))'};")
        return lines

    def _sentinels(self) -> list[str]:
        """The address of each of Fortran's constants that are addresses."""
        lines, known = ["struct fortran_sentinels fortran_sentinels = {"], set()
        for symbol, common in self._blocks().items():
            for name, offset in common.variables:
                if name not in known:
                    known.add(name)
                    lines.append(f"    .{name[4:].lower()} = {symbol} + {offset},")
        lines += ["};"]
        for name, symbols in (("f08_sentinels", self.f08_sentinels), ("f08_twins", self.f08_twins)):
            if symbols:
                lines += [f"extern EXPORTED char {symbol}[];" for symbol in symbols.values()]
                lines += [f"const struct fortran_sentinels {name} = {{", *self._fields(symbols), "};"]
        return lines

    @staticmethod
    def _fields(symbols: dict[str, str]) -> list[str]:
        return [f"    .{name} = {symbol}," for name, symbol in symbols.items()]

    @staticmethod
    def emit_sentinel_symbols(symbols: Iterable[str]) -> list[str]:
        """The symbols of all sentinels, for who makes each lead to one address in the whole process."""
        return ["const struct sentinel sentinel_symbols[] = {", *(f'    {{ "{symbol}", {symbol} }},' for symbol in symbols),
                "    { 0, 0 }", "};"]

    def _handles(self) -> list[str]:
        """Arrays of C handles by mpif.h's value, where those are small numbers; and what releases that gave their libraries
        other names have in the place of an element."""
        side, lines, others = self.pair.application, [], []
        for handle in HANDLES:
            if side.representations[handle] != "object":
                continue
            by_value = self._numbered(handle, current_releases(side, self.family))
            earlier = self._numbered(handle, earlier_releases(side, self.family))
            count = max([*by_value, *earlier], default=-1) + 1
            others += [f"    {{ &fortran_{handle.lower()}_handles[{value}], (intptr_t)&{symbol} }},"
                       for value, symbol in self.earlier_handles(handle).items()]
            rows = [f"    (intptr_t)&{by_value[value]}," if value in by_value else
                    f"    (intptr_t)DYNAMIC_OBJECT(intptr_t, {value})," for value in range(count)]
            name = handle.lower()
            null = side.newest.fortran.get(f"MPI_{handle}_NULL", -1)
            lines += [f"const struct fortran_handles fortran_{name} = {{ {count}, {null} }};",
                      f"intptr_t fortran_{name}_handles[] = {{", *(rows or ["    0"]), "};"]
        return lines + ["const struct earlier_handle earlier_handles[] = {", *others, "    { 0, 0 }", "};"]

    def earlier_handles(self, handle: str) -> dict[int, str]:
        """{number: C's symbol} of predefined handles where earlier releases have another one by that number than those of today."""
        side = self.pair.application
        by_value = self._numbered(handle, current_releases(side, self.family))
        earlier = self._numbered(handle, earlier_releases(side, self.family))
        return {value: symbol for value, symbol in earlier.items() if by_value.get(value) != symbol}

    def _numbered(self, handle: str, releases: list[AbiTable]) -> dict[int, str]:
        """{mpif.h's value: C's symbol} of a class's predefined handles; the first of the releases that has one decides."""
        side = self.pair.application
        found: dict[int, str] = {}
        for release in releases:
            for rule in self.pair.rules.of_kind(handle):
                constant = release.constants.get(rule.name) or side.constants.get(rule.name)
                if constant is not None and constant.kind == "address" and rule.name in release.fortran:
                    index = release.fortran[rule.name]
                    if not 0 <= index < HANDLES_END:
                        raise InputError(os.path.join(release.folder, "fortran"), 0,
                                         f"{rule.name} is not an index into a table of handles, which has {HANDLES_END} at most")
                    found.setdefault(index, constant.value)
        return found

    def _keyvals(self) -> list[str]:
        """keyval_from_fortran(): predefined keyvals that mpif.h numbers differently."""
        side, lines = self.pair.application, []
        for rule in self.pair.rules.of_kind("KEYVAL"):
            ours, theirs = side.constants.get(rule.name), side.newest.fortran.get(rule.name)
            if ours is not None and theirs is not None and ours.value != theirs:
                lines.append(f"    {{ {theirs}, {ours.value} }},")
        return ["const struct fortran_keyval fortran_keyvals[] = {", *lines, "    { 0, 0 }", "};"]
