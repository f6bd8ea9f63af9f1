"""import nothing"""
import os, numpy.core as n, \
    scipy  # import comment
from mpi4py import (MPI,
    more)
if x: from petsc4py import PETSc; y = r'x\'s' + b"""import q"""
module = importlib.import_module('sub.mod'); library(Rmpi); pbdMPI::init("libmpi.so.40")
