# SPDX-License-Identifier: BSD-3-Clause
"""Reads mpi.h by the compiler's preprocessor and a C parser: names, types and prototypes."""

import re
from typing import Optional, Union

from pycparser import c_ast, c_generator, c_parser
from pycparser.c_ast import Decl, Enum, FuncDecl, FuncDef, PtrDecl, Struct, TypeDecl, Typedef

from diagnostic import InputError
from implementation import release_macros
from scanner.toolchain import Compiler

# Syntax that the parser does not know, removed by the preprocessor: extensions of GNU C, and what C23, the default of
# new compilers, brings into the system's headers.
CLEAN = ["-std=gnu11", "-D__attribute__(x)=", "-D__asm__(x)=", "-D__extension__=", "-D__restrict=restrict",
         "-D__inline=inline", "-D__inline__=inline", "-D__builtin_va_list=char *", "-D__volatile__=volatile",
         "-D_Float128=long double", "-D_Noreturn="]
MARK = "scanned_type_"
OWN = re.compile(r"P?MPI[XO]?_")
NAMED = re.compile(r"MPI[XO]?_[A-Z0-9_]+$")
# Whether the library was built with accelerators: a fact about one build, no part of the ABI.
BUILD_FACTS = re.compile(r"MPIX_\w+_AWARE_SUPPORT$")
RELEASES = release_macros()


def includes(header: str) -> str:
    """The source text that includes the header, and what `mpi-ext.h` declares besides where there is one."""
    return f"#include <stddef.h>\n#include <{header}>\n#if __has_include(<mpi-ext.h>)\n#include <mpi-ext.h>\n#endif\n"


