# SPDX-License-Identifier: BSD-3-Clause
"""Datatypes: every predefined one, every constructor, their decoding and names."""
import numpy as np
from mpi4py import MPI

from support import Case, contents, each, envelope, named

SIZES = {
    "PACKED": 1, "BYTE": 1, "AINT": 8, "OFFSET": 8, "COUNT": 8, "CHAR": 1, "WCHAR": 4,
    "SIGNED_CHAR": 1, "SHORT": 2, "INT": 4, "LONG": 8, "LONG_LONG": 8, "UNSIGNED_CHAR": 1,
    "UNSIGNED_SHORT": 2, "UNSIGNED": 4, "UNSIGNED_LONG": 8, "UNSIGNED_LONG_LONG": 8, "FLOAT": 4,
    "DOUBLE": 8, "LONG_DOUBLE": 16, "C_BOOL": 1, "INT8_T": 1, "INT16_T": 2, "INT32_T": 4,
    "INT64_T": 8, "UINT8_T": 1, "UINT16_T": 2, "UINT32_T": 4, "UINT64_T": 8, "C_COMPLEX": 8,
    "C_FLOAT_COMPLEX": 8, "C_DOUBLE_COMPLEX": 16, "C_LONG_DOUBLE_COMPLEX": 32, "CXX_BOOL": 1,
    "CXX_FLOAT_COMPLEX": 8, "CXX_DOUBLE_COMPLEX": 16, "CXX_LONG_DOUBLE_COMPLEX": 32,
    "CHARACTER": 1, "LOGICAL": 4, "INTEGER": 4, "REAL": 4, "DOUBLE_PRECISION": 8, "COMPLEX": 8,
    "DOUBLE_COMPLEX": 16, "INTEGER1": 1, "INTEGER2": 2, "INTEGER4": 4, "INTEGER8": 8, "REAL4": 4,
    "REAL8": 8, "REAL16": 16, "COMPLEX8": 8, "COMPLEX16": 16, "COMPLEX32": 32,
}
# Pairs: size of the data, extent with padding.
PAIRS = {
    "SHORT_INT": (6, 8), "TWOINT": (8, 8), "LONG_INT": (12, 16), "FLOAT_INT": (8, 8),
    "DOUBLE_INT": (12, 16), "LONG_DOUBLE_INT": (20, 32),
}
ALIASES = {
    "UNSIGNED_INT": "UNSIGNED", "SIGNED_SHORT": "SHORT", "SIGNED_INT": "INT",
    "SIGNED_LONG": "LONG", "SIGNED_LONG_LONG": "LONG_LONG", "SINT8_T": "INT8_T",
    "SINT16_T": "INT16_T", "SINT32_T": "INT32_T", "SINT64_T": "INT64_T", "INT_INT": "TWOINT",
    "F_INT": "INTEGER", "F_FLOAT": "REAL", "F_DOUBLE": "DOUBLE_PRECISION", "F_COMPLEX": "COMPLEX",
    "F_BOOL": "LOGICAL", "F_DOUBLE_COMPLEX": "DOUBLE_COMPLEX", "F_FLOAT_COMPLEX": "COMPLEX",
}
NAMES = [*SIZES, *PAIRS]
STANDARD = {"CXX_BOOL": "MPI_CXX_BOOL", "TWOINT": "MPI_2INT", "LONG_LONG": "MPI_LONG_LONG_INT",
            "C_COMPLEX": "MPI_C_COMPLEX"}


