# SPDX-License-Identifier: BSD-3-Clause
"""Refusals of emit.py and fortran.py: emit/refused.tsv, and those that take more than one changed line."""

import contextlib
import os
import shutil
import sys
import tempfile
import unittest

from emitted import sides

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "gen"))

import diagnostic
import emit
import fortran

TABLES = os.path.join(HERE, "..", "..", "abi-tables")
SOURCES = {"tables": os.path.join(HERE, "emit", "tables"), "templates": os.path.join(HERE, "..", "..", "templates")}
CASES = os.path.join(HERE, "emit", "refused.tsv")


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def change(path, old, new):
    """Replaces the line that starts with `old`, or appends; gives the line's number."""
    lines = lines_of(path)
    if old == "":
        lines.append(new)
        number = len(lines)
    else:
        number = next(index for index, line in enumerate(lines, 1) if line.startswith(old))
        lines[number - 1:number] = [new] if new else []
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return number


def with_status(output, main, arguments):
    """Ends the process as the program whose `main` this is would, with `output` in the place of stdout and stderr."""
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.argv = ["generator", *arguments]
    status = 0
    try:
        diagnostic.command(main, "cannot read: ")
    except SystemExit as end:
        print(end.code, file=sys.stderr)
        status = 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 2
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


class Refusing(unittest.TestCase):
    def setUp(self):
        """The made-up tables and the real templates, as they are committed."""
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for name, source in SOURCES.items():
            shutil.copytree(source, self.path(name))

    def restore(self, name):
        """One file, as it is committed."""
        folder, _, rest = name.partition("/")
        shutil.copy(os.path.join(SOURCES[folder], rest), self.path(name))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def refused(self, application="alpha", host="beta"):
        """Returns the message of emit.py, which is one line, for the pair, one of its sides, or the files of all pairs. It must
        fail, and write nothing."""
        for _, options in sides(application, host):
            status, said = self.generated(emit.main, self.path("tables"), *options)
            if status:
                break
            shutil.rmtree(self.path("output"))
        return self.message(status, said)

    def refused_for_fortran(self):
        """Returns the message of fortran.py about the templates, likewise. The tables are the real ones, as no made-up ABI has
        Fortran."""
        return self.message(*self.generated(fortran.main, TABLES, "--family", "mpiabi"))

    def generated(self, main, tables, *options):
        """(status, what is printed) of a generator. It runs in a child, which need not load Python and the modules again."""
        arguments = ["--tables", tables, "--templates", self.path("templates"), *options, "--output", self.path("output")]
        with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
            child = os.fork()
            if child == 0:
                with_status(said.fileno(), main, arguments)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            said.seek(0)
            return status, said.read()

    def message(self, status, said):
        self.assertEqual(sorted(os.listdir(self.folder)), ["tables", "templates"])
        self.assertEqual((said.count("\n"), status), (1, 1), said)
        return said.rstrip("\n")

    def place(self, where, changed):
        """FILE, or FILE:LINE of the line that starts with the text given; by default the change."""
        if where == "":
            return changed
        name, _, text = where.partition(":")
        if not text:
            return self.path(name)
        number = next(index for index, line in enumerate(lines_of(self.path(name)), 1) if line.startswith(text))
        return f"{self.path(name)}:{number}"

    def test_one_changed_line(self):
        for case in lines_of(CASES):
            if case.startswith("#"):
                continue
            name, old, new, where, message = case.split("\t")
            with self.subTest(file=name, old=old, new=new):
                number = change(self.path(name), old, new)
                place = self.place(where, f"{self.path(name)}:{number}")
                self.assertEqual(self.refused(), f"{place}: error: {message.replace('$TABLES', self.path('tables'))}")
            self.restore(name)

    def test_a_family_without_tables(self):
        self.assertEqual(self.refused(host="gamma"), f"{self.path('tables')}: error: no tables of the family 'gamma'")

    def test_a_family_without_libraries(self):
        with contextlib.suppress(StopIteration):
            while True:
                change(self.path("tables", "families"), "beta ", "")
        self.assertEqual(self.refused(), f"{self.path('tables', 'families')}: error: no family 'beta'")

    def test_a_line_before_the_first_section(self):
        path = self.path("templates", "parameters.tpl")
        with open(path, "w", encoding="utf-8") as file:
            file.write("argument: $name\n")
        self.assertEqual(self.refused(), f"{path}:1: error: 'argument: $name' is neither a section nor one of its parts")

    def test_a_section_that_lacks_a_part(self):
        path = self.path("templates", "descriptors.tpl")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("failed: its_$name.failed\n", ""))
        self.assertEqual(self.refused(), f"{path}: error: section [counted] has no failed")

    def inputs(self):
        """Every file that they read."""
        for folder, _, names in os.walk(self.folder):
            yield from (os.path.join(folder, name) for name in sorted(names) if not name.endswith(".h"))

    def test_what_is_no_text(self):
        """Each file is read by what refuses bytes that are not UTF-8; that refuses the rest in any file."""
        for path in self.inputs():
            is_of_fortran = "fortran-module-" in path or "fortran-handle-alone" in path
            self.no_text(path, self.refused_for_fortran if is_of_fortran else self.refused, b"# caf\xe9", "byte 0xe9 is not UTF-8")
        for content, message in ((b"\xf0\x9f\n\n", "byte 0xf0 is not UTF-8"), (b"# a\0b", "there is a control character, U+0000"),
                                 (b"# a\x0cb\n", "there is a control character, U+000C"), (b"# a\rb\n", "there is a control character, U+000D")):
            self.no_text(self.path("tables", "rules"), self.refused, content, message)

    def no_text(self, path, refused, content, message):
        with open(path, "rb") as file:
            data = file.read()
        number = data.count(b"\n") + 2
        with self.subTest(file=path, content=content):
            with open(path, "wb") as file:
                file.write(data + b"# na\xc3\xafve\n" + content)
            self.assertEqual(refused(), f"{path}:{number}: error: {message}")
        with open(path, "wb") as file:
            file.write(data)

    def test_lines_of_another_system_and_of_any_length(self):
        for path in self.inputs():
            with open(path, "rb") as file:
                data = file.read()
            with open(path, "wb") as file:
                file.write(data.replace(b"\n", b"\r\n"))
        change(self.path("tables", "rules"), "", "#" * 5000000)
        self.assertIn("procedure needs an MPI_ name", self.at_end_of_procedures())

    def at_end_of_procedures(self):
        change(self.path("tables", "procedures"), "", "MPI_X")
        return self.refused()

    def test_missing_files(self):
        for name in ("tables/rules", "tables/procedures", "tables/families", "tables/beta-2.0/types",
                     "tables/compilers", "tables/codecs", "tables/implementations", "tables/rank-variables",
                     "templates/parameters.tpl", "templates/fortran.tpl", "templates/descriptors.tpl", "templates/wrapper.c", "templates/wrapper-value.c",
                     "templates/wrapper-outcomes.c", "templates/wrapper-failed.c",
                     "templates/fortran-entry.c", "templates/fortran-name.c"):
            with self.subTest(file=name):
                os.remove(self.path(name))
                self.assertEqual(self.refused(),
                                 f"{self.path(name)}: error: cannot read: No such file or directory")
            self.restore(name)
        for name in sorted(os.listdir(self.path("templates"))):
            if name.startswith("fortran-module-"):
                with self.subTest(file=name):
                    os.remove(self.path("templates", name))
                    self.assertEqual(self.refused_for_fortran(),
                                     f"{self.path('templates', name)}: error: cannot read: No such file or directory")
                self.restore(f"templates/{name}")


if __name__ == "__main__":
    unittest.main()
