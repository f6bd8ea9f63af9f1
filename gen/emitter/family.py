# SPDX-License-Identifier: BSD-3-Clause
"""Reads abi-tables/families, and emits what the build, the loader and the command need of it."""

import itertools
import os
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Iterable

from abitable import AbiTable
from diagnostic import InputError, table_lines
from implementation import Implementation

if TYPE_CHECKING:
    from emitter.pair import Pair

KEYS = ("soname", "needs", "libraries", "scope", "implementations")
OPTIONAL_KEYS = ("called", "companions", "wrappers", "faults", "fortran_library", "fortran_alone", "fortran_misspelt",
                 "fortran_constants", "fortran_calls", "fortran_f08_profiled", "fortran_f08_sentinels", "fortran_f08_twins",
                 "fortran_ignored", "since", "earlier", "left", "renamed", "objects", "symbols", "has", "bindings", "runtime",
                 "alias", "contested", "beside", "earlier_beside", "identity", "release_symbol", "newer", "elsewhere",
                 "fortran_made", "fortran_version", "fortran_sentinels", "split_type", "lost", "lost_by", "overhead", "reads", "meant",
                 "had_by", "contested_by", "reworded", "beyond", "between")
# Keys that come once, with a word or a text; of the others each value has a line.
SINGLE_KEYS = ("soname", "scope", "called", "since", "fortran_calls", "fortran_f08_profiled", "fortran_ignored",
               "fortran_made", "fortran_version", "fortran_sentinels", "identity", "lost_by", "had_by", "contested_by",
               "reworded", "between")
TEXTS = ("called", "identity", "had_by", "contested_by", "reworded")
# Names of libraries that begin with so many equal characters ("libmp") share a stem.
STEM = 5
# A family's lines of the table: {key: values}, but for NAMES_OF_LIBRARIES {libraries: names}.
Family = dict[str, Any]
# Its lines have a library, or several, ahead of the value.
NAMES_OF_LIBRARIES = "fortran_library"
ASSIGNMENTS = {"faults": "FAULT=VERSION", "earlier": "LIBRARY=FIRST[-LAST]", "renamed": "LIBRARY=LIBRARY",
               "alias": "NAME=LIBRARY", "contested": "NAME=LIBRARY", "beside": "NAME=START", "earlier_beside": "NAME=START",
               "split_type": "VALUE=RESOURCE",
               "fortran_misspelt": "SYMBOL=PROCEDURE", "fortran_f08_sentinels": "NAME=SYMBOL",
               "fortran_f08_twins": "NAME=SYMBOL", "lost": "NAME=SYMBOL",
               "reads": "LIBRARY=PROCEDURE"}
PATTERNS = {"faults": r"\w+=\d+\.\d+$", "earlier": r"[\w.-]+=\d[\d.]*(-\d[\d.]*)?$", "renamed": r"[\w.-]+=[\w.-]+$",
            "alias": r"[\w.-]+\*?[\w.-]*=[\w.-]+$", "contested": r"[\w.-]+=[\w.-]+$",
            "reads": r"[\w.*-]+=\w+$", "beside": r"[\w.-]+=[\w.-]+$", "earlier_beside": r"[\w.-]+=[\w.-]+$"}


def load_families(path: str, needed: Iterable[str]) -> dict[str, Family]:
    """{family: {key: [values]}}; the families `needed` must be among them."""
    families: dict[str, Family] = {}
    for number, words in table_lines(path):
        if len(words) < 3 or words[1] not in KEYS + OPTIONAL_KEYS:
            raise InputError(path, number, f"'{' '.join(words)}' is not a family, one of {', '.join(KEYS)}, and values")
        _add_fact(families.setdefault(words[0], {}), words, path, number)
    for name, family in families.items():
        missing = [key for key in KEYS if key not in family]
        if missing:
            raise InputError(path, 0, f"family {name} has no {missing[0]}")
    for name in needed:
        if name not in families:
            raise InputError(path, 0, f"no family '{name}'")
    return families


