# SPDX-License-Identifier: BSD-3-Clause
# Builds, checks and installs the mpi-adapter command.  Included by the
# top-level Makefile; also works alone:
#   make -f command/command.mk command

CC ?= cc
CFLAGS ?= -O2 -g
include scripts/rules.mk
ifndef detour_library
include detour/detour.mk
endif
SYSCONFDIR ?= /etc
# The folder for pairs that a site builds for its own MPIs, if the command came in a package.
SITE ?= /usr/local
VERSION ?= unreleased
PYTHON ?= /usr/bin/python3
BATS ?= bats
SHELLCHECK ?= shellcheck

command_command := $(BUILD)/bin/mpi-adapter
command_installation := $(BUILD)/lib/mpi-adapter/installation
command_explain := $(BUILD)/lib/mpi-adapter/explain
command_guard := $(BUILD)/lib/mpi-adapter/guard.so
command_newer := $(BUILD)/lib/mpi-adapter/newer.so
command_trees := $(BUILD)/lib/mpi-adapter/trees
# Programs that ask one part of the command, for tests.
command_tools := $(BUILD)/tools/elf-facts $(BUILD)/tools/launch
command_look := $(BUILD)/lib/mpi-adapter/look
# `mpi-adapter shell` puts this into PATH: one script by the names of all launchers.
command_own_launchers := $(sort $(shell sed -n 's/^[a-z]* launchers //p' abi-tables/implementations))
command_launchers := $(sort $(filter-out %*,$(shell sed -n 's/^[a-z]* commands //p' abi-tables/launchers)) \
	$(command_own_launchers) $(patsubst mpiexec%,mpirun%,$(command_own_launchers)))
command_shims := $(addprefix $(BUILD)/lib/mpi-adapter/shims/,$(command_launchers))
command_start_rank := $(BUILD)/lib/mpi-adapter/start-rank
# Mounted over an image's own file of this name while the command looks into the image. It is empty.
command_no_preload := $(BUILD)/lib/mpi-adapter/ld.so.preload
# Tables of the command: families, implementations and the order of pairs.
command_tables := $(patsubst abi-tables/%,$(BUILD)/lib/mpi-adapter/%,$(addprefix abi-tables/,departures families implementations interpreters launchers opened pairs refused))
command_warnings := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wconversion

# The sources that `mpi-adapter build` makes pairs from, with the makefiles and scripts; a build uses them in place.
command_source := $(wildcard Makefile gen templates abi-tables adapter-c adapter-f77 compile detour gotswap command/probe \
	scripts/rules.mk scripts/build-folder scripts/can-build scripts/install-packages scripts/renew command/command.mk packaging/packaging.mk packaging/share-files)
command_source_link := $(BUILD)/share/mpi-adapter/src

.PHONY: command command-tools check-scripts install-command install-source

command: $(command_command) $(command_installation) $(command_shims) $(command_start_rank) $(command_explain) $(command_trees) $(command_guard) $(command_newer) $(command_look) $(command_no_preload) $(command_tables) $(command_source_link)

command-tools: $(command_tools)

# A checkout may be moved.
$(command_source_link): always
	@mkdir -p $(@D)
	@[ "$$(readlink $@)" = '$(CURDIR)' ] || ln -sfn '$(CURDIR)' $@

remembered_installation = $(VERSION) $(SYSCONFDIR) $(SITE)

# The command is told of itself by this when it is made.
$(command_installation): $(BUILD)/flags/installation
	@mkdir -p $(@D)
	$(call say,GEN,$(@F))printf '%s\n' 'version $(VERSION)' 'configuration $(SYSCONFDIR)/mpi-adapter.conf' 'site $(SITE)' > $@.new && mv -f $@.new $@

