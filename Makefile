# SPDX-License-Identifier: BSD-3-Clause
# MPI-Adapter: `make help` lists what can be made. Everything made goes under $(BUILD).

VERSION := 1.0.0
# The project's site, for packages and recipes. Empty, they name none.
HOMEPAGE ?=
BUILD ?= build
PREFIX ?= /usr/local
PYTHON ?= /usr/bin/python3
ifeq ($(origin CC),default)
CC := gcc
endif
# Functions and lines are enough for a stack; variables, which -g adds, take a tenth of a build's time.
CFLAGS ?= -O2 -g1
PAIRS := $(shell sed /^\#/d abi-tables/pairs)

include scripts/rules.mk
# The sources that are installed have no tests.
-include tests/matrix/matrix.mk

MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all
.PHONY: all help pairs check soak fuzz random mutants vendors demo picture records docs bench dist deb rpm tarball install install-documents install-list install-manifest uninstall clean

##> make              build the adapter pairs, gotswap, the mpi-adapter command and mpicc_abi
##> make demo         show programs of Open MPI running on MPICH, the reverse, and of the standard ABI on both
##> make check        build, and run the tests; or TESTS='c pairs/trace.bats', folders and files of tests/, and of these the tests
##>                   that are NAMED='PATTERN'; with MODES='FAMILY A-to-B', what is tried in several modes in these only;
##>                   with LONG=yes, also what takes minutes: the whole benchmark, Debian's packages, stacks of two pairs
##> make soak         make and free 10^8 objects of each kind, or COUNT=N, or KINDS='comm op': half an hour for each pair;
##>                   memory must not grow; an interrupt ends it, and it says how far each kind came
##> make fuzz         give damaged files to all that reads files, an hour for each reader, or SECONDS=N, or TARGETS='NAME...'
##> make random       run random MPI programs natively and through each pair, and name those that print something else;
##>                   COUNT=3000 of each kind, SEED=0 of the first, KINDS=amt, LINES=500 launch lines; it goes on where it was stopped
##> make mutants      put small faults into the product and name those that no test sees;
##>                   ROOMS='calls trace', COUNT=7 of each, SEED=1, or AGAIN=yes: those that survived
##> make vendors      run programs of tests/c on the releases of MPIs in tests/vendors/cells.tsv, which pip fetches; writes
##>                   docs/vendors.md, cell by cell; MPIS='5.0.2' runs those again
##> make bench        measure what the adapter costs, in three minutes: a table of start, latency, rate and kernels;
##>                   WHOLE=yes measures everything in some forty: tables, plots and data in $(BUILD)/bench;
##>                   BENCH_JOBS='2 64 512' measures the start, the whole time and the memory of jobs of so many ranks;
##>                   BENCH_ALSO='NAME=COMMAND PREFIX' measures another layer beside it
##> make picture      run the demonstration in a terminal, and draw README's picture of it, docs/demo.svg
##> make records      put the rows of docs/records into the tables of the pages
##> make docs         make an HTML site of the documentation in $(BUILD)/docs/html
##> make install      install into $(DESTDIR)$(PREFIX), by default /usr/local
##> make uninstall    remove what install has put there
##> make dist         pack the sources in $(BUILD)/dist, the same bytes each time, with their checksum and recipes that name both
##> make deb          build Debian packages in $(BUILD)/deb; with ARCH=arm64, for that architecture
##> make rpm          build RPM packages in $(BUILD)/rpm; with PAIRS='PAIR...', of these pairs
##> make tarball      as root: build what runs on glibc 2.17 and later from any folder, in $(BUILD)/tarball; with ARCH=arm64, for aarch64
##> make clean        remove what was built
##> dist, deb and rpm take HOMEPAGE='https://...', the site that packages and recipes name.
##> As many jobs run as there are processors, or -jN; V=1 shows whole commands.
##> demo, picture, check and its like, soak, fuzz, random, docs, bench, deb, rpm and tarball install missing Debian packages when run as root, and say first which;
##> make itself only says which are missing.

all: gotswap pairs probes command detour compile fortran

help:
	@sed -n 's/^##> //p' $(MAKEFILE_LIST)

# These do not need the generated makefiles, and must work before anything is installed.
check bench:
	$(if $(filter check,$@),@TESTS='$(TESTS)' MODES='$(MODES)' scripts/check --names)
	$(if $(and $(filter bench,$@),$(BENCH_ALSO)),'$(PYTHON)' bench/also.py)
	scripts/install-packages build generate $@
	$(MAKE) all $(if $(filter check,$@),headers command-tools)
	BUILD='$(abspath $(BUILD))' PYTHON='$(PYTHON)' TESTS='$(TESTS)' MODES='$(MODES)' NAMED='$(NAMED)' LONG='$(LONG)' WHOLE='$(WHOLE)' scripts/$@

# It builds by itself, as what that says goes to its log.
demo:
	@scripts/install-packages build generate $@
	@+BUILD='$(abspath $(BUILD))' PYTHON='$(PYTHON)' MAKE='$(MAKE)' scripts/as-owner scripts/$@

picture:
	@scripts/install-packages build generate demo
	'$(PYTHON)' scripts/$@ record

records:
	'$(PYTHON)' scripts/$@ write

# A kind that memory grows by fails; COUNT=1000000 takes minutes.
soak:
	scripts/install-packages build generate check
	$(MAKE) all headers command-tools
	BUILD='$(abspath $(BUILD))' COUNT='$(or $(COUNT),100000000)' KINDS='$(KINDS)' tests/soak/soak '$(abspath $(BUILD))/soak'

# The corpus is kept, and the next run begins with it.
fuzz:
	scripts/install-packages build generate $@
	$(MAKE) all
	BUILD='$(abspath $(BUILD))' tests/fuzz/fuzz long '$(abspath $(BUILD))/fuzz' $(or $(SECONDS),3600) $(TARGETS)

# One program is shrunk by `tests/random/random shrink NAME`.
random:
	scripts/install-packages build generate check
	$(MAKE) all headers
	$(if $(KINDS),,BUILD='$(abspath $(BUILD))' '$(PYTHON)' tests/random/lines run --seed $(or $(SEED),0) --count $(or $(LINES),500))
	BUILD='$(abspath $(BUILD))' '$(PYTHON)' tests/random/random run --seed $(or $(SEED),0) --count $(or $(COUNT),3000) $(if $(KINDS),--kinds '$(KINDS)')
	BUILD='$(abspath $(BUILD))' '$(PYTHON)' tests/random/random score

# A run with the same SEED goes on where the one before was stopped.
mutants:
	scripts/install-packages build generate check
	BUILD='$(abspath $(BUILD))' '$(PYTHON)' tests/mutants/mutants $(if $(AGAIN),--again,--seed $(or $(SEED),1) --count $(or $(COUNT),7)) $(ROOMS)
	BUILD='$(abspath $(BUILD))' '$(PYTHON)' tests/mutants/mutants --score

vendors:
	scripts/install-packages build generate check
	$(MAKE) all
	'$(PYTHON)' tests/vendors/matrix.py '$(BUILD)' $(MPIS)
	'$(PYTHON)' scripts/records write

# Read where they lie; what a reader would stumble over is an error. The start page has its usual name, too.
docs:
	scripts/install-packages $@
	@mkdir -p '$(BUILD)/$@'
	'$(PYTHON)' -m sphinx -q -E -a -n -W --keep-going -c docs -d '$(BUILD)/$@/doctrees' . '$(BUILD)/$@/html'
	@cp '$(BUILD)/$@/html/README.html' '$(BUILD)/$@/html/index.html'
	@echo '$(BUILD)/$@/html/index.html'

dist:
	@BUILD='$(abspath $(BUILD))' VERSION='$(VERSION)' HOMEPAGE='$(HOMEPAGE)' packaging/build-dist

deb:
	scripts/install-packages build generate deb
	BUILD='$(abspath $(BUILD))' VERSION='$(VERSION)' HOMEPAGE='$(HOMEPAGE)' ARCH='$(ARCH)' packaging/build-deb

rpm:
	scripts/install-packages build generate rpm
	BUILD='$(abspath $(BUILD))' VERSION='$(VERSION)' HOMEPAGE='$(HOMEPAGE)' PAIRS='$(PAIRS)' PYTHON='$(PYTHON)' packaging/build-rpm

# The oldest Debian that can be had builds it, in a root.
tarball:
	scripts/install-packages roots
	BUILD='$(abspath $(BUILD))' VERSION='$(VERSION)' ARCH='$(ARCH)' packaging/build-tarball

clean:
	rm -rf "$$(readlink -f '$(BUILD)')" '$(BUILD)'

# By the manifest alone: nothing is built for it.
uninstall:
	@packaging/uninstall '$(manifest)' '$(DESTDIR)'

ifneq ($(filter-out help clean uninstall demo check matrix $(matrix) soak fuzz random mutants vendors picture records docs bench dist deb rpm tarball,$(or $(MAKECMDGOALS),all)),)
# For gotswap alone, the compiler says what it needs.
ifeq ($(wildcard $(BUILD)/bin/mpi-adapter)$(filter gotswap check-gotswap install-gotswap,$(MAKECMDGOALS)),)
ifneq ($(shell CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' PYTHON='$(PYTHON)' scripts/can-build && echo yes),yes)
$(error nothing can be built without these)
endif
endif
include gen/gen.mk gotswap/gotswap.mk detour/detour.mk command/command.mk
# These include what the generator makes.
ifneq ($(filter-out gotswap check-gotswap install-gotswap,$(or $(MAKECMDGOALS),all)),)
include adapter-c/adapter-c.mk command/probe/probe.mk compile/compile.mk packaging/packaging.mk
endif

pairs: $(PAIRS)

# The files that these install, in the words of rules.mk, but for those that the shell finds: of pairs and of the sources.
installed = $(put_gotswap)$(put_command)$(put_detour)$(put_probes)$(put_compile)$(put_fortran)$(put_modulefiles)$(put_abi_modulefiles)$(put_version_modulefile)$(put_documents)

# The pages and what they link to keep their places to one another, so that links lead there.
documents = $(shell '$(PYTHON)' scripts/documents list)
define put_documents
$(foreach file,$(documents),$(call put,644,$(file),$(PREFIX)/share/doc/mpi-adapter/$(file)))
endef

install-documents:
	$(put_documents)

# The manifest lists what is installed, and the folders that are not there before: those go again when it is uninstalled.
# The manifest also has what an earlier `make install` of other pairs or another version left there. Packages are made by
# the targets that this one needs: their manager has a list of its own.
install: install-manifest
install-manifest: install-gotswap install-pairs install-command install-detour install-source install-probes install-compile install-fortran install-modulefiles install-abi-modulefiles install-modulefile install-documents
	$(call tell,PUT,$(manifest))packaging/write-manifest '$(list)' '$(manifest)' '$(DESTDIR)'

# Everything is built, and nothing is there yet.
install-list: private listing := yes
install-list: gotswap pairs command probes compile fortran
	@printf '%s\n' $(subst $(newline), ,$(installed)) > '$(list)'
	$(put_pairs)
	$(put_source)
	@packaging/missing-folders '$(manifest)' '$(DESTDIR)' < '$(list)' > '$(list).folders' && cat '$(list).folders' >> '$(list)' && rm '$(list).folders'
ifneq ($(filter install install-manifest,$(MAKECMDGOALS)),)
install-gotswap install-pairs install-command install-detour install-source install-probes install-compile install-fortran install-modulefiles install-abi-modulefiles install-modulefile install-documents: | install-list
endif
endif
