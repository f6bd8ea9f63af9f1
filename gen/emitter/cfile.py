# SPDX-License-Identifier: BSD-3-Clause
"""Emits application.h, host.h, objects.c and exports.map: what the tables say, as C."""


from typing import Iterable, Iterator, Optional

from abitable import AbiTable, Constant
from emitter.family import Family
from emitter.pair import HANDLES, PUBLIC_FIELDS, Pair, Side
from emitter.procedures import Kind, Parameter, Procedure
from emitter.template import load_template
from emitter.values import is_substitute, predefined


def _handle_types(pair: Pair, side: Side) -> list[str]:
    lines = []
    for handle in HANDLES:
        name, representation = handle.lower(), side.representations[handle]
        low, up = side.prefix.lower(), side.prefix
        if representation == "int":
            lines += [f"typedef struct {{ int32_t value; }} {low}_{name};",
                      f"#define {up}_{handle}_BITS(handle) ((intptr_t)(handle).value)",
                      f"#define {up}_{handle}_FROM(bits) (({low}_{name}){{ (int32_t)(bits) }})"]
        else:
            lines += [f"typedef struct {low}_{name}_object *{low}_{name};",
                      f"#define {up}_{handle}_BITS(handle) ((intptr_t)(handle))",
                      f"#define {up}_{handle}_FROM(bits) (({low}_{name})(intptr_t)(bits))"]
        ctype = pair.rules.kinds[handle].ctype
        lines += [f"#define {up}_{handle}_REPRESENTATION {representation.upper()}",
                  f'_Static_assert(sizeof({low}_{name}) == {side.newest.types[ctype].size}, "size of {ctype}");']
    return lines


def _status(side: Side) -> list[str]:
    """The status structure: public fields by name, everything else as private bytes."""
    total = side.newest.types["MPI_Status"]
    low = side.prefix.lower()
    fields = sorted((field.offset, field.size, name) for name, field in side.newest.status_fields.items())
    lines, at, gaps = ["typedef struct {"], 0, []
    for offset, size, name in fields + [(total.size, 0, None)]:
        if name is not None and name not in PUBLIC_FIELDS:
            continue
        if offset > at:
            gaps.append(offset - at)
            lines.append(f"    unsigned char private{len(gaps) - 1}[{offset - at}];")
        if name:
            lines.append(f"    int32_t {name};")
        at = offset + size
    lines += [f"}} __attribute__((aligned({total.align}))) {low}_status;",
              f'_Static_assert(sizeof({low}_status) == {total.size}, "size of MPI_Status");',
              f"#define {side.prefix}_STATUS_PRIVATE private{max(range(len(gaps)), key=gaps.__getitem__)}",
              f"#define {side.prefix}_STATUS_PRIVATE_BYTES {max(gaps)}", *_packed(side)]
    for name in PUBLIC_FIELDS:
        offset = side.newest.status_fields[name].offset
        lines.append(f'_Static_assert(offsetof({low}_status, {name}) == {offset}, "offset of {name}");')
    return lines


def _packed(side: Side) -> list[str]:
    """Offsets of a private flag and a private size, for statuses that hold no more than these."""
    private = [field for name, field in side.newest.status_fields.items() if name not in PUBLIC_FIELDS]
    flags = [field for field in private if field.size == 4]
    sizes = [field for field in private if field.size == 8]
    if len(private) != 2 or len(flags) != 1 or len(sizes) != 1:
        return []
    return [f"#define {side.prefix}_STATUS_FLAG_OFFSET {flags[0].offset}",
            f"#define {side.prefix}_STATUS_SIZE_OFFSET {sizes[0].offset}"]


def _constant(pair: Pair, side: Side, name: str, constant: Constant) -> list[str]:
    rule = pair.rules.constants[name]
    handle = next((kind for kind in rule.kinds if kind in HANDLES), None)
    if constant.kind == "string" or "FORTRAN" in rule.kinds or "NONE" in rule.kinds:
        return []
    if constant.kind in ("address", "variable"):
        if side.prefix == "APP":
            value = f"(void *){'&' if constant.kind == 'address' else ''}{constant.value}"
        else:
            value = f"host_address.{_field(constant.value)}"
        value = f"{side.prefix}_{handle}_FROM({value})" if handle else f"({value})"
    elif handle:
        value = f"{side.prefix}_{handle}_FROM({constant.value})"
    elif constant.kind == "pointer":
        value = f"((void *)(intptr_t){constant.value})"
    elif "ERROR_CODE" in rule.kinds:
        value = f"(({side.prefix.lower()}_code){constant.value})"
    else:
        value = f"({constant.value})"
    return [f"#define {side.prefix}_{name} {value}"]