remembered_elf-facts = $(compiler) $(CPPFLAGS) $(CFLAGS) $(command_elf_flags) $(LDFLAGS) $(command_elf_sources)
remembered_explain = $(compiler) $(CPPFLAGS) $(CFLAGS) $(command_elf_flags) $(LDFLAGS) $(command_explain_sources)
remembered_trees = $(compiler) $(CPPFLAGS) $(CFLAGS) $(command_trees_flags) $(LDFLAGS) $(command_trees_sources)
remembered_launch = $(compiler) $(CPPFLAGS) $(CFLAGS) $(command_launch_flags) $(LDFLAGS) $(command_launch_sources)
remembered_look = $(compiler) $(CPPFLAGS) $(CFLAGS) $(command_look_flags) $(LDFLAGS)
remembered_start-rank = $(compiler) $(CPPFLAGS) $(CFLAGS) $(command_look_flags) $(LDFLAGS)
remembered_newer = $(compiler) $(CPPFLAGS) $(CFLAGS) $(command_newer_flags) $(LDFLAGS)
remembered_guard = $(compiler) $(CPPFLAGS) $(CFLAGS) $(command_guard_flags) $(LDFLAGS)
command_elf_flags = -std=c11 -D_GNU_SOURCE -Iadapter-c $(command_warnings) $(seldom_flags)
command_guard_flags := -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden $(command_warnings) -shared \
	-Wl,-z,defs,--enable-new-dtags,-rpath,'$$ORIGIN'

# Behind all others, as it has neither a C library nor a dynamic loader, whatever is asked for.
command_look_flags := -std=c11 $(command_warnings) -ffreestanding -fno-stack-protector -fno-sanitize=all -fno-lto -fno-pie -no-pie \
	-static -nostdlib -nostartfiles

# So has this one. It has the rank variables from the adapter's sources.
command_start_rank_sources := command/start-rank.c adapter-c/process/rank_variables.c

# As the guard has, which asks them who started the process.
command_guard_sources := command/guard.c command/guard_exec.c command/guard_inside.c detour/inside.c detour/program.c adapter-c/elf/file.c \
	adapter-c/process/rank_variables.c

