# SPDX-License-Identifier: BSD-3-Clause
#
# check-c: the C test programs, natively and through the adapter.
#   make check-c MODES=adapted           one mode only
#   make check-c PROGRAMS="p2p ops"      some programs only

BUILD ?= build
MODES ?= openmpi mpich adapted reversed mpiabi-to-mpich mpiabi-to-openmpi
PROGRAMS ?=

.PHONY: check-c
check-c:
	BUILD='$(BUILD)' MODES='$(MODES)' PROGRAMS='$(PROGRAMS)' bats tests/c/programs.bats
