# SPDX-License-Identifier: BSD-3-Clause
"""The curated tables cover the scanned ones: no procedure and no constant of a release is missing."""

import glob
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = os.path.join(HERE, "..", "..", "abi-tables")
TEMPLATES = os.path.join(HERE, "..", "..", "templates")
sys.path.insert(0, os.path.join(HERE, "..", "..", "gen"))

import abitable
from emitter import procedures as curated
from diagnostic import InputError
from emitter.cfile import parameters_of
from emitter.family import load_families
from emitter.fortran import FortranEmitter
from emitter.pair import HANDLES, Pair
from emitter.wrappers import WrapperEmitter

PROCEDURE = re.compile(r"MPI[XO]?_\w+$")
# Functions that libraries export by such names, and that are no procedures for C programs:
# functions of Fortran modules, MPI-IO's own, and predefined callbacks (constants to programs).
OTHER = {"MPI_AINT_ADD_F90", "MPI_AINT_DIFF_F90", "MPI_WTICK_F90", "MPI_WTIME_F90",
         "MPIO_Completed_request_create", "MPIO_Err_create_code", "MPIO_Err_return_comm",
         "MPIO_Err_return_file", "MPIO_File_create", "MPIO_File_free", "MPIO_File_resolve",
         "MPI_COMM_DUP_FN", "MPI_COMM_NULL_COPY_FN", "MPI_COMM_NULL_DELETE_FN", "MPI_CONVERSION_FN_NULL",
         "MPI_DUP_FN", "MPI_NULL_COPY_FN", "MPI_NULL_DELETE_FN", "MPI_TYPE_DUP_FN",
         "MPI_TYPE_NULL_COPY_FN", "MPI_TYPE_NULL_DELETE_FN", "MPI_WIN_DUP_FN", "MPI_WIN_NULL_COPY_FN",
         "MPI_WIN_NULL_DELETE_FN"}
