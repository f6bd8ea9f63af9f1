# SPDX-License-Identifier: BSD-3-Clause
"""Emits convert.h: inline conversions of values, addresses, handles and statuses.

Every kind K gets k_to_host() and k_to_app(). A conversion that changes nothing is a macro that
yields its argument, and `is_identity` tells the wrapper emitter to leave it out.
"""

import functools
import glob
import os
from string import Template
from typing import Optional

from abitable import Constant
from each import class_names
from emitter.codec import Codec, table_range
from emitter.pair import HANDLES, Pair, Side
from emitter.procedures import VALUE_CONVERSIONS, Kind
from emitter.template import load_template

INVALID = -0x7fffffff - 1


def matched(pair: Pair, kind: Kind) -> list[tuple[str, Optional[str], Optional[str]]]:
    """(name, application's name, host's name) for each constant of a kind that either side has;
    a side's name is None where it has neither the constant nor a substitute for it."""
    rows, seen = [], set()
    for rule in pair.rules.of_kind(kind.name):
        app = pair.substitute(pair.application, rule.name)
        host = pair.substitute(pair.host, rule.name)
        if (app or host) and (app, host) not in seen:
            seen.add((app, host))
            rows.append((rule.name, app, host))
    return sorted(rows, key=lambda row: is_substitute(pair, *row))


def is_substitute(pair: Pair, name: str, app: Optional[str], host: Optional[str]) -> bool:
    """True if either side only has a substitute: the way back must prefer the real thing."""
    return (app, host) != (pair.counterpart(pair.application, name), pair.counterpart(pair.host, name))


def _value(side: Side, name: str) -> int:
    return int(side.constants[name].value)


def is_identity(pair: Pair, kind: Kind) -> bool:
    """True if values of the kind are the same on both sides."""
    if kind.conversion == "plain":
        return True
    if kind.conversion == "numbered" or kind.conversion not in VALUE_CONVERSIONS + ("address", "opaque"):
        return False
    for _, app, host in matched(pair, kind):
        if app is None or host is None:
            if kind.conversion in ("address", "opaque"):
                continue
            return False
        ours, theirs = pair.application.constants[app], pair.host.constants[host]
        if (ours.kind, ours.value) != (theirs.kind, theirs.value) or ours.kind in ("address", "variable"):
            return False
    return True


def _cases(pair: Pair, kind: Kind, source: Side, target: Side) -> list[str]:
    """switch cases from the side `source` to `target`, each value once."""
    lines, taken = [], set()
    for _, app, host in matched(pair, kind):
        names = {"APP": app, "HOST": host}
        come, go = names[source.prefix], names[target.prefix]
        if come is None or _value(source, come) in taken:
            continue
        taken.add(_value(source, come))
        result = "INVALID_VALUE" if go is None else f"{target.prefix}_{go}"
        lines.append(f"    case {source.prefix}_{come}: return {result};")
    if kind.conversion == "integer":
        for _, app, host in matched(pair, kind):
            go = {"APP": app, "HOST": host}[target.prefix]
            if go is not None and _value(target, go) not in taken:
                taken.add(_value(target, go))
                lines.append(f"    case {_value(target, go)}: return INVALID_VALUE;")
    return lines


def _all_negative(pair: Pair, kind: Kind) -> bool:
    return all(_value(side, name) < 0
               for row in matched(pair, kind)
               for side, name in ((pair.application, row[1]), (pair.host, row[2])) if name)


def _switch(pair: Pair, kind: Kind, source: Side, target: Side, suffix: str) -> list[str]:
    ctype = kind.large_ctype
    fallback = "INVALID_VALUE" if kind.conversion == "enumeration" else "value"
    lines = [f"static inline {ctype} {kind.name.lower()}_{suffix}({ctype} value)", "{"]
    if kind.conversion == "integer" and _all_negative(pair, kind):
        lines.append("    if (likely(value >= 0)) return value;")
    lines += ["    switch (value) {", *_cases(pair, kind, source, target),
              f"    default: return {fallback};", "    }", "}"]
    return lines


def _flags(pair: Pair, kind: Kind, source: Side, target: Side, suffix: str) -> list[str]:
    rows = [(app, host) for _, app, host in matched(pair, kind) if app and host]
    used = 0
    for app, host in rows:
        used |= _value(target, host if target.prefix == "HOST" else app)
    unknown = next(1 << bit for bit in range(30, 0, -1) if not used >> bit & 1)
    lines = [f"static inline int {kind.name.lower()}_{suffix}(int value)", "{", "    int known = 0, result = 0;"]
    for app, host in rows:
        come, go = (app, host) if source.prefix == "APP" else (host, app)
        lines.append(f"    known |= {source.prefix}_{come}; if (value & {source.prefix}_{come}) result |= {target.prefix}_{go};")
    lines += [f"    return value & ~known ? result | {unknown} : result;", "}"]
    return lines


