#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Evaluates Spack's recipe against a false Spack.

    spack_recipe.py PREFIX PAIR[,PAIR...]

Prints the words of its directives, and then, a line each, what Spack would give make to build and
to install: build ARGUMENT..., install ARGUMENT...
"""

import shlex
import sys
import types
from pathlib import Path

RECIPE = Path(__file__).resolve().parents[2] / "packaging/spack/package.py"
DIRECTIVES = ("conflicts", "depends_on", "license", "maintainers", "requires", "variant", "version")


class Folder(str):
    """A path whose attributes are folders in it."""

    def __getattr__(self, name):
        return Folder(f"{self}/{name}")

    def join(self, name):
        return Folder(f"{self}/{name}")


def directive(name):
    return lambda *words, **options: print("directive", name, *words)


def decorator(*_, **__):
    return lambda function: function


def false_modules():
    """The modules that a recipe imports."""
    package = types.ModuleType("spack.package")
    for name in DIRECTIVES:
        setattr(package, name, directive(name))
    package.run_after = package.on_package_attributes = package.when = decorator
    package.spack_cc = "gcc"
    makefile = types.ModuleType("spack_repo.builtin.build_systems.makefile")
    makefile.MakefilePackage = type("MakefilePackage", (), {})
    return {
        "spack": types.ModuleType("spack"),
        "spack.package": package,
        "spack_repo": types.ModuleType("spack_repo"),
        "spack_repo.builtin": types.ModuleType("spack_repo.builtin"),
        "spack_repo.builtin.build_systems": types.ModuleType("spack_repo.builtin.build_systems"),
        "spack_repo.builtin.build_systems.makefile": makefile,
    }


class Spec(dict):
    def __init__(self, pairs):
        command = types.SimpleNamespace(path=sys.executable)
        super().__init__(python=types.SimpleNamespace(command=command))
        self.variants = {"pairs": types.SimpleNamespace(value=tuple(pairs))}


def main(prefix, pairs):
    sys.modules.update(false_modules())
    scope = {}
    exec(compile(RECIPE.read_text(), str(RECIPE), "exec"), scope)
    package = scope["MpiAdapter"]()
    package.prefix = Folder(prefix)
    package.spec = Spec(pairs.split(","))
    print("build", shlex.join(package.build_targets))
    print("install", shlex.join(package.install_targets))


if __name__ == "__main__":
    main(*sys.argv[1:])