def _add_fact(family: Family, words: list[str], path: str, number: int) -> None:
    """A line of the table, added to the family's facts."""
    name, key, *values = words
    wanted = 2 if key == NAMES_OF_LIBRARIES else 1
    if len(values) != wanted and key not in TEXTS:
        raise InputError(path, number, f"{key} of {name} has {len(values)} values in a line; give each a line of its own")
    if values in _facts_of(family, key) or key in SINGLE_KEYS and key in family:
        raise InputError(path, number, f"{key} of {name} is listed twice")
    if key in ASSIGNMENTS and not re.match(PATTERNS.get(key, r"\w+=\w+$"), values[0]):
        raise InputError(path, number, f"'{values[0]}' is not {ASSIGNMENTS[key]}")
    if key == NAMES_OF_LIBRARIES:
        family.setdefault(key, {}).setdefault(values[0], []).append(values[1])
    else:
        family.setdefault(key, []).extend(values)


def _facts_of(family: Family, key: str) -> list[list[str]]:
    """The values of the lines so far."""
    if key == NAMES_OF_LIBRARIES:
        return [[libraries, name] for libraries, names in family.get(key, {}).items() for name in names]
    return [[value] for value in family.get(key, [])]


def renamed_libraries(family: Family) -> dict[str, str]:
    """{what releases that gave libraries other names called one: its name of today}."""
    return dict(word.split("=") for word in family.get("renamed", ()))


def name_of_today(family: Family, library: str) -> str:
    """The name of a library in releases of today, by whatever name an earlier one or a maker has for it."""
    others = dict(word.split("=") for key in ("alias", "contested", "renamed") for word in family.get(key, ()))
    while library in others:
        library = others[library]
    return library


def contested_names(family: Family) -> list[str]:
    """The names that other families' libraries have, too."""
    return [word.partition("=")[0] for word in family.get("contested", ())]


def is_earlier(release: AbiTable, family: Family) -> bool:
    """Whether the release's library for C has a name of its own, which the library of today took over."""
    return bool(release.sonames) and release.sonames[0] in [*renamed_libraries(family), *contested_names(family)]


def linked_aliases(family: Family) -> dict[str, str]:
    """{another name of a library: its name}, of names that tell whose they are: a pair has links by these."""
    earlier = {word.partition("=")[0] for word in family.get("earlier", ())}
    aliases = dict(word.split("=") for word in family.get("alias", ()))
    return {name: library for name, library in aliases.items() if "*" not in name and name not in earlier}


def all_names(family: Family) -> list[str]:
    """The names by which programs need the family's libraries, makers' among them. A * in one stands for anything."""
    aliases = [word.partition("=")[0] for word in family.get("alias", ())]
    patterns = [name for name in aliases if "*" in name]
    return family["needs"] + patterns + [name for name in aliases if "*" not in name and
                                         not any(fnmatchcase(name, pattern) for pattern in patterns)]


def more_functions(family: Family) -> list[str]:
    """Functions of the library for C besides the scanned ones, each with its profiling twin."""
    return [prefix + name for key in ("newer", "elsewhere") for name in family.get(key, ()) for prefix in ("", "P")]


def fortran_libraries(family: Family) -> dict[str, list[str]]:
    """{soname: patterns of the names that it has}, in the order of the table: the first one is what
    the others need."""
    return {soname: names for libraries, names in family.get(NAMES_OF_LIBRARIES, {}).items() for soname in libraries.split(",")}


def load_private_exports(path: str, family: str) -> set[str]:
    """The symbols that a family's bindings import from its library for C; none without the file."""
    symbols: set[str] = set()
    if not os.path.exists(path):
        return symbols
    for number, words in table_lines(path):
        if len(words) != 3:
            raise InputError(path, number, f"'{' '.join(words)}' is not a family, a symbol and what imports it")
        if words[0] == family:
            symbols.add(words[1])
    return symbols