class Predefined(Case):
    @each(*NAMES)
    def test_size(self, name):
        datatype = getattr(MPI, name)
        size = SIZES[name] if name in SIZES else PAIRS[name][0]
        self.assertEqual(datatype.Get_size(), size)
        self.assertEqual(datatype.size, size)

    @each(*NAMES)
    def test_extent(self, name):
        datatype = getattr(MPI, name)
        extent = SIZES[name] if name in SIZES else PAIRS[name][1]
        self.assertEqual(datatype.Get_extent(), (0, extent))
        self.assertEqual((datatype.lb, datatype.ub, datatype.extent), (0, extent, extent))

    @each(*NAMES)
    def test_true_extent(self, name):
        lower, extent = getattr(MPI, name).Get_true_extent()
        self.assertEqual(lower, 0)
        self.assertGreaterEqual(extent, getattr(MPI, name).Get_size())

    @each(*NAMES)
    def test_envelope(self, name):
        datatype = getattr(MPI, name)
        self.assertEqual(envelope(datatype), (0, 0, 0, MPI.COMBINER_NAMED))
        self.assertTrue(datatype.is_named)
        self.assertTrue(datatype.is_predefined)

    @each(*NAMES)
    def test_decode(self, name):
        datatype = getattr(MPI, name)
        self.assertEqual(datatype.decode(), named(datatype))

    @each("LOGICAL1", "LOGICAL2", "LOGICAL4", "LOGICAL8")
    def test_logical(self, name):
        """Hosts may lack these: another datatype stands in."""
        datatype, size = getattr(MPI, name), int(name[-1])
        self.assertEqual(datatype.Get_size(), size)
        self.assertEqual(datatype.Get_name(), "MPI_" + name)
        self.assertTrue(datatype.is_named)
        self.assertEqual(datatype.decode(), named(datatype))
        self.assertEqual(MPI.Datatype.f2py(datatype.py2f()), datatype)
        mine, result = np.array([1, 0], f"i{size}"), np.zeros(2, f"i{size}")
        MPI.COMM_WORLD.Allreduce([mine, 2, datatype], [result, 2, datatype], MPI.LAND)
        self.assertEqual(list(result), [1, 0])

    @each(*NAMES)
    def test_name(self, name):
        got = getattr(MPI, name).Get_name()
        self.assertTrue(got.startswith("MPI_"), got)

    @each(*NAMES)
    def test_fortran(self, name):
        datatype = getattr(MPI, name)
        self.assertEqual(MPI.Datatype.f2py(datatype.py2f()), datatype)

    @each(*NAMES)
    def test_duplicate(self, name):
        datatype = getattr(MPI, name)
        copy = datatype.Dup()
        self.assertNotEqual(copy, datatype)
        self.assertEqual(copy.Get_size(), datatype.Get_size())
        self.assertEqual(copy.decode(), (datatype, "DUP", {}))
        self.assertFalse(copy.is_named)
        copy.Free()
        self.assertEqual(copy, MPI.DATATYPE_NULL)

    @each(*NAMES)
    def test_send_to_self(self, name):
        datatype = getattr(MPI, name)
        extent = datatype.Get_extent()[1]
        sent = np.arange(3 * extent, dtype="B") % 2
        received, status = np.zeros(3 * extent, "B"), MPI.Status()
        count = 3 * extent if name == "PACKED" else 3
        MPI.COMM_SELF.Sendrecv([sent, count, datatype], 0, 0, [received, count, datatype], 0, 0,
                               status)
        self.assertEqual(status.Get_count(datatype), count)
        if name in SIZES and name != "LONG_DOUBLE" and "LONG_DOUBLE_C" not in name:
            self.assertArray(received, sent)

    @each(*[name for name in NAMES if name != "PACKED"])
    def test_pack(self, name):
        datatype = getattr(MPI, name)
        size = datatype.Pack_size(2, MPI.COMM_SELF)
        self.assertGreaterEqual(size, 2 * datatype.Get_size())
        extent = datatype.Get_extent()[1]
        data, packed, back = np.ones(2 * extent, "B"), bytearray(size), np.zeros(2 * extent, "B")
        position = datatype.Pack(data, packed, 0, MPI.COMM_SELF)
        self.assertGreaterEqual(position, 2 * datatype.Get_size())
        self.assertEqual(datatype.Unpack(packed, 0, back, MPI.COMM_SELF), position)
        self.assertGreaterEqual(back.sum(), 2 * datatype.Get_size())

    @each(*NAMES)
    def test_contiguous_of(self, name):
        datatype = getattr(MPI, name)
        several = datatype.Create_contiguous(3)
        self.assertEqual(several.Get_size(), 3 * datatype.Get_size())
        self.assertEqual(several.Get_extent()[1], 3 * datatype.Get_extent()[1])
        self.assertEqual(several.decode(), (datatype, "CONTIGUOUS", {"count": 3}))
        several.Free()

    @each(*ALIASES)
    def test_alias(self, name):
        self.assertEqual(getattr(MPI, name), getattr(MPI, ALIASES[name]))

    @each("INT", "DOUBLE", "BYTE")
    def test_free_fails(self, name):
        datatype = MPI.Datatype(getattr(MPI, name))
        self.assertError((MPI.ERR_TYPE, MPI.ERR_ARG), datatype.Free)

    @each("INT", "DOUBLE", "LONG_DOUBLE", "FLOAT_INT", "PACKED")
    def test_commit_again(self, name):
        datatype = getattr(MPI, name)
        self.assertEqual(datatype.Commit(), datatype)

    def test_distinct(self):
        different = [name for name in NAMES if name in
                     ("BYTE", "CHAR", "SIGNED_CHAR", "UNSIGNED_CHAR", "SHORT", "INT", "LONG",
                      "UNSIGNED_SHORT", "UNSIGNED", "UNSIGNED_LONG", "FLOAT", "DOUBLE",
                      "LONG_DOUBLE", "PACKED", "WCHAR")]
        handles = {MPI._handleof(getattr(MPI, name)) for name in different}
        self.assertEqual(len(handles), len(different))


