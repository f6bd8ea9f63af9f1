# SPDX-License-Identifier: BSD-3-Clause
"""Reduction operations: every predefined one on every type it is for, and our own."""
import functools
import operator

import numpy as np
from mpi4py import MPI

from support import COMPLEXES, FIXED, INTEGERS, REALS, Case, CommCase, each

LOGICAL = {
    "LAND": lambda a, b: (a.astype(bool) & b.astype(bool)),
    "LOR": lambda a, b: (a.astype(bool) | b.astype(bool)),
    "LXOR": lambda a, b: (a.astype(bool) ^ b.astype(bool)),
}
BITWISE = {"BAND": operator.and_, "BOR": operator.or_, "BXOR": operator.xor}
ARITHMETIC = {"SUM": operator.add, "PROD": operator.mul}
ORDER = {"MAX": np.maximum, "MIN": np.minimum}
FUNCTIONS = {**LOGICAL, **BITWISE, **ARITHMETIC, **ORDER}
PREDEFINED = sorted(FUNCTIONS) + ["MAXLOC", "MINLOC", "REPLACE", "NO_OP"]


def table():
    """(op, MPI's type, numpy's type code) for every combination the standard has."""
    fixed = [(f"{t.Get_name()[4:]}", t, code) for code, t in FIXED.items()]
    integers = [(f"{t.Get_name()[4:]}", t, code) for code, t in INTEGERS.items()]
    reals = [(t.Get_name()[4:], t, code) for code, t in REALS.items()]
    complexes = [(t.Get_name()[4:], t, code) for code, t in COMPLEXES.items()]
    boolean = [("C_BOOL", MPI.C_BOOL, "?")]
    byte = [("BYTE", MPI.BYTE, "B")]
    address = [(n, getattr(MPI, n), "q") for n in ("AINT", "OFFSET", "COUNT")]
    whole = integers + fixed + address
    kinds = [(LOGICAL, integers + fixed + boolean), (BITWISE, whole + byte),
             (ARITHMETIC, whole + reals + complexes), (ORDER, whole + reals)]
    return [(op, t, code, f"{op}_{name}") for ops, types in kinds
            for op in ops for name, t, code in types]


TABLE = table()


def operands(code, which):
    """Small values that no operation on any of the types overflows with."""
    values = np.array([[0, 1, 2, 3, 5, 1], [1, 0, 3, 3, 2, 1]][which])
    return values.astype(code)


class ReduceLocal(Case):
    @each(*[(op, t, code) for op, t, code, _ in TABLE], ids=[name for *_, name in TABLE])
    def test(self, op, datatype, code):
        left, right = operands(code, 0), operands(code, 1)
        expected = FUNCTIONS[op](left, right).astype(code)
        getattr(MPI, op).Reduce_local([left, datatype], [right, datatype])
        self.check(op, right, expected)

    def check(self, op, actual, expected):
        if op in LOGICAL:  # any value but zero is true
            actual, expected = actual.astype(bool), expected.astype(bool)
        self.assertArray(actual, expected)


class Allreduce(CommCase):
    @each(*[(op, t, code) for op, t, code, _ in TABLE], ids=[name for *_, name in TABLE])
    def test(self, op, datatype, code):
        mine = operands(code, self.rank % 2)
        received = np.zeros(len(mine), code)
        self.comm.Allreduce([mine, datatype], [received, datatype], getattr(MPI, op))
        parts = [operands(code, rank % 2) for rank in range(self.size)]
        expected = functools.reduce(FUNCTIONS[op], parts).astype(code)
        ReduceLocal.check(self, op, received, expected)


PAIRS = {"SHORT_INT": "h", "TWOINT": "i", "LONG_INT": "l", "FLOAT_INT": "f", "DOUBLE_INT": "d",
         "LONG_DOUBLE_INT": "g"}