def _field(symbol: str) -> str:
    return symbol.replace("+", "_plus_")


def _addresses(pair: Pair, side: Side) -> dict[str, tuple[str, str]]:
    """Symbols of constants that are addresses: declared (application) or looked up (host)."""
    found: dict[str, tuple[str, str]] = {}
    for name, constant in side.constants.items():
        if constant.kind in ("address", "variable") and "NONE" not in pair.rules.constants[name].kinds \
                and "FORTRAN" not in pair.rules.constants[name].kinds:
            found.setdefault(constant.value, (name, constant.kind))
    return found


def emit_side(pair: Pair, side: Side) -> str:
    """application.h, or the first part of host.h."""
    guard = f"{side.prefix}_SIDE_H"
    lines = [f"#ifndef {guard}", f"#define {guard}", "", '#include "convert/types.h"', ""]
    lines += _handle_types(pair, side) + [""] + _status(side) + [""]
    addresses = _addresses(pair, side)
    if side.prefix == "APP":
        functions = {side.constants[name].value for name in side.constants
                     if "FUNCTION" in pair.rules.constants[name].kinds}
        for handle in HANDLES:
            addresses |= {symbol: (name, "address") for symbol, name in side.other_objects(handle, pair.rules).items()}
        for symbol in sorted(addresses):
            if addresses[symbol][1] == "variable":
                lines.append(f"extern EXPORTED void *{symbol};")
            else:
                lines.append(f"extern EXPORTED {'char' if symbol in functions else 'struct app_object'} {symbol}" +
                             (";" if symbol not in functions else "[];"))
    else:
        lines.append("/* Addresses of the host's that constants stand for, read when it is loaded. */")
        lines.append("extern HIDDEN struct host_addresses {")
        lines += [f"    void *{_field(symbol)};" for symbol in addresses] + ["    void *end;", "} host_address;"]
    lines.append("")
    for name, constant in sorted(side.constants.items()):
        lines += _constant(pair, side, name, constant)
    for handle in HANDLES:
        lines.append(f"#define {side.prefix}_NULL_{handle.lower()} {side.prefix}_MPI_{handle}_NULL")
    lines += [f'#define {side.prefix}_FAMILY "{side.family}"', ""]
    if side.prefix == "APP":
        lines += ["#endif", ""]
    return "\n".join(lines)


def c_type(pair: Pair, side: str, kind: Kind, large: bool) -> str:
    """The C type of a scalar of a kind on a side."""
    handle = pair.rules.handle_of(kind)
    if handle:
        return f"{side}_{handle.lower()}"
    if kind.name == "ERROR_CODE":
        return f"{side}_code"
    if side == "host":
        ctype = kind.large_ctype if large or kind.is_early else kind.ctype
    else:
        ctype = kind.declared(pair.application.family, large)
    if ctype.startswith("MPI_T_"):
        return "void *"
    base, stars = ctype.rstrip("*"), ctype.count("*")
    return f"{side}_status *" if base == "MPI_Status" else f"{base} {'*' * stars}" if stars else ctype


def declaration(pair: Pair, side: str, parameter: Parameter, large: bool) -> str:
    """`type name` of a parameter on a side ('app' or 'host')."""
    kind, name = parameter.kind, parameter.name
    if kind.ctype == "...":
        return kind.ctype
    base = c_type(pair, side, kind, large)
    if kind.ctype.endswith("]"):
        element, length = kind.ctype.rstrip("]").split("[")
        return f"{element} {name}[][{length}]"
    if kind.is_pointer:
        return f"{'const ' if parameter.direction == kind.word('const') else ''}{base}{name}"
    if parameter.extent is not None:
        return f"{'const ' if parameter.direction == 'in' else ''}{base} *{name}"
    if parameter.direction != "in":
        return f"{base}{'' if base.endswith('*') else ' '}*{name}"
    return f"{base}{'' if base.endswith('*') else ' '}{name}"


