# SPDX-License-Identifier: BSD-3-Clause
"""compare.py's complaints about made-up outcomes, and which procedures a short run tries."""

import os
import subprocess
import sys
import tempfile
import unittest

COMPARE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare.py")
TABLES = os.path.join(os.path.dirname(COMPARE), "..", "..", "..", "abi-tables")

from bad_calls import chosen, stem, tables  # noqa: E402


class Comparing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("differences")
        self.write("own", "MPI_A\tx=null\tMPI_ERR_ARG", "MPI_B\tx=null\tsignal 11", "MPI_C\t-\tabsent")
        self.write("other", "MPI_A\tx=null\tMPI_SUCCESS", "MPI_B\tx=null\tMPI_SUCCESS")

    def write(self, name, *lines):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)

    def run_it(self, *arguments):
        """Runs compare.py; returns its output without the summary, and its status."""
        done = subprocess.run([sys.executable, "-B", COMPARE, *arguments], cwd=self.folder, capture_output=True,
                              encoding="utf-8", check=False)
        self.assertEqual(done.stderr, "")
        return [line for line in done.stdout.splitlines() if " procedures, " not in line], done.returncode

    def compared(self, *adapted, options=()):
        self.write("adapted", *adapted)
        return self.run_it(*options, "a-to-b", "differences", "own", "other", "adapted")

    def test_a_call_that_ends_where_both_come_back(self):
        self.assertEqual(self.compared("MPI_A\tx=null\tsignal 11"),
                         (["MPI_A with x=null: signal 11; natively MPI_ERR_ARG, MPI_SUCCESS"], 1))

    def test_a_call_that_comes_back_or_that_one_native_mpi_ends(self):
        self.assertEqual(self.compared("MPI_A\tx=null\tMPI_SUCCESS", "MPI_B\tx=null\thangs"), ([], 0))

    def test_a_call_that_both_lack_must_come_back(self):
        self.assertEqual(self.compared("MPI_C\tx=null\texit 1"),
                         (["MPI_C with x=null: exit 1; natively absent"], 1))

    def test_what_is_no_handle_and_is_taken_for_one(self):
        self.write("own", "MPI_A\tx=zero\tMPI_ERR_INFO", "MPI_A\tcount=zero\tMPI_ERR_ARG", "MPI_B\tx=zero\tMPI_SUCCESS")
        self.write("other", "MPI_A\tx=zero\tsignal 11", "MPI_A\tcount=zero\tMPI_ERR_ARG", "MPI_B\tx=zero\tMPI_ERR_FILE")
        said = ["MPI_A with x=zero: MPI_SUCCESS; natively MPI_ERR_INFO, signal 11"]
        self.assertEqual(self.compared("MPI_A\tx=zero\tMPI_SUCCESS", "MPI_A\tcount=zero\tMPI_ERR_ARG",
                                       "MPI_B\tx=zero\tMPI_SUCCESS"), (said, 1))
        self.assertEqual(self.compared("MPI_A\tx=zero\tMPI_ERR_ARG"), ([], 0))

    def test_success_where_both_fail(self):
        self.write("own", "MPI_A\tn=zero\tMPI_ERR_ARG", "MPI_B\tn=zero\tMPI_ERR_ARG")
        self.write("other", "MPI_A\tn=zero\tMPI_ERR_COUNT", "MPI_B\tn=zero\tsignal 11")
        self.assertEqual(self.compared("MPI_A\tn=zero\tMPI_SUCCESS", "MPI_B\tn=zero\tMPI_SUCCESS"),
                         (["MPI_A with n=zero: MPI_SUCCESS; natively MPI_ERR_ARG, MPI_ERR_COUNT"], 1))
        self.assertEqual(self.compared("MPI_A\tn=zero\tMPI_ERR_ARG", "MPI_C\tn=zero\tMPI_SUCCESS"), ([], 0))

    def test_calls_that_natives_say_nothing_of(self):
        self.assertEqual(self.compared("MPI_C\tx=null\texit 1", options=["--known"]), ([], 0))

    def test_a_reason(self):
        self.write("differences", "a-to-b\tMPI_*\tx=*\tso it is", "b-to-a\tMPI_*\tx=*\tanother pair's")
        self.assertEqual(self.compared("MPI_A\tx=null\tsignal 11"), (["a-to-b: 1 of MPI_* x=*: so it is"], 0))

    def test_a_reason_in_vain(self):
        self.write("differences", "*\tMPI_*\tx=*\tso it was", "*\tMPI_B\tx=*\tat times: who knows")
        self.assertEqual(self.compared("MPI_A\tx=null\tMPI_SUCCESS"),
                         (["a-to-b: no call needs the difference 'MPI_* x=*' any more: remove its line"], 1))
        self.assertEqual(self.compared("MPI_A\tx=null\tMPI_SUCCESS", options=["--turn", "0"]), ([], 0))

    def test_tools_raise_no_error(self):
        self.assertEqual(self.compared("MPI_T_A\tx=null\tMPI_ERR_ARG\traised", "MPI_A\tx=null\tMPI_ERR_ARG\traised"),
                         (["MPI_T_A with x=null: raises an error"], 1))

    def test_the_calls_that_can_differ(self):
        self.assertEqual(self.compared(options=["--wanted"]), (["MPI_A\tx=null", "MPI_C\t-"], 0))
        self.assertEqual([self.compared(options=["--wanted", "--turn", turn])[0] for turn in "01"],
                         [["MPI_A\tx=null"], ["MPI_C\t-"]])

    def test_suspects_hang_for_no_known_reason(self):
        self.assertEqual(self.compared("MPI_A\tx=null\thangs", options=["--suspects"]), (["MPI_A\tx=null"], 0))
        self.write("differences", "*\tMPI_A\tx=null\tso it is")
        self.assertEqual(self.compared("MPI_A\tx=null\thangs", options=["--suspects"]), ([], 0))

    def test_valid_calls(self):
        self.write("one", "MPI_A\tvalid\tMPI_ERR_ARG", "MPI_B\tvalid\tMPI_SUCCESS")
        self.write("two", "MPI_A\tvalid\tsignal 11", "MPI_B\tvalid\tMPI_ERR_ARG")
        said, status = self.run_it("--valid", "differences", "one", "two")
        self.assertEqual((len(said), said[0].split(";")[0], status),
                         (1, "MPI_A: the valid call ends in MPI_ERR_ARG, signal 11", 1))
        self.write("values", "fails MPI_A why")
        self.assertEqual(self.run_it("--valid", "values", "one", "two"), ([], 0))
        self.write("values", "fails MPI_A why", "fails MPI_B why")
        said, status = self.run_it("--valid", "values", "one", "two")
        self.assertEqual((said, status), (["'fails MPI_B' of the file of values: the valid call succeeds; remove the line"], 1))


class Choosing(unittest.TestCase):
    def test_each_kind_of_parameter_in_half_of_the_procedures(self):
        rules = tables.load_rules(os.path.join(TABLES, "rules"))
        procedures = tables.load_procedures(os.path.join(TABLES, "procedures"), rules).values()

        def features(some):
            return {(parameter.kind.name, parameter.direction, parameter.extent is not None) for procedure in some
                    for parameter in procedure.parameters}

        names = chosen(procedures)
        short = [procedure for procedure in procedures if stem(procedure.name) in names]
        self.assertEqual(features(procedures) - features(short), set())
        self.assertEqual([each.name for each in procedures if each.flags & {"custom", "built"} and each not in short], [])
        self.assertLess(len(short), 0.55 * len(procedures))


if __name__ == "__main__":
    unittest.main()