class Location(CommCase):
    @each(*[(op, pair) for op in ("MAXLOC", "MINLOC") for pair in PAIRS])
    def test_allreduce(self, op, pair):
        dtype = np.dtype([("value", PAIRS[pair]), ("index", "i")], align=True)
        sent, received = np.zeros(2, dtype), np.zeros(2, dtype)
        sent["value"] = [self.rank, 7]  # all ranks have the second: the lowest index wins
        sent["index"] = self.rank + 10
        datatype = getattr(MPI, pair)
        self.assertEqual(datatype.Get_extent(), (0, dtype.itemsize))
        self.comm.Allreduce([sent, 2, datatype], [received, 2, datatype], getattr(MPI, op))
        extreme = self.size - 1 if op == "MAXLOC" else 0
        self.assertEqual(list(received["value"]), [extreme, 7])
        self.assertEqual(list(received["index"]), [extreme + 10, 10])

    @each("MAXLOC", "MINLOC")
    def test_objects(self, op):
        value, index = self.comm.allreduce((self.rank, self.rank), getattr(MPI, op))
        extreme = self.size - 1 if op == "MAXLOC" else 0
        self.assertEqual((value, index), (extreme, extreme))


class Predefined(Case):
    @each(*PREDEFINED)
    def test_is_predefined(self, name):
        self.assertTrue(getattr(MPI, name).is_predefined)

    @each(*[name for name in PREDEFINED if name not in ("REPLACE", "NO_OP")])
    def test_is_commutative(self, name):
        self.assertTrue(getattr(MPI, name).Is_commutative())
        self.assertTrue(getattr(MPI, name).is_commutative)

    @each("MAX", "MIN", "SUM", "PROD", "BAND", "BOR", "BXOR")
    def test_call(self, name):
        expected = FUNCTIONS[name](np.array([6]), np.array([3]))[0]
        self.assertEqual(getattr(MPI, name)(6, 3), expected)

    @each("LAND", "LOR", "LXOR")
    def test_call_logical(self, name):
        for a in (0, 1):
            for b in (0, 1):
                expected = FUNCTIONS[name](np.array([a]), np.array([b]))[0]
                self.assertEqual(bool(getattr(MPI, name)(a, b)), bool(expected))

    def test_distinct(self):
        operations = [getattr(MPI, name) for name in PREDEFINED]
        handles = {MPI._handleof(operation) for operation in operations}
        self.assertEqual(len(handles), len(PREDEFINED))

    @each(*PREDEFINED)
    def test_fortran(self, name):
        operation = getattr(MPI, name)
        self.assertEqual(MPI.Op.f2py(operation.py2f()), operation)

    @each("MAX", "SUM")
    def test_free_fails(self, name):
        operation = MPI.Op(getattr(MPI, name))
        self.assertError((MPI.ERR_OP, MPI.ERR_ARG), operation.Free)

    @each("MAX", "MIN", "SUM", "PROD")
    def test_reduce_local_empty(self, name):
        getattr(MPI, name).Reduce_local(np.zeros(0), np.zeros(0))


def combine(inbuf, inoutbuf, datatype):
    """An associative operation that does not commute: keep the left operand's sign."""
    a = np.frombuffer(inbuf, "d")
    b = np.frombuffer(inoutbuf, "d")
    b[:] = np.copysign(np.abs(a) + np.abs(b), a)