# name: (constructor, decoded combiner, decoded parameters, size, extent in bytes for INT)
CONSTRUCTORS = {
    "contiguous": (lambda t: t.Create_contiguous(5), "CONTIGUOUS", {"count": 5}, 5, 20),
    "vector": (lambda t: t.Create_vector(3, 2, 4), "VECTOR",
               {"count": 3, "blocklength": 2, "stride": 4}, 6, 40),
    "vector_negative": (lambda t: t.Create_vector(3, 1, -2), "VECTOR",
                        {"count": 3, "blocklength": 1, "stride": -2}, 3, 20),
    "hvector": (lambda t: t.Create_hvector(3, 2, 20), "HVECTOR",
                {"count": 3, "blocklength": 2, "stride": 20}, 6, 48),
    "indexed": (lambda t: t.Create_indexed([1, 2], [0, 3]), "INDEXED",
                {"blocklengths": [1, 2], "displacements": [0, 3]}, 3, 20),
    "hindexed": (lambda t: t.Create_hindexed([1, 2], [0, 12]), "HINDEXED",
                 {"blocklengths": [1, 2], "displacements": [0, 12]}, 3, 20),
    "indexed_block": (lambda t: t.Create_indexed_block(2, [0, 5]), "INDEXED_BLOCK",
                      {"blocklength": 2, "displacements": [0, 5]}, 4, 28),
    "hindexed_block": (lambda t: t.Create_hindexed_block(2, [0, 20]), "HINDEXED_BLOCK",
                       {"blocklength": 2, "displacements": [0, 20]}, 4, 28),
    "subarray_c": (lambda t: t.Create_subarray([4, 5], [2, 3], [1, 1], MPI.ORDER_C), "SUBARRAY",
                   {"sizes": [4, 5], "subsizes": [2, 3], "starts": [1, 1],
                    "order": MPI.ORDER_C}, 6, 80),
    "subarray_f": (lambda t: t.Create_subarray([4, 5], [2, 3], [1, 1], MPI.ORDER_F), "SUBARRAY",
                   {"sizes": [4, 5], "subsizes": [2, 3], "starts": [1, 1],
                    "order": MPI.ORDER_F}, 6, 80),
    "resized": (lambda t: t.Create_resized(-4, 24), "RESIZED", {"lb": -4, "extent": 24}, 1, 24),
    "resized_zero": (lambda t: t.Create_resized(0, 0), "RESIZED", {"lb": 0, "extent": 0}, 1, 0),
}
DISTRIBUTIONS = {
    "block": (MPI.DISTRIBUTE_BLOCK, MPI.DISTRIBUTE_DFLT_DARG),
    "block_3": (MPI.DISTRIBUTE_BLOCK, 3),
    "cyclic": (MPI.DISTRIBUTE_CYCLIC, MPI.DISTRIBUTE_DFLT_DARG),
    "cyclic_2": (MPI.DISTRIBUTE_CYCLIC, 2),
}
BASES = ["INT", "REAL", "INT32_T", "FLOAT", "UNSIGNED", "INTEGER"]