# An erratum's: a header of MPI-5.0's ABI declares them, and no library that was scanned exports them.
DECLARED_ONLY = {"MPI_Precv_init_c", "MPI_Psend_init_c"}
FAMILIES = {"openmpi", "mpich", "mpiabi"}


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Covering(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folders = [path for path in sorted(glob.glob(os.path.join(TABLES, "*-*"))) if os.path.isdir(path)]
        cls.tables = [abitable.load(path) for path in folders]
        cls.rules = curated.load_rules(os.path.join(TABLES, "rules"))
        cls.procedures = curated.load_procedures(os.path.join(TABLES, "procedures"), cls.rules)
        cls.adapter = "".join(map(text_of, glob.glob(os.path.join(HERE, "..", "..", "adapter-c", "*", "*.[ch]"))))
        cls.exported = {export.symbol for table in cls.tables for export in table.exports
                        if export.type == "function"}
        lines = [line.split() for line in text_of(os.path.join(TABLES, "families")).splitlines()]
        # Names that only headers of other makers declare.
        cls.elsewhere = {words[2] for words in lines if words[1:2] == ["elsewhere"]}

    def known(self, name):
        base = self.procedures.get(name[:-2]) if name.endswith("_c") else None
        return name in self.procedures or (base is not None and base.large)

    def test_every_family_has_tables(self):
        self.assertEqual({table.family for table in self.tables}, FAMILIES)

    def test_every_exported_procedure_is_described(self):
        missing = {name for name in self.exported if PROCEDURE.match(name) and not self.known(name)}
        self.assertEqual(missing, OTHER)

    def test_every_profiling_procedure_is_described(self):
        missing = {name for name in self.exported
                   if re.match(r"PMPI[X]?_\w+$", name) and not self.known(name[1:]) and name[1:] not in OTHER}
        self.assertEqual(missing, set())

    def test_every_declared_procedure_is_described(self):
        missing = {name for table in self.tables for name in table.procedures if not self.known(name)}
        self.assertEqual(missing, set())

    def test_parameters_are_those_of_mpi_5_in_their_order(self):
        """Names tell a rank from a tag, and a count from a displacement, where types do not. Each parameter has the name that a
        header of MPI-5.0 gives it; an array is one there, and constant where it is IN."""
        for name, prototypes in self.newest_prototypes().items():
            procedure = self.procedures.get(name) or self.procedures[name.removesuffix("_c")]
            if "unsupported" in procedure.flags:
                continue
            parameters = parameters_of(procedure, name not in self.procedures)
            for place, parameter in enumerate(each for each in parameters if each.kind.name != "VARARGS"):
                declared = [prototype.params[place] for prototype in prototypes]
                with self.subTest(procedure=name, parameter=parameter.name):
                    self.assertIn(parameter.name, [called.lower() for _, called in declared])
                    if not parameter.kind.is_pointer:
                        self.assertIn(parameter.extent is not None, ["[" in ctype for ctype, _ in declared])
                    if parameter.extent is not None and not parameter.kind.is_pointer:
                        self.assertIn(parameter.direction == "in", ["const" in ctype for ctype, _ in declared])

    def newest_prototypes(self):
        """{name: the prototypes in the headers of MPI-5.0's ABI}."""
        found = {}
        for table in self.tables:
            for name, prototype in table.procedures.items():
                if table.family == "mpiabi" and name not in DECLARED_ONLY:
                    found.setdefault(name, []).append(prototype)
        return found

    def test_large_counts_are_those_of_mpi_5(self):
        declared = self.newest_prototypes()
        for name in filter(declared.get, self.procedures):
            with self.subTest(procedure=name):
                self.assertEqual(self.procedures[name].large, name + "_c" in {*declared, *DECLARED_ONLY})

    def test_every_described_procedure_is_exported(self):
        names = {name for name in self.procedures} | {name + "_c" for name, p in self.procedures.items() if p.large}
        self.assertEqual(names - self.exported - self.elsewhere, DECLARED_ONLY)

    def test_every_constant_has_a_rule(self):
        names = {name for table in self.tables for name in table.constants}
        self.assertEqual(names - set(self.rules.constants), set())

    def test_every_rule_has_a_constant(self):
        names = {name for table in self.tables for name in table.constants}
        self.assertEqual(set(self.rules.constants) - names, set())

    def test_every_kind_is_used(self):
        used = {parameter.kind.name for procedure in self.procedures.values() for parameter in procedure.parameters}
        used |= {procedure.returns for procedure in self.procedures.values()}
        by_hand = {kind for kind in self.rules.kinds if re.search(rf"\b{kind.lower()}_to_(host|app)\b", self.adapter)}
        self.assertEqual(set(self.rules.kinds) - used - by_hand, set())

    def test_every_role_is_used(self):
        used = {kind.role.name for kind in self.rules.kinds.values()}
        self.assertEqual(set(self.rules.roles) - used, set())

    def test_every_section_of_the_templates_applies_to_a_parameter(self):
        used, known = set(), set()
        for name in [line.strip() for line in text_of(os.path.join(TABLES, "pairs")).splitlines() if not line.startswith("#")]:
            pair = Pair(TABLES, self.rules, self.procedures, *name.split("-to-"))
            families = load_families(os.path.join(TABLES, "families"), name.split("-to-"))
            fortran = FortranEmitter(pair, TEMPLATES, families)
            for emitter, procedures in ((WrapperEmitter(pair, TEMPLATES), [each for each in self.procedures.values() if not each.custom]),
                                        (fortran, [each for each, *_ in fortran.procedures() if each.fortran != "custom"])):
                known |= {(emitter.sections.file, section) for section in emitter.sections}
                used |= {(emitter.sections.file, emitter.section(procedure, parameter).name) for procedure in procedures
                         for parameter in procedure.parameters}
        self.assertEqual(known - used, set())

    def test_handles_have_the_kind_of_their_type(self):
        kinds = {self.rules.kinds[handle].ctype: handle for handle in HANDLES}
        for table in self.tables:
            for constant in table.constants.values():
                if constant.type in kinds and "NONE" not in self.rules.constants[constant.name].kinds:
                    with self.subTest(table=table.folder, constant=constant.name):
                        self.assertEqual(self.rules.constants[constant.name].kinds, (kinds[constant.type],))

    def test_other_constants_are_no_handles(self):
        for table in self.tables:
            for constant in table.constants.values():
                if constant.type in ("int", "pointer", "function", "string"):
                    with self.subTest(table=table.folder, constant=constant.name):
                        self.assertFalse(set(self.rules.constants[constant.name].kinds) & set(HANDLES))

    def test_substitutes_are_of_the_same_kind(self):
        for rule in self.rules.constants.values():
            for name in filter(None, (rule.lacks, rule.same)):
                with self.subTest(constant=rule.name, stands=name):
                    self.assertTrue(set(rule.kinds) & set(self.rules.constants[name].kinds))

    def test_what_has_an_operation_for_collective_buffers_reduces(self):
        line = "MPI_X - buf:COLL_BUFFER/inout count:COUNT datatype:DATATYPE op:OP comm:COMM".split()
        with self.assertRaisesRegex(InputError, "does not reduce"):
            curated._procedure("procedures", 1, line, self.rules)

    def test_extents_are_functions_of_the_adapter(self):
        for extent in self.rules.extents.values():
            with self.subTest(extent=extent.name):
                self.assertRegex(self.adapter, rf"\bint {extent.function}\(")


if __name__ == "__main__":
    unittest.main()
