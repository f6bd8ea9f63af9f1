# SPDX-License-Identifier: BSD-3-Clause
# MPI-Adapter: `make help` lists what can be made. Everything made goes under $(BUILD).

VERSION := 0.1.0
BUILD ?= build
PREFIX ?= /usr/local
PYTHON ?= /usr/bin/python3
ifeq ($(origin CC),default)
CC := gcc
endif
CFLAGS ?= -O2 -g
PAIRS := openmpi-to-mpich mpich-to-openmpi

MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all
.PHONY: all help pairs check check-cluster demo bench deb install uninstall clean

##> make              build the adapter pairs, gotswap and the mpi-adapter command
##> make demo         show programs of Open MPI running on MPICH, and of MPICH on Open MPI
##> make check        build, and run every test
##> make check-cluster  as root: test Slurm, and hosts that are reached by ssh, in namespaces
##> make bench        measure what the adapter costs: tables, plots and data in $(BUILD)/bench
##> make install      install into $(DESTDIR)$(PREFIX), by default /usr/local
##> make uninstall    remove what install has put there
##> make deb          build Debian packages in $(BUILD)/deb
##> make clean        remove what was built
##> demo, check, check-cluster, bench and deb install missing Debian packages when run as root.

all: gotswap pairs probes command

help:
	@sed -n 's/^##> //p' $(MAKEFILE_LIST)

# These do not need the generated makefiles, and must work before anything is installed.
demo check bench:
	scripts/install-packages build generate $@
	$(MAKE) all $(if $(filter check,$@),headers)
	BUILD='$(abspath $(BUILD))' PYTHON='$(PYTHON)' scripts/$@

check-cluster:
	scripts/install-packages build generate cluster
	$(MAKE) all
	BUILD='$(abspath $(BUILD))' scripts/check tests/cluster

deb:
	scripts/install-packages build generate deb
	BUILD='$(abspath $(BUILD))' VERSION='$(VERSION)' packaging/build-deb

clean:
	rm -rf $(BUILD)

ifneq ($(filter-out help clean demo check check-cluster bench deb,$(or $(MAKECMDGOALS),all)),)
include gen/gen.mk gotswap/gotswap.mk scripts/command/command.mk
# These include what the generator makes.
ifneq ($(filter-out gotswap check-gotswap install-gotswap,$(or $(MAKECMDGOALS),all)),)
include adapter-c/adapter-c.mk probe/probe.mk packaging/packaging.mk
endif
include $(wildcard tests/*.mk)

pairs: $(PAIRS)

install: install-gotswap install-pairs install-command install-source install-probes install-modulefiles
	install -d '$(DESTDIR)$(PREFIX)/share/doc/mpi-adapter'
	install -m 644 LICENSE README.md '$(DESTDIR)$(PREFIX)/share/doc/mpi-adapter'

# What install would put there goes, and the folders of this project's name that are then empty.
uninstall:
	@made=$$(mktemp -d) && trap 'rm -rf "$$made" "$$made.log"' EXIT && \
	{ $(MAKE) install DESTDIR="$$made" > "$$made.log" 2>&1 || { cat "$$made.log" >&2; exit 1; }; } && cd "$$made" && \
	find . ! -type d -exec sh -c 'for file; do rm -f "$$0/$$file" || exit; done' '$(DESTDIR)' {} + && \
	find . -depth -type d -path '*/mpi-adapter*' -exec sh -c \
		'for folder; do [ ! -d "$$0/$$folder" ] || rmdir --ignore-fail-on-non-empty "$$0/$$folder"; done' '$(DESTDIR)' {} +
endif
