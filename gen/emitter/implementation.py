# SPDX-License-Identifier: BSD-3-Clause
"""Emits implementations.h: what each implementation calls its launchers, and how the one that a host is shows
when it runs."""

import implementation as table
from diagnostic import InputError
from emitter.family import Family
from implementation import Implementation

# The facts of an implementation that C needs, in the order of struct implementation.
WORDS = ("version", "launcher", "programs", "slurm", "spawn_environment", "spawn_command", "file_prefixes")


def load_implementations(path: str, families: dict[str, Family], families_path: str) -> dict[str, Implementation]:
    """{name: Implementation} in the table's order, which has all that the families name."""
    implementations = table.load(path)
    for family, keys in families.items():
        for name in keys["implementations"]:
            if name not in implementations:
                raise InputError(families_path, 0, f"family {family} names {name}, which is not in {path}")
    return implementations


def _literal(text: str) -> str:
    return f'"{text}"' if text else "0"


def emit_implementations(implementations: dict[str, Implementation], host: Family) -> str:
    """implementations.h: all of them, for a process may be started by another one's launcher. Those of the host's family have
    their place in its line."""
    lines = ["static const struct implementation implementations[] = {"]
    for name, each in implementations.items():
        place = host["implementations"].index(name) + 1 if name in host["implementations"] else 0
        words = [_literal(each.text(key)) for key in WORDS]
        commands = ", ".join(_literal(command) for command in each.launchers)
        lines.append(f"    {{ {place}, {', '.join(words)}, (const char *const[]){{ {commands}, 0 }} }},")
    return "\n".join(lines + ["};", f"#define HOST_IMPLEMENTATIONS {len(host['implementations'])}", ""])


def emit_told(implementations: dict[str, Implementation], application: Family) -> str:
    """For application_libraries.h: what the application's own MPI gives its processes, unless that may be one of several."""
    own = application["implementations"]
    known = implementations[own[0]] if len(own) == 1 else table.Implementation("", {})
    return "\n".join([f'#define APP_TOLD "{",".join(known.words("told"))}"',
                      f'#define APP_INFO_ENV "{",".join(known.words("info_env"))}"',
                      f'#define APP_HAS_UNIVERSE {int(known.text("universe") == "yes")}', ""])


def emit_maker(implementations: dict[str, Implementation], application: Family) -> str:
    """For application_libraries.h: a maker whose library the application's one implementation may be, and how that is told."""
    own = application["implementations"]
    known = implementations[own[0]]
    if len(own) > 1 or not known.words("maker_exports"):
        return ""
    start, version = known.text("maker_exports").split("=")
    major, minor = version.split(".")
    return (f'#define APP_MAKER "{known.text("maker").partition("=")[0]}"\n#define APP_MAKER_START "{start}"\n'
            f"#define APP_MAKER_NEWEST {100 * int(major) + int(minor)}\n")


def emit_file_prefixes(implementations: dict[str, Implementation], application: Family) -> str:
    """For application_libraries.h: what the application's one implementation makes of names of files."""
    own = application["implementations"]
    prefixes = f'"{implementations[own[0]].text("file_prefixes")}"' if len(own) == 1 else "0"
    return f"#define APP_FILE_PREFIXES {prefixes}\n"