class Constructors(Case):
    @each(*[(name, base) for name in CONSTRUCTORS for base in BASES])
    def test_decode(self, name, base):
        create, combiner, parameters, _, _ = CONSTRUCTORS[name]
        datatype = create(getattr(MPI, base))
        self.assertEqual(datatype.decode(), (getattr(MPI, base), combiner, parameters))
        datatype.Free()

    @each(*CONSTRUCTORS)
    def test_size_and_extent(self, name):
        create, _, _, size, extent = CONSTRUCTORS[name]
        datatype = create(MPI.INT).Commit()
        self.assertEqual((datatype.Get_size(), datatype.Get_extent()[1]), (4 * size, extent))
        datatype.Free()
        self.assertEqual(datatype, MPI.DATATYPE_NULL)

    @each(*CONSTRUCTORS)
    def test_envelope(self, name):
        create, combiner, _, _, _ = CONSTRUCTORS[name]
        datatype = create(MPI.INT)
        integers, addresses, types, got = envelope(datatype)
        self.assertEqual(got, getattr(MPI, "COMBINER_" + combiner))
        self.assertEqual(datatype.combiner, got)
        parts = contents(datatype)
        self.assertEqual([len(part) for part in parts], [integers, addresses, types])
        self.assertEqual(parts[2], [MPI.INT])
        self.assertEqual(datatype.envelope, datatype.Get_envelope())
        datatype.Free()

    @each(*CONSTRUCTORS)
    def test_of_derived(self, name):
        create, combiner, parameters, _, _ = CONSTRUCTORS[name]
        inner = MPI.DOUBLE.Create_contiguous(2)
        outer = create(inner)
        base, got, _ = outer.decode()
        self.assertEqual(got, combiner)
        self.assertEqual(base.decode(), (MPI.DOUBLE, "CONTIGUOUS", {"count": 2}))
        for datatype in (base, outer, inner):
            datatype.Free()

    @each(*[name for name in CONSTRUCTORS if "negative" not in name and "resized" not in name])
    def test_moves_its_data(self, name):
        datatype = CONSTRUCTORS[name][0](MPI.INT).Commit()
        size, extent = datatype.Get_size() // 4, datatype.Get_extent()[1] // 4
        matrix, flat = np.arange(extent, dtype="i") + 1, np.zeros(size, "i")
        MPI.COMM_SELF.Sendrecv([matrix, 1, datatype], 0, 0, flat, 0)
        self.assertEqual(len(set(flat)), size)
        back = np.zeros(extent, "i")
        MPI.COMM_SELF.Sendrecv(flat, 0, 0, [back, 1, datatype], 0)
        datatype.Free()
        self.assertArray(back[back != 0], matrix[back != 0])
        self.assertEqual(np.count_nonzero(back), size)

    @each(*[name for name in CONSTRUCTORS if "negative" not in name and "resized" not in name])
    def test_pack_external(self, name):
        datatype = CONSTRUCTORS[name][0](MPI.INT).Commit()
        size, extent = datatype.Get_size(), datatype.Get_extent()[1] // 4
        matrix, back = np.arange(extent, dtype="i") + 1, np.zeros(extent, "i")
        self.assertEqual(datatype.Pack_external_size("external32", 1), size)
        packed = bytearray(size)
        at = datatype.Pack_external("external32", matrix, packed, 0)
        self.assertEqual(at, size)
        at = datatype.Unpack_external("external32", packed, 0, back)
        self.assertEqual(at, size)
        big_endian = np.frombuffer(packed, ">i4")
        self.assertArray(sorted(big_endian), sorted(back[back != 0]))
        datatype.Free()

    @each(*[(name, order) for name in DISTRIBUTIONS for order in ("C", "F")])
    def test_darray(self, name, order):
        distribution, argument = DISTRIBUTIONS[name]
        layout = MPI.ORDER_C if order == "C" else MPI.ORDER_F
        total = 0
        for rank in range(2):
            datatype = MPI.INT.Create_darray(
                2, rank, [6, 4], [distribution, MPI.DISTRIBUTE_NONE],
                [argument, MPI.DISTRIBUTE_DFLT_DARG], [2, 1], layout)
            self.assertEqual(datatype.Get_extent()[1], 6 * 4 * 4)
            total += datatype.Get_size()
            base, combiner, parameters = datatype.decode()
            self.assertEqual((base, combiner), (MPI.INT, "DARRAY"))
            self.assertEqual(parameters, {
                "size": 2, "rank": rank, "gsizes": [6, 4],
                "distribs": [distribution, MPI.DISTRIBUTE_NONE],
                "dargs": [argument, MPI.DISTRIBUTE_DFLT_DARG], "psizes": [2, 1],
                "order": layout})
            datatype.Free()
        self.assertEqual(total, 6 * 4 * 4)

    def test_struct(self):
        datatype = MPI.Datatype.Create_struct([2, 1, 3], [0, 8, 16],
                                              [MPI.INT, MPI.DOUBLE, MPI.CHAR])
        base, combiner, parameters = datatype.decode()
        self.assertEqual((base, combiner), (MPI.DATATYPE_NULL, "STRUCT"))
        self.assertEqual(parameters, {"blocklengths": [2, 1, 3], "displacements": [0, 8, 16],
                                      "datatypes": [MPI.INT, MPI.DOUBLE, MPI.CHAR]})
        self.assertEqual(datatype.Get_size(), 8 + 8 + 3)
        self.assertEqual(datatype.Get_true_extent(), (0, 19))
        datatype.Free()

    def test_struct_moves_records(self):
        dtype = np.dtype([("a", "i2"), ("b", "f8"), ("c", "u1", (3,))], align=True)
        datatype = MPI.Datatype.Create_struct(
            [1, 1, 3], [dtype.fields[n][1] for n in "abc"],
            [MPI.INT16_T, MPI.DOUBLE, MPI.UINT8_T]).Create_resized(0, dtype.itemsize).Commit()
        records, received = np.zeros(4, dtype), np.zeros(4, dtype)
        for number in range(4):
            records[number] = (number, number / 2, (number, 2, 3))
        MPI.COMM_SELF.Sendrecv([records, 4, datatype], 0, 0, [received, 4, datatype], 0)
        datatype.Free()
        for field in "abc":
            self.assertArray(received[field], records[field])

    def test_resized_bounds(self):
        datatype = MPI.INT.Create_resized(-8, 32)
        self.assertEqual(datatype.Get_extent(), (-8, 32))
        self.assertEqual(datatype.Get_true_extent(), (0, 4))
        self.assertEqual((datatype.lb, datatype.ub), (-8, 24))
        self.assertEqual((datatype.true_lb, datatype.true_ub, datatype.true_extent), (0, 4, 4))
        datatype.Free()

    def test_large_displacement(self):
        datatype = MPI.BYTE.Create_hindexed([1, 1], [0, 1 << 40])
        self.assertEqual(datatype.Get_extent(), (0, (1 << 40) + 1))
        self.assertEqual(datatype.decode()[2]["displacements"], [0, 1 << 40])
        datatype.Free()

    @each(2, 4, 9, 18)
    def test_f90_integer(self, digits):
        datatype = MPI.Datatype.Create_f90_integer(digits)
        self.assertEqual(datatype.decode(),
                         (MPI.DATATYPE_NULL, "F90_INTEGER", {"r": digits}))
        self.assertFalse(datatype.is_named)
        self.assertTrue(datatype.is_predefined)
        self.assertEqual(datatype.Get_size(), {2: 1, 4: 2, 9: 4, 18: 8}[digits])

    @each((6, 30, 4), (15, 300, 8))
    def test_f90_real(self, precision, exponent, size):
        datatype = MPI.Datatype.Create_f90_real(precision, exponent)
        self.assertEqual(datatype.Get_size(), size)
        self.assertEqual(datatype.decode(), (MPI.DATATYPE_NULL, "F90_REAL",
                                             {"p": precision, "r": exponent}))

    @each((6, 30, 8), (15, 300, 16))
    def test_f90_complex(self, precision, exponent, size):
        datatype = MPI.Datatype.Create_f90_complex(precision, exponent)
        self.assertEqual(datatype.Get_size(), size)
        self.assertEqual(datatype.decode(), (MPI.DATATYPE_NULL, "F90_COMPLEX",
                                             {"p": precision, "r": exponent}))

    @each(*[("INTEGER", n) for n in (1, 2, 4, 8)], ("REAL", 4), ("REAL", 8), ("COMPLEX", 8),
          ("COMPLEX", 16))
    def test_match_size(self, kind, size):
        datatype = MPI.Datatype.Match_size(getattr(MPI, "TYPECLASS_" + kind), size)
        self.assertEqual(datatype.Get_size(), size)
        self.assertTrue(datatype.is_predefined)

    def test_match_size_fails(self):
        self.assertError(MPI.ERR_ARG, MPI.Datatype.Match_size, MPI.TYPECLASS_REAL, 3)

    def test_many(self):
        types = [MPI.INT.Create_contiguous(n + 1).Commit() for n in range(2000)]
        self.assertEqual([t.Get_size() for t in types], [4 * (n + 1) for n in range(2000)])
        for datatype in types:
            datatype.Free()

    def test_deep_nesting(self):
        chain = [MPI.INT.Create_contiguous(1)]
        for _ in range(20):
            chain.append(chain[-1].Create_vector(1, 1, 1))
        self.assertEqual(chain[-1].Get_size(), 4)
        for datatype in chain:
            datatype.Free()


