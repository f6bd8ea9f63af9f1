# SPDX-License-Identifier: BSD-3-Clause
"""Gives communicators of mpi4py's to a library that is compiled for another MPI, and takes some. Usage: python.py LIBRARY early|late"""
import ctypes
import sys

WORLD, COMM = 0, 3  # part.h


class Part(ctypes.Structure):
    _fields_ = [("begin", ctypes.c_void_p), ("end", ctypes.c_void_p), ("phase", ctypes.c_void_p),
                ("give", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)),
                ("take", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_int, ctypes.c_int)),
                ("work", ctypes.CFUNCTYPE(ctypes.c_int))]


def open_part():
    library = ctypes.CDLL(sys.argv[1])
    library.library_part.restype = ctypes.POINTER(Part)
    return library.library_part().contents


if sys.argv[2] == "early":
    part = open_part()
from mpi4py import MPI
if sys.argv[2] == "late":
    part = open_part()
duplicate = MPI.COMM_SELF.Dup()
duplicate.name = "given"
wrong = [part.take(WORLD, MPI.COMM_WORLD.py2f()), part.take(COMM, duplicate.py2f())]
made = MPI.Comm.f2py(part.give(COMM))
right = not any(wrong) and part.work() and made.name == "given" and made.allreduce(3) == 3 and \
    MPI.Comm.f2py(part.give(WORLD)).size == MPI.COMM_WORLD.size
made.Free()
print("right" if right else wrong)
