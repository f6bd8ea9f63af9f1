# SPDX-License-Identifier: BSD-3-Clause
"""Emits built_collectives.c: procedures that are built of others for hosts without them, where the table
of procedures says enough to do so. The rest of adapter-c/stand_ins/ is written by hand.

A persistent collective operation is the host's extension of that name, or `begins` a nonblocking one at each MPI_Start:
templates/built-persistent.c puts its arguments into a struct collective (adapter-c/stand_ins/collective.h) and takes them
from there. A reduction of large counts is applied to parts: templates/built-reduction*.c, adapter-c/stand_ins/reduction.h.
"""

from typing import Optional

from emitter.cfile import prototype
from emitter.pair import Pair
from emitter.procedures import Parameter, Procedure
from emitter.template import fill, load_template

# The members of a struct collective that a procedure's flow decides.
FLOWS = {"none": "WITHOUT_DATA", "all": "ALL_TO_ALL", "to_root": "TO_ROOT", "from_root": "FROM_ROOT",
         "broadcast": "BROADCAST", "neighbors": "ALL_TO_ALL", "ranks": "ALL_TO_ALL"}
TRAITS = {"neighbors": ("NEIGHBORS",), "ranks": ("WITHIN_A_GROUP",)}
SAID = {"send": "sent", "recv": "received"}
TEMPLATES = ("persistent", "reduction", "reduction-nonblocking", "reduction-persistent")


def _member(parameter: Parameter, side: str) -> Optional[str]:
    """The member of a struct collective that keeps a parameter, or None. `side` is that of the last buffer."""
    kind, is_array = parameter.kind, parameter.extent is not None
    if kind.role.name == "coll_buffer":
        return side + "buf"
    if kind.name == "COUNT":
        return side + ("counts" if is_array else "count")
    if kind.name in ("DATATYPE", "TYPES"):
        return side + ("types" if is_array else "type")
    if kind.name in ("DISPL", "AINT") and is_array:
        return side + "places"
    return {"OP": "op", "COMM": "comm", "RANK": "root"}.get(kind.name)


def _members(procedure: Procedure) -> list[tuple[Parameter, Optional[str], str]]:
    """[(parameter, its member, `send` or `recv`)]; what is reduced counts as received."""
    rows, side = [], ""
    for parameter in procedure.parameters:
        if parameter.kind.role.name == "coll_buffer":
            side = "send" if parameter.direction == "in" else "recv"
        rows.append((parameter, _member(parameter, side), side))
    return rows