def prefixes(family: Family) -> list[str]:
    """How names begin that a family's libraries have besides MPI's: none is the beginning of another."""
    words = {word.rstrip("*") for words in family.get("symbols", ()) for word in words.partition("=")[2].split(",")}
    return [word for word in sorted(words) if not any(word != other and word.startswith(other) for other in words)]


def load_departures(path: str, family: str) -> list[tuple[str, str, str, str]]:
    """Makers of libraries with a family's name and other numbers: (ABI instead, text, name, which); none without the file."""
    departures: list[tuple[str, str, str, str]] = []
    if not os.path.exists(path):
        return departures
    for number, words in table_lines(path):
        fields = re.fullmatch(r"(\S+) (\S+) ([^=;\"\\]+)=([^=;\"\\]+); ([^;\"\\]+)", " ".join(words))
        if not fields:
            raise InputError(path, number, f"'{' '.join(words)}' is not FAMILY INSTEAD TEXT=NAME; WHICH")
        if fields[1] == family:
            departures.append((fields[2], fields[3], fields[4], fields[5]))
    return departures


def _emit_departures(departures: list[tuple[str, str, str, str]]) -> str:
    lines = ", ".join(f'{{ "{instead}", "{text}", "{name}", "{which}" }}' for instead, text, name, which in departures)
    return f"#define HOST_DEPARTURES {lines}\n" if lines else ""


def emit_host_libraries(host: Family, departures: list[tuple[str, str, str, str]]) -> str:
    """host_libraries.h: how the loader finds the host's library, and tells which are the host's; the faults that it may have; whose
    library has another ABI."""
    libraries, own = (", ".join(f'"{name}"' for name in names) for names in (host["libraries"], host.get("has", [""])))
    return (f"#define HOST_LIBRARIES {libraries}\n#define HOST_OWN_NAMES {own}\n#define HOST_SCOPE {host['scope'][0]}\n"
            f'#define HOST_SONAMES "{":".join(host["needs"])}"\n' +
            "".join(_fault(*word.split("=")) for word in host.get("faults", ())) + _emit_departures(departures))


def _emit_identity(family: Family, releases: list[AbiTable]) -> str:
    """The library's version as the program is told it: a text, in which %s is the release; where an installed library says what
    release it is; and the releases, the oldest first, each with its version of MPI. Or a text alone, of no implementation's own."""
    if "identity" not in family:
        return ""
    if "RELEASE" not in family["identity"][-1] and "release_symbol" not in family:
        return f'#define APP_BEGINNING "{" ".join(family["identity"])}"\n'
    order = sorted(releases, key=lambda release: [int(part) for part in re.findall(r"\d+", release.release)])
    text = " ".join(family["identity"]).replace("RELEASE", "%s")
    known = ", ".join(f'{{ "{each.release}", {100 * each.standard[0] + each.standard[1]} }}' for each in order)
    libraries, symbols = (", ".join(f'"{word}"' for word in family[key]) for key in ("libraries", "release_symbol"))
    return (f'#define APP_IDENTITY "{text}"\n#define APP_RELEASES {known}\n#define APP_LIBRARIES {libraries}\n'
            f"#define APP_RELEASE_SYMBOLS {symbols}\n")


def _emit_reworded(family: Family) -> str:
    """Words of the host's text, and those that programs are told instead."""
    words, _, instead = " ".join(family.get("reworded", ())).partition("=")
    return f'#define APP_REWORDED "{words}", "{instead}"\n' if words else ""


def _emit_split_types(family: Family) -> str:
    """Split types of MPI_Comm_split_type besides MPI's."""
    words = [word.split("=") for word in family.get("split_type", ())]
    return f"#define APP_SPLIT_TYPES {', '.join(f'{{ {value}, RESOURCE_{name.upper()} }}' for value, name in words)}\n" if words else ""


