# SPDX-License-Identifier: BSD-3-Clause
#
##> make check-gen    test the scanner, the tables and the emitter; needs no MPI
##> make check-tables compare the committed ABI tables with the releases installed here

BUILD ?= build
PYTHON ?= /usr/bin/python3

.PHONY: check-gen check-tables
check-gen:
	BUILD='$(BUILD)' PYTHON='$(PYTHON)' bats tests/gen

gen_families := $(sort $(foreach table,$(wildcard abi-tables/*-*/release),$(firstword $(subst -, ,$(notdir $(patsubst %/release,%,$(table)))))))

check-tables: $(addprefix check-table-,$(gen_families))

# A release that is not installed, or has no table, is passed over.
check-table-%:
	@mkdir -p $(BUILD)/tables
	@command -v mpicc.$* >/dev/null || { echo "check-tables: no mpicc.$* here"; exit 0; }; \
	release=$$($(PYTHON) gen/scan.py --print-release --mpicc mpicc.$*) || exit 1; \
	test -d abi-tables/$$release || { echo "check-tables: no table of $$release"; exit 0; }; \
	$(PYTHON) gen/scan.py --like abi-tables/$$release --package lib$*-dev \
	    --mpicc mpicc.$* --mpifort mpifort.$* --output $(BUILD)/tables/$$release && \
	diff -r abi-tables/$$release $(BUILD)/tables/$$release && \
	echo "check-tables: abi-tables/$$release is up to date"
