# SPDX-License-Identifier: BSD-3-Clause
"""Emits the C of a Fortran library for a family whose own libraries have none of Fortran: entry points over the exported
procedures of its library for C, whoever made that. The names follow from the procedure table, as no library is there to
be scanned: mpi_x_ for mpif.h and the module mpi; for mpi_f08 mpi_x_f08_ and mpi_x_c_f08_, or, where buffers are array
descriptors, mpi_x_f08ts_ and mpi_x_c_f08ts_ (MPI-4.1 section 19.1.5), and mpi_x_f08gf_ and mpi_x_c_f08gf_ for gfortran."""

from emitter.cfile import emit_side, variants
from emitter.compilers import Compiler, emit_compilers
from emitter.family import Family
from emitter.fortran import FortranEmitter, addresses_of
from emitter.fortran_handles import emit_handles_alone
from emitter.pair import Pair, Side
from emitter.procedures import Procedure, Rules

# {(name in lower case, large, descriptors): {symbols}}
Symbols = dict[tuple[str, bool, bool], set[str]]

# Kinds that only procedures have which convert between the languages.
CONVERTED = ("FINT", "FSTATUS", "F08_STATUS")
SENTINELS = ("bottom", "in_place", "status_ignore", "statuses_ignore", "errcodes_ignore", "unweighted",
             "weights_empty", "argv_null", "argvs_null", "buffer_automatic")
# Classes of handles that programs mostly use predefined ones of.
MOSTLY_PREDEFINED = ("COMM", "DATATYPE", "OP")
# Bytes of a sentinel's variable: the largest is a status.
SENTINEL_BYTES = 64


class Alone(Pair):
    """An application's ABI without a host: what a FortranEmitter needs of a pair."""

    def __init__(self, rules: Rules, procedures: dict[str, Procedure], application: Side) -> None:
        self.rules, self.procedures, self._sides = rules, procedures, {"APP": application}


def is_fortran(procedure: Procedure, rules: Rules) -> bool:
    """Whether Fortran has the procedure: the tool information interface is C's, as are conversions of handles and statuses."""
    kinds = [parameter.kind.name for parameter in procedure.parameters]
    converts = rules.handle_of(rules.kinds[procedure.returns]) or procedure.returns == "INT" if procedure.returns else False
    return not (procedure.name.startswith("MPI_T_") or converts or any(kind in CONVERTED for kind in kinds) or
                "unsupported" in procedure.flags)


def fortran_procedures(side: Side, procedures: dict[str, Procedure], rules: Rules) -> dict[str, Procedure]:
    """{name: procedure} of what a library of the family has for Fortran to call. adapter-f77/alone/ has large-count twins that
    some libraries lack."""
    return {name: procedure for name, procedure in procedures.items()
            if name in side.exports and name in side.procedures and is_fortran(procedure, rules)}


def has_descriptors(procedure: Procedure) -> bool:
    """Whether buffers of mpi_f08 are array descriptors: procedures that have them have no strings."""
    return any(each.kind.is_buffer for each in procedure.parameters) and \
        not any(each.kind.role.is_text for each in procedure.parameters)


def f08_suffix(procedure: Procedure, large: bool) -> str:
    """How the name of mpi_f08's specific procedure ends."""
    return ("_c" if large else "") + ("_f08ts" if has_descriptors(procedure) else "_f08")


def is_of_gfortran(procedure: Procedure) -> bool:
    """Whether gfortran has a procedure with array descriptors of its own. For procedures that are not BIND(C) it copies sections of
    components and of substrings, which is too late or too early for a buffer that stays in use."""
    return has_descriptors(procedure) and not procedure.is_asynchronous


def of_gfortran(name: str) -> str:
    """The name of a procedure with array descriptors that is not BIND(C), for gfortran."""
    return name.replace("_f08ts", "_f08gf")


def has_address_result(procedure: Procedure) -> bool:
    """Whether the module mpi has the procedure for a TYPE(C_PTR), too."""
    return any(each.kind.word("module") == "c_ptr" for each in procedure.parameters)