def emit_application_libraries(application: Family, releases: list[AbiTable]) -> str:
    """application_libraries.h: how the loader tells which libraries have names of the application's MPI."""
    names = all_names(application)
    plain = sorted(name.partition("*")[0] for name in names)
    stems = [os.path.commonprefix(list(alike)) for _, alike in itertools.groupby(plain, lambda name: name[:STEM])]
    return (f'#define APP_SONAMES "{":".join(names)}"\n#define APP_STEMS "{":".join(stems)}"\n'
            f'#define APP_PREFIXES "{":".join(prefixes(application))}"\n' + _emit_identity(application, releases) +
            _emit_reworded(application) + _emit_split_types(application))


def has_namesakes(application: Family, host: Family) -> bool:
    """An implementation of the application's ABI that offers the host's may keep libraries with the application's names behind
    it."""
    return "companions" in application and bool(set(application["implementations"]) & set(host["implementations"]))


def _fault(name: str, version: str) -> str:
    """Hosts of an older version of MPI, 100 * major + minor, have the fault."""
    major, minor = version.split(".")
    return f"#define HOST_FAULT_{name.upper()} {100 * int(major) + int(minor)}\n"


def called(name: str, family: Family) -> str:
    """A family's name in documents."""
    return " ".join(family.get("called", [name]))


def _assignments(name: str, values: dict[str, str]) -> str:
    return "".join(f"{name}_{key} := {value}\n" for key, value in values.items())


def emit_application_make(name: str, family: Family, is_renumbered: bool) -> str:
    """application.mk: the libraries that stand in for an application's, their other names, those that there are stand-ins for,
    those that are opened by name, the one for mpi_f08 that has an earlier release's variables, and whether earlier releases number
    datatypes otherwise."""
    return _assignments(name, {"soname": family["soname"][0],
                               "companions": " ".join(family.get("companions", ())),
                               "runtime": " ".join(family.get("runtime", ())),
                               "renamed": " ".join(family.get("renamed", ())),
                               "aliases": " ".join(f"{name}={library}" for name, library in linked_aliases(family).items()),
                               "bindings": " ".join(family.get("bindings", ())),
                               "opened": " ".join(family["libraries"]),
                               "fortran": " ".join(fortran_libraries(family)),
                               "lost": " ".join(family.get("lost_by", ())),
                               "renumbered": "yes" if is_renumbered else ""})


def emit_make(pair: "Pair", families: dict[str, Family]) -> str:
    """pair.mk: what modulefiles call its sides."""
    return _assignments(pair.name, {f"{role}_called": called(side.family, families[side.family])
                                    for role, side in (("application", pair.application), ("host", pair.host))})


def emit_conf(pair: "Pair", families: dict[str, Family], implementations: dict[str, Implementation]) -> str:
    """pair.conf, which the mpi-adapter command reads."""
    application, host = families[pair.application.family], families[pair.host.family]
    behind = [implementations[name] for name in host["implementations"]]
    lines = {"application": pair.application.family, "host": pair.host.family,
             "application_sonames": " ".join(application["needs"] + list(linked_aliases(application))),
             "host_libraries": " ".join(host["libraries"]),
             "launchers": " ".join(behind[0].launchers), "launcher_kind": behind[0].kind,
             "preload": application["soname"][0]}
    if "fortran_library" in application:
        lines["fortran"] = " ".join(fortran_libraries(application))
    if "bindings" in application:
        lines["stand_ins"] = " ".join(application["bindings"])
    if "runtime" in application:
        lines["runtime"] = " ".join(application["runtime"])
    for each in behind[1:]:
        lines |= {f"{each.name}_launchers": " ".join(each.launchers), f"{each.name}_launcher_kind": each.kind}
    if len(behind) > 1:
        lines["implementations"] = " ".join(each.name for each in behind)
    return "".join(f"{key} = {value}\n" for key, value in lines.items())
