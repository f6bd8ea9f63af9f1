# SPDX-License-Identifier: BSD-3-Clause
"""Reads the templates: files of C, and files of sections (parameters.tpl, fortran.tpl, descriptors.tpl).

What stands in place of a $name may be several lines, or none: then the line is left out. The name of a section
says which parameters it is for, by words that must all be true of one; the first section that fits a parameter applies.
"""

import os
from string import Template
from types import MappingProxyType
from typing import Iterable, Mapping, NoReturn, Optional

from diagnostic import InputError, open_text
from emitter.procedures import Parameter, Procedure, Rules

# The parts of a section, in the order of a wrapper.
PARTS = ("check", "declare", "open", "lacking", "argument", "failed", "always", "success", "failure", "close")


def load_template(folder: str, name: str) -> Template:
    """A file of C, without its licence line."""
    with open_text(os.path.join(folder, name)) as file:
        return Template(file.read().split("\n", 1)[1])


def fill(template: Template, **names: str) -> str:
    """The text of a template, without a line break at its end."""
    return "\n".join(line for line in template.substitute(names).split("\n") if line.strip())


def check_placeholders(path: str, number: int, text: str, placeholders: tuple[str, ...]) -> None:
    """Raises InputError if `text` has a placeholder that nothing is put in for."""
    for match in Template.pattern.finditer(text):
        if match["escaped"] is None and (match["named"] or match["braced"]) not in placeholders:
            raise InputError(path, number, f"'{text}' has a placeholder that is not one of {', '.join(placeholders)}")


class Section(dict[str, str]):
    """{part: text} of a section, which must have each part that is asked for."""

    def __init__(self, path: str, name: str, parts: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(parts)
        self.path, self.name = path, name
        self.words = frozenset(name.split())

    def __missing__(self, part: str) -> NoReturn:
        raise InputError(self.path, 0, f"section [{self.name}] has no {part}")


class Sections(dict[str, Section]):
    """{section: {part: text}} of a file, which must have each section that is asked for."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path

    def __missing__(self, name: str) -> NoReturn:
        raise InputError(self.path, 0, f"no section [{name}]")

    @property
    def file(self) -> str:
        """The file's name in generated files."""
        return "templates/" + os.path.basename(self.path)

    def choose(self, rules: Rules, procedure: Procedure, parameter: Parameter, facts: list[str]) -> Section:
        """The section that applies to a parameter: the first whose words are all among the facts of it."""
        for section in self.values():
            if section.words.issubset(facts):
                return section
        raise rules.error(procedure, f"no section of {self.file} fits '{parameter.name}' of {procedure.name}, which is: {' '.join(facts)}")

    def check_order(self) -> None:
        """Raises InputError for a section that a more general one hides, as it comes first."""
        sections = list(self.values())
        for number, section in enumerate(sections):
            before = next((each for each in sections[:number] if each.words <= section.words), None)
            if before is not None:
                raise InputError(self.path, 0, f"section [{section.name}] applies to nothing, as [{before.name}] comes first")


def load_sections(path: str, placeholders: tuple[str, ...]) -> Sections:
    """A file of sections."""
    sections, current = Sections(path), None
    with open_text(path) as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            if line.startswith("["):
                name = line.strip("[]")
                if name in sections:
                    raise InputError(path, number, f"section [{name}] is listed twice")
                current = sections[name] = Section(path, name)
                continue
            part, colon, text = line.partition(": ")
            if current is None or not colon or part not in PARTS:
                raise InputError(path, number, f"'{line}' is neither a section nor one of its parts")
            check_placeholders(path, number, text, placeholders)
            if part in current:
                raise InputError(path, number, f"{part} is listed twice in section [{current.name}]")
            current[part] = text
    for name, parts in sections.items():
        if "argument" not in parts:
            raise InputError(path, 0, f"section [{name}] has no argument")
    return sections


def load_choices(path: str, placeholders: tuple[str, ...]) -> Sections:
    """A file of sections, one of which is chosen by the facts of a parameter."""
    sections = load_sections(path, placeholders)
    sections.check_order()
    return sections


def origin(procedure: Procedure, sections: Sections, chosen: list[tuple[str, str]]) -> str:
    """The comment above a generated function: the procedure's line of the table, and the section that converts each argument."""
    said = ", ".join(f"{name} [{section}]" for name, section in chosen)
    return f"/* abi-tables/procedures:{procedure.line}" + (f", by {sections.file}: {said} */" if said else " */")


def fill_section(section: Section, **names: Optional[str]) -> Section:
    """The section with its placeholders filled in."""
    try:
        return Section(section.path, section.name, {part: Template(text).substitute(names) for part, text in section.items()})
    except KeyError as error:
        raise InputError(section.path, 0, f"section [{section.name}] has ${error.args[0]}, which belongs to other sections") from error


def lines_of(sections: Iterable[Section], *parts: str, indent: str = "    ") -> str:
    """The parts of each filled section, a line each."""
    return "\n".join(indent + section[part] for section in sections for part in parts if part in section)
