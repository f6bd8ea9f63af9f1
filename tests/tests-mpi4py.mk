# SPDX-License-Identifier: BSD-3-Clause
# mpi4py's own tests, with the system's python3-mpi4py.  Included by the top-level Makefile;
# also works alone:  make -f tests/tests-mpi4py.mk check-mpi4py

BUILD ?= build
BATS ?= bats

.PHONY: check-mpi4py

check-mpi4py:
	BUILD='$(abspath $(BUILD))' MPI4PY_RANKS='$(or $(MPI4PY_RANKS),1 2 4)' $(BATS) tests/mpi4py