def parameters_of(procedure: Procedure, large: bool) -> list[Parameter]:
    return [parameter for parameter in procedure.parameters if large or not parameter.large_only]


def variants(procedure: Procedure) -> list[tuple[str, bool]]:
    """(name suffix, large) for a procedure: itself and, where it has one, its large-count twin."""
    return [("", False), ("_c", True)] if procedure.large else [("", False)]


def prototype(pair: Pair, side: str, procedure: Procedure, large: bool) -> str:
    declared = [declaration(pair, side, parameter, large) for parameter in parameters_of(procedure, large)]
    return ", ".join(declared) or "void"


def host_names(pair: Pair) -> list[tuple[str, Procedure, bool]]:
    """(name, procedure, large) of each procedure that is looked up in the host."""
    rows = []
    for procedure in pair.procedures.values():
        if procedure.host == procedure.name and not {"unsupported", "local"} & set(procedure.flags):
            rows += [(procedure.name + suffix, procedure, large) for suffix, large in variants(procedure)]
    return rows


def return_type(pair: Pair, side: str, procedure: Procedure) -> str:
    return c_type(pair, side, pair.rules.kinds[procedure.returns or "ERROR_CODE"], False)


def layer_part(names: list[str]) -> list[str]:
    """A file's part of a layer (adapter-c/layers/layers.h) that overrides procedures."""
    return ["#define OURS(each)" + "".join(f" \\\n    each({name})" for name in names), "LAYER_PART(inner, OURS);", ""]


def layer_install(prototype_: str, layer: str, prefix: str, names: list[str]) -> list[str]:
    """The function that installs PREFIX_X for each procedure."""
    if not names:
        return [prototype_, "{", "}", ""]
    return [f"#define OURS_OVERRIDE(name) OVERRIDE(inner, name, {prefix}_##name),", prototype_, "{",
            f"    LAYER_INSTALL({layer}, inner, OURS(OURS_OVERRIDE));", "}", ""]


def emit_host_procedures(pair: Pair) -> str:
    """The second part of host.h: the table of the host's procedures."""
    lines = ["/* The host's procedures, in the order of host_procedure_names. */", "extern HIDDEN struct host_procedures {"]
    for name, procedure, large in host_names(pair):
        lines.append(f"    {return_type(pair, 'host', procedure)} (*{name})({prototype(pair, 'host', procedure, large)});")
    lines += ["} host;", "", f"#define HOST_PROCEDURES {len(host_names(pair))}", "#endif", ""]
    return "\n".join(lines)


def _word(value: Optional[Constant]) -> object:
    """The value that a predefined handle decodes to, as far as it is known before the library is loaded; an integer in the lower half."""
    if value is None or value.kind not in ("int", "pointer"):
        return 0
    return int(value.value) & 0xffffffff if value.kind == "int" else value.value


def _objects(pair: Pair, family: Family) -> list[str]:
    """Definitions of the data objects: predefined handles, their _addr twins, and the rest."""
    side = pair.application
    lines: list[str] = []
    handles: dict[str, Optional[Constant]] = {}
    for handle in HANDLES:
        for name, host in predefined(pair, handle):
            constant = side.constants[name]
            if constant.kind == "address":
                value = pair.host.constants[host] if host else None
                handles.setdefault(constant.value, value)
        handles |= {symbol: handles[side.constants[name].value] for symbol, name in side.other_objects(handle, pair.rules).items()}
    for symbol, value in sorted(handles.items()):
        lines.append(f"EXPORTED struct app_object {symbol} = {{ {_word(value)} }};")
    pointers = fortran_pointers(side, family)
    referred = ("MPI_", *family.get("objects", ()))
    variables = {symbol for symbol, (_, kind) in _addresses(pair, side).items() if kind == "variable"}
    for symbol, export in sorted(side.exports.items()):
        if export.type != "object" or symbol in handles or not (symbol in pointers or symbol.startswith(referred)):
            continue
        if symbol in pointers and not pointers[symbol]:
            lines.append(f"EXPORTED void *{symbol};")
        elif symbol in pointers:
            lines.append(f"EXPORTED extern char {pointers[symbol].split()[0]}[];")
            lines.append(f"EXPORTED void *{symbol} = {pointers[symbol]};")
        elif symbol in variables:
            lines.append(f"EXPORTED void *{symbol} = &{symbol};")
        elif symbol.endswith("_addr") and symbol[:-5] in handles:
            lines.append(f"EXPORTED void *{symbol} = &{symbol[:-5]};")
        else:
            lines.append(f"EXPORTED char {symbol}[{export.size}] __attribute__((aligned(16)));")
    return lines


