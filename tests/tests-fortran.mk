# SPDX-License-Identifier: BSD-3-Clause
#
# check-fortran: the Fortran test programs, natively and through the adapter.
#   make check-fortran MODES=openmpi-to-mpich          one mode only: a family, natively, or a pair
#   make check-fortran PROGRAMS="p2p comms.2008"      some programs only

BUILD ?= build
PROGRAMS ?=

.PHONY: check-fortran
check-fortran:
	BUILD='$(abspath $(BUILD))' $(if $(MODES),MODES='$(MODES)') PROGRAMS='$(PROGRAMS)' bats tests/fortran/programs.bats