def fortran_symbols(procedures: dict[str, Procedure]) -> Symbols:
    """{(name in lower case, large, descriptors): {symbols}}, as fortran_names() has them of scanned libraries."""
    found: Symbols = {}
    for procedure in procedures.values():
        lower = procedure.name.lower()
        found[lower, False, False] = {f"{lower}_"} | ({f"{lower}_cptr_"} if has_address_result(procedure) else set())
        for _, large in variants(procedure):
            if "f08=none" not in procedure.flags:
                key = lower, large, has_descriptors(procedure)
                found.setdefault(key, set()).add(lower + f08_suffix(procedure, large) + "_")
    return found


class AloneEmitter(FortranEmitter):
    """Fills the templates for one family."""

    def __init__(self, alone: Alone, templates: str, families: dict[str, Family], compilers: list[Compiler]) -> None:
        super().__init__(alone, templates, families)
        family = families[alone.application.family]
        self.exported = fortran_symbols(alone.procedures)
        self.version = family["fortran_version"][0]
        self.sentinel_symbols = {name: family["fortran_sentinels"][0].replace("{name}", name) for name in SENTINELS}
        self.compilers = compilers
        self.handles = emit_handles_alone(templates)

    def files(self) -> dict[str, str]:
        return {"application.h": emit_side(self.pair, self.pair.application), "compilers.h": emit_compilers(self.compilers),
                "fortran.c": self.emit_calls(), "fortran_data.c": self.emit_data(),
                "fortran_prototypes.h": self.emit_prototypes(), "fortran_config.h": self.emit_config(),
                "fortran_convert.h": self.handles, "exports.map": self.emit_version_script()}

    def expected_predefined(self, procedure: Procedure, large: bool) -> list[str]:
        handles = [each for each in self.parameters(procedure, large)
                   if each.kind.role.name == "handle" and each.direction != "out"]
        expected = all(each.kind.name in MOSTLY_PREDEFINED and each.direction == "in" and each.extent is None for each in handles)
        return [each.name for each in handles] if expected else []

    def described(self, procedure: Procedure, suffix: str, large: bool, canonical: str, names: set[str]) -> str:
        """That of array descriptors, and those of gfortran's (mpi_x_f08gf_, pmpi_x_f08gf_), which are described to it unless they are
        flat. A tool that defines mpi_x_f08ts_ gets all of them from mpi_x_f08gf_."""
        text, head = super().described(procedure, suffix, large, canonical, names), f"{canonical}_f08gf"
        if not is_of_gfortran(procedure):
            return text
        buffers = [each.name for each in self.parameters(procedure, large) if each.kind.is_buffer]
        passed = self.arguments(procedure, large).split(", ")
        entry = self.fill("gfortran", entry=head, called=canonical, described=f"{canonical}_f08ts", names=", ".join(passed),
                          parameters=self.prototype(procedure, large, True).replace("struct descriptor", "struct gfortran_descriptor"),
                          rooms="\n".join(f"    struct described its_{name};" for name in buffers), symbol=min(names),
                          described_arguments=", ".join(f"describe(&its_{name}, {name})" if name in buffers else name for name in passed),
                          tool_arguments=", ".join(f"describe_whole(&its_{name}, {name})" if name in buffers else name
                                                   for name in passed),
                          flat=" && ".join(f"gfortran_is_flat({name}, FLAT_RANK)" for name in buffers),
                          unseen=" && ".join(f"gfortran_is_flat({name}, {head}_tool.flat_rank)" for name in buffers),
                          addresses=addresses_of(passed, buffers))
        return "\n".join([text, entry, self.aliases(head, {of_gfortran(name) for name in names}, head + "_profiling")])

    def emit_data(self) -> str:
        """fortran_data.c: sentinels, and predefined keyvals."""
        lines = ['#include "fortran.h"', ""]
        lines += [f"EXPORTED char {symbol}[{SENTINEL_BYTES}] __attribute__((aligned(16)));"
                  for symbol in self.sentinel_symbols.values()]
        lines += ["struct fortran_sentinels fortran_sentinels = {",
                  *(f"    .{name} = {symbol}," for name, symbol in self.sentinel_symbols.items()), "};",
                  *self.emit_sentinel_symbols(self.sentinel_symbols.values()), *self._keyvals(), ""]
        return "\n".join(lines)

    def emit_version_script(self) -> str:
        """exports.map: all names of MPI's, the variables, and what adapter-f77/alone/libgfortran.c is in front of."""
        return self.version + " { global: mpi_*; pmpi_*; _gfortran_gfc_desc_to_cfi_desc; local: *; };\n"