class Names(Case):
    def test_derived_has_none(self):
        datatype = MPI.INT.Create_contiguous(2)
        self.assertEqual(datatype.Get_name(), "")
        datatype.Free()

    @each("x", "a longer name with spaces", "n" * (MPI.MAX_OBJECT_NAME - 1))
    def test_set(self, name):
        datatype = MPI.INT.Create_contiguous(2)
        datatype.Set_name(name)
        self.assertEqual(datatype.Get_name(), name)
        datatype.name = "other"
        self.assertEqual(datatype.name, "other")
        datatype.Free()

    def test_null(self):
        self.assertFalse(MPI.DATATYPE_NULL)

    @each("CHAR", "INT", "LONG", "DOUBLE", "FLOAT", "BYTE", "PACKED", "SHORT", "UNSIGNED_LONG",
          "LONG_DOUBLE", "WCHAR", "INT8_T", "UINT64_T", "AINT", "OFFSET", "COUNT", "C_BOOL",
          "FLOAT_INT", "DOUBLE_INT", "LONG_INT", "SHORT_INT", "LONG_DOUBLE_INT",
          "SIGNED_CHAR", "UNSIGNED_CHAR", "UNSIGNED_SHORT", "UNSIGNED", "UNSIGNED_LONG_LONG",
          "C_DOUBLE_COMPLEX", "C_LONG_DOUBLE_COMPLEX", "INT16_T", "INT32_T", "INT64_T",
          "UINT8_T", "UINT16_T", "UINT32_T")
    def test_standard_name(self, name):
        self.assertEqual(getattr(MPI, name).Get_name(), "MPI_" + name)


class Errors(Case):
    def test_null_size(self):
        self.assertError(MPI.ERR_TYPE, MPI.DATATYPE_NULL.Get_size)

    def test_null_contiguous(self):
        self.assertError(MPI.ERR_TYPE, MPI.DATATYPE_NULL.Create_contiguous, 2)

    def test_uncommitted(self):
        datatype = MPI.INT.Create_contiguous(2)
        with self.assertRaises(MPI.Exception):
            MPI.COMM_SELF.Send([np.zeros(2, "i"), 1, datatype], 0)
        datatype.Free()

    def test_contents_of_named(self):
        with self.assertRaises(MPI.Exception):
            MPI.INT.Get_contents()