# Programs that read ELF files.
command_readers := $(filter-out %/elf-facts.c %/ask.c,$(wildcard command/elf/*.c)) $(wildcard adapter-c/elf/*.c) adapter-c/process/conflicts.c adapter-c/process/needed.c
command_elf_sources := command/elf/elf-facts.c $(command_readers)
command_explain_sources := $(wildcard command/explain/*.c) $(command_readers)
command_headers := $(wildcard command/elf/*.h command/explain/*.h) $(wildcard adapter-c/elf/*.h) adapter-c/process/conflicts.h adapter-c/process/needed.h

# The part of detour.so that decides, without the one that acts.
command_detour := $(addprefix detour/,code.c inside.c look.c pair.c plan.c program.c)

# The command itself. It needs the C library and no other.
command_flags = $(command_elf_flags) -Icommand/base -Icommand -Icommand/elf -Idetour -I$(BUILD)/detour
command_sources := command/main.c $(filter-out %/words.c,$(wildcard command/base/*.c)) $(filter-out command/launch/main.c,$(wildcard command/launch/*.c)) \
	$(wildcard $(addprefix command/,program/*.c site/*.c plan/*.c verbs/*.c)) \
	command/elf/ask.c command/tree/sha256.c $(command_readers) $(command_detour)
command_own_headers := $(wildcard $(addprefix command/,base/*.h launch/*.h program/*.h site/*.h plan/*.h verbs/*.h elf/*.h)) $(command_headers)
remembered_command = $(compiler) $(CPPFLAGS) $(CFLAGS) $(command_flags) $(LDFLAGS) $(command_sources)

$(command_command): $(command_sources) $(command_own_headers) $(wildcard detour/*.h) $(BUILD)/detour/inside_table.h $(BUILD)/flags/command
	@mkdir -p $(@D)
	$(call say,LD,$(@F))$(CC) $(CPPFLAGS) $(CFLAGS) $(command_flags) $(LDFLAGS) -o $(unplaced) $(command_sources) $(placed)

# All that the command does in other people's trees. It needs the C library and no other.
command_trees_flags = -std=c11 -D_GNU_SOURCE -Icommand/base $(command_warnings)
command_trees_sources := $(wildcard command/tree/*.c) command/base/memory.c command/base/words.c command/elf/text.c

# Launch lines of one launcher, for another.
command_launch_flags = $(command_trees_flags)
command_launch_sources := $(wildcard command/launch/*.c) $(addprefix command/base/,arena.c file.c list.c memory.c problem.c texts.c words.c) command/elf/text.c

$(BUILD)/tools/launch: $(command_launch_sources) $(wildcard command/launch/*.h command/base/*.h) $(BUILD)/flags/launch
	@mkdir -p $(@D)
	$(call say,LD,$(@F))$(CC) $(CPPFLAGS) $(CFLAGS) $(command_launch_flags) $(LDFLAGS) -o $(unplaced) $(command_launch_sources) $(placed)

$(command_trees): $(command_trees_sources) $(wildcard command/tree/*.h command/base/*.h) command/elf/text.h $(BUILD)/flags/trees
	@mkdir -p $(@D)
	$(call say,LD,$(@F))$(CC) $(CPPFLAGS) $(CFLAGS) $(command_trees_flags) $(LDFLAGS) -o $(unplaced) $(command_trees_sources) $(placed)

$(BUILD)/tools/elf-facts: $(command_elf_sources) $(command_headers) $(BUILD)/flags/elf-facts
	@mkdir -p $(@D)
	$(call say,LD,$(@F))$(CC) $(CPPFLAGS) $(CFLAGS) $(command_elf_flags) $(LDFLAGS) -o $(unplaced) $(command_elf_sources) $(placed)

$(command_explain): $(command_explain_sources) $(command_headers) $(BUILD)/flags/explain
	@mkdir -p $(@D)
	$(call say,LD,$(@F))$(CC) $(CPPFLAGS) $(CFLAGS) $(command_elf_flags) $(LDFLAGS) -o $(unplaced) $(command_explain_sources) $(placed)

# In processes that know nothing of MPI: it needs the C library and no other.  With a DT_RUNPATH of its
# own, it does not search the program's DT_RPATH.
$(command_guard): $(command_guard_sources) command/guard.h adapter-c/process/rank_variables.h $(BUILD)/start-rank/rank_table.h \
		$(BUILD)/start-rank/launched_table.h $(wildcard detour/*.h) $(BUILD)/detour/inside_table.h adapter-c/elf/file.h $(BUILD)/flags/guard
	@mkdir -p $(@D)
	$(call say,LD,$(@F))$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(command_guard_flags) -I$(BUILD)/start-rank -Iadapter-c -Idetour -I$(BUILD)/detour -o $(unplaced) $(command_guard_sources) -ldl $(placed)

# The names in it are replaced, and with them its one table of hashes. It refers to no symbol of MPI's.
command_newer_flags = -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden -fno-lto -fno-sanitize=all $(command_warnings) -shared -Wl,--hash-style=sysv \
	-DADAPTER_VERSION='"$(VERSION)"' $(call command_newer_constant,MPI_COMM_SELF) $(call command_newer_constant,MPI_ERR_UNSUPPORTED_OPERATION)
command_newer_table := $(lastword $(sort $(wildcard $(shell sed -n 's,^\([a-z0-9]*\) beyond .*,abi-tables/\1-*/constants,p' abi-tables/families))))
# $(call command_newer_constant,NAME): its value in that ABI, for the compiler.
command_newer_constant = -D$(1)=$(shell sed -n 's/^$(1) .* //p' $(command_newer_table))
$(command_newer): command/newer.c command/newer.h $(command_newer_table) $(BUILD)/flags/newer
	@mkdir -p $(@D)
	$(call say,LD,$(@F))$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(command_newer_flags) -o $(unplaced) command/newer.c -ldl $(placed)

# By what an MPI says of itself, or by a symbol, the guard knows its launcher.
$(BUILD)/start-rank/launched_table.h: abi-tables/implementations command/command.mk
	@mkdir -p $(@D)
	$(call say,GEN,$(@F))awk '/^#/ { next } { key = $$2; name = $$1; sub(/^[^ ]+ [^ ]+ /, "") } key == "version" { version[name] = $$0 } \
		key == "launcher" { launcher[name] = $$0 } key == "marks" && !/[.]/ { symbol[name] = $$0 } \
		key == "exports" && sub(/[$$]$$/, "") { symbol[name] = $$0 } \
		END { for (name in launcher) printf "{ \"%s\", \"%s\", \"%s\" },\n", version[name], symbol[name], launcher[name] }' $< > $@.new && mv -f $@.new $@

$(command_look): command/look.c $(BUILD)/flags/look
	@mkdir -p $(@D)
	$(call say,LD,$(@F))$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(command_look_flags) -o $(unplaced) $< $(placed)

$(BUILD)/start-rank/rank_table.h: gen/rank_variables.py gen/diagnostic.py abi-tables/rank-variables
	@mkdir -p $(@D)
	$(call say,GEN,$(@F))$(PYTHON) gen/rank_variables.py abi-tables/rank-variables $@

$(command_start_rank): $(command_start_rank_sources) adapter-c/process/rank_variables.h $(BUILD)/start-rank/rank_table.h $(BUILD)/flags/start-rank
	@mkdir -p $(@D)
	$(call say,LD,$(@F))$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(command_look_flags) -I$(BUILD)/start-rank -Iadapter-c -o $(unplaced) $(command_start_rank_sources) $(placed)

$(command_shims): command/shim
	@mkdir -p $(@D)
	$(call say,CP,shims/$(@F))cp $< $@ && chmod 755 $@

$(command_no_preload): command/ld.so.preload
	@mkdir -p $(@D)
	$(call say,CP,$(@F))cp $< $@

$(command_tables): $(BUILD)/lib/mpi-adapter/%: abi-tables/%
	@mkdir -p $(@D)
	$(call say,CP,$(@F))cp $< $@

check-scripts: command
	$(SHELLCHECK) command/shim scripts/install-packages command/completion/mpi-adapter.bash
	BUILD='$(abspath $(BUILD))' CC='$(CC)' $(BATS) tests/scripts tests/command

define put_command
$(call put_binary,755,$(command_command),$(PREFIX)/bin/mpi-adapter)
$(call put,644,$(command_installation),$(PREFIX)/lib/mpi-adapter/installation)
$(call put_binary,755,$(command_explain),$(PREFIX)/lib/mpi-adapter/explain)
$(call put_binary,755,$(command_trees),$(PREFIX)/lib/mpi-adapter/trees)
$(call put_binary,755,$(command_guard),$(PREFIX)/lib/mpi-adapter/guard.so)
$(call put_binary,755,$(command_newer),$(PREFIX)/lib/mpi-adapter/newer.so)
$(call put_binary,755,$(command_look),$(PREFIX)/lib/mpi-adapter/look)
$(call put_binary,755,$(command_start_rank),$(PREFIX)/lib/mpi-adapter/start-rank)
$(foreach shim,$(command_shims),$(call put,755,$(shim),$(PREFIX)/lib/mpi-adapter/shims/$(notdir $(shim))))
$(call put,644,$(command_no_preload),$(PREFIX)/lib/mpi-adapter/ld.so.preload)
$(foreach table,$(command_tables),$(call put,644,$(table),$(PREFIX)/lib/mpi-adapter/$(notdir $(table))))
$(call put,644,docs/man/mpi-adapter.1,$(PREFIX)/share/man/man1/mpi-adapter.1)
$(call put,644,docs/man/mpi-adapter.conf.5,$(PREFIX)/share/man/man5/mpi-adapter.conf.5)
$(call put,644,command/completion/mpi-adapter.bash,$(PREFIX)/share/bash-completion/completions/mpi-adapter)
$(call put,644,command/completion/_mpi-adapter,$(PREFIX)/share/zsh/site-functions/_mpi-adapter)
endef

install-command: command
	$(put_command)

# Scripts that make runs by name keep their mode. Python programs are given to the Python of who builds: as programs, they would make
# a package need one.
command_source_place := $(PREFIX)/share/mpi-adapter/src
command_source_files = find $(command_source) -type f ! -name '*.pyc'
define put_source
$(if $(listing),@$(command_source_files) -printf '$(command_source_place)/%p\n' >> '$(list)',$(call say,PUT,$(command_source_place))folder='$(DESTDIR)$(command_source_place)' && \
	install -d "$$folder" && $(command_source_files) -exec cp --parents --remove-destination -t "$$folder" {} + && \
	find "$$folder/" \( -type d -o -perm -u+x ! -name '*.py' \) -exec chmod 755 {} + -o -exec chmod 644 {} +)

endef

install-source:
	$(put_source)
