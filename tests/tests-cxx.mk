# SPDX-License-Identifier: BSD-3-Clause
#
# check-cxx: programs with Open MPI's C++ bindings, natively and through the adapter.
#   make check-cxx MODES=openmpi-to-mpich      one mode only
#   make check-cxx PROGRAMS="p2p errors"       some programs only

BUILD ?= build
PROGRAMS ?=

.PHONY: check-cxx
check-cxx:
	BUILD='$(abspath $(BUILD))' $(if $(MODES),MODES='$(MODES)') PROGRAMS='$(PROGRAMS)' bats tests/cxx/cxx.bats
