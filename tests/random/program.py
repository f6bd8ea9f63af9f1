# SPDX-License-Identifier: BSD-3-Clause
"""A random program: its objects, its steps, and its text in C.

A step is a block of C that all ranks execute, with the objects that it makes and those that it uses. So a step can be left out, with
those that use what it makes, and the rest is a valid program still: that is how a failing program is shrunk.
"""

import collections
import random


class Thing:
    """An object of a program: `kind` (comm, type, group, ...), its C variable, and what steps need to know of it."""

    NULLS = {"comm": "MPI_COMM_NULL", "type": "MPI_DATATYPE_NULL", "group": "MPI_GROUP_NULL", "op": "MPI_OP_NULL",
             "info": "MPI_INFO_NULL", "errhandler": "MPI_ERRHANDLER_NULL", "keyval": "MPI_KEYVAL_INVALID"}
    TYPES = {"comm": "MPI_Comm", "type": "MPI_Datatype", "group": "MPI_Group", "op": "MPI_Op", "info": "MPI_Info",
             "errhandler": "MPI_Errhandler", "keyval": "int"}
    FREES = {"comm": "MPI_Comm_free", "type": "MPI_Type_free", "group": "MPI_Group_free", "op": "MPI_Op_free",
             "info": "MPI_Info_free", "errhandler": "MPI_Errhandler_free"}

    def __init__(self, kind, name, is_predefined=False, **facts):
        self.kind, self.name, self.is_predefined = kind, name, is_predefined
        self.__dict__.update(facts)

    def __str__(self):
        return self.name

    def declaration(self):
        return f"    {self.TYPES[self.kind]} {self.name} = {self.NULLS[self.kind]};\n"

    def freeing(self):
        free = self.FREES.get(self.kind) or f"MPI_{ {'c': 'Comm', 't': 'Type', 'w': 'Win'}[self.of]}_free_keyval"
        return f"    if ({self.name} != {self.NULLS[self.kind]})\n        OK({free}(&{self.name}));\n"


class Step:
    def __init__(self):
        self.text, self.made, self.used, self.makers = "", [], [], set()


class Program:
    """Draws `length` steps of `steps`, (function, weight) pairs, by the seed."""

    def __init__(self, seed, steps, things=(), length=None):
        self.seed, self.chance = seed, random.Random(seed)
        self.things, self.steps, self.numbers = list(things), [], collections.Counter()
        self.step = None
        length = length or self.chance.randint(3, 16)
        functions, weights = [step for step, _ in steps], [weight for _, weight in steps]
        tries = 0
        while len(self.steps) < length and tries < 20 * length:
            tries += 1
            self.step = Step()
            text = self.chance.choices(functions, weights)[0](self)
            if text:
                self.step.text = text
                self.things += self.step.made
                self.step.makers = {id(each) for thing in self.step.used for each in self.steps if thing in each.made}
                self.steps.append(self.step)

    # ------------------------------------------------------------ what functions of steps draw

    def number(self, low, high):
        return self.chance.randint(low, high)

    def one(self, values):
        return self.chance.choice(values)

    def maybe(self, of=2):
        return self.chance.randrange(of) == 0

    def all_of(self, kind, accept=lambda thing: True):
        return [thing for thing in self.things if thing.kind == kind and accept(thing)]

    def some(self, kind, accept=lambda thing: True):
        """An object of the kind that accept() takes, or None. Newer ones are likelier."""
        found = self.all_of(kind, accept)
        if not found:
            return None
        thing = self.chance.choices(found, range(1, len(found) + 1))[0]
        self.step.used.append(thing)
        return thing

    def new(self, kind, **facts):
        self.numbers[kind] += 1
        thing = Thing(kind, f"{kind}{self.numbers[kind]}", **facts)
        self.step.made.append(thing)
        return thing

    # ------------------------------------------------------------ text

    def closed(self, wanted):
        """Of the numbers of steps those that can stand without the others."""
        kept = set()
        for number, step in enumerate(self.steps):
            if number in wanted and all(any(id(self.steps[other]) == maker for other in kept) for maker in step.makers):
                kept.add(number)
        return kept

    def text(self, name, kept=None):
        """The function of the program, with the steps whose numbers are kept."""
        kept = range(len(self.steps)) if kept is None else sorted(self.closed(kept))
        steps = [(number, self.steps[number]) for number in kept]
        made = [thing for _, step in steps for thing in step.made]
        lines = [f"static void {name}(void)\n{{\n"]
        lines += [thing.declaration() for thing in made]
        for number, step in steps:
            body = "".join(f"        {line}\n" if line and not line.startswith("#") else line + "\n"
                           for line in step.text.strip("\n").split("\n"))
            lines.append(f"    {{\n        at({number + 1});\n{body}    }}\n")
        lines.append("    at(99);\n")
        # Keyvals last: what is freed runs their functions.
        for last in (False, True):
            lines += [thing.freeing() for thing in reversed(made) if (thing.kind == "keyval") == last]
        lines.append('    say_callbacks("freed");\n}\n')
        return "".join(lines)


def batch(programs, level="MPI_THREAD_SINGLE"):
    """A source of several programs: (name, text) pairs, each text a function called program_<name>."""
    names = [name for name, _ in programs]
    rows = "".join(f'    {{ "{name}", program_{name} }},\n' for name in names)
    return ('/* Made by tests/random. */\n#include "support.h"\n\n' + "\n".join(text for _, text in programs) +
            f"\nconst struct program programs[] = {{\n{rows}}};\n"
            f"const int programs_count = {len(names)}, wanted_level = {level};\n")
