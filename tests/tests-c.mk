# SPDX-License-Identifier: BSD-3-Clause
#
# check-c: the C test programs, natively and through the adapter.
#   make check-c MODES=openmpi-to-mpich   one mode only: a family, natively, a pair, or a chain of pairs
#   make check-c PROGRAMS="p2p ops"       some programs only

BUILD ?= build
PROGRAMS ?=

.PHONY: check-c
check-c:
	BUILD='$(BUILD)' $(if $(MODES),MODES='$(MODES)') PROGRAMS='$(PROGRAMS)' bats tests/c/programs.bats
