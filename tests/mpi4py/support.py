# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the test modules: parametrized tests, communicators, arrays."""
import functools
import inspect
import unittest

import mpi4py
import numpy as np
from mpi4py import MPI

WORLD = MPI.COMM_WORLD
# mpi4py 4 decodes predefined datatypes to a tuple, and gives the counts of large datatypes beside the others.
VERSION = int(mpi4py.__version__.partition(".")[0])


def envelope(datatype):
    """Numbers of integers, addresses and datatypes, and the combiner."""
    found = datatype.Get_envelope()
    return found if VERSION < 4 else (*found[:2], *found[3:])


def contents(datatype):
    """Integers, addresses and datatypes."""
    found = datatype.Get_contents()
    return found if VERSION < 4 else (*found[:2], found[3])


def named(datatype):
    """The tuple that a predefined datatype is decoded to."""
    return datatype if VERSION < 4 else (datatype, "NAMED", {})


def there(names):
    """Those of the names, with blanks between, that this mpi4py has."""
    return [name for name in names.split() if hasattr(MPI, name)]


def _label(value):
    if isinstance(value, tuple):
        return "_".join(_label(item) for item in value)
    if isinstance(value, MPI.Datatype):
        return value.Get_name() or "unnamed"
    if hasattr(value, "__name__"):
        return value.__name__
    return str(value).replace(".", "_").replace(" ", "")


def each(*values, ids=None):
    """Make one test of a method for each value; a tuple is several arguments."""
    ids = ids or [_label(value) for value in values]

    def mark(method):
        method.values = tuple(zip(ids, values))
        return method

    return mark


class Case(unittest.TestCase):
    """A test whose methods marked with each() are as many tests."""

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        for name in dir(cls):
            method = getattr(cls, name)
            if inspect.isfunction(method) and hasattr(method, "values"):
                setattr(cls, name, None)  # hides a mixin's method from the loader
                for label, value in method.values:
                    cls._add(f"{name}__{label}", method, value)

    @classmethod
    def _add(cls, name, method, value):
        arguments = value if isinstance(value, tuple) else (value,)

        @functools.wraps(method)
        def test(self):
            return method(self, *arguments)

        del test.values
        assert name not in vars(cls), f"two tests called {name}"
        setattr(cls, name, test)

    def assertError(self, error_class, function, *arguments, **options):
        """Check that a call fails with an error of the class."""
        with self.assertRaises(MPI.Exception) as context:
            function(*arguments, **options)
        classes = error_class if isinstance(error_class, tuple) else (error_class,)
        self.assertIn(context.exception.Get_error_class(), classes, str(context.exception))

    def assertArray(self, actual, expected):
        np.testing.assert_array_equal(np.asarray(actual), np.asarray(expected))


class CommCase(Case):
    """Tests on self.comm; make() says which, and the sizes are at hand."""

    @staticmethod
    def make():
        return MPI.COMM_WORLD

    def setUp(self):
        self.comm = self.make()
        self.rank, self.size = self.comm.Get_rank(), self.comm.Get_size()
        self.right, self.left = (self.rank + 1) % self.size, (self.rank - 1) % self.size

    def tearDown(self):
        if self.comm not in (MPI.COMM_WORLD, MPI.COMM_SELF) and self.comm:
            self.comm.Free()


def world():
    return MPI.COMM_WORLD


def self_():
    return MPI.COMM_SELF


def duplicate():
    return MPI.COMM_WORLD.Dup()


def backwards():
    """The ranks of the world in reverse."""
    return MPI.COMM_WORLD.Split(0, -MPI.COMM_WORLD.Get_rank())


def on(namespace, mixin, *makers, base=CommCase):
    """Make a test class of a mixin for each of several communicators."""
    for maker in makers:
        suffix = maker.__name__.strip("_").capitalize()
        name = mixin.__name__.removesuffix("Mixin") + suffix
        body = {"make": staticmethod(maker), "__module__": mixin.__module__}
        namespace[name] = type(base)(name, (mixin, base), body)


# The C types of numpy arrays: numpy's type code and MPI's datatype.
INTEGERS = {
    "b": MPI.SIGNED_CHAR, "h": MPI.SHORT, "i": MPI.INT, "l": MPI.LONG, "q": MPI.LONG_LONG,
    "B": MPI.UNSIGNED_CHAR, "H": MPI.UNSIGNED_SHORT, "I": MPI.UNSIGNED,
    "L": MPI.UNSIGNED_LONG, "Q": MPI.UNSIGNED_LONG_LONG,
}
REALS = {"f": MPI.FLOAT, "d": MPI.DOUBLE, "g": MPI.LONG_DOUBLE}
COMPLEXES = {"F": MPI.C_FLOAT_COMPLEX, "D": MPI.C_DOUBLE_COMPLEX, "G": MPI.C_LONG_DOUBLE_COMPLEX}
CODES = {**INTEGERS, **REALS, **COMPLEXES}
FIXED = {
    "i1": MPI.INT8_T, "i2": MPI.INT16_T, "i4": MPI.INT32_T, "i8": MPI.INT64_T,
    "u1": MPI.UINT8_T, "u2": MPI.UINT16_T, "u4": MPI.UINT32_T, "u8": MPI.UINT64_T,
}

NULL = [
    MPI.COMM_NULL, MPI.GROUP_NULL, MPI.DATATYPE_NULL, MPI.REQUEST_NULL, MPI.OP_NULL,
    MPI.INFO_NULL, MPI.ERRHANDLER_NULL, MPI.MESSAGE_NULL, MPI.WIN_NULL, MPI.FILE_NULL,
]
