# SPDX-License-Identifier: BSD-3-Clause
#
# check-fortran: the Fortran test programs, natively and through the adapter.
#   make check-fortran MODES=adapted                  one mode only
#   make check-fortran PROGRAMS="p2p comms.2008"      some programs only

BUILD ?= build
MODES ?= openmpi mpich adapted reversed
PROGRAMS ?=

.PHONY: check-fortran
check-fortran:
	BUILD='$(abspath $(BUILD))' MODES='$(MODES)' PROGRAMS='$(PROGRAMS)' bats tests/fortran/programs.bats
