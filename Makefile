# SPDX-License-Identifier: BSD-3-Clause
# MPI-Adapter: `make help` lists what can be made. Everything made goes under $(BUILD).

VERSION := 0.1.0
BUILD ?= build
PREFIX ?= /usr/local
PYTHON ?= /usr/bin/python3
CC = gcc
CFLAGS ?= -O2 -g
PAIRS := openmpi-to-mpich

MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all
.PHONY: all help pairs check demo bench install clean

all: gotswap pairs command

help:
	@sed -n 's/^##> //p' $(MAKEFILE_LIST)

##> make              build the adapter pairs, gotswap and the mpi-adapter command
##> make check        build and run every test (installs missing Debian packages when root)
##> make demo         show Open MPI programs running on MPICH
##> make bench        print what the adapter costs
##> make install      install into $(DESTDIR)$(PREFIX), by default /usr/local
##> make clean        remove what was built

-include gen/gen.mk gotswap/gotswap.mk scripts/scripts.mk adapter-c/adapter-c.mk
-include $(wildcard tests/*.mk)

pairs: $(PAIRS)

clean:
	rm -rf $(BUILD)
