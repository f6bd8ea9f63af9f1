# SPDX-License-Identifier: BSD-3-Clause
"""The program that the tests spawn: answers its parent, then leaves."""
import sys

from mpi4py import MPI

parent = MPI.Comm.Get_parent()
comm = MPI.COMM_WORLD
what = sys.argv[1]
if what == "report":
    parent.send({
        "size": comm.Get_size(), "remote": parent.Get_remote_size(), "arguments": sys.argv[2:],
        "appnum": comm.Get_attr(MPI.APPNUM), "library": MPI.Get_library_version(),
    }, 0, 10 + comm.Get_rank())
elif what == "merge":
    merged = parent.Merge(True)
    merged.allreduce(1)
    merged.Free()
elif what == "reduce":
    parent.reduce(comm.Get_rank() + 1, MPI.SUM, 0)
parent.Disconnect()
