# SPDX-License-Identifier: BSD-3-Clause
# Builds, checks and installs the mpi-adapter command.  Included by the
# top-level Makefile; also works alone:
#   make -f scripts/command/command.mk command

BUILD ?= build
CC ?= cc
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
VERSION ?= unreleased
BATS ?= bats
SHELLCHECK ?= shellcheck

scripts_command := $(BUILD)/bin/mpi-adapter
scripts_elf_facts := $(BUILD)/lib/mpi-adapter/elf-facts
scripts_explain := $(BUILD)/lib/mpi-adapter/explain
scripts_guard := $(BUILD)/lib/mpi-adapter/guard.so
scripts_parts := $(patsubst scripts/command/parts/%,$(BUILD)/lib/mpi-adapter/command/%,$(wildcard scripts/command/parts/*.bash))
scripts_warnings := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wconversion

# What `mpi-adapter build` makes pairs from; a build uses the sources in place.
scripts_source := $(wildcard Makefile gen templates abi-tables adapter-c adapter-f77 gotswap probe \
	scripts/command/command.mk packaging/packaging.mk)
scripts_source_link := $(BUILD)/share/mpi-adapter/src
scripts_checkout := $(patsubst %/,%,$(dir $(realpath scripts/command/command.mk)))

.PHONY: command check-scripts install-command install-source scripts-version

command: $(scripts_command) $(scripts_elf_facts) $(scripts_explain) $(scripts_guard) $(scripts_parts) $(scripts_source_link)

# A checkout may be moved.
$(scripts_source_link): scripts-version
	@mkdir -p $(@D)
	@[ "$$(readlink $@)" = '$(scripts_checkout:%/scripts/command=%)' ] || ln -sfn '$(scripts_checkout:%/scripts/command=%)' $@

# Rewritten only when the version changes, so that the command follows it.
$(BUILD)/scripts-version: scripts-version
	@mkdir -p $(@D)
	@printf '%s\n' '$(VERSION) $(SYSCONFDIR)' | cmp -s - $@ || printf '%s\n' '$(VERSION) $(SYSCONFDIR)' > $@

$(scripts_command): scripts/command/mpi-adapter $(BUILD)/scripts-version
	@mkdir -p $(@D)
	sed 's|@VERSION@|$(VERSION)|; s|@SYSCONFDIR@|$(SYSCONFDIR)|' $< > $@.new
	chmod 755 $@.new
	mv -f $@.new $@

# Programs that read ELF files.
scripts_elf_sources := $(filter-out %/elf-facts.c,$(wildcard scripts/command/elf/*.c))

$(scripts_elf_facts): scripts/command/elf/elf-facts.c
$(scripts_explain): $(wildcard scripts/command/explain/*.[ch])
$(scripts_elf_facts) $(scripts_explain): $(scripts_elf_sources) $(wildcard scripts/command/elf/*.h) scripts/command/command.mk
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -std=c11 -D_POSIX_C_SOURCE=200809L \
		$(scripts_warnings) $(LDFLAGS) -o $@ $(filter %.c,$^) -lelf

# In processes that know nothing of MPI: it needs the C library and no other.  With a DT_RUNPATH of its
# own, it does not search the program's DT_RPATH.
$(scripts_guard): scripts/command/guard.c scripts/command/command.mk
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -std=c11 -fPIC -fvisibility=hidden \
		$(scripts_warnings) $(LDFLAGS) -shared -Wl,-z,defs,--enable-new-dtags,-rpath,'$$ORIGIN' -o $@ $< -ldl

$(BUILD)/lib/mpi-adapter/command/%.bash: scripts/command/parts/%.bash
	@mkdir -p $(@D)
	cp $< $@

check-scripts: command
	cat scripts/command/mpi-adapter scripts/command/parts/*.bash | $(SHELLCHECK) -s bash -
	$(SHELLCHECK) scripts/install-packages scripts/command/completion/mpi-adapter.bash
	BUILD='$(abspath $(BUILD))' CC='$(CC)' $(BATS) tests/scripts tests/command-false-mpis

install-command: command
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/lib/mpi-adapter/command' \
		'$(DESTDIR)$(PREFIX)/share/man/man1' '$(DESTDIR)$(PREFIX)/share/man/man5' \
		'$(DESTDIR)$(PREFIX)/share/bash-completion/completions' \
		'$(DESTDIR)$(PREFIX)/share/zsh/site-functions'
	install -m 755 $(scripts_command) '$(DESTDIR)$(PREFIX)/bin/mpi-adapter'
	install -m 755 $(scripts_elf_facts) '$(DESTDIR)$(PREFIX)/lib/mpi-adapter/elf-facts'
	install -m 755 $(scripts_explain) '$(DESTDIR)$(PREFIX)/lib/mpi-adapter/explain'
	install -m 755 $(scripts_guard) '$(DESTDIR)$(PREFIX)/lib/mpi-adapter/guard.so'
	install -m 644 $(scripts_parts) '$(DESTDIR)$(PREFIX)/lib/mpi-adapter/command'
	install -m 644 docs/man/mpi-adapter.1 '$(DESTDIR)$(PREFIX)/share/man/man1/mpi-adapter.1'
	install -m 644 docs/man/mpi-adapter.conf.5 '$(DESTDIR)$(PREFIX)/share/man/man5/mpi-adapter.conf.5'
	install -m 644 scripts/command/completion/mpi-adapter.bash \
		'$(DESTDIR)$(PREFIX)/share/bash-completion/completions/mpi-adapter'
	install -m 644 scripts/command/completion/_mpi-adapter '$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_mpi-adapter'

install-source:
	install -d '$(DESTDIR)$(PREFIX)/share/mpi-adapter/src'
	find $(scripts_source) -type f ! -name '*.pyc' -exec install -D -m 644 '{}' '$(DESTDIR)$(PREFIX)/share/mpi-adapter/src/{}' ';'
