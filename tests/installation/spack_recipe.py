#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Evaluates Spack's recipe against a false Spack.

    spack_recipe.py PREFIX PAIR[,PAIR...] [test]

Prints the words of its directives, and then, a line each, what Spack would give make to build and
to install: build ARGUMENT..., install ARGUMENT... With the word test it runs, instead, in the current
folder, the tests that the recipe has for an installation in PREFIX. With the word compilers it does what Spack does with that
variant: links the names in PREFIX, and prints what a dependent package gets, NAME=VALUE.
"""

import os
import re
import shlex
import subprocess
import sys
import types
from pathlib import Path

RECIPE = Path(__file__).resolve().parents[2] / "packaging/spack/package.py"
DIRECTIVES = ("conflicts", "depends_on", "license", "maintainers", "provides", "requires", "variant", "version")


class Folder(str):
    """A path whose attributes are folders in it."""

    def __getattr__(self, name):
        return Folder(f"{self}/{name}")

    def join(self, name):
        return Folder(f"{self}/{name}")


def directive(name):
    def say(*words, default="", values=(), **_):
        print("directive", name, *words, *([f"default={default}", f"values={','.join(values)}"] if values else []))

    return say


class Executable:
    """A command whose output is asked for, of which not more is known here."""

    def __init__(self, path):
        self.path = path

    def __call__(self, *arguments, output=None, error=None):
        done = subprocess.run([self.path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
        return done.stdout if output else None


def decorator(*_, **__):
    return lambda function: function


def false_modules():
    """The modules that a recipe imports."""
    package = types.ModuleType("spack.package")
    for name in DIRECTIVES:
        setattr(package, name, directive(name))
    package.run_after = package.on_package_attributes = package.when = decorator
    package.spack_cc, package.spack_cxx, package.spack_fc = "gcc", "g++", "gfortran"
    package.Executable = Executable
    package.EnvironmentModifications = dict
    package.Spec = Spec
    package.find_headers = package.find_libraries = lambda name, folder, **_: sorted(Path(folder).glob(f"{name}.*"))
    package.cache_extra_test_sources = lambda *_: None
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


class Sources(Folder):
    """The folder in which Spack keeps files of the sources for tests: here the checkout, which has them all."""

    def join(self, *names):
        return "/".join([self, *names])


class Spec(dict):
    def __init__(self, pairs):
        command = types.SimpleNamespace(path=sys.executable)
        super().__init__(python=types.SimpleNamespace(command=command))
        self.variants = {"pairs": types.SimpleNamespace(value=tuple(pairs))}
        self.has_compilers = False

    def satisfies(self, variant):
        assert variant == "+compilers"
        return self.has_compilers


class Changes(dict):
    """Changes of an environment."""

    set = dict.__setitem__

    def prepend_path(self, name, folder):
        self[name] = folder


def evaluated(prefix, pairs):
    """An object of the recipe's class, as for an installation in a prefix."""
    sys.modules.update(false_modules())
    scope = {}
    exec(compile(RECIPE.read_text(), str(RECIPE), "exec"), scope)
    package = scope["MpiAdapter"]()
    package.prefix = Folder(prefix)
    package.spec = Spec(pairs.split(","))
    package.version = re.search(r'^    version\("([^"]*)"', RECIPE.read_text(), re.M)[1]
    package.test_suite = types.SimpleNamespace(current_test_cache_dir=Sources(RECIPE.parents[2]))
    return package


def show_compilers(package):
    """Prints what a package that depends on MPI gets."""
    package.link_conventional_names()
    assert not os.path.lexists(package.prefix.bin.mpicc)
    package.spec.has_compilers = True
    package.link_conventional_names()
    package.setup_dependent_package(None, package.spec)
    run, build = Changes(), Changes()
    package.setup_run_environment(run)
    package.setup_dependent_build_environment(build, package.spec)
    assert set(run) - {"MODULEPATH"} < set(build)
    for name, value in sorted(build.items()):
        print(f"{name}={value}")
    for name in ("mpicc", "mpicxx", "mpifc", "mpif77"):
        print(f"{name}={getattr(package.spec, name)}")
    print(f"headers={package.headers[0]}")
    print(f"libs={package.libs[0]}")


def main(prefix, pairs, *words):
    package = evaluated(prefix, pairs)
    if words == ("compilers",):
        show_compilers(package)
        return
    if words == ("test",):
        for name in [name for name in dir(package) if name.startswith("test_") and callable(getattr(package, name))]:
            getattr(package, name)()
            print("passed", name)
        return
    print("build", shlex.join(package.build_targets))
    print("install", shlex.join(package.install_targets))


if __name__ == "__main__":
    main(*sys.argv[1:])
