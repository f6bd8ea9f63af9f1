# SPDX-License-Identifier: BSD-3-Clause
"""Error classes, codes, strings, exceptions and error handlers."""
import os

import numpy as np
from mpi4py import MPI

from support import Case, each

CLASSES = [name for name in dir(MPI) if name.startswith("ERR_") and name != "ERR_LASTCODE"]
# Those of MPI-4.1 and of fault tolerance, which releases of hosts and the standard ABI lack.
NEW = ("ERR_ERRHANDLER", "ERR_PROC_FAILED", "ERR_PROC_FAILED_PENDING", "ERR_REVOKED")


class Classes(Case):
    def there(self, name):
        """The class, if the host has it."""
        value = getattr(MPI, name)
        if name in NEW and MPI.Get_error_class(value) == MPI.ERR_UNKNOWN:
            self.skipTest("this host has no such class")
        return value

    @each(*CLASSES)
    def test_class_of_class(self, name):
        value = self.there(name)
        self.assertEqual(MPI.Get_error_class(value), value)

    @each(*CLASSES)
    def test_string(self, name):
        text = MPI.Get_error_string(getattr(MPI, name))
        self.assertTrue(text)
        self.assertLess(len(text), MPI.MAX_ERROR_STRING)

    @each(*CLASSES)
    def test_exception(self, name):
        error = MPI.Exception(self.there(name))
        self.assertEqual(error.Get_error_code(), getattr(MPI, name))
        self.assertEqual(error.Get_error_class(), getattr(MPI, name))
        self.assertEqual(error.Get_error_string(), MPI.Get_error_string(getattr(MPI, name)))
        self.assertEqual(int(error), getattr(MPI, name))
        self.assertTrue(error)
        self.assertEqual(error, MPI.Exception(getattr(MPI, name)))

    def test_success(self):
        self.assertEqual(MPI.Get_error_class(MPI.SUCCESS), MPI.SUCCESS)
        self.assertFalse(MPI.Exception(MPI.SUCCESS))

    def test_distinct(self):
        values = [getattr(MPI, name) for name in CLASSES]
        self.assertEqual(len(values), len(set(values)))

    def test_below_last(self):
        self.assertTrue(all(0 < getattr(MPI, name) <= MPI.ERR_LASTCODE for name in CLASSES))

    def test_strings_differ(self):
        texts = {MPI.Get_error_string(getattr(MPI, name)) for name in CLASSES}
        self.assertGreater(len(texts), len(CLASSES) * 3 // 4)

    def test_compare(self):
        error = MPI.Exception(MPI.ERR_COMM)
        self.assertTrue(error == MPI.ERR_COMM and error != MPI.ERR_TAG)
        self.assertTrue(error <= MPI.ERR_LASTCODE and error > MPI.SUCCESS)
        self.assertEqual(hash(error), hash(MPI.ERR_COMM))

    def test_properties(self):
        error = MPI.Exception(MPI.ERR_COMM)
        self.assertEqual((error.error_code, error.error_class), (MPI.ERR_COMM, MPI.ERR_COMM))
        self.assertEqual(error.error_string, str(error))


class Added(Case):
    def test_class(self):
        error_class = MPI.Add_error_class()
        self.assertGreater(error_class, MPI.ERR_LASTCODE)
        self.assertEqual(MPI.Get_error_class(error_class), error_class)

    def test_classes_differ(self):
        values = [MPI.Add_error_class() for _ in range(5)]
        self.assertEqual(len(set(values)), 5)

    def test_code(self):
        error_class = MPI.Add_error_class()
        code = MPI.Add_error_code(error_class)
        self.assertNotEqual(code, error_class)
        self.assertEqual(MPI.Get_error_class(code), error_class)

    def test_code_of_predefined_class(self):
        code = MPI.Add_error_code(MPI.ERR_OTHER)
        self.assertEqual(MPI.Get_error_class(code), MPI.ERR_OTHER)

    def test_string(self):
        error_class = MPI.Add_error_class()
        code = MPI.Add_error_code(error_class)
        MPI.Add_error_string(error_class, "a class of ours")
        MPI.Add_error_string(code, "a code of ours")
        self.assertEqual(MPI.Get_error_string(error_class), "a class of ours")
        self.assertEqual(MPI.Get_error_string(code), "a code of ours")

    def test_long_string(self):
        code = MPI.Add_error_code(MPI.Add_error_class())
        text = "x" * (MPI.MAX_ERROR_STRING - 1)
        MPI.Add_error_string(code, text)
        self.assertEqual(MPI.Get_error_string(code), text)

    def test_string_of_predefined_fails(self):
        with self.assertRaises(MPI.Exception):
            MPI.Add_error_string(MPI.ERR_COMM, "not allowed")

    def test_last_used_code(self):
        code = MPI.Add_error_code(MPI.Add_error_class())
        self.assertGreaterEqual(MPI.COMM_WORLD.Get_attr(MPI.LASTUSEDCODE), code)

    def test_call_errhandler(self):
        code = MPI.Add_error_code(MPI.Add_error_class())
        comm = MPI.COMM_SELF.Dup()
        comm.Set_errhandler(MPI.ERRORS_RETURN)
        comm.Call_errhandler(code)
        comm.Free()

    def test_grequest_returns_code(self):
        code = MPI.Add_error_code(MPI.Add_error_class())

        def query(status):
            raise MPI.Exception(code)

        request = MPI.Grequest.Start(query, None, None)
        request.Complete()
        with self.assertRaises(MPI.Exception) as context:
            request.Wait()
        self.assertEqual(context.exception.Get_error_code(), code)


class HandlersMixin:
    def test_default_after_create(self):
        handler = self.object.Get_errhandler()
        self.assertNotEqual(handler, MPI.ERRHANDLER_NULL)
        handler.Free()

    @each("ERRORS_RETURN", "ERRORS_ARE_FATAL")
    def test_set_and_get(self, name):
        expected = getattr(MPI, name)
        before = self.object.Get_errhandler()
        self.object.Set_errhandler(expected)
        handler = self.object.Get_errhandler()
        self.assertEqual(handler, expected)
        self.object.Set_errhandler(before)

    def test_call(self):
        self.object.Set_errhandler(MPI.ERRORS_RETURN)
        self.object.Call_errhandler(MPI.ERR_OTHER)


class HandlersComm(HandlersMixin, Case):
    def setUp(self):
        self.object = MPI.COMM_SELF.Dup()

    def tearDown(self):
        self.object.Free()

    def test_inherited(self):
        self.object.Set_errhandler(MPI.ERRORS_RETURN)
        copy = self.object.Dup()
        self.assertEqual(copy.Get_errhandler(), MPI.ERRORS_RETURN)
        copy.Free()

    def test_mpi4py_makes_errors_return(self):
        self.assertEqual(MPI.COMM_WORLD.Get_errhandler(), MPI.ERRORS_RETURN)
        self.assertEqual(MPI.COMM_SELF.Get_errhandler(), MPI.ERRORS_RETURN)


class HandlersWin(HandlersMixin, Case):
    def setUp(self):
        self.object = MPI.Win.Create(MPI.BOTTOM, 1, MPI.INFO_NULL, MPI.COMM_SELF)

    def tearDown(self):
        self.object.Free()


class HandlersFile(HandlersMixin, Case):
    def setUp(self):
        path = os.path.join(os.environ["MPI_TEST_DIR"], f"errors.{MPI.COMM_WORLD.Get_rank()}")
        self.object = MPI.File.Open(
            MPI.COMM_SELF, path,
            MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE)

    def tearDown(self):
        self.object.Close()


class Handlers(Case):
    @each("ERRORS_RETURN", "ERRORS_ARE_FATAL")
    def test_fortran(self, name):
        handler = getattr(MPI, name)
        self.assertEqual(MPI.Errhandler.f2py(handler.py2f()), handler)

    def test_null(self):
        self.assertFalse(MPI.ERRHANDLER_NULL)
        self.assertEqual(MPI.Errhandler(), MPI.ERRHANDLER_NULL)

    def test_file_null(self):
        self.assertNotEqual(MPI.FILE_NULL.Get_errhandler(), MPI.ERRHANDLER_NULL)


class Exceptions(Case):
    """The exception of a failing call answers everything that an error code does."""

    def fail(self):
        comm = MPI.COMM_WORLD
        with self.assertRaises(MPI.Exception) as context:
            comm.Send(np.zeros(1), comm.Get_size() + 3)
        return context.exception

    def test_class(self):
        self.assertEqual(self.fail().Get_error_class(), MPI.ERR_RANK)

    def test_code_and_class_agree(self):
        error = self.fail()
        self.assertEqual(MPI.Get_error_class(error.Get_error_code()), error.Get_error_class())

    def test_string(self):
        error = self.fail()
        self.assertTrue(error.Get_error_string())
        self.assertLess(len(error.Get_error_string()), MPI.MAX_ERROR_STRING)

    def test_string_of_code(self):
        error = self.fail()
        self.assertEqual(MPI.Get_error_string(error.Get_error_code()), error.Get_error_string())

    def test_repeated(self):
        for _ in range(200):
            self.assertEqual(self.fail().Get_error_class(), MPI.ERR_RANK)
