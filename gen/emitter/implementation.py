# SPDX-License-Identifier: BSD-3-Clause
"""Emits implementations.h: what each implementation calls its launchers, and how the one that a host is shows
when it runs; and launchers.h: the launchers that are no implementation's."""


import implementation as table
from diagnostic import InputError, table_lines
from emitter.family import Family
from implementation import Implementation

# What the C has of an implementation, in the order of struct implementation.
WORDS = ("version", "called", "rank", "size", "programs", "slurm", "spawn_environment", "spawn_command",
         "file_prefixes")


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
    """implementations.h: all of them, for a process may be started by another one's launcher. Those of the
    host's family have their place in its line."""
    lines = ["static const struct implementation implementations[] = {"]
    for name, each in implementations.items():
        place = host["implementations"].index(name) + 1 if name in host["implementations"] else 0
        words = [_literal(each.text(key)) for key in WORDS]
        commands = ", ".join(_literal(command) for command in each.launchers)
        lines.append(f"    {{ {place}, {', '.join(words)}, (const char *const[]){{ {commands}, 0 }} }},")
    return "\n".join(lines + ["};", f"#define HOST_IMPLEMENTATIONS {len(host['implementations'])}", ""])


def emit_file_prefixes(implementations: dict[str, Implementation], application: Family) -> str:
    """Part of config.h: what the application's one implementation makes of names of files."""
    own = application["implementations"]
    return f'#define APP_FILE_PREFIXES "{implementations[own[0]].text("file_prefixes")}"\n' if len(own) == 1 else ""


def load_launchers(path: str) -> list[tuple[str, str, str]]:
    """[(what it is called, variable of the rank, variable of the size or nothing)] of the launchers that tell a process its
    rank, and are no implementation's, in the table's order."""
    kinds: dict[str, dict[str, list[str]]] = {}
    for number, words in table_lines(path):
        if len(words) < 3:
            raise InputError(path, number, f"'{' '.join(words)}' is not a kind of launcher, a key and values")
        kinds.setdefault(words[0], {}).setdefault(words[1], []).extend(words[2:])
    for kind, facts in kinds.items():
        if "rank" in facts and "called" not in facts:
            raise InputError(path, 0, f"launcher {kind} has rank, and no called")
    return [(" ".join(facts["called"]), " ".join(facts["rank"]), " ".join(facts.get("size", [])))
            for facts in kinds.values() if "rank" in facts]


def emit_launchers(launchers: list[tuple[str, str, str]]) -> str:
    """launchers.h: what process/launcher.c tells them by."""
    lines = [f"    {{ {', '.join(map(_literal, each))}, 0 }}," for each in launchers]
    return "\n".join(["static const struct launcher others[] = {", *lines, "};", ""])