def fortran_pointers(side: Side, family: Family) -> dict[str, str]:
    """Pointer variables for C programs to Fortran's ignored statuses: {variable: address}, which is empty
    where only a library for Fortran, once it is loaded, can say it."""
    found: dict[str, str] = {}
    commons = {f"MPI_F_{name[4:]}" for release in side.releases for common in release.commons.values()
               for name, _ in common.variables}
    for name, constant in side.constants.items():
        if constant.kind == "variable" and name.startswith("MPI_F"):
            word, rest = name.split("_", 2)[1:]
            for pattern in family.get("fortran_ignored", ()):
                block = pattern.format(kind=word, name=rest.lower(), NAME=rest)
                if block in side.exports:
                    found[constant.value] = block
            if constant.value not in found and constant.value in commons:
                found[constant.value] = ""
    return found


def _predefined_rows(pair: Pair, handle: str) -> Iterator[tuple[str, str]]:
    """(name, host's name) of each predefined handle that the host knows; of those which the
    application makes the same, a substitute must not take the place of the real thing."""
    taken = set()
    for name, host in predefined(pair, handle):
        bits = _bits(pair.application, name, handle)
        if host and not (bits in taken and is_substitute(pair, name, name, host)):
            taken.add(bits)
            yield name, host


def _predefined(pair: Pair) -> list[str]:
    lines = ["struct predefined predefined_handles[] = {",
             "    { CLASS_COUNT, 0, -1, 0, INTPTR_MIN, 0 },"]
    for index, handle in enumerate(HANDLES):
        others = pair.application.other_objects(handle, pair.rules)
        rows = list(_predefined_rows(pair, handle))
        objects = [(name, host, _bits(pair.application, name, handle)) for name, host in rows]
        # The way back leads to the first.
        objects += [(name, host, "&" + symbol) for name, host in rows for symbol, other in others.items() if other == name]
        for name, host, bits in objects:
            since = pair.host.since[host]
            fortran = pair.application.newest.fortran.get(name)
            lines.append(f"    {{ CLASS_{handle}, {since[0] * 100 + since[1]}, "
                         f"{fortran if fortran is not None else -1}, "
                         f"(intptr_t){bits}, {_host_word(pair, host)}, "
                         f"{_substitute(pair, name, handle)} }},")
    lines += ["};", "const int predefined_count = sizeof predefined_handles / sizeof *predefined_handles;",
              "_Static_assert(sizeof predefined_handles / sizeof *predefined_handles <= UINT8_MAX, "
              '"a bucket of a map holds an entry\'s number");']
    return lines


def _bits(side: Side, name: str, handle: str) -> str:
    constant = side.constants[name]
    return f"&{constant.value}" if constant.kind == "address" else str(constant.value)


def _host_word(pair: Pair, name: str) -> str:
    """The host's handle, or where its address will be once the host is loaded."""
    constant = pair.host.constants[name]
    if constant.kind in ("int", "pointer"):
        return str(constant.value)
    return f"offsetof(struct host_addresses, {_field(constant.value)})"


def _substitute(pair: Pair, name: str, handle: str) -> str:
    """Substitutes, on hosts with integer handles, for a predefined one that came later."""
    null, lacks = f"MPI_{handle}_NULL", pair.rules.constants[name].lacks
    host = lacks if lacks in pair.host.constants else null
    constant = pair.host.constants.get(host)
    if constant is None or constant.kind not in ("int", "pointer"):
        return "0"
    return str(constant.value)


def _has_datatype(release: AbiTable, name: str) -> bool:
    """Whether a release has a datatype: not the name alone, for the null handle."""
    values = [release.constants[each].value for each in (name, "MPI_DATATYPE_NULL") if each in release.constants]
    return name in release.constants and values != [values[0]] * 2


