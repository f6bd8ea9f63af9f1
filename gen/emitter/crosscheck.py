# SPDX-License-Identifier: BSD-3-Clause
"""Compares the curated procedure table with what the scanned headers declare.

The C type that a parameter's kind stands for must be the header's, up to const and spelling:
a wrapper with a parameter too few, or an int where the header has an MPI_Aint, does not compile
into an adapter.
"""

import functools
import os
import re

from diagnostic import InputError
from emitter.cfile import declaration, parameters_of, return_type
from emitter.pair import HANDLES, Pair, Side
from emitter.procedures import Parameter

# Spellings of one type. Pointers to opaque objects of the tool interface are void * in the code.
SAME = {"app_status": "MPI_Status", "host_status": "MPI_Status", "mpi_function": "FUNCTION", "MPI_Fint": "int", "app_code": "int",
        "host_code": "int"}
FUNCTION = re.compile(r"MPI\w+_(function|fn|function_c|function_x)$")
OPAQUE = re.compile(r"MPI_T_(enum|cvar_handle|pvar_handle|pvar_session|event_instance|event_registration)$")


@functools.cache
def normalize(ctype: str) -> str:
    """A C type without const, with arrays as pointers and one name for each thing."""
    ctype = re.sub(r"\bconst\b|\brestrict\b", "", ctype)
    stars = ctype.count("*") + ctype.count("[")
    base = re.sub(r"\[.*?\]|\*", "", ctype).strip()
    base = SAME.get(base, base)
    if FUNCTION.match(base) or base == "FUNCTION":
        return "FUNCTION"
    if OPAQUE.match(base):
        return "void" + "*" * (stars + 1)
    if base in ("MPI_T_cb_safety", "MPI_T_source_order"):
        base = "int"
    if base == "MPI_F08_status" or base == "MPI_F08_Status":
        base = "void"
    return base + "*" * stars


def handle_names(pair: Pair, side: str) -> dict[str, str]:
    return {f"{side}_{handle.lower()}": pair.rules.kinds[handle].ctype for handle in HANDLES}


def our_type(pair: Pair, side: str, parameter: Parameter, large: bool, names: dict[str, str]) -> str:
    text = declaration(pair, side, parameter, large)
    if text == "...":
        return text
    text = re.sub(rf"\b{parameter.name}\b", "", text, count=1)
    return normalize(re.sub(r"\w+", lambda word: names.get(word[0], word[0]), text))


def check_side(pair: Pair, side: Side) -> None:
    """Raises InputError for the first procedure that the table of a release of the side describes otherwise."""
    prefix = side.prefix.lower()
    names = handle_names(pair, prefix)
    known: dict[str, list[str]] = {}  # our types by procedure, but for those that some releases have otherwise
    for release in side.releases:
        path = os.path.join(release.folder, "procedures")
        for name, prototype in release.procedures.items():
            large = name not in pair.procedures
            procedure = pair.procedures.get(name) or pair.procedures.get(name[:-2])
            if procedure is None:
                continue
            if "unsupported" in procedure.flags:
                # An error code is no value of another type: a program would take it for one.
                returned = normalize(return_type(pair, prefix, procedure))
                if normalize(prototype.return_type) != returned:
                    raise InputError(path, prototype.line, f"{name} returns {prototype.return_type} but the procedure table "
                                     f"describes {returned}")
                continue
            parameters = parameters_of(procedure, large)
            if name not in known:
                known[name] = [our_type(pair, prefix, parameter, large, names) for parameter in parameters]
            ours = list(known[name])
            for place, parameter in enumerate(parameters):
                if parameter.kind.is_early:
                    ours[place] = normalize(parameter.kind.declared(f"{release.family}-{release.release}", large))
            theirs = [normalize(ctype) if ctype != "..." else ctype for ctype, _ in prototype.params]
            if ours != theirs:
                raise InputError(path, prototype.line, f"{name} takes ({', '.join(theirs)}) but the procedure table "
                                 f"describes ({', '.join(ours)})")
