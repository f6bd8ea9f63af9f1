# SPDX-License-Identifier: BSD-3-Clause
"""The tables' parser: what it makes of a golden table, and what it refuses."""

import os
import re
import shutil
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "golden", "realistic")
sys.path.insert(0, os.path.join(HERE, "..", "..", "gen"))

import abitable
from diagnostic import InputError


class Loading(unittest.TestCase):
    """Every kind of fact, read back."""

    @classmethod
    def setUpClass(cls):
        cls.table = abitable.load(GOLDEN)

    def test_release(self):
        table = self.table
        self.assertEqual((table.family, table.release, table.standard), ("openmpi", "4.9.2", (4, 1)))
        self.assertEqual(table.sonames, ["librealistic.so.40"])

    def test_constants(self):
        facts = {name: (entry.type, entry.kind, entry.value) for name, entry in self.table.constants.items()}
        self.assertEqual(facts["MPI_ANY_SOURCE"], ("int", "int", -1))
        self.assertEqual(facts["MPI_STATUS_IGNORE"], ("pointer", "pointer", 1))
        self.assertEqual(facts["MPI_DOUBLE"], ("MPI_Datatype", "address", "ompi_mpi_datatypes+32"))
        self.assertEqual(facts["MPI_UNWEIGHTED"], ("pointer", "variable", "MPI_UNWEIGHTED"))
        self.assertEqual(facts["MPI_KEY"], ("string", "string", 'a "quoted" \\ key'))

    def test_lines_of_constants_are_those_of_the_file(self):
        with open(os.path.join(GOLDEN, "constants"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        for entry in self.table.constants.values():
            self.assertEqual(lines[entry.line - 1].split()[0], entry.name)

    def test_types(self):
        types = self.table.types
        self.assertEqual((types["MPI_Aint"].size, types["MPI_Aint"].align, types["MPI_Aint"].signed,
                          types["MPI_Aint"].c), (8, 8, True, "long"))
        self.assertIs(types["MPI_Count"].signed, False)
        self.assertIsNone(types["MPI_Status"].signed)
        self.assertIsNone(types["MPI_Status"].c)
        self.assertEqual(types["MPI_File"].c, "struct realistic_file *")

    def test_status_fields(self):
        self.assertEqual({name: (entry.offset, entry.size) for name, entry in self.table.status_fields.items()},
                         {"count_low": (0, 4), "MPI_SOURCE": (4, 4), "MPI_TAG": (8, 4), "MPI_ERROR": (12, 4),
                          "cancelled": (16, 1), "count": (24, 8)})

    def test_procedures(self):
        procedures = self.table.procedures
        self.assertEqual(procedures["MPI_Send"].params[0], ("const void *", "buf"))
        self.assertEqual(procedures["MPI_Send"].return_type, "int")
        self.assertEqual(procedures["MPI_Group_range_incl"].params[1], ("int[][3]", "ranges"))
        self.assertEqual(procedures["MPI_Pcontrol"].params, (("const int", "level"), ("...", "")))
        self.assertEqual(procedures["MPI_Wtime"].params, ())
        self.assertEqual(list(self.table.unprofiled), ["MPI_Aint_add"])

    def test_callbacks(self):
        self.assertEqual(self.table.callbacks["MPI_Handler_function"].params,
                         (("MPI_Comm *", ""), ("int *", ""), ("...", "")))

    def test_exports(self):
        exports = {entry.symbol: (entry.library, entry.type, entry.binding, entry.size)
                   for entry in self.table.exports}
        self.assertEqual(exports["MPI_Send"], ("librealistic.so.40", "function", "weak", 0))
        self.assertEqual(exports["ompi_mpi_datatypes"], ("librealistic.so.40", "object", "", 48))
        self.assertEqual(self.table.needs, {"librealistic_mpifh.so.40": ["librealistic.so.40"]})
        self.assertEqual(self.table.relro["librealistic.so.40"], "partial")

    def test_fortran(self):
        self.assertEqual(self.table.fortran["MPI_SUBARRAYS_SUPPORTED"], 1)
        self.assertEqual(self.table.fortran["MPI_MAX_PORT_NAME"], 1023)
        block = self.table.commons["mpipriv1_"]
        self.assertEqual((block.size, block.variables),
                         (40, (("MPI_BOTTOM", 0), ("MPI_IN_PLACE", 4), ("MPI_STATUS_IGNORE", 8))))


class Committed(unittest.TestCase):
    """The tables of the project."""

    def test_every_committed_table_loads(self):
        folder = os.path.join(HERE, "..", "..", "abi-tables")
        names = [name for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name))]
        self.assertTrue(names)
        for name in names:
            with self.subTest(table=name):
                table = abitable.load(os.path.join(folder, name))
                self.assertEqual(f"{table.family}-{table.release}", name)
                self.assertIn("MPI_COMM_WORLD", table.constants)
                self.assertIn("MPI_Send", table.procedures)


class Refusing(unittest.TestCase):
    """Malformed tables are refused at the right line."""

    def setUp(self):
        self.folder = os.path.join(tempfile.mkdtemp(), "table")
        self.addCleanup(shutil.rmtree, os.path.dirname(self.folder))
        shutil.copytree(GOLDEN, self.folder)

    def refused(self):
        """The parser's message."""
        try:
            abitable.load(self.folder)
        except InputError as error:
            return str(error)
        return "nothing"

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_malformed_lines(self):
        with open(os.path.join(HERE, "malformed.tsv"), encoding="utf-8") as file:
            cases = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
        for name, text, message in cases:
            with self.subTest(file=name, line=text):
                shutil.copy(os.path.join(GOLDEN, name), self.path(name))
                with open(self.path(name), "a+", encoding="utf-8") as file:
                    file.seek(0)
                    number = len(file.readlines()) + 1
                    file.write(text + "\n")
                self.assertEqual(self.refused(), f"{self.path(name)}:{number}: error: {message}")
                shutil.copy(os.path.join(GOLDEN, name), self.path(name))

    def test_missing_files(self):
        for name in abitable.FILES:
            with self.subTest(file=name):
                os.remove(self.path(name))
                self.assertEqual(self.refused(), f"{self.path(name)}: error: cannot read: No such file or directory")
                shutil.copy(os.path.join(GOLDEN, name), self.path(name))

    def test_missing_statements(self):
        for statement in ("release", "standard"):
            with self.subTest(statement=statement):
                with open(os.path.join(GOLDEN, "release"), encoding="utf-8") as file:
                    lines = [line for line in file if not line.startswith(statement)]
                with open(self.path("release"), "w", encoding="utf-8") as file:
                    file.writelines(lines)
                self.assertEqual(self.refused(), f"{self.path('release')}: error: no '{statement}' statement")

    def test_a_file_that_is_not_text(self):
        with open(self.path("types"), "wb") as file:
            file.write(b"\xff\xfe\n")
        self.assertRegex(self.refused(), f"^{re.escape(self.path('types'))}:[0-9]+: error: byte 0x[0-9a-f]+ is not UTF-8$")


if __name__ == "__main__":
    unittest.main()