class BuiltEmitter:
    """Fills the templates for one pair."""

    def __init__(self, pair: Pair, templates: str) -> None:
        self.pair = pair
        self.templates = {name: load_template(templates, f"built-{name}.c") for name in TEMPLATES}

    def prototype(self, procedure: Procedure, large: bool) -> str:
        return prototype(self.pair, "host", procedure, large)

    def emit(self, procedure: Procedure) -> list[str]:
        """The procedures that one of the table is built by: [text]."""
        blocks = []
        if "built" in procedure.flags and procedure.begins:
            blocks.append(self.persistent(procedure))
        if "built_c" in procedure.flags and procedure.reduces:
            blocks.append(self.reduction(procedure))
        return blocks

    # ------------------------------------------------------------ persistent collective operations

    def persistent(self, procedure: Procedure) -> str:
        members = {parameter.name: member for parameter, member, _ in _members(procedure)}
        values = [f"c->{members[each.name]}" if members[each.name] else self.issued(procedure, each)
                  for each in self.pair.procedures[procedure.begins].parameters]
        initial = [f"c->{members[each.name]}" if members[each.name] else "HOST_MPI_INFO_NULL" if each.kind.name == "INFO" else
                   self.issued(procedure, each) for each in procedure.parameters]
        return fill(self.templates["persistent"], name=procedure.name, parameters=self.prototype(procedure, False),
                    nonblocking=procedure.begins, arguments=", ".join(values), init_arguments=", ".join(initial),
                    members=", ".join(f".{name} = {value}" for name, value in self.kept(procedure).items()))

    def issued(self, procedure: Procedure, parameter: Parameter) -> str:
        """The nonblocking operation's argument in place of one that was kept."""
        if parameter.kind.name != "REQUEST":
            raise self.pair.rules.error(procedure, f"a persistent {procedure.name} cannot keep '{parameter.name}'")
        return "part"

    def kept(self, procedure: Procedure) -> dict[str, str]:
        """{member: value} of a struct collective."""
        traits = TRAITS.get(procedure.flow, ()) + (("REDUCTION",) if procedure.reduces else ())
        kept = {"flow": FLOWS[procedure.flow], "traits": " | ".join(traits) or "0"}
        for parameter, member, side in _members(procedure):
            if member:
                kept[member] = parameter.name
            if member and parameter.extent is not None:
                kept |= self.arrays(parameter, side)
        return kept

    def arrays(self, parameter: Parameter, side: str) -> dict[str, str]:
        """The members that an array implies: how many peers there are, and what is said of each."""
        extent = self.pair.rules.extents[parameter.extent or ""]
        kept = {side + "_peers": f"{extent.function}({', '.join(extent.arguments)})"}
        if parameter.kind.name == "COUNT":
            kept[SAID[side]] = "COUNTS"
        elif parameter.kind.name == "TYPES":
            kept[SAID[side]] = "COUNTS_AND_TYPES"
        else:
            kept["place_size"] = f"sizeof({parameter.kind.ctype})"
        return kept

    # ------------------------------------------------------------ reductions of large counts

    def reduction(self, procedure: Procedure) -> str:
        names = dict(name=procedure.name + "_c", small=procedure.name, parameters=self.prototype(procedure, True))
        kinds = {each.kind.name: each.name for each in procedure.parameters}
        if not procedure.starts:
            return fill(self.templates["reduction"], count=kinds["COUNT"], arguments=self.part(procedure, "i"), **names)
        names |= dict(count=kinds["COUNT"], arguments=self.part(procedure, "0"), members=self.reduced(procedure))
        if procedure.begins:
            return fill(self.templates["reduction-persistent"], nonblocking=procedure.begins,
                        first=self.part(procedure, "0", request="&first"), **names)
        return fill(self.templates["reduction-nonblocking"],
                    issued=self.part(procedure, "i", "r->", request="&parts[i]"), **names)

    @staticmethod
    def part(procedure: Procedure, part: str, where: str = "", request: str = "request") -> str:
        """The host's arguments for a part of a reduction, whose own are found `where`."""
        datatype = next(each.name for each in procedure.parameters if each.kind.name == "DATATYPE")
        values = []
        for each in procedure.parameters:
            if each.kind.is_buffer:
                values.append(f"part_of({where}{each.name}, {part}, {where}{datatype})")
            elif each.kind.name == "COUNT":
                values.append(f"length_of({where}{each.name}, {part})")
            elif each.kind.name == "REQUEST":
                values.append(request)
            else:
                values.append(each.name if each.kind.name == "INFO" else where + each.name)
        return ", ".join(values)

    @staticmethod
    def reduced(procedure: Procedure) -> str:
        """The members of a struct reduction, which have the parameters' names."""
        return ", ".join(f".{each.name} = {each.name}" for each in procedure.parameters
                         if each.kind.name not in ("INFO", "REQUEST"))


def emit_built(pair: Pair, templates: str) -> str:
    """The text of built_collectives.c."""
    emitter = BuiltEmitter(pair, templates)
    blocks = ['#include "convert/host_side.h"', '#include "convert/array_length.h"', '#include "stand_ins/collective.h"',
              '#include "stand_ins/narrow.h"', '#include "stand_ins/reduction.h"', '#include "layers/built.h"', ""]
    # A procedure that is begun goes before the one that begins it.
    for procedure in sorted(pair.procedures.values(), key=lambda each: bool(each.begins)):
        blocks += [text + "\n" for text in emitter.emit(procedure)]
    return "\n".join(blocks)