def _same(ours: Constant, theirs: Constant) -> bool:
    return (ours.kind, ours.value) == (theirs.kind, theirs.value) and ours.kind in ("int", "pointer")


def _strange(pair: Pair, kind: Kind) -> list[str]:
    """The host's constants that are addresses of the program's own: numbers that are no constant of the kind there."""
    ours = {pair.application.constants[app].value for _, app, _ in matched(pair, kind) if app}
    theirs = dict.fromkeys(host for _, _, host in matched(pair, kind) if host)
    return [host for host in theirs if pair.host.constants[host].kind == "pointer" and pair.host.constants[host].value not in ours]


def _most_addresses(pair: Pair, kind: Kind, suffix: str) -> list[str]:
    """One comparison for addresses that are far from all constants, if these are numbers."""
    found = [side.constants[name] for row in matched(pair, kind)
             for side, name in ((pair.application, row[1]), (pair.host, row[2])) if name]
    if suffix != "to_host" or kind.conversion != "address" or any(each.kind != "pointer" for each in found):
        return []
    first, last = (end(int(each.value) for each in found) for end in (min, max))
    return [f"    if (likely((uintptr_t)address - (uintptr_t){first} > {last - first})) return (void *)(uintptr_t)address;"]


def _address(pair: Pair, kind: Kind, source: Side, target: Side, suffix: str) -> list[str]:
    lines = [f"static inline void *{kind.name.lower()}_{suffix}(const void *address)", "{", *_most_addresses(pair, kind, suffix)]
    for _, app, host in matched(pair, kind):
        come, go = (app, host) if source.prefix == "APP" else (host, app)
        if come and go and not _same(source.constants[come], target.constants[go]):
            lines.append(f"    if (unlikely(address == {source.prefix}_{come})) return {target.prefix}_{go};")
    for host in _strange(pair, kind) if kind.conversion == "address" else ():
        come, go = (f"HOST_{host}", f"NOWHERE(HOST_{host})") if source.prefix == "APP" else (f"NOWHERE(HOST_{host})", f"HOST_{host}")
        lines.append(f"    if (unlikely(address == {come})) return {go};")
    return lines + ["    return (void *)(uintptr_t)address;", "}"]


def _numbered(pair: Pair, kind: Kind, source: Side, target: Side, suffix: str) -> list[str]:
    """Numbers are moved out of the way of the application's constants. The host's constants do not
    come back but for the invalid one: numbers of one release may be constants of a later one."""
    name, ctype = kind.name.lower(), kind.large_ctype
    invalid = f"MPI_{kind.name}_INVALID"
    if suffix == "to_app":
        return [f"static inline {ctype} {name}_to_app({ctype} value)", "{",
                f"    return value == HOST_{invalid} ? APP_{invalid} : ({ctype})((unsigned)value + NUMBERED_BIAS);", "}"]
    return [f"static inline {ctype} {name}_to_host({ctype} value)", "{", "    switch (value) {",
            *_cases(pair, kind, source, target), f"    default: return ({ctype})((unsigned)value - NUMBERED_BIAS);", "    }", "}"]


EMIT = {"numbered": _numbered, "integer": _switch, "enumeration": _switch, "flags": _flags, "address": _address, "opaque": _address}


def _kind(pair: Pair, kind: Kind) -> list[str]:
    name = kind.name.lower()
    if is_identity(pair, kind):
        return [f"#define {name}_to_host(value) (value)", f"#define {name}_to_app(value) (value)",
                f"#define {kind.name}_IS_IDENTITY 1"]
    emit = EMIT[kind.conversion]
    return emit(pair, kind, pair.application, pair.host, "to_host") + \
        emit(pair, kind, pair.host, pair.application, "to_app") + [f"#define {kind.name}_IS_IDENTITY 0"]


def predefined(pair: Pair, handle: str) -> list[tuple[str, Optional[str]]]:
    """(name, host's name) of each predefined handle that the application has, those first that
    the host has too."""
    rows = [(name, pair.substitute(pair.host, name)) for name in pair.application.handles(handle, pair.rules)]

    def order(row: tuple[str, Optional[str]]) -> tuple[bool, bool, bool]:
        """Handles that every host has go first: elsewhere they may stand for one that is missing."""
        everywhere = all(row[1] in release.constants for release in pair.host.releases)
        return is_substitute(pair, row[0], row[0], row[1]), not everywhere, not row[0].endswith("_NULL")

    return sorted(rows, key=order)