class Header:
    """The names, types and prototypes that a header declares."""

    def __init__(self, compiler: Compiler, header: str) -> None:
        self.compiler, self.text = compiler, includes(header)
        self.path = self._find(header)
        self.typedefs: dict[str, c_ast.Node] = {}
        self.prototypes: dict[str, c_ast.FuncDecl] = {}
        self.enumerators: list[str] = []
        self.variables: set[str] = set()
        self.macros, self.type_macros = self._macros()
        self.expressions: dict[str, c_ast.Node] = {}
        self._parse()

    def _find(self, header: str) -> str:
        """The file that the compiler includes."""
        pattern = re.compile(r'^# 1 "(.*/' + re.escape(header) + ')" 1', re.M)
        found = pattern.search(self.compiler.preprocess(f"#include <{header}>\n"))
        if not found:
            raise InputError(header, 0, "the compiler did not say where it found the header")
        return found[1]

    def _macros(self) -> tuple[list[str], list[str]]:
        """Names of the macros that are values, and of those that are types: not functions, not
        empty, not declarations."""
        text = self.compiler.preprocess(self.text, ["-dM"])
        names = [name for name, body in re.findall(r"^#define (\w+) (.*)$", text, re.M) if body.strip()]
        values = [name for name in names if (NAMED.match(name) or RELEASES.match(name))
                  and not BUILD_FACTS.match(name)]
        types = [name for name in names if OWN.match(name) and name not in values]
        return (self._accepted(values, "__typeof__((0, {name})) *probe_{number};"),
                self._accepted(types, "typedef {name} probe_{number};"))

    def _accepted(self, names: list[str], probe: str) -> list[str]:
        """The names with which a line of C compiles."""
        lines = "".join(probe.format(name=name, number=number) + "\n" for number, name in enumerate(names))
        wrong = self.compiler.errors(f'{self.text}#line 1 "probe"\n{lines}')
        return sorted(name for number, name in enumerate(names, 1) if number not in wrong)

    def _parse(self) -> None:
        types = "".join(f"typedef {name} {MARK}{name};\n" for name in self.type_macros)
        marks = "".join(f"{name};\n" for name in self.macros)
        source = f"{self.text}{types}void scanned_expressions(void) {{\n{marks}}}\n"
        text = self.compiler.preprocess(source, CLEAN)
        try:
            self.tree = c_parser.CParser().parse(text, "mpi.h")
        except c_parser.ParseError as error:
            raise InputError(self.path, 0, f"cannot parse: {error}") from error
        for node in self.tree.ext:
            if isinstance(node, c_ast.FuncDef):
                if node.decl.name == "scanned_expressions":
                    self.expressions = dict(zip(self.macros, node.body.block_items))
            elif isinstance(node, c_ast.Typedef):
                self.typedefs[node.name.removeprefix(MARK)] = node.type
            elif isinstance(node, c_ast.Decl):
                self._declaration(node)
            self._enumerators(node)

    def _declaration(self, node: Decl) -> None:
        if isinstance(node.type, c_ast.FuncDecl):
            if OWN.match(node.name):
                self.prototypes[node.name] = node.type
        elif node.name and "extern" in node.storage:
            self.variables.add(node.name)

    def _enumerators(self, node: Union[Decl, FuncDef, Typedef]) -> None:
        names: list[str] = []

        class Visitor(c_ast.NodeVisitor):
            """Collects enumerators, but not the numbers of MPICH's QMPI interface for tools."""

            def visit_Enum(self, enum: Enum) -> None:
                if enum.values and not (enum.name or "").startswith("QMPI_"):
                    names.extend(value.name for value in enum.values.enumerators)

        Visitor().visit(node)
        self.enumerators += [name for name in names if NAMED.match(name)]

    @property
    def constants(self) -> list[str]:
        """Names of everything that has a value."""
        return sorted({*self.macros, *self.enumerators, *filter(NAMED.match, self.variables)})

    @property
    def callbacks(self) -> list[str]:
        """Names of the function types."""
        return sorted(name for name, node in self.typedefs.items()
                      if OWN.match(name) and self._is_function(node))

    def _is_function(self, node: Union[FuncDecl, PtrDecl, TypeDecl]) -> bool:
        """True for a function type and for another name of one."""
        while isinstance(node, c_ast.TypeDecl) and isinstance(node.type, c_ast.IdentifierType):
            node = self.typedefs.get(" ".join(node.type.names))
        return isinstance(node, c_ast.FuncDecl)

    @property
    def types(self) -> list[str]:
        """Names of the object types, those of the standard first."""
        names = {name for name in self.typedefs if OWN.match(name)} - set(self.callbacks)
        return sorted(names, key=lambda name: (not name.startswith("MPI_"), name))

    def cast(self, name: str) -> Optional[str]:
        """The type that a macro's expression is cast to, by its own name, or None."""
        node = self.expressions.get(name)
        if isinstance(node, c_ast.Cast) and isinstance(node.to_type.type, c_ast.TypeDecl) \
                and isinstance(node.to_type.type.type, c_ast.IdentifierType):
            return " ".join(node.to_type.type.type.names)
        return None

    def variable(self, name: str) -> str:
        """The extern variable that an expression is, or None."""
        node = self.expressions.get(name)
        symbol = node.name if isinstance(node, c_ast.ID) else name
        return symbol if symbol in self.variables else None

    def spelling(self, name: str) -> Optional[str]:
        """A typedef's meaning in C's own types, or None for one without a name for it."""
        node, pointers = self.typedefs[name], ""
        while True:
            if isinstance(node, c_ast.PtrDecl):
                pointers, node = pointers + "*", node.type
            elif isinstance(node, c_ast.TypeDecl):
                node = node.type
            elif isinstance(node, c_ast.IdentifierType) and " ".join(node.names) in self.typedefs:
                node = self.typedefs[" ".join(node.names)]
            else:
                break
        if isinstance(node, c_ast.IdentifierType):
            base = re.sub(r"^((?:unsigned )?(?:short|long|long long)) int$", r"\1", " ".join(node.names))
        elif isinstance(node, (c_ast.Struct, c_ast.Union, c_ast.Enum)) and node.name:
            base = f"{type(node).__name__.lower()} {node.name}"
        else:
            return None
        return base + (" " + pointers if pointers else "")

    def status_fields(self) -> list[str]:
        """Names of the fields of MPI_Status."""
        node = self.typedefs.get("MPI_Status")
        while node is not None and not isinstance(node, c_ast.Struct):
            node = getattr(node, "type", None)
        if node is None:
            raise InputError(self.path, 0, "no structure MPI_Status")
        tree = node if node.decls else self._structure(node.name)
        return [field.name for field in tree.decls]

    def _structure(self, name: str) -> Struct:
        found = []

        class Visitor(c_ast.NodeVisitor):
            def visit_Struct(self, node: Struct) -> None:
                if node.name == name and node.decls:
                    found.append(node)

        for node in self.tree.ext:
            Visitor().visit(node)
        if not found:
            raise InputError(self.path, 0, f"structure {name} is not defined")
        return found[0]

    def prototype(self, name: str) -> str:
        """The normalized prototype of a procedure or callback type, on one line."""
        node = self.prototypes.get(name) or self.typedefs[name]
        while isinstance(node, c_ast.TypeDecl):
            node = self.typedefs[" ".join(node.type.names)]
        result = node.type
        while not isinstance(result, c_ast.TypeDecl):
            result = result.type
        own, result.declname = result.declname, name
        text = c_generator.CGenerator().visit(c_ast.Decl(name, [], [], [], [], node, None, None))
        result.declname = own
        return re.sub(r"\s+", " ", text)
