# SPDX-License-Identifier: BSD-3-Clause
# Builds, checks and installs the mpi-adapter command.  Included by the
# top-level Makefile; also works alone:
#   make -f scripts/scripts.mk command

CC ?= cc
CFLAGS ?= -O2 -g
include scripts/rules.mk
SYSCONFDIR ?= /etc
VERSION ?= unreleased
BATS ?= bats
SHELLCHECK ?= shellcheck

scripts_command := $(BUILD)/bin/mpi-adapter
scripts_elf_facts := $(BUILD)/lib/mpi-adapter/elf-facts
scripts_guard := $(BUILD)/lib/mpi-adapter/guard.so
scripts_parts := $(patsubst scripts/%,$(BUILD)/lib/mpi-adapter/%,$(wildcard scripts/command/*.bash))
scripts_warnings := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wconversion

# What `mpi-adapter build` makes pairs from; a build uses the sources in place.
scripts_source := $(wildcard Makefile gen templates abi-tables adapter-c adapter-f77 gotswap probe \
	scripts/rules.mk scripts/scripts.mk packaging/packaging.mk)
scripts_source_link := $(BUILD)/share/mpi-adapter/src
scripts_checkout := $(patsubst %/,%,$(dir $(realpath scripts/scripts.mk)))

.PHONY: command check-scripts install-command install-source

command: $(scripts_command) $(scripts_elf_facts) $(scripts_guard) $(scripts_parts) $(scripts_source_link)

# A checkout may be moved.
$(scripts_source_link): always
	@mkdir -p $(@D)
	@[ "$$(readlink $@)" = '$(scripts_checkout:%/scripts=%)' ] || ln -sfn '$(scripts_checkout:%/scripts=%)' $@

remembered_command = $(VERSION) $(SYSCONFDIR)

$(scripts_command): scripts/mpi-adapter $(BUILD)/flags/command
	@mkdir -p $(@D)
	$(call say,GEN,$(@F))sed 's|@VERSION@|$(VERSION)|; s|@SYSCONFDIR@|$(SYSCONFDIR)|' $< > $@.new && chmod 755 $@.new && mv -f $@.new $@

remembered_elf-facts = $(compiler) $(CPPFLAGS) $(CFLAGS) $(scripts_elf_flags) $(LDFLAGS) $(scripts_elf_sources)
remembered_guard = $(compiler) $(CPPFLAGS) $(CFLAGS) $(scripts_guard_flags) $(LDFLAGS)
scripts_elf_flags := -std=c11 -D_POSIX_C_SOURCE=200809L $(scripts_warnings)
scripts_guard_flags := -std=c11 -fPIC -fvisibility=hidden $(scripts_warnings) -shared \
	-Wl,-z,defs,--enable-new-dtags,-rpath,'$$ORIGIN'
scripts_elf_sources := $(addprefix scripts/,elf-facts.c elf-file.c elf-closure.c loader-cache.c)

$(scripts_elf_facts): $(scripts_elf_sources) scripts/elf-file.h scripts/elf-closure.h scripts/loader-cache.h $(BUILD)/flags/elf-facts
	@mkdir -p $(@D)
	$(call say,LD,$(@F))$(CC) $(CPPFLAGS) $(CFLAGS) $(scripts_elf_flags) $(LDFLAGS) -o $@ $(scripts_elf_sources) -lelf

# In processes that know nothing of MPI: it needs the C library and no other.  With a DT_RUNPATH of its
# own, it does not search the program's DT_RPATH.
$(scripts_guard): scripts/guard.c $(BUILD)/flags/guard
	@mkdir -p $(@D)
	$(call say,LD,$(@F))$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(scripts_guard_flags) -o $@ $< -ldl

$(BUILD)/lib/mpi-adapter/command/%.bash: scripts/command/%.bash
	@mkdir -p $(@D)
	$(call say,CP,command/$(@F))cp $< $@

check-scripts: command
	cat scripts/mpi-adapter scripts/command/*.bash | $(SHELLCHECK) -s bash -
	$(SHELLCHECK) scripts/install-packages scripts/completion/mpi-adapter.bash
	BUILD='$(abspath $(BUILD))' CC='$(CC)' $(BATS) tests/scripts

define put_command
$(call put,755,$(scripts_command),$(PREFIX)/bin/mpi-adapter)
$(call put,755,$(scripts_elf_facts),$(PREFIX)/lib/mpi-adapter/elf-facts)
$(call put,755,$(scripts_guard),$(PREFIX)/lib/mpi-adapter/guard.so)
$(foreach part,$(scripts_parts),$(call put,644,$(part),$(PREFIX)/lib/mpi-adapter/command/$(notdir $(part))))
$(call put,644,docs/man/mpi-adapter.1,$(PREFIX)/share/man/man1/mpi-adapter.1)
$(call put,644,docs/man/mpi-adapter.conf.5,$(PREFIX)/share/man/man5/mpi-adapter.conf.5)
$(call put,644,scripts/completion/mpi-adapter.bash,$(PREFIX)/share/bash-completion/completions/mpi-adapter)
$(call put,644,scripts/completion/_mpi-adapter,$(PREFIX)/share/zsh/site-functions/_mpi-adapter)
endef

install-command: command
	$(put_command)

scripts_source_place := $(PREFIX)/share/mpi-adapter/src
scripts_source_files = find $(scripts_source) -type f ! -name '*.pyc'
define put_source
$(if $(listing),@$(scripts_source_files) -printf '$(scripts_source_place)/%p\n' >> '$(DESTDIR)$(manifest).new',$(call say,PUT,$(scripts_source_place))$(scripts_source_files) -exec install -D -m 644 '{}' '$(DESTDIR)$(scripts_source_place)/{}' ';')

endef

install-source:
	$(put_source)