def _optional_names(pair: Pair) -> list[str]:
    """predefined_optional_name(): the names of the application's datatypes that some release of the host lacks. It is code,
    because a table of addresses is written to at each start."""
    lines, seen = [], set()
    for name in pair.application.handles("DATATYPE", pair.rules):
        bits = _bits(pair.application, name, "DATATYPE")
        if name != "MPI_DATATYPE_NULL" and bits not in seen and not all(_has_datatype(release, name) for release in pair.host.releases):
            lines.append(f'    if (app == (intptr_t){bits}) return "{name}";')
        seen.add(bits)
    return ["const char *predefined_optional_name(intptr_t app)", "{", *lines, "    return 0;", "}"]


def _functions(pair: Pair, folder: str) -> Iterable[str]:
    """The predefined callbacks (MPI-4.1 section 7.7) that the application references by symbol, and may call."""
    templates = {body: load_template(folder, f"callback-{body}.c") for body in ("null-copy", "dup", "delete")}
    functions = {}
    for name, constant in sorted(pair.application.constants.items()):
        if "FUNCTION" in pair.rules.constants[name].kinds and constant.kind == "address":
            body = "delete" if "DELETE" in name else "dup" if "DUP" in name else "null-copy"
            functions[constant.value] = templates[body].substitute(name=constant.value)
    return functions.values()


def _instead(pair: Pair, name: str) -> str:
    """The symbol that a host uses which does not have that of the constant `name`: the rule's
    substitute, or the null handle of the class, or none (`end`)."""
    rule = pair.rules.constants[name]
    handle = next((kind for kind in rule.kinds if kind in HANDLES), None)
    for candidate in (rule.lacks, f"MPI_{handle}_NULL"):
        constant = pair.host.constants.get(candidate)
        if constant is not None and constant.kind == "address":
            return constant.value
    return "end"


def emit_objects(pair: Pair, family: Family, has_namesakes: bool, templates: str) -> str:
    """objects.c: what the tables define, as data; `family` are the lines of the application's family."""
    host_addresses = _addresses(pair, pair.host)
    lines = ['#include "application.h"', '#include "convert/facts.h"', '#include "convert/host_symbols.h"',
             '#include "convert/predefined.h"', '#include "host.h"', "", f"const int host_has_namesakes = {int(has_namesakes)};", "",
             *_objects(pair, family), "", *_predefined(pair), "", *_optional_names(pair), "", *_functions(pair, templates), "",
             "const char host_procedure_names[] ="]
    lines += [f'    "{name}\\0"' for name, _, _ in host_names(pair)] + ["    ;", ""]
    lines += ["struct host_addresses host_address;", "const char host_symbol_names[] ="]
    lines += [f'    "{symbol}\\0"' for symbol in host_addresses] + ['    "";', "const struct host_symbol host_symbols[] = {"]
    for symbol, (name, kind) in host_addresses.items():
        everywhere = all(name in release.constants for release in pair.host.releases)
        lines.append(f'    {{ {int(kind == "variable")}, {int(everywhere)}, '
                     f'offsetof(struct host_addresses, {_field(symbol)}), '
                     f'offsetof(struct host_addresses, {_field(_instead(pair, name))}) }},')
    lines += ["    { 0, 0, 0, 0 }", "};", ""]
    return "\n".join(lines)


def _is_profiled(side: Side, name: str) -> bool:
    """True if a procedure that a side exports has a PMPI_ name: there, or by its header."""
    return "P" + name in side.exports or \
        any(name in release.procedures and name not in release.unprofiled for release in side.releases)


def emit_exports(pair: Pair, private: set[str]) -> str:
    """exports.map: the version script of the library for C. What the application's library exports has
    no version; what the Fortran libraries share with it has one, by which alone it is found. `private`
    are the symbols that bindings import."""
    symbols, procedures = set(private), set()
    for procedure in pair.procedures.values():
        for suffix, _ in variants(procedure):
            name = procedure.name + suffix
            procedures |= {name, "P" + name}
            if name in pair.application.exports:
                symbols |= {name, "P" + name}
            if name in pair.application.exports and not _is_profiled(pair.application, name):
                symbols.discard("P" + name)
    hidden = "".join(f"    {symbol};\n" for symbol in sorted(procedures - symbols))
    return "MPI_ADAPTER_PRIVATE { " + ("local:\n" + hidden if hidden else "") + "};\n"
