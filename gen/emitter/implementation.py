# SPDX-License-Identifier: BSD-3-Clause
"""Reads abi-tables/implementations, and emits implementations.h: what each calls its launchers, and how the
one that a host is shows when it runs."""

from dataclasses import dataclass

from diagnostic import InputError, table_lines

KEYS = ("version", "launchers", "launcher", "called", "rank", "size", "slurm")
OPTIONAL_KEYS = ("spawn_environment",)


@dataclass(frozen=True)
class Implementation:
    """One implementation's lines."""
    name: str
    facts: dict

    def text(self, key):
        return " ".join(self.facts.get(key, ()))

    @property
    def launchers(self):
        return self.facts["launchers"]

    @property
    def kind(self):
        return self.text("launcher")


def _facts(path):
    """{implementation: {key: values}}."""
    implementations = {}
    for number, words in table_lines(path):
        if len(words) < 3 or words[1] not in KEYS + OPTIONAL_KEYS:
            raise InputError(path, number, f"'{' '.join(words)}' is not an implementation, one of {', '.join(KEYS)}, "
                             "and values")
        facts = implementations.setdefault(words[0], {})
        if words[1] in facts:
            raise InputError(path, number, f"{words[1]} of {words[0]} stands twice")
        facts[words[1]] = words[2:]
    return implementations


def load_implementations(path, families, families_path):
    """{name: Implementation} in the table's order, which has all that the families name."""
    implementations = {name: Implementation(name, facts) for name, facts in _facts(path).items()}
    for name, implementation in implementations.items():
        missing = [key for key in KEYS if key not in implementation.facts]
        if missing:
            raise InputError(path, 0, f"implementation {name} has no {missing[0]}")
    for family, keys in families.items():
        for name in keys["implementations"]:
            if name not in implementations:
                raise InputError(families_path, 0, f"family {family} names {name}, which is not in {path}")
    return implementations


def _literal(text):
    return f'"{text}"' if text else "0"


def emit_implementations(implementations, host):
    """implementations.h: all of them, for a process may be started by another one's launcher. Those of the
    host's family have their place in its line."""
    lines = ["static const struct implementation implementations[] = {"]
    for name, each in implementations.items():
        place = host["implementations"].index(name) + 1 if name in host["implementations"] else 0
        words = [_literal(each.text(key)) for key in ("version", "called", "rank", "size", "slurm", "spawn_environment")]
        commands = ", ".join(_literal(command) for command in each.launchers)
        lines.append(f"    {{ {place}, {', '.join(words)}, (const char *const[]){{ {commands}, 0 }} }},")
    return "\n".join(lines + ["};", f"#define HOST_IMPLEMENTATIONS {len(host['implementations'])}", ""])