@functools.cache
def _codec(pair: Pair, handle: str) -> Codec:
    """How a class is carried over."""
    rows = predefined(pair, handle)
    ours = [pair.application.constants[name].value for name, _ in rows]
    theirs = [pair.host.constants[host].value for _, host in rows if host]
    return pair.codecs.choose(pair, handle, (ours, theirs))


def is_lent(pair: Pair, handle: str) -> bool:
    """True if the host may write a new handle into the application's variable."""
    return "lent" in _codec(pair, handle).traits


def _range(pair: Pair, handle: str) -> Optional[tuple[int, int]]:
    """The first number and the length of a class's table, or None if its codec has none."""
    if "table" not in _codec(pair, handle).traits:
        return None
    values = [pair.application.constants[name].value for name, _ in predefined(pair, handle)]
    if pair.application.representations[handle] == "pointer":
        return 0, max(values) + 1
    return table_range(values)


def _tables(pair: Pair) -> list[str]:
    """TABLE_CLASSES: the classes that have a table, its first number and its length."""
    rows = [f"X({handle}, {handle.lower()}, {found[0]}, {found[1]})" for handle in HANDLES for found in (_range(pair, handle),) if found]
    return [f"#define TABLE_CLASSES(X) {' '.join(rows)}".rstrip()]


def _functions(pair: Pair, handle: str, templates: dict[str, Template]) -> list[str]:
    """The functions that convert a class's handles. The most used predefined handle is the first."""
    null = f"MPI_{handle}_NULL"
    first, *others = ((f"APP_{app}", f"HOST_{host or null}") for app, host in
                      sorted(predefined(pair, handle), key=lambda row: not row[0].endswith("_WORLD")))
    start, span = _range(pair, handle) or (0, 0)
    return ["", templates[_codec(pair, handle).name].substitute(
        {"class": handle.lower(), "CLASS": handle, "app_null": f"APP_{null}", "host_null": f"HOST_{null}",
         "first": start, "span": span, "first_app": first[0], "first_host": first[1],
         "with_predefined": int(handle == "COMM"),
         "others": "\n".join(f"    if (unlikely(number == {app}.value))\n        return {host};" for app, host in others)}).strip("\n")]


def _classes(pair: Pair) -> list[str]:
    """error_class_to_host/app: arrays by class, read in error.each.c."""
    kind = pair.rules.kinds["ERROR_CODE"]
    lines = []
    for source, target, suffix in ((pair.application, pair.host, "to_host"), (pair.host, pair.application, "to_app")):
        lines += [f"static inline {target.prefix.lower()}_code error_class_{suffix}({source.prefix.lower()}_code value)", "{",
                  "    switch ((int)value) {",
                  *_cases(pair, kind, source, target),
                  f"    default: return {target.prefix}_MPI_ERR_UNKNOWN;", "    }", "}"]
    return lines


def _has_stand_ins(pair: Pair) -> bool:
    """True if some release of a host with integer handles has another datatype in the place of one of the application's."""
    oldest = min(release.standard for release in pair.host.releases)
    return any(host and pair.host.constants[host].kind == "int" and pair.host.since[host] > oldest and
               pair.rules.constants[name].lacks not in (None, "MPI_DATATYPE_NULL") for name, host in predefined(pair, "DATATYPE"))


def emit_conversions(pair: Pair, templates: str) -> str:
    """The text of convert.h."""
    # All that there are, so that what is wrong in one is found by any pair.
    there = {os.path.basename(path) for path in glob.glob(os.path.join(glob.escape(templates), "codec-*.c"))}
    needed = {f"codec-{codec.name}.c" for codec in pair.codecs.codecs}
    functions = {name.removeprefix("codec-").removesuffix(".c"): load_template(templates, name) for name in sorted(there | needed)}
    every = load_template(templates, "handle.c")
    lines = ["#ifndef CONVERT_H", "#define CONVERT_H", "", '#include "convert/codec.h"', '#include "convert/error.h"',
             '#include "convert/room.h"', ""]
    for kind in pair.rules.kinds.values():
        if kind.conversion in VALUE_CONVERSIONS + ("address", "opaque"):
            lines += _kind(pair, kind)
    for handle in HANDLES:
        lines += [*_functions(pair, handle, functions), every.substitute(class_names(handle.lower())).rstrip("\n")]
    lines += ["", *_tables(pair)]
    lines += [f"#define HAS_DATATYPE_STAND_INS {int(_has_stand_ins(pair))}", "", *_classes(pair), "", "#endif", ""]
    return "\n".join(lines)