class User(CommCase):
    @each(True, False)
    def test_is_commutative(self, commute):
        operation = MPI.Op.Create(combine, commute)
        self.assertIs(operation.Is_commutative(), commute)
        self.assertFalse(operation.is_predefined)
        operation.Free()
        self.assertEqual(operation, MPI.OP_NULL)

    @each("Allreduce", "Reduce", "Scan", "Iallreduce", "Ireduce", "Iscan")
    def test_ordered(self, name):
        operation = MPI.Op.Create(combine, False)
        sent = np.full(3, -1.0 if self.rank == 0 else 1.0)
        received = np.zeros(3)
        request = getattr(self.comm, name)(sent, received, operation)
        if request is not None:
            request.Wait()
        operation.Free()
        last = self.rank + 1 if "can" in name else self.size
        if "educe" in name and "ll" not in name and self.rank != 0:
            return
        self.assertArray(received, [-float(last)] * 3)

    @each("INT", "DOUBLE", "UNSIGNED_LONG", "C_DOUBLE_COMPLEX", "BYTE")
    def test_datatype_given(self, name):
        seen = []

        def keep(inbuf, inoutbuf, given):
            seen.append(given == datatype)

        operation = MPI.Op.Create(keep, True)
        datatype = getattr(MPI, name)
        operation.Reduce_local([np.zeros(4, "D"), 1, datatype], [np.zeros(4, "D"), 1, datatype])
        operation.Free()
        self.assertEqual(seen, [True])

    def test_derived_datatype_given(self):
        seen = []
        pair = MPI.DOUBLE.Create_contiguous(2).Commit()

        def add(inbuf, inoutbuf, datatype):
            seen.append((datatype == pair, datatype.Get_size()))
            np.frombuffer(inoutbuf, "d")[:] += np.frombuffer(inbuf, "d")

        operation = MPI.Op.Create(add, True)
        received = np.zeros(4)
        self.comm.Allreduce([np.arange(4.0), 2, pair], [received, 2, pair], operation)
        operation.Free()
        self.assertArray(received, np.arange(4.0) * self.size)
        if self.size > 1:
            self.assertTrue(all(size == 16 for _, size in seen))
        pair.Free()

    def test_reduce_local(self):
        operation = MPI.Op.Create(combine, False)
        target = np.array([3.0, -4.0])
        operation.Reduce_local(np.array([-1.0, 2.0]), target)
        operation.Free()
        self.assertArray(target, [-4.0, 6.0])

    def test_reduce_scatter(self):
        operation = MPI.Op.Create(combine, False)
        received = np.zeros(1)
        self.comm.Reduce_scatter_block(np.full(self.size, -1.0), received, operation)
        operation.Free()
        self.assertArray(received, [-float(self.size)])

    def test_exscan(self):
        operation = MPI.Op.Create(combine, False)
        received = np.zeros(1)
        self.comm.Exscan(np.full(1, -1.0 if self.rank == 0 else 1.0), received, operation)
        operation.Free()
        if self.rank > 0:
            self.assertArray(received, [-float(self.rank)])

    def test_calls_mpi(self):
        def nested(inbuf, inoutbuf, datatype):
            self.assertEqual(MPI.COMM_SELF.Get_size(), 1)
            self.assertEqual(datatype.Get_extent()[1], 8)
            MPI.SUM.Reduce_local([inbuf, datatype], [inoutbuf, datatype])

        operation = MPI.Op.Create(nested, True)
        received = np.zeros(5)
        self.comm.Allreduce(np.arange(5.0), received, operation)
        operation.Free()
        self.assertArray(received, np.arange(5.0) * self.size)

    def test_several_at_once(self):
        def maker(factor):
            def scaled(inbuf, inoutbuf, datatype):
                np.frombuffer(inoutbuf, "d")[:] = factor * np.frombuffer(inbuf, "d")
            return scaled

        operations = [MPI.Op.Create(maker(n)) for n in range(16)]
        self.assertEqual(len({MPI._handleof(op) for op in operations}), 16)
        for number, operation in enumerate(operations):
            target = np.zeros(1)
            operation.Reduce_local(np.array([2.0]), target)
            self.assertArray(target, [2.0 * number])
        for operation in operations:
            operation.Free()

    def test_pool_is_finite_and_reused(self):
        operations = []
        with self.assertRaises(RuntimeError):
            for _ in range(100):
                operations.append(MPI.Op.Create(combine))
        for operation in operations:
            operation.Free()
        MPI.Op.Create(combine).Free()

    def test_create_and_free_often(self):
        for number in range(300):
            operation = MPI.Op.Create(combine, bool(number % 2))
            target = np.array([1.0])
            operation.Reduce_local(np.array([-1.0]), target)
            self.assertArray(target, [-2.0])
            operation.Free()

    def test_freed_while_pending(self):
        operation = MPI.Op.Create(combine, True)
        received = np.zeros(1)
        request = self.comm.Iallreduce(np.array([1.0]), received, operation)
        request.Wait()
        operation.Free()
        self.assertArray(received, [float(self.size)])

    def test_python_callable(self):
        operation = MPI.Op.Create(lambda a, b, t: None)
        self.assertTrue(operation)
        operation.Free()
        self.assertFalse(operation)
