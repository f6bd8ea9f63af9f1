# SPDX-License-Identifier: BSD-3-Clause
"""Inquiry of the library, the process and the clock."""
import time
import unittest

from mpi4py import MPI

from support import VERSION, Case, each, there

THREADS = [MPI.THREAD_SINGLE, MPI.THREAD_FUNNELED, MPI.THREAD_SERIALIZED, MPI.THREAD_MULTIPLE]
LIMITS = [
    "MAX_PROCESSOR_NAME", "MAX_ERROR_STRING", "MAX_PORT_NAME", "MAX_INFO_KEY", "MAX_INFO_VAL",
    "MAX_OBJECT_NAME", "MAX_DATAREP_STRING", "MAX_LIBRARY_VERSION_STRING", "BSEND_OVERHEAD",
]


class Environment(Case):
    def test_version(self):
        version, subversion = MPI.Get_version()
        self.assertGreaterEqual(version, 3)
        self.assertGreaterEqual(subversion, 0)

    def test_library_version(self):
        text = MPI.Get_library_version()
        self.assertTrue(text)
        self.assertLess(len(text), MPI.MAX_LIBRARY_VERSION_STRING)

    def test_processor_name(self):
        name = MPI.Get_processor_name()
        self.assertTrue(name)
        self.assertLess(len(name), MPI.MAX_PROCESSOR_NAME)

    def test_initialized(self):
        self.assertTrue(MPI.Is_initialized())

    def test_not_finalized(self):
        self.assertFalse(MPI.Is_finalized())

    def test_thread_level(self):
        self.assertIn(MPI.Query_thread(), THREADS)

    def test_thread_levels_in_order(self):
        self.assertEqual(THREADS, sorted(set(THREADS)))

    def test_main_thread(self):
        self.assertTrue(MPI.Is_thread_main())

    def test_clock(self):
        start = MPI.Wtime()
        time.sleep(0.01)
        self.assertGreater(MPI.Wtime() - start, 0.009)
        self.assertLess(MPI.Wtime() - start, 5)

    def test_tick(self):
        self.assertGreater(MPI.Wtick(), 0)
        self.assertLess(MPI.Wtick(), 1)

    @each(0, 1, 2)
    def test_pcontrol(self, level):
        MPI.Pcontrol(level)

    def test_vendor(self):
        name, version = MPI.get_vendor()
        self.assertEqual(len(version), 3)
        # Releases of mpi4py that are built for any ABI ask the library.
        self.assertTrue(name == "Open MPI" or VERSION >= 4 and name in MPI.Get_library_version())

    @each(*LIMITS)
    def test_limit(self, name):
        self.assertGreater(getattr(MPI, name), 0)


class Attributes(Case):
    def test_tag_ub(self):
        self.assertGreaterEqual(MPI.COMM_WORLD.Get_attr(MPI.TAG_UB), 32767)

    @unittest.skipUnless(hasattr(MPI, "HOST"), "mpi4py 4 has no HOST")
    def test_host(self):
        host = MPI.COMM_WORLD.Get_attr(MPI.HOST)
        self.assertIn(host, [None, MPI.PROC_NULL] + list(range(MPI.COMM_WORLD.Get_size())))

    def test_io(self):
        io = MPI.COMM_WORLD.Get_attr(MPI.IO)
        ranks = list(range(MPI.COMM_WORLD.Get_size()))
        self.assertIn(io, [None, MPI.PROC_NULL, MPI.ANY_SOURCE] + ranks)

    def test_wtime_is_global(self):
        self.assertIn(MPI.COMM_WORLD.Get_attr(MPI.WTIME_IS_GLOBAL), [None, False, True])

    def test_appnum(self):
        self.assertIn(MPI.COMM_WORLD.Get_attr(MPI.APPNUM), [None, 0])

    def test_universe_size(self):
        size = MPI.COMM_WORLD.Get_attr(MPI.UNIVERSE_SIZE)
        self.assertTrue(size is None or size > 0)

    def test_last_used_code(self):
        self.assertGreaterEqual(MPI.COMM_WORLD.Get_attr(MPI.LASTUSEDCODE), MPI.ERR_LASTCODE)

    @each(*there("TAG_UB WTIME_IS_GLOBAL HOST IO"))
    def test_same_on_self(self, name):
        keyval = getattr(MPI, name)
        duplicate = MPI.COMM_WORLD.Dup()
        self.assertEqual(duplicate.Get_attr(keyval), MPI.COMM_WORLD.Get_attr(keyval))
        duplicate.Free()


DISTINCT = {
    "compare": "IDENT CONGRUENT SIMILAR UNEQUAL",
    "topology": "CART GRAPH DIST_GRAPH UNDEFINED",
    "source": "ANY_SOURCE PROC_NULL ROOT",
    "combiner": """COMBINER_NAMED COMBINER_DUP COMBINER_CONTIGUOUS COMBINER_VECTOR
        COMBINER_HVECTOR COMBINER_INDEXED COMBINER_HINDEXED COMBINER_INDEXED_BLOCK
        COMBINER_HINDEXED_BLOCK COMBINER_STRUCT COMBINER_SUBARRAY COMBINER_DARRAY
        COMBINER_RESIZED COMBINER_F90_REAL COMBINER_F90_COMPLEX COMBINER_F90_INTEGER""",
    "order": "ORDER_C ORDER_FORTRAN",
    "typeclass": "TYPECLASS_INTEGER TYPECLASS_REAL TYPECLASS_COMPLEX",
    "seek": "SEEK_SET SEEK_CUR SEEK_END",
    "flavor": "WIN_FLAVOR_CREATE WIN_FLAVOR_ALLOCATE WIN_FLAVOR_DYNAMIC WIN_FLAVOR_SHARED",
    "model": "WIN_SEPARATE WIN_UNIFIED",
    "lock": "LOCK_EXCLUSIVE LOCK_SHARED",
    "predefined_keyval": "TAG_UB HOST IO WTIME_IS_GLOBAL UNIVERSE_SIZE APPNUM LASTUSEDCODE",
}
BITS = {
    "file": """MODE_RDONLY MODE_WRONLY MODE_RDWR MODE_CREATE MODE_EXCL MODE_DELETE_ON_CLOSE
        MODE_UNIQUE_OPEN MODE_SEQUENTIAL MODE_APPEND""",
    "window": "MODE_NOCHECK MODE_NOSTORE MODE_NOPUT MODE_NOPRECEDE MODE_NOSUCCEED",
}


class Constants(Case):
    @each(*DISTINCT)
    def test_distinct(self, name):
        values = [int(getattr(MPI, n)) for n in there(DISTINCT[name])]
        self.assertGreater(len(values), 1)
        self.assertEqual(len(values), len(set(values)))

    @each(*BITS)
    def test_bits(self, name):
        values = [getattr(MPI, n) for n in BITS[name].split()]
        total = 0
        for value in values:
            self.assertEqual(total & value, 0)
            total |= value

    def test_sentinels(self):
        self.assertNotEqual(int(MPI.IN_PLACE), int(MPI.BOTTOM))
        self.assertEqual(int(MPI.BOTTOM), 0)
