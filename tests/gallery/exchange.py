# SPDX-License-Identifier: BSD-3-Clause
"""Buffers of NumPy and pickled objects; the result of each has to be what it is without MPI."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
rows = np.arange(1000.0).reshape(100, 10)[rank::size]
gram = np.empty((10, 10))
comm.Allreduce(rows.T @ rows, gram)
whole = np.arange(1000.0).reshape(100, 10)
words = comm.gather({"rank": rank, "rows": len(rows)})
window = MPI.Win.Allocate(80, comm=comm)
window.Fence()
window.Put(np.full(10, rank + 1.0), (rank + 1) % size)
window.Fence()
received = np.frombuffer(window.tomemory()).sum()
total = comm.allreduce(received)
window.Free()
if rank == 0:
    print(f"ranks {size}\nas-serial {int(np.allclose(gram, whole.T @ whole, rtol=1e-14))}")
    print(f"norm {np.linalg.norm(gram):.12g}\nput {total}\nrows {sum(word['rows'] for word in words)}")
